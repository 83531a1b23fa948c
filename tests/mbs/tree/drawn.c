/* Random trees and loops in space. Events and additional parts use separate random numbers, so that each
 * tree is the same with and without them. */
#include "tests/mbs/tree/drawn.h"
#include "tests/support.h"
#include "tests/declare.h"

#include <stdint.h>

enum { MOST_BODIES = 6, MOST_COORDINATES = 2 * MOST_BODIES };

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

gradyn_scalar drawn_on(drawn_line *line, double value)
{
  const double size = value < 0 ? -value : value;
  return value + line->along * drawn_noise(&line->seed) * (size < 0.1 ? 0.1 : size);
}

static void draw_vector(unsigned *seed, double size, double *out)
{
  for (int k = 0; k < 3; k++)
    out[k] = size * drawn_noise(seed);
}

/* --- what there will be ---------------------------------------------------------------------------- */

/* Number of coordinates and of constraints of a kind of joint. */
typedef struct kind {
  gradyn_joint_kind kind;
  int free;
} kind;

static const kind carrying[] = {
    {GRADYN_REVOLUTE, 1},  {GRADYN_REVOLUTE, 1},  {GRADYN_REVOLUTE, 1},
    {GRADYN_PRISMATIC, 1}, {GRADYN_PRISMATIC, 1}, {GRADYN_FIXED, 0},
    {GRADYN_SPHERICAL, 3}, {GRADYN_UNIVERSAL, 2}, {GRADYN_CYLINDRICAL, 2},
    {GRADYN_SCREW, 1},     {GRADYN_PLANAR, 3},    {GRADYN_POINT_ON_LINE, 4}};
static const kind closing[] = {{GRADYN_SPHERICAL, 3},       {GRADYN_UNIVERSAL, 2},
                               {GRADYN_POINT_ON_LINE, 4},   {GRADYN_PLANAR, 3},
                               {GRADYN_CYLINDRICAL, 2},     {GRADYN_REVOLUTE, 1},
                               {GRADYN_PRISMATIC, 1},       {GRADYN_POINT_ON_PLANE, 5},
                               {GRADYN_CONSTANT_LENGTH, 5}, {GRADYN_SCREW, 1}};

enum { NONE = -1, AFLOAT = -2 };

/* Declared coordinates; `told`: it has a value by an initial condition or a drive. */
typedef struct coordinate {
  int number, body;
  bool told;
} coordinate;

typedef struct drawing {
  gradyn_model *m;
  unsigned seed, more; /* random numbers of the tree, and of all other parts */
  drawn_line line;
  int bodies, body[MOST_BODIES], parent[MOST_BODIES], joint[MOST_BODIES];
  const kind *kind[MOST_BODIES]; /* NULL: it floats */
  /* kind of joint that attaches the last body to another one; NULL: there is none */
  const kind *closes;
  int closed_at; /* that one, -1: the ground */
  int cut;       /* body whose joint is to be cut; `bodies`: the closing joint; NONE */
  int loose;     /* coordinates without a value */
  coordinate coordinate[MOST_COORDINATES];
  int coordinates;
} drawing;

static double noise(drawing *d)
{
  return drawn_noise(&d->seed);
}

static gradyn_scalar on(drawing *d, double value)
{
  return drawn_on(&d->line, value);
}

/* Returns whether a body is on the path from another one to the ground, -1. */
static bool is_before(const drawing *d, int body, int from)
{
  while (from >= 0 && from != body)
    from = d->kind[from] ? d->parent[from] : AFLOAT;
  return from == body;
}

/* Number of coordinates of the joints between two bodies; 0: there is no path between them. */
static int free_between(const drawing *d, int a, int b)
{
  int free = 0;
  for (int k = 0; k < 2; k++) {
    for (int i = k == 0 ? a : b; !is_before(d, i, k == 0 ? b : a); i = d->parent[i]) {
      if (i < 0 || !d->kind[i])
        return 0;
      free += d->kind[i]->free;
    }
  }
  return free;
}

/* Chooses a joint of the loop to be cut, the closing joint, or none. */
static int draw_cut(drawing *d)
{
  int on[MOST_BODIES + 1], count = 0;
  for (int i = 0; i < d->bodies; i++)
    if (d->kind[i] && is_before(d, i, d->bodies - 1) != is_before(d, i, d->closed_at))
      on[count++] = i;
  on[count++] = d->bodies;
  return drawn_noise(&d->more) > 0 ? on[drawn_pick(&d->more, count)] : NONE;
}

/* Closes a loop, if its joints have more freedoms than the closing joint removes. */
static void draw_loop(drawing *d)
{
  const kind *k = &closing[drawn_pick(&d->more, GRADYN_COUNT(closing))];
  d->closed_at = drawn_pick(&d->more, d->bodies) - 1;
  d->cut = NONE;
  if (drawn_noise(&d->more) < 0 || d->bodies < 3 ||
      free_between(d, d->bodies - 1, d->closed_at) <= 6 - k->free)
    return;
  d->closes = k;
  d->cut = draw_cut(d);
}

static drawing draw_tree(gradyn_model *m, gradyn_scalar along)
{
  const unsigned number = (unsigned)gradyn_setting_value(m, "seed");
  drawing d = {.m = m,
               .seed = number * 7919u,
               .more = number * 15485863u,
               .line = {along, number * 6700417u},
               .cut = NONE};
  (void)drawn_noise(&d.more);
  d.bodies = 2 + drawn_pick(&d.seed, MOST_BODIES - 1);
  for (int i = 0; i < d.bodies; i++) {
    const bool floats = i == 0 && number % 4 == 1;
    d.parent[i] = floats ? AFLOAT : drawn_pick(&d.seed, i + 1) - 1;
    d.kind[i] = floats ? NULL : &carrying[drawn_pick(&d.seed, GRADYN_COUNT(carrying))];
    d.loose += floats ? 6 : d.kind[i]->free;
  }
  draw_loop(&d);
  if (d.closes)
    d.loose -= 6 - d.closes->free;
  return d;
}

/* --- joints ---------------------------------------------------------------------------------------- */

/* A spring on a coordinate and, in most cases, an initial value or a drive; otherwise the declared initial
 * state. */
static void add_coordinate(drawing *d, int i, const char *what, int c)
{
  gradyn_model *m = d->m;
  const double start = 0.3 * noise(d), rate = 2 * noise(d), told = noise(d);
  const bool driven = drawn_noise(&d->more) > 0.8;
  coordinate *own = &d->coordinate[d->coordinates++];
  *own = (coordinate){.number = c, .body = i};
  if (told > (d->closes ? 0.5 : -0.5) && d->loose > 1) {
    if (driven)
      gradyn_drive_joint(m, gradyn_format_name(m, "drive%d.%s", i, what), c,
                         &(gradyn_time_function){.value = on(d, start),
                                                 .rate = on(d, rate),
                                                 .amplitude = on(d, 0.1 * start),
                                                 .frequency = on(d, 5 + rate)});
    else
      gradyn_fix_initial_joint(m, gradyn_format_name(m, "start%d.%s", i, what), c, on(d, start),
                               on(d, rate));
    own->told = true;
    d->loose--;
  }
  gradyn_joint_spring(
      m, &(gradyn_joint_spring_spec){.name = gradyn_format_name(m, "spring%d.%s", i, what),
                                     .coordinate = c,
                                     .k = on(d, 5),
                                     .c = on(d, 0.3)});
}

static void add_coordinates(drawing *d, int i, gradyn_joint_kind own, int joint)
{
  gradyn_model *m = d->m;
  if (own == GRADYN_REVOLUTE || own == GRADYN_CYLINDRICAL || own == GRADYN_SCREW)
    add_coordinate(d, i, "angle", gradyn_joint_coordinate(m, joint, GRADYN_ANGLE));
  if (own == GRADYN_PRISMATIC || own == GRADYN_CYLINDRICAL)
    add_coordinate(d, i, "slide", gradyn_joint_coordinate(m, joint, GRADYN_SLIDE));
  if ((own == GRADYN_REVOLUTE || own == GRADYN_PRISMATIC) && noise(d) > 0.7)
    gradyn_joint_friction(
        m, &(gradyn_joint_friction_spec){.name = gradyn_format_name(m, "friction%d", i),
                                         .joint = joint,
                                         .law = GRADYN_BROWN_MCPHEE,
                                         .still = on(d, 0.2),
                                         .kinetic = on(d, 0.2),
                                         .transition = on(d, 0.5),
                                         .smoothing = on(d, 1),
                                         .radius = own == GRADYN_REVOLUTE ? on(d, 0.02) : 0});
}

static int body_at(const drawing *d, int i)
{
  return i < 0 ? GRADYN_GROUND : d->body[i];
}

static int add_joint(drawing *d, const char *name, gradyn_joint_kind own, const int of[2],
                     unsigned *seed, bool cut, gradyn_modes modes)
{
  const bool turned = drawn_noise(seed) > 0;
  double p[3], axis[3], side[3];
  draw_vector(seed, 0.4, p);
  draw_vector(seed, 1, axis);
  draw_vector(seed, 1, side);
  const gradyn_scalar u[] = {on(d, axis[0]), on(d, axis[1]), on(d, axis[2])},
                      v[] = {on(d, side[0]), on(d, side[1]), on(d, side[2])};
  return gradyn_joint_between(
      d->m,
      &(gradyn_joint_between_spec){.name = name,
                                   .kind = own,
                                   .body_a = turned ? of[1] : of[0],
                                   .body_b = turned ? of[0] : of[1],
                                   .position = {on(d, p[0]), on(d, p[1]), on(d, p[2])},
                                   .axis = {u[0], u[1], u[2]},
                                   .side = {v[0], v[1], v[2]},
                                   .axis_b = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                              u[0] * v[1] - u[1] * v[0]},
                                   .pitch = on(d, 0.3),
                                   .cut = cut,
                                   .modes = modes});
}

static void carry(drawing *d, int i, gradyn_modes modes)
{
  const int of[] = {body_at(d, d->parent[i]), d->body[i]};
  d->joint[i] = add_joint(d, gradyn_format_name(d->m, "joint%d", i), d->kind[i]->kind, of, &d->seed,
                          d->cut == i, modes);
  add_coordinates(d, i, d->kind[i]->kind, d->joint[i]);
}

/* Closes a loop by a joint of any kind, or by a plane for a point of the last body. */
static void close_loop(drawing *d)
{
  const int last = d->body[d->bodies - 1];
  double p[3], axis[3];
  draw_vector(&d->seed, 1, p);
  draw_vector(&d->seed, 1, axis);
  if (d->closes && d->closes->kind == GRADYN_CONSTANT_LENGTH) {
    const int A = declare_frame(d->m, "near", body_at(d, d->closed_at),
                                VECTOR(on(d, 0.9), on(d, p[0]), on(d, p[1])), NULL);
    const int B = declare_frame(d->m, "away", last, VECTOR(on(d, p[2]), on(d, -0.8), on(d, 0)),
                                NULL);
    gradyn_joint(d->m, &(gradyn_joint_spec){.name = "closing",
                                            .kind = GRADYN_CONSTANT_LENGTH,
                                            .a = A,
                                            .b = B,
                                            .cut = d->cut == d->bodies});
  } else if (d->closes) {
    add_joint(d, "closing", d->closes->kind, (int[]){body_at(d, d->closed_at), last}, &d->more,
              d->cut == d->bodies, 0);
  } else if (noise(d) > 0.6 && d->loose > 1) {
    d->loose--;
    gradyn_joint_between(d->m, &(gradyn_joint_between_spec){
                                   .name = "loop",
                                   .kind = GRADYN_POINT_ON_PLANE,
                                   .body_a = GRADYN_GROUND,
                                   .body_b = last,
                                   .position = {on(d, p[0]), on(d, p[1]), on(d, p[2])},
                                   .axis = {on(d, axis[0]), on(d, axis[1]), on(d, axis[2])},
                                   .side = {on(d, axis[1]), on(d, axis[2]), on(d, axis[0])}});
  }
}

/* A gear between two coordinates, at most one of which has an initial value. */
static void add_gear(drawing *d)
{
  if (d->coordinates < 2 || d->loose < 2 || drawn_noise(&d->more) < 0)
    return;
  const int one = drawn_pick(&d->more, d->coordinates - 1);
  const coordinate *first = &d->coordinate[one], *second = first + 1;
  if ((first->told && second->told) || first->body == second->body)
    return;
  gradyn_gear(d->m, "gear", first->number, second->number, on(d, 0.5 + drawn_noise(&d->more)));
  d->loose--;
}

/* --- events ---------------------------------------------------------------------------------------- */

enum { NOTHING, SWITCH, CATCH, SET, RELEASE, WALL, BRAKE, EVENTS };

/* An event, with separate random numbers: the tree is the same without it. */
typedef struct drawn_event {
  unsigned seed;
  int kind;
  int point, body;    /* the point that functions read, and its body */
  int before, behind; /* modes */
  int brake;          /* a coordinate that is latched after the event */
} drawn_event;

/* Id of the point that a function reads, which differs between natural and joint coordinates. */
static int seen(const gradyn_at *at)
{
  return (int)(intptr_t)at->user;
}

/* A guard in time that also depends slightly on the motion. */
FORMULA(clock_of,
        at->t - at->data[0] + 0.002 * at->vel[3 * seen(at)] + 0.003 * at->pos[3 * seen(at) + 1])

FORMULA(turn_back, -at->data[0] * at->vel[3 * seen(at) + 2])

static drawn_event draw_event(gradyn_model *m)
{
  const int number = gradyn_setting_value(m, "seed");
  drawn_event e = {.seed = (unsigned)number * 104729u};
  (void)drawn_noise(&e.seed);
  e.kind = number % 2 ? 1 + drawn_pick(&e.seed, EVENTS - 1) : NOTHING;
  if (e.kind == NOTHING || e.kind == WALL)
    return e;
  e.before = gradyn_mode(m, "before");
  e.behind = gradyn_mode(m, "behind");
  return e;
}

static void add_wall(drawing *d, drawn_event *e, double height)
{
  gradyn_impact(d->m, &(gradyn_impact_spec){
                          .name = "wall",
                          .point = e->point,
                          .axis = GRADYN_Z,
                          .level = {.value = on(d, height - 0.02 + 0.01 * drawn_noise(&e->seed)),
                                    .rate = on(d, 0.1)},
                          .restitution = on(d, 0.6)});
}

/* What is different behind it. */
static void add_mode(drawing *d, drawn_event *e, int R)
{
  gradyn_model *m = d->m;
  if (e->kind == SWITCH)
    gradyn_force_set_modes(
        m,
        gradyn_spring(m, &(gradyn_spring_spec){"band", e->point, R, .k = on(d, 30), .c = on(d, 1),
                                               .free_length = on(d, 1)}),
        gradyn_modes_of(e->behind));
  if (e->kind == CATCH) {
    gradyn_constraint_id latched = gradyn_coordinate(m, "caught", e->point, GRADYN_X,
                                                     &(gradyn_time_function){0});
    gradyn_constraint_set_modes(m, latched, gradyn_modes_of(e->behind));
    gradyn_latch_constraint(m, latched);
  }
  if (e->kind == BRAKE) {
    gradyn_constraint_id latched = gradyn_drive_joint(m, "brake", e->brake,
                                                      &(gradyn_time_function){0});
    gradyn_constraint_set_modes(m, latched, gradyn_modes_of(e->behind));
    gradyn_latch_constraint(m, latched);
  }
}

static void add_event(drawing *d, drawn_event *e, int R, double height)
{
  gradyn_model *m = d->m;
  const gradyn_datum at = {"at", "s", on(d, 0.02 + 0.01 * drawn_noise(&e->seed))},
                     share = {"share", "", on(d, 0.4)};
  const gradyn_component set = {gradyn_body_centre(m, e->body), GRADYN_Z};
  const gradyn_custom_functional_spec guard = {
      .terminal = clock_of, .data = &at, .data_count = 1, .user = (void *)(intptr_t)e->point};
  if (e->kind == WALL)
    add_wall(d, e, height);
  if (e->kind == NOTHING || e->kind == WALL)
    return;
  add_mode(d, e, R);
  if (e->kind == SET)
    gradyn_event_set_modes(
        m,
        gradyn_event(m, &(gradyn_event_spec){.name = "event",
                                             .guard = guard,
                                             .direction = GRADYN_RISING,
                                             .set = &set,
                                             .set_count = 1,
                                             .reset = {.terminal = turn_back,
                                                       .data = &share,
                                                       .data_count = 1,
                                                       .user = (void *)(intptr_t)e->point},
                                             .mode = e->behind}),
        gradyn_modes_of(e->before));
  else
    gradyn_event_set_modes(m,
                           gradyn_event(m, &(gradyn_event_spec){.name = "event",
                                                                .guard = guard,
                                                                .direction = GRADYN_RISING,
                                                                .mode = e->behind}),
                           gradyn_modes_of(e->before));
}

/* --- trees ----------------------------------------------------------------------------------------- */

/* A knife edge of a body; a point of this or of another body moves along it. */
static void add_edge(drawing *d, int body, int point, const double axis[3])
{
  const int blade = declare_frame(d->m, "blade", body, VECTOR(on(d, 0.1), on(d, 0.2), on(d, -0.3)),
                                  VECTOR(on(d, axis[0]), on(d, axis[1]), on(d, 1 + axis[2])));
  gradyn_knife_edge(d->m, "edge", blade, GRADYN_X, point, NULL);
}

/* A valid rigid body: its second moments are those of a rotated box. */
static int add_body(drawing *d, int i, gradyn_scalar mass)
{
  double p[3], e[3], I[3];
  draw_vector(&d->seed, 0.5, p);
  draw_vector(&d->more, 1, e);
  for (int k = 0; k < 3; k++)
    I[k] = 0.05 + 0.1 * (1 + drawn_noise(&d->more));
  const double size = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + 0.01, s = 0.3 / size;
  return gradyn_body_3d(
      d->m, &(gradyn_body_spec){.name = gradyn_format_name(d->m, "body%d", i),
                                .mass = mass * (1 + 0.8 * drawn_noise(&d->more)),
                                .centre = {on(d, p[0]), on(d, p[1]), on(d, p[2])},
                                .velocity = {on(d, p[1]), on(d, p[2]), on(d, p[0])},
                                .omega = {on(d, p[2]), on(d, p[0]), on(d, 1)},
                                .inertia = {on(d, I[1] + I[2] + s * (e[1] * e[1] + e[2] * e[2])),
                                            on(d, I[0] + I[2] + s * (e[0] * e[0] + e[2] * e[2])),
                                            on(d, I[0] + I[1] + s * (e[0] * e[0] + e[1] * e[1])),
                                            on(d, -s * e[0] * e[1]), on(d, -s * e[0] * e[2]),
                                            on(d, -s * e[1] * e[2])}});
}

/* A functional of a joint's reaction plus another force; the square of a zero reaction would be round-off. */
static void see_joint(drawing *d)
{
  const int i = drawn_pick(&d->more, d->bodies), axis = drawn_pick(&d->more, 3), J = d->joint[i];
  if (d->kind[i] && d->kind[i]->kind != GRADYN_POINT_ON_LINE)
    declare_tracking(d->m, "told", gradyn_measure_joint_force(d->m, "force", J, (gradyn_axis)axis),
                     on(d, 3), 0, 0);
}

/* Finds a coordinate without a value for a brake; false: there is none. */
static bool find_brake(const drawing *d, drawn_event *e)
{
  for (int k = 0; k < d->coordinates && d->loose > 1; k++)
    if (!d->coordinate[k].told)
      e->brake = d->coordinate[k].number;
  return e->brake >= 0;
}

/* Returns whether only fixed joints connect the last body to the ground. */
static bool is_fixed(const drawing *d)
{
  int i = d->bodies - 1;
  while (i >= 0 && d->kind[i] && d->kind[i]->free == 0)
    i = d->parent[i];
  return i == -1;
}

gradyn_status drawn_build_in_space(gradyn_model *m, const gradyn_scalar rho[])
{
  drawing d = draw_tree(m, rho[1]);
  drawn_event event = draw_event(m);
  const int last = d.bodies - 1;
  double p[3];
  for (int i = 0; i < d.bodies; i++) {
    d.body[i] = add_body(&d, i, rho[0] + i);
    const bool released = event.kind == RELEASE && i == last && !d.closes;
    if (d.kind[i])
      carry(&d, i, released ? gradyn_modes_of(event.before) : 0);
  }
  close_loop(&d);
  add_gear(&d);
  draw_vector(&d.seed, 1, p);
  const int P = gradyn_body_point_3d(m, d.body[last], "P", on(&d, p[0]), on(&d, p[1]),
                                     on(&d, p[2]));
  const int Q = gradyn_body_point_3d(m, d.body[last - 1], "Q", on(&d, p[1]), on(&d, p[2]),
                                     on(&d, p[0]));
  const int R = gradyn_ground_point_3d(m, "R", on(&d, 0.2), on(&d, 1), on(&d, -1));
  gradyn_spring(m, &(gradyn_spring_spec){"near", P, Q, .k = on(&d, 20), .c = on(&d, 1),
                                         .free_length = on(&d, 0.2)});
  gradyn_spring(m, &(gradyn_spring_spec){"far", P, R, .k = on(&d, 10), .c = on(&d, 2),
                                         .free_length = on(&d, 0.4)});
  gradyn_gravity_3d(m, on(&d, 0.1), on(&d, 0.3), on(&d, -9.81));
  if (gradyn_setting_value(m, "seed") % 5 == 2)
    add_edge(&d, d.body[last - gradyn_setting_value(m, "seed") / 5 % 2], P, p);
  event.point = P;
  event.body = d.body[last];
  event.brake = -1;
  if ((event.kind == BRAKE && !find_brake(&d, &event)) ||
      (event.kind == CATCH && (d.loose < 2 || is_fixed(&d))))
    event.kind = SWITCH;
  add_event(&d, &event, R, p[2]);
  const int r = gradyn_measure_point(m, "", P, 0, GRADYN_ALL_AXES);
  gradyn_minimise(m, declare_tracking(m, "track", r, on(&d, 0.3), on(&d, 0.2), on(&d, 0.1)), 1);
  const int a = gradyn_measure_point(m, "", Q, 2, GRADYN_ALL_AXES);
  declare_tracking(m, "smooth", a, on(&d, 2), on(&d, -1), on(&d, 3));
  declare_functional(m, "energy", gradyn_measure_energy(m, ""), GRADYN_AT_END);
  see_joint(&d);
  return gradyn_build_status(m);
}
