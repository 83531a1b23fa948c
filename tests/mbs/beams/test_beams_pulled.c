/* Beams pulled along their axis, with a clamp or a weld to a body or another beam: they stretch uniformly,
 * and the stress at the fixed end is that of the force. */
#include "tests/mbs/beams/statics.h"
#include "tests/declare.h"
#include <gradyn/mechanism.h>

#define EA 1e4 /* N */
#define L 2.0  /* m */

static int beam(gradyn_model *model, const char *name, int from, int to, int elements, bool linear)
{
  return gradyn_beam(model, &(gradyn_beam_spec){.name = name,
                                                .from = from,
                                                .to = to,
                                                .elements = elements,
                                                .section = {0.01, 1e-5, 0.05},
                                                .young = 1e6,
                                                .density = 1,
                                                .linear = linear});
}

enum { PULL_2, PULL_3, PULL_LINEAR, PULL_WELD, PULL_ELBOW, PULLS };
static const double direction[3] = {0.48, 0.6, -0.64};

/* A beam pulled along its direction by 200 N, 2 % of EA: from a clamp, from a fixed body, or at a right
 * angle from the free end of a brace. */
static gradyn_status pulled(gradyn_model *model, int kind)
{
  const double *t = direction, P = 200;
  if (kind == PULL_3) {
    int O = gradyn_ground_point_3d(model, "O", 0, 0, 0);
    int T = gradyn_point_3d(model, "T", L * t[0], L * t[1], L * t[2]);
    int bar = beam(model, "bar", O, T, 3, false);
    gradyn_weld(model, "clamp", bar, 0, GRADYN_GROUND);
    gradyn_force(model,
                 &(gradyn_force_spec){
                     .name = "pull", .point = T, .fx = P * t[0], .fy = P * t[1], .fz = P * t[2]});
    gradyn_functional(
        model, &(gradyn_functional_spec){"stress",
                                         gradyn_measure_stress(model, "", bar, 0, GRADYN_STRETCHED),
                                         .reduction = GRADYN_AT_END});
    return gradyn_build_status(model);
  }
  int O = gradyn_ground_point(model, "O", 0, 0), T = gradyn_point(model, "T", 0.6 * L, -0.8 * L);
  int bar = beam(model, "bar", O, T, 3, kind == PULL_LINEAR);
  if (kind == PULL_WELD) {
    int body = declare_body(model, "wall", 1, 1, -1, 0);
    gradyn_coordinate(model, "stay", gradyn_body_centre(model, body), GRADYN_Y, NULL);
    gradyn_weld(model, "weld", bar, 0, body);
  } else if (kind == PULL_ELBOW) {
    int brace = beam(model, "brace", O, gradyn_point(model, "S", 0.8, 0.6), 1, false);
    gradyn_weld_beams(model, "weld", bar, 0, brace, 0);
    gradyn_coordinate(model, "stay", gradyn_beam_node(model, brace, 1), GRADYN_Y,
                      &(gradyn_time_function){.value = 0.6});
  } else {
    gradyn_weld(model, "clamp", bar, 0, GRADYN_GROUND);
  }
  gradyn_force(model,
               &(gradyn_force_spec){.name = "pull", .point = T, .fx = 0.6 * P, .fy = -0.8 * P});
  gradyn_functional(model, &(gradyn_functional_spec){
                               "stress", gradyn_measure_stress(model, "", bar, 0, GRADYN_STRETCHED),
                               .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

#define PULL(name, kind)                                                                           \
  static gradyn_status name(gradyn_model *model, const gradyn_scalar rho[])                        \
  {                                                                                                \
    (void)rho;                                                                                     \
    return pulled(model, kind);                                                                    \
  }

PULL(pull_2, PULL_2)
PULL(pull_3, PULL_3)
PULL(pull_linear, PULL_LINEAR)
PULL(pull_weld, PULL_WELD)
PULL(pull_elbow, PULL_ELBOW)

/* With any number of elements the stretch r' is uniform, also at the clamp, and the slope keeps its
 * direction. EA eps r' = P with eps = (r'^2 - 1)/2, or r' - 1 for the linear force. */
TEST(test_pulled)
{
  static const gradyn_build_fn build[PULLS] = {pull_2, pull_3, pull_linear, pull_weld, pull_elbow};
  const double load = 200 / EA;
  for (int i = 0; i < PULLS; i++) {
    const bool linear = i == PULL_LINEAR;
    double s = 1;
    for (int k = 0; k < 20; k++)
      s -= linear ? (s * (s - 1) - load) / (2 * s - 1)
                  : (s * (s * s - 1) / 2 - load) / ((3 * s * s - 1) / 2);
    const double *t = i == PULL_3 ? direction : (const double[3]){0.6, -0.8, 0};
    bench_local b;
    statics_open(&b, build[i]);
    for (int k = 0; k < (i == PULL_3 ? 3 : 2); k++) {
      assert_close(statics_displacement(&b, "T", k), (s - 1) * L * t[k], 1e-10, 0);
      assert_close(statics_displacement(&b, "bar.slope0", k), (s - 1) * t[k], 1e-10, 0);
    }
    assert_close(bench_functional(&b, 0), 1e6 * (linear ? s - 1 : (s * s - 1) / 2), 1e-6, 0);
  }
}
