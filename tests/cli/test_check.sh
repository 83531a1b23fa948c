#!/usr/bin/env bash
# Output of check for right derivatives and for one that is half of the right value.
# Usage: test_check.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile lossy bowl kinked slow

expect 1 check lossy.so --json
json '.status == "check-failed" and .message == "a derivative is wrong" and .parameters[0].name == "start" and
  .skipped == 0 and (.checks | map(select(.passed)) | length) == .passed and .passed < (.checks | length)'
json '.checks | all(.passed == (.error <= .tolerance)) and all(.kink == false and .skipped == 0 and .reason == null) and
  ([.[] | select(.passed | not) | .name | sub(" [0-9]+ calls"; "")] | sort) == ["dpsi/drho of square: adjoint at start",
    "dpsi/drho of square: direct at start", "dw/dy of square at x",
    "terminal part of square itself, at at->y[0]"]'
json '.checks[] | select(.name == "dw/dy of square at x") | .route == "differences" and
  (.error - 0.5 | fabs) < 1e-6'
says err "gradyn: check-failed: 4 of 12 derivatives disagree, most: dw/dy of square at x"

expect 1 check lossy.so
says out "4 of 12 derivatives DISAGREE"
[ "$(grep -c 'WRONG$' out) $(grep -c ' ok$' out)" = "4 8" ] || fault "$what: other results"

expect 0 check bowl.so --json
json '.status == "ok" and has("message") == false and (.checks | all(.passed)) and .passed == (.checks | length)'
# where a derivative does not exist, the output says so and explains it
expect 1 check kinked.so
[ "$(grep -c ' kink$' out) $(grep -c 'WRONG$' out)" = "2 0" ] || fault "$what: other marks"
says out "kink: at these parameters, the function jumps" "2 of 10 derivatives DISAGREE"
expect 1 check kinked.so --json
json '[.checks[] | select(.kink) | .passed] == [false, false]'
expect 0 check bowl.so
! grep -qE "^kink|omitted|not checked" out err || fault "$what: tells of nothing"
# functions that were not called were not compared; all others count
expect 0 check ball-on-slope -q
grep -qE '^constraint lands itself, 0 calls +real numbers +0.00e\+00 +1e-05  not checked: not called$' out ||
  fault "$what: no word on what was left out"
says out "derivatives agree as far as they were compared"
says err "gradyn: warning: 1 comparisons were omitted" "120 s"

# progress is printed after more than a second, only on a terminal
expect 0 check slow.so
[ ! -s err ] || fault "$what: says more than the result"
TERM=xterm script -qec "'$gradyn' check ./slow.so" /dev/null >out 2>err
says out "checking: gradients, 1 of 2"

verdict "Checks are told as they are."
