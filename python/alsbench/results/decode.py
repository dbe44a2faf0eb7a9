# SPDX-License-Identifier: Apache-2.0
"""JSON that the program wrote as frozen dataclasses, by their fields and types.

A field that is missing or of another type is an error that names its place; one that no dataclass knows is ignored. A field with
a default may be missing. A class with from_json reads itself.
"""

import dataclasses
import functools
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, Union

from alsbench.errors import UsageError

_NAMES = {
    dict: "an object",
    list: "an array",
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


def decode(kind: Any, value: Any, place: str) -> Any:
    """The value as the type; raises UsageError that begins with its place."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return value
    if origin in (Union, types.UnionType):
        wanted = next(each for each in arguments if each is not type(None))
        return None if value is None else decode(wanted, value, place)
    if origin is Literal:
        return value if value in arguments else _fail(place, f"is {value!r}, none of {', '.join(map(repr, arguments))}")
    if origin is tuple:
        return tuple(decode(arguments[0], each, f"{place}/{i}") for i, each in enumerate(_expect(list, value, place)))
    if origin is Mapping:
        return {key: decode(arguments[1], each, f"{place}/{key}") for key, each in _expect(dict, value, place).items()}
    if dataclasses.is_dataclass(kind):
        return _object(kind, _expect(dict, value, place), place)
    if kind is float and type(value) is int:
        return float(value)
    return _expect(kind, value, place)


def _object(kind: Any, value: dict[str, Any], place: str) -> Any:
    if hasattr(kind, "from_json"):
        return kind.from_json(value, place)
    fields = {}
    for name, (key, hint, required) in _fields(kind).items():
        if key in value:
            fields[name] = decode(hint, value[key], f"{place}/{key}")
        elif required:
            _fail(f"{place}/{key}", "is missing")
    return kind(**fields)


@functools.cache
def _fields(kind: Any) -> dict[str, tuple[str, Any, bool]]:
    """The JSON name and type of each field, and whether it must be there."""
    hints = typing.get_type_hints(kind)
    missing = dataclasses.MISSING
    return {
        each.name: (
            each.metadata.get("json", each.name),
            hints[each.name],
            each.default is missing and each.default_factory is missing,
        )
        for each in dataclasses.fields(kind)
    }


def _expect(kind: type, value: Any, place: str) -> Any:
    return value if type(value) is kind else _fail(place, f"is {value!r:.60}, not {_NAMES[kind]}")


def _fail(place: str, what: str) -> typing.NoReturn:
    raise UsageError(f"{place}: {what}")
