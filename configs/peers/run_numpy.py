# SPDX-License-Identifier: Apache-2.0
"""ALS in plain numpy: a dense system a row, one row after another. The floor that every library should beat."""

import time

import numpy
from peer_adapter import Job, Ratings, report, write


def transposed(ratings):
    """The same ratings by item: offsets, indices and values."""
    order = numpy.argsort(ratings.indices, kind="stable")
    counts = numpy.bincount(ratings.indices, minlength=ratings.items)
    return numpy.concatenate([[0], numpy.cumsum(counts)]), ratings.rows()[order], ratings.values[order]


def update(solution, fixed, side, weight):
    """Solves (sum y y^T + weight n I) s = sum r y for each row of `solution`; y are rows of `fixed`."""
    offsets, indices, values = side
    identity = numpy.eye(fixed.shape[1], dtype=numpy.float32)
    for row in range(len(solution)):
        begin, end = offsets[row], offsets[row + 1]
        if begin == end:
            continue
        y = fixed[indices[begin:end]]
        solution[row] = numpy.linalg.solve(y.T @ y + weight * (end - begin) * identity, y.T @ values[begin:end])


job = Job()
ratings = Ratings(job.train)
by_user, by_item = (ratings.offsets, ratings.indices, ratings.values), transposed(ratings)
x = numpy.zeros((ratings.users, job.rank), numpy.float32)
theta = (0.2 * numpy.random.default_rng(job.seed).random((ratings.items, job.rank))).astype(numpy.float32)
for iteration in range(job.iterations):
    start = time.perf_counter()
    update(x, theta, by_user, numpy.float32(getattr(job, "lambda")))
    update(theta, x, by_item, numpy.float32(getattr(job, "lambda")))
    report(iteration + 1, time.perf_counter() - start)
write(x, theta)
