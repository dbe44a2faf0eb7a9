# SPDX-License-Identifier: Apache-2.0
"""LIBMF by way of its Python package. It prints its own line an epoch, without a time."""

import numpy
from libmf import mf
from peer_adapter import Clock, Job, Ratings, padded, write

job = Job()
ratings = Ratings(job.train)
if max(ratings.users, ratings.items) > 1 << 24:
    raise SystemExit("libmf's Python package keeps ids as 32-bit floats, which end at 16,777,216")
cells = numpy.stack([ratings.rows(), ratings.indices, ratings.values], axis=1).astype(numpy.float32)
weight = getattr(job, "lambda")
model = mf.MF(
    k=job.rank,
    nr_threads=job.threads,
    nr_iters=job.iterations,
    lambda_p1=0,
    lambda_q1=0,
    lambda_p2=weight,
    lambda_q2=weight,
    eta=job.eta,
)
with Clock():
    model.fit(cells)
write(padded(model.p_factors(), ratings.users), padded(model.q_factors(), ratings.items))
