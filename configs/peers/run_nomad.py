# SPDX-License-Identifier: Apache-2.0
"""NOMAD on one machine. It trains for so many seconds, in PETSc's matrix format, and writes rows and columns as text."""

import subprocess

import numpy
from peer_adapter import Job, Ratings, padded, write

PETSC_MATRIX = 1211216  # MAT_FILE_CLASSID of petscmat.h


def write_petsc(ratings, path):
    """Header, number of ratings of each user, items, values in double."""
    with open(path, "wb") as file:
        for part, type_ in (
            ([PETSC_MATRIX, ratings.users, ratings.items, len(ratings.values)], "<i4"),
            (numpy.diff(ratings.offsets), "<i4"),
            (ratings.indices, "<i4"),
            (ratings.values, "<f8"),
        ):
            numpy.asarray(part, dtype=type_).tofile(file)


job = Job()
ratings = Ratings(job.train)
write_petsc(ratings, "train.dat")
write_petsc(Ratings(job.test), "test.dat")
words = {
    "nthreads": job.threads,
    "lrate": job.lrate,
    "drate": job.drate,
    "reg": getattr(job, "lambda"),
    "dim": job.rank,
    "timeout": job.seconds,
    "path": ".",
    "output": "factors",
    "pause": 0,  # else it sleeps for ten seconds
}
subprocess.run(["nomad_double", *(f"--{name}={value}" for name, value in words.items())], check=True)
print(f"training: {job.seconds} s", flush=True)
factors = {
    "row": numpy.zeros((ratings.users, job.rank), numpy.float32),
    "column": numpy.zeros((ratings.items, job.rank), numpy.float32),
}
with open("factors0", encoding="ascii") as file:
    for line in file:
        side, index, *values = line.split(",")
        factors[side][int(index)] = values
write(padded(factors["row"], ratings.users), padded(factors["column"], ratings.items))
