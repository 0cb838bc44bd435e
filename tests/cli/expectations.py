"""What the programs beside this one share: how they tell what was expected, and how they end."""
import os
import tempfile

PRAVOC = os.environ.get("PRAVOC")
ONE_RESOURCE = """
variable "v" {
  default = 1
}
resource "terraform_data" "a" {
  input = var.v
}
"""
failures = []


def expect(what, condition, answer):
    """Notes what does not hold, with a finished process or a text that shows why."""
    if condition:
        return
    if not isinstance(answer, str):
        answer = f"exit {answer.returncode}\n  stdout: {answer.stdout[:1500]}\n  stderr: {answer.stderr[:1500]}"
    failures.append(f"{what}\n  {answer[:4000]}")


def main(body):
    """Calls body(directory) with a directory of its own; the exit code that ctest expects."""
    if not PRAVOC:
        print("skipped: pravoc is not built (PRAVOC is not set)")
        return 77
    with tempfile.TemporaryDirectory() as directory:
        body(directory)
    for failure in failures:
        print("FAILED " + failure)
    print(f"{len(failures)} expectations failed")
    return 1 if failures else 0
