/* Sweeps over the steps of a fixed-step scheme. The functionals are
 *     psi = outer( w(y_N) + sum over nodes of weight_k g(t_k, y_k) ),
 * with t_k and weight_k proportional to the end time. */
#include "adjoint/sweeps.h"
#include "core/clock.h"

#include <stdlib.h>
#include <string.h>

gradyn_status gradyn_sweeps_create(gradyn_fixed *march, gradyn_sweeps *s)
{
  size_t nf = (size_t)march->nf + 1, ns = (size_t)march->stepper->ns;
  *s = (gradyn_sweeps){.march = march};
  s->s_bar = calloc(nf * ns, sizeof(double));
  s->h_bar = calloc(nf, sizeof(double));
  s->t_bar = calloc(nf, sizeof(double));
  s->slope = calloc(nf, sizeof(double));
  s->end_bar = calloc(nf, sizeof(double));
  s->y_bar = calloc((size_t)march->stepper->ny + 1, sizeof(double));
  s->x_bar = calloc((size_t)march->model->nx + 1, sizeof(double));
  if (s->s_bar && s->h_bar && s->t_bar && s->slope && s->end_bar && s->y_bar && s->x_bar)
    return GRADYN_OK;
  gradyn_sweeps_clear(s);
  return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory for a gradient");
}

void gradyn_sweeps_clear(gradyn_sweeps *s)
{
  free(s->s_bar);
  free(s->h_bar);
  free(s->t_bar);
  free(s->slope);
  free(s->end_bar);
  free(s->y_bar);
  free(s->x_bar);
  free(s->ds);
  free(s->dx);
  free(s->dh);
  free(s->dt);
  *s = (gradyn_sweeps){0};
}

/* Node k of the march. */
static gradyn_status node_at(gradyn_sweeps *s, int k, const double **node)
{
  const double *from, *to;
  int step = k > 0 ? k - 1 : 0;
  gradyn_status status = gradyn_fixed_nodes(s->march, step, &from, &to);
  *node = k > 0 ? to : from;
  return status;
}

/* slope_f from the inner values, and the end time's direct effect through the outer function, the
 * weights and the terminal time. */
static void prepare_slopes(gradyn_sweeps *s)
{
  const gradyn_fixed *march = s->march;
  for (int f = 0; f < march->nf; f++)
    gradyn_functional_outer(&march->model->functional[f], march->inner[f], march->t_end,
                            &s->slope[f], &s->end_bar[f]);
}

/* Adds the part of functional f at node k to y_bar [ny], x_bar [nx] and end_bar: integrand times its
 * weight, and on the last node the terminal part. */
static gradyn_status add_node(gradyn_sweeps *s, int f, int k, const double *node, double *y_bar,
                              double *x_bar)
{
  gradyn_fixed *march = s->march;
  const gradyn_functional *functional = &march->model->functional[f];
  const gradyn_sample at = {gradyn_fixed_time(march, k), node};
  double t_bar = 0, weight = gradyn_fixed_weight(march, k);
  const gradyn_gradient_out out = {y_bar, x_bar, &t_bar};
  gradyn_status status = GRADYN_OK;
  if (functional->integrand) {
    double g = 0;
    status = functional->integrand->gradient(march->model, functional, &at, s->slope[f] * weight,
                                             &out);
    if (status == GRADYN_OK)
      status = functional->integrand->value(march->model, functional, &at, &g);
    s->end_bar[f] += s->slope[f] * weight / march->t_end * g;
  }
  if (functional->terminal && k == march->count && status == GRADYN_OK)
    status = functional->terminal->gradient(march->model, functional, &at, s->slope[f], &out);
  s->end_bar[f] += t_bar * march->fraction[k];
  return status;
}

/* --- adjoint ---------------------------------------------------------------------------------- */

static gradyn_status add_all(gradyn_sweeps *s, int k, const double *node, double *x_bar)
{
  gradyn_status status = GRADYN_OK;
  for (int f = 0; f < s->march->nf && status == GRADYN_OK; f++)
    status = add_node(s, f, k, node, s->s_bar + f * s->march->stepper->ns,
                      x_bar + f * s->march->model->nx);
  return status;
}

/* One step backwards: from the second node's bars to the first's. */
static gradyn_status step_back(gradyn_sweeps *s, int k, double *x_bar)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  const double *from, *to;
  gradyn_status status = gradyn_fixed_nodes(march, k, &from, &to);
  if (status == GRADYN_OK)
    status = stepper->ops->linearise(stepper, gradyn_fixed_time(march, k),
                                     gradyn_fixed_step(march, k), from, to);
  memset(s->h_bar, 0, (size_t)march->nf * sizeof(double));
  memset(s->t_bar, 0, (size_t)march->nf * sizeof(double));
  bool moving = s->moving_end;
  if (status == GRADYN_OK)
    status = stepper->ops->transposed(stepper, march->nf, s->s_bar, x_bar, moving ? s->h_bar : NULL,
                                      moving ? s->t_bar : NULL);
  for (int f = 0; f < march->nf; f++)
    s->end_bar[f] += march->length[k] * s->h_bar[f] + march->fraction[k + 1] * s->t_bar[f];
  return status == GRADYN_OK ? add_all(s, k, from, x_bar) : status;
}

gradyn_status gradyn_sweep_adjoint(gradyn_sweeps *s, const bool *active, double *psi, double *x_bar)
{
  gradyn_fixed *march = s->march;
  gradyn_model *model = march->model;
  gradyn_stepper *stepper = march->stepper;
  const double *last;
  double clock = gradyn_seconds();
  s->moving_end = active[model->t_end];
  gradyn_status status = gradyn_fixed_march(march, true, psi, NULL);
  if (status != GRADYN_OK)
    return status;
  prepare_slopes(s);
  memset(x_bar, 0, (size_t)march->nf * (size_t)model->nx * sizeof(double));
  memset(s->s_bar, 0, (size_t)march->nf * (size_t)stepper->ns * sizeof(double));
  status = node_at(s, march->count, &last);
  if (status == GRADYN_OK)
    status = add_all(s, march->count, last, x_bar);
  for (int k = march->count - 1; k >= 0 && status == GRADYN_OK; k--)
    status = step_back(s, k, x_bar);
  for (int f = 0; f < march->nf && status == GRADYN_OK; f++) {
    status = stepper->ops->start_transposed(stepper, s->s_bar + f * stepper->ns,
                                            x_bar + f * model->nx);
    x_bar[f * model->nx + model->t_end] += s->end_bar[f];
  }
  march->statistics.steps_backward = march->count;
  march->statistics.time_gradient = gradyn_seconds() - clock;
  return status;
}

/* --- direct ----------------------------------------------------------------------------------- */

static gradyn_status reserve(gradyn_sweeps *s, const gradyn_directions *directions)
{
  int count = directions->count, nx = s->march->model->nx;
  if (count > s->room) {
    free(s->ds);
    free(s->dx);
    free(s->dh);
    free(s->dt);
    s->ds = calloc((size_t)count * (size_t)s->march->stepper->ns, sizeof(double));
    s->dx = calloc((size_t)count * (size_t)nx, sizeof(double));
    s->dh = calloc((size_t)count, sizeof(double));
    s->dt = calloc((size_t)count, sizeof(double));
    s->room = s->ds && s->dx && s->dh && s->dt ? count : 0;
    if (s->room == 0)
      return gradyn_fail(&s->march->model->message, GRADYN_NO_MEMORY,
                         "out of memory for %d sensitivities: use the adjoint", count);
  }
  memset(s->dx, 0, (size_t)count * (size_t)nx * sizeof(double));
  for (int j = 0; j < count; j++)
    for (int k = directions->start[j]; k < directions->start[j + 1]; k++)
      s->dx[j * nx + directions->index[k]] = directions->value[k];
  return GRADYN_OK;
}

static double dot(const double *a, const double *b, int count)
{
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

/* gradient [nf][count] += the functionals' parts at node k. */
static gradyn_status collect(gradyn_sweeps *s, int count, int k, const double *node,
                             double *gradient)
{
  gradyn_fixed *march = s->march;
  int ny = march->stepper->ny, ns = march->stepper->ns, nx = march->model->nx;
  for (int f = 0; f < march->nf; f++) {
    memset(s->y_bar, 0, (size_t)ny * sizeof(double));
    memset(s->x_bar, 0, (size_t)nx * sizeof(double));
    gradyn_status status = add_node(s, f, k, node, s->y_bar, s->x_bar);
    if (status != GRADYN_OK)
      return status;
    for (int j = 0; j < count; j++)
      gradient[f * count + j] += dot(s->y_bar, s->ds + j * ns, ny) +
                                 dot(s->x_bar, s->dx + j * nx, nx);
  }
  return GRADYN_OK;
}

static gradyn_status step_forward(gradyn_sweeps *s, int count, int k)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  int nx = march->model->nx;
  const double *from, *to;
  gradyn_status status = gradyn_fixed_nodes(march, k, &from, &to);
  if (status == GRADYN_OK)
    status = stepper->ops->linearise(stepper, gradyn_fixed_time(march, k),
                                     gradyn_fixed_step(march, k), from, to);
  for (int j = 0; j < count; j++) {
    double dT = s->dx[j * nx + march->model->t_end];
    s->dh[j] = march->length[k] * dT;
    s->dt[j] = march->fraction[k + 1] * dT;
  }
  if (status == GRADYN_OK)
    status = stepper->ops->tangent(stepper, count, s->dx, s->dh, s->dt, s->ds);
  return status;
}

gradyn_status gradyn_sweep_direct(gradyn_sweeps *s, const gradyn_directions *directions,
                                  double *psi, double *gradient)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  int count = directions->count, nx = march->model->nx;
  double clock = gradyn_seconds();
  gradyn_status status = reserve(s, directions);
  if (status == GRADYN_OK)
    status = gradyn_fixed_march(march, true, psi, NULL);
  if (status != GRADYN_OK)
    return status;
  prepare_slopes(s);
  memset(gradient, 0, (size_t)march->nf * (size_t)count * sizeof(double));
  const double *node;
  for (int j = 0; j < count && status == GRADYN_OK; j++)
    status = stepper->ops->start_tangent(stepper, s->dx + j * nx, s->ds + j * stepper->ns);
  for (int k = 0; k <= march->count && status == GRADYN_OK; k++) {
    if (k > 0)
      status = step_forward(s, count, k - 1);
    if (status == GRADYN_OK)
      status = node_at(s, k, &node);
    if (status == GRADYN_OK)
      status = collect(s, count, k, node, gradient);
  }
  for (int f = 0; f < march->nf; f++)
    for (int j = 0; j < count; j++)
      gradient[f * count + j] += s->end_bar[f] * s->dx[j * nx + march->model->t_end];
  march->statistics.time_gradient = gradyn_seconds() - clock;
  return status;
}
