#!/usr/bin/env bash
# sundials.sh FOLDER: unpacks the source of SUNDIALS there, from the mirror of the system, for
# -DGRADYN_SUNDIALS=FOLDER. Nothing is installed. Ubuntu 22.04 has version 5; therefore the source of 24.04 is used
# there.
set -euo pipefail
# shellcheck source=scripts/packages.sh
. "$(dirname "$0")/packages.sh"
folder=$1
[ ! -f "$folder/src/idas/idas.c" ] || exit 0
. /etc/os-release
release=${VERSION_CODENAME/jammy/noble}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
if ! { apart "$place" deb-src "$release" && (cd "$place" && "${apart[@]}" --download-only --tar-only source sundials >&2); }; then
  echo "The source of SUNDIALS: the mirror of $release has none." >&2
  exit 1
fi
mkdir -p "$folder"
tar -xf "$place"/sundials_*.orig.tar.* -C "$folder" --strip-components=1 --exclude='*/doc' --exclude='*/test' --exclude='*/examples'
echo "SUNDIALS: its source is in $folder." >&2
