/* Repeated runs of IDAS ("careful runs") after too little progress, because a small quantity changes while
 * the states hardly move.
 *
 * Examples: in y' = -k (y - u(t)) with a large k, y is close to u, while dy/dk = (u - y)/k consists of the
 * small difference. dy/dy_0 = exp(-k t) decays while y does not move. A small voltage r C y' is the
 * derivative of another voltage. IDAS chooses orders by the norm of all states. It may then reduce the
 * order to one and keep it: an accepted step is followed by a step of twice the length, which fails in the
 * small quantity, and the order increases only after steps of equal length. In other cases, Newton's method
 * for states and sensitivities together fails at any order, whenever a step is as long as its error allows.
 * gradyn detects such a run by its orders and failures, ends it, and repeats it as a careful run:
 *   - the matrix is evaluated again when the step length changes, so that remaining errors of Newton's method
 *     do not change small quantities;
 *   - the rate of the step-size governor, an additional state, is one over the time since the start of the
 *     arc: orders suit this time;
 *   - after a failure, steps keep their length for several steps.
 *
 * The run is repeated from its start, because a run at first order does not recover. */
#include <math.h>

#include "dae/idas/idas.h"

/* Too little progress: of WINDOW consecutive steps, except the first of an arc, more than MOST_LOW have
 * order one or two, and at least SOME_FAILURES failed. Usual runs with tolerances from 1e-4 to 1e-10 have
 * less than 50 steps of such an order. */
enum { WINDOW = 64, LOW_ORDER = 2, MOST_LOW = 52, SOME_FAILURES = 4 };

/* Other form of too little progress: Newton's method for states and sensitivities together fails more than
 * MOST_ASTRAY times in each of SOME_WINDOWS consecutive windows. */
enum { MOST_ASTRAY = 5, SOME_WINDOWS = 3 };

/* In addition to MOST_ASTRAY, the error of the last step must be below this fraction of the tolerance, so
 * that errors are not the reason for short steps. Runs slowed down by Newton's method have 3e-7 to 3e-3, a
 * mechanism with friction has 6e-3 and more. */
static const double idle = 5e-3;

/* After a failure, this number of steps keep their length. It is larger than the number of orders. */
enum { HELD = 10 };

/* Fraction of an arc that is added to the time since its start, so that the first rate is finite. */
static const double soon = 1e-12;

/* Relative tolerance of the step-size governor in careful runs: it determines orders, but rarely lengths. */
static const double brisk = 1e-3;

/* Largest relative change of the coefficient of y' for which a matrix is reused; 0.25 is the default of
 * IDAS. */
static const double alike = 0.01;

/* Returns the number of repeated steps in this arc, for any reason. IDAS counts failed error tests of
 * sensitivities with those of quadratures. */
static long failures(void *ida)
{
  long count[6] = {0};
  /* counters of parts that the run does not have stay 0 */
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
  s->beat = gradyn_idas_metronome_rate(s, 0);
  return s->care.on ? IDASetDeltaCjLSetup(s->ida, alike) : IDA_SUCCESS;
}

double gradyn_idas_metronome_rate(const gradyn_idas *s, double since)
{
  /* rate of the step-size governor: 1 over the length of the arc or, in careful runs, over the time since
   * its start */
  return 1 / (s->care.on ? since + s->care.soon : s->care.soon);
}

double gradyn_idas_metronome_weight(const gradyn_idas *s, double m)
{
  if (s->care.on)
    return 1 / (brisk * fabs(m));
  return 1 / (s->options.rtol * fabs(m) + NV_Ith_S(s->sun.atol, s->ny));
}

/* Returns the error of the states in the last step relative to the tolerance; 1 if it is not available. */
static double last_error(const gradyn_idas *s)
{
  if (IDAGetEstLocalErrors(s->ida, s->sun.error) < 0 || IDAGetErrWeights(s->ida, s->sun.weight) < 0)
    return 1;
  return N_VWrmsNorm(s->sun.error, s->sun.weight);
}

/* Returns whether Newton's method for states and sensitivities fails repeatedly although steps are shorter
 * than errors require. Called once in a window. */
static bool goes_astray(gradyn_idas *s)
{
  long diverged = 0;
  IDAGetNumNonlinSolvConvFails(s->ida, &diverged);
  const bool often = s->care.together && diverged - s->care.diverged > MOST_ASTRAY;
  s->care.diverged = diverged;
  s->care.astray = often && last_error(s) < idle ? s->care.astray + 1 : 0;
  return s->care.astray >= SOME_WINDOWS;
}

/* Returns whether the run makes too little progress; checked once in a window. */
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

/* Keeps the length of steps after a failure. Returns a code of IDAS. */
static int hold(gradyn_idas *s)
{
  long steps = 0, failed = failures(s->ida);
  IDAGetNumSteps(s->ida, &steps);
  if (failed > s->care.failures) {
    s->care.failures = failed;
    s->care.until = steps + HELD;
  }
  /* IDAS increases the length only if the factor of the increase exceeds this bound; 0: the default of
   * IDAS, 2 */
  return IDASetEtaFixedStepBounds(s->ida, 1, steps < s->care.until ? HUGE_VAL : 0);
}

gradyn_status gradyn_idas_check_progress(gradyn_idas *s)
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

bool gradyn_idas_must_repeat(gradyn_idas *s)
{
  s->care.next = s->care.stalled && !s->care.on;
  if (s->care.next)
    gradyn_message_clear(&s->model->message);
  return s->care.next;
}
