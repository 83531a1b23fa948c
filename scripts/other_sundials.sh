#!/usr/bin/env bash
# Unpacks the headers of SUNDIALS of another release of Debian, with those of its MPI, into a folder. Prints the
# compiler options for these headers: other_sundials.sh FOLDER. Nothing is installed. If there is no mirror of that
# release, it reports this on standard error and prints nothing.
set -euo pipefail
folder=${1:?a folder}
# shellcheck source=scripts/packages.sh
. "$(dirname "$0")/packages.sh"
. /etc/os-release
case ${VERSION_CODENAME:-} in
  bookworm) other=trixie ;;
  trixie) other=bookworm ;;
  *) echo "SUNDIALS of another release: not tried, this is neither Debian 12 nor 13." >&2 && exit 0 ;;
esac
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
if ! { apart "$folder" deb "$other" && cd "$folder" && "${apart[@]}" download libsundials-dev libopenmpi-dev >&2; }; then
  echo "SUNDIALS of $other: not tried, no mirror has it." >&2
  exit 0
fi
for package in "$folder"/*.deb; do
  dpkg -x "$package" "$folder"
done
printf '%s\n' -isystem "$folder/usr/include" -isystem "$(dirname "$(find "$folder/usr/lib" -path '*openmpi/include/mpi.h')")"
