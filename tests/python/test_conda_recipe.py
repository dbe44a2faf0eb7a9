# SPDX-License-Identifier: Apache-2.0
"""The recipe for conda-forge: it agrees with pyproject.toml, and scripts/conda_recipe.py makes it ready to send."""

import hashlib
import re
import subprocess
import sys
import tomllib

import pytest
import yaml

from conftest import ROOT

SCRIPT = ROOT / "scripts/conda_recipe.py"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = re.search(r"project\(alsbench VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def recipe_in(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def archive(folder, prefix, *paths):
    """An archive of these paths of the last commit, as a tag's is made."""
    file = folder / "source.tar.gz"
    words = ["git", "archive", "--format=tar.gz", f"--prefix={prefix}/", "-o", file, "HEAD", *paths]
    subprocess.run(words, cwd=ROOT, check=True)
    return file


def fill(file, folder):
    words = [sys.executable, SCRIPT, file, "--maintainer", "a-person", "--maintainer", "b-person"]
    return subprocess.run([*words, "-o", folder / "recipe.yaml"], capture_output=True, text=True, check=False)


SOURCES = ("CMakeLists.txt", "LICENSE", "pyproject.toml", "python")


def test_the_recipe_is_that_of_the_project():
    recipe = recipe_in(ROOT / "packaging/conda/recipe.yaml")
    assert recipe["context"]["version"] == VERSION
    assert recipe["about"]["homepage"] == PROJECT["urls"]["Homepage"]
    assert recipe["source"]["url"].endswith("/alsbench-${{ version }}.tar.gz")
    assert (recipe["about"]["summary"], recipe["about"]["license"]) == (PROJECT["description"], PROJECT["license"])
    needed = {re.split(r"[ >=<]", word)[0] for word in PROJECT["dependencies"]}
    assert needed <= {word.split()[0] for word in recipe["requirements"]["run"]}
    assert {word.replace(">=", " >=", 1) for word in PROJECT["dependencies"]} <= set(recipe["requirements"]["run"])


def test_a_release_fills_in_its_hash_and_people(tmp_path):
    file = archive(tmp_path, f"alsbench-{VERSION}", *SOURCES)
    result = fill(file, tmp_path)
    assert result.returncode == 0, result.stderr
    sent, kept = recipe_in(tmp_path / "recipe.yaml"), recipe_in(ROOT / "packaging/conda/recipe.yaml")
    assert sent["source"].pop("sha256") == hashlib.sha256(file.read_bytes()).hexdigest()
    assert sent.pop("extra") == {"recipe-maintainers": ["a-person", "b-person"]}
    del kept["source"]["sha256"], kept["extra"]
    assert sent == kept


@pytest.mark.parametrize(
    "prefix, paths, said",
    [
        ("alsbench-9.9.9", SOURCES, f"and the recipe is of alsbench-{VERSION}; give the archive of v{VERSION}"),
        (f"alsbench-{VERSION}", SOURCES[1:], "lacks CMakeLists.txt"),
    ],
)
def test_an_archive_of_something_else_is_refused(tmp_path, prefix, paths, said):
    result = fill(archive(tmp_path, prefix, *paths), tmp_path)
    assert result.returncode == 1 and said in result.stderr
    assert not (tmp_path / "recipe.yaml").exists()


def test_what_is_no_archive_is_refused(tmp_path):
    (tmp_path / "page.html").write_text("<html>not found</html>")
    result = fill(tmp_path / "page.html", tmp_path)
    assert result.returncode == 1 and "page.html: " in result.stderr and "give a source archive" in result.stderr
