#!/usr/bin/env bash
# Installs missing packages, builds gradyn, and optimises the five-bar linkage. Arguments are passed to the command,
# for example: scripts/run.sh --algorithm slsqp
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/scripts/packages.sh"

# shellcheck disable=SC2119 # no package more
# in a subshell: the study belongs in the folder of the caller
(cd "$here" && need_to_build && build_release gradyn_cli "$sundials")
exec "$here/build/gradyn" run five-bar "$@"
