"""Unpacks CPython from Debian's binary packages, with the C library and all other libraries that it needs, so that it
runs on older releases too, and wherever it is mounted: usage: debian_python.py VERSION FOLDER

The mirror is the one that apt uses. Prints the path of the interpreter.
"""

import glob
import hashlib
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

# The release that has the version; sid's is the newest.
SUITES = {"3.13": "trixie", "3.14": "forky", "3.15": "sid"}
ROOTS = ("python{0}", "python{0}-minimal", "libpython{0}-stdlib", "libpython{0}-minimal", "libstdc++6")
# Dependencies of the packages that the interpreter does not need.
UNNEEDED = {"debconf", "dpkg", "libc-bin", "media-types", "netbase", "perl-base", "readline-common", "tzdata"}
LIBRARY_FOLDERS = ("usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu", "usr/lib64", "lib64")
# A script, because a binary names its loader by an absolute path.
LAUNCHER = """#!/bin/sh
home=$(dirname "$(dirname "$(readlink -f "$0")")")
exec "$home/lib/sys/ld-linux-x86-64.so.2" --argv0 "$0" --library-path "$home/lib/sys" "$home/lib/sys/python" "$@"
"""


def main(version: str, folder: Path) -> None:
    interpreter = folder / "bin" / f"python{version}"
    if not interpreter.exists():
        partial = folder.with_name(f"{folder.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        with tempfile.TemporaryDirectory() as work:
            unpack(version, Path(work, "root"))
            build(version, Path(work, "root"), partial)
        subprocess.run([partial / "bin" / interpreter.name, "-c", "import ssl, sqlite3, ctypes, lzma"], check=True)
        partial.rename(folder)
    print(interpreter)


def unpack(version: str, root: Path) -> None:
    mirror = apt_mirror()
    index = fetch(f"{mirror}/dists/{SUITES[version]}/main/binary-amd64/Packages.xz")
    paragraphs = [fields(text) for text in lzma.decompress(index).decode().split("\n\n") if text.strip()]
    packages = {paragraph["Package"]: paragraph for paragraph in paragraphs}
    for name in needed([name.format(version) for name in ROOTS], packages):
        package = packages[name]
        content = fetch(f"{mirror}/{package['Filename']}")
        if hashlib.sha256(content).hexdigest() != package["SHA256"]:
            raise SystemExit(f"{package['Filename']} does not have the checksum of the index")
        archive = root.with_name(f"{name}.deb")
        archive.write_bytes(content)
        subprocess.run(["dpkg-deb", "-x", archive, root], check=True)


def apt_mirror() -> str:
    sites = subprocess.check_output(["apt-get", "indextargets", "--format", "$(SITE)"], text=True).split()
    return next(site for site in sites if "security" not in site).rstrip("/")


def fetch(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=120) as answer:
        return answer.read()


def fields(paragraph: str) -> dict[str, str]:
    return dict(re.findall(r"^([A-Za-z0-9-]+): (.*)$", paragraph, re.MULTILINE))


def needed(roots: list[str], packages: dict[str, dict[str, str]]) -> set[str]:
    providers = {
        virtual.split()[0]: name
        for name, package in packages.items()
        for virtual in re.split(r",\s*", package.get("Provides", ""))
        if virtual
    }
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        name = name if name in packages else providers.get(name, name)
        if name in found or name in UNNEEDED or name not in packages:
            continue
        found.add(name)
        relations = ", ".join(packages[name].get(kind, "") for kind in ("Depends", "Pre-Depends"))
        waiting += [re.split(r"[ :|(]", relation.strip())[0] for relation in relations.split(",") if relation.strip()]
    return found


def build(version: str, root: Path, folder: Path) -> None:
    libraries = folder / "lib/sys"
    libraries.mkdir(parents=True)
    for source in LIBRARY_FOLDERS:
        for library in glob.glob(f"{root}/{source}/*.so*"):
            target = libraries / os.path.basename(library)
            if os.path.exists(library) and not target.exists():
                shutil.copy(library, target)
    shutil.copy(root / f"usr/bin/python{version}", libraries / "python")
    standard = folder / f"lib/python{version}"
    shutil.copytree(root / f"usr/lib/python{version}", standard, ignore_dangling_symlinks=True)
    standard.joinpath("EXTERNALLY-MANAGED").unlink(missing_ok=True)
    launcher = folder / f"bin/python{version}"
    launcher.parent.mkdir()
    launcher.write_text(LAUNCHER)
    launcher.chmod(0o755)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]).absolute())
