/* Contributions of the points of a run to functionals, for sweeps over its steps. */
#ifndef GRADYN_ADJOINT_SWEEP_POINTS_H
#define GRADYN_ADJOINT_SWEEP_POINTS_H

#include "adjoint/fixed/sweep_events.h"

/* A point of the run at which functionals are evaluated: time and states; the weight of integrands, s (0:
 * none); the node for terminal parts (-1: none). */
typedef struct gradyn_sweep_point {
  gradyn_sample at; /* y [ny] */
  double weight;
  int node;
} gradyn_sweep_point;

/* Returns whether integrals are computed by the scheme's rule of one point per step. */
static inline bool gradyn_sweep_sampled(const gradyn_sweeps *s)
{
  return s->march->stepper->ops->sample != NULL;
}

/* Returns the point of node k: integrands of the trapezoidal rule, and terminal parts. */
static inline gradyn_sweep_point gradyn_sweep_node(const gradyn_sweeps *s, int k, const double *y)
{
  const gradyn_fixed *march = s->march;
  double weight = gradyn_sweep_sampled(s) ? 0 : gradyn_fixed_weight(march, k);
  return (gradyn_sweep_point){{gradyn_fixed_time(march, k), y}, weight, k};
}

/* Returns the quadrature point of step k. */
static inline gradyn_sweep_point gradyn_sweep_sample(const gradyn_sweeps *s, int k, const double *y)
{
  const gradyn_fixed *march = s->march;
  double fraction = gradyn_fixed_sample_fraction(march, k);
  return (gradyn_sweep_point){{fraction * march->t_end, y}, gradyn_fixed_length(march, k), -1};
}

/* Adds the derivatives of functional f at a point to y_bar [ny], whose entries are `stride` numbers apart,
 * and to x_bar [nx]; sets point_t. *any: there are contributions.
 * Errors: those of the functional. */
static inline gradyn_status gradyn_sweep_add_parts(gradyn_sweeps *s, int f,
                                                   const gradyn_sweep_point *where, double *y_bar,
                                                   int stride, double *x_bar, bool *any)
{
  gradyn_fixed *march = s->march;
  gradyn_model *model = march->model;
  const gradyn_functional_entry *functional = &model->functional[f];
  bool integrand = functional->integrand && where->weight > 0;
  double rate, share = gradyn_fixed_terminal_weight(march, f, where->node, &rate);
  bool terminal = share != 0;
  *any = (integrand || terminal) && !functional->skipped;
  s->times.point_t[f] = 0;
  if (!*any)
    return GRADYN_OK;
  double t_bar = 0, weight = s->slope[f] * where->weight;
  const gradyn_gradient_out out = {functional->data_only ? NULL : y_bar, stride, x_bar, &t_bar};
  gradyn_status status = GRADYN_OK;
  if (integrand)
    status = functional->integrand->gradient(model, functional, &where->at, weight, &out);
  if (terminal && status == GRADYN_OK)
    status = functional->terminal->gradient(model, functional, &where->at, share * s->slope[f],
                                            &out);
  s->times.point_t[f] = t_bar + s->slope[f] * rate; /* maxima between nodes: by their times */
  return status;
}

#endif
