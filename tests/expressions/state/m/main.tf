variable "x" {}
output "y" {
  value = var.x + 1
}
resource "terraform_data" "in" {
  input = var.x
}
output "z" {
  value = terraform_data.in.output
}
