#!/usr/bin/env bash
# wheel_source.sh <folder>: makes the source archive of the Python package there, with the library's source inside.
set -euo pipefail
python=${PYTHON:-/usr/bin/python3}
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/.."

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
tar -C python --exclude=build --exclude=__pycache__ --exclude='*.egg-info' --exclude='*.so' -cf - . | tar -C "$stage" -xf -
mkdir -p "$stage/library"
tar -cf - CMakeLists.txt LICENSE README.md cmake include core mbs dae adjoint optim report problems cli \
  docs/man/gradyn.1 scripts/gradyn.bash | tar -C "$stage/library" -xf -
cp LICENSE README.md "$stage"
(cd "$stage" && "$python" -W ignore setup.py -q sdist -d "$folder")
