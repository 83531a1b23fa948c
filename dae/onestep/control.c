/* Control of step lengths of one-step methods. With e the error divided by the tolerance, and e_before that
 * of the last step, h' = 0.9 h e^-(1/q - 0.75 m) e_before^m, m = 0.2/q, within limits. */
#include <math.h>

#include "dae/onestep/pieces.h"

enum {
  MOST_HALVINGS = 60, /* a step whose stages cannot be evaluated may be shortened this often */
  NOISE_EVERY = 64,   /* steps between measurements of round-off */
};

/* Fractions of the duration of a run. If steps at rest have more than `some`, the run counts as at rest. If
 * steps with errors of round-off only have more than `much`, this is a property of the run: after a kink, a
 * few steps have such errors while their length grows. */
static const double some = 0.01, much = 0.3;

/* If no state moves by more than this fraction of its size in a step, lengths of steps that follow from
 * errors of the motion are too long for derivatives. With the root of the tolerance instead, results of
 * analyses that start 1e-8 m from an equilibrium have errors of 10 to 1000 times the tolerance
 * (tests/campaigns/no_false_alarms.c). */
static const double little = 0.01;

/* If the error of a step relative to its tolerance is below a limit, it does not determine the length;
 * usual errors are about 0.6. The limit is round_off / rtol, between no_error and some_error. Along the
 * parabolas of a ball, errors are up to 7e-15 of a state's size. */
static const double no_error = 1e-6, some_error = 0.1, round_off = 1e-14;

/* Returns the factor for the length of the next step, from the errors of this step and of the step before
 * relative to their tolerances. The error of the step before damps oscillations of the length (Gustafsson).
 */
static double resize(const gradyn_onestep *s, double error)
{
  const gradyn_onestep_control *c = &s->control;
  /* after a rejected trial, the next step must not be longer */
  double q = s->tableau->falls, memory = c->error > 0 ? 0.2 / q : 0, most = c->rejected ? 1 : 6;
  /* 0.9 error^-(1/q - 0.75 m) last^m */
  double factor = 0.9 * pow(fmax(error, 1e-10), -(1 / q - 0.75 * memory));
  if (memory > 0)
    factor *= pow(fmax(c->error, 1e-4), memory);
  return fmin(most, fmax(0.3, factor));
}

/* Measures round-off every NOISE_EVERY steps, or while it exceeds the tolerance, or if it is `suspected`
 * because the error of a shorter trial did not decrease as expected. */
static gradyn_status look_for_noise(gradyn_onestep *s, double t, double h, const double *z,
                                    double *stages, bool suspected)
{
  /* not for stiff systems: round-off of their rates is larger than that of the run */
  if (s->tableau->edge == 0)
    return GRADYN_OK;
  if (!suspected && s->count % NOISE_EVERY != NOISE_EVERY / 2 && !(h * s->control.noise > 1))
    return GRADYN_OK;
  const gradyn_status status = gradyn_onestep_measure_noise(s, t, h, z, stages);
  return gradyn_status_describe(status).kind == GRADYN_CLASS_RECOVERABLE ? GRADYN_OK : status;
}

/* Returns the largest change of a state in a step relative to its tolerance. */
static double moved(const gradyn_onestep *s, const double *z, const double *stages)
{
  const double *arrival = stages + (size_t)(s->kept.slots - 1) * s->kept.slot;
  double most = 0;
  for (int i = 0; i < s->rates->nz; i++) {
    const int at = s->rates->position[i];
    const double allowed = s->tolerances.atol[at] + s->options.rtol * fabs(z[i]);
    /* a state that is always zero gives 0/0 = NaN, which fmax() ignores */
    most = fmax(most, fabs(arrival[at] - z[i]) / allowed);
  }
  return most;
}

/* Adds up the durations of three kinds of steps, whose lengths are not determined by errors. rest: no state
 * moves by more than the root of the tolerance times its size; faint: by more than `little` times its size.
 * There, the relative error of a derivative is about the error of the state divided by its motion. exact:
 * the error is only round-off. Examples are motions along a parabola, and rates with a round-off above the
 * tolerance. */
static void look_for_rest(gradyn_onestep *s, double h, double error, const double *z,
                          const double *stages)
{
  const double most = moved(s, z, stages), rtol = s->options.rtol;
  const bool exact = h * s->control.noise > 1 ||
                     error <= fmin(some_error, fmax(no_error, round_off / rtol));
  s->control.rest += most <= 1 / sqrt(rtol) ? h : 0;
  s->control.faint += most <= little / rtol ? h : 0;
  s->control.exact += exact ? h : 0;
}

bool gradyn_onestep_rests(const gradyn_onestep *s, bool nearly)
{
  const double whole = gradyn_onestep_duration(s);
  if (nearly && s->control.exact > much * whole)
    return true;
  return (nearly ? s->control.faint : s->control.rest) > some * whole;
}

/* Takes one step of length h, with its integrals and, unless error is NULL, its error. */
static gradyn_status try_step(gradyn_onestep *s, double t, double h, const double *z,
                              double *stages, double *error)
{
  GRADYN_TRY(gradyn_model_cancelled(s->model, t));
  GRADYN_TRY(gradyn_onestep_take(s, t, h, z, stages, !error || s->tableau->judged_at_arrival));
  GRADYN_TRY(gradyn_onestep_integrate(s, t, h, stages));
  return error ? gradyn_onestep_error(s, t, h, z, stages, error) : GRADYN_OK;
}

gradyn_status gradyn_onestep_advance(gradyn_onestep *s, double t, double *h, const double *z,
                                     double *stages)
{
  /* steps of given lengths have no error control */
  bool fixed = s->options.step > 0 || s->limits.given > 0;
  /* the proposed length, if it is longer than *h because the end of the arc has limited *h */
  double proposed = *h < s->control.h ? s->control.h : 0;
  double longer = 0, worse = 0; /* length of the last trial, and its error */
  if (!fixed)
    GRADYN_TRY(look_for_noise(s, t, *h, z, stages, false));
  for (int failures = 0;;) {
    double error = 0;
    gradyn_status status = try_step(s, t, *h, z, stages, fixed ? NULL : &error);
    /* suspicious: the error of a smooth motion would decrease with a power of the length */
    if (status == GRADYN_OK && longer > 0 && !fixed &&
        error > worse * pow(*h / longer, s->tableau->falls / 2.0))
      status = look_for_noise(s, t, *h, z, stages, true);
    longer = *h;
    worse = error;
    bool good = status == GRADYN_OK && error <= 1;
    /* the stage at the end of a step is evaluated only if the step is accepted */
    if (good && !fixed && !s->tableau->judged_at_arrival)
      status = gradyn_onestep_end(s, t + *h, stages);
    if (status == GRADYN_OK && good) {
      const double factor = fixed ? 1 : resize(s, error);
      double next = factor >= 1 && factor < s->tableau->steady ? *h : *h * factor;
      /* a step that the end of its arc has shortened does not reduce the proposed length */
      s->control.h = s->control.rejected ? next : fmax(next, proposed);
      s->control.error = error;
      s->control.rejected = false;
      if (!fixed)
        look_for_rest(s, *h, error, z, stages);
      return GRADYN_OK;
    }
    bool recoverable = gradyn_status_describe(status).kind == GRADYN_CLASS_RECOVERABLE;
    if (fixed || (status != GRADYN_OK && (!recoverable || ++failures > MOST_HALVINGS)))
      return status;
    /* shorten by four after a failure, and by the error after a rejection */
    *h *= status != GRADYN_OK || !isfinite(error) ? 0.25 : fmin(0.9, resize(s, error));
    s->control.rejected = true;
    /* the step is too short: t + h equals t, or there is no progress at the start */
    if (*h < fmax(1e-14 * t, 1e-30 * gradyn_onestep_duration(s)))
      return status != GRADYN_OK
                 ? status
                 : gradyn_fail(&s->model->message, GRADYN_NOT_CONVERGED,
                               "the step size became too small at t = %g s. Possible causes: a "
                               "force that jumps, or too tight a tolerance",
                               t);
  }
}
