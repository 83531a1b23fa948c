#!/usr/bin/env bash
# What check prints of derivatives that are right and of one that is half of what it should be.
# Usage: test_check.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile lossy bowl

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
verdict "Checks are told as they are."
