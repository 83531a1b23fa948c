/* Random mechanisms in space: trees of bodies with all kinds of joints, some closed to loops, with springs,
 * dampers and signals on joint coordinates. Values of idas, ali3p and variational against one another,
 * gradients direct against adjoint, and against differences of runs.
 * Usage: campaign_spatial [SECONDS [SEED [COUNT]]]; prints what disagrees with its seed, and figures at the
 * end. Exit status 1 if something disagrees. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/campaigns/mechanisms.h"

enum { MOST_BODIES = 5, PARAMETERS = 3, FUNCTIONALS = 2 };

static const gradyn_param params[PARAMETERS] = {
    {"mass", "", .init = 1}, {"stiffness", "", .init = 1}, {"push", "", .init = 1}};
static const double step = 2e-3;
static uint64_t drawn; /* seed of the mechanism that is built */

/* What happened. */
static struct {
  long mechanisms, refused, values, pairs, slopes, wrong;
  double value, pair, slope; /* worst that is right */
} counts;

/* --- the mechanism -------------------------------------------------------------------------------- */

static void random_vector(uint64_t *s, double size, double v[3])
{
  for (int k = 0; k < 3; k++)
    v[k] = mechanism_range(s, -size, size);
}

static void normal_of(const double a[3], double n[3])
{
  int least = fabs(a[0]) < fabs(a[1]) ? 0 : 1;
  least = fabs(a[2]) < fabs(a[least]) ? 2 : least;
  double e[3] = {least == 0, least == 1, least == 2};
  for (int k = 0; k < 3; k++)
    n[k] = a[(k + 1) % 3] * e[(k + 2) % 3] - a[(k + 2) % 3] * e[(k + 1) % 3];
}

/* Springs, dampers and perhaps a signal on a joint's coordinate. */
static void load_coordinate(gradyn_model *model, int i, int coordinate, bool angle, int signal,
                            const gradyn_scalar rho[])
{
  double scale = angle ? 1 : 20;
  gradyn_joint_spring(model, &(gradyn_joint_spring_spec){.name = gradyn_name(model, "spring%d", i),
                                                         .coordinate = coordinate,
                                                         .k = 5 * scale * rho[1],
                                                         .c = 0.1 * scale,
                                                         .has_signal = signal >= 0,
                                                         .signal = signal});
}

static void draw_joint(gradyn_model *model, uint64_t *s, int i, int parent, int body,
                       const double at[3], int signal, const gradyn_scalar rho[])
{
  gradyn_joint_kind kind = (gradyn_joint_kind)mechanism_choice(s, GRADYN_CONSTANT_LENGTH);
  double axis[3], other[3];
  random_vector(s, 1, axis);
  normal_of(axis, other);
  gradyn_place_spec spec = {.name = gradyn_name(model, "joint%d", i),
                            .kind = kind,
                            .body_a = parent,
                            .body_b = body,
                            .pitch = 0.1};
  for (int k = 0; k < 3; k++) {
    spec.position[k] = at[k];
    spec.axis[k] = axis[k];
    spec.axis_b[k] = other[k];
  }
  int joint = gradyn_joint_at(model, &spec);
  bool turns = kind == GRADYN_REVOLUTE || kind == GRADYN_CYLINDRICAL || kind == GRADYN_SCREW ||
               kind == GRADYN_UNIVERSAL || kind == GRADYN_PLANAR;
  bool slides = kind == GRADYN_PRISMATIC || kind == GRADYN_POINT_ON_LINE;
  if (turns || slides)
    load_coordinate(model, i,
                    turns ? gradyn_joint_angle(model, joint) : gradyn_joint_slide(model, joint),
                    turns, signal, rho);
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  uint64_t state = drawn, *s = &state;
  int count = 1 + mechanism_choice(s, MOST_BODIES), body[MOST_BODIES];
  const gradyn_scalar knots[] = {0, 2 * rho[2], -1};
  int signal = gradyn_signal(
      model, &(gradyn_signal_spec){
                 .name = "u", .unit = "", .kind = GRADYN_CUBIC_SPLINE, .count = 3, .knots = knots});
  double centre[MOST_BODIES][3];
  for (int i = 0; i < count; i++) {
    int parent = i == 0 ? -1 : mechanism_choice(s, i);
    double at[3], offset[3];
    random_vector(s, 0.4, offset);
    for (int k = 0; k < 3; k++) {
      at[k] = parent < 0 ? 0 : centre[parent][k] + 0.3 * (k - 1);
      centre[i][k] = at[k] + offset[k] + 0.3;
    }
    gradyn_body_spec spec = {.name = gradyn_name(model, "body%d", i), .mass = (1 + i % 2) * rho[0]};
    for (int k = 0; k < 3; k++) {
      spec.centre[k] = centre[i][k];
      spec.inertia[k] = mechanism_range(s, 0.08, 0.12) * rho[0];
    }
    body[i] = gradyn_body_3d(model, &spec);
    draw_joint(model, s, i, parent < 0 ? GRADYN_GROUND : body[parent], body[i], at,
               mechanism_choice(s, 2) ? signal : -1, rho);
  }
  int tip = gradyn_body_point_3d(model, body[count - 1], "tip", centre[count - 1][0] + 0.2,
                                 centre[count - 1][1], centre[count - 1][2]);
  int anchor = gradyn_ground_point_3d(model, "anchor", 1, 1, -1);
  if (mechanism_choice(s, 3) == 0) /* a loop */
    gradyn_rod(model,
               &(gradyn_rod_spec){.name = "loop", .from = anchor, .to = tip, .mass = rho[0]});
  else
    gradyn_spring(model, &(gradyn_spring_spec){
                             .name = "rope", .from = anchor, .to = tip, .k = 30 * rho[1], .c = 1});
  gradyn_gravity_3d(model, 0, 0, -9.81);
  gradyn_track_position_3d(model, "track", tip, 0, 0, 0);
  gradyn_end_position(model, "end", tip, GRADYN_Z);
  return gradyn_built(model);
}

static const gradyn_problem problem = {
    .name = "spatial", .params = params, .param_count = PARAMETERS, .build = build, .t_end = 0.4};

/* --- comparisons ---------------------------------------------------------------------------------- */

static void blame(const char *what, const char *method, double off, const char *said)
{
  counts.wrong++;
  printf("seed %llu: %s of %s off by %.2e %s\n", (unsigned long long)drawn, what, method, off,
         said ? said : "");
  (void)fflush(stdout);
}

static gradyn_status run(const char *method, const char *sensitivity, double h, const double *rho,
                         double *psi, double *gradient)
{
  gradyn_options options;
  gradyn_evaluator *ev;
  gradyn_options_default(&problem, &options);
  options.method = method;
  options.sensitivity = sensitivity;
  options.step = strcmp(method, "idas") == 0 ? 0 : h;
  options.rtol = 1e-9;
  gradyn_status status = gradyn_evaluator_create(&problem, &options, NULL, 0, &ev);
  if (status == GRADYN_OK)
    status = gradient ? gradyn_gradient(ev, rho, psi, gradient)
                      : gradyn_simulate(ev, rho, psi, NULL);
  gradyn_evaluator_free(ev);
  return status;
}

/* psi of a fixed-step method against those of idas: three times what halving the step changes. */
static void compare_values(const char *method, const double *rho, const double *exact)
{
  double coarse[FUNCTIONALS], fine[FUNCTIONALS];
  if (run(method, "adjoint", step, rho, coarse, NULL) != GRADYN_OK ||
      run(method, "adjoint", step / 2, rho, fine, NULL) != GRADYN_OK) {
    counts.refused++;
    return;
  }
  for (int f = 0; f < FUNCTIONALS; f++) {
    double off = fabs(fine[f] - exact[f]);
    double allowed = 3 * fabs(fine[f] - coarse[f]) + 1e-6 * (1 + fabs(exact[f]));
    counts.values++;
    if (off <= allowed)
      counts.value = fmax(counts.value, off);
    else
      blame("value", method, off, NULL);
  }
}

/* Slopes by Richardson's differences of runs with the same steps. */
static void compare_slopes(const double *rho, const double *gradient)
{
  const double h = 2e-3;
  double psi[4][FUNCTIONALS], moved[PARAMETERS];
  int j = (int)(drawn % PARAMETERS);
  for (int k = 0; k < 4; k++) {
    memcpy(moved, rho, sizeof moved);
    moved[j] += (k % 2 ? -1 : 1) * (k / 2 + 1) * h;
    if (run("ali3p", "adjoint", step, moved, psi[k], NULL) != GRADYN_OK)
      return;
  }
  for (int f = 0; f < FUNCTIONALS; f++) {
    double near = (psi[0][f] - psi[1][f]) / (2 * h), far = (psi[2][f] - psi[3][f]) / (4 * h);
    double slope = near + (near - far) / 3, off = fabs(slope - gradient[f * PARAMETERS + j]);
    counts.slopes++;
    if (off <= 1e-6 + 0.1 * fabs(near - far))
      counts.slope = fmax(counts.slope, off);
    else
      blame("slope", "ali3p", off, params[j].name);
  }
}

static void compare_gradients(const char *method, double allowed, const double *rho)
{
  double psi[FUNCTIONALS], gradient[2][FUNCTIONALS * PARAMETERS], size = 1e-3;
  for (int k = 0; k < 2; k++)
    if (run(method, k ? "adjoint" : "direct", step, rho, psi, gradient[k]) != GRADYN_OK) {
      counts.refused++;
      return;
    }
  for (int i = 0; i < FUNCTIONALS * PARAMETERS; i++)
    size = fmax(size, fabs(gradient[0][i]));
  for (int i = 0; i < FUNCTIONALS * PARAMETERS; i++) {
    double off = fabs(gradient[1][i] - gradient[0][i]) / size;
    counts.pairs++;
    if (off <= allowed)
      counts.pair = fmax(counts.pair, off);
    else
      blame("adjoint", method, off, NULL);
  }
  if (strcmp(method, "ali3p") == 0)
    compare_slopes(rho, gradient[0]);
}

static void try_one(void)
{
  double rho[PARAMETERS] = {1, 1, 1}, exact[FUNCTIONALS];
  counts.mechanisms++;
  compare_gradients("ali3p", 1e-9, rho);
  compare_gradients("variational", 1e-9, rho);
  if (run("idas", "adjoint", 0, rho, exact, NULL) != GRADYN_OK) {
    counts.refused++;
    return;
  }
  compare_values("ali3p", rho, exact);
  compare_values("variational", rho, exact);
}

int main(int argc, char **argv)
{
  double seconds = argc > 1 ? atof(argv[1]) : 60;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  long count = argc > 3 ? atol(argv[3]) : 1000000;
  time_t begin = time(NULL);
  for (drawn = seed; counts.mechanisms < count && difftime(time(NULL), begin) < seconds; drawn++)
    try_one();
  printf(
      "%ld mechanisms from seed %llu: %ld values (worst %.1e), %ld derivatives direct against "
      "adjoint (worst %.1e), %ld against differences (worst %.1e), %ld runs refused, %ld wrong\n",
      counts.mechanisms, (unsigned long long)seed, counts.values, counts.value, counts.pairs,
      counts.pair, counts.slopes, counts.slope, counts.refused, counts.wrong);
  return counts.wrong > 0;
}
