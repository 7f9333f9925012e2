#!/usr/bin/env bash
# Sees to it that there is a Python that the product can find, and prints its minor version: 3.13, or 3.14 from
# python-build-standalone where neither this user nor the system's package archive has a 3.13.
# Where it is that one, CACHE/bin belongs on the product's PATH.
# usage: python.sh CACHE [--for-others]    with --for-others, one that every user of this machine can read
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
cache=$1
for_others=${2:-}

if [[ -n $for_others ]]; then
    # A home folder of root's is closed to others.
    found=$(HOME=/nonexistent PYENV_ROOT=/nonexistent "$here/find_python.sh" 3.13) || found=
else
    found=$("$here/find_python.sh" 3.13) || found=
fi
if [[ -z $found && $EUID -eq 0 ]] && apt-cache show python3.13 >/dev/null 2>&1; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3.13 python3.13-venv >&2
    found=/usr/bin/python3.13
fi
if [[ -n $found ]]; then
    echo 3.13
    exit 0
fi

if ! command -v go >/dev/null; then
    [[ $EUID -eq 0 ]] || { echo "no Python 3.13 and no go to fetch one with; type: sudo apt-get install golang-go" >&2; exit 1; }
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends golang-go >&2
fi
mkdir -p "$cache"
python=$(/usr/bin/python3 "$here/standalone_python.py" "$cache/cpython-3.14")
if [[ -z $for_others ]]; then
    mkdir -p "$cache/bin"
    ln -sfn "$python" "$cache/bin/python3.14"
fi
echo 3.14
