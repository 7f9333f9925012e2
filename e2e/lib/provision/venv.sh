#!/usr/bin/env bash
# Makes the virtual environment that runs the tests, or updates it after a change of e2e/requirements.txt.
# usage: venv.sh CACHE   prints the path of its Python
set -euo pipefail

requirements=$(dirname "$(readlink -f "$0")")/../../requirements.txt
venv=$1/venv
if ! cmp -s "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    /usr/bin/python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" >&2
    cp "$requirements" "$venv/requirements.txt"
fi
echo "$venv/bin/python"
