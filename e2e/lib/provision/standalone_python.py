"""Unpacks the python-build-standalone CPython that a Go module contains: usage: standalone_python.py FOLDER

The module is downloaded by the ordinary Go client, which checks its sum. Prints the path of the interpreter.
"""

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

VERSION = "3.14.6"
MODULE = "github.com/kluctl/go-embed-python"
MODULE_VERSION = f"v0.0.0-{VERSION}-20260610-1"
DATA = f"{MODULE}@{MODULE_VERSION}/python/internal/data/linux-amd64/"
# The two bits of Go's fs.FileMode that matter here.
DIRECTORY, SYMLINK = 1 << 31, 1 << 27


def main(folder: Path) -> None:
    interpreter = folder / "bin" / "python3.14"
    if not interpreter.exists():
        partial = folder.with_name(f"{folder.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        unpack(downloaded_module(), partial)
        subprocess.run([partial / "bin" / "python3.14", "-c", "import ssl, sqlite3"], check=True)
        partial.rename(folder)
    print(interpreter)


def downloaded_module() -> Path:
    with tempfile.TemporaryDirectory() as empty:
        Path(empty, "go.mod").write_text("module e2e\n\ngo 1.19\n")
        command = ["go", "mod", "download", "-json", f"{MODULE}@{MODULE_VERSION}"]
        return Path(json.loads(subprocess.check_output(command, cwd=empty))["Zip"])


def unpack(module: Path, root: Path) -> None:
    with zipfile.ZipFile(module) as archive:
        for file in json.loads(archive.read(DATA + "files.json"))["files"]:
            target, mode = root / file["name"], file["perm"]
            target.parent.mkdir(parents=True, exist_ok=True)
            if mode & DIRECTORY:
                target.mkdir(exist_ok=True)
            elif mode & SYMLINK:
                os.symlink(file["symlink"], target)
            else:
                target.write_bytes(content(archive, file))
                target.chmod(mode & 0o777)


def content(archive: zipfile.ZipFile, file: dict) -> bytes:
    name = DATA + file["name"]
    data = gzip.decompress(archive.read(name + ".gz")) if file.get("compressed") else archive.read(name)
    if len(data) != file["size"]:
        raise SystemExit(f"{name}: {len(data)} bytes instead of {file['size']}")
    return data


if __name__ == "__main__":
    main(Path(sys.argv[1]))
