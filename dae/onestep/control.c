/* The lengths of the steps of an explicit method: by their errors, and by what stiffness leaves of
 * them. With e the error over the tolerance, h' = 0.9 h e^-(1/q - 0.75 m) e_before^m with m = 0.2/q,
 * within limits. */
#include <math.h>

#include "dae/onestep/pieces.h"

enum {
  MOST_HALVINGS = 60, /* of a step whose stages cannot be evaluated */
  NOISE_EVERY = 64,   /* steps between looks for round-off */
};

/* Parts of a run that count: at rest; in steps without an error, which are few where they grow again after
 * a corner. */
static const double some = 0.01, much = 0.3;

/* Part of its size, as tolerances have it, by which a state moves at least in a step of a motion that tells
 * how long steps have to be for derivatives, too. With the root of the tolerance alone analyses are off by 10
 * to 1000 times the tolerance 1e-8 m away from an equilibrium (tests/campaigns/no_false_alarms.c). */
static const double little = 0.01;

/* Errors of steps, over the tolerance, that choose no lengths, at least and at most: those that do are some
 * 0.6. In between round-off over the size of a state: along the parabolas of a ball up to 7e-15. */
static const double no_error = 1e-6, some_error = 0.1, round_off = 1e-14;

/* The length that the error of a step, over the tolerance, asks of the next one: by the last error, and
 * by the one before it, against oscillations (Gustafsson). */
static double resize(const gradyn_onestep *s, double error)
{
  const gradyn_onestep_control *c = &s->control;
  /* a step that failed before must not grow at once */
  double q = s->tableau->falls, memory = c->error > 0 ? 0.2 / q : 0, most = c->rejected ? 1 : 6;
  /* 0.9 error^-(1/q - 0.75 m) last^m */
  double factor = 0.9 * pow(fmax(error, 1e-10), -(1 / q - 0.75 * memory));
  if (memory > 0)
    factor *= pow(fmax(c->error, 1e-4), memory);
  return fmin(most, fmax(0.3, factor));
}

/* Looks for round-off now and then, where errors have not fallen as shorter steps let them, and while it
 * counts. */
static gradyn_status look_for_noise(gradyn_onestep *s, double t, double h, const double *z,
                                    double *stages, bool suspected)
{
  if (s->tableau->edge == 0) /* stiff rates have more of it than the run */
    return GRADYN_OK;
  if (!suspected && s->count % NOISE_EVERY != NOISE_EVERY / 2 && !(h * s->control.noise > 1))
    return GRADYN_OK;
  const gradyn_status status = gradyn_onestep_measure_noise(s, t, h, z, stages);
  return gradyn_status_describe(status).kind == GRADYN_CLASS_RECOVERABLE ? GRADYN_OK : status;
}

/* The most that a state has moved in a step, over what it may be off by. */
static double moved(const gradyn_onestep *s, const double *z, const double *stages)
{
  const double *arrival = stages + (size_t)(s->kept.slots - 1) * s->kept.slot;
  double most = 0;
  for (int i = 0; i < s->rates->nz; i++) {
    const int at = s->rates->position[i];
    const double allowed = s->tolerances.atol[at] + s->options.rtol * fabs(z[i]);
    /* 0/0 of a state that is zero and stays so is NaN, which fmax() leaves out */
    most = fmax(most, fabs(arrival[at] - z[i]) / allowed);
  }
  return most;
}

/* Adds up seconds of steps in which no state moves by more of its size than the root of the tolerance
 * (rest), or than `little` (faint): derivatives are off by what states are off by, over what they have
 * moved. Steps without an error but round-off (exact), as along a parabola, are as long as they like; where
 * the round-off of rates exceeds the tolerance (next to rest), it chooses them. */
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
  const double whole = gradyn_onestep_whole(s);
  if (nearly && s->control.exact > much * whole)
    return true;
  return (nearly ? s->control.faint : s->control.rest) > some * whole;
}

/* One step of length h with its integrals and, if wanted, its error. */
static gradyn_status try_step(gradyn_onestep *s, double t, double h, const double *z,
                              double *stages, double *error)
{
  GRADYN_TRY(gradyn_model_cancelled(s->model, t));
  GRADYN_TRY(gradyn_onestep_take(s, t, h, z, stages, !error || s->tableau->judged_at_arrival));
  GRADYN_TRY(gradyn_onestep_integrate(s, t, h, stages));
  return error ? gradyn_onestep_error(s, t, h, z, stages, error) : GRADYN_OK;
}

/* Tries a step of length *h, and shorter ones until its error is within the tolerance; *h: taken. */
gradyn_status gradyn_onestep_advance(gradyn_onestep *s, double t, double *h, const double *z,
                                     double *stages)
{
  bool fixed = s->options.step > 0 || s->limits.given > 0; /* given lengths are not judged */
  /* more than is asked for now, cut by an arc's end */
  double proposed = *h < s->control.h ? s->control.h : 0;
  double longer = 0, worse = 0; /* the trial before, and its error */
  if (!fixed)
    GRADYN_TRY(look_for_noise(s, t, *h, z, stages, false));
  for (int failures = 0;;) {
    double error = 0;
    gradyn_status status = try_step(s, t, *h, z, stages, fixed ? NULL : &error);
    /* of a smooth motion it falls like a power of the length */
    if (status == GRADYN_OK && longer > 0 && !fixed &&
        error > worse * pow(*h / longer, s->tableau->falls / 2.0))
      status = look_for_noise(s, t, *h, z, stages, true);
    longer = *h;
    worse = error;
    bool good = status == GRADYN_OK && error <= 1;
    /* only steps that are taken are worth their last evaluation */
    if (good && !fixed && !s->tableau->judged_at_arrival)
      status = gradyn_onestep_end(s, t + *h, stages);
    if (status == GRADYN_OK && good) {
      const double factor = fixed ? 1 : resize(s, error);
      double next = factor >= 1 && factor < s->tableau->steady ? *h : *h * factor;
      /* a step that only the end of its arc made short says nothing against the length proposed */
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
    /* failures by a quarter, errors by what they ask for */
    *h *= status != GRADYN_OK || !isfinite(error) ? 0.25 : fmin(0.9, resize(s, error));
    s->control.rejected = true;
    /* below this t + h is t; or, at the start, it leads nowhere */
    if (*h < fmax(1e-14 * t, 1e-30 * gradyn_onestep_whole(s)))
      return status != GRADYN_OK
                 ? status
                 : gradyn_fail(&s->model->message, GRADYN_NOT_CONVERGED,
                               "the step size became too small at t = %g s: a force that jumps, or "
                               "too tight a tolerance",
                               t);
  }
}
