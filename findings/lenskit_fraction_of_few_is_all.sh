#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# LensKit's LastFrac holds out all ratings of a user where the fraction of them rounds to none.
#
# Versions: LensKit 2025.8.1, the newest for Python 3.11; pandas 2.3.3, numpy 2.4.6.
# Behaviour: the number of test items is round(items * fraction), and the test is what ordered[-number:] has: with 0 that is
#   everything. LastFrac(0.1) takes one item of a user of 6 to 14, and all of one of 1 to 5: those are not in the training, and
#   are judged as cold users. SampleFrac rounds alike and takes none of theirs.
# Likely guess: the last tenth of five ratings is one or none, and never five. MovieLens, where each user has 20, does not
#   show it; shops, where most have a few, put these customers' whole history into the test. Right: filter users by a
#   number of ratings from 1 / (2 * fraction) up first, and check that each test user is in the training.
# Output seen: users of 1 to 8 ratings: test items of LastFrac(0.1) 1 2 3 4 5 1 1 1, of SampleFrac(0.1) 0 0 0 0 0 1 1 1;
#   left to train with LastFrac 0 0 0 0 0 5 6 7
#
# Run by hand. LensKit is installed into a temporary folder. A mock is in PyTorch's place: splits make no use of it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile --no-deps lenskit==2025.8.1 \
  numpy==2.4.6 pandas==2.3.3 pyarrow==26.0.1 scipy==1.17.1 annotated-types backports.zstd certifi charset-normalizer \
  cloudpickle humanize idna isal lazy-loader more-itertools pydantic==2.14.4 pydantic-core==2.50.5 pygments \
  python-dateutil==2.9.0.post0 pytz requests rich six structlog threadpoolctl typing-extensions typing-inspection tzdata \
  urllib3 xopen zlib-ng

"$folder/venv/bin/python" -W ignore - <<'PY'
import sys
import unittest.mock

sys.modules["torch"] = unittest.mock.MagicMock(Tensor=type("Tensor", (), {}))

import pandas as pd
from lenskit.data import from_interactions_df
from lenskit.splitting import LastFrac, SampleFrac, crossfold_users

USERS = range(1, 9)
# User n has rated n items, at the times 1 to n.
ratings = [(user, item, item) for user in USERS for item in range(1, user + 1)]
data = from_interactions_df(pd.DataFrame(ratings, columns=["user_id", "item_id", "timestamp"]))


def held_out(method):
    """The numbers of each user's ratings in the test, and in the training of the same fold."""
    test, train = {}, {}
    for split in crossfold_users(data, 2, method, rng=1):
        for key, items in split.test:
            test[key.user_id] = len(items)
            row = split.train.user_row(key.user_id)
            train[key.user_id] = 0 if row is None else len(row)
    return [[numbers[user] for user in USERS] for numbers in (test, train)]


last, left = held_out(LastFrac(0.1))
sampled, _ = held_out(SampleFrac(0.1, rng=1))
print(f"users of 1 to {len(USERS)} ratings: test items of LastFrac(0.1)", *last, end=", ")
print("of SampleFrac(0.1)", *sampled, end="; ")
print("left to train with LastFrac", *left)
if last != [1, 2, 3, 4, 5, 1, 1, 1] or sampled != [0] * 5 + [1] * 3 or left != [0] * 5 + [5, 6, 7]:
    sys.exit("changed: a fraction that rounds to none is none, or one")
PY
