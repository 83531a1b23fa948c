/* Functionals of a run with fixed steps: integrals, terminal parts, outer functions.
 *
 * psi = outer(w + sum weight_k g_k): integrands g are summed by the trapezoidal rule over nodes, or at the
 * quadrature point of each step; terminal parts w are added at the start, at given times, at events and at
 * the end. Output states are evaluated only to the depth that functionals need. */
#include <math.h>
#include <string.h>

#include "dae/fixed/fixed.h"
#include "core/model/same_time.h"

/* --- looks ------------------------------------------------------------------------------------ */

double gradyn_fixed_sample_fraction(const gradyn_fixed *s, int k)
{
  /* share: alpha of the variational scheme */
  return s->step[k].fraction + s->stepper->share * s->step[k].length;
}

/* Raises *depth to that of a functional. */
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

bool gradyn_fixed_terminal_depth(const gradyn_fixed *s, int k, gradyn_depth *depth)
{
  bool any = false;
  double rate;
  for (int f = 0; f < s->nf; f++)
    if (gradyn_fixed_terminal_weight(s, f, k, &rate) != 0)
      deepen(&s->model->functional[f], &any, depth);
  return any;
}

bool gradyn_fixed_integrand_depth(const gradyn_fixed *s, gradyn_depth *depth)
{
  bool any = false;
  for (int f = 0; f < s->nf; f++)
    if (s->model->functional[f].integrand)
      deepen(&s->model->functional[f], &any, depth);
  return any;
}

gradyn_status gradyn_fixed_output_state(gradyn_fixed *s, int k, const double *node,
                                        gradyn_depth depth, const double **y)
{
  gradyn_stepper *stepper = s->stepper;
  *y = node;
  if (!stepper->ops->complete)
    return GRADYN_OK;
  *y = s->view.y;
  return stepper->ops->complete(stepper, gradyn_fixed_time(s, k), node, depth, &s->view);
}

gradyn_status gradyn_fixed_sample(gradyn_fixed *s, int k, const double *from, const double *to,
                                  const double **y)
{
  gradyn_stepper *stepper = s->stepper;
  gradyn_depth depth = GRADYN_POSITIONS;
  *y = s->view.y;
  return gradyn_fixed_integrand_depth(s, &depth)
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

/* Trapezoidal rule. The integrands at the end of a step are stored for the next one. */
static gradyn_status add_trapezium(gradyn_fixed *s, int k, const double *to)
{
  double half = gradyn_fixed_length(s, k) / 2;
  bool odd = k % 2 != 0;
  double *before = s->g + (odd ? s->nf : 0), *after = s->g + (odd ? 0 : s->nf);
  /* two rows that alternate */
  gradyn_status status = gradyn_fixed_integrands(s, gradyn_fixed_time(s, k + 1), to, after);
  for (int f = 0; f < s->nf; f++)
    s->inner[f] += half * (before[f] + after[f]); /* h/2 (g_k + g_(k+1)) */
  return status;
}

/* The rule of the scheme with one point. */
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

/* Whether the terminal part is evaluated before the end: at the start, at a given time or an event. */
static bool is_early(const gradyn_functional_entry *f)
{
  return f->instant > 0 || f->which > 0 || f->from_start;
}

/* Adds terminal parts at node k: those before the end (`instants`), or those at the end. */
static gradyn_status add_terminals(gradyn_fixed *s, int k, const double *node, bool instants)
{
  gradyn_depth depth = GRADYN_POSITIONS;
  const double *y = s->view.y;
  if (gradyn_fixed_terminal_depth(s, k, &depth))
    GRADYN_TRY(gradyn_fixed_output_state(s, k, node, depth, &y));
  /* at the end: the exact end time instead of that of the last node */
  const gradyn_sample at = {instants ? gradyn_fixed_time(s, k) : gradyn_fixed_end(s), y};
  for (int f = 0; f < s->nf; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    double w = 0;
    if (s->node_of[f] != k || !functional->terminal || functional->maximum ||
        is_early(functional) != instants)
      continue;
    GRADYN_TRY(functional->terminal->value(s->model, functional, &at, &w));
    s->inner[f] += w;
  }
  return GRADYN_OK;
}

gradyn_status gradyn_fixed_begin_integrals(gradyn_fixed *s, const double *node)
{
  memset(s->inner, 0, ((size_t)s->nf + 1) * sizeof(double));
  bool first = false; /* a terminal part is evaluated at the start */
  for (int f = 0; f < s->nf; f++) {
    s->node_of[f] = -1;
    if (gradyn_model_takes_start(s->model, &s->model->functional[f])) {
      s->node_of[f] = 0;
      first = true;
    }
  }
  const double *y = node;
  gradyn_fixed_reset_maxima(s);
  GRADYN_TRY(gradyn_fixed_update_maxima(s, 0, node));
  if (gradyn_functionals_shift(s->model)) {
    GRADYN_TRY(gradyn_fixed_output_state(s, 0, node, GRADYN_FORCES, &y));
    GRADYN_TRY(gradyn_functionals_begin(s->model, &(gradyn_sample){0, y}));
  }
  if (first)
    GRADYN_TRY(add_terminals(s, 0, node, true));
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

gradyn_status gradyn_fixed_add_events(gradyn_fixed *s, int k, const double *node)
{
  return add_terminals(s, k, node, true);
}

gradyn_status gradyn_fixed_add_instants(gradyn_fixed *s, int k, double t, const double *node)
{
  bool any = false;
  for (int f = 0; f < s->nf; f++) {
    const double instant = s->model->functional[f].instant;
    if (instant > 0 && s->node_of[f] < 0 && gradyn_model_same_time(s->model, instant, t)) {
      s->node_of[f] = k;
      any = true;
    }
  }
  return any ? add_terminals(s, k, node, true) : GRADYN_OK;
}

gradyn_status gradyn_fixed_finish(gradyn_fixed *s, const double *node, double *psi)
{
  gradyn_model *model = s->model;
  for (int f = 0; f < s->nf; f++) {
    /* maxima were found during the run; terminal parts without a given time belong to the last node */
    if (model->functional[f].maximum)
      s->inner[f] = s->top[f].most;
    else if (!is_early(&model->functional[f]))
      s->node_of[f] = s->count;
    /* a divided step has jumped over the given time */
    else if (s->node_of[f] < 0)
      return gradyn_fail(&model->message, GRADYN_NOT_CONVERGED,
                         "no step could end at t = %g s, where functional %s is taken",
                         model->functional[f].instant, model->functional[f].name);
  }
  GRADYN_TRY(add_terminals(s, s->count, node, false));
  for (int f = 0; f < s->nf; f++) {
    double slope, t_bar;
    /* psi = outer(sum of integral and terminal parts, t_end) */
    double value = gradyn_functional_outer(&model->functional[f], s->inner[f], gradyn_fixed_end(s),
                                           &slope, &t_bar);
    if (!isfinite(value))
      return gradyn_fail(&model->message, GRADYN_NON_FINITE, "functional %s is not finite",
                         model->functional[f].name);
    if (psi)
      psi[f] = value;
  }
  return GRADYN_OK;
}
