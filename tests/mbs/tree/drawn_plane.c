/* Random trees in the plane. */
#include "tests/mbs/tree/drawn.h"
#include "tests/support.h"
#include "tests/declare.h"

enum { MOST = 6, PLACES = 3 * MOST + 1 };

/* Points to which rods may be attached, and their declared positions. */
typedef struct drawing {
  unsigned seed;
  drawn_line line;
  gradyn_model *m;
  gradyn_scalar mass;
  int point[PLACES], points, body[MOST], bodies;
  double x[PLACES], y[PLACES];
  bool attached[PLACES];
} drawing;

static double noise(drawing *d)
{
  return drawn_noise(&d->seed);
}

static gradyn_scalar on(drawing *d, double value)
{
  return drawn_on(&d->line, value);
}

static void keep(drawing *d, int point, double x, double y, bool attached)
{
  d->point[d->points] = point;
  d->x[d->points] = x;
  d->y[d->points] = y;
  d->attached[d->points++] = attached;
}

/* --- rods ------------------------------------------------------------------------------------------ */

/* A rod from an existing point to a new one, in either direction, and sometimes a point between them. */
static void add_rod(drawing *d, int i)
{
  gradyn_model *m = d->m;
  const int k = drawn_pick(&d->seed, d->points);
  const double x = d->x[k] + 0.4 + 0.2 * noise(d), y = d->y[k] + 0.5 * noise(d);
  const int far = gradyn_point(m, gradyn_format_name(m, "p%d", i), on(d, x), on(d, y));
  const bool turned = noise(d) > 0, own = noise(d) > 0;
  gradyn_initial_velocity(m, far, on(d, noise(d)), on(d, noise(d)));
  gradyn_rod(m, &(gradyn_rod_spec){.name = gradyn_format_name(m, "rod%d", i),
                                   .from = turned ? far : d->point[k],
                                   .to = turned ? d->point[k] : far,
                                   .mass = d->mass + 0.3 * i,
                                   .own_inertia = own,
                                   .com = own ? on(d, 0.15) : 0,
                                   .inertia = own ? on(d, 0.05) : 0});
  gradyn_torque(m, &(gradyn_torque_spec){gradyn_format_name(m, "friction%d", i),
                                         turned ? far : d->point[k], turned ? d->point[k] : far,
                                         .c = on(d, 0.1)});
  if (noise(d) > 0)
    gradyn_point_mass(m, gradyn_format_name(m, "mass%d", i), far, on(d, 0.4));
  if (!d->attached[k] && noise(d) > 0) {
    const int between = gradyn_point_between(m, gradyn_format_name(m, "b%d", i), d->point[k], far,
                                             on(d, 0.4));
    keep(d, between, 0.6 * d->x[k] + 0.4 * x, 0.6 * d->y[k] + 0.4 * y, true);
  }
  keep(d, far, x, y, false);
}

/* --- bodies ---------------------------------------------------------------------------------------- */

static void add_coordinate(drawing *d, int i, int c)
{
  const double start = 0.3 * noise(d), rate = 2 * noise(d);
  if (noise(d) > 0)
    gradyn_fix_initial_joint(d->m, gradyn_format_name(d->m, "start%d", i), c, on(d, start),
                             on(d, rate));
  gradyn_joint_spring(d->m,
                      &(gradyn_joint_spring_spec){.name = gradyn_format_name(d->m, "spring%d", i),
                                                  .coordinate = c,
                                                  .k = on(d, 5),
                                                  .c = on(d, 0.3)});
}

/* Joint of a body to an earlier one or to the ground, with its frames in either order; some bodies have
 * none. */
static void add_joint(drawing *d, int i, int body)
{
  static const gradyn_joint_kind kinds[] = {GRADYN_REVOLUTE, GRADYN_REVOLUTE, GRADYN_PRISMATIC,
                                            GRADYN_FIXED, GRADYN_POINT_ON_LINE};
  const int before = drawn_pick(&d->seed, d->bodies + 1) - 1;
  const int parent = before < 0 ? GRADYN_GROUND : d->body[before];
  const int kind = drawn_pick(&d->seed, 6);
  const bool turned = noise(d) > 0;
  if (kind == 5)
    return;
  const int joint = declare_joint(d->m, gradyn_format_name(d->m, "joint%d", i), kinds[kind],
                                  turned ? body : parent, turned ? parent : body,
                                  VECTOR(on(d, 0.4 * noise(d)), on(d, 0.4 * noise(d))),
                                  VECTOR(on(d, noise(d)), on(d, noise(d))));
  if (kinds[kind] == GRADYN_REVOLUTE && noise(d) > -0.3)
    add_coordinate(d, i, gradyn_joint_coordinate(d->m, joint, GRADYN_ANGLE));
  if (kinds[kind] == GRADYN_PRISMATIC && noise(d) > -0.3)
    add_coordinate(d, i, gradyn_joint_coordinate(d->m, joint, GRADYN_SLIDE));
}

static void add_body(drawing *d, int i)
{
  gradyn_model *m = d->m;
  const double x = 0.5 * noise(d), y = 0.5 * noise(d);
  const int body = gradyn_body(m,
                               &(gradyn_body_spec){.name = gradyn_format_name(m, "body%d", i),
                                                   .mass = d->mass + i,
                                                   .centre = {on(d, x), on(d, y)},
                                                   .velocity = {on(d, noise(d)), on(d, noise(d))},
                                                   .omega = {0, 0, on(d, noise(d))},
                                                   .inertia = {0, 0, on(d, 0.3)}});
  add_joint(d, i, body);
  d->body[d->bodies++] = body;
  const double px = x + 0.3 * noise(d), py = y + 0.3 * noise(d);
  keep(d, gradyn_body_point(m, body, gradyn_format_name(m, "P%d", i), on(d, px), on(d, py)), px, py,
       true);
}

/* --- all ------------------------------------------------------------------------------------------- */

/* Functional of the multipliers of the first constraints, plus a position. */
FORMULA(told, at->lam[1] + 0.1 * at->lam[2] * at->lam[2] + at->acc[2])

/* Sometimes declares a rod that closes a loop. */
static void close_loop(drawing *d)
{
  gradyn_model *m = d->m;
  const int k = d->points - 1;
  if (noise(d) < 0.4)
    return;
  const int R = gradyn_ground_point(m, "S", on(d, d->x[k] + 0.6), on(d, d->y[k] - 0.4));
  gradyn_rod(
      m, &(gradyn_rod_spec){.name = "closing", .from = d->point[k], .to = R, .mass = on(d, 0.5)});
}

gradyn_status drawn_build_plane(gradyn_model *m, const gradyn_scalar rho[])
{
  drawing d = {.seed = (unsigned)gradyn_setting_value(m, "seed") * 7919u,
               .m = m,
               .mass = rho[0],
               .line = {rho[1], (unsigned)gradyn_setting_value(m, "seed") * 6700417u}};
  const int parts = 2 + drawn_pick(&d.seed, MOST - 1);
  if (noise(&d) > -0.5)
    keep(&d, gradyn_ground_point(m, "O", on(&d, 0.1), on(&d, 0.2)), 0.1, 0.2, false);
  else
    keep(&d, gradyn_point(m, "O", on(&d, 0.1), on(&d, 0.2)), 0.1, 0.2, false);
  gradyn_point_mass(m, "first", d.point[0], on(&d, 0.5));
  for (int i = 0; i < parts; i++)
    if (noise(&d) > 0)
      add_rod(&d, i);
    else
      add_body(&d, i);
  close_loop(&d);
  const int P = d.point[d.points - 1];
  const int R = gradyn_ground_point(m, "R", on(&d, 0.2), on(&d, 1.5));
  gradyn_spring(m, &(gradyn_spring_spec){"far", P, R, .k = on(&d, 10), .c = on(&d, 2),
                                         .free_length = on(&d, 0.4)});
  gradyn_gravity(m, on(&d, 0.3), on(&d, -9.81));
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", P, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL,
                                       .target = {on(&d, 0.3), on(&d, 0.2)}}),
      1);
  declare_integral(m, "told", "", told);
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}
