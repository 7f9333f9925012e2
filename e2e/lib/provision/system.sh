#!/usr/bin/env bash
# Installs the system packages that the tests need. If not run as root, prints the command instead and fails.
set -euo pipefail

wanted=()
command -v bwrap >/dev/null || wanted+=(bubblewrap)
command -v java >/dev/null || wanted+=(openjdk-17-jdk-headless)
/usr/bin/python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || wanted+=(python3 python3-venv)
for shell in zsh fish; do command -v "$shell" >/dev/null || wanted+=("$shell"); done
ls /usr/lib/*/faketime/libfaketime.so.1 >/dev/null 2>&1 || wanted+=(libfaketime)
command -v ps >/dev/null || wanted+=(procps)
command -v setpriv >/dev/null || wanted+=(util-linux)
command -v useradd >/dev/null || [[ $EUID -ne 0 ]] || wanted+=(passwd)

[[ ${#wanted[@]} -gt 0 ]] || { echo "all installed"; exit 0; }
install="apt-get install -y --no-install-recommends ${wanted[*]}"
if [[ $EUID -ne 0 ]]; then
    echo "not installed: ${wanted[*]}; run: sudo $install" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
$install -qq
