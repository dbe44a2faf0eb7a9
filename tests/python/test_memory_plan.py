# SPDX-License-Identifier: Apache-2.0
"""Memory of a training, told before it is taken: from Python and from the command line."""

import numpy as np
import pytest

import alsbench


def test_a_plan_names_what_a_training_takes(ratings):
    als = alsbench.ALS(rank=16, device="cpu", tuned=False, pipeline="exact")
    plan = als.plan(ratings)
    users, items = ratings.shape
    assert plan.fits and not plan.streams
    assert plan.device_bytes == sum(plan.on_device.values()) < plan.free_bytes
    assert plan.on_device["factors"] >= (users + 2 * items) * 16 * 4
    assert plan.host["ratings by user"] == 8 * (users + 1) + 8 * ratings.nnz
    assert plan.host["factors of the model"] == (users + items) * 16 * 4
    assert list(plan.on_device.values()) == sorted(plan.on_device.values(), reverse=True)
    assert plan.largest_rank >= 16
    assert not hasattr(als, "model_"), "nothing is trained"


def test_a_larger_rank_takes_more(ratings):
    small, large = (alsbench.ALS(rank=rank, device="cpu", tuned=False).plan(ratings) for rank in (8, 64))
    assert small.on_device["factors"] < large.on_device["factors"]


def test_plans_refuse_what_fit_refuses(ratings):
    with pytest.raises(alsbench.UsageError, match="X: has no ratings"):
        alsbench.ALS(device="cpu").plan(np.full((2, 2), np.nan))
    with pytest.raises(alsbench.UsageError, match="memory is planned for one device"):
        alsbench.ALS(device="cpu+cpu").plan(ratings)


def test_the_command_plans_and_trains_nothing(program, tmp_path):
    words = ["train", "--dataset", "ml-100k", "--scale", "0.2", "--rank", "16", "--device", "cpu", "--no-tuned"]
    result = program.run(*words, "--dry-run", "--out", tmp_path / "model")
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["memory", "what", "MiB"]
    assert any(line.startswith("host") and "factors" in line for line in lines)
    assert "rank 16 takes" in result.stdout and "the largest rank that fits is" in result.stdout
    assert not (tmp_path / "model").exists()


def test_the_command_says_what_would_fit(program):
    words = ["train", "--dataset", "ml-100k", "--scale", "0.2", "--rank", "512", "--device", "cpu", "--no-tuned"]
    result = program.run(*words, "--dry-run", "--device-memory", "2MiB")
    needed = float(result.stdout.split("rank 512 needs some ")[1].split()[0])
    assert needed > 2
    largest = int(result.stdout.split("the largest rank that fits is ")[1].split()[0])
    fits = program.run(*words[:5], "--rank", largest, *words[7:], "--dry-run", "--device-memory", "2MiB")
    assert f"rank {largest} takes" in fits.stdout


def test_a_search_has_no_plan(program):
    words = ["train", "--dataset", "ml-100k", "--device", "cpu", "--search", "rank=8,16"]
    assert "--dry-run" in program.run(*words, "--dry-run", code=2).stderr
