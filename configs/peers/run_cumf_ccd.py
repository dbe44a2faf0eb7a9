# SPDX-License-Identifier: Apache-2.0
"""cuMF_CCD on a GPU, which reads cuMF's folder by a list of its files and leaves rank x rows matrices."""

import pathlib
import subprocess

import numpy
from peer_adapter import Job, write

FILES = [f"R_train_csr.{part}.bin" for part in ("indptr", "indices", "data")]
FILES += [f"R_train_csc.{part}.bin" for part in ("indptr", "indices", "data")]
FILES += [f"R_test_coo.{part}.bin" for part in ("row", "col", "data")]

job = Job()
lines = [f"{job.users} {job.items}", str(job.train_ratings), str(job.test_ratings), *FILES]
pathlib.Path(job.train, "meta_modified_all").write_text("\n".join(lines) + "\n", encoding="ascii")
words = ["-T", 1, "-a", job.tile, "-b", job.tile, "-l", getattr(job, "lambda"), "-k", job.rank, "-t", job.iterations]
subprocess.run(["ccdp_gpu", *map(str, words), job.train], check=True)
w, h = (numpy.fromfile(name, "<f4").reshape(job.rank, -1).T for name in ("W.data", "H.data"))
write(w, h)
