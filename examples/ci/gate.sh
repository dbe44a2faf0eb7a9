#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Has this commit made a program of yours slower? Builds the checkout and its merge base, then measures the program of
# both on this machine, launch by launch in turn. Ends with the exit code of `alsbench ab`.
#
#   COMMAND    runs the program in a checkout, such as build/bench
#   BUILD      builds a checkout, run in it; default cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build
#   FORMAT     of the program's JSON; default google-benchmark
#   TARGET     branch to merge into; default origin/main (the full history must be there)
#   AB_FLAGS   further flags of `alsbench ab`
#   OUT        folder of what is kept; default ci-results
#   ALSBENCH   the program; default alsbench
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${ALSBENCH:-alsbench} out=${OUT:-ci-results}
build=${BUILD:-cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build}
mkdir -p "$out"

base=$(git merge-base "${TARGET:-origin/main}" HEAD)
tree=$(mktemp -d)
trap 'git worktree remove --force "$tree/base"; rm -rf "$tree"' EXIT
git worktree add --quiet --detach "$tree/base" "$base"
(cd "$tree/base" && bash -euc "$build")
bash -euc "$build"

status=0
# shellcheck disable=SC2086  # AB_FLAGS is several words
"$program" ab --base "cd $tree/base && $COMMAND" --test "cd $PWD && $COMMAND" \
  --format "${FORMAT:-google-benchmark}" --json "$out/gate.json" ${AB_FLAGS:-} || status=$?
[ ! -f "$out/gate.json" ] || ALSBENCH=$program "$here/summary.sh" "$out/gate.json"
exit "$status"
