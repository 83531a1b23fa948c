#!/usr/bin/env bash
# Unpacks the headers of SUNDIALS of another release of Debian, with those of its MPI, into a folder and prints the
# options of a compiler that reads them: other_sundials.sh FOLDER. Nothing is installed. Where there is no mirror
# of that release, it says so on standard error and prints nothing.
set -euo pipefail
folder=${1:?a folder}
. /etc/os-release
case ${VERSION_CODENAME:-} in
  bookworm) other=trixie ;;
  trixie) other=bookworm ;;
  *) echo "SUNDIALS of another release: not tried, this is neither Debian 12 nor 13." >&2 && exit 0 ;;
esac
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
folder=$(cd "$folder" && pwd)

# shellcheck disable=SC2016 # a format of apt's own
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $VERSION_CODENAME" | head -n 1)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $other main" >"$folder/sources.list"
apt=(apt-get -qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root)
if ! (cd "$folder" && "${apt[@]}" update && "${apt[@]}" download libsundials-dev libopenmpi-dev) >&2; then
  echo "SUNDIALS of $other: not tried, no mirror has it." >&2
  exit 0
fi
for package in "$folder"/*.deb; do
  dpkg -x "$package" "$folder"
done
printf '%s\n' -isystem "$folder/usr/include" -isystem "$(dirname "$(find "$folder/usr/lib" -path '*openmpi/include/mpi.h')")"
