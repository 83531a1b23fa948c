#!/usr/bin/env bash
# What events prints of a bouncing ball: the impacts, and what they do to small disturbances, in closed form.
# Usage: test_events.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

expect 0 events bouncing-ball --saltation
# rows and columns x, y and their rates: -e of y and its rate, (1 + e) g/v of the rate by y
awk '
  function near(a, b) { return a - b < 1e-5 * (1 + b) && b - a < 1e-5 * (1 + b) }
  $2 == "ground" && NF == 7 { t[++events] = $1; approach[events] = -$4; bad += !near($5, 0.8 * -$4) }
  /disturbances after by those before/ { matrices++; row = 0; bad += !near($4, t[matrices]); next }
  matrices && NF == 4 { bad += ($0 !~ /^ *ball.x +ball.y +ball.x. +ball.y.$/) }
  matrices && NF == 5 {
    split("1 0 0 0 0 -0.8 0 0 0 0 1 0 0 s 0 -0.8", S, " ")
    split("ball.x ball.y ball.x\x27 ball.y\x27", name, " ")
    S[14] = 1.8 * 9.81 / approach[matrices]
    bad += ($1 != name[row + 1])
    for (j = 1; j <= 4; j++) bad += !near($(j + 1), S[4 * row + j])
    row++; rows++
  }
  END { print events, matrices, rows, bad + 0 }' out >found
[ "$(cat found)" = "6 6 24 0" ] || fault "$what: events, matrices, rows, errors: $(cat found)"
expect 0 events five-bar --t-end 0.1 --saltation
printf 'no events\n' | cmp -s - out || fault "$what: events"
expect 0 events five-bar --t-end 0.1 --saltation --json
json '.events == []'
# naming coordinates asks for the matrices
expect 0 events bouncing-ball --coordinates ball.x,ball.y --json -q
json '.events | length == 6 and all(.behind[:2] == ["ball.x", "ball.y"] and (.saltation | map(length)) == [4, 4, 4, 4])'
verdict "Events are told as they are."
