/* Models with elements on attached points. */
#include "tests/mbs/terms_models.h"
#include "tests/declare.h"

#include <gradyn/joints.h>

static const gradyn_time_function law = {1.3, 0.2, -0.4, 0.15, 2.1, 0.6, 0};

/* A force that depends on everything that a user's function can read. */
static gradyn_status pull(const gradyn_at *at, gradyn_scalar force[])
{
  int dim = at->user ? 3 : 2;
  for (int c = 0; c < dim; c++) {
    gradyn_scalar r = at->pos[dim + c] - at->pos[c], v = at->vel[dim + c] - at->vel[c];
    force[c] = at->data[0] * r * (1 + at->t) + at->u[1] * v;
    force[dim + c] = -force[c] * at->pos[0];
  }
  return GRADYN_OK;
}

/* Friction from two multipliers. */
static gradyn_status rub(const gradyn_at *at, gradyn_scalar force[])
{
  int dim = at->user ? 3 : 2;
  gradyn_scalar load = at->data[0] * at->lam[0] * at->lam[0] + at->lam[1] * at->pos[1];
  for (int c = 0; c < dim; c++) {
    force[c] = -load * ctanh(at->vel[c] - at->vel[dim + c]);
    force[dim + c] = -0.7 * force[c];
  }
  return GRADYN_OK;
}

/* x_A y_B - g t, and its time derivatives. */
static gradyn_status product(const gradyn_at *at, int order, gradyn_scalar *value)
{
  int b = (at->user ? 3 : 2) + 1;
  const gradyn_scalar *q = at->pos, *v = at->vel, *a = at->acc, g = at->data[0];
  if (order == 0)
    *value = q[0] * q[b] - g * at->t;
  else if (order == 1)
    *value = v[0] * q[b] + q[0] * v[b] - g;
  else
    *value = a[0] * q[b] + 2 * v[0] * v[b] + q[0] * a[b];
  return GRADYN_OK;
}

void terms_friction(gradyn_model *model, bool space, int a, int b, const char *const reads[2])
{
  gradyn_custom_force(model, &(gradyn_custom_force_spec){.name = "rub",
                                                         .points = (int[]){a, b},
                                                         .point_count = 2,
                                                         .fn = rub,
                                                         .data = (gradyn_datum[]){{"mu", "", 0.3}},
                                                         .data_count = 1,
                                                         .user = space ? model : NULL,
                                                         .reads = reads,
                                                         .read_count = 2});
}

static void declare_custom(gradyn_model *model, bool space, int a, int b)
{
  void *user = space ? model : NULL;
  gradyn_custom_force(model,
                      &(gradyn_custom_force_spec){.name = "pull",
                                                  .points = (int[]){a, b},
                                                  .point_count = 2,
                                                  .fn = pull,
                                                  .data = (gradyn_datum[]){{"k", "N/m", 0.6}},
                                                  .data_count = 1,
                                                  .user = user});
  gradyn_custom_constraint(
      model, &(gradyn_custom_constraint_spec){.name = "product",
                                              .points = (int[]){b, a},
                                              .point_count = 2,
                                              .fn = product,
                                              .data = (gradyn_datum[]){{"g", "m^2/s", 0.6}},
                                              .data_count = 1,
                                              .user = user});
}

static int signal_of(gradyn_model *model)
{
  const gradyn_scalar knots[] = {1.2, -0.7, 0.9, 1.6, -0.4};
  return declare_signal(model, "curve", "", GRADYN_CUBIC_SPLINE, GRADYN_COUNT(knots), knots);
}

static void load_coordinates(gradyn_model *model, int angle, int slide)
{
  gradyn_joint_spring(model, &(gradyn_joint_spring_spec){"winder", angle, 1.2, 0.4, 0.3, 0.7, 1});
  gradyn_joint_stop(model, &(gradyn_joint_stop_spec){"stop", slide, -0.4, 0.2, 3, 0.5, 0.3});
  gradyn_gear(model, "gear", angle, slide, 0.6);
  gradyn_drive_joint(model, "drive", slide, &law);
}

gradyn_status terms_carried(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int curve = signal_of(model);
  int A = gradyn_ground_point(model, "A", 0, 0.1), B = gradyn_ground_point(model, "B", 3, 0.2);
  int P = gradyn_point(model, "P", 0.4, 1.1), Q = gradyn_point(model, "Q", 1.6, 1.7);
  int body = declare_body(model, "body", 1.2, 0.4, 0.3, 1.4);
  int C = gradyn_body_point(model, body, "C", 0.5, 1.2);
  int D = gradyn_point_between(model, "D", A, P, 0.3); /* one carrier on the ground */
  int E = gradyn_point_between(model, "E", P, Q, 0.6);
  int F = gradyn_point_between(model, "F", A, B, 0.4); /* on the ground itself */
  gradyn_rod(model, &(gradyn_rod_spec){"CE", C, E, 1.2, 0.9, true, 0.7, 0.2});
  gradyn_rod(model, &(gradyn_rod_spec){"FQ", F, Q, .mass = 0.8});
  gradyn_point_mass(model, "at D", D, 0.7);
  gradyn_gravity(model, 0.4, -1.9);
  gradyn_spring(model, &(gradyn_spring_spec){"DC", D, C, 4, 0.5, 0.9, 0.3, curve});
  gradyn_torque(model, &(gradyn_torque_spec){"motor", F, E, 0.8, 0.3, curve});
  gradyn_dashpot(model, "EB", E, B, 0.7);
  gradyn_force(model, &(gradyn_force_spec){"push", E, 0.4, -0.3, curve, 0});
  gradyn_distance(model, "DE", D, E, &law);
  gradyn_angle(model, "turn", F, C, &law);
  gradyn_coordinate(model, "guide", C, GRADYN_Y, &law);
  gradyn_pin(model, "pin", D, C);
  declare_custom(model, false, D, E);
  terms_friction(model, false, C, P, (const char *[]){"guide", "FQ"});
  gradyn_fix_initial_distance(model, "held", C, Q, 1.1, 0.2);
  int other = declare_body(model, "other", 0.6, 0.2, 1.1, 0.4);
  gradyn_bushing(model, &(gradyn_bushing_spec){.name = "bushing",
                                               .body_a = body,
                                               .body_b = other,
                                               .position = {0.7, 0.9},
                                               .stiffness = {1.4, 0.8},
                                               .damping = {0.3, 0.2},
                                               .torsion = {0, 0, 0.7},
                                               .torsion_damping = {0, 0, 0.4}});
  declare_joint(model, "slider", GRADYN_PRISMATIC, body, other, VECTOR(0.9, 0.7), VECTOR(0.6, 1.1));
  declare_joint(model, "weld", GRADYN_FIXED, other, GRADYN_GROUND, VECTOR(0.2, -0.3),
                VECTOR(0.9, -0.2));
  int frame = declare_frame(model, "frame", body, VECTOR(0.1, 0.3), VECTOR(0.2, 0.7));
  int to = gradyn_rod_frame(model, "to", B, Q);
  load_coordinates(model, gradyn_frame_coordinate(model, "angle", frame, to, GRADYN_ANGLE),
                   gradyn_frame_coordinate(model, "slide", to, frame, GRADYN_SLIDE));
  return gradyn_build_status(model);
}

gradyn_status terms_carried_3d(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int curve = signal_of(model);
  int A = gradyn_ground_point_3d(model, "A", 0, 0.1, 0.3);
  int P = gradyn_point_3d(model, "P", 0.4, 1.1, 0.7);
  int body = declare_body_3d(model, "body", 1.2, INERTIA(0.3, 0.4, 0.5, 0.02, -0.03, 0.01),
                             VECTOR(0.3, 1.4, -0.2));
  int C = gradyn_body_point_3d(model, body, "C", 0.5, 1.2, 0.1);
  int D = gradyn_point_between(model, "D", A, P, 0.3);
  gradyn_rod(model, &(gradyn_rod_spec){"CD", C, D, 1.2, 0.9, true, 0.7, 0.2});
  gradyn_spring(model, &(gradyn_spring_spec){"AC", A, C, 4, 0.5, 0.9, 0.3, curve});
  gradyn_distance(model, "leg", C, P, &law);
  declare_custom(model, true, D, C);
  terms_friction(model, true, C, D, (const char *[]){"leg", "CD"});
  int other = declare_body_3d(model, "other", 0.6, INERTIA(0.3, 0.3, 0.4), VECTOR(1.1, 0.4, 0.3));
  gradyn_bushing(model, &(gradyn_bushing_spec){.name = "bushing",
                                               .body_a = body,
                                               .body_b = other,
                                               .position = {0.7, 0.9, 0.1},
                                               .stiffness = {1.4, 0.8, 1.1},
                                               .damping = {0.3, 0.2, 0.5},
                                               .torsion = {0.6, 0.9, 0.7},
                                               .torsion_damping = {0.3, 0.1, 0.4}});
  gradyn_joint_between(model, &(gradyn_joint_between_spec){.name = "slider",
                                                           .kind = GRADYN_PRISMATIC,
                                                           .body_a = body,
                                                           .body_b = other,
                                                           .position = {0.9, 0.7, 0.2},
                                                           .axis = {0.6, 1.1, -0.4},
                                                           .side = {0.3, 0.1, 0.8}});
  declare_joint(model, "hinge", GRADYN_REVOLUTE, GRADYN_GROUND, other, VECTOR(0.4, 0.2, -0.2),
                VECTOR(0.1, 0.5, 0.9));
  int screw = gradyn_joint_between(model, &(gradyn_joint_between_spec){.name = "screw",
                                                                       .kind = GRADYN_SCREW,
                                                                       .body_a = body,
                                                                       .body_b = GRADYN_GROUND,
                                                                       .position = {0.3, -0.2, 0.6},
                                                                       .axis = {0.7, 0.4, -0.5},
                                                                       .pitch = 0.3});
  load_coordinates(model, gradyn_joint_coordinate(model, screw, GRADYN_ANGLE),
                   gradyn_joint_coordinate(model, screw, GRADYN_SLIDE));
  gradyn_gravity_3d(model, 0.4, -0.3, -1.9);
  return gradyn_build_status(model);
}
