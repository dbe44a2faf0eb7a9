# SPDX-License-Identifier: Apache-2.0
"""cmfrec's ALS without biases, side information and centring: the plain product of two matrices."""

import numpy
import scipy.sparse
from cmfrec import CMF
from peer_adapter import Clock, Job, Ratings, padded, write

job = Job()
ratings = Ratings(job.train)
cells = scipy.sparse.coo_matrix(
    (ratings.values, (ratings.rows(), ratings.indices)), shape=(ratings.users, ratings.items)
)
model = CMF(
    k=job.rank,
    lambda_=getattr(job, "lambda"),
    scale_lam=True,
    method="als",
    use_cg=job.cg_steps > 0,
    max_cg_steps=max(job.cg_steps, 1),
    finalize_chol=False,
    user_bias=False,
    item_bias=False,
    center=False,
    niter=job.iterations,
    use_float=True,
    precompute_for_predictions=False,
    random_state=job.seed,
    nthreads=job.threads,
    verbose=False,
)
with Clock():
    model.fit(cells)
write(padded(numpy.asarray(model.A_), ratings.users), padded(numpy.asarray(model.B_), ratings.items))
