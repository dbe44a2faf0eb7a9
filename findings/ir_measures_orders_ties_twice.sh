#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ir_measures orders equal scores by one rule for RR and by another for RR@10, so one list scores 1 and 0.2.
#
# Versions: ir_measures 0.4.3, pytrec_eval-terrier 0.5.11.
# Behaviour: each measure goes to a library that has it. RR, P@k and nDCG@k go to trec_eval, which takes scores as they are
#   and equal ones by their ids as texts, descending: "9" is before "30", "2", "10" and "1". RR@k and Judged@k are computed by
#   code that ranks "1" first. Where scores tie, as those of a popularity baseline do, P@1 is then 1 and RR@1 is 0.
# Likely guess: measures that are asked for together judge one ranking, ties keep the order of the lines, and a cutoff
#   beyond the list changes nothing. Right: give scores that differ, such as minus the rank in the list.
# Output seen: five items of one score, 9 relevant: RR 1, RR@10 0.2, P@1 1, RR@1 0, nDCG@1 1, Judged@1 0; the lines in another
#   order: the same; with scores that fall from 9 on: 1 1 1 1 1 1
#
# Run by hand. ir_measures is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check ir_measures==0.4.3 pytrec_eval-terrier==0.5.11

"$folder/venv/bin/python" -W ignore - <<'PY'
import sys

import ir_measures

measures = [ir_measures.parse_measure(name) for name in ("RR", "RR@10", "P@1", "RR@1", "nDCG@1", "Judged@1")]
relevant = [ir_measures.Qrel("user", "9", 1)]


def judged(items, scores):
    run = [ir_measures.ScoredDoc("user", item, score) for item, score in zip(items, scores)]
    values = ir_measures.calc_aggregate(measures, relevant, run)
    return [round(values[measure], 4) for measure in measures]


items = ["1", "10", "2", "9", "30"]
equal, turned = judged(items, [1.0] * 5), judged(items[::-1], [1.0] * 5)
falling = judged(["9", "30", "2", "10", "1"], [5.0, 4.0, 3.0, 2.0, 1.0])
print(
    f"five items of one score, 9 relevant: {', '.join(f'{m} {v:g}' for m, v in zip(measures, equal))}; "
    f"the lines in another order: {'the same' if turned == equal else turned}; "
    f"with scores that fall from 9 on: {' '.join(f'{value:g}' for value in falling)}"
)
if equal != [1, 0.2, 1, 0, 1, 0] or turned != equal or falling != [1] * 6:
    sys.exit("changed: equal scores are ordered by other rules")
PY
