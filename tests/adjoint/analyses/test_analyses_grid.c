/* Regulators, covariances, saltation and transition matrices across bounces and changes of constraints, by
 * all methods that support events. The reference is an independent integration in other coordinates. An
 * analysis may select other coordinates, so disturbances are compared in the tangent space of the
 * constraints. */
#include "tests/runs.h"
#include "tests/adjoint/analyses/grid_reference.h"

enum { N = GRID_STATES, M = GRID_INPUTS };

static const char *const names[N] = {"ball.x", "ball.y", "ball.vx", "ball.vy"};
static const char *const rates[N] = {"ball.x", "ball.y", "ball.x'", "ball.y'"};
static const char *const inputs[M] = {"ux", "uy"};

/* Methods with their steps, and the accepted error relative to the largest entry of a matrix. */
static const struct {
  const char *name;
  double step, share;
} methods[] = {{"idas", 0, 3e-9},
               {"explicit", 0, 1e-9},
               {"radau", 0, 3e-9},
               {"ali3p", 2e-3, 1e-4},
               {"variational", 2e-3, 1e-4}};
enum { METHODS = 5 };

typedef struct cell {
  const grid_case *c;
  const grid_reference *r;
  gradyn_evaluator *ev;
  const char *method;
  double share;
} cell;

/* Compares matrices [rows][columns] entry by entry; errors are relative to the largest entry. */
static void compare(const cell *s, const char *what, const double *found, const double *expected,
                    int count)
{
  double size = 1e-3;
  for (int i = 0; i < count; i++)
    size = fmax(size, fabs(expected[i]));
  for (int i = 0; i < count; i++)
    if (!(fabs(found[i] - expected[i]) <= s->share * size))
      fail_msg("%s, %s, %s: entry %d is %.12g, not %.12g", s->c->name, s->method, what, i, found[i],
               expected[i]);
}

static int find(const char *const *all, const char *name)
{
  for (int i = 0; i < N; i++)
    if (strcmp(all[i], name) == 0)
      return i;
  fail_msg("'%s' is no state of the ball", name);
  return -1;
}

/* --- the analyses --------------------------------------------------------------------------------- */

static const grid_node *sample(const cell *s, int number)
{
  for (int k = 0; k < s->r->count; k++)
    if (s->r->node[k].sample == number)
      return &s->r->node[k];
  return NULL;
}

/* T^T P T and K T of a row, where the columns of T are the tangents of the constraints. */
static void compare_row(const cell *s, const gradyn_regulator *found, size_t row)
{
  const grid_node *node = sample(s, (int)row);
  double T[N][N], P[2][N * N] = {{0}}, K[2][M * N] = {{0}};
  const int count = grid_tangents(s->c->mode[node->arc], node->z, T);
  const double *cost = found->cost + row * found->states * found->states;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      for (size_t a = 0; a < found->states; a++)
        for (size_t b = 0; b < found->states; b++)
          P[0][i * N + j] += T[i][find(names, found->state[a])] * cost[a * found->states + b] *
                             T[j][find(names, found->state[b])];
      for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++)
          P[1][i * N + j] += T[i][a] * node->P[a][b] * T[j][b];
    }
  for (int l = 0; l < M; l++)
    for (int j = 0; j < count; j++) {
      for (size_t a = 0; a < found->states; a++)
        K[0][l * N + j] += found->gain[(row * M + (size_t)l) * found->states + a] *
                           T[j][find(names, found->state[a])];
      for (int a = 0; a < N; a++)
        K[1][l * N + j] += node->K[l][a] * T[j][a];
    }
  compare(s, "cost-to-go", P[0], P[1], N * N);
  compare(s, "gains", K[0], K[1], M * N);
}

static void check_regulator(const cell *s)
{
  double Q[N * N] = {0}, Qf[N * N] = {0}, R[M * M] = {0};
  for (int i = 0; i < N; i++) {
    Q[i * N + i] = grid_Q[i];
    Qf[i * N + i] = grid_Qf[i];
    R[i % M * (M + 1)] = grid_R[i % M];
  }
  /* the state is named in coordinates of the free ball, in whichever mode the run begins */
  const gradyn_regulator_spec spec = {{names, N, Q}, {names, N, Qf}, {inputs, M, R}, names, 2,
                                      GRID_SAMPLES};
  LOCAL(gradyn_regulator) found;
  assert_run(gradyn_regulator_compute(s->ev, s->c->start, &spec, &found), s->ev);
  assert_int_equal(found.rows, GRID_SAMPLES);
  for (size_t row = 0; row < found.rows; row++)
    compare_row(s, &found, row);
}

/* Sigma = Y C Y^T, where C correlates the initial values. */
static void check_covariance(const cell *s)
{
  static const char *const sources[N] = {"x", "y", "vx", "vy"};
  const double C[N * N] = {0.0025, 0.001, 0,    0,     0.001, 0.0025, 0,     0,
                           0,      0,     0.01, 0.002, 0,     0,      0.002, 0.01};
  const gradyn_covariance_spec spec = {sources, N, C, GRID_SAMPLES};
  LOCAL(gradyn_covariance) found;
  assert_run(gradyn_covariance_compute(s->ev, s->c->start, &spec, NULL, NULL, &found), s->ev);
  assert_int_equal(found.rows, GRID_SAMPLES);
  for (size_t row = 0; row < found.rows; row++) {
    const grid_node *node = sample(s, (int)row);
    double S[2][N * N] = {{0}}, Y[N][N] = {{0}};
    for (int at = 0; at < N * N * N; at++)
      Y[at % N][at / N % N] += node->Y[at % N][at / N / N] * s->r->start[at / N / N][at / N % N];
    for (int at = 0; at < N * N * N * N; at++) {
      const int i = at % N, j = at / N % N, a = at / N / N % N, b = at / N / N / N;
      S[1][i * N + j] += Y[i][a] * C[a * N + b] * Y[j][b];
    }
    for (size_t i = 0; i < found.states; i++)
      for (size_t j = 0; j < found.states; j++)
        if (strncmp(found.name[i], "ball.", 5) == 0 && strncmp(found.name[j], "ball.", 5) == 0)
          S[0][find(names, found.name[i]) * N + find(names, found.name[j])] =
              gradyn_covariance_entry(&found, row, i, j);
    compare(s, "covariance", S[0], S[1], N * N);
  }
}

/* The saltation matrix and the reference Xi must map each tangent before the event to the same vector. */
static void check_saltation(const cell *s)
{
  LOCAL(gradyn_saltations) found;
  assert_run(gradyn_saltations_compute(s->ev, s->c->start, names, 2, &found), s->ev);
  assert_int_equal(found.count, s->c->events);
  for (int k = 0; k < s->c->events; k++) {
    const gradyn_saltation *item = &found.item[k];
    const grid_node *node = &s->r->node[s->r->before[k]];
    const size_t columns = item->before.positions + item->before.rates;
    double T[N][N], D[2][N * N] = {{0}};
    const int count = grid_tangents(s->c->mode[k], node->z, T);
    compare(s, "time of event", &item->event.t, &s->r->tau[k], 1);
    assert_int_equal(columns, count);
    for (size_t i = 0; i < item->after.positions + item->after.rates; i++) {
      const int row = find(rates, item->after.name[i]);
      for (int j = 0; j < count; j++) {
        for (size_t a = 0; a < columns; a++)
          D[0][row * N + j] += item->matrix[i * columns + a] *
                               T[j][find(rates, item->before.name[a])];
        for (int a = 0; a < N; a++)
          D[1][row * N + j] += s->r->Xi[k][row][a] * T[j][a];
      }
    }
    compare(s, "saltation", D[0], D[1], N * N);
  }
}

/* Compares the transition matrix from start to end, for runs that start and end in modes with the same
 * states. Steps of the method have no influence on the accuracy. */
static void check_transition(const cell *own)
{
  cell exact = *own;
  const cell *s = &exact;
  exact.share = 1e-9;
  LOCAL(gradyn_transition) found;
  gradyn_status status = gradyn_transition_compute(s->ev, s->c->start, names, 2, &found);
  if (s->c->mode[0] == s->c->mode[s->c->events]) {
    assert_run(status, s->ev);
    assert_int_equal(found.size, N);
    for (int i = 0; i < N; i++)
      assert_string_equal(found.name[i], names[i]);
    compare(s, "transition", found.matrix, s->r->node[s->r->count - 1].Y[0], N * N);
  } else {
    assert_status(status, GRADYN_INVALID, gradyn_evaluator_message(s->ev));
  }
}

/* --- the grid ------------------------------------------------------------------------------------- */

static void run(int analysis)
{
  static void (*const check[])(const cell *) = {check_regulator, check_covariance, check_saltation,
                                                check_transition};
  for (int k = 0; k < GRID_CASES; k++) {
    grid_reference r;
    grid_integrate(&grid_cases[k], &r);
    for (int m = 0; m < METHODS; m++) {
      if (!support_takes(k + m + analysis, 3))
        continue;
      cell s = {&grid_cases[k], &r, NULL, methods[m].name, methods[m].share};
      s.ev = run_with(&grid_problem, .method = methods[m].name, .step = methods[m].step,
                      .setting = "case", .value = k);
      check[analysis](&s);
      gradyn_evaluator_free(s.ev);
    }
  }
}

TEST(regulators)
{
  run(0);
}

TEST(covariances)
{
  run(1);
}

TEST(saltations)
{
  run(2);
}

TEST(transitions)
{
  run(3);
}
