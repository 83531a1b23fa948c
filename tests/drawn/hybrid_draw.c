/* The mechanisms of tests/drawn/hybrid_draw.h. */
#include "tests/drawn/hybrid_draw.h"
#include "tests/support.h"
#include "tests/random.h"
#include "tests/declare.h"

#include <tgmath.h>

enum { MOST_POINTS = 4, MOST_MODES = 4 };

typedef enum guard_kind { LANDING, PULL, SPEED, TIME, GUARD_KINDS } guard_kind;

typedef struct transition {
  guard_kind guard;
  double level, weight[2 * MOST_POINTS];
  gradyn_direction direction;
  bool map, armed, wall, reset;
  double turn;
} transition;

static struct draft {
  uint64_t state; /* of the generator */
  int points, modes, bounces;
  double place[2 * MOST_POINTS], speed[2 * MOST_POINTS], mass[MOST_POINTS];
  double stiffness, damping, drag, floor, restitution, t_end;
  bool tied, swings;
  transition change[MOST_MODES];
} draft;

double uniform(double a, double b)
{
  return random_range(&draft.state, a, b);
}

static bool often(double share)
{
  return uniform(0, 1) < share;
}

static void draw_change(transition *t, int mode)
{
  t->guard = mode % 2 == 0 ? LANDING : (guard_kind)(1 + (int)uniform(0, GUARD_KINDS - 1));
  t->level = t->guard == LANDING ? uniform(-0.3, 0.3)
             : t->guard == TIME  ? uniform(0.3, 1.5)
                                 : uniform(-0.5, 0.5);
  for (int i = 0; i < 2 * MOST_POINTS; i++)
    t->weight[i] = uniform(-1, 1);
  t->direction = t->guard == LANDING ? GRADYN_FALLING : (gradyn_direction)(int)uniform(0, 3);
  t->map = mode % 2 == 1 && often(0.5);
  t->armed = often(0.3);
  t->turn = uniform(-0.4, 0.4);
  t->wall = t->guard == LANDING && often(0.5);
  t->reset = !t->wall && t->turn > 0;
}

bool sums_alone;

void draw(uint64_t seed)
{
  memset(&draft, 0, sizeof draft);
  draft.state = seed;
  draft.points = 1 + (int)uniform(0, MOST_POINTS);
  draft.modes = 2 * (int)uniform(1, 3);
  draft.bounces = (int)uniform(0, 3);
  for (int i = 0; i < 2 * draft.points; i++) {
    draft.place[i] = i % 2 ? uniform(0.5, 1.5) : 0.7 * (i / 2) + uniform(-0.2, 0.2);
    draft.speed[i] = uniform(-1, 1);
  }
  for (int i = 0; i < draft.points; i++)
    draft.mass[i] = uniform(0.3, 2);
  draft.stiffness = uniform(0, 40);
  draft.damping = often(0.5) ? uniform(0, 1) : 0;
  draft.drag = uniform(0.02, 0.2);
  draft.floor = uniform(-1.2, -0.6);
  draft.restitution = uniform(0.5, 1);
  draft.t_end = uniform(0.8, 2);
  draft.tied = draft.points > 1 && often(0.4);
  draft.swings = often(0.3);
  for (int k = 0; k < draft.modes; k++)
    draw_change(&draft.change[k], k);
}

const double rho[P] = {1, 1, 1, 0.1, 1, 1};

/* --- the model -------------------------------------------------------------------------------- */

static gradyn_status drag(const gradyn_at *at, gradyn_scalar force[])
{
  const gradyn_scalar *v = at->vel;
  gradyn_scalar speed = sqrt(v[0] * v[0] + v[1] * v[1] + 1e-2);
  for (int k = 0; k < 2; k++)
    force[k] = -at->data[0] * speed * v[k];
  return GRADYN_OK;
}

/* The guard of a change: user is the change. */
static gradyn_status guard(const gradyn_at *at, gradyn_scalar *value)
{
  const transition *t = at->user;
  *value = -at->data[0];
  if (t->guard == LANDING)
    *value += at->pos[3];
  else if (t->guard == PULL)
    *value += at->lam[1];
  else if (t->guard == TIME)
    *value += at->t;
  for (int i = 0; t->guard == SPEED && i < 2 * draft.points; i++)
    *value += t->weight[i] * at->vel[2 + i];
  return GRADYN_OK;
}

static gradyn_status condition(const gradyn_at *at, gradyn_scalar *value)
{
  const transition *t = at->user;
  *value = 1.5 + t->weight[0] * at->vel[2];
  return GRADYN_OK;
}

FORMULA(mixture, at->pos[2] * at->vel[3] + at->pos[3] + at->t * at->data[0])

/* Time integrand of multipliers and accelerations. */
FORMULA(effort, at->lam[1] * (1 + at->acc[2] / 10) + at->acc[3] * at->pos[2])

/* A reset of a velocity as a function of the state before the event. */
static gradyn_status kick(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *v = at->vel + 2;
  *value = v[0] / (1 + 0.2 * (v[0] * v[0] + v[1] * v[1])) + at->data[0] * at->pos[2];
  return GRADYN_OK;
}

static void add_mechanism(gradyn_model *mbs, const gradyn_scalar r[], int point[])
{
  for (int i = 0; i < draft.points; i++) {
    point[i] = gradyn_point(mbs, gradyn_format_name(mbs, "p%d", i), draft.place[2 * i],
                            draft.place[2 * i + 1] * r[0]);
    gradyn_initial_velocity(mbs, point[i], draft.speed[2 * i] * r[5], draft.speed[2 * i + 1]);
    gradyn_point_mass(mbs, gradyn_format_name(mbs, "m%d", i), point[i], draft.mass[i]);
    const gradyn_datum air = {"drag", "N s^2/m^2", draft.drag * r[4]};
    declare_force(mbs, gradyn_format_name(mbs, "air%d", i), point[i], drag, &air, 1);
  }
  gradyn_gravity(mbs, 0.1, -9.81);
  for (int i = 1; i < draft.points; i++)
    gradyn_spring(mbs, &(gradyn_spring_spec){gradyn_format_name(mbs, "s%d", i), point[i - 1],
                                             point[i], .k = draft.stiffness * r[1],
                                             .c = draft.damping, .free_length = 0.7});
}

/* Modes with odd numbers (from 0) constrain the first point to the level where it has landed, and have
 * their own spring. */
static void add_mode(gradyn_model *mbs, const gradyn_scalar r[], int k, const int mode[],
                     const int point[])
{
  const transition *t = &draft.change[k];
  const gradyn_datum level = {"level", "", t->level + (r[2] - 1) * 0.3};
  const gradyn_component x = {point[0], GRADYN_X}, y = {point[0], GRADYN_Y};
  const gradyn_map_term map[] = {
      {x, x, 1 + t->turn * r[3], false}, {x, y, t->turn, false},       {x, y, -t->turn, true},
      {y, x, 0.3 * t->turn, false},      {y, x, -0.3 * t->turn, true}, {y, y, 1, false}};
  if (k % 2 == 1) {
    gradyn_scalar held = draft.change[k - 1].level + (r[2] - 1) * 0.3;
    gradyn_constraint_set_modes(mbs,
                                gradyn_coordinate(mbs, gradyn_format_name(mbs, "held%d", k),
                                                  point[0], GRADYN_Y,
                                                  &(gradyn_time_function){.value = held}),
                                gradyn_modes_of(mode[k]));
    if (draft.points > 1)
      gradyn_force_set_modes(
          mbs,
          gradyn_spring(mbs, &(gradyn_spring_spec){gradyn_format_name(mbs, "own%d", k), point[0],
                                                   point[1], .k = 10 * r[1], .free_length = 0.5}),
          gradyn_modes_of(mode[k]));
  }
  const char *name = gradyn_format_name(mbs, "change%d", k);
  if (t->wall) {
    gradyn_event_set_modes(
        mbs,
        gradyn_impact(mbs, &(gradyn_impact_spec){.name = name,
                                                 .point = point[0],
                                                 .axis = GRADYN_Y,
                                                 .level = {.value = level.value},
                                                 .mode = mode[(k + 1) % draft.modes]}),
        gradyn_modes_of(mode[k]));
    return;
  }
  gradyn_event_spec spec = {
      .name = name,
      .guard = {.terminal = guard, .data = &level, .data_count = 1, .user = (void *)t},
      .direction = t->direction,
      .mode = mode[(k + 1) % draft.modes]};
  if (t->armed)
    spec.condition = (gradyn_custom_functional_spec){.terminal = condition, .user = (void *)t};
  if (t->map) {
    spec.map = map;
    spec.map_count = 6;
  }
  if (!t->reset) {
    gradyn_event_set_modes(mbs, gradyn_event(mbs, &spec), gradyn_modes_of(mode[k]));
    return;
  }
  const gradyn_datum pull = {"pull", "1/s", t->turn * r[4]};
  gradyn_event_set_modes(
      mbs,
      gradyn_event(mbs,
                   &(gradyn_event_spec){.name = name,
                                        .guard = spec.guard,
                                        .direction = spec.direction,
                                        .condition = spec.condition,
                                        .set = &x,
                                        .set_count = 1,
                                        .reset = {.terminal = kick, .data = &pull, .data_count = 1},
                                        .map = spec.map,
                                        .map_count = spec.map_count,
                                        .mode = spec.mode}),
      gradyn_modes_of(mode[k]));
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar r[])
{
  int mode[MOST_MODES], point[MOST_POINTS];
  for (int k = 0; k < draft.modes; k++)
    mode[k] = gradyn_mode(mbs, gradyn_format_name(mbs, "mode%d", k));
  for (int k = 1; k < draft.modes; k += 2) /* constraint 0 belongs to mode 1 */
    draft.change[k].guard = k == 1 || draft.change[k].guard != PULL ? draft.change[k].guard : SPEED;
  add_mechanism(mbs, r, point);
  for (int k = 0; k < draft.modes; k++)
    add_mode(mbs, r, k, mode, point);
  if (draft.tied) {
    int peg = gradyn_ground_point(mbs, "peg", draft.place[2] + 0.5, 1.6);
    gradyn_rod(mbs, &(gradyn_rod_spec){"arm", peg, point[1], .mass = 0.2});
  }
  const gradyn_time_function floor = {
      .value = draft.floor * r[0], .amplitude = draft.swings ? 0.05 : 0, .frequency = 9};
  for (int i = 0; i < draft.bounces && i < draft.points; i++)
    gradyn_impact(mbs,
                  &(gradyn_impact_spec){gradyn_format_name(mbs, "floor%d", i), point[i], GRADYN_Y,
                                        floor, .restitution = draft.restitution * r[4]});
  gradyn_end_time(mbs, draft.t_end * (1 + 0.1 * (r[5] - 1)));
  const gradyn_datum shift = {"shift", "", r[3]};
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"x", gradyn_measure_point(mbs, "", point[0], 0, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){
                        "vy", gradyn_measure_point(mbs, "", point[draft.points - 1], 1, GRADYN_Y),
                        .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "speed", gradyn_measure_point(mbs, "", point[0], 1, GRADYN_ALL_AXES),
                             .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.1, 0}});
  if (!sums_alone) {
    gradyn_event_time(mbs, "first", GRADYN_ANY_EVENT, 1);
    gradyn_functional(
        mbs,
        &(gradyn_functional_spec){
            "after",
            gradyn_measure_custom(
                mbs, &(gradyn_custom_measure_spec){"after", "", .formula = mixture, .data = &shift,
                                                   .data_count = 1, .hidden = true}),
            .reduction = GRADYN_AFTER_EVENT, .event = GRADYN_ANY_EVENT, .occurrence = 1});
  }
  declare_integral(mbs, "effort", "", effort);
  if (!sums_alone)
    gradyn_event_impulse(mbs, "impulse", GRADYN_ANY_EVENT, 1);
  return gradyn_build_status(mbs);
}

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
const gradyn_problem problem = PROBLEM("hybrid", build, params, .t_end = 1, .rtol = 1e-11);
