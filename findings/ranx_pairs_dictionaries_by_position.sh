#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ranx pairs two dictionaries by the order of their users, not by their names: a perfect run in reverse order has an MRR of 0.
#
# Versions: ranx 0.3.21, numba 0.68.1, numpy 2.4.6.
# Behaviour: evaluate takes dictionaries as they are, checks that both have the same keys, and then goes through the values of
#   both side by side. A Run or a Qrels sorts its users first, so one of each is paired wrongly wherever the dictionary is in
#   another order than that of its names: "u10" comes before "u2", so in nearly every set. Two runs that compare equal get
#   other scores. Only Qrels with Run is right.
# Likely guess: the test of the keys is there because users are then looked up by them, and the order of a dictionary has no
#   meaning: d1 == d2. Runs written by several threads, or read from a table, come in any order.
#   Right: evaluate(Qrels(qrels), Run(run), metrics).
# Output seen: MRR of 100 perfect lists: dict and dict 1.00, dict and its reverse 0.00, Qrels and dict 0.12, Qrels and Run of
#   the reverse 1.00; the two runs are equal: True
#
# Run by hand. ranx is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check ranx==0.3.21 numba==0.68.1 numpy==2.4.6

"$folder/venv/bin/python" -W ignore - <<'PY'
import sys

from ranx import Qrels, Run, evaluate

USERS = 100
# Each user's only test item comes first in the list.
qrels = {f"u{user}": {f"i{user}": 1} for user in range(USERS)}
run = {f"u{user}": {f"i{user}": 2.0, "other": 1.0} for user in range(USERS)}
backwards = dict(reversed(run.items()))

seen = {
    "dict and dict": evaluate(qrels, run, "mrr"),
    "dict and its reverse": evaluate(qrels, backwards, "mrr"),
    "Qrels and dict": evaluate(Qrels(qrels), run, "mrr"),
    "Qrels and Run of the reverse": evaluate(Qrels(qrels), Run(backwards), "mrr"),
}
print(f"MRR of {USERS} perfect lists:", ", ".join(f"{name} {score:.2f}" for name, score in seen.items()), end="; ")
print("the two runs are equal:", run == backwards)
if seen["dict and dict"] != 1.0 or seen["Qrels and Run of the reverse"] != 1.0:
    sys.exit("no example: the lists are not perfect")
if seen["dict and its reverse"] != 0.0 or seen["Qrels and dict"] > 0.5:
    sys.exit("changed: dictionaries are paired by their users")
PY
