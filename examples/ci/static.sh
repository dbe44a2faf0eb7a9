#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does any kernel spill more, or hold fewer threads on a multiprocessor, than its static baseline says? Needs the
# CUDA toolkit, no GPU. Ends with the exit code of `alsbench compile --against`.
#
#   ALSBENCH   the program; default build/alsbench
#   BASELINES  a file, or a folder of <arch>.json; default results/static
#   OUT        folder of what is kept; default ci-results
set -euo pipefail
program=${ALSBENCH:-build/alsbench} out=${OUT:-ci-results}
mkdir -p "$out"

status=0
"$program" compile --against "${BASELINES:-results/static}" >"$out/static.txt" || status=$?
cat "$out/static.txt"
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  { printf '### Kernels against their static baselines (exit code %s)\n\n' "$status"
    sed 's/^/    /' "$out/static.txt"; } >>"$GITHUB_STEP_SUMMARY"
fi
exit "$status"
