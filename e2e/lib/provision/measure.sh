#!/usr/bin/env bash
# Runs bench or soak on the packaged JAR; builds the JAR and makes the virtual environment if they are missing.
# usage: measure.sh NAME [arguments for NAME/main.py]
set -euo pipefail

repository=$(readlink -f "$(dirname "$(readlink -f "$0")")/../../..")
name=$1
shift
cache=${XDG_CACHE_HOME:-$HOME/.cache}/python-sandbox-e2e
cd "$repository"
[[ -f target/sandbox.jar ]] || ./mvnw -q -DskipTests package
python=$(e2e/lib/provision/venv.sh "$cache")
export E2E_WORK=${E2E_WORK:-$repository/target/$name/work} PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=lib
E2E_PYTHON_VERSION=${E2E_PYTHON_VERSION:-$(e2e/lib/provision/python.sh "$cache")}
export E2E_PYTHON_VERSION
cd e2e
PATH=$cache/bin:$PATH exec "$python" -m "$name.main" "$@"
