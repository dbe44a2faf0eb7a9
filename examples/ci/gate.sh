#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Has this commit made a program of yours slower? Builds the checkout and its merge base, then measures the program of
# both on this machine, launch by launch in turn. Ends with the exit code of `alsbench ab`, with 4 where the merge base
# does not build, and with 5 where the checkout does not. In a folder of the checkout it builds and runs that folder of
# both.
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
rm -f "$out"/gate.{json,junit.xml,md} # of a run before, whose verdict is another

base=$(git merge-base "${TARGET:-origin/main}" HEAD)
"$here/same_commit.sh" "$base"
tree=$(mktemp -d)
trap 'git worktree remove --force "$tree/base"; rm -rf "$tree"' EXIT
git worktree add --quiet --detach "$tree/base" "$base"
folder=$tree/base/$(git rev-parse --show-prefix)
failed() { echo "error: $1 does not build" >&2; exit "$2"; } # by no code of a verdict
(cd "$folder" && bash -euc "$build") || failed "the merge base $base" 4
bash -euc "$build" || failed "this commit" 5

quoted() { printf "'%s'" "${1//\'/\'\\\'\'}"; } # for /bin/sh

status=0
# shellcheck disable=SC2086  # AB_FLAGS is several words
"$program" ab --base "cd $(quoted "$folder") && $COMMAND" --test "cd $(quoted "$PWD") && $COMMAND" \
  --format "${FORMAT:-google-benchmark}" --json "$out/gate.json" ${AB_FLAGS:-} || status=$?
[ ! -f "$out/gate.json" ] || ALSBENCH=$program "$here/summary.sh" "$out/gate.json"
exit "$status"
