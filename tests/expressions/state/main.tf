variable "v" {
  default = "x"
}
variable "req" {
  type = string
}
variable "eph" {
  type      = string
  default   = "gone"
  ephemeral = true
}
variable "pw" {
  type      = string
  default   = "swordfish"
  sensitive = true
}
locals {
  a = 1
}
resource "terraform_data" "one" {
  input = var.v
}
resource "terraform_data" "sec" {
  input = { pw = var.pw, n = 1 }
}
resource "terraform_data" "cnt" {
  count = 3
  input = "i${count.index}"
}
resource "terraform_data" "fe" {
  for_each = toset(["a", "b"])
  input    = each.key
}
resource "terraform_data" "new" {
  for_each = toset(["a", "b"])
  input    = each.key
}
module "m" {
  source = "./m"
  x      = local.a
}
module "mc" {
  source = "./m"
  count  = 3
  x      = count.index
}
output "o" {
  value = 1
}
