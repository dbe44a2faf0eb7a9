# SPDX-License-Identifier: Apache-2.0
"""Shared by the scripts whose tables say how often the judge is right: its runs, their provenance, the page's blocks."""

import datetime
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "explanation" / "comparing.md"
PROGRAM = pathlib.Path(os.environ.get("ALSBENCH", ROOT / "build" / "alsbench")).resolve()
JUDGE = pathlib.Path(os.environ.get("JUDGE", ROOT / "build" / "tests" / "judge_pairs")).resolve()


def judged(pairs, rules):
    """The comparison of each pair of results, both given as text."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folders = [pathlib.Path(name) / str(i) for i in range(len(pairs))]
        for folder, (base, test) in zip(folders, pairs, strict=True):
            folder.mkdir()
            (folder / "base.json").write_text(base, encoding="utf-8")
            (folder / "test.json").write_text(test, encoding="utf-8")
            (folder / "rules.json").write_text(json.dumps(rules), encoding="utf-8")
        subprocess.run([JUDGE, name], check=True)
        return [json.loads((folder / "judged.json").read_text(encoding="utf-8")) for folder in folders]


def provenance():
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=False).stdout
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return {
        "time_utc": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "program": version.splitlines()[0] if version else None,
        "judge_sha256": hashlib.sha256(JUDGE.read_bytes()).hexdigest(),
        "git_commit": commit.stdout.strip(),
    }


def put_into_page(script, lines):
    """Replaces the lines between the page's two marks of that script."""
    begin, end = f"<!-- {script} -->", f"<!-- {script} end -->"
    head, rest = PAGE.read_text(encoding="utf-8").split(begin)
    PAGE.write_text("\n".join([head + begin, *lines, end + rest.split(end)[1]]), encoding="utf-8")
