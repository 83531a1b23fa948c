/* Models of beams, and of bodies with as few coordinates as possible. */
#include "tests/mbs/terms_models.h"
#include "tests/declare.h"

#include <gradyn/mechanism.h>

static int beam(gradyn_model *model, const char *name, int from, int to, bool linear)
{
  return gradyn_beam(model, &(gradyn_beam_spec){.name = name,
                                                .from = from,
                                                .to = to,
                                                .elements = 1,
                                                .section = {0.3, 0.02, 0.1},
                                                .young = 3,
                                                .density = 2,
                                                .damping = 0.2,
                                                .linear = linear});
}

/* Two beams of one element, welded at an angle. */
gradyn_status terms_beams(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int A = gradyn_ground_point(model, "A", 0, 0), P = gradyn_point(model, "P", 1.5, 0.2);
  int Q = gradyn_ground_point(model, "Q", 2.1, -1.1);
  int a = beam(model, "a", A, P, false), b = beam(model, "b", P, Q, true);
  gradyn_weld(model, "clamp", a, 0, GRADYN_GROUND);
  gradyn_weld_beams(model, "weld", a, GRADYN_BEAM_END, b, 0);
  return gradyn_build_status(model);
}

gradyn_status terms_beams_3d(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int A = gradyn_ground_point_3d(model, "A", 0, 0, 0.1);
  int P = gradyn_point_3d(model, "P", 1.5, 0.2, 0.4);
  int Q = gradyn_ground_point_3d(model, "Q", 2.1, -1.1, 0.3);
  int a = beam(model, "a", A, P, false), b = beam(model, "b", P, Q, true);
  gradyn_weld(model, "clamp", a, 0, GRADYN_GROUND);
  gradyn_weld_beams(model, "weld", a, GRADYN_BEAM_END, b, 0);
  gradyn_coordinate(
      model, "guide", P, GRADYN_Z,
      &(gradyn_time_function){.value = 1.3, .rate = 0.2, .amplitude = 0.15, .frequency = 2.1});
  return gradyn_build_status(model);
}

gradyn_status terms_bodies(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int a = declare_body(model, "A", 1, 0.4, 0, 0);
  int b = declare_body(model, "B", 1, 0.4, 1, 0);
  gradyn_bushing(model, &(gradyn_bushing_spec){.name = "bushing",
                                               .body_a = a,
                                               .body_b = b,
                                               .position = {0.7, 0.9},
                                               .stiffness = {1.4, 0.8},
                                               .damping = {0.3, 0.2},
                                               .torsion = {0, 0, 0.7},
                                               .torsion_damping = {0, 0, 0.4}});
  return gradyn_build_status(model);
}
