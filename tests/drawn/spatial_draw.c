/* Random mechanisms in space. */
#include "tests/drawn/spatial_draw.h"

#include "tests/drawn/mechanisms.h"
#include "tests/random.h"
#include "tests/support.h"
#include "tests/declare.h"

enum { MOST_BODIES = 5, GROUND = MOST_BODIES, MOST_COORDINATES = 2 * MOST_BODIES };
enum { MASS, STIFFNESS, PUSH, ROUGHNESS, GAIN };

static const gradyn_param params[SPATIAL_PARAMETERS] = {
    {"mass", "", .init = 1, GRADYN_UNBOUNDED},
    {"stiffness", "", .init = 1, GRADYN_UNBOUNDED},
    {"push", "", .init = 1, GRADYN_UNBOUNDED},
    {"roughness", "", .init = 1, GRADYN_UNBOUNDED},
    {"gain", "", .init = 1, GRADYN_UNBOUNDED}};
uint64_t spatial_seed;
spatial_parts spatial_built;

/* Motions that a joint leaves. */
static const int freedom[SPATIAL_KINDS] = {
    [GRADYN_REVOLUTE] = 1,       [GRADYN_PRISMATIC] = 1,     [GRADYN_CYLINDRICAL] = 2,
    [GRADYN_SCREW] = 1,          [GRADYN_SPHERICAL] = 3,     [GRADYN_UNIVERSAL] = 2,
    [GRADYN_PLANAR] = 3,         [GRADYN_POINT_ON_LINE] = 4, [GRADYN_POINT_ON_PLANE] = 5,
    [GRADYN_CONSTANT_LENGTH] = 5};

typedef struct draft {
  gradyn_model *model;
  uint64_t random;
  const gradyn_scalar *rho;
  bool rough; /* with friction */
  int signal, count;
  int body[MOST_BODIES + 1], parent[MOST_BODIES], free[MOST_BODIES]; /* of its joint */
  double centre[MOST_BODIES][3];
  int coordinate[MOST_COORDINATES];
  bool angle[MOST_COORDINATES];
  int coordinates, freedom;
} draft;

static int choice(draft *d, int n)
{
  return random_choice(&d->random, n);
}
static double range(draft *d, double a, double b)
{
  return random_range(&d->random, a, b);
}
static void random_vector(draft *d, double size, double v[3])
{
  for (int k = 0; k < 3; k++)
    v[k] = range(d, -size, size);
}

static void normal_of(const double a[3], double n[3])
{
  int least = fabs(a[0]) < fabs(a[1]) ? 0 : 1;
  least = fabs(a[2]) < fabs(a[least]) ? 2 : least;
  const double e[3] = {least == 0, least == 1, least == 2};
  for (int k = 0; k < 3; k++)
    n[k] = a[(k + 1) % 3] * e[(k + 2) % 3] - a[(k + 2) % 3] * e[(k + 1) % 3];
}

/* --- joints --------------------------------------------------------------------------------------- */

/* A constant distance between two different points. */
static int draw_length(draft *d, const char *name, int a, int b, const double at[3])
{
  double away[3];
  random_vector(d, 0.3, away);
  const int from = declare_frame(d->model, gradyn_format_name(d->model, "%s.a", name), a,
                                 VECTOR(at[0] + away[0], at[1] + away[1] + 0.5, at[2]), NULL);
  const int to = declare_frame(d->model, gradyn_format_name(d->model, "%s.b", name), b,
                               VECTOR(at[0], at[1], at[2]), NULL);
  return gradyn_joint(
      d->model,
      &(gradyn_joint_spec){.name = name, .kind = GRADYN_CONSTANT_LENGTH, .a = from, .b = to});
}

static int draw_joint(draft *d, gradyn_joint_kind kind, const char *name, int a, int b,
                      const double at[3])
{
  double axis[3], other[3];
  spatial_built.joints[kind]++;
  if (kind == GRADYN_CONSTANT_LENGTH)
    return draw_length(d, name, a, b, at);
  random_vector(d, 1, axis);
  normal_of(axis, other);
  gradyn_joint_between_spec spec = {
      .name = name, .kind = kind, .body_a = a, .body_b = b, .pitch = range(d, 0.05, 0.2)};
  for (int k = 0; k < 3; k++) {
    spec.position[k] = at[k];
    spec.axis[k] = axis[k];
    spec.axis_b[k] = other[k];
  }
  return gradyn_joint_between(d->model, &spec);
}

/* --- what acts on joint coordinates --------------------------------------------------------------- */

static void draw_controller(draft *d, int i, int coordinate, double scale)
{
  const bool filtered = choice(d, 2), limited = choice(d, 2);
  spatial_built.controllers++;
  if (choice(d, 2)) {
    gradyn_pid(d->model, &(gradyn_pid_spec){.name = gradyn_format_name(d->model, "pid%d", i),
                                            .coordinate = coordinate,
                                            .kp = 10 * scale * d->rho[GAIN],
                                            .ki = 5 * scale,
                                            .kd = 0.3 * scale * d->rho[GAIN],
                                            .target = 0.1,
                                            .filtered = filtered,
                                            .filter_time = filtered ? 0.05 : 0,
                                            .limited = limited,
                                            .limit = limited ? 4 * scale : 0});
    return;
  }
  const gradyn_scalar gain = 8 * scale * d->rho[GAIN], rate = 0.2 * scale;
  gradyn_feedback(d->model,
                  &(gradyn_feedback_spec){.name = gradyn_format_name(d->model, "lqr%d", i),
                                          .coordinate = coordinate,
                                          .of = &coordinate,
                                          .count = 1,
                                          .gain = &gain,
                                          .rate_gain = &rate,
                                          .limited = limited,
                                          .limit = limited ? 4 * scale : 0});
}

static void draw_load(draft *d, int i)
{
  const double scale = d->angle[i] ? 1 : 20;
  const int c = d->coordinate[i], what = choice(d, 4);
  if (what == 0)
    draw_controller(d, i, c, scale);
  if (what == 1)
    gradyn_joint_stop(d->model,
                      &(gradyn_joint_stop_spec){.name = gradyn_format_name(d->model, "stop%d", i),
                                                .coordinate = c,
                                                .lower = -0.2,
                                                .upper = range(d, 0.02, 0.2),
                                                .k = 50 * scale * d->rho[STIFFNESS],
                                                .c = 0.5 * scale,
                                                .width = 0.05});
  if (what < 3)
    gradyn_joint_spring(
        d->model, &(gradyn_joint_spring_spec){.name = gradyn_format_name(d->model, "spring%d", i),
                                              .coordinate = c,
                                              .k = 5 * scale * d->rho[STIFFNESS],
                                              .c = 0.1 * scale,
                                              .free = range(d, -0.2, 0.2),
                                              .signal = choice(d, 2) ? d->signal : 0});
}

static void draw_friction(draft *d, gradyn_joint_kind kind, int i, int joint)
{
  const bool journal = kind == GRADYN_REVOLUTE || kind == GRADYN_CYLINDRICAL;
  const bool ends = journal || kind == GRADYN_PRISMATIC;
  const int law = choice(d, 3);
  if (!ends && kind != GRADYN_PLANAR && kind != GRADYN_POINT_ON_LINE &&
      kind != GRADYN_POINT_ON_PLANE)
    return;
  spatial_built.laws[law]++;
  gradyn_joint_friction(
      d->model, &(gradyn_joint_friction_spec){.name = gradyn_format_name(d->model, "rough%d", i),
                                              .joint = joint,
                                              .law = (gradyn_friction_law)law,
                                              .still = 0.2 * d->rho[ROUGHNESS],
                                              .kinetic = 0.15 * d->rho[ROUGHNESS],
                                              .transition = range(d, 0.05, 0.1),
                                              .viscous = range(d, 0, 0.5),
                                              .smoothing = 0.1,
                                              .radius = journal ? 0.05 : 0,
                                              .length = ends ? 0.3 : 0,
                                              .offset = ends ? -0.1 : 0,
                                              .width = kind == GRADYN_PRISMATIC ? 0.2 : 0,
                                              .stiffness = law ? 1e3 : 0,
                                              .damping = law ? 15 : 0,
                                              .dwell = law == GRADYN_GONTHIER ? 0.3 : 0});
}

/* Draws a coordinate of a joint, and a force element on it. */
static void draw_coordinate(draft *d, gradyn_joint_kind kind, int joint)
{
  const bool turns = kind == GRADYN_REVOLUTE || kind == GRADYN_CYLINDRICAL ||
                     kind == GRADYN_SCREW || kind == GRADYN_UNIVERSAL || kind == GRADYN_PLANAR;
  const bool slides = kind == GRADYN_PRISMATIC || kind == GRADYN_CYLINDRICAL ||
                      kind == GRADYN_SCREW || kind == GRADYN_POINT_ON_LINE;
  const bool flat = kind == GRADYN_PLANAR || kind == GRADYN_POINT_ON_PLANE;
  if (!turns && !slides && !flat)
    return;
  const bool angle = turns && (choice(d, 2) || (!slides && !flat));
  const int k = d->coordinates++;
  d->angle[k] = angle;
  d->coordinate[k] = angle  ? gradyn_joint_coordinate(d->model, joint, GRADYN_ANGLE)
                     : flat ? gradyn_joint_coordinate(d->model, joint, GRADYN_SLIDE_Y)
                            : gradyn_joint_coordinate(d->model, joint, GRADYN_SLIDE);
  draw_load(d, k);
}

/* --- the whole ------------------------------------------------------------------------------------ */

static void draw_body(draft *d, int i)
{
  double at[3], offset[3];
  d->parent[i] = i == 0 ? GROUND : choice(d, i + 1) == i ? GROUND : choice(d, i);
  random_vector(d, 0.4, offset);
  for (int k = 0; k < 3; k++) {
    at[k] = d->parent[i] == GROUND ? 0.1 * i : d->centre[d->parent[i]][k] + 0.3 * (k - 1);
    d->centre[i][k] = at[k] + offset[k] + 0.3;
  }
  gradyn_body_spec spec = {.name = gradyn_format_name(d->model, "body%d", i),
                           .mass = (1 + i % 2) * d->rho[MASS]};
  for (int k = 0; k < 3; k++) {
    spec.centre[k] = d->centre[i][k];
    spec.inertia[k] = range(d, 0.08, 0.12) * d->rho[MASS];
  }
  d->body[i] = gradyn_body_3d(d->model, &spec);
  const gradyn_joint_kind kind = (gradyn_joint_kind)choice(d, SPATIAL_KINDS);
  const int joint = draw_joint(d, kind, gradyn_format_name(d->model, "joint%d", i),
                               d->body[d->parent[i]], d->body[i], at);
  d->free[i] = freedom[kind];
  d->freedom += freedom[kind];
  draw_coordinate(d, kind, joint);
  if (d->rough)
    draw_friction(d, kind, i, joint);
}

/* Closes a loop from the last body to the ground, if the joints of the path have more degrees of freedom
 * than the new joint removes. */
static void draw_loop(draft *d)
{
  int path = 0, last = d->count - 1;
  for (int i = last; i != GROUND; i = d->parent[i])
    path += d->free[i];
  const gradyn_joint_kind kind = (gradyn_joint_kind)choice(d, SPATIAL_KINDS);
  const double at[3] = {d->centre[last][0] + 0.2, d->centre[last][1] - 0.1, d->centre[last][2]};
  if (path + freedom[kind] < 7)
    return;
  spatial_built.loops++;
  d->freedom -= 6 - freedom[kind];
  draw_joint(d, kind, "loop", GRADYN_GROUND, d->body[last], at);
}

/* Draws gears between coordinates, and drives: each removes one degree of freedom. */
static void draw_ratios(draft *d)
{
  if (d->coordinates > 1 && d->freedom > 1 && choice(d, 4) == 0) {
    spatial_built.gears++;
    d->freedom--;
    gradyn_gear(d->model, "gear", d->coordinate[0], d->coordinate[1], range(d, 0.3, 1));
  }
  if (d->coordinates > 2 && d->freedom > 1 && choice(d, 4) == 0) {
    spatial_built.drives++;
    d->freedom--;
    gradyn_drive_joint(d->model, "drive", d->coordinate[2],
                       &(gradyn_time_function){.amplitude = 0.05 * d->rho[PUSH], .frequency = 7});
  }
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  draft draw = {
      .model = model, .random = spatial_seed, .rho = rho, .body = {[GROUND] = GRADYN_GROUND}};
  draft *d = &draw;
  const gradyn_scalar knots[] = {0, 2 * rho[PUSH], -1};
  memset(&spatial_built, 0, sizeof spatial_built);
  d->count = spatial_built.bodies = 1 + choice(d, MOST_BODIES);
  d->rough = choice(d, 2);
  d->signal = declare_signal(model, "u", "", GRADYN_CUBIC_SPLINE, 3, knots);
  gradyn_gravity_3d(model, 0, 0, -9.81);
  for (int i = 0; i < d->count; i++)
    draw_body(d, i);
  if (choice(d, 2))
    draw_loop(d);
  draw_ratios(d);
  spatial_built.freedom = d->freedom;
  const double *end = d->centre[d->count - 1];
  const int tip = gradyn_body_point_3d(model, d->body[d->count - 1], "tip", end[0] + 0.2, end[1],
                                       end[2]);
  gradyn_spring(model,
                &(gradyn_spring_spec){.name = "rope",
                                      .from = gradyn_ground_point_3d(model, "anchor", 1, 1, -1),
                                      .to = tip,
                                      .k = 30 * rho[STIFFNESS],
                                      .c = 1});
  gradyn_functional(model, &(gradyn_functional_spec){
                               "track", gradyn_measure_point(model, "", tip, 0, GRADYN_ALL_AXES),
                               .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(
      model, &(gradyn_functional_spec){"end", gradyn_measure_point(model, "", tip, 0, GRADYN_Z),
                                       .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

const gradyn_problem spatial_problem = PROBLEM("spatial", build, params, .t_end = 0.12);
