# SPDX-License-Identifier: Apache-2.0
"""implicit's ALS on the CPU. Its data are confidences, so they are made here: c = 1 + alpha r."""

import warnings

import numpy
import scipy.sparse
from peer_adapter import Job, Ratings, report, write

warnings.filterwarnings("ignore")
from implicit.cpu.als import AlternatingLeastSquares  # noqa: E402

job = Job()
ratings = Ratings(job.train)
confidences = scipy.sparse.csr_matrix(
    ((1 + job.alpha * ratings.values).astype(numpy.float32), ratings.indices, ratings.offsets),
    shape=(ratings.users, ratings.items),
)
model = AlternatingLeastSquares(
    factors=job.rank,
    regularization=getattr(job, "lambda"),
    alpha=1.0,
    dtype=numpy.float32,
    use_native=True,
    use_cg=job.cg_steps > 0,
    iterations=job.iterations,
    num_threads=job.threads,
    random_state=job.seed,
)
model.cg_steps = job.cg_steps
model.fit(confidences, show_progress=False, callback=lambda iteration, seconds, loss: report(iteration + 1, seconds))
write(model.user_factors, model.item_factors)
