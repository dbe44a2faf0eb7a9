# SPDX-License-Identifier: Apache-2.0
"""The text form of pipelines, which the tables of runs have."""

from alsbench.results.records import Step


def steps_of(text: str) -> tuple[Step, ...]:
    """The steps of "bias:rows/solve:cg:steps=6"."""
    found = []
    for step in text.split("/"):
        stage, variant, *settings = step.split(":", 2)
        pairs = [item.split("=", 1) for item in settings[0].split(",")] if settings else []
        found.append(Step(stage=stage, variant=variant, config=dict(pairs)))
    return tuple(found)
