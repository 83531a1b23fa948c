#!/usr/bin/env bash
# Makes the archives of the Python package in build/wheel/: the source archive, which builds where Debian's
# packages are, and from it a wheel, which runs on any Linux of this machine whose C library is 2.34 or later.
# scripts/wheel_try.sh tries it.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
need_to_build "${python_packages[@]}" "${wheel_packages[@]}"
python=${PYTHON:-/usr/bin/python3}

(cd python && "$python" -W ignore setup.py -q sdist -d ../build/wheel)
# what is bundled has to be linked; hypot() as older C libraries have it
export CMAKE_ARGS="-DGRADYN_IPOPT_ON_DEMAND=OFF ${sundials/=build/=$PWD/build} ${CMAKE_ARGS:-}"
export CFLAGS="-include $PWD/cmake/glibc_2_34.h ${CFLAGS:-}"
"$python" -m pip wheel -q --no-build-isolation --no-deps --no-index -w build/wheel/bare build/wheel/gradyn-*.tar.gz
"$python" python/bundle.py build/wheel/bare/gradyn-*.whl build/wheel
ls -l build/wheel/gradyn-*
compgen -G 'build/wheel/gradyn-*-manylinux_2_34_*.whl' >/dev/null ||
  echo "The wheel needs a C library later than 2.34: see cmake/glibc_2_34.h, and build it on Debian 12." >&2
