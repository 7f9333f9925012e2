#!/usr/bin/env bash
# Sees to it that there is a Python that the product can find.
# usage: python.sh CACHE [--for-others]    prints a minor version: 3.13, or 3.14 where neither this user nor the system's
#                                          package archive has a 3.13; with --for-others, one that every user can read
#        python.sh CACHE 3.15              prints the path of a Python of that version
# Where they come from elsewhere, 3.14 is python-build-standalone's and the others are Debian's; CACHE/bin has links to
# them and belongs on the product's PATH.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
cache=$1
wanted=${2:-}

install() { # packages...
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

provide_go() {
    command -v go >/dev/null && return
    [[ $EUID -eq 0 ]] || { echo "no go to fetch a Python with; type: sudo apt-get install golang-go" >&2; exit 1; }
    install golang-go
}

unpacked() { # version
    mkdir -p "$cache"
    if [[ $1 == 3.14 ]]; then
        provide_go
        /usr/bin/python3 "$here/standalone_python.py" "$cache/cpython-3.14"
    else
        /usr/bin/python3 "$here/debian_python.py" "$1" "$cache/cpython-$1"
    fi
}

link() { # version, path
    mkdir -p "$cache/bin"
    ln -sfn "$2" "$cache/bin/python$1"
}

if [[ $wanted == 3.* ]]; then
    python=$("$here/find_python.sh" "$wanted") || { python=$(unpacked "$wanted"); link "$wanted" "$python"; }
    echo "$python"
    exit 0
fi

if [[ -n $wanted ]]; then
    # A home folder of root's is closed to others.
    found=$(HOME=/nonexistent PYENV_ROOT=/nonexistent "$here/find_python.sh" 3.13) || found=
else
    found=$("$here/find_python.sh" 3.13) || found=
fi
if [[ -z $found && $EUID -eq 0 ]] && apt-cache show python3.13 >/dev/null 2>&1; then
    install python3.13 python3.13-venv
    found=/usr/bin/python3.13
fi
if [[ -n $found ]]; then
    echo 3.13
    exit 0
fi
python=$(unpacked 3.14)
[[ -n $wanted ]] || link 3.14 "$python"
echo 3.14
