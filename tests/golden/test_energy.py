# SPDX-License-Identifier: Apache-2.0
"""`--energy` of trainings: what an iteration takes, or why that is not known; and what shows it."""

import csv

import pytest

from conftest import Program, read_json, validation_errors, write_json
from report_page import Page, made

pytest_plugins = ["report_page"]
ENERGY = {
    "source": "counter",
    "joules": 12.5,
    "seconds": 0.05,
    "watts": 250,
    "window_seconds": 2,
    "executions": 40,
    "resolution_seconds": 0.1,
}
SUITE = {
    "name": "joules",
    "description": "What does an iteration take?",
    "answer": "fastest",
    "problems": [{"dataset": "ml-100k", "scale": 0.05, "rank": 8}],
    "measure": [{"stage": "copy", "cache": "hot"}],
    "train": [{"name": "exact", "pipeline": "exact", "iterations": 2}],
    "sampling": {"min_samples": 1, "max_samples": 1, "max_noise": 0.5, "max_seconds": 0.1},
    "timeout_seconds": 60,
}


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)


def train(program, *words):
    small = ["--dataset", "ml-100k", "--scale", "0.05", "--rank", "4", "--iterations", "2", "-d", "cpu"]
    stderr = program.run("train", *small, "-o", "model", "-q", *words).stderr
    record = program.read_json("model/record.json")
    assert validation_errors(record, "training") == []
    return record, stderr


def test_a_training_says_what_an_iteration_takes_or_why_it_cannot(program):
    record, stderr = train(program, "--energy")
    if "energy" in record:
        assert record["energy"]["joules"] > 0 and "J an iteration" in stderr
    else:
        assert "the energy was not measured: " + record["energy_missing"] in stderr
    assert len(record["iterations"]) == 2
    record, stderr = train(program)
    assert not {"energy", "energy_missing"} & record.keys() and "energy" not in stderr


def test_a_run_says_it_of_each_training(program):
    program.write_json("joules.json", SUITE)
    stdout = program.run("run", "joules.json", "-d", "cpu", "--energy", "--json", "run.json").stdout
    document = program.read_json("run.json")
    (training,) = (case["training"] for case in document["cases"] if case["role"] == "training")
    result = training["launches"][0]["result"]
    assert ("J/iteration" in stdout) if "energy" in result else (result["energy_missing"] in " ".join(stdout.split()))


@pytest.fixture
def measured(program):
    """A run and a training as if this machine told its energy."""
    train(program)
    program.write_json("joules.json", SUITE)
    program.run("run", "joules.json", "-d", "cpu", "--json", "run.json", "-q")
    record, run = (program.folder / name for name in ("model/record.json", "run.json"))
    document = read_json(record)
    program.write_json("training.json", {**document, "energy": ENERGY})
    document = read_json(run)
    for case in document["cases"]:
        if case["role"] == "training":
            case["training"]["launches"][0]["result"]["energy"] = ENERGY
    assert validation_errors(document, "result") == []
    write_json(run, document)
    return program


def test_a_table_has_the_joules(measured):
    rows = csv.DictReader(measured.run("export", "run.json", "--to", "csv").stdout.splitlines())
    (row,) = (row for row in rows if row["role"] == "training")
    assert (float(row["iteration_joules"]), row["iteration_energy_source"]) == (12.5, "counter")


def test_a_page_shows_the_joules(browser, measured):
    page = Page(browser, made(measured, "run.json", "training.json"))
    page.open_all()
    tables = [text for text in page.texts("table") if "energy of an iteration" in text]
    assert len(tables) == 2 and all("12.5 J" in text for text in tables)
    assert not page.faults
