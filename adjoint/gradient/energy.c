/* Drift of energy. Without dissipation and drives, T + V is constant. Its drift indicates other errors, for
 * example when a tumbling body flips. It is computed from some rows of a stored trajectory. At events,
 * which have two rows, energy may jump, so only changes between events are summed. */
#include "adjoint/gradient/gradient.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "adjoint/method.h"
#include "dae/trajectory.h"

/* Approximate number of evaluated rows. */
enum { ROWS = 200 };

/* Smallest drifts that are reported, relative to the largest kinetic energy: this multiple of rtol, and the
 * second number for fixed steps. */
static const double reported = 1000;
static const double reported_of_steps = 1e-6;

/* Energies along a run, J. */
typedef struct drift {
  bool conserved;
  double most, kinetic, potential; /* largest magnitudes of drift and energies */
} drift;

/* Adds the energy of a row, where `after` marks the row after an event. *passed: sum of drifts until the
 * last event; *start: energy after it; *last: energy of the last row. */
static void follow(drift *d, double energy, bool after, double *start, double *last, double *passed)
{
  if (after) {
    *passed += *last - *start;
    *start = energy;
  }
  *last = energy;
  d->most = fmax(d->most, fabs(*passed + energy - *start));
}

/* Follows the energy along some rows of a run, always including the rows at events. Ends where energy is
 * not conserved. state [columns] is workspace. */
static gradyn_status measure(gradyn_evaluator *ev, const gradyn_trajectory *run, double *state,
                             drift *d)
{
  gradyn_model *model = ev->model;
  const gradyn_drawing_ops *looks = model->ops->looks;
  const double *times = gradyn_trajectory_read(run).times;
  const size_t steps = gradyn_trajectory_read(run).steps, stride = steps / ROWS + 1;
  double start = NAN, last = NAN, passed = 0;
  gradyn_discrete_state_rewind(model);
  for (size_t k = 0; k < steps && d->conserved; k++) {
    const bool after = k > 0 && times[k] == times[k - 1],
               before = k + 1 < steps && times[k] == times[k + 1];
    if (k % stride != 0 && !after && !before && k + 1 < steps)
      continue;
    double kinetic, potential;
    const gradyn_sample at = {gradyn_trajectory_step(run, k, state), state};
    gradyn_discrete_state_follow(model, at.t, after);
    GRADYN_TRY(looks->conserves(model, &at, &d->conserved));
    GRADYN_TRY(looks->energy(model, &at, &kinetic, &potential));
    d->kinetic = fmax(d->kinetic, kinetic);
    d->potential = fmax(d->potential, fabs(potential));
    start = k == 0 ? kinetic + potential : start;
    follow(d, kinetic + potential, after, &start, &last, &passed);
  }
  return GRADYN_OK;
}

/* Finds the drift of a run. */
static gradyn_status find(gradyn_evaluator *ev, const gradyn_trajectory *run, drift *d)
{
  FREED double *state = calloc(gradyn_trajectory_read(run).columns + 1, sizeof *state);
  *d = (drift){.conserved = true};
  return state ? measure(ev, run, state, d) : GRADYN_NO_MEMORY;
}

/* Returns the drift with half the step; NAN: unknown. */
static double with_half(const gradyn_evaluator *ev, const double *rho)
{
  OWNED(gradyn_evaluator) *half = NULL;
  OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
  gradyn_options options = ev->options;
  drift d;
  options.step /= 2;
  options.t_end = ev->model->span.given;
  if (run == NULL || gradyn_evaluator_clone(ev, &options, &half) != GRADYN_OK)
    return NAN;
  half->exactness.energy_judged = true;
  return gradyn_evaluator_simulate(half, rho, NULL, run) == GRADYN_OK &&
                 find(half, run, &d) == GRADYN_OK
             ? d.most
             : NAN;
}

/* Returns the step with which the drift is `allowed`. Drifts fall by a power of the step, which follows
 * from a run with half the step. NAN: unknown. */
static double step_for(const gradyn_evaluator *ev, const double *rho, double most, double allowed)
{
  const double half = with_half(ev, rho);
  return half < most ? ev->options.step * pow(allowed / most, 1 / log2(most / half)) : NAN;
}

gradyn_status gradyn_energy_check(gradyn_evaluator *ev, const double *rho,
                                  const gradyn_trajectory *trajectory)
{
  const gradyn_method *method = ev->method;
  const bool fixed = method->rtol == 0 || (method->either && ev->options.step > 0);
  drift d;
  /* prescribed motions need not conserve energy */
  if (!ev->model->mech || !ev->model->ops->looks || ev->exactness.energy_judged ||
      method == &gradyn_kinematic_method)
    return GRADYN_OK;
  GRADYN_TRY(find(ev, trajectory, &d));
  const double allowed = fixed ? reported_of_steps : reported * ev->options.rtol;
  /* large potential energies leave round-off in the sum T + V */
  const double round_off = 1e4 * DBL_EPSILON * d.potential;
  const double limit = allowed * d.kinetic + round_off;
  if (d.conserved && d.most > limit)
    gradyn_warnings_add(
        &ev->found,
        GRADYN_WARNING(ENERGY_DRIFT, .unit = "J", .value = d.most, .limit = limit,
                       .suggestion = fixed ? step_for(ev, rho, d.most, limit) : (double)NAN));
  return GRADYN_OK;
}
