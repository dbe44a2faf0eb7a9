# SPDX-License-Identifier: Apache-2.0
"""Shards of a run, those that were killed and went on among them, become what one run would have written."""

import re
import shutil
import signal

import pytest

from conftest import Program, text_of
from conftest import validation_errors as errors

SHARDS = 3
SUITE = {
    "name": "shards",
    "description": "A small suite to divide.",
    "problems": [{"dataset": "ml-100k", "scale": 0.1, "rank": 8, "lambda": 0.1}],
    "measure": [
        {"stage": "hermitian", "variant": ["naive", "blocked"], "backend": "cpu", "part": ["x", "theta"]},
        {"stage": "solve", "variant": "cg", "backend": "cpu", "part": "x", "axes": {"steps": [2, 4, 6]}},
    ],
    "ceilings": [{"stage": "gather_copy", "backend": "cpu"}],
    "train": [{"name": "exact", "backend": "cpu", "pipeline": "exact", "iterations": 2}],
    "sampling": {"min_samples": 2, "max_samples": 2, "max_noise": 0, "max_seconds": 20},
}
RUN = ["run", "shards.json", "--device", "cpu"]


def shard(index, *options):
    return [*RUN, "--shard", f"{index}/{SHARDS}", "--json", f"{index}.json", *options]


def has_a_case(journal):
    return '"kind":"case"' in text_of(journal)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The whole run, and its shards; the last of them was killed and went on."""
    program = Program(tmp_path_factory.mktemp("shards"))
    program.write_json("shards.json", SUITE)
    program.run(*RUN, "--json", "whole.json")
    for index in range(SHARDS - 1):
        program.run(*shard(index))
    last = program.folder / f"{SHARDS - 1}.json.journal"
    program.stopped(signal.SIGKILL, last, lambda: has_a_case(last), *shard(SHARDS - 1))
    shutil.copy(last, program.folder / "killed.journal")
    program.run(*shard(SHARDS - 1, "--resume"))
    return program


def rows(document):
    """Ceilings of one group come in the order in which they were measured."""
    cases = [case for case in document["cases"] if case["role"] != "ceiling"]
    ceilings = [case for case in document["cases"] if case["role"] == "ceiling"]
    return [
        [(case["name"], case["config"], case["outcome"], case["number"], case["group"]) for case in part]
        for part in (cases, sorted(ceilings, key=lambda case: case["name"]))
    ]


JOURNALS = [f"{index}.json.journal" for index in range(SHARDS)]
RESULTS = [f"{index}.json" for index in range(SHARDS)]


@pytest.mark.parametrize(
    "files", [JOURNALS, RESULTS, JOURNALS[::-1], [*RESULTS, *JOURNALS]], ids=["journals", "results", "reversed", "both"]
)
def test_merged_shards_are_the_run(folder, files):
    table = folder.run("merge", *files, "--json", "merged.json", "--csv", "merged.csv").stdout
    merged, whole = folder.read_json("merged.json"), folder.read_json("whole.json")
    assert errors(merged, "result") == []
    assert rows(merged) == rows(whole) and table.count("\n") > len(whole["cases"]) / 2
    assert {key: merged[key] for key in ("suite", "selection")} == {key: whole[key] for key in ("suite", "selection")}
    shares = [[share["of"] for share in case["cold"]["shares"]] for case in merged["cases"] if case["cold"]]
    assert shares == [[share["of"] for share in case["cold"]["shares"]] for case in whole["cases"] if case["cold"]]
    assert [entry["index"] for entry in merged["shards"]] == list(range(SHARDS))
    for entry in merged["shards"]:
        own = folder.read_json(f"{entry['index']}.json")
        assert entry["provenance"] == own["provenance"] and entry["devices"] == own["devices"]
    for case in merged["cases"]:
        own = folder.read_json(f"{merged['shards'][case['shard']]['index']}.json")
        (same,) = [other for other in own["cases"] if other["name"] == case["name"]]
        assert same["cold"] is None or same["cold"]["samples"] == case["cold"]["samples"]


def test_no_group_is_divided(folder):
    groups = [{case["group"] for case in folder.read_json(name)["cases"]} for name in RESULTS]
    assert all(groups) and sum(map(len, groups)) == len(set.union(*groups))


def test_other_commands_read_merged_files(folder):
    folder.run("merge", *JOURNALS, "--json", "merged.json", "-q")
    folder.run("compare", "whole.json", "merged.json", "--json", "comparison.json", code=None)
    comparison = folder.read_json("comparison.json")
    compared = {entry["name"].removesuffix("/cold").removesuffix("/hot") for entry in comparison["cases"]}
    assert compared == {case["name"] for case in folder.read_json("merged.json")["cases"] if case["role"] != "ceiling"}
    rows_of = [
        len(folder.run("export", name, "--to", "csv").stdout.splitlines()) for name in ("whole.json", "merged.json")
    ]
    assert rows_of[0] == rows_of[1]
    folder.run("report", "merged.json", "--out", "merged.html")
    whole = folder.run("merge", "merged.json", "--json", "again.json") and folder.read_json("again.json")
    assert whole["cases"] == folder.read_json("merged.json")["cases"]


def test_missing_shards_are_named(folder):
    message = folder.run("merge", JOURNALS[0], "killed.journal", "--json", "part.json", code=2).stderr
    assert f"shard 1/{SHARDS}: is in none of the files" in message
    assert re.search(rf"shard 2/{SHARDS}: \d+ of \d+ rows are missing", message) and "--partial" in message
    assert not (folder.folder / "part.json").exists()
    message = folder.run("merge", JOURNALS[0], "killed.journal", "--json", "part.json", "--partial", code=5).stderr
    assert f"shard 1/{SHARDS}" in message
    part = folder.read_json("part.json")
    assert errors(part, "result") == [] and {entry["index"] for entry in part["shards"]} == {0, 2}
    folder.run("merge", JOURNALS[0], JOURNALS[2], "--json", "early.json", "--partial", code=5)
    folder.run("merge", "early.json", JOURNALS[1], "--json", "rest.json")
    assert rows(folder.read_json("rest.json")) == rows(folder.read_json("whole.json"))


def test_a_torn_line_costs_its_row(folder):
    text = (folder.folder / JOURNALS[1]).read_bytes()
    end = b"\n".join(text.splitlines()[:-1])  # without the line that says that it has ended
    (folder.folder / "torn.journal").write_bytes(end[:-9])
    message = folder.run("merge", JOURNALS[0], "torn.journal", JOURNALS[2], "--json", "torn.json", code=2).stderr
    assert f"shard 1/{SHARDS}: 1 of " in message
    folder.run("merge", *JOURNALS, "torn.journal", "--json", "torn.json")
    damaged = text.splitlines(keepends=True)
    damaged[2] = damaged[2].replace(b"e", b"f", 1)
    (folder.folder / "damaged.journal").write_bytes(b"".join(damaged))
    message = folder.run("merge", "damaged.journal", "--json", "damaged.json", "--partial", code=5).stderr
    assert "damaged.journal: line 3 has a wrong checksum; skipped" in message


@pytest.mark.parametrize(
    "suite, options, message",
    [
        ({"name": "other"}, [], "are of the suites shards and other"),
        ({"description": "Changed."}, [], "are of different runs"),
        ({}, ["--scale", "0.11"], "scale: null there, 0.11 here"),
        ({}, ["--filter", "^hermitian|^solve"], "were dealt differently"),
    ],
    ids=["suite", "content", "scale", "filter"],
)
def test_what_is_not_of_the_run_is_refused(folder, suite, options, message):
    folder.write_json("foreign-suite.json", {**SUITE, **suite})
    folder.run("run", "foreign-suite.json", "-d", "cpu", "--shard", "1/3", "--json", "foreign.json", *options)
    error = folder.run("merge", JOURNALS[0], "foreign.json", "--json", "no.json", code=2).stderr
    assert f"{JOURNALS[0]} and foreign.json: " in error and message in error
    assert not (folder.folder / "no.json").exists()


def test_a_row_that_was_measured_twice_is_refused(folder):
    folder.run(*RUN, "--shard", "1/3", "--json", "twice.json")
    error = folder.run("merge", *JOURNALS, "twice.json", "--json", "no.json", code=2).stderr
    assert f"{JOURNALS[1]} and twice.json: both have " in error and "different measurements" in error


def test_another_number_of_threads_is_refused(folder):
    document = folder.read_json("1.json")
    for device in [*document["devices"], *(each for shard in document["shards"] for each in shard.get("devices", []))]:
        device["multiprocessors"] += 1
    folder.write_json("threads.json", document)
    error = folder.run("merge", "0.json", "threads.json", "2.json", "--json", "no.json", code=2).stderr
    assert "0.json and threads.json: were measured on" in error and "one number of threads" in error


def test_another_placement_of_threads_is_refused(folder):
    document = folder.read_json("1.json")
    for provenance in [
        document["provenance"],
        *(each["provenance"] for each in document["shards"] if "provenance" in each),
    ]:
        provenance["host"]["environment"]["OMP_PLACES"] = "{0}"
    folder.write_json("places.json", document)
    error = folder.run("merge", "0.json", "places.json", "2.json", "--json", "no.json", code=2).stderr
    assert "no OMP_PROC_BIND and with OMP_PLACES={0}; run the shards with one placement of threads" in error


def test_other_ratings_of_the_same_name_are_refused(folder):
    document = folder.read_json("1.json")
    for case in document["cases"]:
        case["problem"]["data"]["content_hash"] = "0123"
    folder.write_json("ratings.json", document)
    error = folder.run("merge", "0.json", "ratings.json", "2.json", "--json", "no.json", code=2).stderr
    assert "0.json and ratings.json: had different ratings of ml-100k@0.1/rank:8" in error


def test_a_result_of_before_shards_is_refused(folder):
    document = folder.read_json("1.json")
    document["shards"], document["selection"] = [], None
    folder.write_json("old.json", document)
    assert "old.json: was written before" in folder.run("merge", "old.json", "--json", "no.json", code=2).stderr


def test_an_output_replaces_no_shard(folder):
    before = (folder.folder / JOURNALS[0]).read_bytes()
    folder.run("merge", *JOURNALS, "--json", JOURNALS[0], code=2)
    folder.run("merge", *JOURNALS, "--json", "merged.json", "--csv", f"./{JOURNALS[0]}", code=2)
    assert (folder.folder / JOURNALS[0]).read_bytes() == before


def test_more_shards_than_groups_are_refused(folder):
    message = folder.run(*RUN, "--shard", "0/99", "--json", "99.json", code=2).stderr
    assert "--shard 0/99: is empty" in message and "use no more shards" in message
