# A token that must never be recorded, and a configuration that records it all the same: in a child module, three
# steps away from where the token is declared. `pravoc check` shows the way.

variable "deploy_token" {
  type      = string
  ephemeral = true
}

variable "region" {
  type    = string
  default = "eu-west-1"
}

locals {
  auth = {
    user   = "deploy"
    bearer = "Bearer ${var.deploy_token}"
  }
}

module "service" {
  source  = "./modules/service"
  name    = "api-${var.region}"
  headers = local.auth
}

output "endpoint" {
  value = module.service.endpoint
}
