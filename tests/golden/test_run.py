# SPDX-License-Identifier: Apache-2.0
"""A tiny suite from end to end: table, result files that validate, figures and the report drawn from them."""

import csv
import json
import re
import subprocess
import sys

import pytest

from conftest import ROOT, files_in, read_json, schema_named, write_json
from conftest import validation_errors as errors
from golden import check, scrub_table

SUITE = {
    "name": "tiny",
    "description": "A <tiny> suite & its report.",
    "problems": [{"dataset": "ml-100k", "scale": 0.2, "rank": 8, "lambda": 0.1}],
    "measure": [
        {"stage": "hermitian", "variant": ["naive", "blocked"], "backend": "cpu", "part": ["x", "theta"]},
        {"stage": "solve", "variant": ["cg"], "backend": "cpu", "axes": {"steps": [2, 6]}},
        {"stage": "hermitian", "variant": ["naive"], "backend": "cuda"},
    ],
    "ceilings": [{"stage": "copy", "backend": "cpu"}, {"stage": "gemm_batched", "backend": "cpu"}],
    "train": [{"name": "exact", "backend": "cpu", "pipeline": "exact", "iterations": 2}],
    "sampling": {"min_samples": 2, "max_samples": 2, "max_noise": 0, "max_seconds": 20},
}

BY_PART = [{"part": "x", "pipeline": {"cpu": "exact"}}, {"part": "theta", "pipeline": "exact"}]


@pytest.fixture(scope="module")
def tiny(program):
    program.write_json("tiny.json", SUITE)
    result = program.run("run", "tiny.json", "--json", "result.json", "--csv", "result.csv", "--md", "result.md")
    return result, program.read_json("result.json")


def test_every_case_has_a_row(tiny):
    result, document = tiny
    by_role = {role: [c for c in document["cases"] if c["role"] == role] for role in ("case", "ceiling", "training")}
    cpu = [c for c in by_role["case"] if c["backend"] == "cpu"]
    assert len(cpu) == 6 and {c["outcome"] for c in cpu} == {"ok"}
    assert [c["outcome"] for c in by_role["training"]] == ["ok"]
    assert by_role["ceiling"]
    for case in cpu:
        assert f"{case['stage']}/{case['variant']}" in result.stdout
        assert case["cold"]["statistics"]["count"] == 2 == len(case["cold"]["samples"])
        assert {share["of"] for share in case["cold"]["shares"]} == {"copy", "gemm_batched fp32"}
        assert "fma" in case["cold"]["unmeasured_ceilings"]


def test_the_table(tiny, program):
    """Of the CPU alone: what a GPU adds to a table depends on the machine."""
    assert max(map(len, tiny[0].stdout.splitlines())) <= 110
    text = program.run("run", "tiny.json", "--device", "cpu", "--json", "table.json").stdout
    lines = [line for line in text.splitlines(keepends=True) if " cuda " not in line and " skipped: " not in line]
    check("run-table.txt", scrub_table("".join(lines)))


def test_cuda_cases_are_measured_or_say_why_not(tiny):
    cuda = [case for case in tiny[1]["cases"] if case["backend"] == "cuda"]
    assert cuda and {case["outcome"] for case in cuda} <= {"ok", "skipped"}
    assert all(bool(case["cold"]) == (case["outcome"] == "ok") == (not case["detail"]) for case in cuda)


def test_cuda_cases_without_a_device_say_why(tiny, program):
    """Of a machine with a GPU, too: it is hidden."""
    program.run("run", "tiny.json", "--filter", "^hermitian/naive", "--json", "hidden.json", CUDA_VISIBLE_DEVICES="")
    cases = program.read_json("hidden.json")["cases"]
    cuda = [case for case in cases if case["backend"] == "cuda"]
    assert cuda and all(case["outcome"] == "skipped" and "CUDA" in case["detail"] for case in cuda)


def test_the_result_validates(tiny):
    assert errors(tiny[1], "result") == []


def test_a_damaged_result_does_not_validate(tiny):
    damaged = json.loads(json.dumps(tiny[1]))
    damaged["cases"][0]["outcome"] = "fine"
    assert errors(damaged, "result")


def test_tables_have_a_line_a_measurement(tiny, program):
    rows = sum(1 if not (c["cold"] or c["hot"]) else bool(c["cold"]) + bool(c["hot"]) for c in tiny[1]["cases"])
    assert len((program.folder / "result.csv").read_text().splitlines()) == rows + 1
    lines = (program.folder / "result.md").read_text().splitlines()
    assert sum(line.startswith("|") for line in lines) == rows + 2


def test_the_markdown_begins_with_the_outcome_and_has_no_empty_and_no_constant_column(tiny, program):
    lines = (program.folder / "result.md").read_text().splitlines()
    assert re.fullmatch(r"\*\*\d+ cases ok, 0 failed, \d+ skipped\*\*", lines[2])
    head, _, *rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|")]
    assert head[:2] == ["case", "median ms"]
    assert all(len({row[column] for row in rows}) > 1 for column in range(2, len(head)))


def test_dry_run_measures_nothing(program):
    program.write_json("tiny.json", SUITE)
    before = sorted(program.folder.iterdir())
    plan = program.run("run", "tiny.json", "--dry-run").stdout
    assert "hermitian/naive/cpu/factors=fp32,output=fp32/ml-100k@0.2/rank:8/part:x" in plan
    assert sorted(program.folder.iterdir()) == before


def test_ratings_take_the_place_of_those_of_a_suite(program):
    few = ["--device", "cpu", "--filter", "bias/", "--min-samples", "2", "--max-samples", "2", "-q"]
    shape = ["--rank", "4", "--lambda", "0.3"]
    program.run("run", "--dataset", "ml-100k", "--scale", "0.05", *shape, *few, "--json", "generated.json")
    program.run("data", "generate", "ml-100k", "--scale", "0.05", "-o", "mine.csv", "-q")
    program.run("run", "quick", "--data", "mine.csv", "--test-fraction", "20%", *shape, *few, "--json", "read.json")
    for name, source in (("generated.json", "dataset"), ("read.json", "path")):
        document = program.read_json(name)
        assert errors(document, "result") == []
        problems = [case["problem"] for case in document["cases"] if case["role"] == "case"]
        assert problems and document["suite"]["name"] == "quick"
        assert all(p["rank"] == 4 and p["lambda"] == pytest.approx(0.3) and p[source] for p in problems)
    resumed = program.run("run", "--data", "mine.csv", *shape, *few, "--json", "read.json", "--resume", code=2)
    assert "is of another run: suite_hash" in resumed.stderr
    assert "--data PATH" in program.run("run", code=2).stderr
    assert "not-there.csv" in program.run("run", "--data", "not-there.csv", "--dry-run", *few, code=None).stderr


def test_a_suite_of_ones_own_begins_with_a_shipped_one(program):
    program.run("suite", "init", "--from", "ci", "-o", "mine.json")
    shipped = (ROOT / "configs/suites/ci.json").read_text(encoding="utf-8")
    assert (program.folder / "mine.json").read_text(encoding="utf-8") == shipped
    assert "bias/rows" in program.run("run", "mine.json", "--device", "cpu", "--dry-run").stdout
    assert "did you mean 'quick'" in program.run("suite", "init", "--from", "quik", code=2).stderr


def test_csv_has_a_column_for_each_parameter(tiny, program):
    rows = list(csv.DictReader((program.folder / "result.csv").read_text(encoding="utf-8").splitlines()))
    for row in rows:
        stage, variant, backend, config = row["name"].split("/")[:4]
        if row["role"] == "case":
            assert (row["stage"], row["variant"], row["backend"]) == (stage, variant, backend)
            for setting in filter(None, config.split(",")):
                name, value = setting.split("=")
                assert row[f"config.{name}"] == value
    assert {row["cache"] for row in rows if row["samples"]} == {"cold", "hot"}


def test_several_suites_are_checked_before_any_work(program):
    folder = program.folder / "several"
    folder.mkdir()
    train_only = {key: value for key, value in SUITE.items() if key not in ("measure", "ceilings")}
    measure_only = {
        **{key: value for key, value in SUITE.items() if key not in ("train", "ceilings")},
        "measure": SUITE["measure"][1:2],
    }
    for name, suite in (
        ("s1", {**train_only, "name": "s1"}),
        ("s1b", {**train_only, "name": "s1"}),
        ("s2", {**measure_only, "name": "s2"}),
    ):
        write_json(folder / f"{name}.json", suite)
    for second, arguments, message in (
        ("s1b", (), "are both named 's1'"),
        ("s1", (), "are both named 's1'"),
        ("s2", ("--filter", "^train/"), "suite s2: --filter"),
    ):
        stderr = program.run(
            "run", folder / "s1.json", folder / f"{second}.json", "--out", folder / "out", *arguments, code=2
        ).stderr
        assert message in stderr and not (folder / "out").exists()
    program.run("run", folder / "s1.json", folder / "s2.json", "--out", folder / "out", "-d", "cpu")
    assert {path.name for path in (folder / "out").glob("s?.json")} == {"s1.json", "s2.json"}


def test_a_folder_is_no_suite(program):
    assert f"'{program.folder}' is a folder" in program.run("run", program.folder, code=2).stderr


@pytest.mark.parametrize(
    "changes, place",
    [
        ({"name": ""}, "/name"),
        ({"measure": []}, "/measure"),
        ({"train": []}, "/train"),
        ({"problems": []}, "/problems"),
        ({"ceilings": [{"stage": "hermitian"}]}, "/ceilings/0/stage"),
        ({"problems": [{"dataset": "ml-100k", "path": "."}]}, "/problems/0"),
        ({"train": [{"name": "", "pipeline": "exact"}]}, "/train/0/name"),
        ({"problems": [{"dataset": "ml-100k", "rank": 0}]}, "/problems/0/rank"),
        ({"measure": [{"stage": "bias", "part": ["x", "y"]}]}, "/measure/0/part"),
        ({"measure": [{"stage": "bias", "cache": []}]}, "/measure/0/cache"),
        ({"train": [{"name": "a", "pipeline": "exact", "pipelines": BY_PART}]}, "/train/0"),
        ({"train": [{"name": "a", "pipelines": [{"part": "y", "pipeline": "exact"}]}]}, "/train/0/pipelines/0/part"),
        ({"train": [{"name": "a", "pipeline": {"gpu": "exact"}}]}, "/train/0/pipeline"),
        ({"train": [{"name": "a", "pipeline": "exact", "target": 0}]}, "/train/0/target"),
        ({"peers": [{"peer": "libmf", "iterations": 0}]}, "/peers/0/iterations"),
        ({"sampling": {"max_noise": 2}}, "/sampling/max_noise"),
    ],
)
def test_schema_and_program_refuse_the_same_at_the_same_place(program, changes, place):
    suite = {**SUITE, **changes}
    assert [error for error in errors(suite, "suite") if error.startswith(f"{place}: ")]
    program.write_json("wrong.json", suite)
    error = program.run("run", "wrong.json", "--dry-run", code=2).stderr
    assert any(line.startswith((f"  {place}: ", f"  {place}/")) for line in error.splitlines()), error


@pytest.mark.parametrize(
    "old, new",
    [
        ({"pipeline_x": "exact", "pipeline_theta": "exact"}, '"pipelines": [{"part": "x", "pipeline": ...}, ...]'),
        ({"pipeline": "exact", "target_rmse": 0.9}, "target_rmse: is no key since schema 2.0; write 'target'"),
    ],
)
def test_an_old_key_is_answered_with_the_new_one(program, old, new):
    program.write_json("old.json", {**SUITE, "train": [{"name": "a", **old}]})
    assert new in program.run("run", "old.json", "--dry-run", code=2).stderr


def test_pipelines_may_differ_by_part_and_backend(program):
    """A suite that validates and names each part's pipeline for one backend has cases of that one."""
    suite = {**SUITE, "train": [{"name": "parts", "pipelines": BY_PART}]}
    assert errors(suite, "suite") == []
    program.write_json("parts.json", suite)
    plan = program.run("run", "parts.json", "-d", "cpu", "--dry-run", "--filter", "^train/").stdout
    assert "train/parts/cpu/ml-100k@0.2/rank:8" in plan


def test_a_training_record_validates(program):
    words = ["--rank", "4", "--iterations", "2", "--device", "cpu", "--out", "model"]
    program.run("train", "--dataset", "ml-100k", "--scale", "0.2", *words)
    record = program.read_json("model/record.json")
    assert errors(record, "training") == []
    assert len(record["iterations"]) == 2
    parts = record["start_seconds"]
    assert parts.pop("total") == pytest.approx(sum(parts.values()))


@pytest.mark.parametrize("path", files_in("configs/suites", "*.json"), ids=lambda p: p.stem)
def test_suites_validate(path):
    assert errors(read_json(path), "suite") == []


def test_suites_may_name_every_stage(program):
    listed = program.json("list", "variants", "--json")["variants"]
    known = set(schema_named("suite")["$defs"]["measure"]["properties"]["stage"]["enum"])
    assert {variant["stage"] for variant in listed} - known == set()


@pytest.mark.parametrize("path", files_in("configs/datasets", "*.json"), ids=lambda p: p.stem)
def test_datasets_validate(path):
    assert errors(read_json(path), "dataset") == []


def test_committed_results_validate():
    files = [
        path
        for path in files_in("results", "*/**/*.json*")
        if path.relative_to(ROOT).parts[1] not in ("schema", "local")
    ]
    documents = {path: read_json(path) for path in files}
    runs = {path: document for path, document in documents.items() if document.get("kind") == "run"}
    assert runs
    assert {path: found[:3] for path, document in runs.items() if (found := errors(document, "result"))} == {}


def plots(*arguments, code=0):
    result = subprocess.run([sys.executable, "-m", *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == code, result.stderr
    return result


def test_a_figure_of_the_run(tiny, program):
    figure = program.folder / "figure.png"
    plots("plots", program.folder / "result.json", "--out", figure)
    assert figure.read_bytes().startswith(b"\x89PNG") and figure.stat().st_size > 10_000


def test_each_suite_has_its_figure(tiny, program):
    files = [
        program.folder / f"{suite}.json"
        for suite in ("paper-fig5", "paper-fig7a", "paper-fig7b", "paper-convergence", "paper-fs")
    ]
    for file in files:
        write_json(file, {**tiny[1], "suite": {**tiny[1]["suite"], "name": file.stem}})
    plots("plots", *files, "--out", program.folder / "figures")
    for file in files:
        assert (program.folder / "figures" / f"{file.stem}.png").stat().st_size > 10_000, file.stem


def test_plots_refuse_what_is_no_result(program):
    path = program.folder / "junk.json"
    path.write_text('{"cases": ')
    assert "is not JSON" in plots("plots", path, code=1).stderr


def test_the_summary_is_two_lines(tiny, program):
    lines = plots("plots.summary", program.folder / "result.json", "figure.png").stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == ["Found", "Next"]
    assert "fastest hermitian of X: " in lines[0] and "figure.png" in lines[0]
