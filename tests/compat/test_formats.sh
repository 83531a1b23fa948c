#!/usr/bin/env bash
# Names of options, members and columns: those of version 0.2 work, and files have the present ones.
# studies-0.2/ has studies as version 0.2 wrote them. Usage: test_formats.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
table=$source/scripts/names.tsv

# --- Options ----------------------------------------------------------------------------------------

expect 1 run five-bar --max-iterations=1 --t-end 0.1 --out old --no-report -q
says err "option --max-iterations is called --max-evaluations now"
[ "$(grep -c 'is called' err)" -eq 1 ] || fault "$what: not one line names the option"
jq -e '.max_evaluations == 1 and .format == 2' old/settings.json >/dev/null || fault "$what: another limit"
expect 1 run five-bar --max-evaluations 1 --t-end 0.1 --out new --no-report -q
! grep -q 'is called' err || fault "$what: the present name is called old"
# the recorded command line of an older study is not treated as typed options
expect 1 resume old --max-evaluations 2 --no-report -q
! grep -q 'is called' err || fault "$what: the record is called old"
expect 0 events bouncing-ball --independent ball.x,ball.y --json -q
says err "--preferred-coordinates"
expect 2 pareto five-bar --objectives psi1,psi2 --between 2:1 --out front
says err "--second-at-most '2:1'" "option --between is called --second-at-most now"
expect 2 run five-bar --max-iterations
says err "option '--max-iterations' needs a value"
expect 2 run five-bar --refine=3
says err "option '--refine' takes no value"
# all old names: the command accepts them, and no text lists them
for command in $("$gradyn" --help | sed -n "s/^  \([a-z]*\) .*/\1/p"); do
  "$gradyn" "$command" --help >>help
done
while IFS=$'\t' read -r old new; do
  grep -qE -- "^ .*--$new( |$)" help || fault "option $new does not exist"
  ! grep -qE -- "^ .*--$old( |$)" help || fault "the help lists option $old"
  ! grep -qE -- "Fl -$old( |$)" "$source/docs/man/gradyn.1" || fault "the manual page lists option $old"
done < <(sed -nE 's/^option\t([^\t]*)\t([^\t]*).*/\1\t\2/p' "$table")

# --- Studies of version 0.2 -------------------------------------------------------------------------

cp -r "$source/tests/compat/studies-0.2" studies
cp -r studies before
expect 0 status studies/limited --json
json '.state == "optimal" and .evaluations == 5'
expect 0 status studies/events --json
json '.state == "evaluation limit"'
# values of a study, and its settings
expect 0 simulate --from studies/limited --json -q
json '.parameters[0].value == -6.0000000000000524 and .settings.knots == 4'
# pages have the present names only
for study in limited events segments starts; do
  expect 0 report studies/$study
  grep -o '<script type="application/json".*' studies/$study/report.html >page
  for member in ending recheck moved_most limits sides cuts which gaps; do
    ! grep -q "\"$member\":" page || fault "the page of $study has the old member $member"
  done
done
for member in path_constraints points bounds discretisation changed_most; do
  grep -q "\"$member\":" studies/limited/report.html || fault "the page lacks the member $member"
done
grep -q '"occurrence":' studies/events/report.html || fault "the page lacks the occurrences of events"
grep -q '"defects":' studies/segments/report.html || fault "the page lacks the defects"
# A study is resumed to the same point, or refused by name where another machine computes other bits. One with
# points of path constraints is refused, since these are others now.
for study in limited events segments starts; do
  what="resume of $study"
  status=0
  "$gradyn" resume studies/$study --max-evaluations 9 --no-report --json >out 2>err || status=$?
  if [ "$study" = limited ] || [ "$study" = segments ]; then
    [ "$status" != 0 ] || fault "$what: it was resumed"
    says err "an earlier version of gradyn enforced its path constraints at other points"
    continue
  fi
  if grep -q 'is not that of evaluation\|other bits\|changes the iterates\| and is [-0-9.e]* now' err; then
    says err "no file in 'studies/$study' was changed; --from-best begins a new search"
    (cd before && find "$study" -name '*.jsonl') | while read -r file; do
      cmp -s "before/$file" "studies/$file" || echo "$file"
    done >changed
    [ ! -s changed ] || fault "$what: a refused resume has changed $(cat changed)"
    continue
  fi
  [ "$study" = starts ] || says err "gradyn: note:"
  json '.format == 2 and (.termination | type) == "string"'
  jq -es '.[0].objective <= .[1].objective' studies/$study/result.json before/$study/result.json >/dev/null ||
    fault "$what: the result is worse, exit status $status"
  [ ! -e studies/$study/journal.jsonl ] || ! grep -q '"path_constraints":' studies/$study/journal.jsonl ||
    fault "$what: the journal has lines of two formats"
done

# --- Files have the present names -------------------------------------------------------------------

expect 0 run bryson-denham --out new-path --no-report -q
head -1 new-path/journal.jsonl | jq -e '.journal == 2 and .options.method == "auto" and (has("march") | not)' >/dev/null ||
  fault "$what: the header of the journal"
jq -e '.format == 2 and (.path_constraints.points | length) > 0 and .path_constraints.bounds[0].functional == "track.over"
  and .discretisation.change < 1 and any(.functionals[]; .use == "path-constraint")' new-path/result.json >/dev/null ||
  fault "$what: members of the result"
expect 0 events bouncing-ball --csv -q
head -1 out | grep -q '^t \[s\],event,occurrence,' || fault "$what: columns"
# old members do not appear where the table gives another name
old=$(sed -nE 's/^json\t([^\t.]*)\t.*/\1/p' "$table" | paste -sd '|')
! grep -E "\"($old)\":" new-path/result.json new-path/settings.json || fault "$what: old members"

# --- Other formats ----------------------------------------------------------------------------------

jq '.format = 3' new-path/settings.json >later
cp later new-path/settings.json
expect 2 simulate --from new-path
expect 2 resume new-path
says err "its format is 3; this version reads up to format 2. Install a newer gradyn"

# --- The version ------------------------------------------------------------------------------------

expect 0 --version
version=$(cut -d ' ' -f 2 out)
soname=$(cut -d . -f 1,2 <<<"$version")
for file in CITATION.cff README.md docs/man/gradyn.1 docs/tutorial.md docs/install.md debian/changelog debian/README.source; do
  head -n 300 "$source/$file" | grep -cF "$version" >/dev/null || fault "$file has another version than $version"
done
head -n 1 "$source/debian/changelog" | grep -qF "($version-" || fault "the package has another version than $version"
head -n 1 "$source/debian/libgradyn$soname.symbols" | grep -qF "libgradyn.so.$soname libgradyn$soname" || fault "other symbols"
grep -qF "What is new in $soname" "$source/docs/news.md" || fault "no page of news for $soname"

verdict "Old names work, and files have the present ones."
