#!/usr/bin/env bash
# The built command, library and Python module are protected; the command loads no library from the current
# folder.
# Usage: test_guards.sh BUILD_DIR
set -uo pipefail
here=$(realpath "$(dirname "$0")")
build=$(realpath "$1")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
command=$build/gradyn
files=("$(find "$build" -maxdepth 1 -type f -name 'libgradyn.so.*')" "$command")
for module in "$build"/python/gradyn/_c.*.so; do
  [ ! -e "$module" ] || files+=("$module")
done
"$here/guards.sh" "${files[@]}" || exit 1

# a file that is no library, under the name that the command looks for
name=$(readelf -d "$command" | sed -nE 's/.*\[(libgradyn[^]]*)\]$/\1/p')
[ -n "$name" ] || { echo "FAULT: the command needs no libgradyn"; exit 1; }
echo "nothing" >"$place/$name"
cd "$place" || exit 1
unset LD_LIBRARY_PATH
"$command" --version >/dev/null || { echo "FAULT: the command loads $name from the current folder"; exit 1; }
strings=$(LD_DEBUG=libs "$command" --version 2>&1 | grep "trying file=$name")
[ -z "$strings" ] || { echo "FAULT: the command looks for its library in the current folder: $strings"; exit 1; }
