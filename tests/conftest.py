# SPDX-License-Identifier: Apache-2.0
"""Shared by the Python tests: the program under test, run in a folder and cache of its own."""

import functools
import gzip
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINARY = pathlib.Path(os.environ.get("ALSBENCH_BINARY", ROOT / "build" / "alsbench"))
# The same program with variants that fail or are slow on purpose (tests/chaos).
CHAOS = pathlib.Path(os.environ.get("ALSBENCH_CHAOS", BINARY.parent / "tests" / "alsbench_chaos"))
SKIPPED = 77  # SKIP_RETURN_CODE in tests/CMakeLists.txt
os.umask(0o022)  # the program uses no folder that others may write
INTERRUPTED = 130  # harness/process/exit_code.h
# A shell's background job ignores the one and nohup the other, and programs started here would too.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == 0 and not reporter.stats.get("passed") and reporter.stats.get("skipped"):
        session.exitstatus = SKIPPED


@functools.cache
def schema_named(name):
    """As the program prints it."""
    return json.loads(subprocess.run([BINARY, "schema", name], capture_output=True, check=True).stdout)


@functools.cache
def validator_of(schema_name):
    """Checking a schema takes longer than checking a document by it."""
    import jsonschema_rs

    schema = schema_named(schema_name)
    jsonschema_rs.meta.validate(schema)
    return jsonschema_rs.Draft202012Validator(schema)


def validation_errors(document, schema_name):
    """Errors of the document by the schema of that name, each with its place."""
    found = validator_of(schema_name).iter_errors(document)
    return [f"/{'/'.join(map(str, e.instance_path))}: {e.message}" for e in found]


def text_of(path):
    """Of a file that may not be there yet."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def stages_of(iteration):
    """{"x/update": seconds} of an iteration of a training."""
    return {f"{each['part']}/{each['stage']}": each["seconds"] for each in iteration["stage_seconds"]}


def steps_of(text):
    """The steps of a pipeline as documents list them, from its text form."""
    steps = []
    for stage, variant, *config in (step.split(":", 2) for step in text.split("/")):
        values = dict(entry.split("=") for entry in config[0].split(",")) if config else {}
        steps.append({"stage": stage, "variant": variant, "config": values})
    return steps


def an_iteration(number, seconds, rmse):
    """As records have it; of no stages."""
    times = {"seconds": seconds, "wall_seconds": seconds, "metric_seconds": 0.0, "stage_seconds": []}
    return (
        {"iteration": number, "train_metric": rmse, "test_metric": rmse}
        | times
        | {"mean_solver_steps": 0.0, "cold_test_ratings": 0}
    )


def a_training(iterations, pipeline):
    """As a case's record has it, with the same pipeline for both parts."""
    return {
        "algorithm": "als",
        "hyper": {},
        "metric": "rmse",
        "pipelines": [{"part": part, "steps": steps_of(pipeline)} for part in ("x", "theta")],
        "target": None,
        "launches": [{"iterations": iterations, "result": None}],
    }


SMALL = ROOT / "tests/golden/results/small.json"  # seven cases of an H200's results, for tests of any valid result


def read_json(path):
    """Of a file that may be compressed with gzip."""
    content = path.read_bytes()
    return json.loads(gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content)


def write_json(path, document):
    """The path."""
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def files_in(folder, pattern):
    """The files of a folder of the repository in the order of their names; a test of none of them would be none."""
    found = sorted((ROOT / folder).glob(pattern))
    assert found, f"{folder} has no {pattern}"
    return found


def package_command(folder, *arguments, code=0, env=None):
    """python -m alsbench, its stderr."""
    words = [sys.executable, "-m", "alsbench", *map(str, arguments)]
    result = subprocess.run(words, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=env)
    assert result.returncode == code, result.stderr
    return result.stderr


def git(folder, *words):
    """Its stdout, in a repository of a test."""
    settings = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def plots(module, *arguments, code=0):
    """python -m MODULE, of plots/: the process, which ended with this code."""
    words = [sys.executable, "-m", module, *map(str, arguments)]
    result = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == code and "Traceback" not in result.stderr, result.stderr
    return result


def rows_of(text):
    """Cells of the rows of a table in Markdown."""
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()[2:]]


class Program:
    """alsbench with its own cache, tuning database and working folder; results come back as text."""

    def __init__(self, folder, path=BINARY, cache=None):
        self.folder = folder
        self.path = str(path)
        self.cache = cache or folder / "cache"

    def run(self, *arguments, **options):
        return self.shell([self.path, *map(str, arguments)], **options)

    def shell(self, command, code=0, timeout=400, **environment):
        """A list of words, or a line for the shell."""
        result = subprocess.run(
            command,
            shell=isinstance(command, str),
            cwd=self.folder,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=timeout,
            env={**self.environment, **environment},
        )
        context = f"{command} ended {result.returncode}\n{result.stdout}\n{result.stderr}"
        assert code is None or result.returncode == code, context
        return result

    def start(self, *arguments):
        """The running process; its stderr is a pipe of text, its stdout is dropped."""
        return subprocess.Popen(
            [self.path, *map(str, arguments)],
            cwd=self.folder,
            env=self.environment,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def stopped(self, number, target, is_time, *arguments):
        """The program's output until signal `number`, which it gets once is_time().

        One that ended before is started again, as often as it takes; what it left at `target` is removed first.
        """
        while True:
            shutil.rmtree(target, ignore_errors=True) if target.is_dir() else target.unlink(missing_ok=True)
            with self.start(*arguments) as process:
                while process.poll() is None and not is_time():
                    time.sleep(0.002)
                process.send_signal(number)
                error = process.communicate(timeout=60)[1]
            if process.returncode != 0:
                assert process.returncode in (INTERRUPTED, -number), error
                return error

    @property
    def environment(self):
        return {
            **os.environ,
            "ALSBENCH_CACHE_DIR": str(self.cache),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "NO_COLOR": "1",
            # Tests run concurrently, and count samples.
            "ALSBENCH_DISTURBED": "keep",
        }

    def json(self, *arguments, **options):
        return json.loads(self.run(*arguments, **options).stdout)

    def read_json(self, name):
        return read_json(self.folder / name)

    def write_json(self, name, document):
        return write_json(self.folder / name, document)


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    return Program(tmp_path_factory.mktemp("alsbench"))


# Models of tests/python, small ones.
KINDS = {
    "explicit": {},
    "biases": {"hyper": {"biases": "on"}},
    "implicit": {"feedback": "implicit", "alpha": 3},
    "weighted": {"feedback": "implicit", "alpha": 3, "hyper": {"regularisation": "weighted"}},
    "direct": {"feedback": "implicit", "alpha": 0.5, "hyper": {"confidence": "direct"}},
}


@pytest.fixture(scope="session")
def ratings():
    import alsbench

    return alsbench.load_ratings(dataset="ml-100k", scale=0.2).matrix


@pytest.fixture(scope="session")
def model_of(ratings):
    """The model of a kind, trained exactly."""
    import alsbench

    @functools.cache
    def trained(kind):
        als = alsbench.ALS(rank=8, regularization=0.1, iterations=4, device="cpu", pipeline="exact", **KINDS[kind])
        return als.fit(ratings).model_

    return trained


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def folder(program, tmp_path, ratings):
    """train.tsv, of sixty users whose ids are their rows, and the model that the program trained on it."""
    cells = ratings[:60].tocoo()
    lines = (f"{user}\t{item}\t{value}\n" for user, item, value in zip(*cells.coords, cells.data, strict=True))
    (tmp_path / "train.tsv").write_text("".join(lines), encoding="utf-8")
    words = ["--rank", "8", "--lambda", "0.1", "--iterations", "3", "--device", "cpu", "--test-fraction", "0"]
    program.run("train", "--data", tmp_path / "train.tsv", *words, "--out", tmp_path / "model")
    return tmp_path
