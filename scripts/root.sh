# shellcheck shell=bash
# Bare roots of releases, for trying gradyn there; sourced by other scripts. Needs root and debootstrap.

# reach <folder>: names and certificates by which the root reaches what we reach; installing certificates replaces them.
reach() {
  cp -L /etc/resolv.conf "$1/etc/resolv.conf"
  mkdir -p "$1/etc/ssl/certs"
  cp -L /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
}

# bare_root <release> <folder>: a root with apt and nothing else, unless the folder has one.
bare_root() {
  [ "$(id -u)" -eq 0 ] || { echo "$0 changes its root folder: run it as root" >&2; exit 2; }
  local components=main
  case $1 in jammy | noble) components=main,universe ;; esac # of Ubuntu
  [ -d "$2/usr" ] || debootstrap --variant=minbase "--components=$components" "$1" "$2" >&2
  reach "$2"
}

# inside <folder> <command>: runs it in the root with processes and devices, in a mount namespace of its own.
inside() {
  # shellcheck disable=SC2016 # $0 and $1 are those of the shell in the root
  unshare --mount --fork bash -c '
    mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" bash -c "$1"' "$1" "$2"
}
