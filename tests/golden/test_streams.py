# SPDX-License-Identifier: Apache-2.0
"""Standard streams that are closed or full: no file takes their place, and no output is lost without a word."""

import json
import os
import signal
import subprocess

import pytest

from conftest import Program, read_json

ENVIRONMENT = 3  # harness/process/exit_code.h
USAGE = 2
SUITE = {
    "name": "streams",
    "description": "A small suite.",
    "problems": [{"dataset": "ml-100k", "scale": 0.05, "rank": 4, "lambda": 0.1}],
    "measure": [{"stage": "hermitian", "variant": "naive", "backend": "cpu", "part": "x", "cache": "hot"}],
    "sampling": {"min_samples": 2, "max_samples": 2, "max_noise": 0, "max_seconds": 20},
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("streams"))
    program.write_json("streams.json", SUITE)
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
    assert program.read_json("closed.json")["cases"]


# Commands that write the same bytes each time, and where.
WRITERS = {
    "w.mtx": ["data", "convert", "r.tsv", "-o", "w.mtx"],
    "w.csv": ["data", "split", "r.tsv", "-o", "w.csv", "--test-fraction", "0.2"],
    "w.alsset": ["data", "generate", "ml-100k", "--scale", "0.05", "-d", "cpu", "-o", "w.alsset"],
    "w/x.npy": ["train", "--data", "r.tsv", "--rank", "2", "--iterations", "1", "-d", "cpu", "--out", "w"],
    "w.pairs": ["predict", "--model", "model", "--pairs", "r.tsv", "-o", "w.pairs"],
    "w.top": ["recommend", "--model", "model", "--users", "users.txt", "-o", "w.top"],
    "w.txt": ["export", "whole.json", "--to", "csv", "--out", "w.txt"],
    "w.html": ["report", "whole.json", "-o", "w.html"],
    "w.json": ["suite", "init", "-o", "w.json"],
    "w.merged": ["merge", "whole.json", "whole.json", "--json", "w.merged"],
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_written_is_the_same_without_streams(program, name):
    path = program.folder / name
    if not (program.folder / "model").exists():
        program.run("train", "--data", "r.tsv", "--rank", "2", "--iterations", "1", "-d", "cpu", "--out", "model")
        (program.folder / "users.txt").write_text("1\n2\n")
    written = []
    for closed in ("", "<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        path.unlink(missing_ok=True)
        program.shell(" ".join([program.path, *WRITERS[name], closed]))
        written.append(path.read_bytes())
    assert written[0] and written == [written[0]] * len(written)


def without_reader(program, words, stream):
    """The exit of the program where nobody reads what it writes into the stream."""
    read, write = os.pipe()
    os.close(read)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: write}
    try:
        return subprocess.run(
            [program.path, *words], cwd=program.folder, env=program.environment, text=True, timeout=60, **streams
        )
    finally:
        os.close(write)


@pytest.mark.parametrize("words", [["list"], ["data", "info", "r.tsv"], ["run", "streams.json", "--json", "gone.json"]])
def test_a_reader_that_is_gone_is_no_error(program, words):
    """It has read what it wanted, as `head` has: the program ends as others do, and what it writes into files is there."""
    result = without_reader(program, words, "stdout")
    assert result.returncode == -signal.SIGPIPE
    assert "error" not in result.stderr
    if "--json" in words:
        assert read_json(program.folder / words[-1])["cases"]


def test_a_pipe_by_name_whose_reader_is_gone_is_told_as_that(program):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        words = [program.path, "data", "convert", "r.tsv", "--to", "csv", "-o", f"/dev/fd/{writer}"]
        result = subprocess.run(words, cwd=program.folder, pass_fds=[writer], capture_output=True, text=True)
    finally:
        os.close(writer)
    assert result.returncode == 3
    said = f"alsbench: error: cannot write '/dev/fd/{writer}': the program that read this pipe has ended; start both again\n"
    assert result.stderr.endswith(said)


@pytest.mark.parametrize(
    "words", [["run", "streams.json", "--json", "alone.json", "--fresh"], WRITERS["w/x.npy"], WRITERS["w.alsset"]]
)
def test_work_goes_on_where_its_messages_have_no_reader(program, words):
    assert without_reader(program, words, "stderr").returncode == 0


def test_work_goes_on_without_its_terminal_after_nohup(program):
    words = ["train", "--data", "r.tsv", "--rank", "2", "--iterations", "2000", "-d", "cpu", "--out", "nohup", "-q"]
    with subprocess.Popen(
        [program.path, *words],
        cwd=program.folder,
        env=program.environment,
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),  # noqa: PLW1509
    ) as process:
        while not (program.folder / "nohup").exists() and process.poll() is None:
            process.send_signal(signal.SIGHUP)
    assert process.returncode == 0


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
        ["export", "whole.json", "--to", "csv"],
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
