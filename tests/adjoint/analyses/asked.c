/* Analyses of a mass on a spring before a wall: see asked.h. */
#include "tests/adjoint/analyses/asked.h"

#include <complex.h>

enum { STATE = 2 };

static void put(answer *a, double number, double expected)
{
  assert_true(a->count < ASKED_MOST);
  a->number[a->count] = number;
  a->expected[a->count++] = expected;
}

static void put_all(answer *a, const double *number, const double *expected, size_t count)
{
  for (size_t i = 0; i < count; i++)
    put(a, number[i], expected[i]);
}

question asked_at(const gradyn_problem *problem, const double *rho)
{
  question q = {.problem = problem,
                .wall = problem == &wall_equations || problem == &wall_mechanism,
                .mechanism = problem == &wall_mechanism || problem == &wall_smooth_mechanism,
                .rho = rho};
  q.functionals = q.wall ? WALL_FUNCTIONALS : WALL_PLAIN;
  support_complex_step(q.wall ? wall_functionals : wall_smooth_functionals, rho, WALL_PARAMETERS,
                       (int)q.functionals, q.psi, q.slope);
  return q;
}

/* State at t and its derivatives [STATE][parameters]. */
static double at_time;
static void with_wall(const double _Complex p[], double _Complex state[])
{
  wall_state(p, at_time, true, state);
}

static void without_wall(const double _Complex p[], double _Complex state[])
{
  wall_state(p, at_time, false, state);
}

static void state_of(const question *q, double t, double state[STATE], double slope[])
{
  at_time = t;
  support_complex_step(q->wall ? with_wall : without_wall, q->rho, WALL_PARAMETERS, STATE, state,
                       slope);
}

/* Weights of functionals for analyses of one sum. */
static double weight_of(size_t f)
{
  return sin(1 + 1.7 * (double)f);
}

/* Finds the indices of x and v among the named states. */
static void find_states(const question *q, char (*name)[64], size_t count, size_t at[STATE])
{
  static const char *const of_equations[] = {"x", "v"}, *const of_mechanism[] = {"mass.x",
                                                                                 "mass.vx"};
  for (int i = 0; i < STATE; i++) {
    const char *wanted = q->mechanism ? of_mechanism[i] : of_equations[i];
    for (at[i] = 0; at[i] < count && strcmp(name[at[i]], wanted) != 0;)
      at[i]++;
    assert_true(at[i] < count);
  }
}

/* --- analyses ----------------------------------------------------------------------------------- */

static gradyn_status ask_values(gradyn_evaluator *ev, const question *q, answer *a)
{
  double psi[WALL_FUNCTIONALS];
  const gradyn_status status = gradyn_evaluator_simulate(ev, q->rho, psi, NULL);
  put_all(a, psi, q->psi, q->functionals);
  return status;
}

static gradyn_status ask_gradient(gradyn_evaluator *ev, const question *q, answer *a)
{
  double psi[WALL_FUNCTIONALS], gradient[WALL_FUNCTIONALS * WALL_PARAMETERS];
  const gradyn_status status = gradyn_evaluator_gradient(ev, q->rho, psi, gradient);
  put_all(a, psi, q->psi, q->functionals);
  put_all(a, gradient, q->slope, q->functionals * WALL_PARAMETERS);
  return status;
}

/* All parameters are independent and have standard deviation 1, so the covariance of two results is the
 * scalar product of their gradients. */
static gradyn_status ask_covariance(gradyn_evaluator *ev, const question *q, answer *a)
{
  static const char *const name[] = {"x", "v", "k", "e", "T"};
  double C[WALL_PARAMETERS * WALL_PARAMETERS] = {0}, psi[WALL_FUNCTIONALS];
  double state[STATE], slope[STATE * WALL_PARAMETERS];
  size_t at[STATE];
  for (int j = 0; j < WALL_PARAMETERS; j++)
    C[j * WALL_PARAMETERS + j] = 1;
  const gradyn_covariance_spec spec = {
      .name = name, .count = WALL_PARAMETERS, .matrix = C, .samples = 1};
  LOCAL(gradyn_covariance) found = {0};
  GRADYN_TRY(gradyn_covariance_compute(ev, q->rho, &spec, psi, NULL, &found));
  put_all(a, psi, q->psi, q->functionals);
  for (size_t f = 0; f < q->functionals; f++) {
    double sum = 0;
    for (int j = 0; j < WALL_PARAMETERS; j++)
      sum += q->slope[f * WALL_PARAMETERS + (size_t)j] * q->slope[f * WALL_PARAMETERS + (size_t)j];
    put(a, found.deviation[f], sqrt(sum));
  }
  state_of(q, q->rho[WALL_T], state, slope);
  find_states(q, found.name, found.states, at);
  /* compared at a time inside the run: at the end time, T also changes the state */
  for (int i = 0; i < STATE; i++) {
    double sum = 0;
    for (int j = 0; j < WALL_PARAMETERS; j++)
      sum += slope[i * WALL_PARAMETERS + j] * slope[i * WALL_PARAMETERS + j];
    put(a, gradyn_covariance_entry(&found, 0, at[i], at[i]), sum);
  }
  return GRADYN_OK;
}

/* Sensitivities of the states at a time before the impact and at one after it. */
static gradyn_status ask_sensitivities(gradyn_evaluator *ev, const question *q, answer *a)
{
  static const double t[] = {0.3, 1.5};
  const size_t states = (size_t)ev->model->ops->state_count(ev->model);
  const size_t of[STATE] = {0, q->mechanism ? 2 : 1};
  double y[2 * 16], dy[2 * 16 * WALL_PARAMETERS], state[STATE], slope[STATE * WALL_PARAMETERS];
  GRADYN_TRY(gradyn_sensitivities_compute(ev, q->rho, t, 2, y, dy));
  for (size_t k = 0; k < 2; k++) {
    state_of(q, t[k], state, slope);
    for (size_t i = 0; i < STATE; i++) {
      put(a, y[k * states + of[i]], state[i]);
      put_all(a, dy + (k * states + of[i]) * WALL_PARAMETERS, slope + i * WALL_PARAMETERS,
              WALL_PARAMETERS);
    }
  }
  return GRADYN_OK;
}

/* Costates at the start are the derivatives of the functionals with respect to the initial state. The first
 * two parameters are the initial state; functionals that are evaluated at the start itself are left out. */
static gradyn_status ask_costates(gradyn_evaluator *ev, const question *q, answer *a)
{
  double weight[WALL_FUNCTIONALS], sum[STATE] = {0};
  size_t at[STATE];
  LOCAL(gradyn_costates) found = {0};
  for (size_t f = 0; f < q->functionals; f++) {
    weight[f] = f == WALL_AT_START ? 0 : weight_of(f);
    for (size_t i = 0; i < STATE; i++)
      sum[i] += weight[f] * q->slope[f * WALL_PARAMETERS + i];
  }
  GRADYN_TRY(gradyn_costates_compute(ev, weight, q->rho, &found));
  find_states(q, found.name, found.states, at);
  for (int i = 0; i < STATE; i++)
    put(a, found.costate[at[i]], sum[i]);
  return GRADYN_OK;
}

static gradyn_status ask_transition(gradyn_evaluator *ev, const question *q, answer *a)
{
  double state[STATE], slope[STATE * WALL_PARAMETERS];
  size_t at[STATE];
  LOCAL(gradyn_transition) found = {0};
  GRADYN_TRY(gradyn_transition_compute(ev, q->rho, NULL, 0, &found));
  find_states(q, found.name, found.size, at);
  state_of(q, q->rho[WALL_T], state, slope);
  for (int i = 0; i < STATE; i++) {
    put(a, found.end[at[i]], state[i]);
    for (int j = 0; j < STATE; j++)
      put(a, found.matrix[at[i] * found.size + at[j]], slope[i * WALL_PARAMETERS + j]);
  }
  return GRADYN_OK;
}

/* No force acts on the mass at the wall, so the saltation matrix reverses both x and v. */
static gradyn_status ask_saltation(gradyn_evaluator *ev, const question *q, answer *a)
{
  static const char *const wanted[] = {"mass.x"};
  LOCAL(gradyn_saltations) found = {0};
  if (!q->mechanism)
    return GRADYN_UNSUPPORTED;
  GRADYN_TRY(gradyn_saltations_compute(ev, q->rho, wanted, 1, &found));
  assert_int_equal(found.count, q->wall);
  for (size_t i = 0; i < 4 && q->wall; i++)
    for (size_t j = 0; j < 4; j++) /* of x, y, x', y' */
      put(a, found.item[0].matrix[4 * i + j], i != j ? 0 : i % 2 ? 1 : -q->rho[WALL_E]);
  return GRADYN_OK;
}

/* R(t) of the spring. */
static void turn(const question *q, double t, double R[2][2])
{
  const double w = sqrt(q->rho[WALL_K]);
  R[0][0] = R[1][1] = cos(w * t);
  R[0][1] = sin(w * t) / w;
  R[1][0] = -w * sin(w * t);
}

/* P(0) = Phi^T (Qf^-1 + W)^-1 Phi, if only the final state has weights, Qf = 1, and the push has the weight
 * R = 1. W is the integral of b b^T, where b is the change of the final state by a unit push at time s. */
static void cost_to_go(const question *q, double P[2][2])
{
  enum { PARTS = 20000 };
  const double T = q->rho[WALL_T], hit = q->wall ? q->psi[WALL_INSTANT] : HUGE_VAL;
  double R[2][2], state[STATE], Phi[STATE * WALL_PARAMETERS], W[2][2] = {{1, 0}, {0, 1}};
  for (int i = 0; i < PARTS;
       i++) { /* midpoints of pieces of the run; the impact is a boundary of pieces */
    const double edge = q->wall ? hit / T : 0.5, s = (i + 0.5) / PARTS;
    const double t = s < 0.5 ? 2 * s * edge * T : (edge + (2 * s - 1) * (1 - edge)) * T;
    const double h = (s < 0.5 ? edge : 1 - edge) * 2 * T / PARTS;
    const double passed = t < hit && q->wall ? -q->rho[WALL_E] : 1;
    turn(q, T - t, R);
    for (int k = 0; k < 2; k++)
      for (int l = 0; l < 2; l++)
        W[k][l] += h * passed * passed * R[k][1] * R[l][1];
  }
  const double det = W[0][0] * W[1][1] - W[0][1] * W[1][0];
  const double inverse[2][2] = {{W[1][1] / det, -W[0][1] / det}, {-W[1][0] / det, W[0][0] / det}};
  state_of(q, T, state, Phi);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      P[i][j] = 0;
      for (int k = 0; k < 2; k++)
        for (int l = 0; l < 2; l++)
          P[i][j] += Phi[k * WALL_PARAMETERS + i] * inverse[k][l] * Phi[l * WALL_PARAMETERS + j];
    }
}

static gradyn_status ask_regulator(gradyn_evaluator *ev, const question *q, answer *a)
{
  static const char *const of_equations[] = {"x", "v"}, *const of_mechanism[] = {"mass.x",
                                                                                 "mass.vx"};
  static const char *const input[] = {"push"}, *const wanted[] = {"mass.x"};
  static const double one[] = {1, 0, 0, 1};
  double P[2][2];
  size_t at[STATE];
  const gradyn_regulator_spec spec = {
      .final = {q->mechanism ? of_mechanism : of_equations, STATE, one},
      .input = {input, 1, one},
      .preferred_coordinates = wanted,
      .preferred_count = q->mechanism,
      .samples = 2};
  LOCAL(gradyn_regulator) found = {0};
  GRADYN_TRY(gradyn_regulator_compute(ev, q->rho, &spec, &found));
  find_states(q, found.state, found.states, at);
  cost_to_go(q, P);
  for (int i = 0; i < STATE; i++) {
    for (int j = 0; j < STATE; j++)
      put(a, found.cost[at[i] * found.states + at[j]], P[i][j]);
    put(a, found.gain[at[i]], P[1][i]);
  }
  return GRADYN_OK;
}

/* Derivative of the weighted sum along d, at rho + h d. */
static void sum_slope(const question *q, const double d[], double h, double slope[])
{
  double moved[WALL_PARAMETERS];
  for (int j = 0; j < WALL_PARAMETERS; j++)
    moved[j] = q->rho[j] + h * d[j];
  const question beside = asked_at(q->problem, moved);
  memset(slope, 0, WALL_PARAMETERS * sizeof *slope);
  for (size_t f = 0; f < q->functionals; f++)
    for (size_t j = 0; j < WALL_PARAMETERS; j++)
      slope[j] += weight_of(f) * beside.slope[f * WALL_PARAMETERS + j];
}

static gradyn_status ask_hessian(gradyn_evaluator *ev, const question *q, answer *a)
{
  static const double d[WALL_PARAMETERS] = {1, -0.7, 2, 0.4, 0.3};
  static const double h = 1e-4;
  double weight[WALL_FUNCTIONALS], out[WALL_PARAMETERS], up[WALL_PARAMETERS], down[WALL_PARAMETERS];
  for (size_t f = 0; f < q->functionals; f++)
    weight[f] = weight_of(f);
  GRADYN_TRY(gradyn_evaluator_hessian_product(ev, weight, q->rho, 1, d, out));
  sum_slope(q, d, h, up);
  sum_slope(q, d, -h, down);
  for (int j = 0; j < WALL_PARAMETERS; j++)
    put(a, out[j], (up[j] - down[j]) / (2 * h));
  return GRADYN_OK;
}

const analysis asked_analyses[ASKED_ANALYSES] = {
    {"values", ask_values},          {"gradient", ask_gradient},
    {"covariance", ask_covariance},  {"sensitivities", ask_sensitivities},
    {"costates", ask_costates},      {"transition", ask_transition},
    {"saltation", ask_saltation},    {"regulator", ask_regulator},
    {"Hessian product", ask_hessian}};
