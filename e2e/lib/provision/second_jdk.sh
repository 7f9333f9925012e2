#!/usr/bin/env bash
# Prints the home of the newest JDK of at least 21 that is not the one in use, or nothing.
set -euo pipefail

newest=20 found=
current=$(readlink -f "${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}")
for home in /usr/lib/jvm/*/; do
    [[ -x ${home}bin/javac && -r ${home}release && $(readlink -f "$home") != "$current" ]] || continue
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "${home}release")
    if [[ ${version:-0} -gt $newest ]]; then
        newest=$version found=${home%/}
    fi
done
echo "$found"
