#!/usr/bin/env bash
# Tries a wheel in a bare root of a release: wheel_try.sh WHEEL RELEASE [FOLDER]
# The root has Python and a virtual environment, but no compiler and none of the libraries with which gradyn is built.
# The command optimises, also in segments, and the tests of the package run. Needs root, debootstrap, and the network for
# NumPy, cffi, SciPy and pytest. FOLDER gets the root; an existing one is used again.
set -euo pipefail
wheel=$(realpath "$1")
release=${2:?"a release: bookworm, trixie, jammy or noble"}
cd "$(dirname "$0")/.."
. scripts/root.sh
root=${3:-$(mktemp -d)/$release}
tests=(analyses evaluate fitting functions models processes robust search studies)

bare_root "$release" "$root"
inside "$root" 'apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv' >/dev/null
reach "$root"
rm -rf "$root/try"
mkdir "$root/try"
cp "$wheel" "$root/try"
cp -r python/tests python/examples problems include "$root/try"
# shellcheck disable=SC2016 # what the shell in the root expands
inside "$root" '
  set -e
  cd /try
  python3 -m venv env
  env/bin/pip install -q ./gradyn-*.whl scipy pytest
  for tool in cc gcc clang ld; do ! command -v "$tool"; done
  if ldconfig -p | grep -E "lib(sundials|klu|nlopt|lapack|ipopt|dmumps|jansson|gfortran)"; then exit 1; fi
  env/bin/gradyn run five-bar --out five-bar | tail -n 4
  env/bin/python -m gradyn run cart-pole-limited --segments 20 --algorithm ipopt --out segments | grep -E "^(algorithm|optimal|search)"
  test "$(stat -c %s five-bar/report.html)" -gt 100000'
inside "$root" "cd /try/tests && export GRADYN_BUILD=\$(echo /try/env/lib/python3*/site-packages/gradyn/bin) &&
  ../env/bin/python -B -m pytest -q -W ignore -p no:cacheprovider $(printf 'test_%s.py ' "${tests[@]}")"
# shellcheck disable=SC2016
inside "$root" 'echo "$(. /etc/os-release; echo "$PRETTY_NAME"), $(ldd --version | sed -n "1s/.* //p"), $(python3 --version): works"'
