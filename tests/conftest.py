# SPDX-License-Identifier: Apache-2.0
"""What the Python tests share: the program under test, run in a folder and cache of its own."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINARY = pathlib.Path(os.environ.get("ALSBENCH_BINARY", ROOT / "build" / "alsbench"))
SKIPPED = 77  # SKIP_RETURN_CODE in tests/CMakeLists.txt


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == 0 and not reporter.stats.get("passed") and reporter.stats.get("skipped"):
        session.exitstatus = SKIPPED


def validation_errors(document, schema_name):
    """What results/schema/<schema_name>.schema.json finds wrong in the document, each with its place."""
    import jsonschema
    schema = json.loads((ROOT / "results" / "schema" / f"{schema_name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    found = jsonschema.Draft202012Validator(schema).iter_errors(document)
    return [f"/{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in found]


class Program:
    """alsbench with its own cache, tuning database and working folder; results come back as text."""

    def __init__(self, folder, path=BINARY):
        self.folder = folder
        self.path = str(path)

    def run(self, *arguments, **options):
        return self.shell([self.path, *map(str, arguments)], **options)

    def shell(self, command, code=0, timeout=120, **environment):
        """A list of words, or a line for the shell."""
        result = subprocess.run(
            command, shell=isinstance(command, str), cwd=self.folder, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=timeout, env={**self.environment, **environment})
        context = f"{command} ended {result.returncode}\n{result.stdout}\n{result.stderr}"
        assert code is None or result.returncode == code, context
        return result

    def start(self, *arguments):
        """The running process; its stderr is a pipe of text, its stdout is dropped."""
        return subprocess.Popen([self.path, *map(str, arguments)], cwd=self.folder, env=self.environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    @property
    def environment(self):
        return {**os.environ, "ALSBENCH_CACHE_DIR": str(self.folder / "cache"),
                "XDG_DATA_HOME": str(self.folder / "data"), "NO_COLOR": "1"}

    def json(self, *arguments, **options):
        return json.loads(self.run(*arguments, **options).stdout)


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    return Program(tmp_path_factory.mktemp("alsbench"))
