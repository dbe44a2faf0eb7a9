# SPDX-License-Identifier: Apache-2.0
"""alsbench tune on the CPU from end to end: a tiny stage tuned, recorded, replayed, interrupted and resumed."""

import gzip
import json
import pathlib
import signal
import statistics
import sys
import time

import pytest

from conftest import CHAOS, INTERRUPTED, ROOT, Program, files_in, read_json, text_of
from conftest import validation_errors as errors
from test_json_inputs import line_of

PROBLEM = ["--dataset", "ml-100k", "--scale", "0.2", "--rank", "8", "-d", "cpu"]
# 48 points
SMALL = ["-b", "blocked", "-b", "sgemm", "-a", "store=streaming", "-a", "factors=fp32", "-a", "output=fp32"]
QUICK = ["--min-samples", "1", "--max-samples", "1", "--playoff-samples", "1"]


@pytest.fixture(scope="module")
def recording(program):
    words = ["--record", "--max-samples", "2", "--journal", "hermitian.journal", "--json", "recorded.json"]
    program.run("tune", "stage", "hermitian", *PROBLEM, *SMALL, *words, timeout=300)
    packed = program.folder / "hermitian.journal.gz"
    packed.write_bytes(gzip.compress((program.folder / "hermitian.journal").read_bytes()))
    return packed


def records(path):
    return [json.loads(line.split(" ", 2)[2]) for line in path.read_text(encoding="utf-8").splitlines()]


def text_of_point(point):
    """As people read it."""
    settings = ",".join(f"{name}={value}" for name, value in point["config"].items())
    return ":".join(filter(None, [point["variant"], settings]))


def test_tuning_a_stage_writes_a_valid_document(program):
    result = program.run("tune", "stage", "hermitian", *PROBLEM, *QUICK, "--budget-evals", "6", "--json", "t.json")
    document = program.read_json("t.json")
    assert errors(document, "tuning") == []
    found = document["result"]
    assert found["evaluations"] == 6 == len(found["points"]) and found["stop_reason"] == "evaluations"
    assert found["best"] in found["tie_set"] and text_of_point(found["best"]) in result.stdout
    assert found["default"] in [point["point"] for point in found["points"]]
    assert found["share_of_ceiling"] > 0
    assert f"6 of {document['search']['space']['valid']} points" in result.stderr


def test_a_choice_replaces_only_what_it_was_compared_with(program):
    arguments = ["tune", "stage", "hermitian", *PROBLEM, *QUICK, "-b", "blocked", "-a", "bin=[64,128]"]
    arguments += ["-q", "--db", "own.json"]
    program.run(*arguments, "--strategy", "exhaustive", "--json", "long.json")
    chosen = program.read_json("long.json")["result"]["tie_set"][0]
    program.run(*arguments, "--strategy", "random", "--budget-evals", "3", "--json", "short.json")
    short = program.read_json("short.json")
    default = short["search"]["space"]["default"]
    measured = [point["point"] for point in short["result"]["points"]]
    assert default in measured and chosen in measured


def test_a_recording_is_complete_and_alike(program, recording):
    head, *evaluations, last = records(program.folder / "hermitian.journal")
    assert last == {"kind": "finished"}
    assert head["search"]["space"]["valid"] == len({text_of_point(e["point"]) for e in evaluations}) == len(evaluations)
    assert {e["outcome"] for e in evaluations} == {"ok"} and {len(e["seconds"]) for e in evaluations} == {2}


def test_a_replay_needs_no_device_and_is_the_same_twice(program, recording):
    runs = [program.json("tune", "replay", recording.name, "--seed", "3", "--json", "stdout") for _ in range(2)]
    assert errors(runs[0], "tuning") == []
    assert runs[0]["replay_of"]["journal"] == recording.name
    assert runs[0]["result"] == runs[1]["result"]
    exhaustive = program.json("tune", "replay", recording.name, "--strategy", "exhaustive", "--json", "stdout")
    head = records(program.folder / "hermitian.journal")[0]
    assert exhaustive["result"]["evaluations"] == head["search"]["space"]["valid"]
    result = exhaustive["result"]
    (best,) = [point for point in result["points"] if point["point"] == result["best"]]
    assert result["best"] in result["tie_set"] and result["best_seconds"] == statistics.median(best["seconds"])


def test_the_dry_run_counts_the_space(program):
    result = program.run("tune", "stage", "solve", *PROBLEM, "-a", "steps=[2,4]", "--dry-run")
    assert "19 points, 19 valid, 0 pruned" in result.stdout and "about" in result.stdout
    program.write_json(
        "space.json",
        {
            "ConfigurationSpace": {
                "TuningParameters": [{"Name": "tile", "Values": [4, 8]}],
                "Conditions": [{"Expression": "bin * tile <= 256"}],
            }
        },
    )
    words = ["-b", "blocked", "-a", "store=streaming", "--space", "space.json", "--dry-run"]
    result = program.run("tune", "stage", "hermitian", *PROBLEM, *words)
    assert "64 points, 24 valid, 40 pruned" in result.stdout and "condition bin * tile <= 256" in result.stdout


def test_a_faulty_variant_costs_its_own_points(program):
    words = ["-b", "naive", "-b", "chaos", "--strategy", "exhaustive", "--hang-timeout", "5", "--json", "chaos.json"]
    faulty = Program(program.folder, CHAOS)
    result = faulty.run("tune", "stage", "hermitian", *PROBLEM, *QUICK, *words, timeout=300)
    found = program.read_json("chaos.json")["result"]
    outcomes = {text_of_point(point["point"]): point["outcome"] for point in found["points"]}
    assert {outcome for point, outcome in outcomes.items() if point.startswith("naive")} == {"ok"}
    for defect, outcome in (
        ("segfault", "crashed"),
        ("exit", "crashed"),
        ("infinite_loop", "hung"),
        ("wrong", "wrong"),
        ("nan", "nan"),
        ("junk", "ok"),
    ):
        assert outcomes[f"chaos:defect={defect}"] == outcome
    assert "hung" in result.stderr


@pytest.mark.parametrize("what", [["stage", "hermitian"], ["pipeline"]])
def test_a_tuning_that_is_interrupted_before_it_measures_says_so(program, what):
    """While its worker draws ratings, which takes seconds."""
    words = ["tune", *what, "--dataset", "ml-20m", "--rank", "8", "-d", "cpu", "--json", "early.json"]
    with program.start(*words) as process:
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while not children.read_text():
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        error = process.communicate(timeout=60)[1]
    assert process.returncode == INTERRUPTED, error
    assert "interrupted" in error or "--resume" in error


def test_an_interrupted_tuning_goes_on_from_its_journal(program):
    command = ["tune", "stage", "hermitian", *PROBLEM, *QUICK, "--strategy", "random", "--budget-evals", "20"]
    command += ["--journal", "stopped.journal", "--json", "stopped.json"]
    journal = program.folder / "stopped.journal"
    error = program.stopped(signal.SIGINT, journal, lambda: text_of(journal).count("\n") >= 6, *command)
    assert "--resume" in error
    before = records(journal)
    refused = program.run(*command, code=2).stderr
    assert (
        f"{len(before) - 1} records of a run that did not end" in refused
        and "--json stopped.json --resume\n" in refused
    )
    assert records(journal) == before
    program.run(*command, "--resume", timeout=300)
    after = records(journal)
    assert after[: len(before)] == before
    evaluations = [record for record in after if record["kind"] == "evaluation" and not record["playoff"]]
    measured = [text_of_point(record["point"]) for record in evaluations]
    assert len(measured) == 20 == len(set(measured))
    other = program.run(*command, "--resume", "--seed", "9", code=2)
    assert "another tuning (/seed: 1 there, 9 here)" in other.stderr


def test_a_killed_tuning_of_pipelines_goes_on_from_its_journal(program):
    command = ["tune", "pipeline", *PROBLEM, "--budget-evals", "3", "--iterations", "2", "--budget-seconds", "3"]
    command += ["--db", "own.json", "--journal", "killed.journal", "--json", "killed.json"]
    journal = program.folder / "killed.journal"
    program.stopped(signal.SIGKILL, journal, lambda: '"kind":"search"' in text_of(journal), *command)
    before = records(journal)
    assert "--json killed.json --resume\n" in program.run(*command, code=2).stderr
    assert records(journal) == before
    program.run(*command, "--resume", timeout=300)
    after = records(journal)
    assert after[: len(before)] == before
    searches = [record["search"] for record in after if record["kind"] == "search"]
    assert searches[0] not in [record.get("search") for record in after[len(before) :]], "it had ended"
    document = program.read_json("killed.json")
    assert document["time"]["other_seconds"] >= 0
    assert [trial["purpose"] for trial in document["trials"]][:2] == ["exact", "default"]
    assert [record["kind"] for record in after[:3]] == ["pipeline-tuning", "training", "training"]
    other = program.run(*command, "--resume", "--seed", "9", code=2)
    assert "another tuning (/seed: 1 there, 9 here)" in other.stderr


def test_a_recording_that_its_budget_ended_is_not_replaced_but_gone_on_with(program):
    command = ["tune", "stage", "hermitian", *PROBLEM, *SMALL, "--record", "--max-samples", "1"]
    command += ["--journal", "part.journal", "--json", "part.json", "-q"]
    journal = program.folder / "part.journal"
    program.run(*command, "--budget-evals", "3", timeout=300)
    part = records(journal)
    assert [record["kind"] for record in part] == ["tuning", *["evaluation"] * 3, "over_budget"]
    refused = program.run(*command, code=2).stderr
    assert (
        "3 records of a run that its number of evaluations (raise --budget-evals) ended. To continue it:\n" in refused
    )
    assert refused.count(" --resume\n") == 1 and records(journal) == part
    program.run(*command, "--resume", timeout=300)
    whole = records(journal)
    assert whole[:5] == part and whole[-1] == {"kind": "finished"}
    program.run(*command, "--budget-evals", "3", timeout=300)
    program.run(*command, "--budget-evals", "2", "--fresh", timeout=300)
    assert len(records(journal)) == 1 + 2 + 1


def test_a_recording_that_its_time_budget_ended_says_so_and_how_it_goes_on(program):
    command = ["tune", "stage", "hermitian", *PROBLEM, *SMALL, "--record", "--max-samples", "1"]
    command += ["--journal", "timed.journal", "--json", "timed.json", "--budget-seconds", "1e-9"]
    said = program.run(*command, timeout=300).stderr
    assert "its time budget ended the recording. To continue it:\n" in said and "--resume\n" in said
    refused = program.run(*command, code=2).stderr
    assert "1 records of a run that its time budget ended. To continue it:\n" in refused and "--resume\n" in refused
    assert "did not end" not in refused


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["hermitan"], "did you mean 'hermitian'"),
        (["hermitian", "-a", "tiel=4"], "did you mean 'tile'"),
        (["hermitian", "--strategy", "guide"], "did you mean 'guided'"),
        (["hermitian", "--space", "absent.json"], "absent.json"),
        ([], "stage is required"),
    ],
)
def test_wrong_input_ends_in_exit_code_2(program, arguments, message):
    assert message in program.run("tune", "stage", *arguments, *PROBLEM, code=2).stderr


@pytest.mark.parametrize("command", [["stage", "solve"], ["pipeline"]])
def test_a_refused_search_for_energy_leaves_no_journal(program, command):
    arguments = [*command, *PROBLEM, "--objective", "energy", "--budget-evals", "1", "--json", "energy.json"]
    result = program.run("tune", *arguments, code=None)
    if result.returncode == 0:
        pytest.skip("this machine tells its energy")
    assert result.returncode == 3 and "tells no energy" in result.stderr
    assert "--resume" not in result.stderr and not list(program.folder.glob("energy.json*"))


def test_a_recording_that_is_not_there(program):
    assert "absent.journal" in program.run("tune", "replay", "absent.journal", code=2).stderr


@pytest.mark.parametrize(
    "arguments, name",
    [
        (["-a", "threads=1"], "-a"),
        (["--tie", "a,b"], "--tie"),
        (["-b", "cg"], "-b"),
        (["--dataset", "netflix"], "--dataset"),
        (["--record"], "--record"),
    ],
)
def test_what_is_the_recordings_cannot_be_said_again(program, recording, arguments, name):
    assert name in program.run("tune", "replay", recording.name, *arguments, code=2).stderr


def test_a_tie_restricts_no_recording(program, recording):
    program.write_json("own.json", {"ConfigurationSpace": {"Tied": [["a", "b"]]}})
    error = program.run("tune", "replay", recording.name, "--space", "own.json", code=2).stderr
    assert "own.json" in error and "/ConfigurationSpace/Tied" in error and "condition" in error


def made_up_cache():
    """A cache file in kernel_tuner's form: 24 points, one of which failed."""
    parameters = {"block": [16, 32, 64, 128], "tile": [1, 2, 3], "pad": [0, 1]}
    cache = {}
    for block in parameters["block"]:
        for tile in parameters["tile"]:
            for pad in parameters["pad"]:
                time = 1.0 + abs(block - 64) / 16 + abs(tile - 2) + pad
                entry = {"block": block, "tile": tile, "pad": pad, "time": time, "compile_time": 100.0}
                cache[f"{block},{tile},{pad}"] = entry
    cache["16,1,0"]["time"] = "RuntimeFailedConfig"
    head = {"device_name": "A card", "kernel_name": "copy", "tune_params_keys": list(parameters)}
    return {**head, "tune_params": parameters, "objective": ["time"], "cache": cache}


def test_a_cache_file_of_kernel_tuner_is_replayed_into_t4(program):
    program.write_json("cache.json", made_up_cache())
    arguments = ["--budget-evals", "24", "--t4", "t4.json", "--json", "stdout"]
    result = program.json("tune", "replay", "cache.json", *arguments)
    assert errors(result, "tuning") == []
    assert result["result"]["best"]["config"] == {"block": "64", "tile": "2", "pad": "0"}
    assert result["device"] is None and result["replay_of"]["provenance"] is None
    written = program.read_json("t4.json")
    assert len(written["results"]) == 24
    best = min(r["measurements"][0]["value"] for r in written["results"] if r["invalidity"] == "correct")
    assert best == 1.0
    (failed,) = [r for r in written["results"] if r["invalidity"] != "correct"]
    assert failed["configuration"] == {"block": 16, "tile": 1, "pad": 0}
    assert failed["measurements"][0]["value"] == "RuntimeFailedConfig"

    again = program.json("tune", "replay", "t4.json", "--budget-evals", "24", "--json", "stdout")
    assert again["result"]["best_seconds"] == result["result"]["best_seconds"]


def test_a_wrong_time_of_a_cache_file_is_named(program):
    cache = made_up_cache()
    cache["cache"]["32,1,0"]["time"] = "fast"
    program.write_json("wrong.json", cache)
    error = program.run("tune", "replay", "wrong.json", code=2).stderr
    assert "wrong.json: /cache/32,1,0/time" in error and '"fast"' in error and "write a number" in error


def test_a_journal_from_outside_needs_no_provenance_and_no_device(program, recording):
    lines = records(program.folder / "hermitian.journal")
    head = lines[0]
    for key in ("provenance", "device", "shape"):
        del head[key]
    for key in ("data", "problem"):
        del head["search"][key]
    text = "".join(line_of(json.dumps(line)) for line in lines)
    (program.folder / "outside.journal").write_text(text)
    result = program.json("tune", "replay", "outside.journal", "--json", "stdout")
    assert result["result"]["evaluations"] > 0 and result["shape"] is None


def test_all_that_a_space_file_names_wrongly_is_listed_with_its_place(program):
    program.write_json(
        "wrong.json",
        {
            "ConfigurationSpace": {
                "TuningParameters": [{"Name": "tile", "Values": [4, 7]}, {"Name": "bim", "Values": [1]}],
                "Conditions": [{"Expression": "tyle <= 4"}],
                "Tied": [["tile", "bun"]],
            }
        },
    )
    error = program.run("tune", "stage", "hermitian", *PROBLEM, "-b", "blocked", "--space", "wrong.json", code=2).stderr
    for part in (
        "wrong.json has 4 errors:",
        "TuningParameters/0: parameter 'tile' has no value '7'",
        "TuningParameters/1: unknown parameter 'bim'",
        "Conditions/0: condition 'tyle <= 4'",
        "Tied/0: unknown tied parameter 'bun'",
    ):
        assert part in error


def test_the_space_of_the_page_is_valid(program):
    page = (ROOT / "docs" / "explanation" / "tuning.md").read_text(encoding="utf-8")
    block = page[page.index("    {\n") :]
    (program.folder / "page.json").write_text(block[: block.index("\n\n")])
    result = program.run("tune", "stage", "hermitian", *PROBLEM, "-b", "blocked", "--space", "page.json", "--dry-run")
    assert " valid, " in result.stdout


def test_strategies_are_compared_on_a_recording(program):
    recording = ROOT / "results" / "recorded" / "nvidia-h200" / "solve-cg-ml-20m-rank64-x.journal.gz"
    program.shell(
        [sys.executable, ROOT / "scripts" / "compare_strategies.py", recording, "--seeds", "2", "--out", "s.json"],
        ALSBENCH_BINARY=program.path,
    )
    document = program.read_json("s.json")
    assert errors(document, "strategies") == []
    rows = {row["strategy"]: row for row in document["spaces"][0]["strategies"]}
    assert rows["guided"]["median_evaluations"] < document["spaces"][0]["points"] / 10
    assert rows["exhaustive"]["seeds"] == 2
    assert 1 <= rows["guided"]["median_regret"] <= rows["guided"]["worst_regret"] <= 1.005


def test_the_shipped_comparisons_of_strategies_are_valid_and_of_all_recordings():
    for path in files_in("results/recorded", "*/strategies.json"):
        document = read_json(path)
        assert errors(document, "strategies") == []
        assert (
            {space["recording"] for space in document["spaces"]}
            == {recording.name for recording in path.parent.glob("*.gz")}
            != set()
        )


def test_lambda_is_that_of_the_data_sets_published_model(program):
    # A wrong one would judge accuracy by a model that overfits.
    for arguments, expected in (([], 0.1), (["--lambda", "0.3"], 0.3)):
        program.run("tune", "stage", "bias", *PROBLEM, *QUICK, "--part", "x", *arguments, "--json", "lambda.json", "-q")
        document = program.read_json("lambda.json")
        assert document["search"]["problem"]["lambda"] == pytest.approx(expected)
