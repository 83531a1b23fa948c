/* Gradients of many functionals with respect to many parameters. Batches process four at a time. Each
 * derivative must equal that of a model with this functional and parameter alone, and differences of runs. */
#include "adjoint/evaluator/evaluator.h"
#include "tests/adjoint/gradient/columns.h"
#include "tests/adjoint/compare.h"
#include "tests/runs.h"

/* Tolerances relative to a functional's largest derivative: of batches against single derivatives, and of
 * gradients against differences. Fixed steps do not depend on the requested derivatives. */
typedef struct run {
  columns_model model;
  columns_scheme scheme;
  /* change: step of the differences, so small that no event passes the end of a fixed step; 0: compare with
   * explicit */
  double alone, differ, change;
} run;

static const run runs[] = {{COLUMNS_SWING, {"explicit", 0.035, 8, 0}, 1e-12, 1e-8, 2e-3},
                           {COLUMNS_SWING, {"explicit", 0.035, 5, 0}, 1e-12, 1e-8, 2e-3},
                           {COLUMNS_SWING, {"explicit", 0, 8, 1e-9}, 1e-8, 1e-7, 2e-3},
                           {COLUMNS_SWING, {"ali3p", 0.035, 0, 0}, 1e-12, 1e-7, 2e-3},
                           {COLUMNS_SWING, {"variational", 0.035, 0, 0}, 1e-12, 1e-7, 2e-3},
                           {COLUMNS_SWING, {"idas", 0, 0, 1e-6}, 1e-5, 1e-5, 0},
                           {COLUMNS_BOUNCE, {"explicit", 0.035, 8, 0}, 1e-11, 1e-6, 3e-6},
                           {COLUMNS_BOUNCE, {"explicit", 0, 8, 1e-9}, 1e-8, 1e-6, 2e-3},
                           {COLUMNS_BOUNCE, {"ali3p", 0.035, 0, 0}, 1e-11, 1e-6, 3e-6},
                           {COLUMNS_BOUNCE, {"variational", 0.035, 0, 0}, 1e-11, 1e-6, 3e-6},
                           {COLUMNS_BOUNCE, {"idas", 0, 0, 1e-7}, 1e-5, 1e-5, 0},
                           {COLUMNS_EQUATIONS, {"explicit", 0.035, 8, 0}, 1e-12, 1e-8, 2e-3},
                           {COLUMNS_EQUATIONS, {"explicit", 0, 5, 1e-9}, 1e-8, 1e-7, 2e-3},
                           {COLUMNS_EQUATIONS, {"idas", 0, 0, 1e-8}, 1e-6, 1e-6, 0}};

static const int counts[] = {1, 4, 5, 9};
static const double ones[COLUMNS_MOST] = {1, 1, 1, 1, 1, 1, 1, 1, 1};

static void ask(const run *r, columns_part part, const char *sensitivity, double psi[],
                double gradient[])
{
  run_local *ev = columns_open(r->model, part, &r->scheme, sensitivity);
  assert_run(gradyn_evaluator_gradient(ev, ones, psi, gradient), ev);
}

/* Number of parameters of each functional that are requested alone. */
enum { PAIRS = 3 };
static int parameter_of(int f, int pair)
{
  return (f + 2 + 3 * pair) % COLUMNS_MOST; /* the first functional includes the last parameter */
}

typedef struct alone {
  double psi[COLUMNS_MOST], slope[COLUMNS_MOST][PAIRS];
} alone;

/* Evaluates one functional and one parameter at a time. */
static void ask_one_by_one(const run *r, alone *out)
{
  for (int f = 0; f < COLUMNS_MOST; f++)
    for (int k = 0; k < PAIRS; k++)
      ask(r, (columns_part){f, 1, parameter_of(f, k), 1, 0, 0}, (f + k) % 2 ? "direct" : "adjoint",
          &out->psi[f], &out->slope[f][k]);
}

static void compare_part(const run *r, columns_part part, const char *sensitivity,
                         const alone *expected)
{
  double psi[COLUMNS_MOST], gradient[COLUMNS_MOST][COLUMNS_MOST];
  ask(r, part, sensitivity, psi, gradient[0]);
  for (int i = 0; i < part.functionals; i++) {
    const int f = part.functional + i;
    const double *row = gradient[0] + i * part.parameters;
    const double most = largest_of(expected->slope[f], PAIRS);
    assert_close(psi[i], expected->psi[f], r->alone, r->alone);
    for (int k = 0; k < PAIRS; k++) {
      const int j = parameter_of(f, k) - part.parameter;
      if (j >= 0 && j < part.parameters)
        assert_close(row[j], expected->slope[f][k], 0, r->alone * most);
    }
  }
}

THOROUGH_TEST(many_columns_are_those_alone)
{
  alone expected;
  for (size_t i = 0; i < GRADYN_COUNT(runs); i++) {
    if (!support_takes((int)i + 1, 2))
      continue;
    print_message("model %d, %s, step %g\n", (int)runs[i].model, runs[i].scheme.method,
                  runs[i].scheme.step);
    ask_one_by_one(&runs[i], &expected);
    for (size_t nf = 0; nf < GRADYN_COUNT(counts); nf++)
      for (size_t np = 0; np < GRADYN_COUNT(counts); np++) {
        /* requests for the last functionals and parameters, including the end time and the second impact */
        const columns_part part = {
            COLUMNS_MOST - counts[nf], counts[nf], COLUMNS_MOST - counts[np], counts[np], 0, 0};
        if (runs[i].change == 0 && nf != np) /* idas takes its time */
          continue;
        if (support_takes((int)(i + nf + np), 4))
          compare_part(&runs[i], part, "direct", &expected);
        if (support_takes((int)(i + nf + np) + 2, 4))
          compare_part(&runs[i], part, "adjoint", &expected);
      }
  }
}

/* If some functionals are left out, the results of the others must not change, in any lane. */
TEST(some_functionals_are_those_of_all)
{
  static const char *const ways[] = {"direct", "adjoint"};
  static const int masks[] = {0x100, 0x155, 0x0f0, 0x1e1, 0x002};
  const columns_part all = {0, COLUMNS_MOST, 0, COLUMNS_MOST, 0, 0};
  for (size_t k = 0; k < 2 * GRADYN_COUNT(runs); k++) {
    const run *r = &runs[k / 2];
    double psi[COLUMNS_MOST], whole[COLUMNS_MOST][COLUMNS_MOST], some[COLUMNS_MOST][COLUMNS_MOST];
    if (r->scheme.step == 0 ||
        !support_takes((int)(k + k / 2), 2)) /* where functionals choose steps */
      continue;
    run_local *ev = columns_open(r->model, all, &r->scheme, ways[k % 2]);
    assert_run(gradyn_evaluator_gradient(ev, ones, psi, whole[0]), ev);
    for (size_t m = 0; m < GRADYN_COUNT(masks); m++) {
      bool wanted[COLUMNS_MOST];
      for (int f = 0; f < COLUMNS_MOST; f++)
        wanted[f] = masks[m] >> f & 1;
      assert_run(gradyn_evaluator_gradient_selected(ev, wanted, ones, psi, some[0]), ev);
      for (int f = 0; f < COLUMNS_MOST; f++)
        if (wanted[f])
          assert_close_array(some[f], whole[f], COLUMNS_MOST, 1e-12, 1e-12);
    }
  }
}

/* Compares all derivatives with the explicit method with error control, relative to the largest of each
 * functional. */
static void compare_with_explicit(const run *r)
{
  static const columns_part all = {0, COLUMNS_MOST, 0, COLUMNS_MOST, 0, 0};
  const run exact = {r->model, {"explicit", 0, 8, 1e-11}, 0, 0, 0};
  double psi[2][COLUMNS_MOST], gradient[2][COLUMNS_MOST][COLUMNS_MOST];
  ask(r, all, "direct", psi[0], gradient[0][0]);
  ask(&exact, all, "direct", psi[1], gradient[1][0]);
  assert_close_rows(gradient[0][0], gradient[1][0], COLUMNS_MOST, COLUMNS_MOST, r->differ);
}

TEST(gradients_are_differences_of_runs)
{
  double atol[COLUMNS_MOST];
  for (size_t i = 0; i < GRADYN_COUNT(runs); i++) {
    const run *r = &runs[i];
    const columns_part all = {0, COLUMNS_MOST, 0, COLUMNS_MOST, 0, 0};
    print_message("model %d, %s, step %g\n", (int)r->model, r->scheme.method, r->scheme.step);
    if (!support_takes((int)i, 2))
      continue;
    if (r->change == 0) {
      compare_with_explicit(r);
      continue;
    }
    run_local *ev = columns_open(r->model, all, &r->scheme, "adjoint");
    for (int f = 0; f < COLUMNS_MOST; f++)
      atol[f] = r->differ;
    compare_with_differences(ev, ones,
                             &(compare_allowed){r->change, .rtol = r->differ, .atol = atol});
  }
}
