#!/usr/bin/env bash
# Tries the Dockerfile and the packages of Debian in bare roots of a release: try_packages.sh RELEASE [FOLDER]
# The instructions of the Dockerfile run in roots instead of images, so that no daemon is needed. Then lintian checks
# all packages that were built, and debian/tests run where they are installed. The script prints the sizes of downloads
# and installations. RELEASE is bookworm or trixie. Needs root and debootstrap. FOLDER gets the roots, about 2 GB.
set -euo pipefail
cd "$(dirname "$0")/.."
release=${1:?"a release: bookworm or trixie"}
folder=${2:-$(mktemp -d)}
# shellcheck source=scripts/root.sh
. scripts/root.sh
mkdir -p "$folder"
bare_root "$release" "$folder/bare"

# fresh <name>: makes a bare root with this name.
fresh() {
  rm -rf "${folder:?}/$1"
  cp -a "$folder/bare" "$folder/$1"
}

# megabytes <root>: its size.
megabytes() {
  du -sxm "$1" | cut -f 1
}

# copy <from> <to>: copies a folder as COPY does; of the checkout, without the files in .dockerignore.
copy() {
  local ignored=(--exclude-from=/dev/null)
  [ "$1" != . ] || ignored=(--anchored --exclude-from=.dockerignore)
  mkdir -p "$2"
  (cd "$1" && find . -mindepth 1 -maxdepth 1 -printf '%P\0' | tar "${ignored[@]}" --null -T - -cf -) | tar -C "$2" -xf -
}

# carry_out: runs the Dockerfile. The root of its last stage is $folder/image.
carry_out() {
  local instruction words at=/ stage=image
  while read -r instruction words; do
    case $instruction in
    '' | '#'* | ARG | ENTRYPOINT) ;;
    FROM)
      # shellcheck disable=SC2016 # of the Dockerfile
      [[ $words == 'debian:${RELEASE}-slim'* ]] || { echo "FROM $words: not known" >&2 && return 1; }
      stage=image
      [[ $words != *' AS '* ]] || stage=${words##* AS }
      fresh "$stage"
      ;;
    COPY)
      case $words in
      --from=*) words=${words#--from=} && copy "$folder/${words%% *}$(cut -d ' ' -f 2 <<<"$words")" "$folder/$stage${words##* }" ;;
      *) copy "${words% *}" "$folder/$stage${words##* }" ;;
      esac
      ;;
    RUN) echo "$stage: RUN $words" && inside "$folder/$stage" "cd $at && $words" </dev/null ;;
    WORKDIR) at=$words && mkdir -p "$folder/$stage$at" ;;
    *) echo "$instruction: not known" >&2 && return 1 ;;
    esac
  done < <(sed -e ':a' -e '/\\$/N; s/ *\\\n */ /; ta' Dockerfile)
}

carry_out
inside "$folder/packages" 'apt-get install -y -qq --no-install-recommends lintian >/dev/null 2>&1
  lintian --fail-on error,warning --tag-display-limit 0 /packages/*.changes'
echo "$release: lintian has no complaints"
inside "$folder/image" 'cd /work && gradyn run five-bar' | tail -n 5
echo "$release: image: $(megabytes "$folder/image") MB, of which $(megabytes "$folder/bare") MB are the bare root"

# install <name> <package>...: installs packages in a bare root, and prints the sizes.
install() {
  local name=$1
  shift
  fresh "$name"
  cp -r "$folder/packages/packages" "$folder/$name/packages"
  inside "$folder/$name" "apt-get update -qq && cd /packages && LC_ALL=C apt-get install -y $* </dev/null" >"$folder/$name.log" 2>&1 ||
    { tail -n 20 "$folder/$name.log" && return 1; }
  echo "$release: apt install $*: $(sed -nE 's/^Need to get (.*) of archives.*/\1 to download/p
    s/^After this operation, (.*) of additional disk space.*/\1 on the disk/p' "$folder/$name.log" | tr '\n' ' ')"
}

install plain --no-install-recommends './gradyn_*.deb ./libgradyn0*.deb'
inside "$folder/plain" 'cd && gradyn run five-bar' | grep '^optimal after'
install command './gradyn_*.deb ./libgradyn0*.deb'
inside "$folder/command" 'cd && gradyn run cart-pole-limited --segments 20 --algorithm ipopt' | grep '^optimal after'
install all './*.deb gcc libc6-dev cmake make pkgconf'
copy . "$folder/all/gradyn"
for test in command library python; do
  inside "$folder/all" "cd /gradyn && debian/tests/$test" >"$folder/$test.log" 2>&1 || { tail -n 20 "$folder/$test.log" && exit 1; }
  echo "$release: debian/tests/$test passes"
done
