#!/usr/bin/env python3
"""Test files (*.tftest.hcl) at the command line: what check says of them and of the modules that they run."""
# ctest-labels: golden
import json
import pathlib
import subprocess
import sys

from expectations import PRAVOC, expect, main

FILES = {
    "main.tf": 'module "shared" {\n  source = "./shared"\n}\noutput "o" {\n  value = module.shared.o\n}\n',
    "shared/main.tf": 'variable "spare" {\n  default = 1\n}\noutput "o" {\n  value = 1\n}\n',
    "tests/main.tftest.hcl": """
run "setup" {
  module {
    source = "./tests/setup"
  }
}
run "shared" {
  module {
    source = "./shared"
  }
}
run "main" {
  assert {
    condition     = output.o == run.setup.o
    error_message = "They differ."
  }
}
""",
    "tests/setup/main.tf": """
variable "token" {
  ephemeral = true
}
resource "terraform_data" "x" {
  input = var.token
}
module "shared" {
  source = "../../shared"
}
output "o" {
  value = module.shared.o
}
""",
    "other/broken.tftest.hcl": "run {}\n",
}


def run(root, *arguments):
    return subprocess.run([PRAVOC, *arguments], capture_output=True, text=True, cwd=root, timeout=60)


def codes(answer):
    return [(d["code"], d["range"]["filename"] if "range" in d else "") for d in json.loads(answer.stdout)["diagnostics"]]


def everything(root):
    for name, text in FILES.items():
        path = pathlib.Path(root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    spare = ("unused-variable", "shared/main.tf")
    answer = run(root, "check", "-json")
    expect("a leak in the module of a run is found, and what is common reported once",
           answer.returncode == 1 and codes(answer) == [spare, ("ephemeral-in-resource", "tests/setup/main.tf")],
           answer)
    answer = run(root, "check")
    expect("its modules and resources count, each once", "3 modules, 1 resource " in answer.stdout, answer)
    answer = run(root, "check", "-json", "-no-tests")
    expect("-no-tests leaves them out", answer.returncode == 0 and codes(answer) == [spare], answer)
    answer = run(root, "check", "-json", "-test-directory=other")
    expect("-test-directory says where they are",
           answer.returncode == 1 and codes(answer) == [("wrong-labels", "other/broken.tftest.hcl")], answer)
    answer = run(root, "check", "-json", "-test-directory=nowhere")
    expect("where it is not there, that is a warning",
           answer.returncode == 0 and codes(answer) == [("test-directory-missing", ""), spare], answer)
    pathlib.Path(root, "bad.tftest.hcl").write_text("nonsense {\n")
    answer = run(root, "plan", "-no-color")
    expect("plan does not look at test files", answer.returncode == 0, answer)


if __name__ == "__main__":
    sys.exit(main(everything))
