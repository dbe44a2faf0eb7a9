# SPDX-License-Identifier: Apache-2.0
"""Writes what a wheel says of the software inside it that is not alsbench's: describe_parts.py BUILD OUT

OUT gets `licenses/` with the licence of each part, and `sboms/alsbench.cdx.json`, which lists the parts in CycloneDX's
form (PEP 770). auditwheel adds a list of the libraries that it copies into the wheel itself, but not their licences.
"""

import importlib.metadata
import json
import pathlib
import re
import subprocess
import sys

# Parts that are compiled or linked in, or opened from the package: packages of Debian, and of PyPI.
DEBIAN = [
    "libcli11-dev",
    "libfmt9",
    "libgomp1",
    "libssl3",
    "libstdc++-12-dev",
    "libzip4",
    "libzstd1",
    "libbz2-1.0",
    "nlohmann-json3-dev",
]
PYPI = ["nanobind", "nvidia-cuda-runtime", "scipy-openblas32"]


def of_debian(name: str) -> tuple[dict, str]:
    shown = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version} ${Architecture}", name], check=True, capture_output=True, text=True
    )
    version, architecture = shown.stdout.split()
    part = component(name, version, f"pkg:deb/debian/{name}@{version}?arch={architecture}&distro=bookworm")
    return part, pathlib.Path(f"/usr/share/doc/{name}/copyright").read_text(encoding="utf-8")


def of_pypi(name: str) -> tuple[dict, str]:
    distribution = importlib.metadata.distribution(name)
    licences = [file for file in distribution.files or [] if re.search(r"licen[cs]e", file.name, re.IGNORECASE)]
    texts = [pathlib.Path(str(file.locate())).read_text(encoding="utf-8") for file in licences]
    if not texts:
        sys.exit(f"{name} has no licence among its files; name where it is in {__file__}")
    part = component(name, distribution.version, f"pkg:pypi/{name}@{distribution.version}")
    return part, "\n".join(texts)


def component(name: str, version: str, purl: str) -> dict:
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}


def main(build: pathlib.Path, out: pathlib.Path) -> None:
    parts = [*map(of_debian, DEBIAN), *map(of_pypi, PYPI)]
    (out / "licenses").mkdir(parents=True, exist_ok=True)
    (out / "sboms").mkdir(exist_ok=True)
    for part, text in parts:
        (out / "licenses" / f"{part['name']}.txt").write_text(text, encoding="utf-8")
    version = re.search(r"^alsbench (\S+)", subprocess.check_output([build / "alsbench", "--version"], text=True))
    assert version
    whole = component("alsbench", version[1], f"pkg:pypi/alsbench@{version[1]}")
    components = [part for part, _ in parts]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": whole},
        "components": components,
        "dependencies": [{"ref": whole["bom-ref"], "dependsOn": [part["bom-ref"] for part in components]}],
    }
    text = json.dumps(document, indent=2) + "\n"
    (out / "sboms" / "alsbench.cdx.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
