/* Parts of a motion as one objective.
 *
 * With x_k the states at the start of part k and e_k those at its end, a search is given
 *     psi_i = sum over k of psi_ik(rho, x_k),    e_k(rho, x_k) - x_(k+1) = 0
 * with unknowns rho and x_2, ..., x_n; the start x_1 follows from rho. Each part is an evaluator's run. */
#include "optim/segments/segments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"
#include "core/equations/equations.h"

/* gradients of all gaps by all states at the cuts are kept as a full matrix */
enum { MOST_SEGMENTS = 1000 };

/* gaps as small as that, beside the size of a state, are none; runs end no more exactly than their
 * tolerance */
static const double least_gap = 1e-9;

/* Parameters of the objective. */
static size_t columns_of(const gradyn_segments *s)
{
  return s->p + (s->count - 1) * s->states;
}

/* Number of the first unknown at the start of part k > 0, or of the gap there, from where the cuts' begin. */
static size_t cut(const gradyn_segments *s, size_t k)
{
  return (k - 1) * s->states;
}

/* --- Evaluation ----------------------------------------------------------------------------------- */

/* Parameters of part k, from all unknowns. */
static void load_part(const gradyn_segments *s, size_t k, const double rho[])
{
  memcpy(s->rho, rho, s->p * sizeof *rho);
  if (k > 0)
    memcpy(s->rho + s->p, rho + s->p + cut(s, k), s->states * sizeof *rho);
}

/* Runs part k; gradient or not. */
static gradyn_status run_part(gradyn_segments *s, size_t k, bool all, bool gradient)
{
  gradyn_evaluator *ev = s->segment[k].evaluator;
  const gradyn_status status = gradient ? gradyn_search_gradient(ev, all ? NULL : s->wanted, s->rho,
                                                                 s->psi, s->gradient)
                                        : gradyn_simulate(ev, s->rho, s->psi, NULL);
  if (status != GRADYN_OK)
    return gradyn_fail(&s->message, status, "segment %zu of %zu: %s", k + 1, s->count,
                       gradyn_evaluator_message(ev));
  s->steps += gradyn_evaluator_statistics(ev).steps;
  const char *warnings = gradyn_evaluator_warnings(ev);
  if (*warnings != '\0' && s->warnings.text[0] == '\0')
    gradyn_message_add(&s->warnings, "segment %zu of %zu: %s", k + 1, s->count, warnings);
  return status;
}

/* Row `from` of part k's gradient into that of a functional or gap. */
static void add_row(const gradyn_segments *s, size_t k, size_t from, double *row)
{
  const size_t width = s->p + (k > 0 ? s->states : 0);
  const double *part = s->gradient + from * width;
  for (size_t j = 0; j < s->p; j++)
    row[j] += part[j];
  for (size_t i = 0; k > 0 && i < s->states; i++)
    row[s->p + cut(s, k) + i] += part[s->p + i];
}

/* What part k adds, and the gap behind it. */
static void add_part(const gradyn_segments *s, size_t k, const double rho[], double psi[],
                     double gradient[])
{
  const size_t columns = columns_of(s);
  for (size_t i = 0; i < s->f; i++) {
    psi[i] += s->psi[i];
    if (gradient != NULL)
      add_row(s, k, i, gradient + i * columns);
  }
  for (size_t i = 0; k + 1 < s->count && i < s->states; i++) {
    const size_t gap = s->f + cut(s, k + 1) + i, next = s->p + cut(s, k + 1) + i;
    psi[gap] = s->psi[s->f + i] - rho[next];
    if (gradient == NULL)
      continue;
    add_row(s, k, s->f + i, gradient + gap * columns);
    gradient[gap * columns + next] -= 1;
  }
}

static gradyn_status evaluate(void *self, bool all, const double rho[], double psi[],
                              double gradient[])
{
  gradyn_segments *s = self;
  const size_t columns = columns_of(s), rows = s->objective.functional_count;
  gradyn_message_clear(&s->message);
  gradyn_message_clear(&s->warnings);
  s->steps = 0;
  memset(psi, 0, rows * sizeof *psi);
  if (gradient != NULL)
    memset(gradient, 0, rows * columns * sizeof *gradient);
  for (size_t k = 0; k < s->count; k++) {
    load_part(s, k, rho);
    GRADYN_TRY(run_part(s, k, all, gradient != NULL));
    add_part(s, k, rho, psi, gradient);
  }
  /* nobody must take for derivatives what nobody has asked for */
  for (size_t i = 0; i < s->f && gradient != NULL && !all; i++)
    for (size_t j = 0; j < columns && !s->wanted[i]; j++)
      gradient[i * columns + j] = NAN;
  return GRADYN_OK;
}

/* Of the last evaluation; likewise the others. */
static const char *message(void *self)
{
  return ((const gradyn_segments *)self)->message.text;
}

static const char *warnings(void *self)
{
  return ((const gradyn_segments *)self)->warnings.text;
}

static long steps(void *self)
{
  return ((const gradyn_segments *)self)->steps;
}

/* --- Unknowns and rows ------------------------------------------------------------------------------ */

/* A text "form.name[k]" that lives as long as the segments. */
static const char *name_of(gradyn_segments *s, const char *format, size_t i, size_t k)
{
  enum { ROOM = 96 };
  char *text = gradyn_arena_take(&s->arena, ROOM, 1);
  if (text != NULL)
    (void)snprintf(text, ROOM, format, s->whole->model->equations->unknown[s->state[i]].name, k);
  return text;
}

/* The largest value that a state has at the start or a cut; 1 where it has none. */
static double size_of(const gradyn_segments *s, size_t i)
{
  double size = fabs(s->whole->model->x[s->whole->model->equations->unknown[s->state[i]].datum]);
  for (size_t k = 1; k < s->count; k++)
    size = fmax(size, fabs(s->start[s->p + cut(s, k) + i]));
  return size > 0 && isfinite(size) ? size : 1.0;
}

/* States at the cuts, and the gaps there. */
static void describe_cuts(gradyn_segments *s, gradyn_parameter_info *parameters,
                          gradyn_functional_info *functionals)
{
  for (size_t k = 1; k < s->count; k++)
    for (size_t i = 0; i < s->states; i++) {
      const double size = size_of(s, i), rtol = s->whole->options.rtol;
      const char *unit = s->whole->model->equations->unknown[s->state[i]].unit;
      parameters[s->p + cut(s, k) + i] = (gradyn_parameter_info){
          .name = name_of(s, "%.60s.cut[%zu]", i, k),
          .unit = unit,
          .init = s->start[s->p + cut(s, k) + i],
          .lower = -HUGE_VAL,
          .upper = HUGE_VAL,
          .scale = size,
          .role = GRADYN_INITIAL_STATE};
      functionals[s->f + cut(s, k) + i] = (gradyn_functional_info){
          .name = name_of(s, "%.60s.gap[%zu]", i, k),
          .unit = unit,
          .use = GRADYN_EQUAL,
          .tolerance = fmax(least_gap, rtol) * size};
    }
}

/* The objective, once the states at the cuts are known. */
static gradyn_status describe(gradyn_segments *s, const bool used[])
{
  const size_t columns = columns_of(s), rows = s->f + (s->count - 1) * s->states;
  gradyn_arena *arena = &s->arena;
  gradyn_parameter_info *parameters = gradyn_arena_take(arena, columns, sizeof *parameters);
  gradyn_functional_info *functionals = gradyn_arena_take(arena, rows, sizeof *functionals);
  bool *needed = gradyn_arena_take(arena, rows, sizeof *needed);
  if (gradyn_arena_status(arena) != GRADYN_OK)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory");
  for (size_t i = 0; i < s->p; i++)
    parameters[i] = gradyn_parameter_at(s->whole, i);
  for (size_t i = 0; i < s->f; i++)
    functionals[i] = gradyn_functional_at(s->whole, i);
  for (size_t i = 0; i < rows; i++)
    needed[i] = i >= s->f || used[i];
  describe_cuts(s, parameters, functionals);
  s->objective = (gradyn_objective){.parameters = parameters,
                                    .functionals = functionals,
                                    .parameter_count = columns,
                                    .functional_count = rows,
                                    .used = needed,
                                    .evaluate = evaluate,
                                    .message = message,
                                    .steps = steps,
                                    .warnings = warnings,
                                    .self = s};
  return gradyn_arena_status(arena) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory");
}

/* --- Setting up --------------------------------------------------------------------------------------- */

/* The differential states, and room for what one part has. */
static gradyn_status take_memory(gradyn_segments *s, const bool used[])
{
  const gradyn_equations_model *equations = s->whole->model->equations;
  gradyn_arena *arena = &s->arena;
  s->state = gradyn_arena_take(arena, (size_t)equations->count, sizeof *s->state);
  for (int i = 0; i < equations->count && s->state != NULL; i++)
    if (!equations->unknown[i].algebraic)
      s->state[s->states++] = i;
  const size_t width = s->p + s->states, height = s->f + s->states;
  s->segment = gradyn_arena_take(arena, s->count, sizeof *s->segment);
  s->rho = gradyn_arena_numbers(arena, width);
  s->psi = gradyn_arena_numbers(arena, height);
  s->gradient = gradyn_arena_numbers(arena, width * height);
  s->wanted = gradyn_arena_take(arena, height, sizeof *s->wanted);
  s->start = gradyn_arena_numbers(arena, columns_of(s));
  if (gradyn_arena_status(arena) != GRADYN_OK)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for %zu segments", s->count);
  for (size_t i = 0; i < height; i++)
    s->wanted[i] = i >= s->f || used[i];
  return GRADYN_OK;
}

/* The method of the parts: that by which the whole is run, if its steps follow each other in parts. */
static gradyn_status choose_method(gradyn_segments *s, const double rho0[], const char **method)
{
  gradyn_evaluator *whole = s->whole;
  const gradyn_status status = gradyn_simulate(whole, rho0, NULL, NULL);
  if (gradyn_status_classify((int)status) == GRADYN_CLASS_FATAL)
    return gradyn_fail(&s->message, status, "%s", gradyn_evaluator_message(whole));
  *method = gradyn_evaluator_statistics(whole).method;
  if (whole->method->among != NULL && status != GRADYN_OK)
    *method = "explicit"; /* what fails in one run may be done in parts */
  if (*method == NULL || strcmp(*method, "auto") == 0)
    *method = whole->options.method;
  if (strcmp(*method, "explicit") == 0 || strcmp(*method, "radau") == 0)
    return GRADYN_OK;
  return gradyn_fail(&s->message, GRADYN_UNSUPPORTED,
                     "%s does not run in segments: take explicit or radau", *method);
}

/* States at the cuts, part by part; what comes behind a failure begins as that part has. */
static gradyn_status guess(gradyn_segments *s, const double rho0[])
{
  const gradyn_equations_model *equations = s->whole->model->equations;
  gradyn_status status = gradyn_evaluator_load(s->whole, rho0);
  if (status != GRADYN_OK)
    return gradyn_fail(&s->message, status, "%s", gradyn_evaluator_message(s->whole));
  memcpy(s->start, rho0, s->p * sizeof *rho0);
  for (size_t i = 0; i < s->states; i++)
    s->psi[s->f + i] = s->whole->model->x[equations->unknown[s->state[i]].datum];
  for (size_t k = 0; k + 1 < s->count; k++) {
    double *next = s->start + s->p + cut(s, k + 1);
    memcpy(next, s->psi + s->f, s->states * sizeof *next);
    load_part(s, k, s->start);
    if (status == GRADYN_OK)
      status = run_part(s, k, false, false);
    if (gradyn_status_classify((int)status) == GRADYN_CLASS_FATAL)
      return status;
    if (status == GRADYN_OK)
      memcpy(next, s->psi + s->f, s->states * sizeof *next);
    else
      memcpy(s->psi + s->f, next, s->states * sizeof *next);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_segments_create(gradyn_evaluator *whole, long count, const bool used[],
                                     const double rho0[], gradyn_segments *out)
{
  const char *method = NULL;
  gradyn_segments *s = out;
  *s = (gradyn_segments){
      .whole = whole, .p = gradyn_parameter_count(whole), .f = gradyn_functional_count(whole)};
  if (count < 2 || count > MOST_SEGMENTS)
    return gradyn_fail(&s->message, GRADYN_INVALID, "%ld segments: take at least 2, at most %d",
                       count, MOST_SEGMENTS);
  s->count = (size_t)count;
  GRADYN_TRY(gradyn_segment_suits(whole, &s->message));
  GRADYN_TRY(take_memory(s, used));
  GRADYN_TRY(choose_method(s, rho0, &method));
  for (size_t k = 0; k < s->count; k++) {
    s->segment[k] = (gradyn_segment){.whole = whole, .state = s->state, .states = s->states};
    GRADYN_TRY(gradyn_segment_create(k, s->count, method, &s->message, &s->segment[k]));
  }
  GRADYN_TRY(guess(s, rho0));
  return describe(s, used);
}

void gradyn_segments_clear(gradyn_segments *s)
{
  for (size_t k = 0; k < s->count && s->segment != NULL; k++)
    gradyn_segment_clear(&s->segment[k]);
  gradyn_arena_clear(&s->arena);
}
