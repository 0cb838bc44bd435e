variable "name" {
  type = string
}

variable "token" {
  type      = string
  ephemeral = true
}

variable "replicas" {
  type = number
}

locals {
  has_token = ephemeralasnull(var.token) == null
}

resource "terraform_data" "replica" {
  count = var.replicas

  input = {
    name        = "${var.name}-${count.index}"
    token_given = local.has_token
  }
}

output "endpoints" {
  value = [for r in terraform_data.replica : "https://${r.input.name}.example.test"]
}
