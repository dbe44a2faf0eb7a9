# SPDX-License-Identifier: Apache-2.0
"""Inputs that would take the machine's memory, its time or the program itself: each ends with a message and its code."""

import gzip
import json
import os
import pathlib
import re
import resource
import subprocess

import pytest

from conftest import ROOT, Program, read_json, write_json

USAGE, ENVIRONMENT, BASELINE = 2, 3, 4  # harness/process/exit_code.h
SUITE = {
    "name": "hostile",
    "description": "One case.",
    "problems": [{"dataset": "ml-100k", "scale": 0.05, "rank": 4, "lambda": 0.1}],
    "measure": [{"stage": "solve", "variant": "cg", "backend": "cpu", "part": "x", "cache": "hot"}],
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("hostile"))
    program.write_json("hostile.json", SUITE)
    return program


def run_limited(program, limit, *words, **variables):
    """The result of the program where it has `limit` bytes of addresses."""
    return subprocess.run(
        [program.path, *words],
        cwd=program.folder,
        env={**program.environment, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )


def test_a_shape_beyond_the_memory_is_refused_with_both_numbers(program):
    (program.folder / "wide.mtx").write_text(
        "%%MatrixMarket matrix coordinate real general\n2147483647 2147483647 1\n1 1 3\n", encoding="utf-8"
    )
    result = run_limited(program, 4_000_000_000, "data", "info", "wide.mtx")
    assert result.returncode == ENVIRONMENT, result.stderr
    assert "bytes asked for" in result.stderr and "free" in result.stderr


def test_a_model_whose_library_lacks_addresses_ends(program):
    ratings = "".join(f"{user}\t{item}\t3\n" for user in range(9) for item in range(9))
    (program.folder / "r.tsv").write_text(ratings, encoding="utf-8")
    program.run("train", "--data", "r.tsv", "--rank", "2", "-d", "cpu", "-q", "--out", "m")
    for words in (
        ["recommend", "--model", "m"],
        ["evaluate", "--model", "m", "--data", "r.tsv"],
        ["fold-in", "--model", "m", "--data", "r.tsv", "--out", "n"],
        ["explain", "--model", "m", "--seen", "r.tsv", "--user", "1", "--item", "2"],
    ):
        result = run_limited(program, 200_000_000, *words)
        assert result.returncode == ENVIRONMENT, (words, result.stderr)
        assert "raise ulimit -v" in result.stderr
    words = ["explain", "--model", "m", "--seen", "r.tsv", "--user", "1", "--item", "2"]
    for limit in range(110_000_000, 200_000_000, 5_000_000):  # OpenMP ends a program that lacks a thread
        result = run_limited(program, limit, *words, OMP_NUM_THREADS="8")
        assert result.returncode == ENVIRONMENT, (limit, result.stderr)


@pytest.mark.parametrize(
    "pattern, said",
    [
        ("(" * 20000 + ")" * 20000, "has 40000 characters"),
        (r"(a*)*(a*)*b\1", "is no regular expression"),
        ("a{90000}{90000}", "is no regular expression"),
        ("(.*)*(.*)*(.*)*(.*)*(.*)*Q", "leave no case"),
        ("((((.*)*)*)*)*Q", "leave no case"),
    ],
)
def test_a_filter_neither_crashes_nor_hangs(program, pattern, said):
    result = program.run("run", "hostile.json", "-d", "cpu", "--dry-run", "--filter", pattern, code=USAGE, timeout=30)
    assert said in result.stderr


@pytest.mark.parametrize(
    "axes, said",
    [
        (["steps=[1:9223372036854775807]"], "more than 10000 values"),
        (["steps=[-9223372036854775807:9223372036854775807:1000]"], "more than 10000 values"),
        ([f"steps=[{','.join(['4'] * 2000)}]", f"matrix=[{','.join(['fp32'] * 2000)}]"], "more than 1000000 points"),
    ],
)
def test_an_axis_has_an_end(program, axes, said):
    words = [word for axis in axes for word in ("--axis", axis)]
    assert said in program.run("run", "hostile.json", "--dry-run", *words, code=USAGE, timeout=30).stderr


@pytest.mark.parametrize(
    "axis, said",
    [
        ("steps=[0:9223372036854775807:9223372036854775807]", "parameter 'steps' has no value '0'"),
        (f"steps=[{','.join(['4'] * 2000)}]", "more than 1000000 points"),
    ],
)
def test_an_axis_is_refused_before_ratings_are_generated(program, axis, said):
    words = ["tune", "stage", "solve", "-b", "cg", "--dataset", "netflix", "--rank", "10", "-d", "cpu"]
    axes = ["--axis", axis, "--axis", f"matrix=[{','.join(['fp32'] * 2000)}]"]
    assert said in program.run(*words, *axes, "--dry-run", code=USAGE, timeout=5).stderr


def test_an_axis_may_end_at_the_largest_number(program):
    axis = "steps=[4:9223372036854775807:9223372036854775803]"
    result = program.run("run", "hostile.json", "-d", "cpu", "--dry-run", "--axis", axis, code=None, timeout=30)
    assert result.returncode in (0, USAGE), result.stderr


@pytest.mark.parametrize("side", ["user_degrees", "item_degrees"])
@pytest.mark.parametrize("name, value", [("mu", -1e308), ("mu", 1e308), ("sigma", 1e308)])
def test_a_distribution_without_finite_degrees_is_named(program, side, name, value):
    spec = read_json(ROOT / "configs" / "datasets" / "ml-100k.json")
    spec[side][name] = value
    program.write_json("spec.json", spec)
    result = program.run("data", "generate", "spec.json", "-o", "out.tsv", code=USAGE, timeout=30)
    assert "the distribution of degrees gives" in result.stderr
    assert not (program.folder / "out.tsv").exists()


# Commands that open a pipe at this place, which nobody writes into.
PIPES = {
    "history": ("past/run.json", ["history", "past"]),
    "baseline": ("static/sm_90.json", ["compile", "--against", "static"]),
    "journal": ("out.json.journal", ["run", "hostile.json", "-d", "cpu", "--json", "out.json"]),
    "database": ("data/alsbench/tuned/mine.json", ["best", "--dataset", "ml-100k", "--rank", "8", "-d", "cpu"]),
    "suite": ("suite.json", ["run", "suite.json"]),
    "specification": ("spec.json", ["data", "generate", "spec.json", "-o", "out.tsv"]),
    "model": ("model/record.json", ["predict", "--model", "model", "--pairs", "hostile.json"]),
    "checkpoint": ("point/record.json", ["train", "--dataset", "ml-100k", "--resume", "point", "-d", "cpu"]),
    "ratings": ("ratings.tsv", ["data", "info", "ratings.tsv"]),
    "recording": ("recorded.journal", ["tune", "replay", "recorded.journal"]),
    "result": ("result.json", ["report", "result.json"]),
}
READ_AS_A_WHOLE = ("history", "baseline", "database", "suite", "specification", "ratings", "recording", "result")


@pytest.mark.parametrize("name", PIPES)
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(program, tmp_path, name):
    place, words = PIPES[name]
    own = Program(tmp_path)
    write_json(tmp_path / "hostile.json", SUITE)
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(tmp_path / place)
    result = own.run(*words, code=None, timeout=20)
    assert result.returncode in (USAGE, ENVIRONMENT, BASELINE), result.stderr
    assert "error: " in result.stderr and pathlib.Path(place).parts[-2:][0] in result.stderr
    if name in READ_AS_A_WHOLE:
        assert "it is a pipe that nobody writes into; name a file" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["data", "info", "{}"],
        ["train", "--data", "{}", "-d", "cpu"],
        ["predict", "--model", "{}", "--pairs", "hostile.json"],
        ["run", "{}"],
        ["compare", "{}", "{}"],
        ["history", "{}"],
        ["best", "--dataset", "ml-100k", "--rank", "8", "-d", "cpu", "--db", "{}"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("name", ["loop", "long"])
def test_a_name_that_leads_nowhere_is_refused_in_words(program, words, name):
    loop = program.folder / "loop"
    if not loop.is_symlink():
        loop.symlink_to("loop")
    path = "loop" if name == "loop" else "x" * 300
    result = program.run(*(word.format(path) for word in words), code=None, timeout=20)
    assert result.returncode in (USAGE, BASELINE), result.stderr
    assert path in result.stderr and "filesystem error" not in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["data", "generate", "ml-100k", "-o", "round.csv"],
        ["run", "quick", "-d", "cpu", "--json", "round.csv"],
        ["list", "variants", "--json", "round.csv"],
        ["train", "--dataset", "ml-100k", "-d", "cpu", "--out", "round.csv"],
    ],
    ids=lambda words: words[0],
)
def test_links_in_a_circle_are_no_output(program, words):
    link = program.folder / "round.csv"
    if not link.is_symlink():
        link.symlink_to("round.csv")
    result = program.run(*words, code=None, timeout=20)
    assert result.returncode in (USAGE, ENVIRONMENT), result.stderr
    assert "round.csv" in result.stderr and link.is_symlink()


@pytest.mark.parametrize(
    "words",
    [
        ["train", "--dataset", "ml-100k", "-d", "cpu", "--out", ""],
        ["train", "--data", "ratings.csv", "-d", "cpu", "--test", ""],
        ["train", "--dataset", "ml-100k", "-d", "cpu", "--checkpoint", ""],
        ["run", "quick", "-d", "cpu", "--json", ""],
        ["run", ""],
        ["best", "--dataset", "ml-100k", "--rank", "8", "--db", ""],
        ["data", "convert", "ratings.csv", "-o", ""],
        ["compare", "", "results.json"],
    ],
    ids=lambda words: " ".join(words[:1] + words[-2:]),
)
def test_an_option_is_not_empty(program, words):
    assert "is empty; give a value" in program.run(*words, code=USAGE, timeout=20).stderr


@pytest.mark.parametrize("size", ["1e400", "0", "-1", "abc", "8XB", "99999999999999999999", "1024EiB", "1.5GiB"])
def test_a_size_of_memory_that_is_none_is_refused_with_an_example(program, size):
    words = ["train", "--dataset", "ml-100k", "-d", "cpu", f"--device-memory={size}"]
    assert f"'{size}': give a size such as 8GiB" in program.run(*words, code=USAGE, timeout=20).stderr


NAMES = [
    "new\nline",
    "esc\x1b[31m",
    "quote\"'",
    "back\\slash",
    "c1\u009b",
    "no UTF-8 \udcff\udcfe",
    "half \udced\udca0",
]
SHORT = ["--rank", "2", "-d", "cpu", "-q"]


@pytest.fixture(scope="module", params=NAMES, ids=ascii)
def name(request, program):
    """Of a file of ratings, without .csv."""
    cells = "".join(f"{u},{i},{(u + i) % 5 + 1}\n" for u in range(9) for i in range(9))
    (program.folder / f"{request.param}.csv").write_text(cells)
    return request.param


def test_names_tear_no_document(program, name):
    words = ["train", "--data", f"{name}.csv", *SHORT, "--iterations", "1", "--out", f"{name}.model"]
    program.run(*words)
    assert read_json(program.folder / f"{name}.model" / "record.json")["data"]
    assert program.json("data", "info", f"{name}.csv", "--json")["train_ratings"] == 81
    assert program.json("evaluate", "--model", f"{name}.model", "--data", f"{name}.csv", "--json")


def test_names_reach_no_terminal_raw(program, name):
    for words in (
        ["data", "info", f"no {name}.csv"],
        ["run", f"no {name}.json"],
        ["evaluate", "--model", f"no {name}"],
    ):
        error = program.run(*words, code=USAGE).stderr
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\udc80-\udcff]", error), error


@pytest.mark.parametrize(
    "words",
    [
        ["run", "hostile.json", "--min-samples", "1", "--max-samples", "1", "--json", "stdout"],
        ["tune", "stage", "hermitian", "-b", "naive", "--min-samples", "1", "--max-samples", "1", "--json", "stdout"],
    ],
    ids=lambda words: words[0],
)
def test_workers_read_a_file_of_any_name_that_json_holds(program, name, words):
    text = not any("\udc80" <= c <= "\udcff" for c in name)
    result = program.run(*words, "--data", f"{name}.csv", *SHORT, "--fresh", code=0 if text else USAGE)
    if text:
        assert json.dumps(name)[1:-1] in json.dumps(json.loads(result.stdout))
    else:
        assert "the name is not valid UTF-8" in result.stderr


def endless(program, name):
    with open(program.folder / name, "wb") as file:
        file.truncate(1 << 36)
    return name


def test_a_document_has_an_end(program):
    assert "longer than any document" in program.run("run", endless(program, "a.json"), code=USAGE, timeout=60).stderr
    blanks = gzip.compress(bytes(1 << 24) + b" ", compresslevel=1)
    (program.folder / "b.json.gz").write_bytes(blanks * (1 << 6))  # files of gzip, one after another, are one
    for name in ("a.json", "b.json.gz"):
        said = program.run("report", name, "-o", "page.html", code=USAGE, timeout=60).stderr
        assert "longer than any document" in said


@pytest.mark.parametrize(
    "words",
    [
        ["run", "hostile.json", "-d", "cpu", "--json", "out.json", "--resume", "a.json"],
        ["compare", "a.json", "a.json"],
        ["tune", "replay", "a.json"],
        ["report", "a.json", "-o", "page.html"],
    ],
    ids=lambda words: words[0],
)
def test_a_document_that_is_too_long_is_not_read(program, words):
    endless(program, "a.json")
    result = run_limited(program, 1_500_000_000, *words)
    assert result.returncode in (USAGE, BASELINE) and "longer than any document" in result.stderr, result.stderr


@pytest.mark.parametrize("name", ["a.csv", "a.mtx", "a.dat"])
def test_a_file_without_lines_is_not_read_to_its_end(program, name):
    assert "is binary" in program.run("data", "info", endless(program, name), code=USAGE, timeout=5).stderr


def kernel_lines(text):
    return [line for line in text.splitlines() if '"registers"' in line or '"from_cache"' in line]


@pytest.mark.skipif(os.environ.get("ALSBENCH_CUDA_BUILT") != "1", reason="this build has no CUDA backend")
def test_a_cached_kernel_whose_report_was_changed_is_compiled_again(program):
    compile_ = ["compile", "--arch", "sm_90", "--filter", "hermitian/naive.*fp32.*fp32", "--json"]
    first = program.run(*compile_)
    files = list(program.folder.rglob("*.cubin"))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes().replace(b'"registers":', b'"registers":1', 1))
    assert kernel_lines(program.run(*compile_).stdout) == kernel_lines(first.stdout)
    assert any('"from_cache": false' in line for line in kernel_lines(first.stdout))
