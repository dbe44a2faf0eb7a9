# SPDX-License-Identifier: Apache-2.0
"""A user's home with a tuning database of its own, for the tests of the database."""

import pytest

from conftest import Program, steps_of, validation_errors, write_json

PROBLEM = ["--dataset", "ml-100k", "--scale", "0.2", "--rank", "8"]
PICK = (
    "hermitian:blocked:tile=4,bin=64,store=streaming,factors=fp32,output=fp32/bias:rows:factors=fp32/"
    "solve:cg:matrix=fp32,steps=3,late_steps=0,tolerance=0,warm=on,precondition=none"
)


def text_of(steps):
    """The text of a pipeline, as people read it."""
    settings = [",".join(f"{name}={value}" for name, value in step["config"].items()) for step in steps]
    return "/".join(
        ":".join(filter(None, [step["stage"], step["variant"], config])) for step, config in zip(steps, settings)
    )


class Home(Program):
    """A user's home with a tuning database of its own."""

    def best(self, *arguments):
        return self.json("best", "--device", "cpu", *PROBLEM, "--json", *arguments)

    def entry(self, pick=PICK, what="pipeline", part="x", **changes):
        """An entry for this machine at the shape of PROBLEM."""
        answer = self.best("--part", part)
        shape, steps = answer["picks"][0]["shape"], steps_of(pick)
        entry = {
            "device": answer["device"],
            "what": what,
            "members": 1,
            "algorithm": "als",
            "part": part,
            "objective": "time",
            "bucket": "",
            "shape": shape,
            "data": "ml-100k@0.2/rank:8",
            "storage": {"factors": "fp32", "matrices": "fp32"},
            "pick": steps,
            "default_pick": steps,
            "median_seconds": 0.001,
            "default_seconds": 0.003,
            "speedup_over_default": 3,
            "ties": [steps],
            "search": {
                "strategy": "random",
                "budget_evaluations": 10,
                "budget_seconds": 0,
                "evaluations": 10,
                "seed": 1,
            },
            "code_hash": "of long ago",
            "accuracy": None,
            "provenance": {"time_utc": "2026-01-31T12:00:00Z", "git_commit": "abc"},
        }
        return {**entry, **changes}

    def write(self, name, entries):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        document = {"schema_version": "2.0.0", "kind": "tuned", "entries": entries}
        assert validation_errors(document, "tuned") == []
        return write_json(path, document)


@pytest.fixture()
def home(tmp_path, program):
    home = Home(tmp_path)
    (tmp_path / "cache").symlink_to(program.folder / "cache")
    (program.folder / "cache").mkdir(exist_ok=True)
    return home
