/* Sweeps over the steps of a fixed-step scheme. The functionals are
 *     psi = outer( w(y_k) + sum of weight_i g(t_i, y_i) ),
 * with the sum over nodes (trapezoidal rule) or over the scheme's own quadrature points, one in each
 * step. All t_i and weight_i are proportional to the end time; w is taken at the last node, or at the
 * node of an instant, which does not move with the end. */
#include "adjoint/sweeps.h"
#include "core/clock.h"

#include <stdlib.h>
#include <string.h>

/* Functionals that read states come first, in their order. */
static void sort_rows(gradyn_sweeps *s)
{
  const gradyn_functional *functional = s->march->model->functional;
  int nf = s->march->nf, next = 0;
  for (int f = 0; f < nf; f++)
    if (!functional[f].data_only)
      s->row[f] = next++;
  s->columns = next;
  for (int f = 0; f < nf; f++)
    if (functional[f].data_only)
      s->row[f] = next++;
}

gradyn_status gradyn_sweeps_create(gradyn_fixed *march, gradyn_sweeps *s)
{
  size_t nf = (size_t)march->nf + 1, ns = (size_t)march->stepper->ns;
  size_t ny = (size_t)march->stepper->ny;
  *s = (gradyn_sweeps){.march = march};
  s->row = calloc(nf, sizeof(int));
  s->s_bar = calloc(nf * ns, sizeof(double));
  s->h_bar = calloc(nf, sizeof(double));
  s->t_bar = calloc(nf, sizeof(double));
  s->slope = calloc(nf, sizeof(double));
  s->end_bar = calloc(nf, sizeof(double));
  s->y_bar = calloc(nf * ny + 1, sizeof(double));
  s->x_bar = calloc((size_t)march->model->nx + 1, sizeof(double));
  if (s->row && s->s_bar && s->h_bar && s->t_bar && s->slope && s->end_bar && s->y_bar &&
      s->x_bar) {
    sort_rows(s);
    return GRADYN_OK;
  }
  gradyn_sweeps_clear(s);
  return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory for a gradient");
}

void gradyn_sweeps_clear(gradyn_sweeps *s)
{
  double *array[] = {s->s_bar, s->h_bar, s->t_bar, s->slope, s->end_bar, s->y_bar,
                     s->x_bar, s->ds,    s->dy,    s->dx,    s->dh,      s->dt};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++)
    free(array[k]);
  free(s->row);
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

static bool sampled(const gradyn_sweeps *s)
{
  return s->march->stepper->ops->sample != NULL;
}

/* A point of the run that functionals look at: the states there, its time over the end time, the
 * weight of integrands (0: none), and which node's terminal parts are taken there (-1: none). */
typedef struct point {
  const double *y;
  double t, fraction, weight;
  int node;
} point;

/* Node k: integrands of the trapezoidal rule, and terminal parts. */
static point node_point(const gradyn_sweeps *s, int k, const double *y)
{
  const gradyn_fixed *march = s->march;
  return (point){y, gradyn_fixed_time(march, k), march->fraction[k],
                 sampled(s) ? 0 : gradyn_fixed_weight(march, k), k};
}

/* Quadrature point of step k. */
static point sample_point(const gradyn_sweeps *s, int k, const double *y)
{
  const gradyn_fixed *march = s->march;
  double fraction = gradyn_fixed_sample_fraction(march, k);
  return (point){y, fraction * march->t_end, fraction, gradyn_fixed_step(march, k), -1};
}

/* Adds the part of functional f at a point to y_bar [ny], x_bar [nx] and end_bar. */
static gradyn_status add_part(gradyn_sweeps *s, int f, const point *where, double *y_bar,
                              double *x_bar)
{
  gradyn_fixed *march = s->march;
  const gradyn_functional *functional = &march->model->functional[f];
  const gradyn_sample at = {where->t, where->y};
  double t_bar = 0, weight = where->weight;
  const gradyn_gradient_out out = {functional->data_only ? NULL : y_bar, x_bar, &t_bar};
  gradyn_status status = GRADYN_OK;
  if (functional->integrand && weight > 0) {
    double g = 0;
    status = functional->integrand->gradient(march->model, functional, &at, s->slope[f] * weight,
                                             &out);
    if (s->moving_end && status == GRADYN_OK)
      status = functional->integrand->value(march->model, functional, &at, &g);
    s->end_bar[f] += s->slope[f] * weight / march->t_end * g;
  }
  if (functional->terminal && march->node_of[f] == where->node && status == GRADYN_OK)
    status = functional->terminal->gradient(march->model, functional, &at, s->slope[f], &out);
  s->end_bar[f] += t_bar * where->fraction;
  return status;
}

/* --- adjoint ---------------------------------------------------------------------------------- */

/* Parts of all functionals at a point: bars [columns][stride] and x_bar by rows. */
static gradyn_status add_all(gradyn_sweeps *s, const point *where, double *bars, int stride,
                             double *x_bar)
{
  gradyn_status status = GRADYN_OK;
  for (int f = 0; f < s->march->nf && status == GRADYN_OK; f++)
    status = add_part(s, f, where, bars + s->row[f] * stride,
                      x_bar + s->row[f] * s->march->model->nx);
  return status;
}

static void clear_bars(gradyn_sweeps *s)
{
  memset(s->y_bar, 0, (size_t)s->columns * (size_t)s->march->stepper->ny * sizeof(double));
  memset(s->h_bar, 0, (size_t)s->columns * sizeof(double));
  memset(s->t_bar, 0, (size_t)s->columns * sizeof(double));
}

/* What h_bar and t_bar of step k mean for the end time. */
static void move_end(gradyn_sweeps *s, int k)
{
  const gradyn_fixed *march = s->march;
  for (int f = 0; f < march->nf; f++)
    if (s->row[f] < s->columns)
      s->end_bar[f] += march->length[k] * s->h_bar[s->row[f]] +
                       march->fraction[k + 1] * s->t_bar[s->row[f]];
}

/* Bars of node k by the functionals that look at it. */
static gradyn_status add_node(gradyn_sweeps *s, int k, const double *node, double *x_bar)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  gradyn_depth depth = GRADYN_POSITIONS;
  const double *y = node;
  point where = node_point(s, k, node);
  if (!stepper->ops->complete)
    return add_all(s, &where, s->s_bar, stepper->ns, x_bar);
  bool any = gradyn_fixed_terminal_depth(march, k, &depth);
  gradyn_status status = any ? gradyn_fixed_look(march, k, node, depth, &y) : GRADYN_OK;
  if (status != GRADYN_OK)
    return status;
  clear_bars(s);
  where.y = y;
  status = add_all(s, &where, s->y_bar, stepper->ny, x_bar);
  if (any && status == GRADYN_OK)
    status = stepper->ops->complete_transposed(stepper, s->columns, s->y_bar, s->s_bar, x_bar,
                                               s->moving_end ? s->t_bar : NULL);
  for (int f = 0; f < march->nf; f++)
    if (s->row[f] < s->columns)
      s->end_bar[f] += march->fraction[k] * s->t_bar[s->row[f]];
  return status;
}

/* Bars by the functionals that look at the quadrature point of step k. */
static gradyn_status add_sample(gradyn_sweeps *s, int k, const double *from, const double *to,
                                double *x_bar)
{
  gradyn_stepper *stepper = s->march->stepper;
  gradyn_depth depth;
  const double *y;
  gradyn_status status = gradyn_fixed_sample(s->march, k, from, to, &y);
  if (status != GRADYN_OK)
    return status;
  const point where = sample_point(s, k, y);
  clear_bars(s);
  status = add_all(s, &where, s->y_bar, stepper->ny, x_bar);
  if (status != GRADYN_OK || !gradyn_fixed_integrand_depth(s->march, &depth))
    return status;
  bool moving = s->moving_end;
  status = stepper->ops->sample_transposed(stepper, s->columns, s->y_bar, s->s_bar, x_bar,
                                           moving ? s->h_bar : NULL, moving ? s->t_bar : NULL);
  move_end(s, k);
  return status;
}

/* One step backwards: from the second node's bars to the first's. */
static gradyn_status step_back(gradyn_sweeps *s, int k, double *x_bar)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  const double *from, *to;
  gradyn_status status = gradyn_fixed_nodes(march, k, &from, &to);
  if (sampled(s) && status == GRADYN_OK)
    status = add_sample(s, k, from, to, x_bar);
  if (s->columns > 0 && status == GRADYN_OK)
    status = stepper->ops->linearise(stepper, gradyn_fixed_time(march, k),
                                     gradyn_fixed_step(march, k), from, to);
  memset(s->h_bar, 0, (size_t)s->columns * sizeof(double));
  memset(s->t_bar, 0, (size_t)s->columns * sizeof(double));
  bool moving = s->moving_end;
  if (s->columns > 0 && status == GRADYN_OK)
    status = stepper->ops->transposed(stepper, s->columns, s->s_bar, x_bar,
                                      moving ? s->h_bar : NULL, moving ? s->t_bar : NULL);
  move_end(s, k);
  return status == GRADYN_OK ? add_node(s, k, from, x_bar) : status;
}

/* Puts the rows of x_bar into the order of the functionals. When f's turn comes, the rows before it are
 * right, and those behind it are the functionals that read states, then the others, f the first. */
static void restore_order(const gradyn_sweeps *s, double *x_bar)
{
  int nf = s->march->nf, nx = s->march->model->nx;
  size_t size = (size_t)nx * sizeof(double);
  for (int f = 0; f < nf; f++) {
    int row = s->row[f];
    if (row < s->columns || row == f)
      continue;
    memcpy(s->x_bar, x_bar + row * nx, size);
    memmove(x_bar + (f + 1) * nx, x_bar + f * nx, (size_t)(row - f) * size);
    memcpy(x_bar + f * nx, s->x_bar, size);
  }
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
    status = add_node(s, march->count, last, x_bar);
  for (int k = march->count - 1; k >= 0 && status == GRADYN_OK; k--)
    status = step_back(s, k, x_bar);
  for (int f = 0; f < march->nf && status == GRADYN_OK; f++) {
    if (s->row[f] < s->columns)
      status = stepper->ops->start_transposed(stepper, s->s_bar + s->row[f] * stepper->ns,
                                              x_bar + s->row[f] * model->nx);
    if (model->functional[f].instant == 0) /* instants stay where they are */
      x_bar[s->row[f] * model->nx + model->t_end] += s->end_bar[f];
  }
  restore_order(s, x_bar);
  march->statistics.steps_backward = march->count;
  march->statistics.time_gradient = gradyn_seconds() - clock;
  return status;
}

/* --- direct ----------------------------------------------------------------------------------- */

/* Rate of the end time in direction j. */
static double end_rate(const gradyn_sweeps *s, int j)
{
  const gradyn_model *model = s->march->model;
  bool last = s->stretch && j == s->count - 1;
  return last ? 1 : s->dx[j * model->nx + model->t_end];
}

static bool moves_end(const gradyn_model *model, const gradyn_directions *directions)
{
  for (int k = 0; k < directions->start[directions->count]; k++)
    if (directions->index[k] == model->t_end)
      return true;
  return false;
}

static bool has_instants(const gradyn_model *model)
{
  for (int f = 0; f < model->functional_count; f++)
    if (model->functional[f].instant > 0)
      return true;
  return false;
}

static gradyn_status take(gradyn_sweeps *s, int count)
{
  const gradyn_stepper *stepper = s->march->stepper;
  const struct {
    double **array;
    size_t size;
  } need[] = {{&s->ds, (size_t)stepper->ns},
              {&s->dy, sampled(s) ? (size_t)stepper->ny : 1},
              {&s->dx, (size_t)s->march->model->nx},
              {&s->dh, 1},
              {&s->dt, 1}};
  s->room = count;
  for (size_t k = 0; k < sizeof need / sizeof *need; k++) {
    free(*need[k].array);
    if (!(*need[k].array = calloc((size_t)count * need[k].size, sizeof(double))))
      s->room = 0;
  }
  return s->room > 0 ? GRADYN_OK
                     : gradyn_fail(&s->march->model->message, GRADYN_NO_MEMORY,
                                   "out of memory for %d sensitivities: use the adjoint", count);
}

static gradyn_status reserve(gradyn_sweeps *s, const gradyn_directions *directions)
{
  int nx = s->march->model->nx;
  s->moving_end = moves_end(s->march->model, directions);
  s->stretch = s->moving_end && has_instants(s->march->model);
  s->count = directions->count + s->stretch;
  gradyn_status status = s->count > s->room ? take(s, s->count) : GRADYN_OK;
  if (status != GRADYN_OK)
    return status;
  memset(s->dx, 0, (size_t)s->count * (size_t)nx * sizeof(double));
  for (int j = 0; j < directions->count; j++)
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

/* sum[j] += bar . column j, most entries of bar [size] being zero. */
static void add_products(const double *bar, int size, const double *columns, int stride, int count,
                         double *sum)
{
  for (int i = 0; i < size; i++) {
    if (bar[i] == 0)
      continue;
    for (int j = 0; j < count; j++)
      sum[j] += bar[i] * columns[j * stride + i];
  }
}

/* gradient [nf][directions] += the functionals' parts at a point, where states change by dy. */
static gradyn_status collect(gradyn_sweeps *s, const point *where, const double *dy, int stride,
                             double *gradient)
{
  gradyn_fixed *march = s->march;
  int ny = march->stepper->ny, nx = march->model->nx, count = s->count - s->stretch;
  for (int f = 0; f < march->nf; f++) {
    memset(s->y_bar, 0, (size_t)ny * sizeof(double));
    memset(s->x_bar, 0, (size_t)nx * sizeof(double));
    gradyn_status status = add_part(s, f, where, s->y_bar, s->x_bar);
    if (status != GRADYN_OK)
      return status;
    add_products(s->y_bar, ny, dy, stride, count, gradient + f * count);
    add_products(s->x_bar, nx, s->dx, nx, count, gradient + f * count);
    if (!s->stretch || march->model->functional[f].instant == 0)
      continue;
    double moved = dot(s->y_bar, dy + count * stride, ny);
    for (int j = 0; j < count; j++)
      gradient[f * count + j] -= end_rate(s, j) * moved;
  }
  return GRADYN_OK;
}

/* What functionals see of node k. */
static gradyn_status collect_node(gradyn_sweeps *s, int k, double *gradient)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  gradyn_depth depth = GRADYN_POSITIONS;
  const double *node, *y;
  gradyn_status status = node_at(s, k, &node);
  if (status != GRADYN_OK)
    return status;
  point where = node_point(s, k, node);
  if (!stepper->ops->complete)
    return collect(s, &where, s->ds, stepper->ns, gradient);
  if (gradyn_fixed_terminal_depth(march, k, &depth)) {
    status = gradyn_fixed_look(march, k, node, depth, &y);
    where.y = y;
    for (int j = 0; j < s->count; j++)
      s->dt[j] = march->fraction[k] * end_rate(s, j);
    if (status == GRADYN_OK)
      status = stepper->ops->complete_tangent(stepper, s->count, s->dx, s->dt, s->ds, s->dy);
  }
  return status == GRADYN_OK ? collect(s, &where, s->dy, stepper->ny, gradient) : status;
}

/* What functionals see of step k; dh and dt are those of the step. */
static gradyn_status collect_sample(gradyn_sweeps *s, int k, const double *from, const double *to,
                                    double *gradient)
{
  gradyn_stepper *stepper = s->march->stepper;
  gradyn_depth depth;
  const double *y;
  gradyn_status status = gradyn_fixed_sample(s->march, k, from, to, &y);
  const point where = sample_point(s, k, y);
  if (gradyn_fixed_integrand_depth(s->march, &depth) && status == GRADYN_OK)
    status = stepper->ops->sample_tangent(stepper, s->count, s->dx, s->dh, s->dt, s->ds, s->dy);
  return status == GRADYN_OK ? collect(s, &where, s->dy, stepper->ny, gradient) : status;
}

static gradyn_status step_forward(gradyn_sweeps *s, int k, double *gradient)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  const double *from, *to;
  gradyn_status status = gradyn_fixed_nodes(march, k, &from, &to);
  if (status == GRADYN_OK)
    status = stepper->ops->linearise(stepper, gradyn_fixed_time(march, k),
                                     gradyn_fixed_step(march, k), from, to);
  for (int j = 0; j < s->count; j++) {
    s->dh[j] = march->length[k] * end_rate(s, j);
    s->dt[j] = march->fraction[k + 1] * end_rate(s, j);
  }
  if (status == GRADYN_OK)
    status = stepper->ops->tangent(stepper, s->count, s->dx, s->dh, s->dt, s->ds);
  if (sampled(s) && status == GRADYN_OK)
    status = collect_sample(s, k, from, to, gradient);
  return status;
}

gradyn_status gradyn_sweep_direct(gradyn_sweeps *s, const gradyn_directions *directions,
                                  double *psi, double *gradient)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  int nx = march->model->nx, nf = march->nf;
  double clock = gradyn_seconds();
  gradyn_status status = reserve(s, directions);
  if (status == GRADYN_OK)
    status = gradyn_fixed_march(march, true, psi, NULL);
  if (status != GRADYN_OK)
    return status;
  prepare_slopes(s);
  memset(gradient, 0, (size_t)nf * (size_t)directions->count * sizeof(double));
  for (int j = 0; j < s->count && status == GRADYN_OK; j++)
    status = stepper->ops->start_tangent(stepper, s->dx + j * nx, s->ds + j * stepper->ns);
  for (int k = 0; k <= march->count && status == GRADYN_OK; k++) {
    if (k > 0)
      status = step_forward(s, k - 1, gradient);
    if (status == GRADYN_OK)
      status = collect_node(s, k, gradient);
  }
  for (int f = 0; f < nf; f++)
    for (int j = 0; j < directions->count && march->model->functional[f].instant == 0; j++)
      gradient[f * directions->count + j] += s->end_bar[f] * end_rate(s, j);
  march->statistics.time_gradient = gradyn_seconds() - clock;
  return status;
}
