#!/usr/bin/env bash
# The main job in a minute: a leak with its whole path, found before anything runs; then a plan and an apply.
# `tools/dev demo` builds pravoc and runs this with PRAVOC set to it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pravoc=${PRAVOC:?set PRAVOC to the built pravoc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

show() { printf '\n$ %s\n' "$*"; }

cp -r "$here/fixed" "$here/leak" "$work/"
cd "$work"

show "pravoc check leak"
if "$pravoc" check leak; then
  echo "the demo expected check to find the leak" >&2
  exit 1
fi

cd fixed
show "pravoc check"
"$pravoc" check

show "pravoc plan -var deploy_token=... -out plan.bin"
"$pravoc" plan -var "deploy_token=plan-time-token" -out plan.bin

show "pravoc apply -var deploy_token=... plan.bin"
"$pravoc" apply -var "deploy_token=apply-time-token" plan.bin

show "pravoc output"
"$pravoc" output

if grep -rqE '(plan|apply)-time-token' .; then
  echo "a token was written to disk" >&2
  exit 1
fi
printf '\nNeither token is in any file that pravoc wrote.\n'
