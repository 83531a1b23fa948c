#!/usr/bin/env bash
# Compares the binary interface with that of the release, abi/libgradyn.so.X.Y.abi, by abidiff (abigail-tools).
# Usage: abi.sh [--write]. The public headers alone define the interface: a library with an empty function for each
# declaration, compiled with debug information, has it without a build. New functions are no difference.
#   --write   stores the interface as that of the release
# Exit status: 0 the same, 1 another interface, 2 an error, 77 a tool is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in abidw abidiff python3; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: the binary interface is not compared" >&2; exit 77; }
done
version=$(sed -nE 's/^#define GRADYN_VERSION "([0-9]+\.[0-9]+).*/\1/p' include/gradyn/base.h)
stored=abi/libgradyn.so.$version.abi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

python3 - >"$place/empty.c" <<'END'
import sys

sys.path.insert(0, "scripts")
import compat

headers = {path.name for path in compat.HEADER.parent.glob("*.h")} - {"tgmath.h"}
print(*(f"#include <gradyn/{name}>" for name in sorted(headers)), sep="\n")
for name, (returns, parameters) in sorted(compat.prototypes().items()):
    if name.startswith("gradyn_plugin_"):
        continue  # problems define these
    body = "" if returns == "void" else f"static {returns} none; return none;".replace("static const", "static")
    print(f"{returns} ({name})({', '.join(parameters)}) {{ {body} }}")
END
"${CC:-cc}" -std=gnu2x -DGRADYN_COMPAT_SILENT -g -O0 -w -shared -fPIC -fno-eliminate-unused-debug-types -Iinclude "$place/empty.c" \
  -Wl,-soname,"libgradyn.so.$version" -o "$place/libgradyn.so.$version" || exit 2

if [ "${1:-}" = --write ]; then
  mkdir -p abi
  abidw --no-corpus-path --no-comp-dir-path --no-show-locs --out-file "$stored" "$place/libgradyn.so.$version"
  exit
fi
[ -f "$stored" ] || { echo "$stored is missing: scripts/abi.sh --write stores it" >&2; exit 2; }
# bits of the exit status: 1 error, 2 usage, 4 change, 8 incompatible change
status=0
abidiff --no-added-syms --no-show-locs "$stored" "$place/libgradyn.so.$version" || status=$?
[ $((status & 3)) -eq 0 ] || exit 2
[ "$status" -eq 0 ] || {
  echo "The binary interface differs from that of version $version. Restore it, or change the version and run scripts/abi.sh --write." >&2
  exit 1
}
