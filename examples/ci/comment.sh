#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts a Markdown summary into a comment on the pull request: comment.sh FILE.md. The token of a
# fork's pull request may not write: the comment is left out there, and a line says so.
#
#   GITHUB_EVENT_PATH, GITHUB_REPOSITORY, GH_TOKEN   as GitHub Actions sets them
set -euo pipefail
[ -f "$1" ] || { echo "no comment: there is no $1"; exit 0; }

field() { python3 -c 'import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2].split("."): value = (value or {}).get(key)
print("" if value is None else value)' "$GITHUB_EVENT_PATH" "$1"; }

number=$(field pull_request.number)
head=$(field pull_request.head.repo.full_name)
if [ -z "$number" ]; then
  echo "no comment: this is no pull request"
elif [ "$head" != "$GITHUB_REPOSITORY" ]; then
  echo "no comment: the pull request comes from the fork ${head:-(deleted)}, whose token may not write; the summary is on the job's page"
else
  gh pr comment "$number" --repo "$GITHUB_REPOSITORY" --body-file "$1" --edit-last --create-if-none
fi
