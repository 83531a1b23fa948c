/* Probe of the end of a search.
 *
 * Steps x + s d go downhill, where d is the direction of the search or the projected -r. They become longer
 * and longer while the objective decreases. If the first step already raises the objective, the gradient at
 * its end gives the curvature k along d. The parabola with this curvature has its minimum at s = -(r d)/k.
 *
 * Towards an infimum at infinity the slope vanishes, and no single decrease is large enough to count. A
 * direction without bounds and with hardly any curvature is therefore followed a thousand times as far as
 * the search has moved. At a minimum the slope changes its sign; towards an infimum it never does. */
#include "optim/search/curvatures.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { STEPS = 6, FAR_STEPS = 7, LEAST_FALLS = 2, RESTORATIONS = 4 };
/* length of the first step as part of the distance that the search has moved, and ratio of consecutive
 * steps */
static const double first_step = 0.25, longer = 4;
/* Slopes below this part of the gradient, and violations below this part of a step, count as zero:
 * directions have round-off. */
static const double no_slope = 1e-9;

/* --- Memory ----------------------------------------------------------------------------------- */

bool gradyn_probe_allocate(gradyn_probe *probe, gradyn_trials *trials)
{
  const size_t n = trials->judge.n, m = trials->judge.m;
  *probe = (gradyn_probe){.trials = trials, .n = n, .m = m};
  gradyn_arena *arena = &probe->arena;
  probe->x = gradyn_arena_numbers(arena, n);
  probe->r = gradyn_arena_numbers(arena, n);
  probe->along = gradyn_arena_numbers(arena, n);
  probe->r_there = gradyn_arena_numbers(arena, n);
  probe->across = gradyn_arena_numbers(arena, n);
  probe->there = gradyn_arena_numbers(arena, n);
  probe->travel = gradyn_arena_numbers(arena, n);
  probe->wide = gradyn_arena_numbers(arena, n);
  probe->multiplier = gradyn_arena_numbers(arena, m);
  probe->row_factor = gradyn_arena_numbers(arena, m);
  probe->active = gradyn_arena_take(arena, m, sizeof *probe->active);
  probe->change = gradyn_arena_numbers(arena, m);
  probe->krylov = gradyn_arena_numbers(arena, GRADYN_CURVATURE_MOST * n);
  probe->rho = gradyn_arena_numbers(arena, trials->program->objective->parameter_count);
  probe->fixed = gradyn_arena_take(arena, n, sizeof *probe->fixed);
  return gradyn_arena_status(arena) == GRADYN_OK;
}

void gradyn_probe_clear(gradyn_probe *probe)
{
  gradyn_span_free(probe->span);
  gradyn_arena_clear(&probe->arena);
}

/* --- Data at the end of the search ---------------------------------------------------------------- */

/* Computes the scaled value of the Lagrangian and its gradient r [n], with the multipliers at the end of
 * the search. */
static double lagrangian(const gradyn_probe *probe, const gradyn_trial *point, double r[])
{
  const gradyn_program *program = probe->trials->program;
  const double factor = probe->trials->judge.factor;
  double value = 0;
  memset(r, 0, probe->n * sizeof *r);
  for (size_t i = 0; i < program->term_count + program->piece_count; i++) {
    /* pieces of a maximum count by their multipliers, which have the sum one */
    const bool piece = i >= program->term_count;
    const gradyn_term *t = piece ? &program->pieces[i - program->term_count] : &program->terms[i];
    const size_t row = program->row_count + i - program->term_count;
    const double weight = factor * t->weight * (piece ? probe->multiplier[row] : 1);
    value += weight * point->psi[t->functional];
    gradyn_program_add_gradient(program, t->functional, weight, point->gradient, r);
  }
  for (size_t i = 0; i < program->row_count; i++) {
    const gradyn_constraint *row = &program->rows[i];
    value += probe->multiplier[i] * gradyn_program_row(program, i, point->psi);
    gradyn_program_add_gradient(program, row->functional, probe->multiplier[i] * row->sign,
                                point->gradient, r);
  }
  return value;
}

/* Computes the span of the gradients of active constraints, over the variables that are not at bounds.
 * Returns false if memory is lacking. */
static bool find_tangent_space(gradyn_probe *probe)
{
  const gradyn_optimality *judge = &probe->trials->judge;
  probe->active_count = 0;
  for (size_t i = 0; i < probe->m; i++) {
    const bool equality = i < judge->program->equality_count;
    if (equality || !(judge->c[i] < -judge->tolerance[i]) || judge->lam[i] > 0)
      probe->active[probe->active_count++] = i;
  }
  memcpy(probe->row_factor, judge->row_factor, probe->m * sizeof *probe->row_factor);
  gradyn_span_free(probe->span);
  probe->span = gradyn_span_create(&(gradyn_span_rows){.entries = &judge->program->entries,
                                                       .A = judge->A,
                                                       .n = probe->n,
                                                       .row = probe->active,
                                                       .count = probe->active_count,
                                                       .ignored = probe->fixed,
                                                       .least = GRADYN_SPAN_LEAST});
  return probe->span != NULL;
}

double gradyn_probe_travel(const gradyn_probe *probe)
{
  const gradyn_program *program = probe->trials->program;
  double square = 0;
  for (size_t j = 0; j < program->n; j++) {
    const size_t i = program->varied[j];
    const double way = gradyn_program_variable(program, j, probe->trials->best.rho[i]) -
                       gradyn_program_variable(program, j, program->start[i]);
    square += way * way;
  }
  return sqrt(square);
}

/* Stores all data of the best point that are needed after other points have been evaluated. Returns false
 * if memory is lacking. */
static bool look_around(gradyn_probe *probe, double initial, bool doubtful)
{
  gradyn_trials *trials = probe->trials;
  gradyn_optimality *judge = &trials->judge;
  const gradyn_program *program = trials->program;
  const gradyn_search *search = trials->search;
  /* evaluates the best point again, because the optimality test may have evaluated another point after it */
  gradyn_optimality_evaluate(judge, &trials->best);
  for (size_t i = 0; i < probe->m; i++)
    probe->multiplier[i] = i < program->row_count ? judge->lam[i] * judge->row_factor[i]
                                                  : judge->lam[i];
  memset(probe->travel, 0, probe->n * sizeof *probe->travel);
  for (size_t j = 0; j < probe->n; j++) {
    probe->x[j] = judge->x[j];
    const bool slack = j == program->n; /* the slack variable of a maximum has no bounds */
    probe->fixed[j] = !slack && (judge->x[j] - judge->lower[j] <= 10 * judge->optimality ||
                                 judge->upper[j] - judge->x[j] <= 10 * judge->optimality);
    if (j < program->n)
      probe->travel[j] = judge->x[j] -
                         gradyn_program_variable(program, j, program->start[program->varied[j]]);
  }
  probe->length = gradyn_probe_travel(probe);
  const bool known = find_tangent_space(probe);
  probe->objective = trials->best.objective;
  probe->lagrangian = lagrangian(probe, &trials->best, probe->r);
  /* A decrease must exceed a part of the total gain, and the accuracy of values. */
  const double gained = fabs(initial - probe->objective), value = fabs(probe->objective);
  const double digits = doubtful ? 16 * DBL_EPSILON : 10 * fmax(search->ftol, DBL_EPSILON);
  probe->threshold = fmax(fmax(judge->optimality, search->ftol) * gained, digits * value);
  probe->threshold = fmax(probe->threshold, 1e-12 / judge->factor);
  probe->left = GRADYN_PROBE_MOST;
  probe->far = false;
  memset(probe->across, 0, probe->n * sizeof *probe->across);
  return known;
}

/* --- Steps ------------------------------------------------------------------------------------ */

/* Whether violations are at most round-off of a step of length `longest`. */
static bool hold_nearly(const gradyn_probe *probe, const double psi[], double longest)
{
  const gradyn_program *program = probe->trials->program;
  for (size_t i = 0; i < program->row_count; i++) {
    const double c = probe->row_factor[i] * gradyn_program_row(program, i, psi);
    if (!((i < program->equality_count ? fabs(c) : c) <= no_slope * longest))
      return false;
  }
  return true;
}

/* Evaluates x plus the step `along`, cut at the bounds. *psi is valid until the next evaluation. */
static gradyn_probe_step evaluate(gradyn_probe *probe, const double **psi)
{
  gradyn_trials *trials = probe->trials;
  const gradyn_program *program = trials->program;
  gradyn_probe_step tried = {.known = false};
  if (probe->left-- <= 0)
    return tried;
  double longest = 0, cut = 0;
  for (size_t j = 0; j < program->n; j++)
    probe->there[j] = probe->x[j] + probe->along[j];
  gradyn_program_parameters(program, probe->there, probe->rho);
  for (size_t j = 0; j < program->n; j++) {
    /* length that the bounds cut off from the step */
    const double x = gradyn_program_variable(program, j, probe->rho[program->varied[j]]);
    longest = fmax(longest, fabs(probe->along[j]));
    cut = fmax(cut, fabs(probe->there[j] - x) - 1e-9 * fabs(x));
  }
  tried.clipped = cut > 1e-3 * longest;
  const double below = probe->far ? -HUGE_VAL : probe->objective - probe->threshold;
  const gradyn_trial *point = gradyn_trials_probe(trials, probe->rho, below, &tried.lower);
  if (point == NULL)
    return tried;
  tried.known = true;
  /* if constraints are violated, the Lagrangian is compared instead of the objective */
  tried.feasible = point->violation <= 1 || (probe->far && hold_nearly(probe, point->psi, longest));
  *psi = point->psi;
  const double value = lagrangian(probe, point, probe->r_there);
  tried.fall = tried.feasible ? probe->objective - point->objective
                              : (probe->lagrangian - value) / trials->judge.factor;
  return tried;
}

/* Corrects the step `along` by the shortest change that satisfies the active constraints to first order;
 * psi: functionals at the end of the step. */
static void restore(gradyn_probe *probe, const double psi[])
{
  const gradyn_program *program = probe->trials->program;
  for (size_t i = 0; i < probe->active_count; i++) {
    /* A d = -c for violated constraints; satisfied inequalities keep their values, and pieces of a maximum
     * are no constraints here */
    const size_t row = probe->active[i];
    double c = row < program->row_count ? gradyn_program_row(program, row, psi) : 0;
    c *= probe->row_factor[row]; /* scaled like the row of A */
    probe->change[i] = row < program->equality_count || c > 0 ? -c : 0;
  }
  gradyn_span_reach(probe->span, probe->change, probe->along);
}

gradyn_probe_step gradyn_probe_try(gradyn_probe *probe, const double d[], double s)
{
  const double *psi = NULL;
  for (size_t j = 0; j < probe->n; j++)
    probe->along[j] = s * d[j] + probe->across[j];
  gradyn_probe_step tried = evaluate(probe, &psi);
  for (int k = 0; k < RESTORATIONS && tried.known && !tried.feasible; k++) {
    const bool worth = probe->far || tried.fall > probe->threshold;
    if (!worth || probe->active_count == 0)
      break;
    restore(probe, psi);
    tried = evaluate(probe, &psi);
  }
  return tried;
}

/* Tries the minimum of the parabola that has the slope at the end of the search and the slope after a step
 * of length s, which has raised the objective. */
static gradyn_probed try_parabola(gradyn_probe *probe, const double d[], double s)
{
  const size_t n = probe->trials->program->n;
  const double slope = gradyn_vector_dot(probe->r, d, n),
               there = gradyn_vector_dot(probe->r_there, d, n);
  const double curvature = (there - slope) / s;
  if (!(slope < 0) || !(curvature > 0))
    return GRADYN_PROBED_HOLDS;
  /* f - f* = slope^2 / (2 curvature) */
  const double fall = slope * slope / (2 * curvature) / probe->trials->judge.factor;
  if (!(fall > probe->threshold) || -slope / curvature >= s)
    return GRADYN_PROBED_HOLDS;
  return gradyn_probe_try(probe, d, -slope / curvature).lower ? GRADYN_PROBED_LOWER
                                                              : GRADYN_PROBED_HOLDS;
}

/* Whether no bound limits direction d (of length one), for any parameter that moves along it. */
static bool is_endless(const gradyn_probe *probe, const double d[])
{
  const gradyn_optimality *judge = &probe->trials->judge;
  for (size_t j = 0; j < probe->trials->program->n; j++)
    if (fabs(d[j]) > 1e-3 && isfinite(d[j] > 0 ? judge->upper[j] : judge->lower[j]))
      return false;
  return true;
}

/* Stores the parameter that moves most along d, for the message. */
static void name_parameter(gradyn_probe *probe, const double d[])
{
  const gradyn_program *program = probe->trials->program;
  size_t steepest = 0;
  for (size_t j = 1; j < program->n; j++)
    steepest = fabs(d[j]) > fabs(d[steepest]) ? j : steepest;
  probe->parameter = program->varied[steepest];
}

/* Tries steps of increasing length along d (of length one). */
static gradyn_probed go_downhill(gradyn_probe *probe, const double d[])
{
  const gradyn_program *program = probe->trials->program;
  const double unit = fmax(probe->length, 1);
  const double farthest = first_step * pow(longer, STEPS - 1) * unit;
  const double slope = gradyn_vector_dot(probe->r, d, program->n) / probe->trials->judge.factor;
  /* decreases of all steps together, of the largest one, and of the last one */
  double before = 0, most = 0, last = 0, s = first_step * unit;
  /* the decrease would be too small even if the slope did not change */
  if (!(-slope * farthest > probe->threshold))
    return GRADYN_PROBED_HOLDS;
  size_t steps = 0;
  gradyn_probe_step tried = {.known = true};
  for (; steps < STEPS && !tried.clipped; steps++, s *= longer) {
    tried = gradyn_probe_try(probe, d, s);
    if (steps == 0 && tried.known && !(tried.fall > probe->threshold))
      return try_parabola(probe, d, s);
    if (!tried.lower)
      break;
    last = tried.fall - before;
    most = fmax(most, last);
    before = tried.fall;
  }
  name_parameter(probe, d);
  if (steps == 0)
    return GRADYN_PROBED_HOLDS;
  /* if the objective converges, the decreases become smaller, although each step is four times as long: for
   * 1/x, they fall to a quarter */
  return steps == STEPS && last >= 0.5 * most && is_endless(probe, d) ? GRADYN_PROBED_UNBOUNDED
                                                                      : GRADYN_PROBED_LOWER;
}

/* Tries the direction of the search if it leads downhill, and then the negative gradient. */
static gradyn_probed try_downhill(gradyn_probe *probe)
{
  const gradyn_optimality *judge = &probe->trials->judge;
  double *d = probe->krylov; /* scratch memory, used by the method of Lanczos later */
  gradyn_probed probed = GRADYN_PROBED_HOLDS;
  memcpy(d, probe->travel, probe->n * sizeof *d);
  gradyn_span_project(probe->span, d);
  if (gradyn_vector_normalise(d, probe->n, 0) && gradyn_vector_dot(d, probe->r, probe->n) < 0)
    probed = go_downhill(probe, d);
  if (probed != GRADYN_PROBED_HOLDS)
    return probed;
  for (size_t j = 0; j < probe->n; j++) {
    /* parameters at a bound cannot move downhill */
    const bool down = probe->r[j] > 0;
    const double capacity = down ? probe->x[j] - judge->lower[j] : judge->upper[j] - probe->x[j];
    d[j] = capacity <= 10 * judge->optimality || j >= judge->program->n ? 0 : -probe->r[j];
  }
  return gradyn_vector_normalise(d, probe->n, 0) ? go_downhill(probe, d) : GRADYN_PROBED_HOLDS;
}

/* --- Units ---------------------------------------------------------------------------------------- */

/* Returns the largest unit of all parameters with the same physical unit as free parameter j, within the
 * bounds of j. */
static double largest_unit(const gradyn_program *program, size_t j)
{
  const gradyn_parameter_info *info = program->objective->parameters;
  const gradyn_parameter_info *own = &info[program->varied[j]];
  double largest = program->unit[j];
  for (size_t k = 0; k < program->n; k++)
    if (info[program->varied[k]].logarithmic == own->logarithmic &&
        (own->logarithmic || strcmp(info[program->varied[k]].unit, own->unit) == 0))
      largest = fmax(largest, program->unit[k]);
  const double range = program->unit[j] * (program->upper[j] - program->lower[j]);
  return isfinite(range) ? fmin(largest, gradyn_power_of_two(range / 8)) : largest;
}

/* Whether the objective decreases by a step along parameter j of a quarter of the unit `wide`, or within
 * this step. */
static bool falls_widely(gradyn_probe *probe, size_t j, double wide)
{
  const gradyn_program *program = probe->trials->program;
  const double s = first_step * wide / program->unit[j];
  double *d = probe->krylov; /* scratch memory, used by the method of Lanczos later */
  memset(d, 0, probe->n * sizeof *d);
  d[j] = probe->r[j] > 0 ? -1 : 1;
  gradyn_span_project(probe->span, d);
  if (!(fabs(d[j]) > 0.5) || !gradyn_vector_normalise(d, probe->n, 0))
    return false;
  const double slope = gradyn_vector_dot(probe->r, d, probe->n) / probe->trials->judge.factor;
  if (!(-slope * s > probe->threshold))
    return false;
  const gradyn_probe_step tried = gradyn_probe_try(probe, d, s);
  return tried.known && ((tried.feasible && tried.fall > probe->threshold) ||
                         try_parabola(probe, d, s) == GRADYN_PROBED_LOWER);
}

/* Tries each parameter whose unit is too small because of its start. With a small unit, its slope is
 * negligible compared with others. */
static gradyn_probed try_narrow_units(gradyn_probe *probe)
{
  const gradyn_program *program = probe->trials->program;
  /* if units are equal, small slopes determine each parameter to about the root of the tolerance */
  const double narrow = sqrt(probe->trials->judge.optimality);
  gradyn_probed probed = GRADYN_PROBED_HOLDS;
  for (size_t j = 0; j < program->n; j++) {
    const double wide = largest_unit(program, j);
    probe->wide[j] = 0;
    if (probe->fixed[j] || program->unit[j] > narrow * wide || !falls_widely(probe, j, wide))
      continue;
    probe->wide[j] = wide;
    probed = GRADYN_PROBED_LOWER;
  }
  return probed;
}

/* --- Infima ---------------------------------------------------------------------------------------- */

/* Fills d with the direction of the search, without the parameters that a bound limits. Returns false if
 * nothing remains. */
static bool find_endless_way(gradyn_probe *probe, double d[])
{
  const gradyn_optimality *judge = &probe->trials->judge;
  for (size_t j = 0; j < probe->n; j++) {
    const double way = probe->travel[j];
    d[j] = isfinite(way > 0 ? judge->upper[j] : judge->lower[j]) ? 0 : way;
  }
  gradyn_span_project(probe->span, d);
  return gradyn_vector_normalise(d, probe->n, probe->length) && is_endless(probe, d);
}

double gradyn_probe_first_step(double come)
{
  return first_step * fmax(fabs(come), 1);
}

/* Whether the objective decreases at every step along d (of length one). The steps reach a thousand times
 * as far as the search has moved along d, or as far as the objective can be evaluated. */
static bool falls_for_ever(gradyn_probe *probe, const double d[])
{
  const size_t n = probe->n;
  double before = 0, slope = 0, s = gradyn_probe_first_step(gradyn_vector_dot(probe->travel, d, n));
  int falls = 0;
  for (int k = 0; k <= FAR_STEPS; k++) {
    const gradyn_probe_step tried = gradyn_probe_try(probe, d, k == 0 ? 0 : s);
    if (!tried.known)
      break;
    const double there = gradyn_vector_dot(probe->r_there, d, n);
    const double none = no_slope * sqrt(gradyn_vector_dot(probe->r_there, probe->r_there, n));
    const double rise = probe->threshold + none * s / probe->trials->judge.factor;
    probe->blocked = !tried.feasible;
    if (probe->blocked || there > fmax(none, no_slope * -slope) || tried.fall < -rise)
      return false;
    /* errors across the direction can hide the slope: then a decrease counts if it exceeds round-off */
    const bool more = tried.fall - before > 8 * DBL_EPSILON * fabs(probe->objective - before);
    /* counts consecutive decreases only; later values may be zero */
    falls += falls == k && (there < -none || (k > 0 && there < none && more));
    slope = k == 0 ? there : slope;
    before = tried.fall;
    s *= k == 0 ? 1 : longer;
  }
  return falls > LEAST_FALLS;
}

/* Fills d with the projected negative gradient. Returns false if a bound limits it. */
static bool find_way_down(gradyn_probe *probe, double d[])
{
  for (size_t j = 0; j < probe->n; j++)
    d[j] = j < probe->trials->program->n ? -probe->r[j] : 0;
  gradyn_span_project(probe->span, d);
  memset(probe->across, 0, probe->n * sizeof *probe->across);
  probe->left = (FAR_STEPS + 1) * (1 + RESTORATIONS);
  return gradyn_vector_normalise(d, probe->n, 0) && is_endless(probe, d);
}

/* Checks whether the search has moved towards an infimum at infinity. */
static gradyn_probed try_infimum(gradyn_probe *probe)
{
  double *d = probe->krylov;
  if (!find_endless_way(probe, d))
    return GRADYN_PROBED_HOLDS;
  probe->far = true;
  probe->left = GRADYN_CURVATURE_MOST;
  if (!gradyn_curvature_flatten(probe) || !is_endless(probe, d))
    return GRADYN_PROBED_HOLDS;
  probe->left = (FAR_STEPS + 1) * (1 + RESTORATIONS);
  if (falls_for_ever(probe, d) ||
      (probe->blocked && find_way_down(probe, d) && falls_for_ever(probe, d))) {
    name_parameter(probe, d);
    return GRADYN_PROBED_INFIMUM;
  }
  return GRADYN_PROBED_HOLDS;
}

gradyn_probed gradyn_probe_end(gradyn_probe *probe, double initial, bool doubtful)
{
  if (!look_around(probe, initial, doubtful)) {
    gradyn_trials_out_of_memory(probe->trials);
    return GRADYN_PROBED_HOLDS;
  }
  probe->by_slope = false;
  gradyn_probed probed = try_narrow_units(probe);
  if (probed != GRADYN_PROBED_HOLDS)
    return probed;
  probe->left = GRADYN_PROBE_MOST;
  probed = try_downhill(probe);
  probe->by_slope = probed != GRADYN_PROBED_HOLDS;
  if (probed == GRADYN_PROBED_HOLDS)
    probed = gradyn_curvature_try(probe);
  return probed == GRADYN_PROBED_HOLDS ? try_infimum(probe) : probed;
}
