#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts documents of schema 1.x to 2.0, in place: convert_results.py PATH...

A path is a file, or a folder whose .json and .json.gz files are converted. A file that gzip compressed stays compressed. One that is
of schema 2.x already, or of a kind that has no conversion, is left as it is.
"""

import gzip
import json
import pathlib
import re
import sys

VERSION = "2.0.0"
GZIP = b"\x1f\x8b"


def ordered(document, keys):
    """The members in the order of these keys, then the others."""
    return {key: document[key] for key in keys if key in document} | document


def head(document, kind, **more):
    """The members that say which document it is, then the others as they are."""
    own = {"schema_version": VERSION, "kind": kind}
    others = {key: value for key, value in document.items() if key not in ("$schema", *own, *more)}
    return own | renamed_places(others) | more


def renamed(document, **names):
    return {names.get(key, key): value for key, value in document.items()}


def renamed_places(value):
    """A document whose names of cases say part:x in place of side:x."""
    if isinstance(value, str):
        return re.sub(r"(^|/)side:(?=\w)", r"\1part:", value)
    if isinstance(value, list):
        return [renamed_places(each) for each in value]
    if isinstance(value, dict):
        return {
            renamed_places(name): each if name == "command_line" else renamed_places(each)
            for name, each in value.items()
        }
    return value


def config_of(text):
    """Of "tile=8,l1=on"."""
    return dict(setting.split("=", 1) for setting in text.split(",") if setting)


# Comparisons


CASE = ["name", "role", "device", "verdict", "time_verdict", "regressed", "reason", "base_launches", "test_launches"]
CASE += ["base_seconds", "test_seconds", "base_disturbed", "test_disturbed", "ratio", "ratio_low", "ratio_high", "p"]
CASE += ["adjusted_p", "launches_needed", "code", "figures", "causes", "cross_environment", "detectable_effect"]
NEW_IN_CASES = {"base_disturbed": 0, "test_disturbed": 0, "causes": [], "detectable_effect": None}
COMPARISON = ["schema_version", "kind", "procedure", "conclusion", "base", "test", "rules", "differences"]
COMPARISON += ["not_compared", "disturbed", "cases", "canaries", "provenance", "design", "self", "launches"]


def launch(document):
    absent = {"outcome": "ok", "median_seconds": None, "samples": 0}
    return document | {"cases": [{"name": name} | absent | one for name, one in document["cases"].items()]}


def comparison(document):
    document = head({"not_compared": [], "disturbed": [], "launches": []} | document, "comparison")
    document["rules"] = renamed({"memory_bound": 0.01} | document["rules"], rmse_bound="metric_bound")
    for cases in ("cases", "canaries"):
        document[cases] = [ordered(NEW_IN_CASES | case, CASE) for case in document[cases]]
    document["launches"] = [launch(each) for each in document["launches"]]
    return ordered(document, COMPARISON)


def bisection(document):
    return head(document, "bisection")


# Kernels


REPORT = ["registers", "spill_store_bytes", "spill_load_bytes", "stack_bytes", "static_shared_bytes"]
REPORT += ["dynamic_shared_bytes", "block", "blocks_per_multiprocessor", "occupancy", "code_hash"]
REPORT += ["compile_seconds", "from_cache"]
KERNEL = ["variant", "config", "rank", "launch", "arch", "source", "instance", "outcome", "detail", "report"]


def kernel(document):
    document = renamed(document, error="detail")
    report = {key: document.pop(key) for key in REPORT if key in document}
    document |= {"config": config_of(document["config"]), "report": report or None}
    return ordered({"detail": None} | document, KERNEL)


def static(document):
    kernels = [{"source_hash": None} | kernel(each) for each in document["kernels"]]
    return head(document, "static", kernels=[ordered(each, [*KERNEL, "source_hash"]) for each in kernels])


def compiled(document):
    skipped = [each | {"config": config_of(each["config"])} for each in document["skipped"]]
    kernels = [kernel(each) for each in document["kernels"]]
    return head(document, "compile", kernels=kernels, skipped=skipped)


def static_comparison(document):
    def converted(one):
        counts = [{"verdict": verdict, "count": count} for verdict, count in one["counts"].items()]
        findings = [renamed(each, cross_env="cross_environment") for each in one["findings"]]
        return {"compiled": 0, "known": 0} | one | {"counts": counts, "findings": findings}

    return head(document, "static_comparison", comparisons=[converted(one) for one in document["comparisons"]])


# Histories


def fnv1a128(text):
    value = 0x6C62272E07BB014262B821756295C58D
    for byte in text.encode():
        value = (value ^ byte) * 0x0000000001000000000000000000013B % 2**128
    return f"{value:032x}"


def checksum(document):
    content = {key: value for key, value in document.items() if key != "checksum"}
    return fnv1a128(json.dumps(content, separators=(",", ":"), ensure_ascii=False))


def history_run(document):
    if checksum(document) != document["checksum"]:
        raise ValueError("its checksum differs: it was changed or damaged; restore it from a copy")
    document = head(document, "history_run")
    return document | {"checksum": checksum(document)}


def history(document):
    return head(renamed(document, steps="shifts"), "history")


def accepted_shifts(document):
    shifts = [renamed(shift, most_ratio="max_ratio") for shift in document.get("shifts", [])]
    return head(document, "accepted_shifts", shifts=shifts)


# What the machine has


def listing(document):
    return head(document, "list")


def doctor(document):
    return head(document, "doctor")


# By the kind of a document.
CONVERSIONS = {
    "accepted_shifts": accepted_shifts,
    "bisection": bisection,
    "comparison": comparison,
    "compile": compiled,
    "doctor": doctor,
    "history": history,
    "history_run": history_run,
    "list": listing,
    "static": static,
    "static_comparison": static_comparison,
}


def kind_of(document):
    return document.get("kind")


def converted(document):
    """The document in schema 2.0; None where it is to be left as it is."""
    if not isinstance(document, dict):
        return None
    # Shifts are accepted by people, and had no version.
    old = document.get("schema_version", "1.0.0" if kind_of(document) == "accepted_shifts" else "")
    conversion = CONVERSIONS.get(kind_of(document))
    return conversion(document) if conversion and old.startswith("1.") else None


def indent_of(text):
    """Of the first member; None where all stands on one line."""
    second = text.partition("\n")[2]
    return (len(second) - len(second.lstrip(" "))) or None


def convert_file(path):
    """Whether it was converted."""
    content = path.read_bytes()
    packed = content.startswith(GZIP)
    text = (gzip.decompress(content) if packed else content).decode()
    document = converted(json.loads(text))
    if document is None:
        return False
    end = "\n" if text.endswith("\n") else ""
    new = (json.dumps(document, indent=indent_of(text), ensure_ascii=False) + end).encode()
    path.write_bytes(gzip.compress(new, mtime=0) if packed else new)
    return True


def files_of(path):
    if not path.is_dir():
        return [path]
    return sorted(each for each in path.rglob("*") if each.name.endswith((".json", ".json.gz")))


def main(paths):
    count = failed = 0
    for path in (file for each in paths for file in files_of(pathlib.Path(each))):
        try:
            count += convert_file(path)
        except (OSError, ValueError, KeyError, TypeError) as error:
            failed += 1
            print(f"{path}: not converted: {type(error).__name__}: {error}", file=sys.stderr)
    print(f"{count} files converted")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
