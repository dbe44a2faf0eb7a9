# SPDX-License-Identifier: Apache-2.0
"""Writes statistics.json next to it: what SciPy says of samples, for statistics_test.cpp.

    pip install scipy && python tests/unit/judge/make_statistics_fixture.py

Mann-Whitney: scipy.stats.mannwhitneyu(method="exact") without ties, and with ties
scipy.stats.permutation_test over every division (exact) of the same rank sum. Hodges-Lehmann: the
median of all differences; its interval is found by inverting SciPy's exact test: the closure of the
shifts that it does not reject. Benjamini-Hochberg: scipy.stats.false_discovery_control.
"""

import json
import pathlib

import numpy as np
import scipy
from scipy import stats


def interval(base, test, confidence):
    """Shifts d for which test - d and base are not told apart at 1 - confidence, or None for the whole line."""
    differences = np.sort(np.subtract.outer(test, base).ravel())
    middles = np.concatenate([[differences[0] - 1], (differences[1:] + differences[:-1]) / 2, [differences[-1] + 1]])
    kept = [stats.mannwhitneyu(test - d, base, method="exact").pvalue > 1 - confidence for d in middles]
    if kept[0]:
        return None
    inside = np.flatnonzero(kept)
    return [differences[inside[0] - 1], differences[inside[-1]]]


def rank_sum(a, b, axis=-1):
    ranks = stats.rankdata(np.concatenate([a, b], axis=axis), axis=axis)
    size = a.shape[axis]
    return np.abs(np.take(ranks, range(size), axis=axis).sum(axis=axis) - size * (ranks.shape[axis] + 1) / 2)


def two_samples(random):
    cases = []
    for n, m, shift in [
        (3, 3, 0),
        (4, 4, 2),
        (5, 5, 1),
        (5, 7, 0.5),
        (6, 6, 3),
        (8, 8, 0.8),
        (10, 10, 0),
        (12, 12, 1),
        (12, 9, 2),
        (24, 24, 0.4),
    ]:
        base, test = random.normal(0, 1, n).round(6), (random.normal(0, 1, m) + shift).round(6)
        assert len({*base, *test}) == n + m
        cases.append(
            {
                "base": base.tolist(),
                "test": test.tolist(),
                "p": stats.mannwhitneyu(test, base, method="exact").pvalue,
                "shift": float(np.median(np.subtract.outer(test, base))),
                "intervals": {str(c): interval(base, test, c) for c in (0.9, 0.95, 0.99)},
            }
        )
    return cases


def tied_samples(random):
    cases = []
    for n, m in [(3, 4), (4, 4), (5, 5), (6, 5), (7, 7)]:
        base, test = random.integers(0, 4, n), random.integers(1, 6, m)
        p = stats.permutation_test(
            (base.astype(float), test.astype(float)),
            rank_sum,
            n_resamples=np.inf,
            alternative="greater",
            vectorized=True,
        ).pvalue
        cases.append({"base": base.tolist(), "test": test.tolist(), "p": float(p)})
    return cases


def adjusted(random):
    cases = []
    for size in (1, 2, 5, 20):
        p = (random.random(size) ** 3).round(8)
        cases.append({"p": p.tolist(), "adjusted": stats.false_discovery_control(p, method="bh").tolist()})
    return cases


random = np.random.default_rng(20)
document = {
    "made_by": f"make_statistics_fixture.py with SciPy {scipy.__version__}, NumPy {np.__version__}",
    "two_samples": two_samples(random),
    "tied_samples": tied_samples(random),
    "adjusted": adjusted(random),
}
target = pathlib.Path(__file__).with_name("statistics.json")
target.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
