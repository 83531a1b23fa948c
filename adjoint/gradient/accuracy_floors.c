/* Smallest scales of errors of derivatives. A functional or gradient that vanishes by cancellation is no
 * scale of its error: round-off of the cancelled terms remains. An error of dpsi/drho_j is relative to at
 * least S / size(rho_j), where S is the largest of
 *     |psi|, sum |w_y_i| size(y_i), integral of |g| dt    for psi = w + integral of g dt,
 *     M^a L^b T^c                   for the unit kg^a m^b s^c of psi; M, L, T: scales of the mechanism.
 * These terms cost a run, which is made only if a warning depends on it. At the end of a search gradients
 * nearly vanish. There, errors are also compared with the gradient at the start of the search: small errors
 * cannot change whether the point is optimal. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/gradient/cases.h"
#include "adjoint/evaluator/sizes.h"
#include "adjoint/gradient/accuracy.h"
#include "adjoint/gradient/gradient.h"
#include "dae/trajectory.h"

/* A trajectory, and workspace for one of its rows. */
typedef struct terms {
  gradyn_status status; /* first failure of a user's function */
  gradyn_model *model;
  gradyn_trajectory *run;
  gradyn_sizes sizes;
  double *y, *y_bar; /* [columns], [ny] */
  gradyn_arena arena;
} terms;

/* Records and returns whether a user's function has failed. */
static bool fails(terms *s, gradyn_status status)
{
  if (s->status == GRADYN_OK)
    s->status = status;
  return status != GRADYN_OK;
}

/* Returns sum |w_y_i| size(y_i) at a row. */
static double terminal_at(terms *s, const gradyn_functional_entry *f, size_t row)
{
  const int ny = s->model->ops->state_count(s->model);
  const gradyn_sample at = {gradyn_trajectory_step(s->run, row, s->y), s->y};
  const gradyn_gradient_out out = {s->y_bar, 1, NULL, NULL};
  double sum = 0;
  memset(s->y_bar, 0, (size_t)ny * sizeof *s->y_bar);
  if (fails(s, f->terminal->gradient(s->model, f, &at, 1, &out)))
    return 0;
  for (int i = 0; i < ny; i++)
    sum += fabs(s->y_bar[i]) * s->sizes.size[i];
  return sum;
}

/* Returns the sum of terminal_at() at the end or, for terminal parts at other times, the largest of all
 * rows. */
static double terminal(terms *s, const gradyn_functional_entry *f)
{
  const size_t rows = gradyn_trajectory_read(s->run).steps;
  const bool end = !f->maximum && !f->from_start && f->which == 0 && f->instant == 0;
  double most = 0;
  for (size_t k = end && rows > 0 ? rows - 1 : 0; k < rows; k++)
    most = fmax(most, terminal_at(s, f, k));
  return most;
}

/* Returns the end time of the run. */
static double end_of(terms *s)
{
  const size_t rows = gradyn_trajectory_read(s->run).steps;
  return rows > 0 ? gradyn_trajectory_step(s->run, rows - 1, s->y) : 1;
}

/* Returns the integral of |g| by the trapezoidal rule. */
static double integral(terms *s, const gradyn_functional_entry *f)
{
  double sum = 0, t_before = 0, before = 0, g[1];
  for (size_t k = 0; k < gradyn_trajectory_read(s->run).steps; k++) {
    const gradyn_sample at = {gradyn_trajectory_step(s->run, k, s->y), s->y};
    if (fails(s, f->integrand->value(s->model, f, &at, g)))
      return 0;
    sum += k > 0 ? (at.t - t_before) * (before + fabs(*g)) / 2 : 0;
    t_before = at.t;
    before = fabs(*g);
  }
  return sum;
}

/* Returns the scale S of a functional by its terms. 0 for a smooth maximum, whose logarithm contains other
 * units, and for an impulse, which is no function of the states. */
static double terms_of(terms *s, const gradyn_functional_entry *f)
{
  double sum = 0;
  if (f->terminal && f->outer.sharpness == 0 && f->side != GRADYN_IMPULSE)
    sum += terminal(s, f);
  if (f->integrand && f->outer.sharpness == 0)
    sum += integral(s, f) / (f->outer.mean ? end_of(s) : 1);
  return sum;
}

static gradyn_status take_memory(terms *s, const gradyn_accuracy *a, gradyn_floors *out)
{
  const size_t ny = (size_t)s->model->ops->state_count(s->model), nx = (size_t)s->model->nx;
  s->y = gradyn_arena_numbers(&s->arena, ny + gradyn_model_outputs(s->model));
  s->y_bar = gradyn_arena_numbers(&s->arena, ny);
  s->sizes = (gradyn_sizes){.model = s->model,
                            .x = s->model->x,
                            .largest = gradyn_arena_numbers(&s->arena, ny),
                            .size = gradyn_arena_numbers(&s->arena, ny),
                            .x_size = gradyn_arena_numbers(&s->arena, nx)};
  out->functional = gradyn_arena_numbers(&out->arena, a->nf);
  out->number = gradyn_arena_numbers(&out->arena, a->columns);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  return gradyn_arena_status(&out->arena);
}

/* Sets the sizes of parameters or data. A number that is zero gets the scale of its unit. */
static void size_numbers(const terms *s, const gradyn_accuracy *a, double *number)
{
  for (size_t j = 0; j < a->columns; j++) {
    const double natural = a->data
                               ? s->sizes.x_size[a->ev->public_data[j]]
                               : gradyn_sizes_natural(&s->sizes, a->ev->parameters.info[j].unit);
    number[j] = gradyn_accuracy_size(a, j);
    if (!(number[j] > 0))
      number[j] = natural > 0 ? natural : 1;
  }
}

/* Runs once more, and fills the sizes of functionals and of numbers in *out. */
static gradyn_status look(terms *s, const gradyn_accuracy *a, gradyn_floors *out)
{
  GRADYN_TRY(a->ev->method->simulate(a->ev->run, a->other_psi, s->run));
  gradyn_sizes_follow(&s->sizes, s->run, s->y);
  gradyn_sizes_fill(&s->sizes);
  gradyn_discrete_state_enter_arc(s->model, (double)NAN); /* signals by the time of each row */
  for (size_t f = 0; f < a->nf; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    const double natural = gradyn_sizes_natural(&s->sizes, functional->unit),
                 cancelled = terms_of(s, functional);
    out->functional[f] = fmax(fabs(a->psi[f]), fmax(isfinite(natural) ? natural : 0, cancelled));
  }
  size_numbers(s, a, out->number);
  if (s->status == GRADYN_OK)
    gradyn_message_clear(&s->model->message);
  return s->status;
}

double gradyn_accuracy_size(const gradyn_accuracy *a, size_t j)
{
  const gradyn_evaluator *ev = a->ev;
  if (a->data)
    return fabs(ev->model->x[ev->public_data[j]]);
  const gradyn_parameter_info *info = &ev->parameters.info[j];
  const double range = info->upper - info->lower, typical = info->scale > 0   ? info->scale
                                                            : isfinite(range) ? range / 8
                                                                              : fabs(info->init);
  return fmax(fabs(creal(ev->rho[j])), typical);
}

/* Returns the scale of errors of a gradient's components: its largest component, and at least |psi|
 * relative to the largest parameter, since cancellation does not make components more exact. */
static double measure_of(const gradyn_accuracy *a, size_t f, const double *g)
{
  /* max |g_j| and max |rho_j| */
  double most = 0, largest = 0;
  for (size_t j = 0; j < a->columns; j++) {
    most = fmax(most, fabs(g[j]));
    largest = fmax(largest, gradyn_accuracy_size(a, j));
  }
  return largest > 0 ? fmax(most, fabs(a->psi[f]) / largest) : most;
}

double gradyn_accuracy_difference(gradyn_accuracy *a, double factor)
{
  double worst = 0;
  a->factor = factor;
  for (size_t f = 0; f < a->nf; f++) {
    const double *g = a->gradient + f * a->columns, *other = a->other + f * a->columns;
    double *apart = a->apart + f * a->columns;
    /* if steps are unstable, one of both gradients is larger by decades and is no scale: use the smaller
     * one */
    const double here = measure_of(a, f, g), there = measure_of(a, f, other);
    const double scale = fmin(here, there) > 0 ? fmin(here, there) : fmax(here, there);
    const bool corner = !isnan(a->corner[f]);
    a->errors[f] = 0;
    a->scale[f] = scale;
    for (size_t j = 0; j < a->columns; j++) {
      const double before = a->tighter.confirms ? apart[j] : 0;
      apart[j] = a->ev->model->functional[f].skipped ? 0 : fmax(before, fabs(g[j] - other[j]));
      a->errors[f] = scale > 0 ? fmax(a->errors[f], apart[j] / scale) : 0;
    }
    /* at a kink of the integrand, errors may fall only in proportion to the steps: a factor replaces
     * extrapolation, and shorter steps do not help */
    a->errors[f] *= gradyn_accuracy_factor(a, f);
    worst = corner ? worst : fmax(worst, a->errors[f]);
  }
  return worst;
}

void gradyn_floors_clear(gradyn_floors *floors)
{
  gradyn_arena_clear(&floors->arena);
}

gradyn_status gradyn_accuracy_floors(const gradyn_accuracy *a, gradyn_floors *out)
{
  OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
  terms s = {.model = a->ev->model, .run = run};
  gradyn_status status = run ? take_memory(&s, a, out) : GRADYN_NO_MEMORY;
  if (status == GRADYN_OK)
    status = look(&s, a, out);
  gradyn_arena_clear(&s.arena);
  return status;
}

/* --- at the end of a search ----------------------------------------------------------------------- */

/* Share of the tolerance of optimality that errors may use. */
static const double part = 0.1;

/* Computes negligible[f] = part optimality max |dpsi_f/drho_j| size(rho_j) at the start. gradient [nf][p]
 * is workspace. */
static gradyn_status find_negligible(gradyn_evaluator *ev, const double *start, double optimality,
                                     double *gradient, double *negligible)
{
  const size_t nf = (size_t)ev->model->functional_count, p = ev->parameters.count;
  const gradyn_accuracy sizes = {.ev = ev};
  GRADYN_TRY(gradyn_evaluator_gradient_selected(ev, NULL, start, NULL, gradient));
  for (size_t f = 0; f < nf; f++)
    for (size_t j = 0; j < p; j++)
      negligible[f] = fmax(negligible[f], part * optimality * fabs(gradient[f * p + j]) *
                                              gradyn_accuracy_size(&sizes, j));
  return GRADYN_OK;
}

/* Computes the gradient without estimates of its error: a search checks the errors of fixed steps itself. */
static gradyn_status gradient_at(gradyn_evaluator *ev, const double *rho, double *psi,
                                 double *gradient)
{
  ev->exactness.steps_judged = true;
  const gradyn_status status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
  ev->exactness.steps_judged = false;
  return status;
}

gradyn_status gradyn_end_gradient(gradyn_evaluator *ev, const double *start, double optimality,
                                  const double *rho, double *psi, double *gradient)
{
  if (ev->load.all)
    return gradyn_cases_end_gradient(ev, start, optimality, rho, psi, gradient);
  GRADYN_TRY(gradient_at(ev, rho, psi, gradient));
  if (!ev->exactness.missed || start == NULL)
    return GRADYN_OK;
  const size_t nf = (size_t)ev->model->functional_count;
  FREED double *negligible = calloc(nf * (1 + ev->parameters.count) + 1, sizeof *negligible);
  if (negligible == NULL)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for a gradient");
  const gradyn_status found = find_negligible(ev, start, optimality, negligible + nf, negligible);
  if (found != GRADYN_OK && gradyn_status_describe((int)found).kind == GRADYN_CLASS_FATAL)
    return found;
  ev->exactness.negligible = found == GRADYN_OK ? negligible : NULL;
  const gradyn_status status = gradient_at(ev, rho, psi, gradient);
  ev->exactness.negligible = NULL;
  return status;
}
