#!/usr/bin/env python3
# ctest-timeout: 300
"""1,000 random expressions through pravoc, at once and by way of printed IR, and through `terraform console`."""
import sys

sys.dont_write_bytecode = True
import random_run  # noqa: E402

if __name__ == "__main__":
    sys.exit(random_run.main(count=1000, seed=1))
