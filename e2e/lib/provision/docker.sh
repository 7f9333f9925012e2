#!/usr/bin/env bash
# Starts a docker engine for the tests, with the base image (made by debootstrap if it cannot be pulled), and stops it.
# usage: docker.sh start CACHE PLACE   prints the address for DOCKER_HOST; uses an engine that already runs
#        docker.sh start_engine PLACE  starts one in any case, without an image; PLACE/daemon.json may configure it
#        docker.sh restart PLACE       stops the engine that was started there, and starts it again
#        docker.sh stop PLACE          stops it and deletes its data
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
# The name that the Dockerfile requires: the Dockerfile is tested unchanged, and no registry is needed.
base=$(sed -n 's/^ARG BASE=//p' "$here/../../../profiles/Dockerfile")
suite=${base#*:}
suite=${suite%-slim}

say() { echo "$@" >&2; }

install_packages() {
    local wanted=()
    command -v dockerd >/dev/null || wanted+=(docker.io)
    command -v debootstrap >/dev/null || wanted+=(debootstrap)
    [[ ${#wanted[@]} -gt 0 ]] || return 0
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2
    apt-get install -y -qq "${wanted[@]}" >&2
}

start_engine() { # place
    local place=$1
    mkdir -p "$place"
    [[ -e $place/daemon.json ]] || echo '{}' >"$place/daemon.json"
    # Default cgroup manager, storage driver and bridge; all folders are its own.
    setsid dockerd --config-file "$place/daemon.json" --data-root "$place/data" --exec-root "$place/exec" --pidfile "$place/docker.pid" \
        --host "unix://$place/docker.sock" --mtu 1400 >"$place/dockerd.log" 2>&1 </dev/null &
    for _ in $(seq 120); do
        if DOCKER_HOST=unix://$place/docker.sock docker version >/dev/null 2>&1; then
            return 0
        fi
        sleep 0.5
    done
    tail -5 "$place/dockerd.log" >&2
    return 1
}

make_base() { # tarball
    local tarball=$1 root
    [[ ! -s $tarball ]] || return 0
    root=$(mktemp -d)
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" >&2
    rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
    # With the certificates of this machine, as behind a company's proxy.
    cat /etc/ssl/certs/ca-certificates.crt >>"$root/etc/ssl/certs/ca-certificates.crt"
    mkdir -p "$(dirname "$tarball")"
    tar -C "$root" -c . >"$tarball.new"
    mv "$tarball.new" "$tarball"
    rm -rf "$root"
}

provide_base() { # cache
    local tarball
    tarball=$1/docker-$suite-$(dpkg --print-architecture).tar
    docker image inspect "$base" >/dev/null 2>&1 && return 0
    timeout 60 docker pull --quiet "$base" >&2 && return 0
    say "$base cannot be pulled: building it with debootstrap"
    command -v debootstrap >/dev/null || { say "debootstrap is not installed; run: sudo apt-get install debootstrap"; return 1; }
    make_base "$tarball"
    docker import "$tarball" "$base" >&2
}

start() { # cache, place
    local cache=$1 place=$2
    if docker version >/dev/null 2>&1; then
        say "using the engine that already runs"
    elif [[ $EUID -eq 0 ]]; then
        install_packages
        start_engine "$place"
        export DOCKER_HOST=unix://$place/docker.sock
    else
        say "no docker engine runs, and only root can start one; run: sudo apt-get install docker.io"
        return 1
    fi
    provide_base "$cache"
    echo "${DOCKER_HOST:-unix:///var/run/docker.sock}"
}

end_engine() { # place
    local pid
    pid=$(<"$1/docker.pid")
    kill "$pid" 2>/dev/null || true
    for _ in $(seq 300); do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -KILL "$pid" 2>/dev/null || true
}

restart() { # place
    end_engine "$1"
    start_engine "$1"
}

stop() { # place
    local place=$1
    [[ -s $place/docker.pid ]] || return 0
    end_engine "$place"
    # Mounts that a killed engine left prevent deletion of the folder.
    awk -v place="$place/" 'index($2, place) == 1 { print $2 }' /proc/mounts | sort -r | while read -r mount; do
        umount -l "$mount"
    done
    rm -rf "$place"
}

command=$1
shift
"$command" "$@"
