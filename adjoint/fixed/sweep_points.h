/* Contributions of the points of a run to functionals, for sweeps over its steps. */
#ifndef GRADYN_ADJOINT_SWEEP_POINTS_H
#define GRADYN_ADJOINT_SWEEP_POINTS_H

#include "adjoint/fixed/sweep_events.h"

/* Where functionals are evaluated: integrands and maxima at a node, integrands inside a step, terminal parts
 * at a sample. */
typedef enum gradyn_sweep_at { GRADYN_AT_NODE, GRADYN_IN_STEP, GRADYN_AT_SAMPLE } gradyn_sweep_at;

/* A point of the run and the functionals evaluated there; weight: of integrands, s. */
typedef struct gradyn_sweep_point {
  gradyn_sweep_at kind;
  gradyn_sample at; /* y [ny] */
  double weight;
  const int *list;
  int count;
} gradyn_sweep_point;

/* Returns whether integrals are computed by the scheme's rule of one point per step. */
static inline bool gradyn_sweep_sampled(const gradyn_sweeps *s)
{
  return s->march->stepper->ops->sample != NULL;
}

/* Makes node [record], node k of the run, the present one, and returns it with its integrands of the
 * trapezoidal rule, and maxima. */
static inline gradyn_sweep_point gradyn_sweep_node(gradyn_sweeps *s, int k, const double *node)
{
  const gradyn_fixed *march = s->march;
  const int first = gradyn_sweep_sampled(s) ? march->lists.integrals : 0;
  s->present.k = k;
  s->present.node = node;
  return (gradyn_sweep_point){GRADYN_AT_NODE,
                              {gradyn_fixed_time(march, k), node},
                              gradyn_fixed_weight(march, k),
                              march->lists.of + first,
                              march->lists.integrals + march->lists.maxima - first};
}

/* Returns the present node, of gradyn_sweep_node(), with the terminal parts that a record samples there. */
static inline gradyn_sweep_point gradyn_sweep_record(const gradyn_sweeps *s, int record)
{
  gradyn_sweep_point where = {.kind = GRADYN_AT_SAMPLE,
                              .at = {gradyn_fixed_time(s->march, s->present.k), s->present.node}};
  where.count = gradyn_tape_sampled(&s->march->tape, record, &where.list);
  return where;
}

/* Returns the quadrature point of step k, from 0, whose output state is y [ny], borrowed. */
static inline gradyn_sweep_point gradyn_sweep_inside(const gradyn_sweeps *s, int k, const double *y)
{
  const gradyn_fixed *march = s->march;
  return (gradyn_sweep_point){GRADYN_IN_STEP,
                              {gradyn_fixed_sample_fraction(march, k) * march->t_end, y},
                              gradyn_fixed_length(march, k),
                              march->lists.of,
                              march->lists.integrals};
}

/* Returns the part of functional f, from 0, that is evaluated at the point *where; NULL: none. *weight: its
 * weight. *rate: for a maximum, the derivative by the time of the node. */
static inline const gradyn_functional_ops *gradyn_sweep_part(const gradyn_sweeps *s, int f,
                                                             const gradyn_sweep_point *where,
                                                             double *weight, double *rate)
{
  const gradyn_functional_entry *functional = &s->march->model->functional[f];
  const bool sample = where->kind == GRADYN_AT_SAMPLE, maximum = functional->maximum;
  *rate = 0;
  *weight = sample    ? !maximum
            : maximum ? gradyn_fixed_top_weight(s->march, f, s->present.k, rate)
                      : where->weight;
  if (*weight == 0 || functional->skipped)
    return NULL;
  return sample || maximum ? functional->terminal : functional->integrand;
}

/* Sets *shown to whether functionals at a point read the output state of a scheme whose state is another one;
 * at a node the output state is then evaluated. Errors: those of the scheme. */
static inline gradyn_status gradyn_sweep_look(const gradyn_sweeps *s, gradyn_sweep_point *where,
                                              bool *shown)
{
  gradyn_depth depth = GRADYN_POSITIONS;
  double weight, rate;
  *shown = false;
  if (!s->march->stepper->ops->complete)
    return GRADYN_OK;
  for (int i = 0; i < where->count; i++)
    *shown = *shown || gradyn_sweep_part(s, where->list[i], where, &weight, &rate);
  *shown = *shown && gradyn_fixed_depth(s->march, where->list, where->count, &depth);
  return *shown && where->kind != GRADYN_IN_STEP
             ? gradyn_fixed_output_state(s->march, s->present.k, where->at.y, depth, &where->at.y)
             : GRADYN_OK;
}

/* Adds the derivatives of functional f at a point to y_bar [ny], whose entries are `stride` numbers apart,
 * and to x_bar [nx]; sets point_t. *any: there are contributions.
 * Errors: those of the functional. */
static inline gradyn_status gradyn_sweep_add_parts(gradyn_sweeps *s, int f,
                                                   const gradyn_sweep_point *where, double *y_bar,
                                                   int stride, double *x_bar, bool *any)
{
  gradyn_model *model = s->march->model;
  const gradyn_functional_entry *functional = &model->functional[f];
  double t_bar = 0, rate, weight;
  const gradyn_functional_ops *part = gradyn_sweep_part(s, f, where, &weight, &rate);
  const gradyn_gradient_out out = {functional->data_only ? NULL : y_bar, stride, x_bar, &t_bar};
  *any = part != NULL;
  if (part)
    GRADYN_TRY(part->gradient(model, functional, &where->at, s->slope[f] * weight, &out));
  s->times.point_t[f] = t_bar + s->slope[f] * rate; /* maxima between nodes: by their times */
  return GRADYN_OK;
}

#endif
