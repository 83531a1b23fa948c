/* Evaluations of all load cases, and the functionals that combine them. The result of a case depends on its
 * parameters only, and sums are formed in the order of the cases. Results therefore have the same bits for
 * any number of threads. */
#include "adjoint/gradient/cases.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"
#include "core/base/threads.h"

/* Share of the mean that is added to the variance, as (ROUNDING mean)^2, so that the standard deviation has
 * a derivative at 0. */
#define ROUNDING 1e-6

typedef enum kind { VALUES, GRADIENT, SELECTED, AT_END, SLOPE } kind;

/* A request to all cases. */
typedef struct request {
  gradyn_evaluator *ev;
  kind kind;
  const bool *requested;
  const double *rho, *start, *line;
  double optimality;
  gradyn_trajectory *trajectory;
  atomic_size_t failed; /* first case that has failed, or the number of cases if none has */
} request;

/* --- runs ------------------------------------------------------------------------------------- */

/* Marks the functionals of case k whose gradients are needed. */
static void want(const gradyn_case_set *set, size_t k, const bool *requested)
{
  gradyn_case_part *part = &set->part[k];
  memset(part->requested, 0, gradyn_functional_count(part->ev) * sizeof *part->requested);
  for (size_t i = 0; i < set->row_count; i++) {
    const gradyn_case_row *row = &set->row[i];
    const bool needed = requested == NULL || requested[i];
    if (!row->combined && row->of == k)
      part->requested[row->index] = part->requested[row->index] || needed;
    for (size_t t = 0; row->combined && needed && t < part->term_count; t++)
      if (row->of == k || row->of == set->count)
        part->requested[part->term[t].index] = true;
  }
}

/* Calls gradyn_end_gradient() for case k. */
static gradyn_status at_end(const request *r, size_t k, const double *own)
{
  const gradyn_case_part *part = &r->ev->load.all->part[k];
  FREED double *start = calloc(part->ev->parameters.count + 1, sizeof *start);
  if (!start)
    return gradyn_fail(&part->ev->message, GRADYN_NO_MEMORY, "out of memory");
  if (r->start)
    gradyn_case_select(r->ev, k, r->start, start);
  return gradyn_end_gradient(part->ev, r->start ? start : NULL, r->optimality, own, part->psi,
                             part->gradient);
}

/* Computes gradyn_slope() of case k, and stores the slopes as a gradient of one column. */
static gradyn_status slope(const request *r, size_t k, const double *own)
{
  const gradyn_case_part *part = &r->ev->load.all->part[k];
  FREED double *line = calloc(part->ev->parameters.count + 1, sizeof *line);
  if (!line)
    return gradyn_fail(&part->ev->message, GRADYN_NO_MEMORY, "out of memory");
  gradyn_case_select(r->ev, k, r->line, line);
  return gradyn_slope(part->ev, own, line, part->psi, part->gradient);
}

/* Evaluates case k. */
static gradyn_status run(const request *r, size_t k)
{
  gradyn_case_part *part = &r->ev->load.all->part[k];
  const double *own = gradyn_case_point(r->ev, k, r->rho);
  switch (r->kind) {
  case VALUES:
    return gradyn_evaluator_simulate(part->ev, own, part->psi, k == 0 ? r->trajectory : NULL);
  case GRADIENT:
    return gradyn_evaluator_gradient(part->ev, own, part->psi, part->gradient);
  case AT_END:
    return at_end(r, k, own);
  case SLOPE:
    return slope(r, k, own);
  case SELECTED:
  default:
    want(r->ev->load.all, k, r->requested);
    return gradyn_evaluator_gradient_selected(part->ev, part->requested, own, part->psi,
                                              part->gradient);
  }
}

/* Cases after one that has failed are not run. */
static void run_next(void *user, size_t k)
{
  request *r = user;
  size_t first = atomic_load(&r->failed);
  if (first < k)
    return;
  gradyn_case_part *part = &r->ev->load.all->part[k];
  part->status = run(r, k);
  while (part->status != GRADYN_OK && k < first &&
         !atomic_compare_exchange_weak(&r->failed, &first, k))
    ;
}

/* Adds the warnings of case k; their subjects contain its name. */
static void add_warnings(gradyn_evaluator *ev, size_t k)
{
  const gradyn_warnings *of = &ev->load.all->part[k].ev->warnings;
  char subject[GRADYN_WARNING_SUBJECT + 200];
  for (size_t i = 0; i < of->count; i++) {
    gradyn_warning w = gradyn_warnings_at(of, i);
    (void)snprintf(subject, sizeof subject, "%s%s(case %.150s)", w.subject,
                   *w.subject != '\0' ? " " : "", ev->problem->cases->names[k]);
    w.subject = subject;
    gradyn_warnings_add(&ev->found, &w);
  }
}

/* Adds the cost of case k. */
static void add_cost(gradyn_statistics *all, const gradyn_statistics *one)
{
  all->method = one->method;
  all->steps += one->steps;
  all->steps_backward += one->steps_backward;
  all->newton_iterations += one->newton_iterations;
  all->residual_calls += one->residual_calls;
  all->factorisations += one->factorisations;
  all->arcs += one->arcs;
  all->drift_position = fmax(all->drift_position, one->drift_position);
  all->drift_velocity = fmax(all->drift_velocity, one->drift_velocity);
  all->drift_acceleration = fmax(all->drift_acceleration, one->drift_acceleration);
  all->simulations += one->simulations;
  all->gradient_error = fmax(all->gradient_error, one->gradient_error);
  all->time_simulate += one->time_simulate;
  all->time_gradient += one->time_gradient;
}

/* Collects costs and warnings of all cases, and the derivative with the largest error. */
static void collect(gradyn_evaluator *ev)
{
  ev->exactness.error = 0;
  ev->exactness.missed = false;
  for (size_t k = 0; k < ev->load.all->count; k++) {
    const gradyn_evaluator *part = ev->load.all->part[k].ev;
    const gradyn_statistics cost = gradyn_evaluator_statistics(part);
    add_cost(&ev->kept.cost, &cost);
    add_warnings(ev, k);
    if (part->exactness.error > ev->exactness.error)
      ev->exactness = part->exactness;
  }
  gradyn_warnings_append(&ev->warnings, &ev->found);
}

/* Runs all cases. If several cases fail, the first failure is reported. */
static gradyn_status run_all(request *r)
{
  gradyn_evaluator *ev = r->ev;
  const size_t jobs = ev->options.jobs > 1 ? (size_t)ev->options.jobs : 1;
  if (!gradyn_evaluator_created(ev))
    return GRADYN_INVALID;
  gradyn_evaluator_forget(ev);
  gradyn_warnings_clear(&ev->warnings);
  ev->kept = (gradyn_run_report){0};
  ev->repetition.use_cost = true;
  if (!gradyn_evaluator_point(ev, r->rho))
    return gradyn_fail(&ev->message, GRADYN_INVALID, "rho is NULL");
  r->rho = gradyn_evaluator_point(ev, r->rho);
  r->failed = ev->load.all->count;
  gradyn_threads_do(jobs, ev->load.all->count, run_next, r);
  const size_t failed = atomic_load(&r->failed);
  if (failed < ev->load.all->count)
    return gradyn_case_fail(ev, failed, ev->load.all->part[failed].status);
  collect(ev);
  return GRADYN_OK;
}

/* --- functionals of all cases ----------------------------------------------------------------- */

/* Returns the objective of a case. */
static double cost(const gradyn_case_part *part)
{
  double sum = 0;
  for (size_t t = 0; t < part->term_count; t++)
    sum += part->term[t].weight * part->psi[part->term[t].index];
  return sum;
}

/* Returns the standard deviation of the objectives of all cases, and sets *mean. */
static double spread(const gradyn_case_set *set, double *mean)
{
  double variance = 0;
  *mean = 0;
  for (size_t k = 0; k < set->count; k++)
    *mean += set->part[k].weight / set->total * cost(&set->part[k]);
  for (size_t k = 0; k < set->count; k++) {
    const double off = cost(&set->part[k]) - *mean;
    variance += set->part[k].weight / set->total * off * off;
  }
  return sqrt(variance + ROUNDING * ROUNDING * *mean * *mean);
}

/* Returns the value of a functional of all cases. */
static double value(const gradyn_case_set *set, const gradyn_case_row *row)
{
  double mean;
  if (!row->combined)
    return set->part[row->of].psi[row->index];
  if (row->of < set->count)
    return cost(&set->part[row->of]);
  const double deviation = spread(set, &mean);
  return mean + set->number * deviation;
}

/* Returns the derivative of the objective over all cases by the objective of case k. The former is mean + K
 * sqrt(v + r^2 mean^2), with the variance v and r = ROUNDING. */
static double share_of(const gradyn_case_set *set, size_t k)
{
  double mean;
  const double deviation = spread(set, &mean), part = set->part[k].weight / set->total;
  const double off = cost(&set->part[k]) - mean;
  return part *
         (1 + (deviation > 0 ? set->number * (off + ROUNDING * ROUNDING * mean) / deviation : 0));
}

/* Adds `weight` times the gradient of functional `index` of case k to out, or times its slope. */
static void add_row(const gradyn_case_part *part, size_t index, double weight, bool slopes,
                    double out[])
{
  const size_t p = part->ev->parameters.count;
  if (slopes)
    out[0] += weight * part->gradient[index];
  for (size_t j = 0; !slopes && j < p; j++)
    out[part->parameter[j]] += weight * part->gradient[index * p + j];
}

/* Adds `weight` times the gradient of the objective of a case to out, or times its slope. */
static void add_cost_row(const gradyn_case_part *part, double weight, bool slopes, double out[])
{
  for (size_t t = 0; t < part->term_count; t++)
    add_row(part, part->term[t].index, weight * part->term[t].weight, slopes, out);
}

/* Sets the gradient or slope of one functional in the list of all cases. */
static void fill_row(const gradyn_case_set *set, const gradyn_case_row *row, bool slopes,
                     double out[])
{
  if (!row->combined)
    add_row(&set->part[row->of], row->index, 1, slopes, out);
  else if (row->of < set->count)
    add_cost_row(&set->part[row->of], 1, slopes, out);
  for (size_t k = 0; row->of == set->count && k < set->count; k++)
    add_cost_row(&set->part[k], share_of(set, k), slopes, out);
}

/* Sets psi and, unless out is NULL, gradients or slopes of all functionals in the list of all cases. */
static void fill(const gradyn_evaluator *ev, bool slopes, double psi[], double out[])
{
  const gradyn_case_set *set = ev->load.all;
  const size_t width = slopes ? 1 : ev->parameters.count;
  if (out)
    memset(out, 0, set->row_count * width * sizeof *out);
  for (size_t i = 0; i < set->row_count; i++) {
    if (psi)
      psi[i] = value(set, &set->row[i]);
    if (out)
      fill_row(set, &set->row[i], slopes, out + i * width);
  }
}

/* --- the functions ---------------------------------------------------------------------------- */

static gradyn_status evaluate(request r, double psi[], double out[])
{
  GRADYN_TRY(run_all(&r));
  fill(r.ev, r.kind == SLOPE, psi, out);
  return GRADYN_OK;
}

/* Fails if the array of a gradient is missing. */
static gradyn_status evaluate_gradient(request r, double psi[], double gradient[])
{
  if (gradyn_evaluator_created(r.ev) && !gradient)
    return gradyn_fail(&r.ev->message, GRADYN_INVALID, "the array of the gradient is NULL");
  return evaluate(r, psi, gradient);
}

gradyn_status gradyn_cases_simulate(gradyn_evaluator *ev, const double rho[], double psi[],
                                    gradyn_trajectory *trajectory)
{
  return evaluate((request){.ev = ev, .kind = VALUES, .rho = rho, .trajectory = trajectory}, psi,
                  NULL);
}

gradyn_status gradyn_cases_gradient(gradyn_evaluator *ev, const double rho[], double psi[],
                                    double gradient[])
{
  return evaluate_gradient((request){.ev = ev, .kind = GRADIENT, .rho = rho}, psi, gradient);
}

gradyn_status gradyn_cases_gradient_selected(gradyn_evaluator *ev, const bool requested[],
                                             const double rho[], double psi[], double gradient[])
{
  return evaluate_gradient(
      (request){.ev = ev, .kind = SELECTED, .requested = requested, .rho = rho}, psi, gradient);
}

gradyn_status gradyn_cases_end_gradient(gradyn_evaluator *ev, const double *start,
                                        double optimality, const double rho[], double psi[],
                                        double gradient[])
{
  return evaluate(
      (request){.ev = ev, .kind = AT_END, .rho = rho, .start = start, .optimality = optimality},
      psi, gradient);
}

gradyn_status gradyn_cases_slope(gradyn_evaluator *ev, const double rho[], const double line[],
                                 double psi[], double slope[])
{
  return evaluate((request){.ev = ev, .kind = SLOPE, .rho = rho, .line = line}, psi, slope);
}

gradyn_status gradyn_cases_extremes(gradyn_evaluator *ev, const double rho[],
                                    gradyn_extreme extreme[])
{
  const gradyn_case_set *set = ev->load.all;
  for (size_t i = 0; i < set->row_count; i++)
    extreme[i] = (gradyn_extreme){(double)NAN, (double)NAN, (double)NAN};
  for (size_t k = 0; k < set->count; k++) {
    const size_t f = gradyn_functional_count(set->part[k].ev);
    FREED gradyn_extreme *own = calloc(f + 1, sizeof *own);
    const gradyn_status status = own ? gradyn_evaluator_extremes(set->part[k].ev,
                                                                 gradyn_case_point(ev, k, rho), own)
                                     : GRADYN_NO_MEMORY;
    if (status != GRADYN_OK)
      return gradyn_case_fail(ev, k, status);
    for (size_t i = 0; i < set->row_count; i++)
      if (!set->row[i].combined && set->row[i].of == k)
        extreme[i] = own[set->row[i].index];
  }
  return GRADYN_OK;
}
