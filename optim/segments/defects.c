/* Defect history for a report. The segments are run at the iterates of the search. The constraints of the
 * nonlinear program are differentiated at the last iterate. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/evaluator.h"
#include "dae/trajectory.h"
#include "optim/segments/sparsity.h"
#include "optim/study/account.h"

enum {
  MOST_STATES = 4,   /* largest number of states in the report */
  ALL_SAMPLES = 400, /* samples of all segments together, unless there are more segments */
  MOST_SAMPLES = 12, /* largest number of samples of a segment */
};

typedef struct looking {
  gradyn_segments segments;
  const gradyn_search *search;
  const gradyn_search_result *result;
  gradyn_defect_history *out;
  gradyn_trajectory *motion; /* of a segment */
  double *all;               /* [points][segments][samples][nz] */
  double *row;               /* [columns of a trajectory], scratch memory */
} looking;

/* --- Motions ---------------------------------------------------------------------------------- */

/* Returns the states z of segment k at an iterate, sampled at equal distances. */
static double *samples_of(const looking *c, size_t point, size_t k)
{
  const gradyn_defect_history *out = c->out;
  return c->all + (point * out->segments + k) * out->samples * c->segments.nz;
}

/* Runs one segment at one iterate. */
static gradyn_status run_part(looking *c, size_t point, size_t k, const double rho[])
{
  gradyn_segments *s = &c->segments;
  gradyn_evaluator *ev = s->segment[k].evaluator;
  const gradyn_model *model = ev->model;
  const gradyn_cut *cut = &s->cut[k > 0 ? k : 1];
  const size_t last = c->out->samples - 1;
  const gradyn_status status = gradyn_evaluator_simulate(ev, gradyn_segments_load(s, k, rho), NULL,
                                                         c->motion);
  if (status != GRADYN_OK)
    return gradyn_fail(&s->message, status, "segment %zu of %zu: %s", k + 1, s->count,
                       gradyn_evaluator_message(ev));
  const double t_end = model->x[model->t_end], from = s->segment[k].from, to = s->segment[k].to;
  double *z = samples_of(c, point, k);
  for (size_t i = 0; i <= last; i++, z += s->nz) {
    const double part = (double)i / (double)last;
    gradyn_trajectory_sample(c->motion, t_end * (from + (to - from) * part), c->row);
    for (size_t j = 0; j < s->nz; j++)
      z[j] = c->row[cut->slot[j]];
  }
  c->out->t_end[point] = t_end;
  return GRADYN_OK;
}

/* Returns the defect of state z at boundary k. */
static double gap_of(const looking *c, size_t point, size_t k, size_t z)
{
  const size_t last = (c->out->samples - 1) * c->segments.nz;
  return fabs(samples_of(c, point, k)[z] - samples_of(c, point, k - 1)[last + z]);
}

/* Returns the largest defect of unknowns, in tolerances. */
static double largest_gap(const looking *c, size_t point)
{
  const gradyn_segments *s = &c->segments;
  double most = 0;
  for (size_t k = 1; k < s->count; k++)
    for (size_t i = 0; i < s->states; i++) {
      const size_t own = s->f + gradyn_segments_unknown(s, k) + i;
      most = fmax(most,
                  gap_of(c, point, k, (size_t)s->cut[k].at[i]) / s->functionals[own].tolerance);
    }
  return most;
}

/* Returns the largest value of state z. */
static double size_of(const looking *c, size_t z)
{
  const gradyn_defect_history *out = c->out;
  double size = 0;
  for (size_t point = 0; point < out->points; point++)
    for (size_t k = 0; k < out->segments; k++)
      for (size_t i = 0; i < out->samples; i++)
        size = fmax(size, fabs(samples_of(c, point, k)[i * c->segments.nz + z]));
  return size;
}

/* Returns the largest jump of state z at boundaries, relative to the largest value among the states with
 * the same unit. */
static double jump_of(const looking *c, size_t z)
{
  const gradyn_model *model = c->segments.whole->model;
  const gradyn_cut *cut = &c->segments.cut[1];
  const char *unit = model->ops->state_unit(model, cut->slot[z]);
  double size = 0, most = 0;
  for (size_t other = 0; other < c->segments.nz; other++)
    if (strcmp(model->ops->state_unit(model, cut->slot[other]), unit) == 0)
      size = fmax(size, size_of(c, other));
  for (size_t point = 0; point < c->out->points; point++)
    for (size_t k = 1; k < c->out->segments; k++)
      most = fmax(most, gap_of(c, point, k, z));
  return size > 0 ? most / size : 0;
}

/* Selects the states with the largest jumps, in ascending order. position [nz] gets their indices in z. */
static void choose_states(looking *c, size_t *position)
{
  const size_t nz = c->segments.nz;
  double *jump = c->row; /* [columns]; nz entries are used */
  size_t count = 0;
  for (size_t z = 0; z < nz; z++)
    jump[z] = jump_of(c, z);
  for (size_t z = 0; z < nz && count < MOST_STATES; z++) {
    size_t ahead = 0; /* number of states with larger jumps than state z */
    for (size_t other = 0; other < nz; other++)
      ahead += jump[other] > jump[z] || (jump[other] == jump[z] && other < z);
    if (ahead < MOST_STATES)
      position[count++] = z;
  }
  c->out->states = count;
}

/* Copies the samples of the selected states. */
static gradyn_status keep_states(looking *c)
{
  gradyn_defect_history *out = c->out;
  const gradyn_segments *s = &c->segments;
  size_t position[MOST_STATES];
  choose_states(c, position);
  const size_t rows = out->points * out->segments * out->samples;
  out->y = calloc(rows * out->states + 1, sizeof *out->y);
  out->state = calloc(out->states + 1, sizeof *out->state);
  if (out->y == NULL || out->state == NULL)
    return GRADYN_NO_MEMORY;
  for (size_t j = 0; j < out->states; j++)
    out->state[j] = (size_t)s->cut[1].slot[position[j]];
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < out->states; j++)
      out->y[i * out->states + j] = c->all[i * s->nz + position[j]];
  return GRADYN_OK;
}

static gradyn_status run_course(looking *c)
{
  gradyn_segments *s = &c->segments;
  gradyn_defect_history *out = c->out;
  const gradyn_iterates *course = &c->result->iterates;
  const size_t each = ALL_SAMPLES / s->count;
  out->points = course->count;
  out->segments = s->count;
  out->samples = each < 2 ? 2 : each > MOST_SAMPLES ? MOST_SAMPLES : each;
  out->iteration = calloc(out->points + 1, sizeof *out->iteration);
  out->defect = calloc(out->points + 1, sizeof *out->defect);
  out->t_end = calloc(out->points + 1, sizeof *out->t_end);
  out->share = calloc(s->count + 1, sizeof *out->share);
  c->all = calloc(out->points * s->count * out->samples * s->nz + 1, sizeof *c->all);
  c->motion = gradyn_trajectory_create();
  if (c->motion == NULL)
    return GRADYN_NO_MEMORY;
  GRADYN_TRY(gradyn_trajectory_begin(c->motion, s->whole->model));
  c->row = calloc(gradyn_trajectory_read(c->motion).columns + 1, sizeof *c->row);
  if (out->iteration == NULL || out->defect == NULL || out->t_end == NULL || out->share == NULL ||
      c->all == NULL || c->row == NULL)
    return GRADYN_NO_MEMORY;
  for (size_t k = 0; k < s->count; k++)
    out->share[k + 1] = s->segment[k].to;
  for (size_t point = 0; point < out->points; point++) {
    const double *rho = course->rho + point * course->width;
    GRADYN_TRY(gradyn_segments_set_references(s, rho));
    for (size_t k = 0; k < s->count; k++)
      GRADYN_TRY(run_part(c, point, k, rho));
    out->iteration[point] = course->iteration[point];
    out->defect[point] = largest_gap(c, point);
  }
  return keep_states(c);
}

/* --- Sparsity patterns --------------------------------------------------------------------------- */

/* Fills the position of each parameter of the objective among the columns of the patterns, or SIZE_MAX if
 * the parameter is fixed. Returns the number of columns. */
static size_t gap_columns(const looking *c, size_t *position)
{
  const gradyn_segments *s = &c->segments;
  const bool *vary = c->search->vary;
  size_t count = 0;
  for (size_t j = 0; j < gradyn_segments_columns(s); j++) {
    const bool varied = j < s->p && vary != NULL ? vary[j] : !s->parameters[j].fixed;
    position[j] = varied ? count++ : SIZE_MAX;
    if (j + 1 == s->p)
      c->out->parameters = count;
  }
  return count;
}

static gradyn_status make_pattern(size_t rows, size_t columns, size_t most, gradyn_sparsity *out)
{
  *out = (gradyn_sparsity){.columns = columns,
                           .start = calloc(rows + 1, sizeof *out->start),
                           .column = calloc(most + 1, sizeof *out->column)};
  return out->start != NULL && out->column != NULL ? GRADYN_OK : GRADYN_NO_MEMORY;
}

/* Finds the nonzero entries of the gradients of constraints, then of defects, at rho. */
static gradyn_status find_jacobian(looking *c, const double rho[], const size_t *position,
                                   size_t columns)
{
  gradyn_segments *s = &c->segments;
  const size_t rows = s->objective.functional_count;
  gradyn_sparsity *out = &c->out->jacobian;
  size_t entries = 0;
  const size_t stored = gradyn_objective_entries(&s->objective);
  FREED double *psi = calloc(rows + stored + 1, sizeof *psi);
  if (psi == NULL)
    return GRADYN_NO_MEMORY;
  double *gradient = psi + rows;
  GRADYN_TRY(s->objective.evaluate(s, true, rho, psi, gradient));
  for (size_t i = 0; i < stored; i++)
    entries += gradient[i] != 0;
  GRADYN_TRY(make_pattern(rows, columns, entries, out));
  for (size_t i = 0; i < rows; i++) {
    size_t at = out->start[out->rows];
    if (!gradyn_use_constrains(s->functionals[i].use))
      continue;
    const gradyn_entry_row row = gradyn_objective_row(&s->objective, i);
    for (size_t k = 0; k < row.count; k++) {
      const size_t j = gradyn_entries_column(&row, k);
      if (gradient[row.first + k] != 0 && position[j] != SIZE_MAX)
        out->column[at++] = position[j];
    }
    out->start[++out->rows] = at;
    c->out->constraints += i < s->f;
  }
  return GRADYN_OK;
}

/* Order for qsort(): an entry is the number row * columns + column. */
static int compare_entries(const void *a, const void *b)
{
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* Lists the entries of all blocks, each once, in ascending order. Returns their number. */
static size_t list_blocks(const gradyn_segments *s, const gradyn_block *block,
                          const size_t *position, size_t columns, size_t *entry)
{
  size_t count = 0, kept = 0;
  for (size_t b = 0; b < s->objective.blocks.count; b++)
    for (size_t i = 0; i < block[b].count; i++)
      for (size_t j = 0; j < block[b].count; j++) {
        const size_t row = position[block[b].parameter[i]],
                     column = position[block[b].parameter[j]];
        if (row != SIZE_MAX && column != SIZE_MAX)
          entry[count++] = row * columns + column;
      }
  qsort(entry, count, sizeof *entry, compare_entries);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || entry[i] != entry[kept - 1])
      entry[kept++] = entry[i];
  return kept;
}

/* Finds the entries of second derivatives that are nonzero for any functional or defect. */
static gradyn_status find_curvature(looking *c, const double rho[], const size_t *position,
                                    size_t columns)
{
  gradyn_segments *s = &c->segments;
  gradyn_sparsity *out = &c->out->curvature;
  const size_t rows = s->objective.functional_count;
  const gradyn_block *block;
  if (!c->search->hessian || s->objective.curve == NULL)
    return GRADYN_OK;
  FREED double *weight = calloc(rows + 1, sizeof *weight);
  if (weight == NULL)
    return GRADYN_NO_MEMORY;
  for (size_t i = 0; i < rows; i++)
    weight[i] = 1 +
                0.1 * (double)(i % 7); /* arbitrary weights, so that no entry vanishes by chance */
  GRADYN_TRY(s->objective.curve(s, weight, rho, &block));
  size_t most = 0, next = 0;
  for (size_t b = 0; b < s->objective.blocks.count; b++)
    most += block[b].count * block[b].count;
  FREED size_t *entry = calloc(most + 1, sizeof *entry);
  if (entry == NULL)
    return GRADYN_NO_MEMORY;
  const size_t entries = list_blocks(s, block, position, columns, entry);
  GRADYN_TRY(make_pattern(columns, columns, entries, out));
  for (size_t i = 0; i < columns; i++) {
    for (; next < entries && entry[next] / columns == i; next++)
      out->column[next] = entry[next] % columns;
    out->start[++out->rows] = next;
  }
  return GRADYN_OK;
}

static gradyn_status find_patterns(looking *c)
{
  const double *rho = c->result->iterates.rho + (c->out->points - 1) * c->result->iterates.width;
  FREED size_t *position = calloc(gradyn_segments_columns(&c->segments) + 1, sizeof *position);
  if (position == NULL)
    return GRADYN_NO_MEMORY;
  const size_t columns = gap_columns(c, position);
  GRADYN_TRY(find_jacobian(c, rho, position, columns));
  return find_curvature(c, rho, position, columns);
}

/* --- Entry ------------------------------------------------------------------------------------ */

/* Creates the segments of the search again, and computes the history and the patterns. */
static gradyn_status find_all(looking *c, gradyn_evaluator *evaluator)
{
  gradyn_segments *s = &c->segments;
  const gradyn_iterates *course = &c->result->iterates;
  bool *used = calloc(gradyn_functional_count(evaluator) + 1, sizeof *used);
  gradyn_status status = used != NULL
                             ? gradyn_segments_create(evaluator, c->search, used, course->rho, s)
                             : GRADYN_NO_MEMORY;
  s->jobs = c->search->jobs > 0 ? (size_t)c->search->jobs : 1;
  if (status == GRADYN_OK && gradyn_segments_columns(s) != course->width)
    status = gradyn_fail(&s->message, GRADYN_INVALID, "result: belongs to another search");
  if (status == GRADYN_OK)
    status = run_course(c);
  if (status == GRADYN_OK)
    status = find_patterns(c);
  if (status != GRADYN_OK)
    gradyn_fail(&evaluator->message, status, "%s",
                *s->message.text ? s->message.text : gradyn_status_describe(status).sentence);
  gradyn_trajectory_free(c->motion);
  free(c->all);
  free(c->row);
  gradyn_segments_clear(s);
  free(used);
  return status;
}

gradyn_status gradyn_search_defect_history(gradyn_evaluator *evaluator, const gradyn_search *search,
                                           const gradyn_search_result *result,
                                           gradyn_defect_history *out)
{
  if (out == NULL)
    return GRADYN_INVALID;
  *out = (gradyn_defect_history){0};
  if (!gradyn_evaluator_created(evaluator))
    return GRADYN_INVALID;
  gradyn_evaluator_forget(evaluator);
  if (search == NULL || result == NULL || result->iterates.count == 0)
    return gradyn_fail(&evaluator->message, GRADYN_INVALID,
                       "the search, its result or segments in it are missing");
  const char *fault = gradyn_search_fault(search);
  if (fault != NULL)
    return gradyn_fail(&evaluator->message, GRADYN_INVALID, "%s", fault);
  looking c = {.search = search, .result = result, .out = out};
  return find_all(&c, evaluator);
}

void gradyn_defect_history_clear(gradyn_defect_history *closing)
{
  if (closing == NULL)
    return;
  free(closing->iteration);
  free(closing->defect);
  free(closing->t_end);
  free(closing->share);
  free(closing->state);
  free(closing->y);
  free(closing->jacobian.start);
  free(closing->jacobian.column);
  free(closing->curvature.start);
  free(closing->curvature.column);
  *closing = (gradyn_defect_history){0};
}
