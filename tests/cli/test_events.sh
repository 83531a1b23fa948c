#!/usr/bin/env bash
# Output of events for a bouncing ball: impacts and saltation matrices in closed form. Orbits through events,
# as text and as JSON, and messages where there is none.
# Usage: test_events.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

expect 0 events bouncing-ball --saltation
# rows and columns x, y and their rates: -e of y and its rate, (1 + e) g/v of the rate by y
awk '
  function near(a, b) { return a - b < 1e-5 * (1 + b) && b - a < 1e-5 * (1 + b) }
  $2 == "ground" && NF == 7 { t[++events] = $1; approach[events] = -$4; bad += !near($5, 0.8 * -$4) }
  /saltation matrix .columns: before the event, lines: after it./ { matrices++; row = 0; bad += !near($4, t[matrices]); next }
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
expect 0 events bouncing-ball --preferred-coordinates ball.x,ball.y --json -q
json '.events | length == 6 and all(.after[:2] == ["ball.x", "ball.y"] and (.saltation | map(length)) == [4, 4, 4, 4])'

# --- Orbits -------------------------------------------------------------------------------------------

expect 0 orbit compass-walker --section step
says out period step multiplier "stable: disturbances fade"
for method in idas ali3p variational; do
  expect 0 orbit compass-walker --section step --method "$method" --json
  json '.stability == "stable: disturbances fade" and (.events | map(.name)) == ["step"]'
  json '(.period - 0.734346 | fabs) < 5e-6 and (.states | length) == 4 and .states[0].name == "swinging.x"'
  json '[.multipliers[] | .[0] * .[0] + .[1] * .[1]] | sort | (.[1] - 0.336344 | fabs) < 5e-6'
done
expect 0 orbit rimless-wheel --section step --returns 2 --t-end 3 --preferred-coordinates hub.x --json
json '(.events | length) == 2 and .states[0].name == "hub.x"'

# events with their matrices, in the coordinates of each side
expect 0 events ball-on-slope --saltation --json
json '(.events | length) == 1 and .events[0].event == "lands" and (.events[0].saltation | map(length)) == [4, 4] and .events[0].after == ["ball.x", "ball.x\u0027"]'
json '(.events[0].before | length) == 4 and .events[0].t > 0'

# messages name the event and the requirement
expect 2 orbit compass-walker --section stride
says err stride step
expect 1 orbit compass-walker --section step --t-end 0.3
says err step "0.3"
expect 1 orbit bouncing-ball --t-end 1
expect 2 orbit compass-walker --section step --returns 0

verdict "Events and orbits are told as they are."
