/* Gradients by differences of whole runs: what is done without derivatives of the model, offered to
 * be compared with them.
 *
 * Of a parameter, psi is computed at one or two distances s from its value. With one (forward
 * differences, the practice of Ebrahimi et al. (2018)) the derivative is d1/s1, d_k being psi at s_k
 * less psi at 0; with two it is that of the parabola through the three points,
 *     (d1 s2/s1 - d2 s1/s2) / (s2 - s1),
 * which is the central difference for s2 = -s1, and remains of second order for s2 = 2 s1, where a
 * bound leaves no room on the other side. */
#include "adjoint/by_differences.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "dae/drift.h"

enum { MOST_POINTS = 2 };

/* Distances from the present value of one parameter, in its unit, and the weights of d_k. */
typedef struct stencil {
  int count;
  double distance[MOST_POINTS], weight[MOST_POINTS];
} stencil;

/* Distance that one moves if asked for s: what the machine can represent, within the bounds. */
static double reachable(const gradyn_parameter_info *p, double rho, double s)
{
  /* volatile: no wider register, s is what is added in fact */
  volatile double moved = s > 0 ? fmin(rho + s, p->upper) : fmax(rho + s, p->lower);
  return moved - rho;
}

/* The wanted distance, in the parameter's unit. Truncation grows with h^2, and noise, of about the
 * tolerance of a run, with 1/h: central differences are best near the cube root of the noise. */
static double wanted(const gradyn_options *o, const gradyn_parameter_info *p, double rho)
{
  if (o->perturbation > 0)
    return o->perturbation * (rho != 0 ? fabs(rho) : p->scale);
  return cbrt(fmax(DBL_EPSILON, o->rtol)) * fmax(fabs(rho), p->scale);
}

/* The distances of parameter j and the weights of the functionals there. */
static gradyn_status choose(gradyn_evaluator *ev, size_t j, double rho, stencil *s)
{
  const gradyn_parameter_info *p = &ev->parameters.info[j];
  /* forward if a size is given, else central, else two points on the side with more room */
  double h = wanted(&ev->options, p, rho), up = p->upper - rho, down = rho - p->lower;
  double side = up >= down ? 1 : -1, room = fmax(up, down);
  *s = (stencil){.count = 2};
  /* one side if asked for, both if the bounds leave room, else two points on one side */
  if (ev->options.perturbation > 0) {
    s->count = 1;
    s->distance[0] = up >= h ? h : down >= h ? -h : side * room;
  } else if (up >= h && down >= h) {
    s->distance[0] = h;
    s->distance[1] = -h;
  } else {
    s->distance[0] = side * fmin(h, room / 2);
    s->distance[1] = 2 * s->distance[0];
  }
  for (int k = 0; k < s->count; k++)
    s->distance[k] = reachable(p, rho, s->distance[k]);
  /* weights of d_k, as above; with one distance d1/s1 */
  double s1 = s->distance[0], s2 = s->distance[1];
  if (!(room > 0) || s1 == 0 || s1 == s2)
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "no difference can be taken by parameter %s: its bounds %g and %g leave no "
                       "room beside %g; use the adjoint or direct sensitivities",
                       p->name, p->lower, p->upper, rho);
  s->weight[0] = s->count == 1 ? 1 / s1 : s2 / (s1 * (s2 - s1));
  s->weight[1] = s->count == 1 ? 0 : -s1 / (s2 * (s2 - s1));
  return GRADYN_OK;
}

/* Adds what the last simulation cost. */
static void count_run(gradyn_evaluator *ev)
{
  gradyn_statistics last = ev->method->statistics(ev->run), *sum = &ev->cost;
  /* sums of work, worst of drifts */
  sum->simulations++;
  sum->steps += last.steps;
  sum->newton_iterations += last.newton_iterations;
  sum->residual_calls += last.residual_calls;
  sum->factorisations += last.factorisations;
  sum->steps_divided += last.steps_divided;
  sum->arcs = last.arcs;
  gradyn_drift_raise(
      sum, (const double[]){last.drift_position, last.drift_velocity, last.drift_acceleration});
  sum->time_simulate = last.time_simulate;
}

/* Column j of the gradient. */
static gradyn_status differentiate(gradyn_evaluator *ev, const double *rho, size_t j,
                                   const double *psi, double *gradient)
{
  size_t p = ev->parameters.count, nf = (size_t)ev->model->functional_count;
  stencil s;
  gradyn_status status = choose(ev, j, rho[j], &s);
  for (size_t f = 0; f < nf; f++)
    gradient[f * p + j] = 0;
  for (int k = 0; k < s.count && status == GRADYN_OK; k++) {
    /* psi at rho_j + s_k, with the weight of the stencil */
    ev->moved[j] = rho[j] + s.distance[k];
    status = gradyn_simulate(ev, ev->moved, ev->sample, NULL);
    count_run(ev);
    if (status != GRADYN_OK)
      gradyn_message_add(
          &ev->message, "in the run for differences with %s = %.10g instead of %.10g %s",
          ev->parameters.info[j].name, ev->moved[j], rho[j], ev->parameters.info[j].unit);
    for (size_t f = 0; f < nf && status == GRADYN_OK; f++)
      gradient[f * p + j] += s.weight[k] * (ev->sample[f] - psi[f]);
  }
  ev->moved[j] = rho[j]; /* to the bit */
  return status;
}

/* One run, and two or more for each parameter: for problems whose derivatives are in doubt. */
gradyn_status gradyn_gradient_by_differences(gradyn_evaluator *ev, const double *rho, double *psi,
                                             double *gradient)
{
  double clock = gradyn_seconds();
  ev->cost = (gradyn_statistics){0};
  /* moved one at a time, and back */
  memcpy(ev->moved, rho, ev->parameters.count * sizeof(double));
  /* the value in the middle, which also shows whether the run succeeds at all */
  gradyn_status status = gradyn_simulate(ev, rho, psi, NULL);
  count_run(ev);
  for (size_t j = 0; j < ev->parameters.count && status == GRADYN_OK; j++)
    status = differentiate(ev, rho, j, psi, gradient);
  ev->cost.time_gradient = gradyn_seconds() - clock;
  ev->use_cost = true;
  return status;
}
