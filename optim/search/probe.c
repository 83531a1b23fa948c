/* Probing the end of a search.
 *
 * Steps x + s d downhill, d the way that the search has come or the projected -r, are made longer
 * and longer as long as the objective falls. Where already the first one rises, the gradient there
 * tells the curvature k along d and with it the minimum, at s = -(r d)/k, of a parabola.
 * Curvatures along other directions come from differences of gradients of the Lagrangian, (r(x + e
 * z) - r(x))/e = H z, in the tangent space of what is active; a few vectors of Lanczos' method
 * tell a negative one if there is any that is not small. */
#include "optim/search/probe.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { STEPS = 6, KRYLOV = 4, RESTORATIONS = 4, ESCAPES = 4 };
/* the first step as a part of the travel, and the ratio of one to the next */
static const double first_step = 0.25, longer = 4;
/* steps for differences of gradients, in units of the parameters */
static const double small_step = 0x1p-6;

/* LAPACK: eigenvalues and eigenvectors of a symmetric matrix. */
void dsyev_(const char *job, const char *part, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info);

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
  probe->there = gradyn_arena_numbers(arena, n);
  probe->travel = gradyn_arena_numbers(arena, n);
  probe->multiplier = gradyn_arena_numbers(arena, m);
  probe->row_factor = gradyn_arena_numbers(arena, m);
  probe->active = gradyn_arena_take(arena, m, sizeof *probe->active);
  probe->change = gradyn_arena_numbers(arena, m);
  probe->krylov = gradyn_arena_numbers(arena, KRYLOV * n);
  probe->rho = gradyn_arena_numbers(arena, trials->program->objective->parameter_count);
  probe->fixed = gradyn_arena_take(arena, n, sizeof *probe->fixed);
  return gradyn_arena_status(arena) == GRADYN_OK;
}

void gradyn_probe_clear(gradyn_probe *probe)
{
  gradyn_span_free(probe->span);
  gradyn_arena_clear(&probe->arena);
}

/* --- Vectors ---------------------------------------------------------------------------------- */

static double dot(const double a[], const double b[], size_t n)
{
  double sum = 0;
  for (size_t j = 0; j < n; j++)
    sum += a[j] * b[j];
  return sum;
}

/* Scales v to length one, unless it is nothing beside `size`; false then. */
static bool normalise(double v[], size_t n, double size)
{
  const double length = sqrt(dot(v, v, n));
  for (size_t j = 0; j < n && length > 0; j++)
    v[j] /= length;
  return isfinite(length) && length > 1e-8 * size;
}

/* --- What is known at the end ----------------------------------------------------------------- */

/* Value and gradient r [n] of the Lagrangian, scaled, with the multipliers of the end. */
static double lagrangian(const gradyn_probe *probe, const gradyn_trial *point, double r[])
{
  const gradyn_program *program = probe->trials->program;
  const double factor = probe->trials->judge.factor;
  double value = 0;
  memset(r, 0, probe->n * sizeof *r);
  for (size_t i = 0; i < program->term_count + program->piece_count; i++) {
    /* pieces of a maximum by their multipliers, whose sum is one */
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

/* The space of the gradients of what is active, over the variables that are not at bounds; false: out of
 * memory. */
static bool find_tangent_space(gradyn_probe *probe)
{
  const gradyn_judge *judge = &probe->trials->judge;
  probe->active_count = 0;
  for (size_t i = 0; i < probe->m; i++) {
    const bool equality = i < judge->program->equality_count;
    if (equality || !(judge->c[i] < -judge->tolerance[i]) || judge->lam[i] > 0)
      probe->active[probe->active_count++] = i;
  }
  memcpy(probe->row_factor, judge->row_factor, probe->m * sizeof *probe->row_factor);
  gradyn_span_free(probe->span);
  probe->span = gradyn_span_create(&(gradyn_span_rows){.A = judge->A,
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
    const double way = (probe->trials->best.rho[i] - program->start[i]) / program->unit[j];
    square += way * way;
  }
  return sqrt(square);
}

/* Everything about the best point that is needed once others have been evaluated; false: out of memory. */
static bool look_around(gradyn_probe *probe, double initial, bool doubtful)
{
  gradyn_trials *trials = probe->trials;
  gradyn_judge *judge = &trials->judge;
  const gradyn_program *program = trials->program;
  const gradyn_search *search = trials->search;
  /* the judge looks at the best point again: it may have seen another since */
  gradyn_judge_point(judge, &trials->best);
  for (size_t i = 0; i < probe->m; i++)
    probe->multiplier[i] = i < program->row_count ? judge->lam[i] * judge->row_factor[i]
                                                  : judge->lam[i];
  memset(probe->travel, 0, probe->n * sizeof *probe->travel);
  for (size_t j = 0; j < probe->n; j++) {
    probe->x[j] = judge->x[j];
    const bool slack = j >= program->n;
    probe->fixed[j] = !slack && (judge->x[j] - judge->lower[j] <= 10 * judge->optimality ||
                                 judge->upper[j] - judge->x[j] <= 10 * judge->optimality);
    if (!slack)
      probe->travel[j] = judge->x[j] - program->start[program->varied[j]] / program->unit[j];
  }
  probe->length = gradyn_probe_travel(probe);
  const bool known = find_tangent_space(probe);
  probe->objective = trials->best.objective;
  probe->lagrangian = lagrangian(probe, &trials->best, probe->r);
  /* what was gained tells what counts, never less than what values have digits for */
  const double gained = fabs(initial - probe->objective), value = fabs(probe->objective);
  const double digits = doubtful ? 16 * DBL_EPSILON : 10 * fmax(search->ftol, DBL_EPSILON);
  probe->threshold = fmax(fmax(judge->optimality, search->ftol) * gained, digits * value);
  probe->threshold = fmax(probe->threshold, 1e-12 / judge->factor);
  probe->left = GRADYN_PROBE_MOST;
  return known;
}

/* --- Steps ------------------------------------------------------------------------------------ */

/* How the objective is at x + s d. */
typedef struct step {
  bool known;    /* it could be evaluated */
  bool feasible; /* there */
  bool lower;    /* feasible, and lower by more than the threshold: the best point now */
  bool clipped;  /* a bound has cut off a part that matters */
  double fall;   /* of the objective where feasible, of the Lagrangian elsewhere */
} step;

/* Evaluates x + `along`, within the bounds; *psi is lent. */
static step evaluate(gradyn_probe *probe, const double **psi)
{
  gradyn_trials *trials = probe->trials;
  const gradyn_program *program = trials->program;
  step tried = {.known = false};
  if (probe->left-- <= 0)
    return tried;
  double longest = 0, cut = 0;
  for (size_t j = 0; j < program->n; j++)
    probe->there[j] = probe->x[j] + probe->along[j];
  gradyn_program_parameters(program, probe->there, probe->rho);
  for (size_t j = 0; j < program->n; j++) {
    /* what bounds have left of the step */
    const double x = probe->rho[program->varied[j]] / program->unit[j];
    longest = fmax(longest, fabs(probe->along[j]));
    cut = fmax(cut, fabs(probe->there[j] - x) - 1e-9 * fabs(x));
  }
  tried.clipped = cut > 1e-3 * longest;
  const double below = probe->objective - probe->threshold;
  const gradyn_trial *point = gradyn_trials_probe(trials, probe->rho, below, &tried.lower);
  if (point == NULL)
    return tried;
  tried.known = true;
  /* where constraints are violated the objective alone says nothing */
  tried.feasible = point->violation <= 1;
  *psi = point->psi;
  const double value = lagrangian(probe, point, probe->r_there);
  tried.fall = tried.feasible ? probe->objective - point->objective
                              : (probe->lagrangian - value) / trials->judge.factor;
  return tried;
}

/* Moves `along` by the shortest way on which the active constraints, violated at psi, hold to
 * first order. */
static void restore(gradyn_probe *probe, const double psi[])
{
  const gradyn_program *program = probe->trials->program;
  for (size_t i = 0; i < probe->active_count; i++) {
    /* A d = -c; inequalities that hold stay, pieces of a maximum are none */
    const size_t row = probe->active[i];
    double c = row < program->row_count ? gradyn_program_row(program, row, psi) : 0;
    c *= probe->row_factor[row]; /* as A is scaled */
    probe->change[i] = row < program->equality_count || c > 0 ? -c : 0;
  }
  gradyn_span_reach(probe->span, probe->change, probe->along);
}

/* Evaluates x + s d; where the Lagrangian falls and constraints are violated, they are restored
 * first. */
static step try_step(gradyn_probe *probe, const double d[], double s)
{
  const double *psi = NULL;
  for (size_t j = 0; j < probe->n; j++)
    probe->along[j] = s * d[j];
  step tried = evaluate(probe, &psi);
  for (int k = 0; k < RESTORATIONS && tried.known && !tried.feasible; k++) {
    if (!(tried.fall > probe->threshold) || probe->active_count == 0)
      break;
    restore(probe, psi);
    tried = evaluate(probe, &psi);
  }
  return tried;
}

/* A step of length s has risen: the parabola through it and the slope at the end has its minimum
 * within. */
static gradyn_probed try_parabola(gradyn_probe *probe, const double d[], double s)
{
  const size_t n = probe->trials->program->n;
  const double slope = dot(probe->r, d, n), there = dot(probe->r_there, d, n);
  const double curvature = (there - slope) / s;
  if (!(slope < 0) || !(curvature > 0))
    return GRADYN_PROBED_HOLDS;
  /* f - f* = slope^2 / (2 curvature) */
  const double fall = slope * slope / (2 * curvature) / probe->trials->judge.factor;
  if (!(fall > probe->threshold) || -slope / curvature >= s)
    return GRADYN_PROBED_HOLDS;
  return try_step(probe, d, -slope / curvature).lower ? GRADYN_PROBED_LOWER : GRADYN_PROBED_HOLDS;
}

/* Whether no bound ends the way along d (of length one) of a parameter that takes part in it. */
static bool is_endless(const gradyn_probe *probe, const double d[])
{
  const gradyn_judge *judge = &probe->trials->judge;
  for (size_t j = 0; j < probe->trials->program->n; j++)
    if (fabs(d[j]) > 1e-3 && isfinite(d[j] > 0 ? judge->upper[j] : judge->lower[j]))
      return false;
  return true;
}

/* Longer and longer steps along d (of length one). */
static gradyn_probed go_downhill(gradyn_probe *probe, const double d[])
{
  const gradyn_program *program = probe->trials->program;
  const double unit = fmax(probe->length, 1);
  const double farthest = first_step * pow(longer, STEPS - 1) * unit;
  const double slope = dot(probe->r, d, program->n) / probe->trials->judge.factor;
  /* falls of all steps together, of the largest one, of the last one */
  double before = 0, most = 0, last = 0, s = first_step * unit;
  /* too little even where the slope went on for ever */
  if (!(-slope * farthest > probe->threshold))
    return GRADYN_PROBED_HOLDS;
  size_t steps = 0, steepest = 0;
  step tried = {.known = true};
  for (; steps < STEPS && !tried.clipped; steps++, s *= longer) {
    tried = try_step(probe, d, s);
    if (steps == 0 && tried.known && !(tried.fall > probe->threshold))
      return try_parabola(probe, d, s);
    if (!tried.lower)
      break;
    last = tried.fall - before;
    most = fmax(most, last);
    before = tried.fall;
  }
  /* for the message */
  for (size_t j = 1; j < program->n; j++)
    steepest = fabs(d[j]) > fabs(d[steepest]) ? j : steepest;
  probe->parameter = program->varied[steepest];
  if (steps == 0)
    return GRADYN_PROBED_HOLDS;
  /* what converges falls by ever less where steps are four times as long: 1/x by a quarter */
  return steps == STEPS && last >= 0.5 * most && is_endless(probe, d) ? GRADYN_PROBED_UNBOUNDED
                                                                      : GRADYN_PROBED_LOWER;
}

/* Along the way of the search as far as it leads down, then down the gradient. */
static gradyn_probed try_downhill(gradyn_probe *probe)
{
  const gradyn_judge *judge = &probe->trials->judge;
  double *d = probe->krylov; /* not in use yet */
  gradyn_probed probed = GRADYN_PROBED_HOLDS;
  memcpy(d, probe->travel, probe->n * sizeof *d);
  gradyn_span_project(probe->span, d);
  if (normalise(d, probe->n, 0) && dot(d, probe->r, probe->n) < 0)
    probed = go_downhill(probe, d);
  if (probed != GRADYN_PROBED_HOLDS)
    return probed;
  for (size_t j = 0; j < probe->n; j++) {
    /* as far as the bounds allow */
    const bool down = probe->r[j] > 0;
    const double room = down ? probe->x[j] - judge->lower[j] : judge->upper[j] - probe->x[j];
    d[j] = room <= 10 * judge->optimality || j >= judge->program->n ? 0 : -probe->r[j];
  }
  return normalise(d, probe->n, 0) ? go_downhill(probe, d) : GRADYN_PROBED_HOLDS;
}

/* --- Curvature -------------------------------------------------------------------------------- */

/* A direction that stands for all, the same in every run: splitmix64, away from the bound that is
 * near. */
static void any_direction(const gradyn_probe *probe, double z[])
{
  const gradyn_judge *judge = &probe->trials->judge;
  uint64_t state = 1;
  for (size_t j = 0; j < probe->n; j++) {
    uint64_t u = state += 0x9e3779b97f4a7c15u;
    u = (u ^ (u >> 30)) * 0xbf58476d1ce4e5b9u;
    u = (u ^ (u >> 27)) * 0x94d049bb133111ebu;
    const double size = 0.5 + 0.5 * (double)((u ^ (u >> 31)) >> 11) * 0x1p-53;
    const bool near_lower = judge->x[j] - judge->lower[j] < judge->upper[j] - judge->x[j];
    const bool free_of_both = isinf(judge->lower[j]) && isinf(judge->upper[j]);
    z[j] = j >= judge->program->n ? 0 : (free_of_both ? (u & 1) : near_lower) ? size : -size;
  }
}

/* Steps along u, whose curvature is negative, to where the objective is lower. */
static gradyn_probed escape(gradyn_probe *probe, double u[])
{
  if (dot(u, probe->r, probe->n) > 0)
    for (size_t j = 0; j < probe->n; j++)
      u[j] = -u[j];
  /* up to one unit; s^2/2 u^T H u of the first may be too little to count */
  double s = small_step;
  for (int k = 0; k < ESCAPES; k++, s *= 4) {
    const step tried = try_step(probe, u, s);
    if (tried.lower)
      return GRADYN_PROBED_LOWER;
    if (!tried.known)
      break;
  }
  return GRADYN_PROBED_HOLDS;
}

/* The least eigenvalue of the tridiagonal matrix of `count` directions, its vector into c. */
static double least_curvature(const double alpha[], const double beta[], size_t count, double c[])
{
  double matrix[KRYLOV * KRYLOV] = {0}, value[KRYLOV] = {0}, work[8 * KRYLOV];
  const int n = (int)count, work_size = 8 * KRYLOV;
  /* T = Z^T H Z */
  int info = 0;
  for (size_t k = 0; k < count; k++) {
    matrix[k * count + k] = alpha[k];
    if (k + 1 < count) /* the lower triangle, by columns */
      matrix[k * count + k + 1] = beta[k];
  }
  dsyev_("V", "L", &n, matrix, &n, value, work, &work_size, &info);
  memcpy(c, matrix, count * sizeof *c);
  return info == 0 ? value[0] : 0;
}

/* z = sum of c_k times direction k, into the first one. */
static double *combine(gradyn_probe *probe, const double c[], size_t count)
{
  double *z = probe->krylov; /* read and written entry by entry */
  for (size_t j = 0; j < probe->n; j++) {
    double sum = 0;
    for (size_t k = 0; k < count; k++)
      sum += c[k] * probe->krylov[k * probe->n + j];
    z[j] = sum;
  }
  return z;
}

/* The direction after the k-th: w = H z less its parts along those before; false: there is none. */
static bool next_direction(gradyn_probe *probe, size_t k, double *beta)
{
  const size_t n = probe->n;
  double *w = probe->krylov + (k + 1) * n;
  memcpy(w, probe->r_there, n * sizeof *w);
  const double size = sqrt(dot(w, w, n));
  for (size_t i = 0; i < 2 * (k + 1); i++) { /* twice, against round-off */
    const double *z = probe->krylov + (i % (k + 1)) * n;
    const double part = dot(z, w, n);
    for (size_t j = 0; j < n; j++)
      w[j] -= part * z[j];
  }
  /* what is left is beta z_(k+1); next to nothing: the space is whole */
  *beta = sqrt(dot(w, w, n));
  return normalise(w, n, 1e4 * size);
}

/* Curvatures of the Lagrangian along free directions: two, or four where nothing was gained, as a
 * search that has not moved knows nothing of any. */
static gradyn_probed try_curvature(gradyn_probe *probe)
{
  const gradyn_trials *trials = probe->trials;
  const size_t n = probe->n, most = probe->length > 0 ? 2 : KRYLOV;
  double alpha[KRYLOV] = {0}, beta[KRYLOV] = {0}, c[KRYLOV];
  /* what a difference of gradients must exceed to be more than their errors */
  const double size = sqrt(dot(probe->r, probe->r, n));
  const double error = trials->scaling->provisional
                           ? size + 1e-12 * fabs(probe->objective) * trials->judge.factor
                           : size + trials->judge.optimality;
  /* z_0 within what is free; there may be nothing */
  any_direction(probe, probe->krylov);
  gradyn_span_project(probe->span, probe->krylov);
  if (!normalise(probe->krylov, n, 1))
    return GRADYN_PROBED_HOLDS;
  for (size_t k = 0; k < most; k++) {
    const double *z = probe->krylov + k * n;
    if (k == 0 && most == KRYLOV && try_step(probe, z, -small_step).lower)
      return GRADYN_PROBED_LOWER; /* where the third derivative leads down */
    const step tried = try_step(probe, z, small_step);
    if (tried.lower || !tried.known)
      return tried.lower ? GRADYN_PROBED_LOWER : GRADYN_PROBED_HOLDS;
    /* H z by a difference of gradients */
    for (size_t j = 0; j < n; j++)
      probe->r_there[j] = (probe->r_there[j] - probe->r[j]) / small_step;
    gradyn_span_project(probe->span, probe->r_there);
    alpha[k] = dot(z, probe->r_there, n); /* z^T H z */
    if (least_curvature(alpha, beta, k + 1, c) * small_step < -error)
      return escape(probe, combine(probe, c, k + 1));
    if (k + 1 < most && !next_direction(probe, k, &beta[k]))
      break;
  }
  return GRADYN_PROBED_HOLDS;
}

gradyn_probed gradyn_probe_end(gradyn_probe *probe, double initial, bool doubtful)
{
  if (!look_around(probe, initial, doubtful)) {
    gradyn_trials_starve(probe->trials);
    return GRADYN_PROBED_HOLDS;
  }
  const gradyn_probed probed = try_downhill(probe);
  probe->by_slope = probed != GRADYN_PROBED_HOLDS;
  return probed == GRADYN_PROBED_HOLDS ? try_curvature(probe) : probed;
}
