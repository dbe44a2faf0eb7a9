# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# How long does each solver take here, and how far is it from its nearest ceiling?
# The suite `quick` measures all stages; a filter leaves the solvers.

# %%
import matplotlib.pyplot as plt

import alsbench

result = alsbench.run("quick", device="cpu", options=["--filter", "^solve", "--scale", "0.1", "--max-samples", "5"])
frame = result.frame()

# %%
solvers = frame[(frame["stage"] == "solve") & (frame["cache"] == "cold")]
print(solvers[["variant", "median_seconds", "ceiling", "share_of_ceiling"]].to_string(index=False))

# %%
figure, axis = plt.subplots()
names = solvers["variant"] + " " + solvers["config.matrix"].fillna("")
axis.barh(names, 1e3 * solvers["median_seconds"])
axis.set(xlabel="median time (ms)")
figure.tight_layout()
figure.savefig("solvers.png")
