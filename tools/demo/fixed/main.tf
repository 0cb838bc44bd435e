# The same service without the leak: the token is used in both phases, and nothing that is recorded holds it.

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
