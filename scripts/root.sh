# shellcheck shell=bash
# Bare roots of releases, in which gradyn is tried; sourced by other scripts. Needs root and debootstrap.

# reach <folder>: copies the DNS configuration and the certificates of this system to the root. Installing
# certificates replaces them.
reach() {
  cp -L /etc/resolv.conf "$1/etc/resolv.conf"
  mkdir -p "$1/etc/ssl/certs"
  cp -L /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
}

# bare_root <release> <folder>: makes a root with apt only, unless the folder has one.
bare_root() {
  [ "$(id -u)" -eq 0 ] || { echo "$0 changes its root folder: run it as root" >&2; exit 2; }
  local components=main
  case $1 in jammy | noble) components=main,universe ;; esac # Ubuntu
  [ -d "$2/usr" ] || debootstrap --variant=minbase "--components=$components" "$1" "$2" >&2
  reach "$2"
}

# inside <folder> <command>: runs a command in the root with processes and devices, in a separate mount namespace.
inside() {
  # shellcheck disable=SC2016 # $0 and $1 are those of the shell in the root
  unshare --mount --fork bash -c '
    mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" bash -c "$1"' "$1" "$2"
}
