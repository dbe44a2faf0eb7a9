# SPDX-License-Identifier: Apache-2.0
"""Standard streams that are closed or full: no file takes their place, and no output is lost without a word."""

import json
import subprocess

import pytest

from conftest import Program

ENVIRONMENT = 3  # harness/process/exit_code.h
USAGE = 2
SUITE = {
    "name": "streams",
    "description": "A small suite.",
    "problems": [{"dataset": "ml-100k", "scale": 0.05, "rank": 4, "lambda": 0.1}],
    "measure": [{"stage": "hermitian", "variant": "naive", "backend": "cpu", "side": "x", "cache": "hot"}],
    "sampling": {"min_samples": 2, "max_samples": 2, "max_noise": 0, "max_seconds": 20},
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("streams"))
    (program.folder / "streams.json").write_text(json.dumps(SUITE), encoding="utf-8")
    (program.folder / "r.tsv").write_text(
        "".join(f"{u}\t{i}\t{(u + i) % 5 + 1}\n" for u in range(9) for i in range(9)), encoding="utf-8"
    )
    program.run("run", "streams.json", "--json", "whole.json")
    return program


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_no_file_takes_the_place_of_a_closed_stream(program, closed):
    program.shell(f"{program.path} run streams.json --json closed.json {closed}")
    lines = (program.folder / "closed.json.journal").read_text(encoding="utf-8").splitlines()
    kinds = [json.loads(line.split(" ", 2)[2])["kind"] for line in lines]
    assert kinds == [
        json.loads(line.split(" ", 2)[2])["kind"]
        for line in (program.folder / "whole.json.journal").read_text(encoding="utf-8").splitlines()
    ]
    assert json.loads((program.folder / "closed.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["--version"],
        ["list"],
        ["list", "--json"],
        ["list", "variants"],
        ["manual"],
        ["completion", "bash"],
        ["suite", "init", "--out", "stdout"],
        ["doctor"],
        ["data", "info", "r.tsv"],
        ["data", "info", "r.tsv", "--json"],
        ["export", "whole.json", "-f", "csv"],
        ["compare", "whole.json", "whole.json"],
        ["run", "streams.json", "--json", "full.json"],
        ["train", "--data", "r.tsv", "--rank", "2", "--iterations", "1", "-d", "cpu"],
    ],
    ids=" ".join,
)
def test_output_that_is_lost_is_an_error(program, words):
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            [program.path, *words],
            cwd=program.folder,
            env=program.environment,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert result.returncode == ENVIRONMENT, result.stderr
    assert "cannot write all of the output to standard output" in result.stderr


def test_a_run_whose_document_is_lost_goes_on_from_its_journal(program):
    program.shell(
        f"{program.path} run streams.json --out lost --json stdout --filter naive >/dev/full", code=ENVIRONMENT
    )
    assert (
        "--fresh"
        in program.run(
            "run", "streams.json", "--out", "lost", "--json", "stdout", "--filter", "naive", code=USAGE
        ).stderr
    )
    before = (program.folder / "lost" / "streams.json.journal").read_bytes()
    assert program.json("run", "streams.json", "--out", "lost", "--json", "stdout", "--filter", "naive", "--resume")[
        "cases"
    ]
    assert (program.folder / "lost" / "streams.json.journal").read_bytes().startswith(before)


@pytest.mark.parametrize("stderr", ["2>/dev/full", "2>&-"])
def test_messages_without_a_reader_end_no_work(program, stderr):
    program.shell(f"{program.path} data info nowhere.tsv {stderr}", code=USAGE)
    program.shell(f"{program.path} run streams.json --json unread.json {stderr}")
    assert (program.folder / "unread.json").exists()
