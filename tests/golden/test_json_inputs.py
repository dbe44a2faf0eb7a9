# SPDX-License-Identifier: Apache-2.0
"""Every file that a command reads as JSON: damage of any kind ends with one line that names the file."""

import gzip
import json
import os

import pytest

from conftest import ROOT, SMALL, Program
from golden import scrub_table

USAGE, ENVIRONMENT, BASELINE, CASES_FAILED = 2, 3, 4, 5  # harness/process/exit_code.h
SUITE = {
    "name": "inputs",
    "description": "One case of a hundred thousand ratings.",
    "problems": [{"dataset": "ml-100k", "scale": 0.05, "rank": 4, "lambda": 0.1}],
    "measure": [{"stage": "solve", "variant": "cg", "backend": "cpu", "part": "x", "cache": "hot"}],
    "sampling": {"min_samples": 3, "max_samples": 3, "max_noise": 0, "max_seconds": 5},
}
SPACE = {
    "ConfigurationSpace": {
        "TuningParameters": [{"Name": "steps", "Type": "int", "Values": "[4, 6]"}],
        "Conditions": [{"Expression": "steps <= 6", "Parameters": ["steps"]}],
    },
    "Search": {"Name": "random"},
    "Budget": [{"Type": "ConfigurationCount", "BudgetValue": 2}],
}
SHIFT = {
    "name": "hermitian/*",
    "from": "2026-02-01",
    "to": "2026-02-28",
    "max_ratio": 1.1,
    "reason": "checks more",
    "expires": "2026-12-31",
}
TUNE = ["tune", "stage", "solve", "--dataset", "ml-100k", "--scale", "0.05", "--rank", "4", "-d", "cpu", "-q"]
SOLVE = [*TUNE, "-b", "cg", "-a", "steps=[4,6]", "--playoff-samples", "0"]

# The command that reads FILE, what FILE is a copy of, and a place in it with a value of another type there.
READERS = {
    "run": (["run", "FILE", "--dry-run"], "suite.json", "/problems/0/rank"),
    "space": ([*TUNE, "--space", "FILE", "--dry-run"], "space.json", "/Budget/0/BudgetValue"),
    "compare base": (["compare", "FILE", SMALL], "result.json", "/cases/0/name"),
    "compare test": (["compare", SMALL, "FILE"], "result.json", "/devices/0/multiprocessors"),
    "compare gbench": (["compare", "gbench.json", "FILE"], "gbench.json", "/benchmarks/0/real_time"),
    "compare nvbench": (["compare", "nvbench.json", "FILE"], "nvbench.json", "/benchmarks/0/name"),
    "export": (["export", "FILE", "--to", "csv"], "result.json", "/cases/0/outcome"),
    "export comparison": (["export", "FILE", "--to", "junit"], "comparison.json", "/cases/0/verdict"),
    "export rules": (["export", "FILE", "--to", "markdown"], "comparison.json", "/rules/bound"),
    "report": (["report", "FILE", "-o", "page.html"], "result.json", "/kind"),
    "history add": (["history", "store", "--add", "FILE"], "result.json", "/provenance/build/git_commit"),
    "accepted": (["history", "history", "--accepted", "FILE"], "accepted.json", "/shifts/0/max_ratio"),
    "best": (
        ["best", "--dataset", "netflix", "-d", "NVIDIA H200", "--db", "FILE"],
        "db.json",
        "/entries/0/pick/0/variant",
    ),
    "train": (["train", "--dataset", "ml-100k", "-d", "cpu", "--db", "FILE"], "db.json", "/entries/0/shape/rank"),
    "tune": ([*SOLVE, "--db", "FILE"], "db.json", "/entries/0/search/seed"),
    "generate": (["data", "generate", "FILE", "-o", "out.tsv", "-q"], "spec.json", "/values/step"),
    "dataset": (["train", "--dataset", "FILE", "-d", "cpu"], "spec.json", "/user_degrees/distribution"),
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("json"))

    def write(name, content):
        (program.folder / name).write_text(content if isinstance(content, str) else json.dumps(content))

    write("suite.json", SUITE)
    write("space.json", SPACE)
    write("result.json", SMALL.read_text())
    write("db.json", (ROOT / "results" / "tuned" / "nvidia-h200.json").read_text())
    write("spec.json", (ROOT / "configs" / "datasets" / "ml-100k.json").read_text())
    write("accepted.json", {"schema_version": "2.0.0", "kind": "accepted_shifts", "shifts": [SHIFT]})
    program.run("compare", SMALL, SMALL, "--json", "comparison.json", "-q", code=None)
    for form in ("gbench", "nvbench"):
        program.run("export", SMALL, "--to", form, "--out", f"{form}.json", "-q")
    program.run("history", "history", "--add", SMALL, "-q")
    return program


def at(document, pointer):
    """The container that a JSON pointer leads into, and the last key."""
    *path, last = [int(word) if word.isdigit() else word for word in pointer.split("/")[1:]]
    for key in path:
        document = document[key]
    return document, last


def wrong_type(text, pointer):
    document = json.loads(text)
    container, key = at(document, pointer)
    container[key] = {"of": "another type"}
    return json.dumps(document)


def too_large(text, pointer):
    """With a number that no double holds, in place of what is there."""
    document = json.loads(text)
    container, key = at(document, pointer)
    container[key] = "@"
    return json.dumps(document).replace('"@"', "1e999")


def duplicated(text, _):
    return text.replace("{", '{"name": 1, "name": 2, ', 1)


def nested(text, pointer):
    document = json.loads(text)
    container, key = at(document, pointer)
    container[key] = "@"
    return json.dumps(document).replace('"@"', "[" * 100_000 + "]" * 100_000)


DAMAGE = {
    "duplicate key": duplicated,
    "nested": nested,
    "too large": too_large,
    "wrong type": wrong_type,
    "cut": lambda text, _: text[: len(text) // 2],
    "empty": lambda *_: "",
    "an array": lambda *_: "[1, 2]",
    "binary": lambda *_: bytes(range(256)) * 20,
    "trailing text": lambda text, _: text + "{}",
    "gzip cut": lambda text, _: gzip.compress(text.encode(), mtime=0)[:-9],
    "gzip damaged": lambda *_: b"\x1f\x8b" + bytes(100),
}


def as_bytes(content):
    return content if isinstance(content, bytes) else content.encode()


# One text goes through one parser: all kinds of damage for a reader of each format, three for the others.
THOROUGH = ("run", "compare test", "accepted", "best", "generate")
BRIEF = ("duplicate key", "wrong type", "empty", "gzip cut")


def check_refusal(result, file, codes=(USAGE,)):
    error = result.stderr
    assert result.returncode in codes, error
    assert str(file) in error, error
    assert "json.exception" not in error and "nlohmann" not in error and "type_error" not in error, error
    lines = error.strip().split("\n")  # a suite lists all that is wrong with it
    assert len(lines) == 1 or all(line.startswith("  /") for line in lines[1:]), error
    assert all(character.isprintable() for line in lines for character in line), error


@pytest.mark.parametrize("name", READERS)
def test_a_good_file_is_read(program, name):
    words, source, _ = READERS[name]
    if name not in ("train", "dataset", "tune"):  # which take long
        result = program.run(*[source if word == "FILE" else word for word in words], code=None)
        assert result.returncode in (0, ENVIRONMENT, CASES_FAILED), result.stderr


@pytest.mark.parametrize("name", READERS)
def test_a_compressed_file_reads_as_the_plain_one(program, name):
    words, source, _ = READERS[name]
    if name in ("train", "dataset", "tune"):  # which take long
        return
    done = []
    for pack in (bytes, lambda text: gzip.compress(text, mtime=0)):
        (program.folder / "packed.json").write_bytes(pack((program.folder / source).read_bytes()))
        done.append(program.run(*["packed.json" if word == "FILE" else word for word in words], code=None))
    plain, packed = done
    assert plain.returncode == packed.returncode, packed.stderr
    assert scrub_table(plain.stdout) == scrub_table(packed.stdout)


@pytest.mark.parametrize("name", READERS)
def test_damage_is_refused_with_the_name_of_the_file(program, name):
    words, source, pointer = READERS[name]
    text = (program.folder / source).read_text()
    codes = (BASELINE,) if name == "compare base" else (USAGE,)
    for kind in DAMAGE if name in THOROUGH else BRIEF:
        damaged = DAMAGE[kind](text, pointer)
        (program.folder / "damaged.json").write_bytes(as_bytes(damaged))
        result = program.run(*["damaged.json" if word == "FILE" else word for word in words], code=None)
        check_refusal(result, "damaged.json", codes)
        if kind == "wrong type" and name != "report":
            assert pointer in result.stderr, result.stderr


def test_damage_in_a_history_is_refused_with_the_name_of_its_file(program):
    (file,) = (program.folder / "history").glob("*.json")
    text = file.read_text()
    for damage in map(DAMAGE.get, BRIEF):
        damaged = damage(text, "/points/0/seconds")
        file.write_bytes(as_bytes(damaged))
        check_refusal(program.run("history", "history", code=None), file.name, (BASELINE,))
    file.write_text(text)


@pytest.mark.skipif(os.environ.get("ALSBENCH_CUDA_BUILT") != "1", reason="this build has no CUDA backend")
def test_damage_in_a_static_baseline_is_refused_with_its_name(program):
    text = (ROOT / "results" / "static" / "sm_90.json").read_text()
    for damage in map(DAMAGE.get, BRIEF):
        damaged = damage(text, "/kernels/0/rank")
        (program.folder / "damaged.json").write_bytes(as_bytes(damaged))
        check_refusal(program.run("compile", "--against", "damaged.json", code=None), "damaged.json", (BASELINE,))


@pytest.mark.parametrize("side, code", [("base", BASELINE), ("test", USAGE)])
def test_what_a_build_wrote_damaged_is_refused_with_its_name(program, side, code):
    text = SMALL.read_text()
    builds = {}
    for name in ("good", "bad"):
        builds[name] = program.folder / f"{name}.sh"
        copied = program.folder / f"{name}-copied.json"
        copied.write_text(text)
        builds[name].write_text(f'#!/bin/sh\nwhile [ "$1" != --json ]; do shift; done; exec cp "{copied}" "$2"\n')
        builds[name].chmod(0o755)
    sides = {"base": builds["good"], "test": builds["good"], side: builds["bad"]}
    words = ["ab", "suite.json", "--base", sides["base"], "--test", sides["test"], "--budget-seconds", "1e-9", "-q"]
    for damage in map(DAMAGE.get, BRIEF):
        (program.folder / "bad-copied.json").write_bytes(as_bytes(damage(text, "/cases/0/name")))
        result = program.run(*words, "--screening-launches", "2", code=None)
        check_refusal(result, f"the {side} build {builds['bad']}", (code,))


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def line_of(text):
    return f"{len(text)} {crc32c(text.encode()):08x} {text}\n"


@pytest.fixture(scope="module")
def journals(program):
    """By the way to read a journal: the command, and the journal's records as JSON."""
    run = ["run", "suite.json", "-d", "cpu", "-q", "--json", "run.json"]
    tune = [*SOLVE, "--db", "mine.json", "--json", "tuned.json"]
    program.run(*run)
    program.run(*tune, "--journal", "tune.journal")
    whole = ["tune", "replay", "JOURNAL", "--budget-evals", "2", "--json", "replayed.json"]
    return {
        "run": ([*run, "--resume", "JOURNAL"], program.folder / "run.json.journal"),
        "tune": ([*tune, "--journal", "JOURNAL", "--resume"], program.folder / "tune.journal"),
        "replay": (whole, program.folder / "tune.journal"),
    }


@pytest.mark.parametrize("name, field", [("run", "record"), ("tune", "seconds"), ("replay", "outcome")])
def test_a_journal_of_right_checksums_and_wrong_content_is_refused(program, journals, name, field):
    command, journal = journals[name]
    head, *entries = [line.split(" ", 2)[2] for line in journal.read_text().splitlines()]
    at_fault = next(i for i, entry in enumerate(entries) if field in json.loads(entry))

    def refuse(*texts):
        damaged = program.folder / "damaged.journal"
        damaged.write_text("".join(map(line_of, texts)))
        words = [str(damaged) if word == "JOURNAL" else word for word in command]
        check_refusal(program.run(*words, code=None), "damaged.journal")

    for damage in (duplicated, too_large, wrong_type, nested):
        refuse(damage(head, "/kind"), *entries)
    refuse("7", *entries)
    entries[at_fault] = wrong_type(entries[at_fault], "/" + field)
    refuse(head, *entries)


@pytest.mark.parametrize("name", ["run", "tune", "replay"])
def test_what_is_no_journal_is_refused(program, journals, name):
    damaged = program.folder / "damaged.journal"
    words = [str(damaged) if word == "JOURNAL" else word for word in journals[name][0]]
    for content in (bytes(range(256)) * 20, b"\n\n", b"{}\n", b"\x1f\x8b" + bytes(100)):
        damaged.write_bytes(content)
        check_refusal(program.run(*words, code=None), "damaged.journal")
