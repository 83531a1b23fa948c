/* Runs of all segments at a point, and the sums of their results. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include <gradyn/events.h>

#include "adjoint/gradient/gradient.h"
#include "optim/segments/sparsity.h"
#include "core/base/threads.h"

/* --- Runs ------------------------------------------------------------------------------------- */

/* Request to all segments. */
typedef struct request {
  gradyn_segments *s;
  const double *rho;
  bool all, gradient;
  atomic_size_t
      failed; /* index of the first segment that has failed; the number of segments if none has */
} request;

/* Index of the states at the start of segment k among its functionals. They follow the states at its end. */
static size_t starts_of(const gradyn_segments *s, size_t k)
{
  return s->f + (k + 1 < s->count ? s->nz : 0);
}

/* Marks the functionals of segment k that are differentiated. Of the states at its ends, these are the
 * unknowns of the boundaries. */
static bool *want(gradyn_segments *s, size_t k, bool all)
{
  bool *requested = s->answers.requested + k * s->answers.height;
  memset(requested, 0, s->answers.height * sizeof *requested);
  for (size_t i = 0; i < s->f; i++)
    requested[i] = (all || s->used[i]) &&
                   gradyn_segment_contributes(gradyn_segments_part_in_use(s, k), i);
  for (size_t i = 0; i < s->states; i++) {
    if (k + 1 < s->count)
      requested[s->f + (size_t)s->cut[k + 1].at[i]] = true;
    if (k > 0)
      requested[starts_of(s, k) + (size_t)s->cut[k].at[i]] = true;
  }
  for (size_t i = 0; i < gradyn_segments_part_in_use(s, k)->rows; i++)
    requested[gradyn_segments_rows_of_part(s, k) + i] = true;
  return requested;
}

/* Runs segment k, and stores its status. */
static void run(gradyn_segments *s, size_t k, const double rho[], bool all, bool gradient)
{
  gradyn_evaluator *ev = gradyn_segments_part_in_use(s, k)->evaluator;
  const double *own = gradyn_segments_load(s, k, rho);
  double *psi = s->answers.psi + k * s->answers.height;
  s->sparsity.grown[k] = false;
  if (gradient) /* if this fails, the gradient fails too and reports it */
    (void)gradyn_segment_verify(gradyn_segments_part_in_use(s, k), own, &s->sparsity.grown[k]);
  s->answered[k] = gradient ? gradyn_evaluator_gradient_selected(ev, want(s, k, all), own, psi,
                                                                 gradyn_segments_slopes(s, k, 0))
                            : gradyn_evaluator_simulate(ev, own, psi, NULL);
}

/* Runs segment k, unless an earlier segment has failed. */
static void run_next(void *user, size_t k)
{
  request *e = user;
  if (atomic_load(&e->failed) < k)
    return;
  run(e->s, k, e->rho, e->all, e->gradient);
  size_t first = atomic_load(&e->failed);
  while (e->s->answered[k] != GRADYN_OK && k < first &&
         !atomic_compare_exchange_weak(&e->failed, &first, k))
    ;
}

/* Fails if a segment does not end in the mode in which the next one begins. */
static gradyn_status check_mode(gradyn_segments *s, size_t k)
{
  const gradyn_model *model = gradyn_segments_part_in_use(s, k)->evaluator->model;
  const int ends = gradyn_discrete_state_mode_at(model, HUGE_VAL);
  const int begins = k + 1 < s->count ? s->cut[k + 1].mode : ends;
  return ends == begins
             ? GRADYN_OK
             : gradyn_fail(&s->message, GRADYN_EVENT,
                           "segment %zu ends in mode %s, and the next one begins in mode %s", k + 1,
                           model->modes.name[ends], model->modes.name[begins]);
}

/* Fails if the number of occurrences of an event in segment k differs from the guess. This matters only if
 * a functional refers to a later occurrence. */
static gradyn_status check_counts(gradyn_segments *s, size_t k)
{
  const gradyn_model *model = s->whole->model;
  const gradyn_model *part = gradyn_segments_part_in_use(s, k)->evaluator->model;
  for (int i = 0; i < model->functional_count && k + 1 < s->count; i++) {
    const gradyn_functional_entry *f = &model->functional[i];
    const int guessed = gradyn_cut_passed(&s->cut[k + 1], f->event) -
                        gradyn_cut_passed(k > 0 ? &s->cut[k] : NULL, f->event);
    const int count = f->event == GRADYN_ANY_EVENT ? part->log.count
                      : f->which > 0               ? part->event[f->event].happened
                                                   : 0;
    if (f->which > gradyn_cut_passed(&s->cut[k + 1], f->event) && count != guessed)
      return gradyn_fail(
          &s->message, GRADYN_EVENT,
          "segment %zu has %d occurrences of %s, and %d in the guess; functional %s depends on "
          "this number",
          k + 1, count, f->event == GRADYN_ANY_EVENT ? "an event" : model->event[f->event].name,
          guessed, f->name);
  }
  return GRADYN_OK;
}

/* Adds the warnings of segment k if no earlier segment has any. Their subjects name the segment. */
static void add_warnings(gradyn_segments *s, size_t k, const gradyn_warnings *of)
{
  char subject[GRADYN_WARNING_SUBJECT + 64];
  if (s->warnings.count > 0)
    return;
  for (size_t i = 0; i < of->count; i++) {
    gradyn_warning w = gradyn_warnings_at(of, i);
    (void)snprintf(subject, sizeof subject, "%s%s(segment %zu of %zu)", w.subject,
                   *w.subject != '\0' ? " " : "", k + 1, s->count);
    w.subject = subject;
    gradyn_warnings_add(&s->warnings, &w);
  }
}

/* Takes the status, message, steps and warnings of the run of segment k. */
static gradyn_status hear(gradyn_segments *s, size_t k)
{
  const gradyn_evaluator *ev = gradyn_segments_part_in_use(s, k)->evaluator;
  if (s->answered[k] != GRADYN_OK)
    return gradyn_fail(&s->message, s->answered[k], "segment %zu of %zu: %s", k + 1, s->count,
                       gradyn_evaluator_message(ev));
  s->steps += gradyn_evaluator_statistics(ev).steps;
  add_warnings(s, k, &ev->warnings);
  return GRADYN_OK;
}

gradyn_status gradyn_segments_run_part(gradyn_segments *s, size_t k, const double rho[], bool all,
                                       bool gradient)
{
  run(s, k, rho, all, gradient);
  return hear(s, k);
}

/* Fails if a datum of a segment depends on parameters that did not act when the segments were created. */
static gradyn_status check_acting(gradyn_segments *s)
{
  for (size_t k = 0; k < s->count && !s->sparsity.outgrown; k++)
    s->sparsity.outgrown = s->sparsity.grown[k];
  return s->sparsity.outgrown
             ? gradyn_fail(&s->message, GRADYN_INTERNAL,
                           "the data of a segment depend on other parameters than at the initial "
                           "point")
             : GRADYN_OK;
}

gradyn_status gradyn_segments_run(gradyn_segments *s, const double rho[], bool all, bool gradient)
{
  request e = {.s = s, .rho = rho, .all = all, .gradient = gradient, .failed = s->count};
  (void)gradyn_segments_load(s, 0, rho); /* loads all parameters before threads begin */
  gradyn_threads_do(s->jobs, s->count, run_next, &e);
  GRADYN_TRY(check_acting(s));
  for (size_t k = 0; k < s->count; k++) {
    GRADYN_TRY(hear(s, k));
    GRADYN_TRY(check_mode(s, k));
    GRADYN_TRY(check_counts(s, k));
  }
  return GRADYN_OK;
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* Returns the entries of row i of the gradients of the objective. */
static gradyn_entry_row row_of(const gradyn_segments *s, size_t i)
{
  return gradyn_entries_row(&s->answers.entries, gradyn_segments_columns(s), i);
}

/* Adds row `from` of the gradients of segment k, times a weight, to row `to` of the gradients of the
 * objective. */
static void add_row(const gradyn_segments *s, size_t k, size_t from, double weight, size_t to,
                    double gradient[])
{
  const double *part = gradyn_segments_slopes(s, k, from);
  const gradyn_entry_row row = row_of(s, to);
  size_t at = 0;
  for (size_t j = 0; j < gradyn_segments_width(s, k); j++) {
    const size_t column = gradyn_segments_column(s, k, j);
    while (gradyn_entries_column(&row, at) < column)
      at++;
    gradient[row.first + at] += weight * part[j];
  }
}

/* Subtracts the state at the start of segment k > 0 from the defects at this boundary. */
static void subtract_start(const gradyn_segments *s, size_t k, const double rho[], double psi[],
                           double gradient[])
{
  const size_t starts = starts_of(s, k);
  const double *part = s->answers.psi + k * s->answers.height;
  for (size_t i = 0; i < s->states; i++) {
    const size_t gap = s->f + gradyn_segments_unknown(s, k) + i,
                 own = s->p + gradyn_segments_unknown(s, k) + i;
    const size_t from = starts + (size_t)s->cut[k].at[i];
    psi[gap] -= gradyn_segments_assembled(s) ? part[from] : rho[own];
    const gradyn_entry_row row = row_of(s, gap);
    if (gradient != NULL && gradyn_segments_assembled(s))
      add_row(s, k, from, -1, gap, gradient);
    else if (gradient != NULL) /* the unknown is the last entry of the row */
      gradient[row.first + row.count - 1] -= 1;
  }
}

/* Updates the maximum over all segments by the maximum of segment k. If there are samples, bounds of path
 * constraints are left out. */
static void add_maximum(const gradyn_segments *s, size_t k, size_t i, double *psi,
                        double gradient[])
{
  const gradyn_entry_row row = row_of(s, i);
  const double part = s->answers.psi[k * s->answers.height + i];
  const bool silent = s->held.count > 0 && s->functionals[i].use == GRADYN_PATH_CONSTRAINT;
  if (silent || (k > 0 && part <= *psi))
    return;
  *psi = part;
  if (gradient == NULL)
    return;
  memset(gradient + row.first, 0, row.count * sizeof *gradient);
  add_row(s, k, i, 1, i, gradient);
}

/* Adds segment k to functional i; gradient may be NULL. A smooth maximum over the run, and
 * over a segment that ends at sigma T, is
 *     psi = ln(int exp(kappa g) dt / T) / kappa,
 *     psi_k = ln(int exp(kappa g) dt / (sigma T)) / kappa.
 * Therefore
 *     exp(kappa psi) = sum over k of sigma_k exp(kappa psi_k). */
static void add_functional(const gradyn_segments *s, size_t k, size_t i, double *psi,
                           double gradient[])
{
  const gradyn_entry_row row = row_of(s, i);
  if (!gradyn_segment_contributes(gradyn_segments_part_in_use(s, k), i))
    gradient = NULL; /* it is zero */
  if (s->whole->model->functional[i].maximum) {
    add_maximum(s, k, i, psi, gradient);
    return;
  }
  const double kappa = s->whole->model->functional[i].outer.sharpness, sigma = s->segment[k].to;
  if (kappa == 0) {
    const double weight = s->whole->model->functional[i].outer.mean ? sigma : 1;
    *psi += weight * s->answers.psi[k * s->answers.height + i];
    if (gradient != NULL)
      add_row(s, k, i, weight, i, gradient);
    return;
  }
  const double before = k > 0 ? *psi : -HUGE_VAL,
               part = s->answers.psi[k * s->answers.height + i] + log(sigma) / kappa;
  const double most = fmax(before, part);
  *psi = most + log(exp(kappa * (before - most)) + exp(kappa * (part - most))) / kappa;
  for (size_t j = 0; gradient != NULL && j < row.count; j++)
    gradient[row.first + j] *= exp(kappa * (before - *psi));
  if (gradient != NULL)
    add_row(s, k, i, exp(kappa * (part - *psi)), i, gradient);
}

/* Adds the contributions of segment k to the functionals, and to the defects at its boundaries. */
static void add_part(const gradyn_segments *s, size_t k, const double rho[], double psi[],
                     double gradient[])
{
  for (size_t i = 0; i < s->f; i++)
    add_functional(s, k, i, &psi[i], gradient);
  for (size_t i = 0; k + 1 < s->count && i < s->states; i++) {
    const size_t gap = s->f + gradyn_segments_unknown(s, k + 1) + i,
                 from = s->f + (size_t)s->cut[k + 1].at[i];
    psi[gap] += s->answers.psi[k * s->answers.height + from];
    if (gradient != NULL)
      add_row(s, k, from, 1, gap, gradient);
  }
  if (k > 0)
    subtract_start(s, k, rho, psi, gradient);
}

/* Fills the values of samples from the segments that contain them. */
static void add_samples(const gradyn_segments *s, double psi[], double gradient[])
{
  for (size_t i = 0; i < s->held.count; i++) {
    const size_t row = s->objective.functional_count + i, k = s->held.part[i],
                 from = gradyn_segments_rows_of_part(s, k) + s->held.position[i];
    psi[row] = s->answers.psi[k * s->answers.height + from];
    if (gradient != NULL)
      add_row(s, k, from, 1, row, gradient);
  }
}

void gradyn_segments_add_up(const gradyn_segments *s, const double rho[], double psi[],
                            double gradient[])
{
  const size_t rows = s->objective.functional_count + s->held.count;
  memset(psi, 0, rows * sizeof *psi);
  if (gradient != NULL)
    memset(gradient, 0, s->answers.entries.start[rows] * sizeof *gradient);
  for (size_t k = 0; k < s->count; k++)
    add_part(s, k, rho, psi, gradient);
  add_samples(s, psi, gradient);
}
