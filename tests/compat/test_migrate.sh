#!/usr/bin/env bash
# migrate.py rewrites the names of an old version by its table: every kind of name in C and Python, nothing in
# strings and comments unless it is asked to, and a list of what is left to do by hand.
# Usage: test_migrate.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
command -v python3 >/dev/null || exit 77
command=$gradyn
gradyn=$source/scripts/migrate.py
old=$source/tests/compat

cp "$old"/old_names.{c,py} .
expect 1 --dry-run old_names.c old_names.py
says out '-  gradyn_when(model, ' '+  gradyn_event(model, ' '--- old_names.py' '+    world.event("apex"'
cmp -s old_names.c "$old/old_names.c" || fault "--dry-run has changed a file"
expect 1 old_names.c old_names.py
says err "old_names.c:42: by hand: gradyn_resume: gradyn_optimise() with" \
  "old_names.c:45: by hand: member again: t_second if of gradyn_extreme" \
  "old_names.py:16: by hand: method when: event if of a model or a problem" \
  "old_names.c:50: by hand: gradyn_in_mode: state the modes of each declaration that follows" \
  "old_names.c:51: by hand: gradyn_in_modes: state the modes" \
  "old_names.c:54: by hand: gradyn_problem: it records its size. Begin it with GRADYN_PROBLEM_SIZES" \
  "old_names.c:57: by hand: gradyn_options: it records its size. Fill it by gradyn_options_default()" \
  "old_names.py:25: by hand: method in_mode: state the modes"
[ "$(grep -c "records its size" err)" -eq 2 ] || fault "a struct with its size is listed"
for language in c py; do
  diff "$old/new_names.$language" "old_names.$language" || fault "old_names.$language has other names"
done
expect 1 old_names.c old_names.py # the second time changes nothing
for language in c py; do
  diff "$old/new_names.$language" "old_names.$language" || fault "old_names.$language has changed again"
done

expect 1 --comments old_names.c
grep -q 'when' old_names.c && fault "--comments leaves a comment as it was"
# shellcheck disable=SC2016 # the page contains code between backticks
printf '%s\n' '# `gradyn_when()`' '```c' 'gradyn_check(e, r, i, 1, &n);' '```' '```python' 'm.hold_angle(1)' '```' >page.md
expect 0 page.md
says page.md 'gradyn_when'
expect 0 --comments page.md
# shellcheck disable=SC2016 # see above
says page.md '`gradyn_event()`' 'gradyn_evaluator_check(e, r, NULL, i, 1, &n);' 'm.fix_initial_angle(1)'
printf '{"cells": [{"cell_type": "code", "source": ["m.bar_frame(\\"a\\")\\n", "x"]}],\n "metadata": {}}\n' >book.ipynb
expect 0 book.ipynb
says book.ipynb '"m.rod_frame(\"a\")\n", "x"' ' "metadata": {}}'
echo 'gradyn run five-bar --max-iterations=3 --refine --refine-controls 2' >old.sh
expect 0 old.sh
says old.sh 'gradyn run five-bar --max-evaluations=3 --refine-discretisation --refine-controls 2'
printf 'import gradyn\nprint(gradyn.open("x").result["ending"])\n' >key.py
expect 1 key.py
says err 'key.py:2: by hand: key "ending": termination if of a file of gradyn'
expect 2 nothing.c
says err nothing.c
printf 'x = (\n' >broken.py
expect 2 broken.py
says err 'broken.py: not changed'

gradyn=$command # the command runs the script
cp "$old/old_names.c" .
expect 1 migrate --dry-run old_names.c
says out '+  gradyn_event(model, '
expect 1 migrate old_names.c
diff "$old/new_names.c" old_names.c || fault "gradyn migrate gives other names"
expect 2 migrate
says err "which file? usage: gradyn migrate FILE... [OPTIONS]"

# The table: each new name is no old one, so that a second run changes nothing, and old names are given once.
table=$source/scripts/names.tsv
awk -F'\t' '!/^#/ && $1 ~ /^(function|type|enumerator|macro)$/ { print $3 > "new"; print $2 > "names" }' "$table"
[ -z "$(sort -u new | comm -12 - <(sort -u names))" ] || fault "a new name of the table is an old one"
[ -z "$(sort names | uniq -d)" ] || fault "the table has a name twice: $(sort names | uniq -d)"
verdict "names are rewritten by the table"
