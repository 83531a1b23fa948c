#!/usr/bin/env bash
# Builds and tests the last commit in a bare root of a release: try_release.sh RELEASE [FOLDER]
# RELEASE is a name that debootstrap accepts, for example bookworm, trixie, jammy or noble. Needs root and debootstrap.
# FOLDER gets the root; an existing one is used again. The script prints times and the installed packages.
set -euo pipefail
cd "$(dirname "$0")/.."
release=${1:?"a release: bookworm, trixie, jammy or noble"}
root=${2:-$(mktemp -d)/$release}
. scripts/root.sh
bare_root "$release" "$root"
inside "$root" 'apt-get update -qq && apt-get install -y -qq --no-install-recommends git ca-certificates' >/dev/null
size() { inside "$root" "dpkg-query -W -f '\${Installed-Size}\n' | awk '{ s += \$1 } END { printf \"%d packages, %d MB\n\", NR, s / 1024 }'"; }

rm -rf "$root/gradyn" "$root/gradyn.git"
git clone -q --bare . "$root/gradyn.git"
inside "$root" 'git clone -q /gradyn.git /gradyn'
echo "$release before: $(size)"
for script in run test; do
  start=$SECONDS
  inside "$root" "cd /gradyn && ./scripts/$script.sh" || { echo "$release: scripts/$script.sh failed"; exit 1; }
  echo "$release: scripts/$script.sh: $((SECONDS - start)) s; now $(size)"
done
