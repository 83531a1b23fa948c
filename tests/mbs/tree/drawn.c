/* Trees drawn at random, and runs of them in both coordinates. */
#include "tests/mbs/tree/drawn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/gradyn.h>

enum { MOST_BODIES = 6, FUNCTIONALS = 3 };

static const gradyn_param params[] = {{"mass", "kg", .init = 1.1}};
static const gradyn_setting settings[] = {{"seed", "which tree", .init = 1, 1, 2000000000}};

/* --- drawing --------------------------------------------------------------------------------------- */

double drawn_noise(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

int drawn_pick(unsigned *seed, int count)
{
  return (int)(0.4999999 * (drawn_noise(seed) + 1) * count);
}

static void draw_vector(unsigned *seed, double size, double *out)
{
  for (int k = 0; k < 3; k++)
    out[k] = size * drawn_noise(seed);
}

/* A spring, and in most cases where it starts; others start as bodies are declared. */
static void add_coordinate(gradyn_model *m, int i, const char *what, int c, unsigned *seed)
{
  const double start = 0.3 * drawn_noise(seed), rate = 2 * drawn_noise(seed);
  if (drawn_noise(seed) > -0.5)
    gradyn_hold_joint(m, gradyn_name(m, "start%d.%s", i, what), c, start, rate);
  gradyn_joint_spring(
      m, &(gradyn_joint_spring_spec){
             .name = gradyn_name(m, "spring%d.%s", i, what), .coordinate = c, .k = 5, .c = 0.3});
}

static void add_coordinates(gradyn_model *m, int i, gradyn_joint_kind kind, int joint,
                            unsigned *seed)
{
  if (kind == GRADYN_REVOLUTE || kind == GRADYN_CYLINDRICAL || kind == GRADYN_SCREW)
    add_coordinate(m, i, "angle", gradyn_joint_angle(m, joint), seed);
  if (kind == GRADYN_PRISMATIC || kind == GRADYN_CYLINDRICAL)
    add_coordinate(m, i, "slide", gradyn_joint_slide(m, joint), seed);
  if (kind == GRADYN_REVOLUTE && drawn_noise(seed) > 0.7)
    gradyn_joint_friction(m, &(gradyn_joint_friction_spec){.name = gradyn_name(m, "friction%d", i),
                                                           .joint = joint,
                                                           .law = GRADYN_BROWN_MCPHEE,
                                                           .still = 0.2,
                                                           .kinetic = 0.2,
                                                           .transition = 0.5,
                                                           .smoothing = 1,
                                                           .radius = 0.02});
}

/* A joint between a body and one before it, or the ground; returns whether it moves. */
static bool add_joint(gradyn_model *m, int i, const int *body, unsigned *seed)
{
  static const gradyn_joint_kind kinds[] = {
      GRADYN_REVOLUTE,    GRADYN_REVOLUTE, GRADYN_REVOLUTE,  GRADYN_PRISMATIC,
      GRADYN_PRISMATIC,   GRADYN_FIXED,    GRADYN_SPHERICAL, GRADYN_UNIVERSAL,
      GRADYN_CYLINDRICAL, GRADYN_SCREW,    GRADYN_PLANAR,    GRADYN_POINT_ON_LINE};
  const gradyn_joint_kind kind = kinds[drawn_pick(seed, sizeof kinds / sizeof *kinds)];
  const int before = drawn_pick(seed, i + 1) - 1;
  const int parent = before < 0 ? GRADYN_GROUND : body[before];
  const bool turned = drawn_noise(seed) > 0;
  double p[3], axis[3], side[3];
  draw_vector(seed, 0.4, p);
  draw_vector(seed, 1, axis);
  draw_vector(seed, 1, side);
  const int joint = gradyn_joint_at(
      m, &(gradyn_place_spec){.name = gradyn_name(m, "joint%d", i),
                              .kind = kind,
                              .body_a = turned ? body[i] : parent,
                              .body_b = turned ? parent : body[i],
                              .position = {p[0], p[1], p[2]},
                              .axis = {axis[0], axis[1], axis[2]},
                              .side = {side[0], side[1], side[2]},
                              .axis_b = {axis[1] * side[2] - axis[2] * side[1],
                                         axis[2] * side[0] - axis[0] * side[2],
                                         axis[0] * side[1] - axis[1] * side[0]},
                              .pitch = 0.3});
  add_coordinates(m, i, kind, joint, seed);
  return kind != GRADYN_FIXED;
}

/* What closes a loop, now and then: the last body's point stays in a plane. Rows that depend on others would
 * be compared with data that contradict each other. */
static void close_loop(gradyn_model *m, int body, unsigned *seed)
{
  double p[3], axis[3];
  draw_vector(seed, 1, p);
  draw_vector(seed, 1, axis);
  if (drawn_noise(seed) > 0.6)
    gradyn_joint_at(m, &(gradyn_place_spec){.name = "loop",
                                            .kind = GRADYN_POINT_ON_PLANE,
                                            .body_a = GRADYN_GROUND,
                                            .body_b = body,
                                            .position = {p[0], p[1], p[2]},
                                            .axis = {axis[0], axis[1], axis[2]},
                                            .side = {axis[1], axis[2], axis[0]}});
}

/* --- events ---------------------------------------------------------------------------------------- */

enum { NONE, SWITCH, CATCH, SET, RELEASE, WALL, EVENTS };

/* What happens, by numbers of its own: trees are the same without. */
typedef struct drawn_event {
  unsigned seed;
  int kind;
  int point, body;    /* the point that formulas see, and its body */
  int before, behind; /* modes */
} drawn_event;

static int seen; /* the point, of the model in hand */

/* A clock that goes a little faster or slower where something moves. */
static gradyn_status clock_of(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->t - at->data[0] + 0.002 * at->vel[3 * seen] + 0.003 * at->pos[3 * seen + 1];
  return GRADYN_OK;
}

static gradyn_status turn_back(const gradyn_at *at, gradyn_scalar *value)
{
  *value = -at->data[0] * at->vel[3 * seen + 2];
  return GRADYN_OK;
}

static drawn_event draw_event(gradyn_model *m)
{
  const int number = gradyn_setting_value(m, "seed");
  drawn_event e = {.seed = (unsigned)number * 104729u};
  (void)drawn_noise(&e.seed);
  e.kind = number % 2 ? 1 + drawn_pick(&e.seed, EVENTS - 1) : NONE;
  if (e.kind == NONE || e.kind == WALL)
    return e;
  e.before = gradyn_mode(m, "before");
  e.behind = gradyn_mode(m, "behind");
  return e;
}

static void add_wall(gradyn_model *m, drawn_event *e, double height)
{
  gradyn_bounce(m,
                &(gradyn_bounce_spec){
                    .name = "wall",
                    .point = e->point,
                    .axis = GRADYN_Z,
                    .level = {.value = height - 0.02 + 0.01 * drawn_noise(&e->seed), .rate = 0.1},
                    .restitution = 0.6});
}

/* What is different behind it. */
static void add_mode(gradyn_model *m, drawn_event *e, int R)
{
  gradyn_in_mode(m, e->behind);
  if (e->kind == SWITCH)
    gradyn_spring(m, &(gradyn_spring_spec){"band", e->point, R, .k = 30, .c = 1, .free_length = 1});
  if (e->kind == CATCH) {
    const gradyn_law none = {0};
    gradyn_capture_constraint(m, gradyn_coordinate(m, "caught", e->point, GRADYN_X, &none));
  }
}

static void add_event(gradyn_model *m, drawn_event *e, int R, double height)
{
  const gradyn_datum at = {"at", "s", 0.04 + 0.02 * drawn_noise(&e->seed)},
                     share = {"share", "", 0.4};
  const gradyn_component set = {gradyn_body_centre(m, e->body), GRADYN_Z};
  const gradyn_custom_functional_spec guard = {.terminal = clock_of, .data = &at, .data_count = 1};
  seen = e->point;
  if (e->kind == WALL)
    add_wall(m, e, height);
  if (e->kind == NONE || e->kind == WALL)
    return;
  add_mode(m, e, R);
  gradyn_in_mode(m, e->before);
  if (e->kind == SET)
    gradyn_reset(
        m, &(gradyn_reset_spec){.name = "event",
                                .guard = guard,
                                .direction = GRADYN_RISING,
                                .set = &set,
                                .set_count = 1,
                                .reset = {.terminal = turn_back, .data = &share, .data_count = 1},
                                .mode = e->behind});
  else
    gradyn_when(
        m, &(gradyn_when_spec){
               .name = "event", .guard = guard, .direction = GRADYN_RISING, .mode = e->behind});
  gradyn_in_mode(m, GRADYN_EVERY_MODE);
}

/* --- trees ----------------------------------------------------------------------------------------- */

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  unsigned seed = (unsigned)gradyn_setting_value(m, "seed") * 7919u;
  const int bodies = 2 + drawn_pick(&seed, MOST_BODIES - 1);
  drawn_event event = draw_event(m);
  int body[MOST_BODIES];
  const bool floats = gradyn_setting_value(m, "seed") % 4 == 1; /* the first one has no joint */
  bool moves = false;
  double p[3];
  for (int i = 0; i < bodies; i++) {
    draw_vector(&seed, 0.5, p);
    body[i] = gradyn_body_3d(m, &(gradyn_body_spec){.name = gradyn_name(m, "body%d", i),
                                                    .mass = rho[0] + i,
                                                    .centre = {p[0], p[1], p[2]},
                                                    .velocity = {p[1], p[2], p[0]},
                                                    .omega = {p[2], p[0], 1},
                                                    .inertia = {0.3, 0.4, 0.5, 0.02, -0.03, 0.01}});
    if (event.kind == RELEASE && i == bodies - 1)
      gradyn_in_mode(m, event.before);
    if (i == 0 && floats)
      moves = true;
    else
      moves = add_joint(m, i, body, &seed);
    gradyn_in_mode(m, GRADYN_EVERY_MODE);
  }
  if (moves)
    close_loop(m, body[bodies - 1], &seed);
  draw_vector(&seed, 1, p);
  const int P = gradyn_body_point_3d(m, body[bodies - 1], "P", p[0], p[1], p[2]);
  const int Q = gradyn_body_point_3d(m, body[bodies - 2], "Q", p[1], p[2], p[0]);
  const int R = gradyn_ground_point_3d(m, "R", 0.2, 1, -1);
  gradyn_spring(m, &(gradyn_spring_spec){"near", P, Q, .k = 20, .c = 1, .free_length = 0.2});
  gradyn_spring(m, &(gradyn_spring_spec){"far", P, R, .k = 10, .c = 2, .free_length = 0.4});
  gradyn_gravity_3d(m, 0.1, 0.3, -9.81);
  event.point = P;
  event.body = body[bodies - 1];
  add_event(m, &event, R, p[2]);
  gradyn_minimise(m, gradyn_track_position_3d(m, "track", P, 0.3, 0.2, 0.1));
  gradyn_track_acceleration_3d(m, "smooth", Q, 0, 0, 0);
  gradyn_end_energy(m, "energy");
  return gradyn_built(m);
}

gradyn_problem drawn_problem(drawn_room room, const char *coordinates)
{
  return (gradyn_problem){.name = "tree",
                          .params = params,
                          .param_count = 1,
                          .settings = settings,
                          .setting_count = 1,
                          .build = room == DRAWN_IN_PLANE ? drawn_build_plane : build,
                          .t_end = 0.1,
                          .coordinates = coordinates};
}

/* --- comparison ------------------------------------------------------------------------------------ */

enum { NATURAL, JOINT, DIRECT, RUNS };

typedef struct run {
  gradyn_problem problem;
  gradyn_evaluator *ev;
  double psi[FUNCTIONALS], *slope; /* [FUNCTIONALS][data] */
} run;

static gradyn_status carry_out(drawn_room room, int k, int seed, const char *method, double rtol,
                               run *r)
{
  const gradyn_setting_choice choice = {"seed", seed};
  gradyn_options options;
  r->problem = drawn_problem(room, k == NATURAL ? NULL : "joint");
  gradyn_options_default(&r->problem, &options);
  options.method = method;
  options.rtol = rtol;
  options.sensitivity = k == DIRECT ? "direct" : "adjoint";
  const gradyn_status status = gradyn_evaluator_create(&r->problem, &options, &choice, 1, &r->ev);
  if (status != GRADYN_OK)
    return status;
  r->slope = calloc(FUNCTIONALS * gradyn_data_count(r->ev) + 1, sizeof *r->slope);
  return r->slope == NULL ? GRADYN_NO_MEMORY
                          : gradyn_data_gradient(r->ev, &params[0].init, r->psi, r->slope);
}

/* The derivative of functional f in a run by the datum of a name; NAN: there is none. */
static double slope_of(const run *r, size_t f, const char *name)
{
  const size_t count = gradyn_data_count(r->ev);
  for (size_t i = 0; i < count; i++)
    if (strcmp(gradyn_datum_at(r->ev, i).name, name) == 0)
      return r->slope[f * count + i];
  return (double)NAN;
}

static bool same(const run *one, const run *other, const char *what, double rtol, char *text,
                 size_t size)
{
  const size_t count = gradyn_data_count(one->ev);
  for (size_t f = 0; f < FUNCTIONALS; f++) {
    double most = 1e-4; /* what is zero has no size */
    for (size_t j = 0; j < count; j++)
      most = fmax(most, fabs(one->slope[f * count + j]));
    if (!(fabs(one->psi[f] - other->psi[f]) <= rtol * fmax(fabs(one->psi[f]), most))) {
      (void)snprintf(text, size, "%s: functional %zu is %.15g and %.15g", what, f, one->psi[f],
                     other->psi[f]);
      return false;
    }
    for (size_t j = 0; j < count; j++) {
      const char *name = gradyn_datum_at(one->ev, j).name;
      const double a = one->slope[f * count + j], b = slope_of(other, f, name);
      if (!(fabs(a - b) <= rtol * most)) {
        (void)snprintf(text, size, "%s: functional %zu by %s is %.15g and %.15g, of %.3g", what, f,
                       name, a, b, most);
        return false;
      }
    }
  }
  return true;
}

drawn_outcome drawn_compare(drawn_room room, int seed, const char *method, double rtol, char *text,
                            size_t size)
{
  run runs[RUNS] = {{{0}, NULL, {0}, NULL}};
  gradyn_status status[RUNS];
  drawn_outcome out = DRAWN_SAME;
  for (int k = 0; k < RUNS; k++)
    status[k] = carry_out(room, k, seed, method, rtol, &runs[k]);
  const char *const said = gradyn_evaluator_message(runs[JOINT].ev);
  (void)snprintf(text, size, "%s", said);
  if (status[NATURAL] != status[JOINT] || status[JOINT] != status[DIRECT]) {
    out = status[JOINT] == GRADYN_UNSUPPORTED ? DRAWN_REFUSED : DRAWN_APART;
    if (out == DRAWN_APART)
      (void)snprintf(text, size, "%s in natural, %s in joint coordinates: %s%s",
                     gradyn_status_name((int)status[NATURAL]),
                     gradyn_status_name((int)status[JOINT]), said,
                     gradyn_evaluator_message(runs[NATURAL].ev));
  } else if (status[JOINT] != GRADYN_OK) {
    out = DRAWN_REFUSED;
  } else {
    const double tolerance = 1e4 * rtol;
    out = same(&runs[NATURAL], &runs[JOINT], "coordinates", tolerance, text, size) &&
                  same(&runs[JOINT], &runs[DIRECT], "direct", tolerance, text, size)
              ? DRAWN_SAME
              : DRAWN_APART;
  }
  for (int k = 0; k < RUNS; k++) {
    gradyn_evaluator_free(runs[k].ev);
    free(runs[k].slope);
  }
  return out;
}
