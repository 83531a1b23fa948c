/* Beams in models, in the plane and in space: ends on points of every kind, welds of every kind, clamps.
 * Every derivative with respect to state, data and time is compared with differences. The same for
 * functionals of beams, whose values are compared with formulas written here. */

#include "tests/mbs/bench.h"
#include <gradyn/mechanism.h>

static const gradyn_section soft = {2.0, 0.3, 0.2}; /* m^2, m^4, m */

/* Points that ends stand on. */
typedef struct discrete {
  int G, P, Q, R, body, A;
} discrete;

static int ground(gradyn_model *model, int dim, const char *name, double x, double y, double z)
{
  return dim == 2 ? gradyn_ground_point(model, name, x, y)
                  : gradyn_ground_point_3d(model, name, x, y, z);
}

static int moving(gradyn_model *model, int dim, const char *name, double x, double y, double z)
{
  return dim == 2 ? gradyn_point(model, name, x, y) : gradyn_point_3d(model, name, x, y, z);
}

static discrete declare_points(gradyn_model *model, int dim)
{
  const gradyn_body_spec spec = {.name = "body",
                                 .centre = {1.3, 0.2, dim == 2 ? 0 : -0.1},
                                 .mass = 1.7,
                                 .inertia = {0.3, 0.4, 0.35, 0.02, -0.03, 0.01}};
  discrete s;
  s.G = ground(model, dim, "G", 0, 0.1, 0.2);
  s.P = moving(model, dim, "P", 1.0, 0.6, 0.4);
  s.Q = moving(model, dim, "Q", 1.4, 1.5, -0.3);
  s.R = moving(model, dim, "R", 1.8, 2.4, -1.0); /* P, Q and R are on a line */
  s.body = dim == 2 ? gradyn_body(model, &spec) : gradyn_body_3d(model, &spec);
  s.A = dim == 2 ? gradyn_body_point(model, s.body, "A", 1.8, -0.3)
                 : gradyn_body_point_3d(model, s.body, "A", 1.8, -0.3, 0.3);
  return s;
}

static int beam(gradyn_model *model, const char *name, int from, int to, int elements, bool linear)
{
  return gradyn_beam(model, &(gradyn_beam_spec){.name = name,
                                                .from = from,
                                                .to = to,
                                                .elements = elements,
                                                .section = soft,
                                                .young = 40,
                                                .density = 0.7,
                                                .damping = 0.05,
                                                .linear = linear});
}

/* Beams from the ground to a moving point, and from there to a point of a body. */
static gradyn_status ends(gradyn_model *model, int dim)
{
  discrete s = declare_points(model, dim);
  int share = gradyn_point_between(model, "share", s.Q, s.R, 0.4);
  beam(model, "a", s.G, s.P, dim == 2 ? 2 : 1, false);
  beam(model, "b", s.P, s.A, 1, true);
  beam(model, "c", share, s.P, 1, false);
  if (dim == 2)
    gradyn_gravity(model, 0.4, -9.81);
  else
    gradyn_gravity_3d(model, 0.4, -9.81, 1.1);
  return gradyn_build_status(model);
}

/* A clamp; welds to a body with and without a common point; welds of beams in line, in line with the
 * opposite direction, and at an angle, with and without a common point. */
static gradyn_status welds(gradyn_model *model, int dim)
{
  discrete s = declare_points(model, dim);
  int apart = moving(model, dim, "apart", 1.0, 0.6, 0.4);
  int a = beam(model, "a", s.G, s.P, 1, false), b = beam(model, "b", s.P, s.Q, 1, true);
  int c = beam(model, "c", s.Q, s.R, 1, false), d = beam(model, "d", apart, s.A, 1, false);
  gradyn_weld(model, "clamp", a, 0, GRADYN_GROUND);
  gradyn_weld(model, "held", d, GRADYN_BEAM_END, s.body);
  gradyn_weld_beams(model, "elbow", a, GRADYN_BEAM_END, b, 0);
  gradyn_weld_beams(model, "line", b, 1, c, 0);
  gradyn_weld_beams(model, "corner", a, 1, d, 0);
  return gradyn_build_status(model);
}

static gradyn_status more_welds(gradyn_model *model, int dim)
{
  discrete s = declare_points(model, dim);
  int a = beam(model, "a", s.P, s.Q, 1, false), b = beam(model, "b", s.R, s.Q, 1, false);
  gradyn_weld(model, "far", a, 0, s.body);
  gradyn_weld_beams(model, "against", a, 1, b, GRADYN_BEAM_END);
  gradyn_weld(model, "clamp", b, 0, GRADYN_GROUND);
  return gradyn_build_status(model);
}

#define PLANE_AND_SPACE(name)                                                                      \
  static gradyn_status name##_2(gradyn_model *model, const gradyn_scalar rho[])                    \
  {                                                                                                \
    (void)rho;                                                                                     \
    return name(model, 2);                                                                         \
  }                                                                                                \
  static gradyn_status name##_3(gradyn_model *model, const gradyn_scalar rho[])                    \
  {                                                                                                \
    (void)rho;                                                                                     \
    return name(model, 3);                                                                         \
  }

PLANE_AND_SPACE(ends)
PLANE_AND_SPACE(welds)
PLANE_AND_SPACE(more_welds)

static void check(gradyn_build_fn build, int residual, int constraints)
{
  bench_local b;
  bench_open(&b, build, NULL);
  bench_check_residual(&b, BENCH_K_FORCE | BENCH_C_FORCE | BENCH_M_INERTIA | BENCH_X_INERTIA |
                               BENCH_X_FORCE | residual);
  bench_check_constraints(&b, constraints);
}

TEST(test_ends)
{
  check(ends_2, 0, BENCH_PHI_Q);
  check(ends_3, 0, BENCH_PHI_Q);
}

TEST(test_welds)
{
  check(welds_2, BENCH_K_CONSTRAINT, BENCH_PHI_Q | BENCH_PHI_X0);
  check(welds_3, BENCH_K_CONSTRAINT, BENCH_PHI_Q | BENCH_PHI_X0);
  check(more_welds_2, BENCH_K_CONSTRAINT | BENCH_X_CONSTRAINT, BENCH_PHI_Q | BENCH_PHI_X);
  check(more_welds_3, BENCH_K_CONSTRAINT | BENCH_X_CONSTRAINT, BENCH_PHI_Q | BENCH_PHI_X);
}

/* Each joint has the expected number of constraints in the plane and in space, all satisfied in the
 * declared state. */
TEST(test_rows)
{
  static const struct {
    gradyn_build_fn build;
    int rows; /* of the body, clamp, welds */
  } model[4] = {{welds_2, 3 + 1 + 1 + 1 + 2 + (2 + 1)},
                {welds_3, 6 + 2 + 2 + 1 + 3 + (3 + 1)},
                {more_welds_2, 3 + (2 + 1) + 2 + (2 + 1)},
                {more_welds_3, 6 + (3 + 2) + 3 + (3 + 2)}};
  for (int k = 0; k < 4; k++) {
    bench_local b;
    double phi[BENCH_STATES];
    bench_open(&b, model[k].build, NULL);
    if (b.mech->m != model[k].rows)
      fail_msg("model %d has %d rows, not %d", k, b.mech->m, model[k].rows);
    for (int i = 0; i < b.mech->n; i++)
      b.y[i] = b.x[b.mech->q0[i]];
    gradyn_mech_state at = bench_state(&b, b.y, b.t);
    assert_ok(b.mech->ops->phi(b.mech, GRADYN_CONSTRAINT, 0, &at, phi), b.model->message.text);
    for (int i = 0; i < b.mech->m; i++)
      if (!(fabs(phi[i]) < 4e-16))
        fail_msg("%s does not hold: %g", b.mech->constraint_name(b.mech, i), phi[i]);
  }
}
