/* Elimination of the states at segment boundaries by the continuity conditions. */
#include "tests/optim/segments/chained.h"

enum { MOST = 64, FUNCTIONALS = 20, ALL = FUNCTIONALS + CHAINED_ROWS };

static const bool all_used[FUNCTIONALS] = {true, true, true, true, true, true, true,
                                           true, true, true, true, true, true, true,
                                           true, true, true, true, true, true};

/* Solves A x = b for columns of b [n][columns] in place, by elimination with pivoting. */
static void solve_dense(size_t n, double *A, size_t columns, double *b)
{
  for (size_t c = 0; c < n; c++) {
    size_t best = c;
    for (size_t i = c; i < n; i++)
      best = fabs(A[i * n + c]) > fabs(A[best * n + c]) ? i : best;
    for (size_t j = 0; j < n; j++) {
      const double kept = A[c * n + j];
      A[c * n + j] = A[best * n + j];
      A[best * n + j] = kept;
    }
    for (size_t j = 0; j < columns; j++) {
      const double kept = b[c * columns + j];
      b[c * columns + j] = b[best * columns + j];
      b[best * columns + j] = kept;
    }
    for (size_t i = 0; i < n; i++) {
      const double share = i == c ? 0 : A[i * n + c] / A[c * n + c];
      for (size_t j = 0; j < n; j++)
        A[i * n + j] -= share * A[c * n + j];
      for (size_t j = 0; j < columns; j++)
        b[i * columns + j] -= share * b[c * columns + j];
    }
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < columns; j++)
      b[i * columns + j] /= A[i * n + i];
}

void chained_gradient(const gradyn_segments *s, const double *gradient, size_t first, size_t count,
                      double *total)
{
  const size_t columns = s->objective.parameter_count, n = (s->count - 1) * s->states, p = s->p;
  double *A = calloc(n * (n + p) + 1, sizeof *A), *b = A + n * n;
  assert_non_null(A);
  for (size_t i = 0; i < n; i++) {
    const double *row = gradient + (s->f + i) * columns;
    memcpy(A + i * n, row + p, n * sizeof *A);
    memcpy(b + i * p, row, p * sizeof *b);
  }
  solve_dense(n, A, p, b);
  for (size_t f = 0; f < count; f++)
    for (size_t j = 0; j < p; j++) {
      total[f * p + j] = gradient[(first + f) * columns + j];
      for (size_t l = 0; l < n; l++)
        total[f * p + j] -= gradient[(first + f) * columns + p + l] * b[l * p + j];
    }
  free(A);
}

void chained_evaluate(gradyn_segments *s, bool all, const double x[], double *psi, double *gradient)
{
  const size_t columns = s->objective.parameter_count,
               rows = s->objective.functional_count + s->held.count;
  const gradyn_entries *entries = s->objective.entries;
  FREED double *stored = calloc(entries->start[rows] + 1, sizeof *stored);
  assert_non_null(stored);
  assert_ok(s->objective.evaluate(s, all, x, psi, stored), s->message.text);
  memset(gradient, 0, rows * columns * sizeof *gradient);
  for (size_t i = 0; i < rows; i++)
    for (size_t k = entries->start[i]; k < entries->start[i + 1]; k++)
      gradient[i * columns + entries->column[k]] = stored[k];
}

void chained_compare(const run_setup *setup, long count, size_t states)
{
  chained_compare_for(setup, &(gradyn_search){.segments = count}, states);
}

void chained_compare_for(const run_setup *setup, const gradyn_search *search, size_t states)
{
  chained_compare_held(setup, search, states, NULL, 0);
}

/* Sets each initial state to the final state of the segment before. */
static void close_gaps(gradyn_segments *s, double *psi, double *gradient)
{
  const size_t unknowns = (s->count - 1) * s->states;
  for (size_t pass = 0; pass < 4 * s->count; pass++) {
    chained_evaluate(s, true, s->start, psi, gradient);
    for (size_t l = 0; l < unknowns; l++)
      s->start[s->p + l] += psi[s->f + l];
  }
  for (size_t l = 0; l < unknowns; l++)
    assert_close(psi[s->f + l], 0, 0, 1e-10);
}

/* Values and gradients of the undivided run; sampled path constraints follow the functionals. */
static void run_whole(gradyn_evaluator *ev, const gradyn_limit_at at[], size_t rows,
                      const double rho[], double *whole, double *slope)
{
  gradyn_limited *limited = NULL;
  if (rows > 0)
    assert_ok(gradyn_limited_create(ev, at, rows, &limited), "rows");
  gradyn_evaluator *run = rows > 0 ? gradyn_limited_evaluator(limited) : ev;
  assert_run(gradyn_evaluator_gradient(run, rho, whole, slope), run);
  gradyn_limited_free(limited);
}

void chained_compare_held(const run_setup *setup, const gradyn_search *search, size_t states,
                          const gradyn_limit_at at[], size_t rows)
{
  double rho[16];
  static double psi[MOST], gradient[MOST * MOST], whole[ALL], slope[16 * ALL], total[16 * ALL];
  gradyn_functional_info info[CHAINED_ROWS];
  gradyn_segments s;
  run_local *ev = run_open(setup);
  const size_t p = run_initial(ev, rho), f = gradyn_functional_count(ev);
  assert_true(f <= FUNCTIONALS && rows <= CHAINED_ROWS && p <= 16);
  assert_ok(gradyn_segments_create(ev, search, all_used, rho, &s), s.message.text);
  assert_int_equal(s.states, states);
  if (rows > 0)
    assert_ok(s.objective.hold(&s, at, rows, info), s.message.text);
  close_gaps(&s, psi, gradient);
  run_whole(ev, at, rows, rho, whole, slope);
  const size_t first = s.objective.functional_count;
  chained_gradient(&s, gradient, 0, f, total);
  chained_gradient(&s, gradient, first, rows, total + f * p);
  for (size_t i = 0; i < f + rows; i++) {
    if (i < f && rows > 0 && s.functionals[i].use == GRADYN_PATH_CONSTRAINT)
      continue; /* bounds have no value in an undivided run with sampled constraints */
    assert_close_array(psi + (i < f ? i : first + i - f), whole + i, 1, 1e-9, i < f ? 0 : 1e-10);
    assert_close_array(total + i * p, slope + i * p, p, 1e-7, 1e-8);
  }
  gradyn_segments_clear(&s);
}

size_t chained_rows(const run_setup *setup, size_t side, gradyn_limit_at row[])
{
  static const double share[] = {0, 0.29, 0.5, 0.77, 1};
  double rho[16], psi[16];
  size_t rows = 0;
  run_local *ev = run_open(setup);
  const size_t events = (run_initial(ev, rho), gradyn_evaluator_simulate(ev, rho, psi, NULL)) ==
                                GRADYN_OK
                            ? gradyn_evaluator_statistics(ev).events
                            : 0;
  assert_true(events > 0 && 2 * events + 5 <= CHAINED_ROWS);
  for (size_t i = 0; i < events; i++)
    for (int behind = 0; behind < 2; behind++) {
      const gradyn_event_record *at = &ev->model->log.record[i];
      row[rows++] = (gradyn_limit_at){.side = side,
                                      .share = at->t / ev->model->x[ev->model->t_end],
                                      .event = at->event,
                                      .which = at->occurrence,
                                      .behind = behind};
    }
  for (size_t i = 0; i < 5; i++)
    row[rows++] = (gradyn_limit_at){.side = side, .share = share[i]};
  return rows;
}

void chained_slopes(gradyn_segments *s, double x[], size_t first, size_t behind, chained_step step,
                    const gradyn_functional_info info[], size_t rows)
{
  static const double share[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  static double psi[MOST], gradient[MOST * MOST], by[4][MOST];
  const size_t columns = s->objective.parameter_count, f = s->objective.functional_count;
  assert_true(columns <= MOST && f + rows <= MOST);
  chained_evaluate(s, true, x, psi, gradient);
  for (size_t j = first; j < behind; j++) {
    const double middle = x[j];
    for (int k = 0; k < 4; k++) {
      x[j] = middle + share[k] * step.h;
      assert_ok(s->objective.evaluate(s, true, x, by[k], NULL), s->message.text);
    }
    x[j] = middle;
    for (size_t i = 0; i < f + rows; i++) {
      double slope = 0;
      for (int k = 0; k < 4; k++)
        slope += weight[k] * by[k][i] / (12 * step.h);
      if (!(fabs(gradient[i * columns + j] - slope) <= step.rtol * fabs(slope) + step.atol))
        fail_msg("%s by %s: %.12g, by differences %.12g",
                 i < f ? s->functionals[i].name : info[i - f].name, s->parameters[j].name,
                 gradient[i * columns + j], slope);
    }
  }
}

void chained_differ(const run_setup *setup, const gradyn_search *search, const gradyn_limit_at at[],
                    size_t rows)
{
  double x[MOST];
  gradyn_functional_info info[CHAINED_ROWS];
  LOCAL(gradyn_segments) s;
  run_local *ev = run_open(setup);
  assert_true(run_initial(ev, x) <= 16);
  assert_ok(gradyn_segments_create(ev, search, all_used, x, &s), s.message.text);
  if (rows > 0)
    assert_ok(s.objective.hold(&s, at, rows, info), s.message.text);
  for (size_t j = 0; j < s.objective.parameter_count; j++)
    x[j] = s.start[j] + 2e-3 * cos(3.0 * (double)j);
  chained_slopes(&s, x, 0, s.p + (s.count - 1) * s.states, (chained_step){2e-4, 1e-6, 1e-6}, info,
                 rows);
}
