# SPDX-License-Identifier: Apache-2.0
"""python -m plots.pages [--write]: the pages whose tables are not those of the committed results; --write fills them in.

A block of a page that results make stands between two comments. The first is the command without `python -m`:

    <!-- plots.defaults results/nvidia-h200/defaults.json.gz -->
    <!-- end -->

The site's build fills all blocks by itself. The text of a page between them is for readers of the repository.
"""

import glob
import importlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^<!-- (plots\.\w+) ([^\n]+?) -->\n.*?^<!-- end -->$", re.M | re.S)


def pages() -> list[pathlib.Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def filled(text: str, root: pathlib.Path = ROOT) -> str:
    """The page with every block made of the results below root."""

    def made(block: re.Match[str]) -> str:
        module, words = block.groups()
        files = [file for word in words.split() for file in sorted(glob.glob(str(root / word))) or [str(root / word)]]
        return f"<!-- {module} {words} -->\n\n{importlib.import_module(module).text(files)}\n\n<!-- end -->"

    return BLOCK.sub(made, text)


def main() -> None:
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    for page in pages():
        text = page.read_text(encoding="utf-8")
        new = filled(text)
        if new == text:
            continue
        print(page.relative_to(ROOT))
        if len(sys.argv) > 1:
            page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
