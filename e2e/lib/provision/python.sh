#!/usr/bin/env bash
# Provides a Python that the product can find.
# usage: python.sh CACHE [--for-others]    prints a minor version: 3.13, or 3.14 if neither this user nor the package
#                                          archive of the system has 3.13; with --for-others, one that every user can read
#        python.sh CACHE 3.15              prints the path of a Python of that version
# Pythons that are not installed are downloaded: 3.14 from python-build-standalone, the others from Debian. CACHE/bin has
# links to them and belongs on the product's PATH.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
cache=$1
wanted=${2:-}

install() { # packages...
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

provide_go() {
    command -v go >/dev/null && return
    [[ $EUID -eq 0 ]] || { echo "go is not installed; run: sudo apt-get install golang-go" >&2; exit 1; }
    install golang-go
}

compile() { # folder, version: bytecode of the standard library, which is mounted read-only and used by thousands of scripts
    [[ ! -e $1/compiled ]] || return 0
    # By hash, because a copy of the folder has other times. Some files of the test suite are invalid on purpose.
    "$1/bin/python$2" -m compileall -q -j 0 --invalidation-mode unchecked-hash -x '/(test|tests)/' "$1/lib/python$2" >&2 || true
    touch "$1/compiled"
}

unpacked() { # version
    local folder=$cache/cpython-$1
    if [[ $1 == 3.14 ]]; then
        provide_go
        /usr/bin/python3 "$here/standalone_python.py" "$folder"
    else
        /usr/bin/python3 "$here/debian_python.py" "$1" "$folder"
    fi
    compile "$folder" "$1"
}

link() { # version, path
    mkdir -p "$cache/bin"
    ln -sfn "$2" "$cache/bin/python$1"
}

# Two lanes of e2e/run may ask for the same Python.
mkdir -p "$cache"
exec {lock}>"$cache/python.lock"
flock "$lock"

if [[ $wanted == 3.* ]]; then
    python=$("$here/find_python.sh" "$wanted") || { python=$(unpacked "$wanted"); link "$wanted" "$python"; }
    echo "$python"
    exit 0
fi

if [[ -n $wanted ]]; then
    # Other users cannot read the home folder of root.
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
