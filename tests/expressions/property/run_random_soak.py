#!/usr/bin/env python3
# ctest-labels: soak
# ctest-timeout: 1800
"""20,000 random expressions through pravoc, at once and by way of printed IR, and through `terraform console`."""
import sys

sys.dont_write_bytecode = True
import random_run  # noqa: E402

if __name__ == "__main__":
    sys.exit(random_run.main(count=20000, seed=20))
