#!/usr/bin/env bash
# Installs the clients that e2e/clients pins into CACHE/clients, and the system packages that they and the suite
# distribution need; prints the folders for PATH.
# usage: clients.sh CACHE
set -euo pipefail

pins=$(dirname "$(readlink -f "$0")")/../../clients
clients=$1/clients
path=$clients/venv/bin:$clients/node_modules/.bin

if ! cmp -s "$pins/requirements.txt" "$clients/venv/requirements.txt"; then
    rm -rf "$clients/venv"
    mkdir -p "$clients"
    /usr/bin/python3 -m venv "$clients/venv"
    "$clients/venv/bin/pip" install --quiet --disable-pip-version-check -r "$pins/requirements.txt" >&2
    cp "$pins/requirements.txt" "$clients/venv/requirements.txt"
fi
missing=()
command -v npm >/dev/null || missing+=(npm)
command -v go >/dev/null || missing+=(golang-go) # fetches the schema of the MCP registry
if [[ ${#missing[@]} -gt 0 ]]; then
    [[ $EUID -eq 0 ]] || { echo "not installed: ${missing[*]}; run: sudo apt-get install ${missing[*]}" >&2; exit 1; }
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
fi
if ! cmp -s "$pins/package.json" "$clients/node_modules/package.json"; then
    rm -rf "$clients/node_modules" "$clients/package-lock.json"
    cp "$pins/package.json" "$clients/package.json"
    PATH=$path:$PATH npm install --prefix "$clients" --no-audit --no-fund --loglevel=error >&2
    cp "$pins/package.json" "$clients/node_modules/package.json"
fi
echo "$path"
