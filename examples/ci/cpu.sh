#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Are all CPU variants right, and how fast are they here? A hosted runner is another machine every
# time: its times are kept, not judged. Ends with the exit code of `alsbench run`.
#
#   ALSBENCH   the program; default build/alsbench
#   SUITE      name or file; default ci
#   OUT        folder of what is kept; default ci-results
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
program=${ALSBENCH:-build/alsbench} out=${OUT:-ci-results}
mkdir -p "$out"
rm -f "$out"/cpu.{json,junit.xml,md} # of a run before, whose verdict is another

status=0
"$program" run "${SUITE:-ci}" --device cpu --json "$out/cpu.json" || status=$?
[ ! -f "$out/cpu.json" ] || "$here/summary.sh" "$out/cpu.json"
exit "$status"
