# The same service without the leak: what is recorded holds a name of the secret, not the secret.

variable "deploy_token" {
  type      = string
  ephemeral = true
}

variable "region" {
  type    = string
  default = "eu-west-1"
}

module "service" {
  source   = "./modules/service"
  name     = "api-${var.region}"
  token    = var.deploy_token
  replicas = 3
}

output "endpoints" {
  value = module.service.endpoints
}
