#!/usr/bin/env bash
# debs.sh [FOLDER]: builds the packages of Debian from this checkout, in FOLDER or build/debs. It installs the
# packages that are needed for that. Version 6 of SUNDIALS is used as a package. Version 7 needs MPI wherever it is
# installed; therefore its source is built into the library (debian/README.source).
set -euo pipefail
folder=$(mkdir -p "${1:-$(dirname "$0")/../build/debs}" && cd "${1:-$(dirname "$0")/../build/debs}" && pwd)
cd "$(dirname "$0")/.."
# shellcheck source=scripts/packages.sh
. scripts/packages.sh

place=$folder/source
rm -rf "$place"
mkdir -p "$place/gradyn"
tar --exclude='./build*' --exclude=./.git --exclude='*.so' -cf - . | tar -C "$place/gradyn" -xf -

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get -qq update
profile=()
case $(LC_ALL=C apt-cache policy libsundials-dev | sed -n 's/^ *Candidate: //p') in
6.*) ;;
*) profile=(-Ppkg.gradyn.sundials-source) ;;
esac
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends "${profile[@]}" build-dep "$place/gradyn" \
  >"$folder/build.log" 2>&1 </dev/null || { tail -n 20 "$folder/build.log" >&2 && exit 1; }
[ ${#profile[@]} -eq 0 ] || scripts/sundials.sh "$place/gradyn/sundials"

echo "Building packages; $folder/build.log has the log ..." >&2
if ! (cd "$place/gradyn" && dpkg-buildpackage -us -uc -b "${profile[@]}") >>"$folder/build.log" 2>&1; then
  first_error "$folder/build.log" >&2
  exit 1
fi
mv "$place"/*.deb "$place"/*.changes "$place"/*.buildinfo "$folder"
rm -rf "$place"
