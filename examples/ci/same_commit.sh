#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Warns where the merge base is the commit under test, as on the branch to merge into: no comparison of a commit with
# itself finds anything. same_commit.sh BASE
#
#   TARGET   branch to merge into; default origin/main
set -euo pipefail
[ "$1" = "$(git rev-parse HEAD)" ] || exit 0
text="this commit is part of ${TARGET:-origin/main}, so it is compared with itself; name an older one as TARGET, such as HEAD~1"
[ -z "${GITHUB_ACTIONS:-}" ] || echo "::warning::$text"
echo "warning: $text" >&2
