#!/usr/bin/env bash
# --open: the report is shown once, as soon as it exists, in a browser with the environment of a shell.
# Usage: test_open.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile bowl slow

# A browser that records its input: whether the page exists, whether a write to its broken pipe
# ends it, and its process group.
mkdir bin
cat >bin/xdg-open <<'END'
#!/bin/sh
{
  yes 2>/dev/null
  echo $? >"$LOG.pipe"
} | head -n 1 >/dev/null
cut -d ' ' -f 5 /proc/$$/stat >"$LOG.group"
[ -t 0 ] || read -r line || echo "nothing to read" >"$LOG.input"
test -s "$1" && printf '%s\n' "$1" >>"$LOG"
END
chmod +x bin/xdg-open
export LOG=$place/log

# opens PATH ARGUMENT...: the command has the page at PATH shown, once.
opens() {
  local page=$1 said
  shift
  what="gradyn $*"
  rm -f "$LOG" "$LOG".*
  PATH=$place/bin:$PATH "$gradyn" "$@" >out 2>err || fault "$what: failed"
  appears "$LOG"
  [ -e "$LOG" ] || verdict "" # no browser starts: the others would be waited for as long
  said=$(cat "$LOG" 2>/dev/null)
  [ "$said" = "$page" ] || fault "$what: shown: '$said' instead of '$page'"
  [ "$(cat "$LOG.pipe" 2>/dev/null)" = 141 ] || fault "$what: the browser ignores broken pipes"
  [ "$(cat "$LOG.group" 2>/dev/null)" != "$(cut -d ' ' -f 5 /proc/$$/stat)" ] ||
    fault "$what: Ctrl-C would end the browser"
  [ -e "$LOG.input" ] || fault "$what: the browser reads what is typed"
}

opens bowl/report.html run bowl.so --out bowl --open -q
opens once/report.html simulate bowl.so --out once --open -q
opens ./-odd/report.html gradient bowl.so --out=-odd --open -q
opens bowl/report.html report bowl --open
opens ./comparison.html report bowl once --open

# shown_while RUNNING ARGUMENT...: the page is shown while the command runs, not after it, and the
# page says so.
shown_while() {
  local running=$1
  shift
  rm -f "$LOG"
  PATH=$place/bin:$PATH begin "$@" --open --json
  appears "$LOG"
  kill -0 "$job" 2>/dev/null || fault "$what: the page was shown after the work"
  grep -q "\"running\":\"$running\"" busy/report.html || fault "$what: the page does not renew itself"
  kill -INT "$job"
  wait "$job"
  grep -q '"running":false' busy/report.html || fault "$what: the page renews itself for ever"
  rm -r busy
}

shown_while "the search is running" run ./slow.so --out busy
shown_while "1 of 200 points have ended" sweep ./slow.so --over x=0:1:200 --out busy
shown_while "[0-9]* of 200 points have ended" sweep ./slow.so --over x=0:1:200 --jobs 2 --out busy

# without a browser, the report is written nevertheless
what="no xdg-open"
PATH=$place "$gradyn" run bowl.so --out lonely --open >out 2>err || fault "$what: failed"
says err "xdg-open: No such file or directory; the report is lonely/report.html"
says out "report: lonely/report.html"

expect 2 simulate bowl.so --open
says err "--open shows the report, which is in the folder of --out DIR"

verdict "Reports are shown."
