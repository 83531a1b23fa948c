/* An arm whose frames are oblique, with events of all kinds. */
#ifndef GRADYN_TESTS_MBS_TREE_EVENTFUL_H
#define GRADYN_TESTS_MBS_TREE_EVENTFUL_H

#include <gradyn/gradyn.h>

/* The setting "kind" says which: walls, landings, switches by formulas, velocities that are set, a map, a
 * joint that is let go, an end; loads on balls and loads that float; some of them in a loop. */
enum {
  EVENTFUL_KINDS = 22,
  EVENTFUL_OF_ARMS = 14, /* behind them: with balls and bodies that float */
  EVENTFUL_LANDINGS = 2,
  EVENTFUL_SET_BODY = 9,
  EVENTFUL_RELEASE = 12,
  EVENTFUL_RELEASE_BALL = 14,
  EVENTFUL_AFLOAT = 16,
  EVENTFUL_SET_AFLOAT = 17,
  EVENTFUL_IN_LOOP = 18,
  EVENTFUL_FUNCTIONALS = 7,
  EVENTFUL_PARAMETERS = 4
};
extern const gradyn_problem eventful_natural, eventful_joint;

#endif
