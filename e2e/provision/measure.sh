#!/usr/bin/env bash
# Runs a measuring program of e2e on the packaged JAR: builds it and installs the tools where they are missing.
# usage: measure.sh NAME [arguments for NAME/main.py]
set -euo pipefail

repository=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
name=$1
shift
cache=${XDG_CACHE_HOME:-$HOME/.cache}/python-sandbox-e2e
venv=$cache/venv
cd "$repository"
[[ -f target/sandbox.jar ]] || ./mvnw -q -DskipTests package
if [[ ! -x $venv/bin/python ]]; then
    /usr/bin/python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r e2e/requirements.txt
fi
export E2E_WORK=${E2E_WORK:-$repository/target/$name/work} PYTHONDONTWRITEBYTECODE=1
E2E_PYTHON_VERSION=${E2E_PYTHON_VERSION:-$(e2e/provision/python.sh "$cache")}
export E2E_PYTHON_VERSION
cd e2e
PATH=$cache/bin:$PATH exec "$venv/bin/python" -m "$name.main" "$@"
