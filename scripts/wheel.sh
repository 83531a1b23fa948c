#!/usr/bin/env bash
# Makes the archives of the Python package in build/wheel/: the source archive, which builds where Debian's
# packages are, and from it a wheel, which runs on any Linux of this machine whose C library is no older.
# scripts/wheel_try.sh tries it.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
need_packages "${build_packages[@]}" "${python_packages[@]}" "${wheel_packages[@]}"
python=${PYTHON:-/usr/bin/python3}

scripts/wheel_source.sh build/wheel
"$python" -m pip wheel -q --no-build-isolation --no-deps --no-index -w build/wheel/bare build/wheel/gradyn-*.tar.gz
"$python" python/bundle.py build/wheel/bare/gradyn-*.whl build/wheel
ls -l build/wheel/gradyn-*
