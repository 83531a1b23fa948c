/* Rolling models: knife edges, wheels, a user's nonholonomic constraint, a tyre. */
#include "tests/mbs/terms_models.h"
#include "tests/declare.h"

#include <gradyn/gradyn.h>

/* x y' - h y z' - g, and its time derivative. */
static gradyn_status twist(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *q = at->pos, *v = at->vel, *a = at->acc, h = at->data[0], g = at->data[1];
  if (order == 0)
    return GRADYN_CALLBACK;
  *value = order == 1 ? q[0] * v[1] - h * q[1] * v[2] - g
                      : v[0] * v[1] + q[0] * a[1] - h * (v[1] * v[2] + q[1] * a[2]);
  return GRADYN_OK;
}

gradyn_status terms_rolling(gradyn_model *model, const gradyn_scalar rho[])
{
  static const gradyn_time_function law = {1.3, 0.2, -0.4, 0.15, 2.1, 0.6, 0};
  (void)rho;
  int body = declare_body_3d(model, "body", 1.2, INERTIA(0.3, 0.4, 0.5, 0.02, -0.03, 0.01),
                             VECTOR(0.3, 1.4, 0.8));
  const int point = gradyn_body_point_3d(model, body, "P", 0.5, 1.2, 0.1);
  const int road = gradyn_frame(model, &(gradyn_frame_spec){.name = "road",
                                                            .body = GRADYN_GROUND,
                                                            .origin = {0.1, 0.2, -0.1},
                                                            .axis = {0.1, -0.2, 1},
                                                            .side = {1, 0.3, 0}});
  const int disc = gradyn_frame(model, &(gradyn_frame_spec){.name = "disc",
                                                            .body = body,
                                                            .origin = {0.4, 1.3, 0.7},
                                                            .axis = {0.3, 1, 0.2},
                                                            .side = {0.5, 0, 0.8}});
  gradyn_wheel(model, &(gradyn_wheel_spec){"wheel", disc, road, 1.1});
  gradyn_knife_edge(model, "edge", disc, GRADYN_X, point, &law);
  gradyn_custom_nonholonomic(model,
                             &(gradyn_custom_constraint_spec){
                                 .name = "twist",
                                 .points = &point,
                                 .point_count = 1,
                                 .fn = twist,
                                 .data = (gradyn_datum[]){{"h", "", 0.6}, {"g", "m^2/s", 0.4}},
                                 .data_count = 2});
  gradyn_tyre(model, &(gradyn_tyre_spec){.name = "tyre",
                                         .wheel = disc,
                                         .ground = road,
                                         .radius = 2.1,
                                         .stiffness = 3,
                                         .damping = 0.4,
                                         .rebound = 0.3,
                                         .critical = {0.8, 1.3},
                                         .friction = {0.9, 0.7},
                                         .relaxation = {0.6, 0.8},
                                         .smoothing = 1.2,
                                         .slow = 0.5});
  return gradyn_build_status(model);
}
