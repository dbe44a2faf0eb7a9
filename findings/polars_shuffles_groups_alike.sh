#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# polars' shuffle and sample with a seed take the same places of every group: leave-one-out holds out each user's sixth item.
#
# Versions: polars 2.1.0; beside it pandas 3.1.1.
# Behaviour: an expression with seed= in .over("user") or group_by("user").agg(...) starts its generator again in each group, so
#   all groups of a length get the same permutation. With ratings in the order of time, or items in that of their popularity,
#   the test is one position, and not a sample. DataFrame.sample in map_groups has that, too. Without a seed groups differ,
#   but not repeatably: pl.set_random_seed does not reach them, as groups come in any order (issue 27307, open).
# Likely guess: a seed makes a split repeatable and leaves it random, as in pandas' groupby("user").sample(random_state=1). The
#   pages of shuffle and sample have no word of groups; polars' own tests ask for it. Right: shuffle the whole frame with the
#   seed, then take the first of each group.
# Output seen: 1,000 users of 10 ratings, held out by place: polars shuffle over user 1000 of place 5; sample in agg 1000 of
#   place 8; rows shuffled before 86 to 120 of each place; pandas 83 to 116 of each place
#
# Run by hand. The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check polars==2.1.0 pandas==3.1.1 numpy==2.4.6

"$folder/venv/bin/python" - <<'PY'
import collections
import sys

import pandas
import polars as pl

USERS, RATINGS, SEED = 1000, 10, 1
rows = {
    "user": [user for user in range(USERS) for _ in range(RATINGS)],
    "place": list(range(RATINGS)) * USERS,
}
frame = pl.DataFrame(rows)
shuffled = frame.sample(fraction=1, shuffle=True, seed=SEED)
order = pl.int_range(pl.len()).shuffle(seed=SEED)
held_out = {
    "polars shuffle over user": frame.filter(order.over("user") == 0),
    "sample in agg": frame.group_by("user").agg(pl.col("place").sample(1, seed=SEED).first()),
    "rows shuffled before": shuffled.group_by("user", maintain_order=True).first(),
    "pandas": pandas.DataFrame(rows).groupby("user").sample(1, random_state=SEED),
}
seen = {}
for name, taken in held_out.items():
    counts = collections.Counter(list(taken["place"]))
    if counts.total() != USERS:
        sys.exit(f"no example: {name} takes {counts.total()} ratings of {USERS} users")
    seen[name] = len(counts)
    one = f"{USERS} of place {next(iter(counts))}"
    print(f"{name}: {one if len(counts) == 1 else f'{min(counts.values())} to {max(counts.values())} of each place'}")
if seen["rows shuffled before"] != RATINGS or seen["pandas"] != RATINGS:
    sys.exit("no example: the others take one place as well")
if seen["polars shuffle over user"] != 1 or seen["sample in agg"] != 1:
    sys.exit("changed: a seed shuffles each group otherwise")
PY
