#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# LensKit's global RMSE is the mean of its users' RMSEs, not the RMSE of the ratings: 2.0 where the ratings have 0.4.
#
# Versions: LensKit 2025.8.1, the newest for Python 3.11; pandas 2.3.3, numpy 2.4.6.
# Behaviour: RMSE and MAE inherit from ListMetric and then from DecomposedMetric, and the first one's summary hides
#   global_aggregate, which adds up squares and counts of all users. RunAnalysis shows the mean over users as
#   global_metrics()["RMSE"]. The metric's own global_aggregate gives the other figure. LensKit 2026 has other classes.
# Likely guess: global_metrics() "is only the results of global metrics; it does not include aggregates of per-list metrics",
#   and the guide says that RMSE supports "global (micro-averaged)" as well. So the figure is taken for that of Surprise,
#   Spark and papers, from which it differs in any direction, as users with few ratings weigh as much as those with many.
#   Right: RMSE().global_aggregate(...) by hand, or numpy on all predictions.
# Output seen: one rating off by 4 of one user, and 99 right ones of another: global RMSE 2.00, MAE 2.00; of all ratings 0.40,
#   0.04; global_aggregate 0.40, 0.04
#
# Run by hand. LensKit is installed into a temporary folder. A mock is in PyTorch's place: metrics make no use of it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile --no-deps lenskit==2025.8.1 \
  numpy==2.4.6 pandas==2.3.3 pyarrow==26.0.1 scipy==1.17.1 annotated-types backports.zstd certifi charset-normalizer \
  cloudpickle deepmerge humanize idna isal lazy-loader more-itertools pydantic==2.14.4 pydantic-core==2.50.5 \
  pydantic-settings==2.16.3 pygments python-dateutil==2.9.0.post0 python-dotenv pytz pyzmq requests rich six structlog \
  threadpoolctl typing-extensions typing-inspection tzdata urllib3 xopen zlib-ng

"$folder/venv/bin/python" -W ignore - <<'PY'
import sys
import unittest.mock

sys.modules["torch"] = unittest.mock.MagicMock(Tensor=type("Tensor", (), {}))

import numpy as np
import pandas as pd
from lenskit.data import ItemListCollection
from lenskit.metrics import MAE, RMSE, RunAnalysis

# User 1 has one rating, predicted wrongly; user 2 has 99, predicted rightly.
rows = [(1, 1, 1.0, 5.0)] + [(2, item, 3.0, 3.0) for item in range(99)]
frame = pd.DataFrame(rows, columns=["user_id", "item_id", "rating", "score"])
test = ItemListCollection.from_df(frame.drop(columns="score"), key="user_id")
predicted = ItemListCollection.from_df(frame.drop(columns="rating"), key="user_id")

analysis = RunAnalysis()
analysis.add_metric(RMSE())
analysis.add_metric(MAE())
shown = analysis.measure(predicted, test).global_metrics()[["RMSE", "MAE"]].tolist()
error = frame.score - frame.rating
pooled = [np.sqrt((error**2).mean()), error.abs().mean()]
own = [
    metric.global_aggregate([metric.compute_list_data(items, test.lookup_projected(key)) for key, items in predicted])
    for metric in (RMSE(), MAE())
]
said = [", ".join(f"{value:.2f}" for value in values) for values in (shown, pooled, own)]
print(f"global RMSE, MAE {said[0]}; of all ratings {said[1]}; global_aggregate {said[2]}")
if not np.allclose(own, pooled) or not np.allclose(pooled, [0.4, 0.04]):
    sys.exit("no example: the ratings have another error")
if not np.allclose(shown, [2.0, 2.0]):
    sys.exit("changed: the global RMSE is that of the ratings")
PY
