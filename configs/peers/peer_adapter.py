# SPDX-License-Identifier: Apache-2.0
"""Shared by the scripts of peers: a job of NAME=VALUE words, ratings to read, progress to print, factors to write.

A script reads users x items ratings in scipy's CSR layout, trains, and leaves x.npy (users x rank) and theta.npy
(items x rank). It prints a line an iteration; docs/explanation/peers.md says how lines are read.
"""

import contextlib
import sys
import time

import numpy


def value_of(text):
    """A number where the text is one."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


class Job:
    """The words of the command line, such as rank=64, as attributes."""

    def __init__(self):
        for word in sys.argv[1:]:
            name, _, text = word.partition("=")
            setattr(self, name, value_of(text))


class Ratings:
    """users x items in CSR layout: offsets (users + 1), indices and values (one each a rating)."""

    def __init__(self, path):
        with numpy.load(path) as file:
            self.offsets, self.indices, self.values = file["indptr"], file["indices"], file["data"]
            self.users, self.items = map(int, file["shape"])

    def rows(self):
        """The user of each rating."""
        return numpy.repeat(numpy.arange(self.users, dtype=numpy.int32), numpy.diff(self.offsets))


def report(iteration, seconds):
    """Says that an iteration (from 1) took so many seconds."""
    print(f"iteration {iteration}: {seconds:.9f} s", flush=True)


class Clock:
    """Times a training whose library tells nothing of its iterations."""

    def __enter__(self):
        self.start = time.perf_counter()

    def __exit__(self, *failure):
        if failure == (None, None, None):
            print(f"training: {time.perf_counter() - self.start:.9f} s", flush=True)


def write(x, theta):
    """Leaves both factor matrices, as 32-bit floats by rows."""
    for name, matrix in (("x", x), ("theta", theta)):
        numpy.save(f"{name}.npy", numpy.ascontiguousarray(matrix, dtype=numpy.float32))


def padded(factors, rows):
    """The factors with zeros for the last rows, which have no ratings; NaN of rows without ratings becomes zero."""
    matrix = numpy.zeros((rows, factors.shape[1]), numpy.float32)
    matrix[: len(factors)] = factors
    matrix[numpy.isnan(matrix).all(axis=1)] = 0
    return matrix
