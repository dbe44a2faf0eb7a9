# SPDX-License-Identifier: Apache-2.0
"""Shared by several kinds of documents: names of cases, and the text forms of pipelines."""

import re
from typing import Any

from schema_1.suite_hashes import SUITE_HASHES

VERSION = "2.0.0"
Json = dict[str, Any]


KEYS = {
    "canaries": "controls",
    "canary_seconds": "control_seconds",
    "doubts": "warnings",
    "judging_seconds": "accuracy_seconds",
    "near": "warm_start",
    "nearest_roof": "nearest_ceiling",
    "playing_seconds": "playoff_seconds",
    "ratio_to_canaries": "ratio_to_controls",
    "roofs": "ceilings",
    "share_of_roof": "share_of_ceiling",
    "told": "result",
    "unmeasured_roofs": "unmeasured_ceilings",
}
VALUES = {  # of a key
    "kind": {"other_work": "contention", "roof": "ceiling"},
    "name": {"roofs": "ceilings"},
    "purpose": {"near": "warm_start"},
    "role": {"canary": "control", "roof": "ceiling"},
    "told": {"untold": "inconclusive"},
}
PLACES = (
    (r"(^|/)side:(?=\w)", r"\1part:"),
    (r"/beside:(?=\w)", "/with:"),
    (r"^kernels/(cpu|cuda)/roof/", r"kernels/\1/ceiling/"),
)


def in_new_words(value):
    """A document whose keys, and names of cases, kinds and sources, are those of schema 2.0."""
    if isinstance(value, str):
        for old, new in PLACES:
            value = re.sub(old, new, value)
        return SUITE_HASHES.get(value, value)
    if isinstance(value, list):
        return [in_new_words(each) for each in value]
    if isinstance(value, dict):
        return {KEYS.get(name, in_new_words(name)): _member(name, each) for name, each in value.items()}
    return value


def _member(name, value):
    if name == "command_line":
        return value
    values = VALUES.get(name, {})
    return values[value] if isinstance(value, str) and value in values else in_new_words(value)


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
    return {"schema_version": VERSION, "kind": kind, **in_new_words(members)}
