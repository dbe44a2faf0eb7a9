# SPDX-License-Identifier: Apache-2.0
"""cuMF_SGD on a GPU. It reads ratings as int, int, float, and writes a model as LIBMF's in binary: m, n, k, b, P, Q."""

import subprocess

import numpy
from peer_adapter import Job, Ratings, padded, write

job = Job()
if job.rank != 128:
    raise SystemExit(f"cuMF_SGD knows rank 128 alone, not {job.rank}")
ratings = Ratings(job.train)
cells = numpy.empty(len(ratings.values), dtype=[("user", "<i4"), ("item", "<i4"), ("rating", "<f4")])
cells["user"], cells["item"], cells["rating"] = ratings.rows(), ratings.indices, ratings.values
numpy.random.default_rng(job.seed).shuffle(cells)
cells.tofile("ratings.bin")
options = {
    "-g": job.device,
    "-l": getattr(job, "lambda"),
    "-k": job.rank,
    "-t": job.iterations,
    "-s": job.workers,
    "-a": job.alpha,
    "-b": job.beta,
}
words = [str(word) for option in options.items() for word in option]
subprocess.run(["cumf_sgd", *words, "-u", "1", "-v", "1", "-x", "1", "-y", "1", "ratings.bin", "model.bin"], check=True)
with open("model.bin", "rb") as file:
    _, users, items, rank = numpy.fromfile(file, "<i4", 4)
    numpy.fromfile(file, "<f4", 1)
    p = numpy.fromfile(file, "<f4", int(users) * int(rank)).reshape(users, rank)
    q = numpy.fromfile(file, "<f4", int(items) * int(rank)).reshape(items, rank)
write(padded(p, ratings.users), padded(q, ratings.items))
