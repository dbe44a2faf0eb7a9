# SPDX-License-Identifier: Apache-2.0
"""Gathers the pages of the site: those of the repository, what they link to, and a reference that the program writes.

    python scripts/site_pages.py FOLDER [PROGRAM]

The folder mirrors the repository, so links work here and there alike. It is emptied first. scripts/site builds the site from it.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from plots.pages import filled  # noqa: E402

TOP = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
LINK = re.compile(r"\[((?:[^][]|\[[^][]*\])*)\]\(([^)\s#]+)(#[^)\s]*)?\)")


class Site:
    def __init__(self, folder):
        self.folder = folder

    def copy_page(self, page):
        """Its tables are made of the committed results. Files that the page links to come along; a link to a folder, which no site can show, becomes its text."""

        def followed(link):
            text, target, _ = link.groups()
            path = (page.parent / target).resolve()
            if ":" in target or path.suffix == ".md":
                return link[0]
            if not path.is_relative_to(ROOT) or not path.exists():
                return link[0]  # for MkDocs to complain of
            if path.is_dir():
                return text
            copy = self.folder / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            return link[0]

        self.write(page.relative_to(ROOT), LINK.sub(followed, filled(page.read_text(encoding="utf-8"))))

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def in_cell(text):
    """Text as it stands in a cell of a table."""
    return (
        str(text).replace("\\", "\\\\").replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;").replace("\n", " ")
    )


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows]) + "\n"


class Reference:
    """Pages that the program's own answers make."""

    def __init__(self, program):
        self.program = str(program)

    def ask(self, *words):
        return subprocess.run([self.program, *words], check=True, capture_output=True, text=True).stdout

    def listed(self, topic):
        return json.loads(self.ask("list", topic, "--json"))[topic]

    def commands(self):
        """The help of every command, in the order of the program's own list."""

        def sections(words):
            text = self.ask(*words, "--help")
            inner = re.findall(r"^  ([a-z]+) ", text.partition("Subcommands:\n")[2], re.MULTILINE)
            title = " ".join(["alsbench", *words])
            own = [] if inner else [f"## {title}\n\n```text\n{text.strip()}\n```\n"]
            return own + [section for name in inner for section in sections([*words, name])]

        return "# Commands and flags\n\nWhat `alsbench COMMAND --help` prints.\n\n" + "\n".join(sections([]))

    def variants(self):
        variants = self.listed("variants")
        text = "# Variants\n\nWhat `alsbench list variants` prints: every variant, by stage, with its parameters.\n"
        text += "The first value of a parameter is its default.\n"
        for stage in dict.fromkeys(variant["stage"] for variant in variants):
            text += f"\n## {stage}\n"
            for variant in variants:
                if variant["stage"] != stage:
                    continue
                text += f"\n### {variant['id']}\n\n{in_cell(variant['summary'])}\n\n"
                rows = [
                    [f"`{one['name']}`", in_cell(", ".join(one["values"])), in_cell(one["description"])]
                    for one in variant["parameters"]
                ]
                text += table(["parameter", "values", "meaning"], rows) if rows else ""
        return text

    def suites(self):
        text = "# Suites and data sets\n\nWhat `alsbench list suites` and `alsbench list datasets` print.\n"
        for title, topic in (("Suites", "suites"), ("Data sets", "datasets")):
            rows = [[f"`{one['name']}`", in_cell(one["description"])] for one in self.listed(topic)]
            text += f"\n## {title}\n\n" + table(["name", "description"], rows)
        return text


def type_of(schema):
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    if "const" in schema:
        return f"`{in_cell(json.dumps(schema['const']))}`"
    if "enum" in schema:
        return ", ".join(f"`{in_cell(json.dumps(value))}`" for value in schema["enum"])
    if "items" in schema:
        return f"array of {type_of(schema['items'])}"
    kinds = schema.get("type", "any")
    return " or ".join(kinds) if isinstance(kinds, list) else kinds


def fields(schema, prefix=""):
    """A row for each field of a schema, those of objects inside it among them."""
    rows = []
    for name, field in schema.get("properties", {}).items():
        if not isinstance(field, dict):
            continue
        needed = "yes" if name in schema.get("required", []) else ""
        rows.append([f"`{prefix}{name}`", type_of(field), needed, in_cell(field.get("description", ""))])
        rows += fields(field, f"{prefix}{name}.")
        rows += fields(field.get("items", {}), f"{prefix}{name}[].")
    return rows


def schemas(reference):
    text = (
        "# Schemas\n\nEvery field of the files that the program reads and writes: as `alsbench schema` prints them.\n"
    )
    head = ["field", "type", "required", "meaning"]
    for name in reference.ask("schema").split():
        schema = json.loads(reference.ask("schema", name))
        text += f"\n## {name}\n\n{in_cell(schema['title'])}.\n\n" + table(head, fields(schema))
        for inner, definition in schema.get("$defs", {}).items():
            rows = fields(definition)
            text += f"\n### {name}: {inner}\n\n" + table(head, rows) if rows else ""
    return text


def main(folder, program=ROOT / "build/alsbench"):
    folder = pathlib.Path(os.path.abspath(folder))
    shutil.rmtree(folder, ignore_errors=True)
    site, reference = Site(folder), Reference(program)
    for page in [*(ROOT / name for name in TOP), *sorted((ROOT / "docs").rglob("*.md"))]:
        site.copy_page(page)
    site.write("generated/commands.md", reference.commands())
    site.write("generated/variants.md", reference.variants())
    site.write("generated/suites.md", reference.suites())
    site.write("generated/schemas.md", schemas(reference))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
