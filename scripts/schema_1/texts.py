# SPDX-License-Identifier: Apache-2.0
"""Shared by several kinds of documents: names of cases, and the text forms of pipelines."""

import re
from typing import Any

from schema_1.suite_hashes import SUITE_HASHES

VERSION = "2.0.0"
Json = dict[str, Any]


def renamed_places(value):
    """A document whose names of cases say part:x in place of side:x."""
    if isinstance(value, str):
        return SUITE_HASHES.get(value) or re.sub(r"(^|/)side:(?=\w)", r"\1part:", value)
    if isinstance(value, list):
        return [renamed_places(each) for each in value]
    if isinstance(value, dict):
        return {
            renamed_places(name): each if name == "command_line" else renamed_places(each)
            for name, each in value.items()
        }
    return value


def config_of(text: str) -> Json:
    """Of "tile=8,l1=on"."""
    return dict(item.split("=", 1) for item in text.split(",") if item)


def point_of(text: str) -> Json:
    """Of a point of a search space, "tiled:tile=8,l1=on"."""
    variant, _, config = text.partition(":")
    return {"variant": variant, "config": config_of(config)}


def steps_of(text: str) -> list[Json]:
    """Of a pipeline's text, "hermitian:tiled:tile=8/bias:rows/solve:cg:steps=6"."""
    return [{"stage": stage, **point_of(rest)} for stage, _, rest in (step.partition(":") for step in text.split("/"))]


def pipelines_of(texts: Json) -> list[Json]:
    return [{"part": part, "steps": steps_of(text)} for part, text in texts.items()]


def headed(kind: str, members: Json) -> Json:
    """The members that say which document it is, then the others."""
    return {"schema_version": VERSION, "kind": kind, **members}
