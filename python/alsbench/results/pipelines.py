# SPDX-License-Identifier: Apache-2.0
"""Pipelines as documents have them: the steps that update one part of a model, in their order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """A variant of a stage and its configuration."""

    stage: str
    variant: str
    config: Mapping[str, str]

    @property
    def text(self) -> str:
        """As tables and options have it: "solve:cg:steps=6"."""
        return ":".join([self.stage, self.variant, *([_settings(self.config)] if self.config else [])])


@dataclass(frozen=True)
class Pipeline:
    """The steps that update a part of a model."""

    part: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Point:
    """A point of a search space: a variant of its stage and its configuration."""

    variant: str
    config: Mapping[str, str]

    @property
    def text(self) -> str:
        """As tables have it: "cg:steps=6"."""
        return ":".join([self.variant, *([_settings(self.config)] if self.config else [])])

    @property
    def parameters(self) -> Mapping[str, str]:
        """The variant and each value: {"variant": "tiled", "tile": "10"}."""
        return {"variant": self.variant, **self.config}


def text_of(steps: Iterable[Step]) -> str:
    """As tables and options have a pipeline: "bias:rows/solve:cg:steps=6"."""
    return "/".join(step.text for step in steps)


def steps_of(text: str) -> tuple[Step, ...]:
    """Of that text, which the tables of runs have."""
    found = []
    for step in text.split("/"):
        stage, variant, *settings = step.split(":", 2)
        pairs = [item.split("=", 1) for item in settings[0].split(",")] if settings else []
        found.append(Step(stage, variant, dict(pairs)))
    return tuple(found)


def _settings(config: Mapping[str, str]) -> str:
    return ",".join(f"{name}={value}" for name, value in config.items())
