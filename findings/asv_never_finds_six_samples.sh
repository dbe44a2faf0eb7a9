#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# asv finds no change of a benchmark that has six samples on each side, however large: repeat = 3 is enough for that.
#
# Versions: asv 0.6.6, asv_runner 0.3.2 (PyPI).
# Behaviour: where samples are recorded, as `asv continuous` does, compare asks a two-sided U test for p < 0.002. It takes the
#   test where its smallest p could be less, but computes that of one side, 1/924 for 6 and 6 samples; the smallest of both
#   is 2/924, or 0.0022. Fewer samples are judged by intervals, and find the change. Others without a chance are 5 and 7,
#   4 and 9, 3 and 15: all with 500 to 1,000 ways to mix them. Samples are repeat times rounds, and rounds are 2.
# Likely guess: more samples find more, and a benchmark that is twenty times as slow is found. Right: a repeat of 4 or more,
#   or `asv compare --no-stats`.
# Output seen: 20 times as slow, marks by samples: recorded: 2 +, 4 +, 6 none (~20.00), 8 +, 10 +;
#   not recorded: 2 +, 4 +, 6 +, 8 +, 10 +; --no-stats: 2 +, 4 +, 6 +, 8 +, 10 +
#
# Needs git; run by hand. asv is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check asv==0.6.6 asv_runner==0.3.2
export HOME=$folder

mkdir -p "$folder/project/benchmarks"
cd "$folder/project"
cat > asv.conf.json <<'JSON'
{"version": 1, "project": "project", "repo": ".", "branches": ["HEAD"], "environment_type": "existing"}
JSON
touch benchmarks/__init__.py
cat > benchmarks/solve.py <<'PY'
import os

# The time is that of a clock of this file, for an exact comparison: each solve takes 0.1 % longer than the one before.
clock = {"now": 0.0, "step": float(os.environ["SECONDS_TAKEN"])}


def solve():
    clock["now"] += clock["step"]
    clock["step"] *= 1.001


def benchmark(repeat):
    members = {"number": 1, "warmup_time": 0, "repeat": repeat, "timer": staticmethod(lambda: clock["now"])}
    return type(f"Repeat{repeat}", (), members | {"time_solve": lambda self: solve()})


Repeat1, Repeat2, Repeat3, Repeat4, Repeat5 = map(benchmark, range(1, 6))
PY
git init --quiet
git add .
for message in before after; do
  git -c user.name=name -c user.email=name@example.com commit --quiet --allow-empty --message "$message"
done
asv=$folder/venv/bin/asv
"$asv" machine --yes > /dev/null

compared() { # the options of run, and those of compare: of each benchmark the samples, the mark and the ratio
  rm -rf results/*/*existing*.json
  local slow=1 commit
  for commit in HEAD~1 HEAD; do
    # shellcheck disable=SC2086
    SECONDS_TAKEN=$slow "$asv" run --python=same --set-commit-hash "$(git rev-parse "$commit")" $1 > /dev/null
    slow=20
  done
  # shellcheck disable=SC2086
  "$asv" compare $2 HEAD~1 HEAD | awk -F'|' '/solve/ {
    match($6, /[0-9]+/); samples = 2 * substr($6, RSTART, RLENGTH)
    gsub(" ", ""); print samples, ($2 == "" ? "none (" $5 ")" : $2)
  }' | sort -n | paste -sd, | sed 's/,/, /g'
}

recorded=$(compared --record-samples "")
not_recorded=$(compared "" "")
no_stats=$(compared --record-samples --no-stats)
echo "20 times as slow, marks by samples: recorded: $recorded; not recorded: $not_recorded; --no-stats: $no_stats"
found="2 +, 4 +, 6 +, 8 +, 10 +"
if [[ $recorded != "2 +, 4 +, 6 none (~20.00), 8 +, 10 +" || $not_recorded != "$found" || $no_stats != "$found" ]]; then
  echo "changed: six recorded samples are found, or others are not" >&2
  exit 1
fi
