#!/usr/bin/env bash
# Provides gVisor's runtime and configures an engine for it, which docker.sh then starts.
# usage: runsc.sh CACHE PLACE   builds CACHE/runsc from its Go module if it is not installed; writes PLACE/daemon.json
set -euo pipefail

version=v0.0.0-20260905035102-160fafc42237
cache=$1 place=$2
runsc=$(command -v runsc || echo "$cache/runsc")
if [[ ! -x $runsc ]]; then
    command -v go >/dev/null || { echo "go is not installed; run: sudo apt-get install golang-go" >&2; exit 1; }
    mkdir -p "$cache"
    # A version of the branch that plain Go can build; Go downloads the toolchain that it requires.
    CGO_ENABLED=0 GOBIN=$cache GOTOOLCHAIN=auto \
        go install -trimpath -ldflags='-s -w' "gvisor.dev/gvisor/runsc@$version" >&2
fi
mkdir -p "$place"
# Without --host-uds a container cannot connect to the socket of the server's proxy.
cat >"$place/daemon.json" <<END
{ "runtimes": { "runsc": { "path": "$runsc", "runtimeArgs": ["--host-uds=open"] } } }
END
