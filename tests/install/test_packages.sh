#!/usr/bin/env bash
# Packages that scripts/run.sh would install: only those that it needs, announced before, and quietly unless
# it fails. Stand-ins for apt-get and other programs record their calls.
set -uo pipefail
source=$(realpath "$(dirname "$0")/../..")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
faults=0

fault() {
  echo "FAULT: $*"
  sed 's/^/  /' "$place/err"
  faults=$((faults + 1))
}

stand_in() {
  printf '#!/bin/sh\n%s\n' "$2" >"$place/bin/$1"
  chmod +x "$place/bin/$1"
}

mkdir "$place/bin" "$place/checkout"
ln -s "$source/scripts" "$place/checkout/scripts" # one in which no source of SUNDIALS was unpacked
stand_in dpkg-query 'exit 1'
stand_in id 'echo 0'
# shellcheck disable=SC2016
stand_in apt-cache 'echo "  Candidate: ${CANDIDATE:-9.0}"'
# shellcheck disable=SC2016
stand_in apt-get 'echo "$*" >>"$CALLS"
case "$*" in
  *--assume-no*)
    echo "0 upgraded, 262 newly installed, 0 to remove and 1 not upgraded."
    echo "Need to get 301 MB of archives."
    echo "After this operation, 1,312 MB of additional disk space will be used."
    echo "Abort."
    exit 1 ;;
  install*) echo "Unpacking ..."; exit "${INSTALL_STATUS:-0}" ;;
esac'

# attempt STATUS: installs what run.sh needs. No mirror has the source of SUNDIALS.
attempt() {
  local status=0
  : >"$place/calls"
  # uses the line of run.sh itself, so that the packages are the ones that run.sh requests
  (
    set -euo pipefail
    . "$source/scripts/packages.sh"
    cd "$place/checkout"
    eval "$(grep -o 'need_to_build' "$source/scripts/run.sh")"
  ) >"$place/out" 2>"$place/err" || status=$?
  [ "$status" -eq "$1" ] || fault "status $status instead of $1"
}

export CALLS=$place/calls PATH=$place/bin:$PATH
attempt 0
grep -qF '262 packages with all they depend on, 301 MB to download, 1,312 MB on the disk' "$place/err" ||
  fault "the size is not told beforehand"
grep -q 'Unpacking' "$place/err" "$place/out" && fault "the installation is not quiet"
[ -s "$place/out" ] && fault "something is on standard output"
grep -q 'install .*-y.*xz-utils' "$place/calls" || fault "nothing is installed"
grep -m 1 'install .*-y' "$place/calls" | grep -q libsundials-dev && fault "SUNDIALS' package comes before its source"
tail -n 1 "$place/calls" | grep -q 'install .*-y.*libsundials-dev' || fault "SUNDIALS does not come without its source"
grep -qE 'cmocka|jq|clang' "$place/calls" && fault "more is installed than building needs"
export INSTALL_STATUS=100
attempt 1
grep -q 'Unpacking' "$place/err" || fault "a failure is not explained"
for old in 3.16.3-1 '(none)'; do
  CANDIDATE=$old attempt 1
  grep -q "Package cmake 3.18 or later is needed; $old is there" "$place/err" || fault "too old, and not told: $old"
  grep -q 'install.*-y' "$place/calls" && fault "something is installed though CMake is too old"
done

[ $faults -eq 0 ] && echo "Packages are asked for as they should be."
[ $faults -eq 0 ]
