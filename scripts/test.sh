#!/usr/bin/env bash
# Installs what is missing, builds gradyn and runs its tests. Arguments go to ctest.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

need_to_build "${test_packages[@]}" "${browser_packages[@]}" "${python_packages[@]}" "${wheel_packages[@]}"
build_release all "$sundials" -DGRADYN_WERROR=ON -DGRADYN_BUILD_TESTS=ON -DBUILD_SHARED_LIBS=ON
# one more than processors: some tests mostly wait
ctest --test-dir build --output-on-failure -LE long -j "$(($(nproc) + 1))" "$@"
