#!/usr/bin/env bash
# Unpacks the headers of SUNDIALS of another release of Debian, with those of its MPI, into a folder and prints the
# options of a compiler that reads them: other_sundials.sh FOLDER. Nothing is installed. Where there is no mirror
# of that release, it says so on standard error and prints nothing.
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
