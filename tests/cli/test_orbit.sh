#!/usr/bin/env bash
# gradyn orbit: orbits through events, as text and as JSON, and what it says where there is none.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

expect 0 orbit compass-walker --section step
says out period step multiplier "stable: disturbances fade"
for method in idas ali3p variational; do
  expect 0 orbit compass-walker --section step --method "$method" --json
  json '.verdict == "stable: disturbances fade" and (.events | map(.name)) == ["step"]'
  json '(.period - 0.734346 | fabs) < 5e-6 and (.states | length) == 4 and .states[0].name == "swinging.x"'
  json '[.multipliers[] | .[0] * .[0] + .[1] * .[1]] | sort | (.[1] - 0.336344 | fabs) < 5e-6'
done
expect 0 orbit rimless-wheel --section step --returns 2 --t-end 3 --coordinates hub.x --json
json '(.events | length) == 2 and .states[0].name == "hub.x"'

# events with their matrices, in the coordinates of each side
expect 0 events ball-on-slope --saltation --json
json '(.events | length) == 1 and .events[0].event == "lands" and (.events[0].saltation | map(length)) == [4, 4] and .events[0].behind == ["ball.x", "ball.x\u0027"]'
json '(.events[0].before | length) == 4 and .events[0].time > 0'

# messages name the event and what would be right
expect 2 orbit compass-walker --section stride
says err stride step
expect 1 orbit compass-walker --section step --t-end 0.3
says err step "0.3"
expect 1 orbit bouncing-ball --t-end 1
expect 2 orbit compass-walker --section step --returns 0

verdict "Orbits go through events."
