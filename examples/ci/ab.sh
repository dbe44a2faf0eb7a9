#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Has this commit made a kernel slower? Builds it and its merge base, then measures both on this
# machine, launch by launch in turn. Ends with the exit code of `alsbench ab`, with 4 where the merge
# base does not build, and with 5 where the commit does not.
#
#   TARGET     branch to merge into; default origin/main (the full history must be there)
#   SUITE      name or file; default ci
#   AB_FLAGS   further flags of `alsbench ab`
#   OUT        folder of what is kept; default ci-results
#   BUILD      script that builds the checkout it is given into its folder build; default build.sh
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${BUILD:-$here/build.sh} out=${OUT:-ci-results}
mkdir -p "$out"
rm -f "$out"/ab.{json,junit.xml,md} # of a run before, whose verdict is another

base=$(git merge-base "${TARGET:-origin/main}" HEAD)
"$here/same_commit.sh" "$base"
tree=$(mktemp -d)
trap 'git worktree remove --force "$tree/base"; rm -rf "$tree"' EXIT
git worktree add --quiet --detach "$tree/base" "$base"
failed() { echo "error: $1 does not build" >&2; exit "$2"; } # by no code of a verdict
"$build" "$tree/base" || failed "the merge base $base" 4
"$build" "$PWD" || failed "this commit" 5

status=0
# shellcheck disable=SC2086  # AB_FLAGS is several words
build/alsbench ab --base "$tree/base/build/alsbench" --test build/alsbench \
  --json "$out/ab.json" ${AB_FLAGS:-} "${SUITE:-ci}" || status=$?
[ ! -f "$out/ab.json" ] || ALSBENCH=build/alsbench "$here/summary.sh" "$out/ab.json"
exit "$status"
