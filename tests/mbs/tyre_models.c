/* Common parts of the tests of tyres. */
#include "tests/mbs/tyre_models.h"

#include <string.h>

gradyn_tyre_spec tyre_numbers(int disc, int road, gradyn_scalar radius)
{
  return (gradyn_tyre_spec){.name = "tyre",
                            .wheel = disc,
                            .ground = road,
                            .radius = radius,
                            .stiffness = 6000,
                            .damping = 60,
                            .rebound = 60,
                            .critical = {0.15, 0.2},
                            .friction = {0.9, 0.8},
                            .relaxation = {0.12, 0.2},
                            .smoothing = 2,
                            .slow = 0.01};
}

int tyre_frame(gradyn_model *m, const char *name, int body, gradyn_scalar x, gradyn_scalar y,
               gradyn_scalar z, const gradyn_scalar axis[3])
{
  gradyn_frame_spec spec = {.name = name, .body = body, .origin = {x, y, z}};
  memcpy(spec.axis, axis, sizeof spec.axis);
  return gradyn_frame(m, &spec);
}
