/* The ball of the grid of analyses, as a problem and as an independent implementation. */
#include "tests/adjoint/grid_models.h"
#include "tests/support.h"
#include "tests/declare.h"

static const double mass = 1.3, g = 9.81, angle = 0.4, restitution = 0.6; /* kg, m/s^2, rad */
static const double stiffness = 6, damping = 0.4, at_rest = 0.5;          /* N/m, N s/m, m */
static const double anchor[2] = {0.3, 1.6};
/* m, rad/s: amplitude and frequency of the slope's motion */
static const double swell = 0.03, pulse = 5;
static const double edge = 0.35, length = 1, release = 0.6; /* m, m, s */

const grid_case grid_cases[GRID_CASES] = {
    {"bounce", GRID_BOUNCE, {0.2, 1, 0.5, 0.3}, 0.7, 1, {GRID_TOUCHES}, {GRID_FREE, GRID_FREE}},
    {"landing", GRID_LANDING, {0.2, 1, 0.5, 0.3}, 0.9, 1, {GRID_TOUCHES}, {GRID_FREE, GRID_SLOPE}},
    {"sticking",
     GRID_STICKING,
     {0.2, 1, 0.5, 0.3},
     0.9,
     1,
     {GRID_TOUCHES},
     {GRID_FREE, GRID_STUCK}},
    {"lift-off", GRID_LIFT_OFF, {-0.2, 0, 0.4, 0}, 0.9, 1, {GRID_EDGE}, {GRID_SLOPE, GRID_FREE}},
    {"swing",
     GRID_SWING,
     {0.9, -0.1, 0.8, 3.6},
     0.5,
     2,
     {GRID_TIGHT, GRID_SLACK},
     {GRID_FREE, GRID_ROPE, GRID_FREE}},
    {"grip",
     GRID_GRIP,
     {0.2, 1, 0.5, 0.3},
     0.9,
     2,
     {GRID_EDGE, GRID_CLOCK},
     {GRID_FREE, GRID_GRIPPED, GRID_FREE}},
    {"law", GRID_LAW, {0.2, 1, 0.5, 0.3}, 0.7, 1, {GRID_NEARS}, {GRID_FREE, GRID_FREE}}};

/* --- by hand ------------------------------------------------------------------------------------ */

static double normal(int i)
{
  return i == 0 ? sin(angle) : cos(angle);
}

static double along(int i)
{
  return i == 0 ? cos(angle) : -sin(angle);
}

/* Displacement of the slope, and its time derivatives. */
static grid_number level(int order, grid_number t)
{
  return order == 0   ? swell * csin(pulse * t)
         : order == 1 ? swell * pulse * ccos(pulse * t)
                      : -swell * pulse * pulse * csin(pulse * t);
}

static grid_number across(const grid_number *v)
{
  return normal(0) * v[0] + normal(1) * v[1];
}

void grid_start(const grid_case *c, const grid_number rho[], grid_number z[])
{
  for (int i = 0; i < GRID_STATES; i++)
    z[i] = rho[i];
  for (int i = 0; i < 2 && c->mode[0] == GRID_SLOPE; i++) {
    z[i] = along(i) * rho[0] + normal(i) * level(0, 0);
    z[2 + i] = along(i) * rho[2] + normal(i) * level(1, 0);
  }
}

/* Forces over the mass. */
static void accelerate(const grid_number z[], const grid_number u[], grid_number a[2])
{
  const grid_number d[2] = {anchor[0] - z[0], anchor[1] - z[1]};
  const grid_number s = csqrt(d[0] * d[0] + d[1] * d[1]);
  const grid_number rate = -(d[0] * z[2] + d[1] * z[3]) / s;
  for (int i = 0; i < 2; i++)
    a[i] = ((stiffness * (s - at_rest) + damping * rate) * d[i] / s + u[i]) / mass - (i == 1) * g;
}

/* Multiplier of the rope's constraint (q q - length^2)/2, divided by the mass. */
static grid_number tension(const grid_number z[], const grid_number a[2])
{
  return (z[0] * a[0] + z[1] * a[1] + z[2] * z[2] + z[3] * z[3]) / (z[0] * z[0] + z[1] * z[1]);
}

void grid_rates(grid_mode mode, double t, const grid_number z[], const grid_number u[],
                grid_number zp[])
{
  grid_number a[2];
  accelerate(z, u, a);
  const grid_number pull = tension(z, a), lift = level(2, t) - across(a);
  for (int i = 0; i < 2; i++) {
    zp[i] = z[2 + i];
    zp[2 + i] = mode == GRID_FREE    ? a[i]
                : mode == GRID_SLOPE ? a[i] + normal(i) * lift
                : mode == GRID_ROPE  ? a[i] - pull * z[i]
                                     : normal(i) * level(2, t);
  }
}

grid_number grid_guard_value(grid_guard guard, grid_number t, const grid_number z[])
{
  static const grid_number none[2];
  grid_number a[2];
  accelerate(z, none, a);
  switch (guard) {
  case GRID_TOUCHES:
  case GRID_NEARS:
    return across(z) - level(0, t);
  case GRID_TIGHT:
    return (length * length - z[0] * z[0] - z[1] * z[1]) / 2;
  case GRID_EDGE:
    return edge - z[0];
  case GRID_SLACK:
    return tension(z, a);
  default:
    return release - t;
  }
}

/* Velocity after a bounce: the normal velocity returns with restitution/(1 - 0.3 approach), the tangential
 * one increases by approach^2/20. */
static void come_back(grid_number t, const grid_number z[], grid_number v[2])
{
  const grid_number approach = across(z + 2) - level(1, t);
  const grid_number back = 1 + restitution / (1 - 0.3 * approach);
  for (int i = 0; i < 2; i++)
    v[i] = z[2 + i] - back * approach * normal(i) + approach * approach / 20 * along(i);
}

void grid_jump(const grid_case *c, int k, grid_number t, const grid_number z[], grid_number zp[])
{
  const grid_mode from = c->mode[k], to = c->mode[k + 1];
  const grid_number approach = across(z + 2) - level(1, t);
  const grid_number radial = (z[0] * z[2] + z[1] * z[3]) / (z[0] * z[0] + z[1] * z[1]);
  memcpy(zp, z, GRID_STATES * sizeof *z);
  if (c->guard[k] == GRID_NEARS) {
    come_back(t, z, zp + 2);
    return;
  }
  for (int i = 0; i < 2; i++) {
    if (from == GRID_FREE && to == GRID_FREE)
      zp[2 + i] -= (1 + restitution) * approach * normal(i);
    else if (to == GRID_SLOPE)
      zp[2 + i] -= approach * normal(i);
    else if (to == GRID_STUCK || to == GRID_GRIPPED)
      zp[2 + i] = level(1, t) * normal(i);
    else if (to == GRID_ROPE)
      zp[2 + i] -= radial * z[i];
  }
}

int grid_tangents(grid_mode mode, const double z[], double T[GRID_STATES][GRID_STATES])
{
  memset(T, 0, GRID_STATES * sizeof *T);
  const int all = mode == GRID_FREE ? GRID_STATES : mode == GRID_GRIPPED ? 2 : 0;
  for (int i = 0; i < all; i++)
    T[i][i] = 1;
  if (all > 0)
    return all;
  const double t[2] = {mode == GRID_ROPE ? -z[1] : along(0), mode == GRID_ROPE ? z[0] : along(1)};
  /* q dv + v dq = 0 for tangents of the rope's constraint */
  const double turn = mode == GRID_ROPE ? (z[2] * t[0] + z[3] * t[1]) / (length * length) : 0;
  for (int i = 0; i < 2; i++) {
    T[0][i] = T[1][2 + i] = t[i];
    T[0][2 + i] = -turn * z[i];
  }
  return mode == GRID_STUCK ? 1 : 2;
}

/* --- the problem -------------------------------------------------------------------------------- */

/* Constraint normal q - level, or along q - place, with its time derivatives. */
static gradyn_status on_slope(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *of[] = {at->pos, at->vel, at->acc}, *r = of[order], wt = pulse * at->t;
  const gradyn_scalar moves[] = {sin(wt), pulse * cos(wt), -pulse * pulse * sin(wt)};
  *value = normal(0) * r[0] + normal(1) * r[1] - swell * moves[order];
  return GRADYN_OK;
}

static gradyn_status at_place(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *of[] = {at->pos, at->vel, at->acc}, *r = of[order];
  *value = along(0) * r[0] + along(1) * r[1];
  return GRADYN_OK;
}

/* (length^2 - q q)/2 and its time derivatives. */
static gradyn_status slack(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *q = at->pos, *v = at->vel, *a = at->acc;
  const gradyn_scalar of[] = {(q[0] * q[0] + q[1] * q[1] - length * length) / 2,
                              q[0] * v[0] + q[1] * v[1],
                              q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1]};
  *value = -of[order];
  return GRADYN_OK;
}

FORMULA(before_edge, edge - at->pos[2])

/* The rope's constraint is -q q/2, whose multiplier is negative while the rope pulls. */
FORMULA(pulls, -at->lam[1])

static gradyn_status nears(const gradyn_at *at, gradyn_scalar *value)
{
  return on_slope(at, 0, value);
}

static gradyn_status law(const gradyn_at *at, gradyn_scalar value[])
{
  const grid_number z[GRID_STATES] = {at->pos[2], at->pos[3], at->vel[2], at->vel[3]};
  come_back(at->t, z, value);
  return GRADYN_OK;
}

FORMULA(clock, release - at->t)

typedef struct parts {
  const grid_case *c;
  int ball, mode[GRID_ROPE + 1]; /* by what holds */
} parts;

static void add_ball(gradyn_model *m, const gradyn_scalar rho[], parts *p)
{
  static const gradyn_scalar none[2];
  grid_number z[GRID_STATES];
  grid_start(p->c, rho, z);
  p->ball = gradyn_point(m, "ball", z[0], z[1]);
  gradyn_initial_velocity(m, p->ball, z[2], z[3]);
  gradyn_point_mass(m, "mass", p->ball, mass);
  gradyn_gravity(m, 0, -g);
  gradyn_spring(
      m, &(gradyn_spring_spec){.name = "spring",
                               .from = gradyn_ground_point(m, "anchor", anchor[0], anchor[1]),
                               .to = p->ball,
                               .k = stiffness,
                               .c = damping,
                               .free_length = at_rest});
  for (int k = 0; k < GRID_INPUTS; k++) {
    const int u = declare_signal(m, k ? "uy" : "ux", "N", GRADYN_PIECEWISE_CONSTANT, 2, none);
    declare_push(m, k ? "fy" : "fx", p->ball, 1 - k, k, u);
  }
}

/* Constraints of the modes that occur in the run. */
static gradyn_custom_constraint_spec row(const parts *p, const char *name, gradyn_constraint_fn fn)
{
  return (gradyn_custom_constraint_spec){
      .name = name, .points = &p->ball, .point_count = 1, .fn = fn};
}

static void add_constraints(gradyn_model *m, const parts *p)
{
  const gradyn_custom_constraint_spec plane = row(p, "plane", on_slope),
                                      place = row(p, "place", at_place),
                                      rope = row(p, "rope", slack);
  const int caught = p->mode[GRID_STUCK] + p->mode[GRID_GRIPPED];
  if (caught + p->mode[GRID_SLOPE] > 0) {
    const int held = gradyn_custom_constraint(m, &plane);
    gradyn_constraint_set_modes(m, held, gradyn_modes_of(caught + p->mode[GRID_SLOPE]));
    if (p->mode[GRID_GRIPPED] > 0)
      gradyn_latch_constraint(m, held);
  }
  if (caught > 0) {
    gradyn_constraint_id latched = gradyn_custom_constraint(m, &place);
    gradyn_constraint_set_modes(m, latched, gradyn_modes_of(caught + p->mode[GRID_SLOPE]));
    gradyn_latch_constraint(m, latched);
  }
  if (p->mode[GRID_ROPE] > 0)
    gradyn_constraint_set_modes(m, gradyn_custom_constraint(m, &rope),
                                gradyn_modes_of(p->mode[GRID_ROPE]));
}

static void add_event(gradyn_model *m, const parts *p, int k)
{
  static const gradyn_functional_fn formula[] = {
      [GRID_EDGE] = before_edge, [GRID_SLACK] = pulls, [GRID_CLOCK] = clock};
  static const char *const name[] = {"touches", "tight", "edge", "slack", "clock"};
  const gradyn_component both[] = {{p->ball, GRADYN_X}, {p->ball, GRADYN_Y}};
  const grid_guard guard = p->c->guard[k];
  const bool wall = guard == GRID_TOUCHES, changes = p->c->mode[k] != p->c->mode[k + 1];
  const gradyn_custom_constraint_spec gap = wall ? row(p, "gap", on_slope) : row(p, "gap", slack);
  const int behind = changes ? p->mode[p->c->mode[k + 1]] : GRADYN_SAME_MODE;
  if (wall || guard == GRID_TIGHT)
    gradyn_event_set_modes(
        m,
        gradyn_impact(m, &(gradyn_impact_spec){.name = name[guard],
                                               .point = p->ball,
                                               .gap = &gap,
                                               .restitution = changes ? 0 : restitution,
                                               .mode = behind}),
        gradyn_modes_of(p->mode[p->c->mode[k]]));
  else if (guard == GRID_NEARS)
    gradyn_event_set_modes(m,
                           gradyn_event(m, &(gradyn_event_spec){.name = "nears",
                                                                .guard = {.terminal = nears,
                                                                          .points = &p->ball,
                                                                          .point_count = 1},
                                                                .set = both,
                                                                .set_count = 2,
                                                                .reset = {.terminal = law}}),
                           gradyn_modes_of(p->mode[p->c->mode[k]]));
  else
    gradyn_event_set_modes(
        m,
        gradyn_event(m, &(gradyn_event_spec){.name = name[guard],
                                             .guard = {.terminal = formula[guard]},
                                             .mode = behind}),
        gradyn_modes_of(p->mode[p->c->mode[k]]));
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  static const char *const name[] = {"free", "slope", "stuck", "gripped", "rope"};
  parts p = {.c = &grid_cases[gradyn_setting_value(m, "case")]};
  for (int k = 0; k <= p.c->events; k++)
    if (p.mode[p.c->mode[k]] == 0)
      p.mode[p.c->mode[k]] = gradyn_mode(m, name[p.c->mode[k]]);
  add_ball(m, rho, &p);
  add_constraints(m, &p);
  for (int k = 0; k < p.c->events; k++)
    add_event(m, &p, k);
  gradyn_functional(m, &(gradyn_functional_spec){"x_end",
                                                 gradyn_measure_point(m, "", p.ball, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  gradyn_end_time(m, p.c->t_end);
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{.name = "x"}, {.name = "y"}, {.name = "vx"}, {.name = "vy"}};
static const gradyn_setting settings[] = {{"case", "which course", 0, 0, GRID_CASES - 1}};

const gradyn_problem grid_problem = PROBLEM("grid", build, params, .settings = settings,
                                            .setting_count = 1, .t_end = 1, .rtol = 1e-11);
