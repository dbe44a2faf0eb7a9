# SPDX-License-Identifier: Apache-2.0
"""Models of alsbench.implicit for a GPU, also where there is none."""

import numpy as np
import pytest
import scipy.sparse
from implicit_models import LAMBDA, RANK, model_of

from alsbench._libraries import native
from alsbench.errors import MachineError
from alsbench.implicit import gpu
from alsbench.implicit.als import AlternatingLeastSquares
from alsbench.implicit.cpu import als as cpu
from alsbench.implicit.cpu.resources import device_named
from alsbench.implicit.utils import confidences

pytest_plugins = ("implicit_fixtures",)


@pytest.fixture
def gpu_to_see(monkeypatch):
    """Models of a GPU can be made, also where there is none."""
    monkeypatch.setattr(gpu, "HAS_CUDA", True)


@pytest.mark.usefixtures("gpu_to_see")
def test_factors_of_a_gpu_model_are_arrays_with_to_numpy(model):
    moved = gpu.als.AlternatingLeastSquares(factors=RANK)
    moved.user_factors = model.user_factors
    assert isinstance(moved.user_factors, gpu.Matrix) and isinstance(moved.user_factors, np.ndarray)
    plain = moved.user_factors.to_numpy()
    assert type(plain) is np.ndarray and not np.shares_memory(plain, moved.user_factors)
    assert isinstance(moved.user_norms, gpu.Matrix) and isinstance(moved.XtX, gpu.Matrix)
    assert not isinstance(moved.user_factors.max(), np.ndarray)
    assert type(moved.to_cpu().user_factors) is np.ndarray
    assert not np.shares_memory(moved.to_cpu().user_factors, moved.user_factors)
    np.testing.assert_array_equal(gpu.Matrix([[1, 2]]).to_numpy(), [[1, 2]])


@pytest.mark.usefixtures("gpu_to_see")
def test_a_gpu_model_leaves_confidences_below_one_to_the_cpu(counts, caplog):
    arguments = {"factors": RANK, "regularization": LAMBDA, "iterations": 2, "random_state": 5}
    on_gpu, on_cpu = gpu.als.AlternatingLeastSquares(**arguments), AlternatingLeastSquares(**arguments, use_gpu=False)
    on_gpu.cg_steps = on_cpu.cg_steps = 5
    with caplog.at_level("INFO", "alsbench.implicit"):
        on_gpu.fit(counts, show_progress=False)
    assert "below 1 are trained on the CPU" in caplog.text
    on_cpu.fit(counts, show_progress=False)
    np.testing.assert_array_equal(on_gpu.user_factors, on_cpu.user_factors)
    np.testing.assert_array_equal(on_gpu.recalculate_user(0, counts[[0]]), on_cpu.recalculate_user(0, counts[[0]]))
    for model in (on_gpu, on_cpu):
        model.regularization = 2 * LAMBDA
    np.testing.assert_array_equal(
        on_gpu.recalculate_item(0, counts.T.tocsr()[[0]]), on_cpu.recalculate_item(0, counts.T.tocsr()[[0]])
    )


@pytest.mark.usefixtures("gpu_to_see")
@pytest.mark.parametrize("below", [True, False])
def test_a_gpu_model_computes_confidences_once_to_fold_in(monkeypatch, model, counts, below):
    on_gpu = gpu.als.AlternatingLeastSquares(factors=RANK, alpha=1.0)
    on_gpu.user_factors, on_gpu.item_factors = model.user_factors, model.item_factors
    computed, folded = [], []
    monkeypatch.setattr(cpu, "confidences", lambda *of: computed.append(of) or confidences(*of))
    monkeypatch.setattr(cpu, "device_named", lambda *of: folded.append(of[0]) or device_named("cpu"))
    on_gpu.recalculate_user(0, counts[[0]] if below else abs(counts[[0]]).ceil())
    assert len(computed) == 1 and folded == ["cpu" if below else "0"]


@pytest.mark.usefixtures("gpu_to_see")
@pytest.mark.parametrize(
    "values, alpha, below",
    [
        ([49.0, 98.0], 1 / 49, False),  # just below 1 in double, 1 in float
        (np.array([1, 100], np.int8), 300, False),  # too large for that type
        ([-2.0, 3.0], 1, True),
        ([-2.0, 3.0], -1, True),
        ([2.0, 0.0], 1, True),
    ],
)
def test_a_gpu_asks_the_confidences_that_it_trains(values, alpha, below):
    matrix = scipy.sparse.csr_matrix((np.asarray(values), [0, 1], [0, 2]), shape=(1, 2))
    model = gpu.als.AlternatingLeastSquares(alpha=alpha)
    assert model._problem(matrix)[3] == ("cpu" if below else "0")
    request = model._request(matrix)  # nothing starts CUDA for the CPU
    assert request.opens_ahead != below
    request.device = "cpu"
    assert not request.opens_ahead


@pytest.mark.usefixtures("gpu_to_see")
@pytest.mark.parametrize("parameters", [{"use_gpu": False}, {"use_gpu": True, "iterations": 0}])
def test_a_fit_without_a_gpu_starts_none(counts, parameters):
    assert not model_of(**{"use_cg": True, **parameters})._request(abs(counts).ceil()).opens_ahead


@pytest.mark.skipif(gpu.HAS_CUDA, reason="there is a GPU")
def test_a_gpu_that_is_missing_is_said_at_once(counts, model):
    for make in (model.to_gpu, gpu.als.AlternatingLeastSquares, lambda: model_of(use_gpu=True)):
        with pytest.raises(ValueError, match="no GPU here that CUDA sees"):
            make()


@pytest.mark.skipif(gpu.HAS_CUDA, reason="there is a GPU")
@pytest.mark.usefixtures("gpu_to_see")
def test_a_fit_on_a_gpu_that_went_missing_says_so(counts):
    with pytest.raises(MachineError, match="CUDA"):
        gpu.als.AlternatingLeastSquares(factors=RANK).fit(abs(counts).ceil(), show_progress=False)


def test_norms_and_scores_of_halves_are_float32(model):
    halves = model_of()
    halves.user_factors, halves.item_factors = (f.astype(np.float16) for f in (model.user_factors, model.item_factors))
    ids, scores = halves.similar_items(1, N=3)
    assert ids[0] == 1 and scores.dtype == np.float32
    assert scores[0] == pytest.approx(1, abs=1e-6)
    wide = halves.item_factors.astype(np.float32)
    np.testing.assert_allclose(halves.item_norms, np.linalg.norm(wide, axis=1).clip(1e-10), rtol=1e-6)
    np.testing.assert_allclose(halves.YtY, wide.T @ wide, rtol=1e-5)


@pytest.mark.usefixtures("gpu_to_see")
@pytest.mark.parametrize(
    "cells, steps, pipeline", [(10, 3, "cg:steps=3"), (2_000_000, 3, ""), (2_000_000, 4, "cg:steps=4")]
)
def test_a_gpu_trains_the_weights_of_confidences(monkeypatch, cells, steps, pipeline):
    """Also on a host with AMX tiles."""
    monkeypatch.setattr(native, "has_tiles", lambda: True)
    matrix = scipy.sparse.csr_matrix(np.full((1, cells), 2, np.float32))
    model = gpu.als.AlternatingLeastSquares(factors=RANK, alpha=1.5)
    model.cg_steps = steps
    ratings, hyper, pipelines, _ = model._problem(matrix)
    assert hyper == "alpha=1" and (np.asarray(ratings.data) == 2).all()  # c = 3 = 1 + 2
    assert pipeline in pipelines.get("", "")
    assert bool(pipelines) == bool(pipeline)
