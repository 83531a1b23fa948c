/* Functionals of a run with fixed steps: integrals and terminal parts.
 *
 * psi = outer(w + sum weight_k g_k). Integrands g are summed by the trapezoidal rule over nodes, or at the
 * quadrature point of each step. Terminal parts w are evaluated at samples (dae/tape/tape.h). Output states
 * are computed only as far as functionals need them: positions, velocities, or accelerations and
 * multipliers. */
#include <string.h>

#include "dae/fixed/events.h"
#include "dae/fixed/step.h"

/* --- looks ------------------------------------------------------------------------------------ */

double gradyn_fixed_sample_fraction(const gradyn_fixed *s, int k)
{
  /* share: position of the quadrature point in a step, alpha of the variational scheme */
  return s->step[k].fraction + s->stepper->share * s->step[k].length;
}

/* Raises *depth to the part of the output state that functional f needs. */
static void deepen(const gradyn_functional_entry *f, bool *any, gradyn_depth *depth)
{
  gradyn_depth own = f->positions_only ? GRADYN_POSITIONS
                     : f->motion_only  ? GRADYN_VELOCITIES
                                       : GRADYN_FORCES;
  if (f->data_only)
    return;
  *depth = !*any || own > *depth ? own : *depth;
  *any = true;
}

bool gradyn_fixed_depth(const gradyn_fixed *s, const int *list, int count, gradyn_depth *depth)
{
  bool any = false;
  for (int i = 0; i < count; i++)
    deepen(&s->model->functional[list[i]], &any, depth);
  return any;
}

gradyn_status gradyn_fixed_sample(gradyn_fixed *s, int k, const double *from, const double *to,
                                  const double **y)
{
  gradyn_stepper *stepper = s->stepper;
  gradyn_depth depth = GRADYN_POSITIONS;
  *y = s->view.y;
  if (gradyn_fixed_pause(s, k))
    return gradyn_fixed_output_state(s, k, to, GRADYN_FORCES, y);
  return gradyn_fixed_depth(s, s->lists.of, s->lists.integrals, &depth)
             ? stepper->ops->sample(stepper, gradyn_fixed_time(s, k), gradyn_fixed_length(s, k),
                                    from, to, depth, &s->view)
             : GRADYN_OK;
}

/* --- functionals ------------------------------------------------------------------------------ */

gradyn_status gradyn_fixed_integrands(gradyn_fixed *s, double t, const double *y, double *g)
{
  const gradyn_sample at = {t, y};
  for (int f = 0; f < s->nf; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    g[f] = 0;
    if (!functional->integrand)
      continue;
    GRADYN_TRY(functional->integrand->value(s->model, functional, &at, &g[f]));
  }
  return GRADYN_OK;
}

/* Adds the integrals over step k by the trapezoidal rule. The integrands at its end are stored for the next
 * step. */
static gradyn_status add_trapezium(gradyn_fixed *s, int k, const double *to)
{
  double half = gradyn_fixed_length(s, k) / 2;
  bool odd = k % 2 != 0;
  double *before = s->g + (odd ? s->nf : 0), *after = s->g + (odd ? 0 : s->nf);
  /* the two rows of g alternate between start and end */
  gradyn_status status = gradyn_fixed_integrands(s, gradyn_fixed_time(s, k + 1), to, after);
  for (int f = 0; f < s->nf; f++)
    s->inner[f] += half * (before[f] + after[f]); /* h/2 (g_k + g_(k+1)) */
  return status;
}

/* Adds the integrals over step k by the one quadrature point of the scheme. */
static gradyn_status add_sample(gradyn_fixed *s, int k, const double *from, const double *to)
{
  double h = gradyn_fixed_length(s, k);
  const double *y;
  GRADYN_TRY(gradyn_fixed_sample(s, k, from, to, &y));
  GRADYN_TRY(gradyn_fixed_integrands(s, gradyn_fixed_sample_fraction(s, k) * s->t_end, y, s->g));
  for (int f = 0; f < s->nf; f++)
    s->inner[f] += h * s->g[f]; /* h g(sample) */
  return GRADYN_OK;
}

gradyn_status gradyn_fixed_add_samples(gradyn_fixed *s, int k, int boundary, bool after,
                                       const double *node)
{
  const gradyn_arcs *arcs = &s->arcs;
  gradyn_sample_point at = {boundary, after,
                            gradyn_event_sequence_at(&s->events, &arcs->boundary[boundary]), node};
  gradyn_depth depth = GRADYN_POSITIONS;
  const int *due, count = gradyn_tape_due(&s->tape, arcs, &at, &due);
  if (count == 0)
    return GRADYN_OK;
  if (gradyn_fixed_depth(s, due, count, &depth))
    GRADYN_TRY(gradyn_fixed_output_state(s, k, node, depth, &at.y));
  return gradyn_tape_sample(&s->tape, arcs, &at, s->inner);
}

/* Lists the functionals with integrals and maxima. */
static void list_functionals(gradyn_fixed *s)
{
  gradyn_fixed_lists *lists = &s->lists;
  lists->integrals = lists->maxima = 0;
  for (int f = 0; f < s->nf; f++)
    if (s->model->functional[f].integrand)
      lists->of[lists->integrals++] = f;
  for (int f = 0; f < s->nf; f++)
    if (s->model->functional[f].maximum)
      lists->of[lists->integrals + lists->maxima++] = f;
}

gradyn_status gradyn_fixed_begin_integrals(gradyn_fixed *s, const double *node)
{
  memset(s->inner, 0, ((size_t)s->nf + 1) * sizeof(double));
  list_functionals(s);
  gradyn_tape_begin(&s->tape, &s->arcs);
  const double *y = node;
  gradyn_fixed_reset_maxima(s);
  GRADYN_TRY(gradyn_fixed_update_maxima(s, 0, node));
  if (gradyn_functionals_shift(s->model)) {
    GRADYN_TRY(gradyn_fixed_output_state(s, 0, node, GRADYN_FORCES, &y));
    GRADYN_TRY(gradyn_functionals_begin(s->model, &(gradyn_sample){0, y}));
  }
  GRADYN_TRY(gradyn_fixed_add_samples(s, 0, 0, true, node));
  /* the trapezoidal rule needs the integrands at the first node */
  return s->stepper->ops->sample ? GRADYN_OK : gradyn_fixed_integrands(s, 0, node, s->g);
}

gradyn_status gradyn_fixed_add_step(gradyn_fixed *s, int k, const double *from, const double *to)
{
  GRADYN_TRY(gradyn_fixed_update_maxima(s, k + 1, to));
  if (!s->stepper->ops->sample)
    return add_trapezium(s, k, to);
  return s->step[k].length > 0 ? add_sample(s, k, from, to)
                               : GRADYN_OK; /* jumps have length zero */
}

gradyn_status gradyn_fixed_finish(gradyn_fixed *s, double *psi)
{
  for (int f = 0; f < s->nf; f++)
    if (s->model->functional[f].maximum)
      s->inner[f] = s->top[f].most;
  return gradyn_tape_values(&s->tape, &s->arcs, s->inner, psi);
}
