#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fills in packaging/conda/recipe.yaml for conda-forge: the SHA-256 of a release's source archive, and who maintains it.

    scripts/conda_recipe.py ARCHIVE --maintainer NAME [--maintainer NAME...] -o recipe.yaml

ARCHIVE is what the recipe's address serves: the source archive of the tag, as the release workflow writes it.
NAMEs are those of GitHub.
An archive of another version, or without what the recipe builds from, is refused.
"""

import argparse
import hashlib
import pathlib
import re
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
RECIPE = ROOT / "packaging/conda/recipe.yaml"
NEEDED = ("CMakeLists.txt", "LICENSE", "pyproject.toml")  # of the recipe's script and its license_file
NO_HASH = "0" * 64
NOBODY = "recipe-maintainers: []"


def version_of(recipe):
    return re.search(r'^  version: "(.+)"$', recipe, re.MULTILINE)[1]


def checked(archive, version):
    """The bytes of an archive of that version; ends the process where it is another."""
    folder = f"alsbench-{version}"
    try:
        with tarfile.open(archive, "r:gz") as files:
            names = set(files.getnames())
            wrong = sorted(name for name in names if name.split("/")[0] not in (folder, "pax_global_header"))
            if wrong:
                sys.exit(f"{archive}: holds {wrong[0]}, and the recipe is of {folder}; give the archive of v{version}")
            missing = [name for name in NEEDED if f"{folder}/{name}" not in names]
            if missing:
                sys.exit(f"{archive}: lacks {missing[0]}; give the source archive of v{version}")
            project = files.extractfile(f"{folder}/CMakeLists.txt").read().decode()
    except (OSError, tarfile.TarError) as error:
        sys.exit(f"{archive}: {error}; give a source archive, such as dist/{folder}.tar.gz")
    if f"project(alsbench VERSION {version} " not in project:
        sys.exit(f"{archive}: its CMakeLists.txt has another version than {version}; give the archive of v{version}")
    return pathlib.Path(archive).read_bytes()


def filled(recipe, digest, maintainers):
    people = "".join(f"\n    - {name}" for name in maintainers)
    for old, new in ((NO_HASH, digest), (NOBODY, f"recipe-maintainers:{people}")):
        if recipe.count(old) != 1:
            sys.exit(f"{RECIPE}: has not one '{old}'; take the recipe of the tag")
        recipe = recipe.replace(old, new)
    return recipe


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive")
    parser.add_argument("--maintainer", action="append", required=True)
    parser.add_argument("-o", "--out", required=True)
    options = parser.parse_args()
    recipe = RECIPE.read_text(encoding="utf-8")
    content = checked(options.archive, version_of(recipe))
    text = filled(recipe, hashlib.sha256(content).hexdigest(), options.maintainer)
    pathlib.Path(options.out).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
