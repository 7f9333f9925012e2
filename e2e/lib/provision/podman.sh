#!/usr/bin/env bash
# Puts podman into PLACE/bin under the name docker, as Debian's podman-docker does, with its images in PLACE.
# usage: podman.sh start CACHE PLACE   prints PLACE/bin, which must be first on PATH
#        podman.sh stop PLACE          deletes it and its data
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")

start() { # cache, place
    local cache=$1 place=$2
    if ! command -v podman >/dev/null; then
        [[ $EUID -eq 0 ]] || { echo "podman is not installed; run: sudo apt-get install podman" >&2; return 1; }
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq podman >&2
    fi
    mkdir -p "$place/bin"
    cat >"$place/storage.conf" <<END
[storage]
driver = "overlay"
graphroot = "$place/root"
runroot = "$place/run"
END
    cat >"$place/bin/docker" <<END
#!/bin/sh
CONTAINERS_STORAGE_CONF=$place/storage.conf exec $(command -v podman) "\$@"
END
    chmod +x "$place/bin/docker"
    PATH=$place/bin:$PATH "$here/docker.sh" start "$cache" "$place" >/dev/null
    echo "$place/bin"
}

stop() { # place
    local place=$1
    [[ -x $place/bin/docker ]] || return 0
    "$place/bin/docker" system reset --force >/dev/null
    rm -rf "$place"
}

command=$1
shift
"$command" "$@"
