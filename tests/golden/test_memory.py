# SPDX-License-Identifier: Apache-2.0
"""Too little memory: a need is known before it is taken, and every command ends with an exit code of its own."""

import gzip
import re
import resource
import subprocess

import pytest

from conftest import Program

ENVIRONMENT = 3  # harness/process/exit_code.h
MIB = 1 << 20


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("memory"))
    program.run("data", "generate", "ml-100k", "-d", "cpu", "-o", "ratings.csv", "-q")
    return program


def numbers_of(message):
    """The bytes asked for and those free, of a message that has both."""
    found = re.search(r"(\d+) bytes(?: asked for)?, (?:and )?(\d+) (?:are )?free", message)
    assert found, message
    return int(found[1]), int(found[2])


def test_a_matrix_of_two_thousand_million_rows_is_refused_at_once(program):
    size = 2**31 - 1
    (program.folder / "huge.mtx").write_text(
        f"%%MatrixMarket matrix coordinate real general\n{size} {size} 1\n1 1 1\n", encoding="utf-8"
    )
    message = program.run(
        "train", "--data", "huge.mtx", "--rank", "4", "-d", "cpu", code=ENVIRONMENT, timeout=10
    ).stderr
    asked, free = numbers_of(message)
    assert asked > 3 * 8 * size > free


def test_factors_that_do_not_fit_are_refused_before_anything_is_taken(program):
    rank = 20_000_000
    arguments = ["train", "--data", "ratings.csv", "--rank", rank, "-d", "cpu", "--no-tuned"]
    message = program.run(*arguments, code=ENVIRONMENT, timeout=20).stderr
    asked, free = numbers_of(message)
    assert asked > 4 * rank * (943 + 1000) and asked > free and f"rank {rank}" in message


def test_a_packed_file_that_holds_more_than_the_memory_is_refused(program):
    (program.folder / "bomb.csv.gz").write_bytes(gzip.compress(bytes(1 << 24)) * 128)  # a member each
    with start_limited(program, 1500 * MIB, "data", "info", "bomb.csv.gz", "--format", "csv") as process:
        message = process.communicate(timeout=60)[1]
    assert process.returncode == ENVIRONMENT, message
    assert re.search(r"bomb.csv.gz: holds more than \d+ bytes, half of the memory that is free", message), message


@pytest.mark.parametrize(
    "words, limit, said",
    [
        (["train", "--rank", "5000"], 3_000_000, "480189 x 17770 with 100480507 ratings at rank 5000"),
        (["train", "--rank", "8"], 1_500_000, "out of"),
        (["tune", "stage", "solve", "--rank", "5000", "--json", "stdout"], 3_000_000, "at rank 5000"),
    ],
)
def test_ratings_that_do_not_fit_are_not_generated(program, words, limit, said):
    """A hundred million of them, which would take a quarter of a minute."""
    with start_limited(program, limit * 1024, *words, "--dataset", "netflix", "-d", "cpu") as process:
        message = process.communicate(timeout=10)[1]
    assert process.returncode == ENVIRONMENT and said in message, message
    asked, free = numbers_of(message)
    assert asked > free


def start_limited(program, most_bytes, *words):
    return subprocess.Popen(
        [program.path, *words],
        cwd=program.folder,
        env={**program.environment, "OMP_NUM_THREADS": "4"},
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes)),  # noqa: PLW1509
    )


@pytest.fixture(scope="module")
def least(program):
    """The addresses without which the system cannot even load the program, to 16 MiB."""
    low, high = 0, 1 << 36
    while high - low > 16 * MIB:
        middle = (low + high) // 2
        with start_limited(program, middle, "--version") as process:
            process.communicate(timeout=20)
        low, high = (low, middle) if process.returncode == 0 else (middle, high)
    return high


def test_trainings_beside_each_other_with_few_addresses_end_with_0_or_3(program, least):
    words = ["train", "--data", "ratings.csv", "--rank", "256", "-d", "cpu", "--iterations", "1", "-q"]
    running = [start_limited(program, least + step * 24 * MIB, *words, "--out", f"new/{step}") for step in range(10)]
    codes = []
    for step, process in enumerate(running):
        message = process.communicate(timeout=60)[1]
        assert process.returncode in (0, ENVIRONMENT), f"ended {process.returncode}\n{message}"
        assert (process.returncode == 0) != ("error: " in message), message
        assert (program.folder / "new" / str(step)).exists() == (process.returncode == 0), message
        codes.append(process.returncode)
    assert ENVIRONMENT in codes and 0 in codes


def test_recommendations_with_few_addresses_end_with_0_or_3(program, least):
    """OpenBLAS asks again for ever where a thread gets no buffer of 128 MiB."""
    program.run("train", "--data", "ratings.csv", "--rank", 8, "-d", "cpu", "--iterations", 1, "--out", "model", "-q")
    codes = []
    for step in (0, 100, 300, 500, 900, 2000):
        with start_limited(program, least + step * MIB, "recommend", "--model", "model", "-d", "cpu", "-q") as process:
            message = process.communicate(timeout=60)[1]
        assert process.returncode in (0, ENVIRONMENT) and (process.returncode == 0) != ("error: " in message), message
        codes.append(process.returncode)
    assert codes == sorted(codes, reverse=True) and {0, ENVIRONMENT} == set(codes)
