#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Exports a result or comparison next to itself, as JUnit for the service's test view and as Markdown for people:
# summary.sh FILE.json. On GitHub the Markdown becomes part of the job's page, and what failed or became slower is
# annotated.
#
#   ALSBENCH   the program; default build/alsbench
set -euo pipefail
program=${ALSBENCH:-build/alsbench} stem=${1%.json}
"$program" export "$1" --to junit --out "$stem.junit.xml"
"$program" export "$1" --to markdown --out "$stem.md"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$stem.md" >>"$GITHUB_STEP_SUMMARY"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || "$program" export "$1" --to github-annotations
