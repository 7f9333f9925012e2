#!/usr/bin/env bash
# Runs pytest, or the program in E2E_PROGRAM, as an ordinary user, whose account and home are deleted afterwards.
# usage: as_user.sh JAR SITE_PACKAGES CACHE REPORT [pytest arguments]
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
jar=$1 packages=$2 cache=$3 report=$4
shift 4

account=pysandbox-e2e-$$
place=$(mktemp -d /tmp/e2e-user.XXXXXX)
# shellcheck disable=SC2317 # called by the trap
remove() {
    # The account exists only for this run, so all its processes belong to it.
    for pid in $(ps -o pid= -u "$account" 2>/dev/null || true); do kill -KILL "$pid" 2>/dev/null || true; done
    userdel "$account" 2>/dev/null || true
    rm -rf "$place" "/tmp/hsperfdata_$account"
}
trap remove EXIT

version=$("$here/python.sh" "$cache" --for-others)
# With a supplementary group, as most users have: an attack tries to use it.
useradd --groups adm --no-create-home --home-dir "$place/home" --shell /bin/bash "$account"
mkdir -p "$place/home/.local/bin" "$place/work"
cp "$jar" "$place/sandbox.jar"
cp -r "$here/../.." "$place/e2e"
cp -r "$packages" "$place/site-packages"
if [[ $version == 3.14 ]]; then
    # Under the home folder and reached by a link on PATH, as uv installs it.
    managed=$place/home/.local/share/uv/python
    mkdir -p "$managed"
    cp -r "$cache/cpython-3.14" "$managed/cpython-3.14-linux-x86_64-gnu"
    ln -s "$managed/cpython-3.14-linux-x86_64-gnu/bin/python3.14" "$place/home/.local/bin/python3.14"
fi
chown -R "$account:" "$place"
chmod 755 "$place"
chmod 700 "$place/home"

read -ra program <<<"${E2E_PROGRAM:--m pytest}"
status=0
(
    cd "$place/e2e"
    runuser -u "$account" -- env HOME="$place/home" USER="$account" PATH="$place/home/.local/bin:$PATH" \
        PYTHONPATH="$place/site-packages" PYTHONDONTWRITEBYTECODE=1 \
        E2E_JAR="$place/sandbox.jar" E2E_WORK="$place/work" E2E_PYTHON_VERSION="$version" \
        /usr/bin/python3 "${program[@]}" --junitxml="$place/work/report.xml" --basetemp="$place/work/pytest" "$@"
) || status=$?
cp "$place/work/report.xml" "$report" 2>/dev/null || true
exit "$status"
