/* Beams in models: cantilevers at rest under a small load against the Euler-Bernoulli beam, with clamps and
 * welds of every kind, and their reactions. */

#include "tests/mbs/beams/statics.h"
#include "tests/declare.h"
#include <gradyn/mechanism.h>

/* EI = 10 N m^2, EA = 1e4 N; loads so small that terms of second order, (P L^2/EI)^2, are 1e-8. */
#define EI 10.0
#define EA 1e4
#define L 2.0
#define LOAD 2.5e-4

static const gradyn_section section = {0.01, 1e-5, 0.05};

static int beam(gradyn_model *model, const char *name, int from, int to, int elements, bool linear)
{
  return gradyn_beam(model, &(gradyn_beam_spec){.name = name,
                                                .from = from,
                                                .to = to,
                                                .elements = elements,
                                                .section = section,
                                                .young = 1e6,
                                                .density = 1,
                                                .linear = linear});
}

/* --- clamps ----------------------------------------------------------------------------------- */

static gradyn_status cantilever_2(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int O = gradyn_point(model, "O", 0, 0), T = gradyn_point(model, "T", L, 0);
  gradyn_weld(model, "clamp", beam(model, "beam", O, T, 3, false), 0, GRADYN_GROUND);
  gradyn_force(model, &(gradyn_force_spec){.name = "load", .point = T, .fy = -LOAD});
  return gradyn_build_status(model);
}

static gradyn_status linear_2(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int O = gradyn_ground_point(model, "O", 0, 0), T = gradyn_point(model, "T", L, 0);
  gradyn_weld(model, "clamp", beam(model, "beam", O, T, 3, true), 0, GRADYN_GROUND);
  gradyn_force(model, &(gradyn_force_spec){.name = "load", .point = T, .fy = -LOAD});
  return gradyn_build_status(model);
}

/* A beam along z, clamped at its last node on a point between two ground points. The load has the
 * components 0.6 along x and 0.8 along -y. */
static gradyn_status cantilever_3(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int G = gradyn_ground_point_3d(model, "G", -1, 0, 0);
  int H = gradyn_ground_point_3d(model, "H", 1, 0, 0);
  int O = gradyn_point_between(model, "O", G, H, 0.5);
  int T = gradyn_point_3d(model, "T", 0, 0, L);
  gradyn_weld(model, "clamp", beam(model, "beam", T, O, 3, false), GRADYN_BEAM_END, GRADYN_GROUND);
  gradyn_force(
      model, &(gradyn_force_spec){.name = "load", .point = T, .fx = 0.6 * LOAD, .fy = -0.8 * LOAD});
  return gradyn_build_status(model);
}

TEST(test_clamp)
{
  static const gradyn_build_fn build[2] = {cantilever_2, linear_2};
  double sag = LOAD * L * L * L / (3 * EI), turn = LOAD * L * L / (2 * EI);
  bench_local b;
  for (int k = 0; k < 2; k++) {
    statics_open(&b, build[k]);
    assert_close(statics_displacement(&b, "T", 1), -sag, 1e-7, 0);
    assert_close(statics_displacement(&b, "beam.slope3", 1), -turn, 1e-7, 0);
    /* reactions of the beam on the ground: its load and, for the slope, the moment */
    assert_close(statics_multiplier(&b, "clamp.n1"), -LOAD * L, 1e-7, 0);
    if (k == 0)
      assert_close(statics_multiplier(&b, "clamp.point.y"), -LOAD, 1e-12, 0);
    bench_close(&b);
  }
  statics_open(&b, cantilever_3);
  assert_int_equal(b.mech->m, 2); /* the place needs no rows */
  assert_close(statics_displacement(&b, "T", 0), 0.6 * sag, 1e-7, 0);
  assert_close(statics_displacement(&b, "T", 1), -0.8 * sag, 1e-7, 0);
  /* the slope vector points to the ground, so that it rotates against the direction of the load */
  assert_close(statics_displacement(&b, "beam.slope0", 0), -0.6 * turn, 1e-7, 0);
  assert_close(statics_multiplier(&b, "clamp.n1"), -0.6 * LOAD * L, 1e-7, 0);
  assert_close(statics_multiplier(&b, "clamp.n2"), -0.8 * LOAD * L, 1e-7, 0);
}

/* --- welds of beams --------------------------------------------------------------------------- */

/* Two beams in line, 1.2 m and 0.8 m long; the second one has the same or the opposite direction. */
static gradyn_status in_line(gradyn_model *model, bool opposite)
{
  int O = gradyn_ground_point(model, "O", 0, 0), P = gradyn_point(model, "P", 0.6 * L, 0);
  int T = gradyn_point(model, "T", L, 0);
  int a = beam(model, "a", O, P, 1, false);
  int b = beam(model, "b", opposite ? T : P, opposite ? P : T, 2, false);
  gradyn_weld(model, "clamp", a, 0, GRADYN_GROUND);
  gradyn_weld_beams(model, "weld", a, GRADYN_BEAM_END, b, opposite ? GRADYN_BEAM_END : 0);
  gradyn_force(model, &(gradyn_force_spec){.name = "load", .point = T, .fy = -LOAD});
  return gradyn_build_status(model);
}

static gradyn_status same_sense(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return in_line(model, false);
}

static gradyn_status opposite_sense(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return in_line(model, true);
}

TEST(test_in_line)
{
  bench b;
  for (int k = 0; k < 2; k++) {
    statics_open(&b, k ? opposite_sense : same_sense);
    assert_close(statics_displacement(&b, "T", 1), -LOAD * L * L * L / (3 * EI), 1e-7, 0);
    /* moment at the weld, which b exerts on the slope of a, or on its opposite */
    assert_close(statics_multiplier(&b, "weld.slope.y"), (k ? 1 : -1) * LOAD * 0.4 * L, 1e-7, 0);
    bench_close(&b);
  }
}

/* A second beam, 1.5 m long, rises from the end of the first one; a force pushes it along x. Its foot is
 * the common point, or a point of its own. */
static gradyn_status elbow(gradyn_model *model, bool own)
{
  int O = gradyn_ground_point(model, "O", 0, 0), P = gradyn_point(model, "P", L, 0);
  int foot = own ? gradyn_point(model, "foot", L, 0) : P, T = gradyn_point(model, "T", L, 1.5);
  int a = beam(model, "a", O, P, 2, false), b = beam(model, "b", foot, T, 2, false);
  gradyn_weld(model, "clamp", a, 0, GRADYN_GROUND);
  gradyn_weld_beams(model, "weld", a, 2, b, 0);
  gradyn_force(model, &(gradyn_force_spec){.name = "load", .point = T, .fx = LOAD});
  return gradyn_build_status(model);
}

static gradyn_status elbow_shared(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return elbow(model, false);
}

static gradyn_status elbow_own(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return elbow(model, true);
}

/* The first beam carries the moment M = P h and the tension P. Its deflection is w = (M/P) (cosh
 * kx - 1)/cosh kL with k^2 = P/EI. It shortens by int w'^2/2 dx, to first order M^2 L^3/(6 (EI)^2). Clamp
 * and weld do not fix the lengths of its slopes, so that it stretches like a rod. */
TEST(test_elbow)
{
  const double h = 1.5, k = sqrt(LOAD / EI), turn = h * k * tanh(k * L);
  const double shift = LOAD * L / EA - LOAD * h * LOAD * h * L * L * L / (6 * EI * EI);
  bench b;
  for (int i = 0; i < 2; i++) {
    statics_open(&b, i ? elbow_own : elbow_shared);
    assert_close(statics_displacement(&b, "P", 1), -h * (1 - 1 / cosh(k * L)), 1e-7, 0);
    assert_close(statics_displacement(&b, "P", 0), shift, 1e-4, 0);
    assert_close(statics_displacement(&b, "T", 0), turn * h + LOAD * h * h * h / (3 * EI) + shift,
                 1e-7, 0);
    if (i) {
      assert_close(statics_multiplier(&b, "weld.x"), LOAD, 1e-10, 0);
      assert_close(statics_multiplier(&b, "weld.y"), 0, 0, 1e-13);
    }
    bench_close(&b);
  }
}

/* --- welds to bodies -------------------------------------------------------------------------- */

/* A cantilever carries a rigid body at its end; the load acts 0.7 m further outwards. The beam ends at a
 * point of the body, or at its own point. */
static gradyn_status head(gradyn_model *model, bool own)
{
  int O = gradyn_ground_point(model, "O", 0, 0);
  int body = declare_body(model, "head", 1, 0.1, L + 0.3, 0.2);
  int end = own ? gradyn_point(model, "end", L, 0) : gradyn_body_point(model, body, "end", L, 0);
  int far = gradyn_body_point(model, body, "far", L + 0.7, 0);
  int b = beam(model, "beam", O, end, 3, false);
  gradyn_weld(model, "clamp", b, 0, GRADYN_GROUND);
  gradyn_weld(model, "weld", b, 3, body);
  gradyn_force(model, &(gradyn_force_spec){.name = "load", .point = far, .fy = -LOAD});
  return gradyn_build_status(model);
}

static gradyn_status head_shared(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return head(model, false);
}

static gradyn_status head_own(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return head(model, true);
}

TEST(test_head)
{
  const double c = 0.7, sag = LOAD * L * L * L / (3 * EI) + LOAD * c * L * L / (2 * EI);
  const double turn = LOAD * L * L / (2 * EI) + LOAD * c * L / EI;
  bench b;
  for (int k = 0; k < 2; k++) {
    statics_open(&b, k ? head_own : head_shared);
    assert_close(statics_displacement(&b, "head.e1", 1), -turn, 1e-7, 0);
    assert_close(statics_displacement(&b, "head.e2", 0), turn, 1e-7, 0);
    assert_close(statics_displacement(&b, "beam.slope3", 1), -turn, 1e-7, 0);
    /* the centre is 0.3 m beyond the end and 0.2 m above the axis */
    assert_close(statics_displacement(&b, "head", 1), -(sag + 0.3 * turn + 0.2 * turn * turn / 2),
                 1e-7, 0);
    /* the constraint n.s = 0 carries the moment: its multiplier acts on s along n, which is e2 */
    assert_close(statics_multiplier(&b, "weld.n1"), LOAD * c, 1e-6, 0);
    assert_close(statics_multiplier(&b, "clamp.n1"), -LOAD * (L + c), 1e-6, 0);
    bench_close(&b);
  }
}

/* A point half-way between a body's centre and another point is not fixed to the body. A weld there needs
 * its own constraints, and the beam keeps its position. */
static gradyn_status stranger(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int O = gradyn_point(model, "O", 0, 0);
  int body = declare_body(model, "body", 1, 1, 2, 0);
  int half = gradyn_point_between(model, "half", gradyn_body_centre(model, body), O, 0.5);
  int end = gradyn_point(model, "end", 1, 1);
  gradyn_weld(model, "weld", beam(model, "beam", half, end, 1, false), 0, body);
  return gradyn_build_status(model);
}

TEST(test_stranger)
{
  bench_local b;
  bench_open(&b, stranger, NULL);
  assert_int_equal(b.mech->m, 3 + 2 + 1);
}
