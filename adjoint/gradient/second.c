/* Products with Hessians: derivatives of the gradient along a direction.
 *
 * A gradient is the exact derivative of its discrete run. Methods that store the tangents of their stages
 * differentiate it forward over reverse: the adjoint sweep is repeated at stages displaced along these
 * tangents, with the data at rho +- h d. No step is solved again for this gradient g(h). Other methods
 * repeat the run at rho +- h d with the steps of the run at rho, which are constant shares of their arcs.
 *
 * In both cases g is smooth in h, and D(h) = (g(h) - g(-h)) / 2h = Hd + O(h^2). With displaced stages, the
 * first direction determines the distances h_k = h_0 / 2^k and the order of the extrapolation
 *     T_k0 = D(h_k),   T_km = T_k,m-1 + (T_k,m-1 - T_k-1,m-1) / (4^m - 1) = Hd + O(h^(2m + 2)).
 * h is halved until T_km - T_k-1,m, an estimate of the error, is small or no longer decreases. If all parts
 * of g are quadratic, one difference suffices. */
#include "adjoint/gradient/second.h"

#include <math.h>
#include <string.h>

#include "adjoint/gradient/accuracy.h"
#include "core/equations/curvature.h"
#include "core/problems/fit.h"

/* Largest change of a parameter relative to its size, for repeated gradients. If gradients are exact to
 * 1e-13, truncation and round-off are each about 1e-9 of the product. */
static const double reach_of_gradients = 3e-5;

/* h_0 for displaced stages, for a parameter of size 1; and the estimated error at which h is not halved
 * again. The true error is smaller than the estimate by 4^(m + 1), near the round-off of sweeps over a
 * segment. */
static const double first_reach = 4e-3, small_error = 1e-10;

/* Error at which a single difference replaces the extrapolation, for blocks of second derivatives. */
static const double single_error = 2e-10;

/* A further halving of h counts as progress if it reduces the error by this factor, because round-off grows
 * with every halving. */
static const double progress = 0.25;

enum {
  MOST_HALVINGS = 12,
  WORSE = 2 /* h is not halved again after so many halvings without progress */
};

gradyn_status gradyn_second_create(gradyn_second *s)
{
  s->memory = &s->ev->repetition.second_memory;
  gradyn_arena *arena = &s->memory->arena;
  const size_t nx = (size_t)s->ev->model->nx;
  gradyn_arena_rewind(arena);
  s->nf = gradyn_functional_count(s->ev);
  s->p = gradyn_parameter_count(s->ev);
  s->requested = gradyn_arena_take(arena, s->nf, sizeof *s->requested);
  s->moved = gradyn_arena_numbers(arena, s->p);
  s->psi = gradyn_arena_numbers(arena, s->nf);
  s->gradient = gradyn_arena_numbers(arena, s->nf * s->p);
  s->x_bar = gradyn_arena_numbers(arena, nx);
  s->x = gradyn_arena_numbers(arena, nx);
  for (int m = 0; m < 2 * GRADYN_SECOND_ORDERS; m++)
    s->row[m % 2][m / 2] = gradyn_arena_numbers(arena, s->p);
  if (gradyn_arena_status(arena) != GRADYN_OK)
    return gradyn_fail(&s->ev->message, GRADYN_NO_MEMORY,
                       "out of memory for products with a Hessian");
  for (size_t f = 0; f < s->nf; f++)
    s->requested[f] = s->weight[f] != 0;
  return GRADYN_OK;
}

gradyn_status gradyn_second_keep_steps(gradyn_second *s)
{
  gradyn_evaluator *ev = s->ev;
  const gradyn_method *method = ev->method;
  GRADYN_TRY(gradyn_evaluator_load(ev, s->rho));
  gradyn_functionals_request(ev->model, s->requested);
  if (method->repeat == NULL || method->order == NULL || method->order(ev->run) == 0)
    return GRADYN_OK; /* steps are fixed anyway */
  return gradyn_evaluator_report_model(ev, method->repeat(ev->run, 1, 1));
}

/* --- the gradient near rho ------------------------------------------------------------------------ */

/* Returns whether displaced stages yield the derivatives of all requested functionals. They do not for
 * fits, whose residuals are functionals of their own, nor for maxima over time. */
bool gradyn_second_by_stages(const gradyn_second *s)
{
  const gradyn_model *model = s->ev->model;
  for (size_t f = 0; f < s->nf; f++)
    if (s->requested[f] &&
        (model->functional[f].reduced.fit != NULL || model->functional[f].maximum))
      return false;
  return s->ev->method->second.displaced != NULL;
}

/* Stores dx/drho at rho. Other points are compared with it to find out whether the data are affine in rho. */
static gradyn_status store_slopes(gradyn_second *s)
{
  const gradyn_directions *d = &s->ev->by_rho;
  s->affine = false;
  s->slope = NULL;
  if (d->dependence.owner != NULL) /* the columns of dx/drho have not been computed */
    return GRADYN_OK;
  const size_t count = (size_t)d->start[s->p];
  s->slope = gradyn_arena_numbers(&s->memory->arena, count);
  GRADYN_TRY(gradyn_evaluator_report(s->ev, gradyn_arena_status(&s->memory->arena)));
  memcpy(s->slope, d->value, count * sizeof *s->slope);
  s->affine = true;
  return GRADYN_OK;
}

/* Returns whether dx/drho equals the stored one to the bit. */
static bool same_slopes(const gradyn_second *s)
{
  const gradyn_directions *d = &s->ev->by_rho;
  return s->slope != NULL &&
         memcmp(s->slope, d->value, (size_t)d->start[s->p] * sizeof *s->slope) == 0;
}

/* Computes the changes of the data along all directions, by one build for each. */
static gradyn_status find_directions(gradyn_second *s, size_t count)
{
  gradyn_model *model = s->ev->model;
  GRADYN_TRY(gradyn_directions_reserve(model, (int)count, &s->memory->along));
  s->memory->along.start[0] = 0;
  for (size_t c = 0; c < count; c++) {
    GRADYN_TRY(gradyn_directions_by_line(model, s->ev->rho, (int)s->p, s->direction + c * s->p,
                                         &s->memory->line));
    GRADYN_TRY(gradyn_directions_take(model, &s->memory->line, 0, (int)c, &s->memory->along));
  }
  return GRADYN_OK;
}

gradyn_status gradyn_second_begin(gradyn_second *s, size_t count, const double direction[])
{
  gradyn_evaluator *ev = s->ev;
  s->direction = direction;
  s->by_stages = gradyn_second_by_stages(s) && count > 0;
  if (!s->by_stages)
    return GRADYN_OK;
  gradyn_arena *arena = &s->memory->arena;
  double *gradient = gradyn_arena_numbers(arena, s->nf * count);
  GRADYN_TRY(gradyn_evaluator_report(ev, gradyn_arena_status(arena)));
  GRADYN_TRY(gradyn_evaluator_load_active(ev, s->rho));
  GRADYN_TRY(store_slopes(s));
  GRADYN_TRY(gradyn_evaluator_report_model(ev, find_directions(s, count)));
  memcpy(s->x, ev->model->x, (size_t)ev->model->nx * sizeof *s->x);
  GRADYN_TRY(gradyn_evaluator_report_model(
      ev,
      ev->method->second.tangents(ev->run, &s->memory->along, &s->by_stages, s->psi, gradient)));
  return s->by_stages ? GRADYN_OK : gradyn_second_keep_steps(s);
}

/* Loads the data at rho + h d for direction c. */
static gradyn_status load_moved(gradyn_second *s, size_t c, double h)
{
  gradyn_evaluator *ev = s->ev;
  const gradyn_directions *d = &s->memory->along;
  if (!s->affine || !s->compared) {
    GRADYN_TRY(gradyn_evaluator_load_active(ev, s->moved));
    s->affine = s->affine && same_slopes(s);
    s->compared = h < 0; /* compared at both sides of rho once h has been negative */
    return GRADYN_OK;
  }
  memcpy(ev->x, s->x, (size_t)ev->model->nx * sizeof *ev->x);
  for (int e = d->start[c]; e < d->start[c + 1]; e++)
    ev->x[d->index[e]] += h * d->value[e];
  return gradyn_evaluator_report_model(ev, gradyn_model_load(ev->model, ev->x));
}

/* Adds factor times the gradient of the weighted sum of functionals, at rho + h d for direction c, to out
 * [p]. */
static gradyn_status add_gradient(gradyn_second *s, size_t c, double h, double factor, double *out)
{
  gradyn_evaluator *ev = s->ev;
  gradyn_model *model = ev->model;
  for (size_t j = 0; j < s->p; j++)
    s->moved[j] = s->rho[j] + h * s->direction[c * s->p + j];
  if (s->by_stages) {
    GRADYN_TRY(load_moved(s, c, h));
    memset(s->x_bar, 0, (size_t)model->nx * sizeof *s->x_bar);
    GRADYN_TRY(gradyn_evaluator_report_model(
        ev, ev->method->second.displaced(ev->run, s->weight, (int)c, h, ev->active, s->x_bar)));
    GRADYN_TRY(gradyn_evaluator_report_model(
        ev, gradyn_chain_apply(model, 1, ev->rho, &ev->by_rho, s->x_bar, s->gradient)));
    for (size_t j = 0; j < s->p; j++)
      out[j] += factor * s->gradient[j];
    return GRADYN_OK;
  }
  GRADYN_TRY(gradyn_gradient_of_run(ev, s->moved, s->psi, s->gradient));
  for (size_t f = 0; f < s->nf; f++)
    for (size_t j = 0; s->weight[f] != 0 && j < s->p; j++)
      out[j] += factor * s->weight[f] * s->gradient[f * s->p + j];
  return GRADYN_OK;
}

/* --- differences ---------------------------------------------------------------------------------- */

/* Computes the central difference D(h) for direction c. */
static gradyn_status find_difference(gradyn_second *s, size_t c, double h, double *out)
{
  memset(out, 0, s->p * sizeof *out);
  GRADYN_TRY(add_gradient(s, c, h, 0.5 / h, out));
  GRADYN_TRY(add_gradient(s, c, -h, -0.5 / h, out));
  for (size_t j = 0; j < s->p; j++)
    if (!isfinite(out[j]))
      return gradyn_fail(&s->ev->message, GRADYN_NON_FINITE, "a result is not finite");
  return GRADYN_OK;
}

/* Sets the extrapolations row[1], ..., row[count], T_km for m = 1, ..., count [p each]. They follow from
 * row[0] = D(h_k) and the extrapolations `before` of h_k-1. */
static void extrapolate(size_t p, int count, double *const *before, double *const *row)
{
  for (int m = 1; m <= count; m++)
    for (size_t j = 0; j < p; j++)
      row[m][j] = row[m - 1][j] + (row[m - 1][j] - before[m - 1][j]) / (ldexp(1, 2 * m) - 1);
}

double gradyn_second_apart(const gradyn_second *s, const double a[], const double b[])
{
  const gradyn_accuracy sizes = {.ev = s->ev};
  double most = 0, apart = 0;
  for (size_t j = 0; j < s->p; j++) {
    const double size = gradyn_accuracy_size(&sizes, j), unit = size > 0 ? size : 1;
    most = fmax(most, unit * fabs(b[j]));
    apart = fmax(apart, unit * fabs(a[j] - b[j]));
  }
  return apart > 0 ? apart / most : 0;
}

/* Returns the largest entry of direction c, where entries are relative to the sizes of their parameters. */
static double length_of(const gradyn_second *s, size_t c)
{
  const gradyn_accuracy sizes = {.ev = s->ev};
  double most = 0;
  for (size_t j = 0; j < s->p; j++) {
    const double size = gradyn_accuracy_size(&sizes, j);
    most = fmax(most, fabs(s->direction[c * s->p + j]) / (size > 0 ? size : 1));
  }
  return most;
}

/* Returns whether a failure may be caused by displaced data outside the domain of a function. */
static bool recoverable(gradyn_status status)
{
  return status != GRADYN_OK && gradyn_status_describe(status).kind == GRADYN_CLASS_RECOVERABLE;
}

/* Direction c and its length, see length_of(). */
typedef struct line {
  size_t c;
  double length;
} line;

/* Computes row k, with extrapolations up to `order`. They use rows from `first` on. */
static gradyn_status find_row(gradyn_second *s, const line *t, int first, int k, int order)
{
  double *const *row = s->row[k % 2];
  GRADYN_TRY(find_difference(s, t->c, ldexp(first_reach, -k) / t->length, row[0]));
  extrapolate(s->p, k - first < order ? k - first : order, s->row[(k + 1) % 2], row);
  return GRADYN_OK;
}

/* Sets *error to the smallest estimated error of the extrapolations in row k, and *order to their order.
 * They use rows from `first` on. */
static void judge_row(const gradyn_second *s, int first, int k, double *error, int *order)
{
  *error = HUGE_VAL;
  for (int m = 0; m < GRADYN_SECOND_ORDERS && m < k - first; m++) {
    const double apart = gradyn_second_apart(s, s->row[(k + 1) % 2][m], s->row[k % 2][m]);
    if (apart < *error) {
      *error = apart;
      *order = m;
    }
    if (*error <= small_error) /* a higher order would take more sweeps */
      return;
  }
}

/* Finds the largest distance h_k at which the functions can be evaluated. Begins with *k, and sets *k. */
static gradyn_status find_widest(gradyn_second *s, const line *t, int *k)
{
  gradyn_status status = find_row(s, t, *k, *k, 0);
  while (recoverable(status) && *k < MOST_HALVINGS) {
    gradyn_message_clear(&s->ev->message);
    *k += 2;
    status = find_row(s, t, *k, *k, 0);
  }
  return status;
}

/* Computes the product with the first direction, and chooses the distances for all others. */
static gradyn_status find_first(gradyn_second *s, const line *t, double *out)
{
  double best = HUGE_VAL;
  int first = 0;
  GRADYN_TRY(find_widest(s, t, &first));
  for (int k = first + 1, worse = 0; k < first + MOST_HALVINGS && worse < WORSE; k++) {
    double error;
    int order = 0;
    GRADYN_TRY(find_row(s, t, first, k, GRADYN_SECOND_ORDERS - 1));
    judge_row(s, first, k, &error, &order);
    worse = error < progress * best ? 0 : worse + 1;
    if (worse > 0)
      continue;
    best = error;
    s->ev->repetition.second = (gradyn_second_plan){
        .known = true, .last = k, .order = order, .error = s->ev->repetition.second.error};
    memcpy(out, s->row[k % 2][order], s->p * sizeof *out);
    if (error <= small_error)
      break;
  }
  s->ev->repetition.second.error = fmax(s->ev->repetition.second.error, best);
  return GRADYN_OK;
}

/* Computes a product with the distances and the order that the first direction has chosen. */
static gradyn_status find_next(gradyn_second *s, const line *t, double *out)
{
  const int last = s->ev->repetition.second.last, order = s->ev->repetition.second.order;
  for (int k = last - order; k <= last; k++)
    GRADYN_TRY(find_row(s, t, last - order, k, order));
  memcpy(out, s->row[last % 2][order], s->p * sizeof *out);
  return GRADYN_OK;
}

gradyn_status gradyn_second_multiply(gradyn_second *s, size_t c, double out[])
{
  const line t = {c, length_of(s, c)};
  memset(out, 0, s->p * sizeof *out);
  if (t.length == 0)
    return GRADYN_OK;
  if (!s->by_stages)
    return find_difference(s, c, reach_of_gradients / t.length, out);
  return s->ev->repetition.second.known ? find_next(s, &t, out) : find_first(s, &t, out);
}

gradyn_status gradyn_second_simplify(gradyn_second *s, size_t c, const double product[])
{
  gradyn_second_plan *plan = &s->ev->repetition.second;
  const line t = {c, length_of(s, c)};
  if (!s->by_stages || plan->order == 0)
    return GRADYN_OK;
  GRADYN_TRY(find_row(s, &t, plan->last, plan->last, 0));
  /* halving h divides the error of D(h) by four */
  const double error = gradyn_second_apart(s, s->row[plan->last % 2][0], product);
  const int k = plan->last + (int)ceil(0.5 * log2(fmax(error / single_error, 1)));
  if (k > MOST_HALVINGS)
    return GRADYN_OK;
  GRADYN_TRY(find_row(s, &t, k, k, 0));
  const double left = gradyn_second_apart(s, s->row[k % 2][0], product);
  if (left > 2 * single_error)
    return GRADYN_OK; /* round-off */
  plan->last = k;
  plan->order = 0;
  plan->error = fmax(plan->error, left);
  return GRADYN_OK;
}

/* --- sums over stages ---------------------------------------------------------------------------- */

/* Sets s->memory->line to the derivative of the data along the direction `along` [p], at rho + h d. */
static gradyn_status find_line(gradyn_second *s, const double *d, double h, const double *along)
{
  gradyn_evaluator *ev = s->ev;
  for (size_t j = 0; j < s->p; j++)
    ev->rho[j] = s->rho[j] + h * d[j];
  return gradyn_evaluator_report_model(
      ev, gradyn_directions_by_line(ev->model, ev->rho, (int)s->p, along, &s->memory->line));
}

/* Sets *affine if the derivative of the data along d is the same to the bit at rho + h d and rho - h d. d
 * must involve all parameters. */
static gradyn_status see_affine(gradyn_second *s, const double *d, bool *affine)
{
  gradyn_arena *arena = &s->memory->arena;
  GRADYN_TRY(find_line(s, d, -first_reach, d));
  const size_t count = (size_t)s->memory->line.start[1];
  int *index = gradyn_arena_take(arena, count, sizeof *index);
  double *value = gradyn_arena_numbers(arena, count);
  GRADYN_TRY(gradyn_evaluator_report(s->ev, gradyn_arena_status(arena)));
  memcpy(index, s->memory->line.index, count * sizeof *index);
  memcpy(value, s->memory->line.value, count * sizeof *value);
  GRADYN_TRY(find_line(s, d, first_reach, d));
  *affine = (size_t)s->memory->line.start[1] == count &&
            memcmp(index, s->memory->line.index, count * sizeof *index) == 0 &&
            memcmp(value, s->memory->line.value, count * sizeof *value) == 0;
  return GRADYN_OK;
}

/* Adds x_bar^T d2x/drho2 for parameters c and k to both symmetric entries of out [p][p]. */
static gradyn_status add_data(gradyn_second *s, size_t c, size_t k, double *out)
{
  const double *d = s->direction + c * s->p, *other = s->direction + k * s->p,
               length = length_of(s, c);
  for (int m = 0; m < GRADYN_CURVATURE_POINTS; m++) {
    double sum = 0;
    GRADYN_TRY(find_line(s, d, gradyn_curvature_distance[m] / length, other));
    for (int e = 0; e < s->memory->line.start[1]; e++)
      sum += s->x_bar[s->memory->line.index[e]] * s->memory->line.value[e];
    out[c * s->p + k] += gradyn_curvature_weight[m] * length * sum;
  }
  out[k * s->p + c] = out[c * s->p + k];
  return GRADYN_OK;
}

/* Sets the sizes of the unit vectors, and a combination of them with size 1 and without symmetry. */
static void set_scales(const gradyn_second *s, double *scale, double *combination)
{
  for (size_t c = 0; c < s->p; c++) {
    scale[c] = 1 / length_of(s, c);
    combination[c] = scale[c] * (1 + 0.5 * sin(1 + 1.7 * (double)c)) / sqrt((double)s->p);
  }
}

gradyn_status gradyn_second_contract(gradyn_second *s, double out[], bool *done)
{
  gradyn_evaluator *ev = s->ev;
  gradyn_arena *arena = &s->memory->arena;
  double error = 0, *scale = gradyn_arena_numbers(arena, s->p),
         *combination = gradyn_arena_numbers(arena, s->p);
  bool affine;
  GRADYN_TRY(gradyn_evaluator_report(ev, gradyn_arena_status(arena)));
  *done = s->by_stages && ev->method->second.contracted != NULL;
  if (!*done)
    return GRADYN_OK;
  set_scales(s, scale, combination);
  memset(s->x_bar, 0, (size_t)ev->model->nx * sizeof *s->x_bar);
  const gradyn_status status = ev->method->second.contracted(
      ev->run,
      &(gradyn_contraction){.weight = s->weight,
                            .scale = scale,
                            .combination = combination,
                            .active = ev->active,
                            .x_bar = s->x_bar,
                            .H = out,
                            .error = &error},
      done);
  if (recoverable(status)) { /* a displaced argument left the domain of a function */
    gradyn_message_clear(&ev->model->message);
    *done = false;
  }
  if (!*done)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_evaluator_report_model(ev, status));
  ev->repetition.second.error = fmax(ev->repetition.second.error, error);
  GRADYN_TRY(see_affine(s, combination, &affine));
  for (size_t c = 0; c < s->p && !affine; c++)
    for (size_t k = 0; k <= c; k++)
      GRADYN_TRY(add_data(s, c, k, out));
  return GRADYN_OK;
}
