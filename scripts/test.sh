#!/usr/bin/env bash
# Installs missing packages, builds gradyn, and runs its tests. Arguments are passed to ctest. With --all as the first
# argument, tests use all of their rows and tolerances, and those with the label thorough run, too: three times as long.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

left_out='long|thorough'
if [ "${1-}" = --all ]; then
  shift
  left_out=long
  export GRADYN_TEST_ALL=1
fi
need_to_build "${test_packages[@]}" "${browser_packages[@]}" "${python_packages[@]}" "${wheel_packages[@]}"
build_release all "$sundials" -DGRADYN_WERROR=ON -DGRADYN_BUILD_TESTS=ON \
  -DGRADYN_PRECOMPILE=ON -DBUILD_SHARED_LIBS=ON
# two more than there are processors: some tests mainly wait
ctest --test-dir build --output-on-failure -LE "$left_out" -j "$(($(nproc) + 2))" "$@"
