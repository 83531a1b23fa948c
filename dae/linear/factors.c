/* The linear systems of constrained dynamics: kinds of factors, and the choice among them.
 *
 * Rows of the Jacobian may depend on each other everywhere (redundant constraints) or only at single
 * positions. The first case is detected at the start of a run, which then uses a tiny diagonal and removes
 * its effect by refinement. This does not help in the second case: near a singular position, a direction of
 * motion is known only to round-off divided by s^2, where s is the smallest singular value. */
#include "dae/linear/factors_kinds.h"
#include "dae/linear/dependent.h"

#include <math.h>
#include <string.h>

enum { REFINEMENTS = 3 }; /* passes that remove the effect of the tiny diagonal */

/* Ratio of the diagonal of rough factors, which is not removed by refinement, to the tiny diagonal. */
static const double rough = 100;

static const gradyn_factors_operations *of(const gradyn_factors *s);

/* --- the Schur complement and its inverse ------------------------------------------------------ */

/* Factorises J M^-1 J^T = L D L^T. begin() has computed M^-1. */
static gradyn_status schur_factor(gradyn_factors *s)
{
  return gradyn_schur_factor(&s->schur, s->parts.J);
}

/* Solves S (x; mult) = b for each column; S is symmetric. */
static void schur_solve(gradyn_factors *s, bool transposed, double *b, int count)
{
  (void)transposed;
  for (int k = 0; k < count; k++)
    gradyn_schur_solve(&s->schur, b + k * (s->n + s->m));
}

/* Solves S x = b in lanes by L D L^T of the complement. */
static void schur_lanes(gradyn_factors *s, unsigned what, int columns, const gradyn_lanes *b,
                        gradyn_lanes *x)
{
  gradyn_schur_solve_lanes(&s->schur, (int)gradyn_lanes_groups(columns), what & GRADYN_SOLVE_RATES,
                           what & GRADYN_SOLVE_MINUS, b, x);
}

/* Solves by the inverse [G, T^T; T, -R]: for b = (f; g), x = G f + T^T g and mult = T f - R g. */
static void inverse_lanes(gradyn_factors *s, unsigned what, int columns, const gradyn_lanes *b,
                          gradyn_lanes *x)
{
  (void)columns;
  const bool multipliers = what & GRADYN_SOLVE_MULTIPLIERS;
  if (multipliers)
    gradyn_schur_apply_both(&s->schur, b, x);
  else
    gradyn_schur_apply(&s->schur, b, x);
  if (what & GRADYN_SOLVE_RATES)
    gradyn_schur_add_rates(&s->schur, b + s->n, x, multipliers ? x + s->n : NULL);
}

/* Solves for b = (f + M a; g): since x = M^-1 f + a, the product M a is not needed. */
static void schur_correct(gradyn_factors *s, const double *a, double *b)
{
  gradyn_schur_solve_shifted(&s->schur, a, b);
}

/* Computes change = -M^-1 J^T mult, where J M^-1 J^T mult = g. */
static void schur_project(gradyn_factors *s, const double *start, double *mult, double *change,
                          double *moved)
{
  gradyn_schur_project(&s->schur, start, mult, change, moved);
}

/* Decides whether rows are dependent, by the smallest pivot of L D L^T. */
static bool schur_dependent(gradyn_factors *s)
{
  return gradyn_dependent_schur(&s->schur);
}

/* --- the saddle-point matrix, with or without added diagonal ----------------------------------- */

/* Factorises [A, U^T; J, -d], with d at least `least`. */
static gradyn_status saddle_factor(gradyn_factors *s, double least)
{
  const gradyn_factors_parts *p = &s->parts;
  s->added = p->d > 0 ? 0 : least;
  gradyn_saddle_fill(&s->saddle, p->A, p->U, p->J, -fmax(p->d, least));
  return gradyn_linsys_factor(s->saddle.system);
}

/* Factorises with the diagonal d of the equations, which is usually 0. */
static gradyn_status exact_factor(gradyn_factors *s)
{
  return saddle_factor(s, 0);
}

/* Factorises with a diagonal of 1e-8 of the size of J A^-1 J^T, so that dependent rows have a pivot. */
static gradyn_status softened_factor(gradyn_factors *s)
{
  return saddle_factor(s, gradyn_tiny_diagonal(s->parts.A, s->saddle.dyn_nnz));
}

/* Factorises with a diagonal that is larger than pivots which are only round-off. */
static gradyn_status rough_factor(gradyn_factors *s)
{
  return saddle_factor(s, rough * gradyn_tiny_diagonal(s->parts.A, s->saddle.dyn_nnz));
}

/* Solves with the factors, without refinement. */
static void saddle_solve(gradyn_factors *s, bool transposed, double *b, int count)
{
  if (transposed)
    gradyn_linsys_solve_transposed(s->saddle.system, b, count);
  else
    gradyn_linsys_solve(s->saddle.system, b, count);
}

/* Computes rest = b - S x or, transposed, b - S^T x, with S = [A, U^T; J, -d]. */
static void residual_of(const gradyn_factors *s, bool transposed, const double *b, const double *x,
                        double *rest)
{
  const gradyn_factors_parts *p = &s->parts;
  const gradyn_pattern *dyn = &s->mech->dyn, *jac = &s->mech->jac;
  const int n = s->n, m = s->m;
  memcpy(rest, b, (size_t)(n + m) * sizeof(double));
  if (transposed)
    gradyn_pattern_multiply_transposed(dyn, n, p->A, -1, x, rest);
  else
    gradyn_pattern_multiply(dyn, n, p->A, -1, x, rest);
  /* S^T = [A^T, J^T; U, -d] */
  gradyn_pattern_multiply_transposed(jac, m, transposed ? p->J : p->U, -1, x + n, rest);
  gradyn_pattern_multiply(jac, m, transposed ? p->U : p->J, -1, x, rest + n);
  for (int i = n; i < n + m; i++)
    rest[i] += p->d * x[i];
}

/* Removes the undetermined part of multipliers of dependent rows, which is as large as round-off divided by
 * the diagonal d. The operation mult <- the lower half of S_soft^-1 (0; -d mult), repeated as often as
 * solves are refined, extracts this part. Subtracting it leaves the shortest multipliers. */
static void shorten(gradyn_factors *s, bool transposed, double *mult)
{
  double *open = s->rest + s->n;
  memcpy(open, mult, (size_t)s->m * sizeof *open);
  for (int pass = 0; pass < REFINEMENTS; pass++) {
    memset(s->rest, 0, (size_t)s->n * sizeof *open);
    for (int i = 0; i < s->m; i++)
      open[i] *= -s->added;
    saddle_solve(s, transposed, s->rest, 1);
  }
  for (int i = 0; i < s->m; i++)
    mult[i] -= open[i];
}

/* Solves with refinement: x += S_soft^-1 (b - S x) removes the effect of the added diagonal. */
static void refined_solve(gradyn_factors *s, bool transposed, double *b, int count)
{
  const int size = s->n + s->m;
  for (int k = 0; k < count; k++, b += size) {
    memcpy(s->sum, b, (size_t)size * sizeof(double));
    saddle_solve(s, transposed, s->sum, 1);
    for (int pass = 1; pass < REFINEMENTS; pass++) {
      residual_of(s, transposed, b, s->sum, s->rest);
      saddle_solve(s, transposed, s->rest, 1);
      for (int i = 0; i < size; i++)
        s->sum[i] += s->rest[i];
    }
    if (s->added > 0 && !s->open)
      shorten(s, transposed, s->sum + s->n);
    memcpy(b, s->sum, (size_t)size * sizeof(double));
  }
}

/* Copies b to x. Without GRADYN_SOLVE_RATES, the lower half of x becomes zero. */
static void copy_lanes(const gradyn_factors *s, unsigned what, int lanes, const gradyn_lanes *b,
                       gradyn_lanes *x)
{
  const int all = (s->n + s->m) * lanes, rows = what & GRADYN_SOLVE_RATES ? all : s->n * lanes;
  memcpy(x, b, (size_t)rows * sizeof *x);
  memset(x + rows, 0, (size_t)(all - rows) * sizeof *x);
}

/* Changes the sign of x if GRADYN_SOLVE_MINUS is set. */
static GRADYN_WIDE void set_sign(const gradyn_factors *s, unsigned what, int lanes, gradyn_lanes *x)
{
  const int count = what & GRADYN_SOLVE_MINUS ? (s->n + s->m) * lanes : 0;
  GRADYN_UNROLL
  for (int i = 0; i < count; i++)
    x[i] = -x[i];
}

/* Solves in lanes with the factors, without refinement. */
static void saddle_lanes(gradyn_factors *s, unsigned what, int columns, const gradyn_lanes *b,
                         gradyn_lanes *x)
{
  const int lanes = (int)gradyn_lanes_groups(columns);
  copy_lanes(s, what, lanes, b, x);
  gradyn_linsys_solve_lanes(s->saddle.system, what & GRADYN_SOLVE_TRANSPOSED, columns, x);
  set_sign(s, what, lanes, x);
}

/* Subtracts S x or, transposed, S^T x from rest; each entry has this number of groups of lanes. */
static void subtract_lanes(const gradyn_factors *s, bool transposed, int lanes,
                           const gradyn_lanes *x, gradyn_lanes *rest)
{
  const gradyn_factors_parts *p = &s->parts;
  const gradyn_pattern *dyn = &s->mech->dyn, *jac = &s->mech->jac;
  const int n = s->n, m = s->m, below = n * lanes;
  gradyn_lanes_subtract(lanes, transposed, dyn, n, p->A, x, rest);
  gradyn_lanes_subtract(lanes, true, jac, m, transposed ? p->J : p->U, x + below, rest);
  gradyn_lanes_subtract(lanes, false, jac, m, transposed ? p->U : p->J, x, rest + below);
  for (int i = below; i < below + m * lanes; i++)
    rest[i] += p->d * x[i];
}

/* Does the same as shorten(), in lanes. */
static void shorten_lanes(gradyn_factors *s, bool transposed, int columns, gradyn_lanes *mult)
{
  const int lanes = (int)gradyn_lanes_groups(columns), above = s->n * lanes, rows = s->m * lanes;
  gradyn_lanes *open = s->packs + above;
  memcpy(open, mult, (size_t)rows * sizeof *open);
  for (int pass = 0; pass < REFINEMENTS; pass++) {
    memset(s->packs, 0, (size_t)above * sizeof *open);
    for (int i = 0; i < rows; i++)
      open[i] *= -s->added;
    gradyn_linsys_solve_lanes(s->saddle.system, transposed, columns, s->packs);
  }
  for (int i = 0; i < rows; i++)
    mult[i] -= open[i];
}

/* Does the same as refined_solve(), in lanes. For single columns, refined_solve() takes less time. */
static void refined_lanes(gradyn_factors *s, unsigned what, int columns, const gradyn_lanes *b,
                          gradyn_lanes *x)
{
  const bool transposed = what & GRADYN_SOLVE_TRANSPOSED;
  const int lanes = (int)gradyn_lanes_groups(columns), size = (s->n + s->m) * lanes;
  gradyn_lanes *rest = s->packs;
  copy_lanes(s, what, lanes, b, x);
  gradyn_linsys_solve_lanes(s->saddle.system, transposed, columns, x);
  for (int pass = 1; pass < REFINEMENTS; pass++) {
    copy_lanes(s, what, lanes, b, rest);
    subtract_lanes(s, transposed, lanes, x, rest);
    gradyn_linsys_solve_lanes(s->saddle.system, transposed, columns, rest);
    for (int i = 0; i < size; i++)
      x[i] += rest[i];
  }
  if (s->added > 0 && !s->open)
    shorten_lanes(s, transposed, columns, x + s->n * lanes);
  set_sign(s, what, lanes, x);
}

/* x = S^-1 (R; Phi). */
static void saddle_correct(gradyn_factors *s, const double *a, double *b)
{
  (void)a; /* unused: b contains M a already */
  gradyn_linsys_solve(s->saddle.system, b, 1);
}

/* Projects: change and mult are minus the solution of S (x; y) = (0; g). */
static void saddle_project(gradyn_factors *s, const double *start, double *mult, double *change,
                           double *moved)
{
  const int n = s->n, m = s->m;
  double *b = s->column;
  memset(b, 0, (size_t)n * sizeof(double));
  memcpy(b + n, mult, (size_t)m * sizeof(double));
  of(s)->solve(s, false, b, 1);
  for (int i = 0; i < n; i++) {
    change[i] = -b[i];
    moved[i] = start[i] + change[i];
  }
  for (int i = 0; i < m; i++)
    mult[i] = -b[n + i];
}

/* Decides whether rows are dependent, by the size of the multipliers for rates of size 1, which takes one
 * solve. */
static bool exact_dependent(gradyn_factors *s)
{
  const gradyn_factors_parts *p = &s->parts;
  return gradyn_dependent_factors(s->mech, s->saddle.system, p->A, p->J, s->sum);
}

/* factors with an added diagonal do not show dependent rows */
static bool never(gradyn_factors *s)
{
  (void)s;
  return false;
}

/* --- the table --------------------------------------------------------------------------------- */

static const gradyn_factors_operations table[] = {
    [GRADYN_FACTORS_INVERTED] = {schur_factor, schur_solve, inverse_lanes,
                                 GRADYN_FORCE | GRADYN_CONSTRAINT, schur_correct, schur_project,
                                 schur_dependent, true},
    [GRADYN_FACTORS_SCHUR] = {schur_factor, schur_solve, schur_lanes,
                              GRADYN_FORCE | GRADYN_CONSTRAINT, schur_correct, schur_project,
                              schur_dependent, true},
    [GRADYN_FACTORS_EXACT] = {exact_factor, saddle_solve, saddle_lanes, GRADYN_DYNAMICS,
                              saddle_correct, saddle_project, exact_dependent, false},
    [GRADYN_FACTORS_SOFTENED] = {softened_factor, refined_solve, refined_lanes, GRADYN_DYNAMICS,
                                 saddle_correct, saddle_project, never, false},
    [GRADYN_FACTORS_ROUGH] = {rough_factor, saddle_solve, saddle_lanes, GRADYN_DYNAMICS,
                              saddle_correct, saddle_project, never, false},
    [GRADYN_FACTORS_TREE] = {gradyn_factors_own, gradyn_factors_own_solve, gradyn_factors_own_lanes,
                             GRADYN_DYNAMICS, gradyn_factors_own_correct, saddle_project,
                             gradyn_factors_own_dependent, true},
    [GRADYN_FACTORS_TREE_SOFTENED] = {gradyn_factors_own_softened, gradyn_factors_own_solve,
                                      gradyn_factors_own_lanes, GRADYN_DYNAMICS,
                                      gradyn_factors_own_correct, saddle_project, never, false},
};

/* Returns the operations of the present kind. */
static const gradyn_factors_operations *of(const gradyn_factors *s)
{
  return table + s->kind;
}

/* The following functions call the operations of the present kind. */

void gradyn_factors_solve(gradyn_factors *s, bool transposed, double *b, int count)
{
  of(s)->solve(s, transposed, b, count);
}

void gradyn_factors_solve_lanes(gradyn_factors *s, unsigned what, int columns,
                                const gradyn_lanes *b, gradyn_lanes *x)
{
  of(s)->solve_lanes(s, what, columns, b, x);
}

int gradyn_factors_residual(const gradyn_factors *s)
{
  return of(s)->residual;
}

void gradyn_factors_correct(gradyn_factors *s, const double *a, double *b)
{
  of(s)->correct(s, a, b);
}

void gradyn_factors_project(gradyn_factors *s, const double *start, double *mult, double *change,
                            double *moved)
{
  of(s)->project(s, start, mult, change, moved);
}

bool gradyn_factors_dependent(gradyn_factors *s)
{
  return of(s)->dependent(s);
}

bool gradyn_factors_shows_dependence(const gradyn_factors *s)
{
  return of(s)->tells;
}

/* --- creation and choice ----------------------------------------------------------------------- */

/* Returns whether the model is of a kind and size for which the Schur complement is used. */
static bool suits_schur(const gradyn_mech *mech, int most)
{
  /* M is inverted once per run, and J M^-1 J^T must be regular */
  bool suits = mech->constant_mass && mech->n <= GRADYN_ROW_MOST && mech->m <= GRADYN_ROW_MOST &&
               mech->n + mech->m <= most;
  for (int i = 0; i < mech->m && suits; i++) /* each constraint depends on a coordinate */
    suits = mech->jac.start[i + 1] > mech->jac.start[i];
  return suits;
}

/* Initialises the members that all kinds need. */
static void take_columns(gradyn_mech *mech, gradyn_arena *arena, gradyn_factors *s)
{
  const size_t size = (size_t)(mech->n + mech->m);
  *s = (gradyn_factors){.mech = mech, .n = mech->n, .m = mech->m, .kind = GRADYN_FACTORS_EXACT};
  s->column = gradyn_arena_numbers(arena, size);
  s->packs = gradyn_arena_lanes(arena, 2 * size);
}

gradyn_status gradyn_factors_create_own(gradyn_mech *mech, gradyn_arena *arena, gradyn_factors *s)
{
  take_columns(mech, arena, s);
  s->own = gradyn_arena_numbers(arena, gradyn_factors_own_size(mech));
  return gradyn_arena_status(arena);
}

/* Allocates all kinds that suit the model. */
gradyn_status gradyn_factors_create(gradyn_mech *mech, const bool *part, int most,
                                    gradyn_arena *arena, gradyn_factors *s)
{
  const size_t size = (size_t)(mech->n + mech->m);
  take_columns(mech, arena, s);
  GRADYN_TRY(gradyn_mech_form(mech));
  /* if the Schur complement does not suit, the saddle-point matrix is the first kind */
  s->small = suits_schur(mech, most);
  s->rest = gradyn_arena_numbers(arena, size);
  s->sum = gradyn_arena_numbers(arena, size);
  GRADYN_TRY(gradyn_arena_status(arena));
  GRADYN_TRY(
      gradyn_saddle_create(&mech->dyn, part, &mech->jac, mech->m, GRADYN_BACKEND_AUTO, &s->saddle));
  if (s->small)
    GRADYN_TRY(gradyn_schur_create(&mech->dyn, &mech->jac, mech->m, &s->schur));
  return GRADYN_OK;
}

void gradyn_factors_clear(gradyn_factors *s)
{
  gradyn_schur_clear(&s->schur);
  gradyn_saddle_clear(&s->saddle);
  *s = (gradyn_factors){0};
}

gradyn_factors_kind gradyn_factors_begin(gradyn_factors *s, const double *M)
{
  /* pivots of an earlier run must have no effect */
  gradyn_linsys_reset(s->saddle.system);
  /* M has no inverse if there are massless points */
  return s->small && gradyn_schur_mass(&s->schur, M) == GRADYN_OK ? GRADYN_FACTORS_SCHUR
                                                                  : GRADYN_FACTORS_EXACT;
}

gradyn_status gradyn_factors_make(gradyn_factors *s, const gradyn_factors_parts *parts,
                                  gradyn_factors_kind first, gradyn_factors_kind last)
{
  s->parts = *parts;
  s->kind = first;
  /* if the system is singular, the next kind may succeed; values that are not finite fail for all kinds */
  gradyn_status status = of(s)->factor(s);
  while (status == GRADYN_SINGULAR && s->kind < last) {
    s->kind++;
    status = of(s)->factor(s);
  }
  return status;
}

gradyn_status gradyn_factors_choose(gradyn_factors *s, const gradyn_factors_parts *parts,
                                    gradyn_factors_kind first)
{
  const gradyn_factors_kind last = first < GRADYN_FACTORS_TREE ? GRADYN_FACTORS_SOFTENED
                                                               : GRADYN_FACTORS_TREE_SOFTENED;
  GRADYN_TRY(gradyn_factors_make(s, parts, first, last));
  /* nearly dependent rows may pass unnoticed by round-off: then use the next kind; the last kind never
   * reports them */
  while (gradyn_factors_dependent(s))
    GRADYN_TRY(gradyn_factors_make(s, parts, (gradyn_factors_kind)(s->kind + 1), last));
  return GRADYN_OK;
}

void gradyn_factors_invert(gradyn_factors *s)
{
  if (s->kind != GRADYN_FACTORS_SCHUR) /* for other kinds, an inverse is not faster than a solve */
    return;
  gradyn_schur_invert(&s->schur);
  s->kind = GRADYN_FACTORS_INVERTED;
}

bool gradyn_factors_clearly_independent(const gradyn_factors *s)
{
  /* pivot, which is the square of a singular value if rows have length one */
  static const double pivot = 0.1;
  return of(s)->tells && s->schur.least_pivot > pivot;
}
