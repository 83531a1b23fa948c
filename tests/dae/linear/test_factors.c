/* Solutions for lanes of right-hand sides, with every kind of factors. With five to eight columns, entries
 * have two lanes, and every column equals its single solution. Multipliers of redundant constraints are
 * those of smallest norm. */
#include "adjoint/evaluator/evaluator.h"
#include "dae/linear/projection.h"
#include "dae/start/initial.h"
#include "problems/builtin.h"
#include "tests/runs.h"

enum { MOST = 128 };

static const struct factors_case {
  const gradyn_problem *problem;
  int links; /* 0: it has none */
  gradyn_factors_kind kind;
} factors_cases[] = {{&gradyn_problem_five_bar, 0, GRADYN_FACTORS_SCHUR},
                     {&gradyn_problem_chain, 7, GRADYN_FACTORS_SCHUR},
                     {&gradyn_problem_chain, 11, GRADYN_FACTORS_EXACT}, /* in full, then sparse */
                     {&gradyn_problem_chain, 24, GRADYN_FACTORS_EXACT},
                     {&gradyn_problem_parallel_bars, 0, GRADYN_FACTORS_SOFTENED}};

static double some_number(int i, int column)
{
  return sin(1.7 * i + 0.9 * column + 1);
}

/* Column k of right-hand sides that are consistent for dependent rows: rates are J w. */
static void right_hand_side(const gradyn_projection *s, int k, bool rates, double *b)
{
  const int n = s->mech->n, m = s->mech->m;
  double w[MOST];
  for (int i = 0; i < n; i++) {
    b[i] = some_number(i, k);
    w[i] = some_number(i + n, k);
  }
  memset(b + n, 0, (size_t)m * sizeof *b);
  if (rates)
    gradyn_pattern_multiply(&s->mech->jac, m, s->J, 1, w, b + n);
}

static void compare_columns(gradyn_projection *s, int columns, bool rates, bool minus)
{
  static gradyn_lanes b[2 * MOST], x[2 * MOST];
  const int n = s->mech->n, size = n + s->mech->m;
  const int width = columns > GRADYN_LANES ? 2 * GRADYN_LANES : GRADYN_LANES;
  double alone[MOST], column[MOST];
  assert_in_range(size, 1, MOST);
  for (int k = 0; k < width; k++) {
    right_hand_side(s, k, rates, alone);
    for (int i = 0; i < size; i++) /* entries in place of rates must not be read */
      ((double *)b)[i * width + k] = i < n || rates ? alone[i] : (double)NAN;
  }
  const unsigned sign = minus ? GRADYN_SOLVE_MINUS : 0U;
  gradyn_projection_solve_lanes(s, columns, (rates ? GRADYN_SOLVE_RATES : 0U) | sign, b, x);
  for (int k = 0; k < columns; k++) {
    right_hand_side(s, k, rates, alone);
    gradyn_projection_solve(s, alone, 1);
    for (int i = 0; i < size; i++)
      column[i] = (minus ? -1 : 1) * ((const double *)x)[i * width + k];
    assert_close_array(column, alone, size, 1e-11, 1e-11);
  }
}

TEST(columns_are_those_alone)
{
  for (size_t c = 0; c < GRADYN_COUNT(factors_cases); c++) {
    const struct factors_case *which = &factors_cases[c];
    const gradyn_setting_choice links = {"links", which->links};
    LOCAL(gradyn_initial) initial;
    LOCAL(gradyn_projection) s;
    run_local *ev = run_with(which->problem, .settings = &links, .setting_count = which->links > 0);
    gradyn_mech *mech = ev->model->mech;
    assert_ok(gradyn_initial_create(mech, GRADYN_ASSEMBLY, &initial), "");
    assert_ok(gradyn_initial_solve(&initial), mech->message->text);
    assert_ok(gradyn_projection_create(mech, &s), "");
    const gradyn_mech_state at = {
        .t = 0, .q = initial.q, .v = initial.v, .a = initial.a, .lam = initial.lam};
    assert_ok(gradyn_projection_begin(&s, &at), mech->message->text);
    assert_int_equal(s.kind, which->kind);
    for (int columns = 1; columns <= GRADYN_MECH_COLUMNS; columns++)
      for (int rates = 0; rates < 2; rates++)
        for (int minus = 0; minus < 2; minus++)
          compare_columns(&s, columns, rates, minus);
  }
}
