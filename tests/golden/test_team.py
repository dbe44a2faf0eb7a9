# SPDX-License-Identifier: Apache-2.0
"""Training on several devices, and going on from checkpoints: the same model to the bit, whatever happens."""

import hashlib
import io

import numpy
import pytest

from conftest import Program, read_json, validation_errors, write_json
from test_kills import KILLS, kill_often

TRAIN = ["train", "--dataset", "ml-100k", "--rank", 8, "--no-tuned", "--progress", "none", "--iterations", 6]
PARTS = ("x.npy", "theta.npy")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The program, and the factors that one device ends with."""
    program = Program(tmp_path_factory.mktemp("team"))
    program.run(*TRAIN, "--device", "cpu", "--out", "one")
    return program, factors_in(program.folder / "one")


def factors_in(folder):
    return {name: (folder / name).read_bytes() for name in PARTS}


def record_of(program, folder):
    record = read_json(program.folder / folder / "record.json")
    assert validation_errors(record, "training") == []
    return record


def test_a_team_trains_the_model_of_one_device(trained):
    program, factors = trained
    assert "team" not in record_of(program, "one")
    program.run(*TRAIN, "--device", "cpu+cpu", "--out", "two")
    assert factors_in(program.folder / "two") == factors
    record = record_of(program, "two")
    assert record["team"]["members"] == 2
    for iteration in record["iterations"]:
        assert len(iteration["members"]) == 2
        slowest = max(member["work"] + member["exchange"] for member in iteration["members"])
        assert iteration["seconds"] == pytest.approx(slowest)


def test_bytes_with_scales_that_are_carried_over_have_the_same_bits(tmp_path):
    """From the fourth iteration on: on one device, sent in parts by a team, and resumed from a checkpoint."""
    program = Program(tmp_path)
    train = ["train", "--dataset", "ml-100k", "--rank", 32, "--progress", "none", "--iterations", 7]
    train += ["--pipeline", "update:tiles:factors=int8,steps=4"]
    emulated = {"ALSBENCH_TILES": "emulated"}
    program.run(*train, "--device", "cpu", "--out", "one", "--checkpoint", "way", "--every", 5, **emulated)
    factors = factors_in(tmp_path / "one")
    magnitudes = read_json(tmp_path / "way/record.json")["magnitudes"]
    largest = numpy.abs(numpy.load(tmp_path / "way/theta.npy")).max(axis=0)
    assert len(magnitudes) == 32
    assert (magnitudes >= largest).all()
    assert (magnitudes != largest).any()  # they are those of the iteration before
    program.run(*train, "--device", "cpu+cpu+cpu", "--out", "three", **emulated)
    assert factors_in(tmp_path / "three") == factors
    team = record_of(program, "three")["team"]
    assert 0 < team["exchanged_bytes"] < (943 + 1682) * 32 / 2
    program.run(*train, "--device", "cpu+cpu", "--resume", "way", "--out", "resumed", **emulated)
    assert factors_in(tmp_path / "resumed") == factors


@pytest.mark.parametrize(
    ("x", "theta"),
    [
        ("update:tiles:factors=int8,steps=4", "update:tiles:factors=bf16,steps=4"),
        ("update:tiles:factors=bf16,steps=4", "update:tiles:factors=int8,steps=4"),
        ("hermitian:blocked/bias:rows/solve:cg:steps=6", "update:tiles:factors=int8,steps=4"),
    ],
)
def test_sides_that_read_different_types_have_the_same_bits_in_a_team(tmp_path, x, theta):
    """Also where one member alone has many rows without ratings, which the CPU passes over."""
    program = Program(tmp_path)
    rows = [f"{user},{item},{1 + (user * 7 + item * 3) % 5}" for user in range(300) for item in range(0, 240, 3)]
    rows += [f"{300 + user},{user % 240},{1 + user % 5}" for user in range(2000)]
    (tmp_path / "few.csv").write_text("user,item,rating\n" + "\n".join(rows) + "\n", encoding="utf-8")
    train = ["train", "--data", "few.csv", "--test-fraction", 0.7, "--rank", 32, "--iterations", 6]
    train += ["--progress", "none", "--pipeline-x", x, "--pipeline-theta", theta]
    factors = []
    for device in ("cpu", "cpu+cpu", "cpu+cpu+cpu"):
        program.run(*train, "--device", device, "--out", device, ALSBENCH_TILES="emulated")
        factors.append(factors_in(tmp_path / device))
    assert factors[1] == factors[0]
    assert factors[2] == factors[0]


def test_a_tuning_of_a_team_serves_teams_of_its_size(tmp_path):
    program = Program(tmp_path)
    problem = ["--dataset", "ml-100k", "--scale", 0.1, "--rank", 8]
    program.run(
        *["tune", "pipeline", *problem, "--device", "cpu+cpu", "--budget-evals", 2, "--budget-seconds", 1],
        *["--db", "team.json", "--json", "tuning.json", "--progress", "none"],
    )
    tuning = read_json(tmp_path / "tuning.json")
    assert validation_errors(tuning, "pipeline-tuning") == []
    assert tuning["members"] == 2
    database = read_json(tmp_path / "team.json")
    assert validation_errors(database, "tuned") == []
    assert [entry["members"] for entry in database["entries"]] == [2, 2]
    train = ["train", *problem, "--db", "team.json", "--iterations", 1, "--progress", "text"]
    team = program.run(*train, "--device", "cpu+cpu", "--out", "team").stderr
    assert "tuned at ml-100k@0.1/rank:8 on a team of 2 " in team
    refused = program.run("tune", "stage", "solve", "--part", "x", *problem, "--device", "cpu+cpu", code=2)
    assert "cpu+cpu" in refused.stderr


def test_a_suite_trains_on_one_device_and_on_a_team(trained):
    program, _ = trained
    suite = {
        "name": "pair",
        "description": "A training, and a stage that a team leaves out.",
        "problems": [{"dataset": "ml-100k", "scale": 0.1, "rank": 4, "lambda": 0.1}],
        "measure": [{"stage": "hermitian", "variant": ["naive"], "backend": "cpu", "cache": "hot"}],
        "train": [{"name": "exact", "backend": "cpu", "pipeline": "exact", "iterations": 2}],
        "sampling": {"min_samples": 2, "max_samples": 2, "max_noise": 0, "max_seconds": 20},
    }
    program.write_json("pair.json", suite)
    program.run("run", "pair.json", "--device", "cpu,cpu+cpu", "--quiet", "--json", "result.json")
    result = program.read_json("result.json")
    assert validation_errors(result, "result") == []
    trainings = [case for case in result["cases"] if case["training"]]
    assert [case["name"].endswith("device:cpu+cpu") for case in trainings] == [False, True]
    one, team = (case["training"]["launches"][0] for case in trainings)
    assert "team" not in one["result"]
    assert team["result"]["team"]["members"] == 2
    assert [i["test_metric"] for i in team["iterations"]] == [i["test_metric"] for i in one["iterations"]]
    measured = [case for case in result["cases"] if not case["training"]]
    assert measured
    assert not any("cpu+cpu" in case["name"] for case in measured)


@pytest.mark.parametrize("wrong", ["cpu+gpu", "+"])
def test_what_is_no_team_is_named(trained, wrong):
    program, _ = trained
    done = program.run(*TRAIN, "--device", wrong, code=None)
    assert done.returncode in (2, 3)
    assert wrong in done.stderr


def test_kills_of_a_training_lose_no_bits(trained):
    """Killed at any instant, on one device or two, and resumed on the other number of them."""
    program, factors = trained
    way = program.folder / "way"
    way.mkdir()

    def words(turn):
        device = "cpu+cpu" if turn % 2 else "cpu"
        resume = ["--resume", "way"] if (way / "record.json").exists() else []
        return [*TRAIN, "--device", device, "--checkpoint", "way", "--out", "end", *resume]

    def check():
        if (program.folder / "end/record.json").exists():
            assert factors_in(program.folder / "end") == factors

    kill_often(program, way, words, check, KILLS)
    assert factors_in(program.folder / "end") == factors
    assert len(record_of(program, "end")["iterations"]) == 6


def test_a_checkpoint_of_another_training_is_refused(trained):
    program, _ = trained
    program.run(*TRAIN, "--checkpoint", "other", "--every", 2)
    again = [*TRAIN, "--resume", "other"]
    for words, named in (
        ([*again, "--lambda", "0.5"], "lambda"),
        ([*again, "--seed", "7"], "seed"),
        ([*again, "--iterations", "3"], "--iterations"),
        ([*TRAIN, "--resume", "nowhere"], "holds no checkpoint"),
    ):
        done = program.run(*words, code=2)
        assert named in done.stderr
    changed = program.folder / "other" / "theta.npy"
    changed.write_bytes(changed.read_bytes()[:-1] + b"\x7f")
    assert "it was changed" in program.run(*again, code=2).stderr


def without(key):
    return lambda record: record.pop(key)


def with_value(key, value):
    return lambda record: record.update({key: value})


def proven(record, folder, name, content):
    """A file and its proof are exchanged together: the hash holds."""
    (folder / name).write_bytes(content)
    proof = next(proof for proof in record["files"] if proof["name"] == name)
    proof.update(bytes=len(content), sha256=hashlib.sha256(content).hexdigest())


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (without("training"), "training"),
        (without("model"), "model"),
        (with_value("training", 7), "training"),
        (with_value("model", ["x"]), "does not list x and theta"),
        (with_value("model", ["theta", "x"]), "does not list x and theta"),
        (with_value("kept_iteration", 9), "kept_iteration"),
        (with_value("overflows", -1), "overflows"),
        (with_value("magnitudes", [1.0]), "1 magnitudes where the rank is"),
        (lambda record: record["iterations"][1].update(iteration=7), "iteration 7"),
        (without("iterations"), "iterations"),
    ],
)
def test_a_checkpoint_that_fits_its_hashes_and_not_the_training_is_refused(trained, change, named):
    program, _ = trained
    program.run(*TRAIN, "--checkpoint", "crafted", "--every", 2)
    path = program.folder / "crafted/record.json"
    record = read_json(path)
    change(record)
    write_json(path, record)
    done = program.run(*TRAIN, "--resume", "crafted", code=2)
    assert named in done.stderr
    assert "crafted" in done.stderr
    assert "json.exception" not in done.stderr


def test_factors_of_another_shape_are_refused_where_their_hash_holds(trained):
    program, _ = trained
    program.run(*TRAIN, "--checkpoint", "short", "--every", 2)
    folder = program.folder / "short"
    record = read_json(folder / "record.json")
    few = io.BytesIO()
    numpy.save(few, numpy.ones((3, 4), numpy.float32))
    proven(record, folder, "theta.npy", few.getvalue())
    write_json(folder / "record.json", record)
    done = program.run(*TRAIN, "--resume", "short", code=2)
    assert "theta.npy has 3 x 4 factors where the training has" in done.stderr
