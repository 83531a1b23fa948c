/* Marches with IDAS that crawl, since something small moves where the rest is at peace.
 *
 * Of y' = -k (y - u(t)) with a large k, y follows u closely while dy/dk = (u - y)/k is made of the
 * small difference, and dy/dy_0 = exp(-k t) dies away while y does not move at all; a small voltage
 * r C y' is in the same way the derivative of another. IDAS, which chooses orders by the norm of all
 * states, falls to the first there and stays: each step that passes is followed by one of twice its
 * length, in which what is small fails, and an order rises only after steps of one length. Or Newton's
 * method for states and sensitivities at once seems to diverge, also at higher orders, each time that a step
 * is as long as its error would allow. Such a march is noticed by its orders and failures, given up, and run
 * again with care:
 *   - the matrix is renewed with each step's length, so that what is left of Newton's iterations does not
 *     move what is small;
 *   - the metronome beats in the time since the arc began, and asks for an order that suits this time;
 *   - after a failure steps keep their length for a while.
 * All that from the start: out of the first order there is no way. */
#include <math.h>

#include "dae/idas/idas.h"

/* A march crawls if among so many steps, not the first ones of an arc, so many are of order one or two and
 * some have failed. Healthy ones of tolerances from 1e-4 to 1e-10 keep below 50. */
enum { WINDOW = 64, LOW_ORDER = 2, MOST_LOW = 52, SOME_FAILURES = 4 };

/* Or if Newton's method for states and sensitivities together fails so often in each of so many windows in a
 * row, */
enum { MOST_ASTRAY = 5, SOME_WINDOWS = 3 };

/* while the error of the last step is below this share of what is allowed: it is not that which keeps steps
 * short. Marches that Newton's method holds up have 3e-7 to 3e-3, a mechanism with friction 6e-3 and more. */
static const double idle = 5e-3;

/* Steps of one length after a failure: more than the orders there are. */
enum { HELD = 10 };

/* Part of an arc that counts as passed when it begins. */
static const double soon = 1e-12;

/* Error of the metronome, by its size: it asks for orders, but seldom for shorter steps. */
static const double brisk = 1e-3;

/* Change of the coefficient of y' that a matrix serves, for 0.25 of IDAS. */
static const double alike = 0.01;

/* Steps that were repeated in this arc, whatever has failed. IDAS counts failed error tests of
 * sensitivities among those of quadratures. */
static long failures(void *ida)
{
  long count[6] = {0};
  /* what is not part of the march leaves its counter alone */
  IDAGetNumNonlinSolvConvFails(ida, &count[0]);
  IDAGetNumErrTestFails(ida, &count[1]);
  IDAGetQuadNumErrTestFails(ida, &count[2]);
  IDAGetSensNumNonlinSolvConvFails(ida, &count[3]);
  IDAGetSensNumErrTestFails(ida, &count[4]);
  IDAGetQuadSensNumErrTestFails(ida, &count[5]);
  return count[0] + count[1] + count[2] + count[3] + count[4] + count[5];
}

int gradyn_idas_care_begin(gradyn_idas *s, double length)
{
  s->care.soon = s->care.on ? soon * length : length;
  s->care.looked = s->care.failures = s->care.low = s->care.until = 0;
  s->care.diverged = s->care.astray = 0;
  s->beat = gradyn_idas_beat(s, 0);
  return s->care.on ? IDASetDeltaCjLSetup(s->ida, alike) : IDA_SUCCESS;
}

double gradyn_idas_beat(const gradyn_idas *s, double since)
{
  /* once an arc, or once in the time since it began */
  return 1 / (s->care.on ? since + s->care.soon : s->care.soon);
}

double gradyn_idas_metronome_weight(const gradyn_idas *s, double m)
{
  if (s->care.on)
    return 1 / (brisk * fabs(m));
  return 1 / (s->options.rtol * fabs(m) + NV_Ith_S(s->sun.atol, s->ny));
}

/* Error of the last step in the states, of what is allowed; 1 if that cannot be told. */
static double last_error(const gradyn_idas *s)
{
  if (IDAGetEstLocalErrors(s->ida, s->sun.error) < 0 || IDAGetErrWeights(s->ida, s->sun.weight) < 0)
    return 1;
  return N_VWrmsNorm(s->sun.error, s->sun.weight);
}

/* Whether Newton's method for states and sensitivities fails again and again although steps are shorter than
 * their errors ask for: asked once in a window. */
static bool goes_astray(gradyn_idas *s)
{
  long diverged = 0;
  IDAGetNumNonlinSolvConvFails(s->ida, &diverged);
  const bool often = s->care.together && diverged - s->care.diverged > MOST_ASTRAY;
  s->care.diverged = diverged;
  s->care.astray = often && last_error(s) < idle ? s->care.astray + 1 : 0;
  return s->care.astray >= SOME_WINDOWS;
}

/* Whether a march crawls: looked at once in a window. */
static bool crawls(gradyn_idas *s)
{
  long steps = 0;
  int order = 0;
  IDAGetNumSteps(s->ida, &steps);
  IDAGetLastOrder(s->ida, &order);
  s->care.low += order <= LOW_ORDER;
  if (steps < s->care.looked + WINDOW)
    return false;
  const long failed = failures(s->ida), since = failed - s->care.failures;
  const bool low = s->care.looked > 0 && s->care.low > MOST_LOW;
  s->care.looked = steps;
  s->care.failures = failed;
  s->care.low = 0;
  const bool astray = goes_astray(s);
  return (low && since >= SOME_FAILURES) || astray;
}

/* Keeps the length of steps after a failure: a code of IDAS. */
static int hold(gradyn_idas *s)
{
  long steps = 0, failed = failures(s->ida);
  IDAGetNumSteps(s->ida, &steps);
  if (failed > s->care.failures) {
    s->care.failures = failed;
    s->care.until = steps + HELD;
  }
  /* IDAS lengthens a step that could be this many times as long; 0: its default, 2 */
  return IDASetEtaFixedStepBounds(s->ida, 1, steps < s->care.until ? HUGE_VAL : 0);
}

gradyn_status gradyn_idas_mind(gradyn_idas *s)
{
  if (s->care.on)
    return gradyn_idas_failed(s, hold(s), "lengths of steps", s->t);
  s->care.stalled = crawls(s);
  return s->care.stalled ? GRADYN_NOT_CONVERGED : GRADYN_OK;
}

void gradyn_idas_care_run(gradyn_idas *s)
{
  s->care.on = s->care.next;
  s->care.next = s->care.stalled = s->care.together = false;
}

bool gradyn_idas_again(gradyn_idas *s)
{
  s->care.next = s->care.stalled && !s->care.on;
  if (s->care.next)
    gradyn_message_clear(&s->model->message);
  return s->care.next;
}
