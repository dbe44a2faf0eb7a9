# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# Which rank and regularization suit these ratings?
# Each pair is trained with early stopping, and judged by the test RMSE of its best iteration.

# %%
import itertools

import matplotlib.pyplot as plt
import pandas

import alsbench

ratings = alsbench.load_ratings(dataset="ml-100k", scale=0.3)  # or a file of yours

# %%
rows = []
for rank, regularization in itertools.product((4, 8, 16), (0.05, 0.1, 0.2)):
    als = alsbench.ALS(rank, regularization, iterations=15, device="cpu", keep="best", early_stop=2)
    als.fit(ratings.matrix, test=ratings.test)
    kept = als.iterations_[als.kept_iteration_ - 1]
    rows.append(
        {"rank": rank, "regularization": regularization, "iteration": kept.iteration, "test RMSE": kept.test_metric}
    )
sweep = pandas.DataFrame(rows)
print(sweep.sort_values("test RMSE").to_string(index=False))

# %%
figure, axis = plt.subplots()
for rank, group in sweep.groupby("rank"):
    axis.plot(group["regularization"], group["test RMSE"], marker="o", label=f"rank {rank}")
axis.set(xlabel="regularization", ylabel="test RMSE", xscale="log")
axis.legend()
figure.savefig("sweep.png")
