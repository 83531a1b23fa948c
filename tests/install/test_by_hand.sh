#!/usr/bin/env bash
# Instructions of the README for building by hand: they install the packages that the scripts install, tests
# are built on request only and need CMocka, and a message reports that it is missing.
set -uo pipefail
source=$(realpath "$(dirname "$0")/../..")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
faults=0

fault() {
  echo "FAULT: $*"
  faults=$((faults + 1))
}

# the command of the README, with its lines joined
. "$source/scripts/packages.sh"
told=$(sed -e ':a' -e '/\\$/N; s/ *\\\n */ /; ta' "$source/README.md" |
  sed -n 's/^apt-get install --no-install-recommends //p')
[ "$told" = "${build_packages[*]}" ] || fault "the README installs '$told' instead of '${build_packages[*]}'"
grep -qF -- "${test_packages[0]}" "$source/README.md" || fault "the README does not tell what tests need"

# a pkg-config that knows all packages except CMocka
real=$(command -v pkg-config)
cat >"$place/pkg-config" <<END
#!/bin/sh
case "\$*" in *cmocka*) exit 1 ;; esac
exec "$real" "\$@"
END
chmod +x "$place/pkg-config"

# configure NAME OPTION...: writes the output to NAME.log. All calls use one folder, so that
# compilers are examined only once.
configure() {
  local name=$1
  shift
  cmake -S "$source" -B "$place/build" -DPKG_CONFIG_EXECUTABLE="$place/pkg-config" \
    -DGRADYN_SUNDIALS="${GRADYN_SUNDIALS:-system}" "$@" \
    >"$place/$name.log" 2>&1
}
configure without -DCMAKE_BUILD_TYPE=Release ||
  { fault "no CMocka, no build"; tail -n 20 "$place/without.log"; }
configure with -DGRADYN_BUILD_TESTS=ON && fault "tests without CMocka"
grep -q 'libcmocka-dev' "$place/with.log" || fault "it is not told that CMocka is missing"
mkdir "$place/old"
printf 'set(PACKAGE_VERSION_MAJOR "5")\nset(PACKAGE_VERSION_MINOR "7")\nset(PACKAGE_VERSION_PATCH "0")\n' >"$place/old/CMakeLists.txt"
mkdir -p "$place/old/src/idas" && touch "$place/old/src/idas/idas.c"
configure strange -DGRADYN_SUNDIALS="$place" && fault "a folder without SUNDIALS is taken"
grep -q 'is no source tree of SUNDIALS' "$place/strange.log" || fault "it is not told that SUNDIALS is missing"
configure old -DGRADYN_SUNDIALS="$place/old" && fault "SUNDIALS 5 is taken"
grep -q 'version 5.7.0; version 6 or 7' "$place/old.log" || fault "the version of SUNDIALS is not told"

[ $faults -eq 0 ] && echo "By hand it is as the README says."
exit $((faults > 0))
