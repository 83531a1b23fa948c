/* Runs of random trees in both coordinates, direct and adjoint, and compared with differences. */
#include "tests/mbs/tree/drawn.h"
#include "tests/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS = 2 };
static const gradyn_param params[PARAMETERS] = {
    {"mass", "kg", .init = 1.1, GRADYN_UNBOUNDED},
    {"along", "1", .init = 0, GRADYN_UNBOUNDED, .scale = 1}};
static const double here[PARAMETERS] = {1.1, 0};
static const gradyn_setting settings[] = {{"seed", "which tree", .init = 1, 1, 2000000000}};

gradyn_problem drawn_problem(drawn_room capacity, const char *coordinates)
{
  return (gradyn_problem)PROBLEM(
      "tree", capacity == DRAWN_IN_PLANE ? drawn_build_plane : drawn_build_in_space, params,
      .settings = settings, .setting_count = 1, .t_end = 0.05, .coordinates = coordinates);
}

enum { NATURAL, JOINT, DIRECT, RUNS, FUNCTIONALS = 4 };

typedef struct run {
  gradyn_problem problem;
  gradyn_evaluator *ev;
  size_t functionals, data;
  double *at;                      /* [data] as declared; the model's values change with each run */
  double psi[FUNCTIONALS], *slope; /* [functionals][data] */
  double by[FUNCTIONALS * PARAMETERS]; /* slopes by the parameters */
  bool *lost;     /* [data] whether derivatives with respect to a datum do not exist */
  bool dependent; /* rows that depend on others */
} run;

/* A buffer for the description of a disagreement. */
typedef struct text {
  char *to;
  size_t size;
} text;

static gradyn_status open_run(drawn_asked asked, int k, run *r)
{
  const gradyn_setting_choice choice = {"seed", asked.seed};
  r->problem = drawn_problem(asked.capacity, k == NATURAL ? "natural" : "joint");
  gradyn_options options = run_options(&r->problem);
  options.method = asked.method;
  options.rtol = asked.rtol;
  options.sensitivity = k == DIRECT ? "direct" : "adjoint";
  return gradyn_evaluator_create(&r->problem, &options, &choice, 1, &r->ev);
}

/* Returns whether some datum has no derivatives; then there are none along the line through all data
 * either. */
static bool loses(const run *r)
{
  for (size_t j = 0; r->lost && j < r->data; j++)
    if (r->lost[j])
      return true;
  return false;
}

/* each: derivatives with respect to all data; otherwise with respect to the parameters */
static gradyn_status carry_out(drawn_asked asked, int k, bool each, run *r)
{
  gradyn_status status = open_run(asked, k, r);
  if (status != GRADYN_OK)
    return status;
  r->functionals = gradyn_functional_count(r->ev);
  r->data = gradyn_evaluator_model_info(r->ev).data;
  r->slope = calloc(r->functionals * r->data + 1, sizeof *r->slope);
  r->lost = calloc(r->data + 1, sizeof *r->lost);
  r->at = calloc(r->data + 1, sizeof *r->at);
  if (!r->slope || !r->lost || !r->at)
    return GRADYN_NO_MEMORY;
  for (size_t j = 0; j < r->data; j++)
    r->at[j] = gradyn_datum_at(r->ev, j).value;
  status = each ? gradyn_evaluator_data_gradient(r->ev, here, r->psi, r->slope)
                : gradyn_evaluator_gradient(r->ev, here, r->psi, r->by);
  gradyn_dof freedom;
  if (status == GRADYN_OK && k != DIRECT)
    status = gradyn_dof_compute(r->ev, here, &freedom, NULL);
  r->dependent = status == GRADYN_OK && k != DIRECT && freedom.redundant_constraints > 0;
  if (r->dependent)
    status = gradyn_evaluator_singular_data(r->ev, here, r->lost, NULL);
  return status;
}

static void close_run(run *r)
{
  gradyn_evaluator_free(r->ev);
  free(r->slope);
  free(r->lost);
  free(r->at);
}

/* Index of a datum by its name; `data`: there is none. */
static size_t find(const run *r, const char *name)
{
  size_t i = 0;
  while (i < r->data && strcmp(gradyn_datum_at(r->ev, i).name, name) != 0)
    i++;
  return i;
}

static double largest(const run *r, size_t f)
{
  double most = 0;
  for (size_t j = 0; j < r->data; j++)
    most = fmax(most, r->lost[j] ? 0 : fabs(r->slope[f * r->data + j]));
  return most;
}

/* Returns whether the model can run for both signs of a change. Example: an event sets a velocity that
 * cannot change to zero. If a datum makes it larger than zero, the constraints do not permit it. */
static bool may_vary(const run *r, size_t datum)
{
  double *data = calloc(r->data + 1, sizeof *data), psi[FUNCTIONALS];
  bool goes = !data;
  for (int side = -1; side <= 1 && data; side += 2) {
    memcpy(data, r->at, r->data * sizeof *data);
    data[datum] += side * 1e-4 * fmax(0.1, fabs(r->at[datum]));
    goes = gradyn_evaluator_simulate_data(r->ev, data, psi) == GRADYN_OK || goes;
  }
  free(data);
  return goes;
}

/* Compares derivatives of functional f with respect to all data that have derivatives in both. */
static bool same_slopes(const run *one, const run *other, size_t f, double agree, text *t)
{
  const double most = largest(one, f);
  for (size_t j = 0; j < one->data; j++) {
    const char *name = gradyn_datum_at(one->ev, j).name;
    const size_t i = find(other, name);
    if (one->lost[j] || (i < other->data && other->lost[i]))
      continue;
    const double a = one->slope[f * one->data + j],
                 b = i < other->data ? other->slope[f * other->data + i] : (double)NAN;
    if (!(fabs(a - b) <= agree * most) && may_vary(one, j)) {
      (void)snprintf(t->to, t->size, "functional %zu by %s is %.15g and %.15g, of %.3g: %.2g", f,
                     name, a, b, most, fabs(a - b) / most);
      return false;
    }
  }
  return true;
}

/* Reactions of redundant constraints are not unique: that of least norm depends on the coordinates, so it
 * is not compared. Each set of problems has one functional of reactions. */
static bool is_compared(const run *one, const run *other, size_t f)
{
  const bool reacts = f == (one->problem.build == drawn_build_plane ? 1 : 3);
  return !reacts || !(loses(one) ||
                      (one->dependent && one->problem.coordinates != other->problem.coordinates));
}

static bool same(const run *one, const run *other, double agree, text *t)
{
  for (size_t f = 0; f < one->functionals; f++) {
    if (!is_compared(one, other, f))
      continue;
    if (!(fabs(one->psi[f] - other->psi[f]) <= agree * fmax(fabs(one->psi[f]), largest(one, f)))) {
      (void)snprintf(t->to, t->size, "functional %zu is %.15g and %.15g", f, one->psi[f],
                     other->psi[f]);
      return false;
    }
    if (!same_slopes(one, other, f, agree, t))
      return false;
  }
  return true;
}

/* Compares values and derivatives with respect to the parameters; one of these moves all data. */
static bool same_by_parameters(const run *one, const run *other, double agree, text *t)
{
  for (size_t f = 0; f < one->functionals; f++) {
    const double *a = one->by + f * PARAMETERS, *b = other->by + f * PARAMETERS;
    double size = largest(one, f);
    for (int p = 0; p < PARAMETERS; p++)
      size = fmax(size, fabs(a[p]));
    const double off = fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1]));
    if (!(off <= agree * size) ||
        !(fabs(one->psi[f] - other->psi[f]) <= agree * fmax(fabs(one->psi[f]), size))) {
      (void)snprintf(t->to, t->size,
                     "functional %zu by mass and along is %.15g, %.15g and %.15g, %.15g", f, a[0],
                     a[1], b[0], b[1]);
      return false;
    }
  }
  return true;
}

/* --- differences ------------------------------------------------------------------------------------ */

/* Change of a datum, in addition to a part of its size. Lengths and widths of sliders that are zero stay
 * zero: this means that no moment is carried. A slider with a small nonzero length would carry it by very
 * large forces and lock. */
static double move(const run *r, size_t datum, unsigned *seed)
{
  const char *name = gradyn_datum_at(r->ev, datum).name;
  const double by = drawn_noise(seed) * fmax(0.1, fmin(1, fabs(r->at[datum])));
  const char *what = strrchr(name, '.');
  const bool slider = strncmp(name, "friction", 8) == 0 && what &&
                      (strcmp(what, ".length") == 0 || strcmp(what, ".width") == 0);
  return slider && r->at[datum] == 0 ? 0 : by;
}

/* A random direction through all data that have derivatives. */
static void draw_direction(const run *r, unsigned seed, double *direction)
{
  for (size_t j = 0; j < r->data; j++) {
    const double by = move(r, j, &seed);
    direction[j] = r->lost[j] ? 0 : by;
  }
}

static gradyn_status at_distance(run *r, const double *from, const double *direction, double h,
                                 double *psi)
{
  double *data = calloc(r->data + 1, sizeof *data);
  if (!data)
    return GRADYN_NO_MEMORY;
  for (size_t j = 0; j < r->data; j++)
    data[j] = from[j] + h * direction[j];
  const gradyn_status status = gradyn_evaluator_simulate_data(r->ev, data, psi);
  free(data);
  return status;
}

/* Derivatives along this line by differences of order 8. */
static gradyn_status take_slopes(run *r, const double *from, const double *direction, double h,
                                 double *slope)
{
  static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double psi[FUNCTIONALS];
  memset(slope, 0, FUNCTIONALS * sizeof *slope);
  for (int i = 0; i < 8; i++) {
    const double sign = i % 2 ? -1 : 1;
    const gradyn_status status = at_distance(r, from, direction, sign * (1 + i / 2) * h, psi);
    if (status != GRADYN_OK)
      return status;
    for (size_t f = 0; f < r->functionals; f++)
      slope[f] += sign * weight[i / 2] * psi[f] / h;
  }
  return GRADYN_OK;
}

/* Returns whether the derivative agrees with differences. Their error is the difference to that at half the
 * distance, as long as it decreases. */
static bool is_slope(run *r, const double *from, const double *direction, text *t)
{
  double slope[2][FUNCTIONALS];
  for (int k = 0; k < 2; k++)
    if (take_slopes(r, from, direction, k ? 1e-4 : 3e-4, slope[k]) != GRADYN_OK)
      return true; /* a run ends early there */
  for (size_t f = 0; f < r->functionals; f++) {
    if (!is_compared(r, r, f))
      continue;
    double sum = 0, size = largest(r, f);
    for (size_t j = 0; j < r->data; j++) {
      const double part = r->lost[j] ? 0 : r->slope[f * r->data + j] * direction[j];
      sum += part;
      size = fmax(size, fabs(part));
    }
    const double off = fmin(fabs(sum - slope[0][f]), fabs(sum - slope[1][f]));
    if (!(off <= 1e-7 * size + fabs(slope[0][f] - slope[1][f]))) {
      (void)snprintf(t->to, t->size,
                     "functional %zu along a line is %.12g, differences %.12g, %.12g", f, sum,
                     slope[0][f], slope[1][f]);
      return false;
    }
  }
  return true;
}

static bool agrees_with_differences(run *r, unsigned seed, text *t)
{
  FREED double *from = calloc(2 * r->data + 1, sizeof *from);
  bool right = from != NULL;
  if (right) {
    memcpy(from, r->at, r->data * sizeof *from);
    draw_direction(r, seed, from + r->data);
    right = is_slope(r, from, from + r->data, t);
  }
  return right;
}

/* All data are changed slightly, so that directions are neither unit vectors nor orthogonal. */
static bool same_off(run *one, run *other, drawn_asked asked, text *t)
{
  double *data = calloc(one->data + other->data + 1, sizeof *data), psi[2][FUNCTIONALS];
  unsigned seed = (unsigned)asked.seed;
  bool right = data != NULL;
  for (size_t j = 0; j < one->data && right; j++) {
    const size_t i = find(other, gradyn_datum_at(one->ev, j).name);
    data[j] = one->at[j] + 0.01 * move(one, j, &seed);
    if (i < other->data)
      data[one->data + i] = data[j];
  }
  if (right && gradyn_evaluator_simulate_data(one->ev, data, psi[0]) == GRADYN_OK &&
      gradyn_evaluator_simulate_data(other->ev, data + one->data, psi[1]) == GRADYN_OK)
    for (size_t f = 0; f < one->functionals && right; f++) {
      if (!is_compared(one, other, f))
        continue;
      right = fabs(psi[1][f] - psi[0][f]) <= asked.agree * fmax(fabs(psi[0][f]), largest(one, f));
      if (!right)
        (void)snprintf(t->to, t->size, "with other data functional %zu is %.15g and %.15g", f,
                       psi[0][f], psi[1][f]);
    }
  free(data);
  return right;
}

/* --- all -------------------------------------------------------------------------------------------- */

static drawn_outcome compare(run runs[RUNS], drawn_asked asked, bool each, text *t)
{
  const unsigned seed = 31u * (unsigned)asked.seed;
  if (!same(&runs[NATURAL], &runs[JOINT], asked.agree, t))
    return DRAWN_COORDINATES;
  if (!(each ? same : same_by_parameters)(&runs[JOINT], &runs[DIRECT], asked.routes, t))
    return DRAWN_ROUTES;
  if (asked.differences && !agrees_with_differences(&runs[JOINT], seed, t))
    return DRAWN_DIFFERENCES;
  if (asked.differences && !same_off(&runs[NATURAL], &runs[JOINT], asked, t))
    return DRAWN_COORDINATES;
  return DRAWN_SAME;
}

drawn_outcome drawn_compare(drawn_asked asked, char *to, size_t size)
{
  run runs[RUNS];
  gradyn_status status[RUNS];
  text t = {to, size};
  drawn_outcome out = DRAWN_REFUSED;
  memset(runs, 0, sizeof runs);
  for (int k = 0; k < DIRECT; k++)
    status[k] = carry_out(asked, k, true, &runs[k]);
  const bool each = asked.each_along || loses(&runs[JOINT]);
  status[DIRECT] = carry_out(asked, DIRECT, each, &runs[DIRECT]);
  if (!each && status[JOINT] == GRADYN_OK)
    status[JOINT] = gradyn_evaluator_gradient(runs[JOINT].ev, here, runs[JOINT].psi,
                                              runs[JOINT].by);
  const char *said = gradyn_evaluator_message(runs[JOINT].ev);
  (void)snprintf(to, size, "%s", said);
  if (status[NATURAL] != status[JOINT] || status[JOINT] != status[DIRECT]) {
    out = status[JOINT] == GRADYN_UNSUPPORTED ? DRAWN_REFUSED : DRAWN_STATUS;
    (void)snprintf(to, size, "%s in natural, %s in joint coordinates, %s along: %s%s",
                   gradyn_status_describe((int)status[NATURAL]).name,
                   gradyn_status_describe((int)status[JOINT]).name,
                   gradyn_status_describe((int)status[DIRECT]).name, said,
                   gradyn_evaluator_message(runs[NATURAL].ev));
  } else if (status[JOINT] == GRADYN_OK) {
    out = compare(runs, asked, each, &t);
  }
  for (int k = 0; k < RUNS; k++)
    close_run(&runs[k]);
  return out;
}
