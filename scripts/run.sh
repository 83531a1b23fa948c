#!/usr/bin/env bash
# Installs what is missing, builds gradyn and optimises the five-bar linkage. Arguments go to the
# command, for example: scripts/run.sh --algorithm slsqp
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/scripts/packages.sh"

need_packages "${build_packages[@]}"
# in a subshell: the study belongs into the folder of the caller
(cd "$here" && build_release gradyn_cli)
exec "$here/build/gradyn" run five-bar "$@"
