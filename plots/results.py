# SPDX-License-Identifier: Apache-2.0
"""Result files: reading, checking against results/schema, and the few questions figures ask of them."""

import json
import pathlib

SCHEMA = pathlib.Path(__file__).resolve().parents[1] / "results" / "schema" / "result.schema.json"
MODES = ("cold", "hot")


class ResultError(Exception):
    """The file is no readable result; the message names file, place and remedy."""


def load(path, check=True):
    """The result document of `path`, validated."""
    try:
        document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}; give a file that `alsbench run --json` wrote") from error
    except ValueError as error:
        raise ResultError(f"{path}: is not JSON ({error}); was it cut off?") from error
    if check:
        validate(document, path)
    return document


def validate(document, path):
    import jsonschema  # here, so that plots.summary needs no package

    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    error = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(schema).iter_errors(document))
    if error is not None:
        place = "/" + "/".join(map(str, error.absolute_path))
        raise ResultError(f"{path}: at {place}: {error.message}; it does not match {SCHEMA.name}")


def suite_name(document):
    return document["suite"].get("name") or "results"


def measured(document, stage=None, role=None):
    """The cases with a median, in the file's order."""
    return [
        case
        for case in document["cases"]
        if case["outcome"] == "ok"
        and block(case) is not None
        and (stage is None or case["stage"] == stage)
        and (role is None or case["role"] == role)
    ]


def trainings(document):
    return [
        case
        for case in document["cases"]
        if case["outcome"] == "ok" and case["training"] and case["training"]["iterations"]
    ]


def block(case, mode=None):
    """The measurement of a cache mode; without one the cold measurement, else the hot one."""
    for name in (mode,) if mode else MODES:
        if case.get(name) and case[name].get("statistics"):
            return case[name]
    return None


def seconds(case, mode=None):
    return block(case, mode)["statistics"]["median_seconds"]


def quartiles(case, mode=None):
    statistics = block(case, mode)["statistics"]
    return statistics["q1_seconds"], statistics["q3_seconds"]


def rate(case, name, mode=None):
    """flops_per_second and the like; 0 where the stage has none."""
    return block(case, mode).get(name) or 0.0


def share(case, mode=None):
    """(share, what of): of the nearest roof that was measured, or None; files before 1.9.0 have none."""
    roofs = [each for each in block(case, mode).get("shares", []) if each["kind"] == "roof"]
    return (roofs[0]["share"], roofs[0]["of"]) if roofs else None


def device_names(document):
    """Names of the devices that measured something, each once."""
    used = {case["backend"] for case in document["cases"] if case["outcome"] != "skipped"}
    names = [device["name"] for device in document["devices"] if device["backend"] in used]
    return list(dict.fromkeys(names)) or [device["name"] for device in document["devices"]]


def caption(document):
    provenance = document["provenance"]
    problems = dict.fromkeys(case["problem"]["name"] for case in document["cases"])
    build = provenance["build"]
    commit = build["git_commit"][:10] + ("+" if build["git_dirty"] else "")
    return (
        f"{', '.join(device_names(document))}; {provenance['time_utc']}; alsbench {build['version']} ({commit})\n"
        f"suite {suite_name(document)}: {', '.join(problems)}"
    )


def varying(cases):
    """Names of the configuration parameters that have several values among the cases which have them."""
    names = dict.fromkeys(name for case in cases for name in case["config"])
    return [name for name in names if len({case["config"][name] for case in cases if name in case["config"]}) > 1]


def label(case, names, leave_out=()):
    """`tiled gather=strided l1=on` with the named parameters that the case has."""
    parts = [f"{name}={case['config'][name]}" for name in names if name in case["config"] and name not in leave_out]
    return " ".join([case["variant"]] + parts)
