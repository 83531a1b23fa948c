#!/usr/bin/env bash
# Makes the archives of the Python package in build/wheel/. The source archive can be built where the packages of
# Debian are installed. The wheel is made from it, and runs on any Linux of this architecture with version 2.34 or
# later of the C library. scripts/wheel_try.sh tries the wheel.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
need_to_build "${python_packages[@]}" "${wheel_packages[@]}"
python=${PYTHON:-/usr/bin/python3}

(cd python && "$python" -W ignore setup.py -q sdist -d ../build/wheel)
# bundled libraries must be linked; hypot() must be that of older C libraries
export CMAKE_ARGS="-DGRADYN_IPOPT_ON_DEMAND=OFF ${sundials/=build/=$PWD/build} ${CMAKE_ARGS:-}"
export CFLAGS="-include $PWD/cmake/glibc_2_34.h ${CFLAGS:-}"
"$python" -m pip wheel -q --no-build-isolation --no-deps --no-index -w build/wheel/bare build/wheel/gradyn-*.tar.gz
"$python" python/bundle.py build/wheel/bare/gradyn-*.whl build/wheel
ls -l build/wheel/gradyn-*
compgen -G 'build/wheel/gradyn-*-manylinux_2_34_*.whl' >/dev/null ||
  echo "The wheel needs a C library later than 2.34: see cmake/glibc_2_34.h, and build it on Debian 12." >&2
