#!/usr/bin/env bash
# Installs the clients that e2e/clients pins, and Node.js for them, into CACHE/clients; prints what belongs on the PATH.
# usage: clients.sh CACHE
set -euo pipefail

pins=$(dirname "$(dirname "$(readlink -f "$0")")")/clients
clients=$1/clients
path=$clients/venv/bin:$clients/node_modules/.bin

if ! cmp -s "$pins/requirements.txt" "$clients/venv/requirements.txt"; then
    rm -rf "$clients/venv"
    mkdir -p "$clients"
    /usr/bin/python3 -m venv "$clients/venv"
    "$clients/venv/bin/pip" install --quiet --disable-pip-version-check -r "$pins/requirements.txt" >&2
    cp "$pins/requirements.txt" "$clients/venv/requirements.txt"
fi
if ! command -v npm >/dev/null; then
    [[ $EUID -eq 0 ]] || { echo "no npm; type: sudo apt-get install npm" >&2; exit 1; }
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends npm >&2
fi
if ! cmp -s "$pins/package.json" "$clients/node_modules/package.json"; then
    rm -rf "$clients/node_modules" "$clients/package-lock.json"
    cp "$pins/package.json" "$clients/package.json"
    PATH=$path:$PATH npm install --prefix "$clients" --no-audit --no-fund --loglevel=error >&2
    cp "$pins/package.json" "$clients/node_modules/package.json"
fi
echo "$path"
