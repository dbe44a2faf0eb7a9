#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All of it on one machine, from cron or by hand, without any CI service: build, static baselines,
# CPU suite and, where there is a GPU, this commit against its merge base. Ends with the highest
# exit code. The variables of the other scripts apply.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"${BUILD:-$here/build.sh}" "$PWD"

worst=0
step() {
  local status=0
  printf '== %s\n' "$1"
  "$here/$1" || status=$?
  printf '== %s: exit code %s\n' "$1" "$status"
  [ "$status" -le "$worst" ] || worst=$status
}
step static.sh
step cpu.sh
if [ -n "${GPU:-}" ] || nvidia-smi >/dev/null 2>&1; then step ab.sh; else echo "== no GPU: ab.sh is left out"; fi
exit "$worst"
