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

# Evaluated in both phases, recorded in none.
check "token" {
  assert {
    condition     = endswith(var.token, "-token")
    error_message = "The deploy token is of no kind that the service knows."
  }
}

resource "terraform_data" "replica" {
  count = var.replicas

  input = {
    name = "${var.name}-${count.index}"
    zone = element(["a", "b"], count.index)
  }
}

output "endpoints" {
  value = [for r in terraform_data.replica : "https://${r.input.name}.example.test"]
}
