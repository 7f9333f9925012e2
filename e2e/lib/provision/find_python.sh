#!/usr/bin/env bash
# Prints the path of a Python of the given minor version (3.13) that this user has installed, or fails.
set -euo pipefail

version=$1
shopt -s nullglob
for candidate in \
    /usr/bin/python"$version" /usr/local/bin/python"$version" \
    "$HOME"/.local/bin/python"$version" \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$version"*/bin/python"$version" \
    "$HOME"/.local/share/uv/python/cpython-"$version"*/bin/python"$version" \
    "$HOME"/.local/share/mise/installs/python/"$version"*/bin/python"$version" \
    "$HOME"/.asdf/installs/python/"$version"*/bin/python"$version"; do
    if "$candidate" -c '' 2>/dev/null; then
        echo "$candidate"
        exit 0
    fi
done
exit 1
