/* Models with every kind of datum. */
#include "tests/mbs/terms_models.h"
#include "tests/declare.h"

#include <complex.h>
#include <math.h>

#include <gradyn/mechanism.h>

/* --- what models have in common --------------------------------------------------------------- */

static const gradyn_time_function law = {1.3, 0.2, -0.4, 0.15, 2.1, 0.6, 0};
static const gradyn_section section = {0.3, 0.02, 0.1};

/* A signal from 0 to 2 s; in N, N m or m. */
static int signal_of(gradyn_model *model, const char *name, gradyn_signal_kind kind)
{
  const gradyn_scalar knots[] = {1.2, -0.7, 0.9, 1.6, -0.4};
  return declare_signal(model, name, "", kind, GRADYN_COUNT(knots), knots);
}

static gradyn_time_function driven_by(int signal)
{
  gradyn_time_function driven = law;
  driven.signal = signal;
  return driven;
}

/* A spring that stiffens with time and depends on a signal. */
static gradyn_status stiffening(const gradyn_at *at, gradyn_scalar force[])
{
  int dim = at->user ? 3 : 2;
  if (creal(at->t) > TERMS_FAILURE)
    return GRADYN_CALLBACK;
  gradyn_scalar k = at->data[0] * (1 + at->data[1] * at->t * at->t);
  for (int c = 0; c < dim; c++) {
    gradyn_scalar r = at->pos[dim + c] - at->pos[c], v = at->vel[dim + c] - at->vel[c];
    force[c] = k * r + at->data[2] * v * at->u[1];
    force[dim + c] = -force[c] + at->u[1] * at->u[1];
  }
  return GRADYN_OK;
}

/* Constraint x_A y_B + g x_B^2 - h t^2 x_A for two points. */
static gradyn_status product(const gradyn_at *at, int order, gradyn_scalar *value)
{
  int dim = at->user ? 3 : 2;
  const gradyn_scalar *q = at->pos, *v = at->vel, *a = at->acc;
  gradyn_scalar g = at->data[0], h = at->data[1], t = at->t;
  int b = dim, y = dim + 1;
  if (order == 0)
    *value = q[0] * q[y] + g * q[b] * q[b] - h * t * t * q[0];
  else if (order == 1)
    *value = v[0] * q[y] + q[0] * v[y] + 2 * g * q[b] * v[b] - h * (2 * t * q[0] + t * t * v[0]);
  else
    *value = a[0] * q[y] + 2 * v[0] * v[y] + q[0] * a[y] + 2 * g * (v[b] * v[b] + q[b] * a[b]) -
             h * (2 * q[0] + 4 * t * v[0] + t * t * a[0]);
  if (creal(t) > TERMS_NO_NUMBER && creal(t) < TERMS_FAILURE)
    *value = NAN;
  return GRADYN_OK;
}

/* Declares one of two elements; its callbacks know from `user` which one. */
static void declare_custom(gradyn_model *model, bool space, int a, int b)
{
  gradyn_custom_force(
      model, &(gradyn_custom_force_spec){.name = "stiffening",
                                         .points = (int[]){a, b},
                                         .point_count = 2,
                                         .fn = stiffening,
                                         .data = (gradyn_datum[]){{"stiffness", "N/m", 2.5},
                                                                  {"growth", "1/s^2", 0.3},
                                                                  {"damping", "s/m", 0.7}},
                                         .data_count = 3,
                                         .user = space ? model : NULL});
  gradyn_custom_constraint(model, &(gradyn_custom_constraint_spec){
                                      .name = "product",
                                      .points = (int[]){b, a},
                                      .point_count = 2,
                                      .fn = product,
                                      .data = (gradyn_datum[]){{"g", "", 0.6}, {"h", "", 0.4}},
                                      .data_count = 2,
                                      .user = space ? model : NULL});
}

static int beam(gradyn_model *model, const char *name, int from, int to, bool linear)
{
  return gradyn_beam(model, &(gradyn_beam_spec){.name = name,
                                                .from = from,
                                                .to = to,
                                                .elements = 2,
                                                .section = section,
                                                .young = 3,
                                                .density = 2,
                                                .damping = 0.2,
                                                .linear = linear});
}

/* --- in the plane ----------------------------------------------------------------------------- */

static gradyn_status adjoints(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int steps = signal_of(model, "steps", GRADYN_PIECEWISE_CONSTANT);
  int ramps = signal_of(model, "ramps", GRADYN_PIECEWISE_LINEAR);
  int curve = signal_of(model, "curve", GRADYN_CUBIC_SPLINE);
  int A = gradyn_ground_point(model, "A", 0, 0), B = gradyn_ground_point(model, "B", 3, 0.2);
  int P = gradyn_point(model, "P", 0.4, 1.1), Q = gradyn_point(model, "Q", 1.6, 1.7);
  int R = gradyn_point(model, "R", 2.7, 1.2);
  gradyn_rod(model, &(gradyn_rod_spec){"AP", A, P, .mass = 1.5});
  gradyn_rod(model, &(gradyn_rod_spec){"PQ", P, Q, 1.3, 0.8, true, 0.5, 0.3});
  gradyn_rod(model, &(gradyn_rod_spec){"QR", Q, R, .length = 1.1});
  gradyn_rod(model, &(gradyn_rod_spec){"RB", R, B, 1.2, 0.9, true, 0.7, 0.2});
  gradyn_point_mass(model, "at Q", Q, 0.6);
  gradyn_point_mass(model, "at A", A, 0.7);
  gradyn_gravity(model, 0.4, -1.9);
  gradyn_spring(model, &(gradyn_spring_spec){"AQ", A, Q, 4, 0.5, 0.9, 0.3, steps});
  gradyn_spring(model, &(gradyn_spring_spec){"PR", P, R, 3, 0.4, 1.2, 0.2, curve});
  gradyn_spring(model, &(gradyn_spring_spec){"BP", B, P, .k = 2, .free_length = 0.8});
  gradyn_torque(model, &(gradyn_torque_spec){"motor", A, P, 0.8, 0.3, ramps});
  gradyn_torque(model, &(gradyn_torque_spec){"brake", R, B, .c = 0.2});
  gradyn_dashpot(model, "QB", Q, B, 0.7);
  gradyn_attraction(model, &(gradyn_attraction_spec){"PB", P, B, 1.7, 0.4});
  gradyn_force(model, &(gradyn_force_spec){"push", Q, 0.4, -0.3, curve, 0});
  gradyn_fix_initial_coordinate(model, P, GRADYN_X);
  return gradyn_build_status(model);
}

static gradyn_status driven(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const gradyn_time_function by_signal = driven_by(signal_of(model, "curve", GRADYN_CUBIC_SPLINE));
  int A = gradyn_ground_point(model, "A", 0.2, -0.1);
  int P = gradyn_point(model, "P", 0.4, 1.1), Q = gradyn_point(model, "Q", 1.6, 1.7);
  int R = gradyn_point(model, "R", 2.7, 1.2);
  gradyn_rod(model, &(gradyn_rod_spec){"PQ", P, Q, .length = 1.3, .mass = 0.8});
  gradyn_point_mass(model, "at R", R, 0.6);
  gradyn_distance(model, "AP", A, P, &law);
  gradyn_distance(model, "QR", Q, R, &by_signal);
  gradyn_angle(model, "turn", A, Q, &by_signal);
  gradyn_angle(model, "PR", P, R, &law);
  gradyn_coordinate(model, "guide", R, GRADYN_Y, &by_signal);
  gradyn_coordinate(model, "crank", P, GRADYN_X, &law);
  gradyn_pin(model, "pin", A, Q);
  declare_custom(model, false, A, R);
  terms_friction(model, false, A, Q, (const char *[]){"product", "PQ"});
  gradyn_fix_initial_angle(model, "start", P, R, 0.3, 0.1);
  gradyn_fix_initial_distance(model, "held", A, R, 1.1, 0.2);
  return gradyn_build_status(model);
}

static gradyn_status flexible(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int A = gradyn_ground_point(model, "A", 0, 0), P = gradyn_point(model, "P", 1.5, 0.2);
  int Q = gradyn_point(model, "Q", 2.1, -1.1);
  int body = declare_body(model, "body", 1.2, 0.4, 0.3, 1.4);
  int a = beam(model, "a", A, P, false), b = beam(model, "b", P, Q, true);
  gradyn_weld(model, "clamp", a, 0, GRADYN_GROUND);
  gradyn_weld_beams(model, "weld", a, GRADYN_BEAM_END, b, 0);
  gradyn_rod(model, &(gradyn_rod_spec){"link", gradyn_body_centre(model, body), Q, .mass = 0.4});
  gradyn_gravity(model, 0.4, -1.9);
  return gradyn_build_status(model);
}

/* --- in space --------------------------------------------------------------------------------- */

static gradyn_status bars_3d(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int steps = signal_of(model, "steps", GRADYN_PIECEWISE_CONSTANT);
  int ramps = signal_of(model, "ramps", GRADYN_PIECEWISE_LINEAR);
  int A = gradyn_ground_point_3d(model, "A", 0, 0, 0.3);
  int B = gradyn_ground_point_3d(model, "B", 2, 0.2, 0);
  int P = gradyn_point_3d(model, "P", 0.4, 1.1, 0.7), Q = gradyn_point_3d(model, "Q", 1.6, 0.9, 0);
  gradyn_rod(model, &(gradyn_rod_spec){"AP", A, P, 1.2, 0.9, true, 0.7, 0.2});
  gradyn_rod(model, &(gradyn_rod_spec){"PQ", P, Q, .mass = 0.8});
  gradyn_rod(model, &(gradyn_rod_spec){"QB", Q, B, .length = 0.8});
  gradyn_point_mass(model, "at Q", Q, 0.6);
  gradyn_gravity_3d(model, 0.4, -0.3, -1.9);
  gradyn_spring(model, &(gradyn_spring_spec){"BP", B, P, 4, 0.5, 0.9, 0.3, ramps});
  gradyn_spring(model, &(gradyn_spring_spec){"PQ", P, Q, 3, 0.4, 1.2, 0.2, steps});
  gradyn_dashpot(model, "AQ", A, Q, 0.7);
  gradyn_attraction(model, &(gradyn_attraction_spec){"PB", P, B, 1.7, 0.4});
  gradyn_force(model, &(gradyn_force_spec){"push", Q, 0.4, -0.3, ramps, 0.6});
  return gradyn_build_status(model);
}

static gradyn_status mixed_3d(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const gradyn_time_function by_signal = driven_by(signal_of(model, "curve", GRADYN_CUBIC_SPLINE));
  int A = gradyn_ground_point_3d(model, "A", 0, 0, 0.3);
  int P = gradyn_point_3d(model, "P", 0.4, 1.1, 0.7), Q = gradyn_point_3d(model, "Q", 1.6, 0.9, 0);
  int body = declare_body_3d(model, "body", 1.2, INERTIA(0.3, 0.4, 0.5, 0.02, -0.03, 0.01),
                             VECTOR(0.3, 1.4, -0.2));
  int centre = gradyn_body_centre(model, body);
  gradyn_weld(model, "clamp", beam(model, "beam", A, P, false), 0, GRADYN_GROUND);
  beam(model, "other", P, Q, true);
  gradyn_rod(model, &(gradyn_rod_spec){"link", centre, Q, .mass = 0.4});
  gradyn_distance(model, "leg", A, centre, &by_signal);
  gradyn_coordinate(model, "guide", Q, GRADYN_Z, &law);
  declare_custom(model, true, Q, centre);
  gradyn_gravity_3d(model, 0.4, -0.3, -1.9);
  return gradyn_build_status(model);
}

/* Idle data (last number): masses on the ground, centres of massless rods, conditions of the initial state,
 * reaches, the end of a run without signals. Also the start of a piecewise constant signal whose end moves
 * with that of others. One less for each of two joint coordinates, whose initial value is their only
 * initial datum. */
const terms_model terms_models[] = {{"bars", adjoints, 3},
                                    {"driven", driven, 4},
                                    {"flexible", flexible, 3},
                                    {"bars_3d", bars_3d, 2},
                                    {"mixed_3d", mixed_3d, 2},
                                    {"carried", terms_carried, 2},
                                    {"carried_3d", terms_carried_3d, 0},
                                    {"rolling", terms_rolling, 1}};
const int terms_model_count = (int)GRADYN_COUNT(terms_models);

gradyn_status terms_pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int A = gradyn_ground_point(model, "A", 0.3, 0.2), P = gradyn_point(model, "P", 1, 0);
  gradyn_rod(model, &(gradyn_rod_spec){"AP", A, P, .length = 0.8, .mass = 1});
  return gradyn_build_status(model);
}
