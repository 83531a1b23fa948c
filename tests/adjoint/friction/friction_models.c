/* Mechanisms with friction. */
#include "tests/adjoint/friction/friction_models.h"
#include "tests/support.h"
#include "tests/declare.h"

#include <complex.h>

/* mu(v) by Brown and McPhee (2016): mu_d tanh(4 s) + (mu_s - mu_d) s / (s^2/4 + 3/4)^2, where s = v/v_t. */
static gradyn_scalar coefficient(gradyn_scalar v, gradyn_scalar v_t, gradyn_scalar still,
                                 gradyn_scalar sliding)
{
  gradyn_scalar s = v / v_t, bump = s * s / 4 + 0.75;
  return sliding * ctanh(4 * s) + (still - sliding) * s / (bump * bump);
}

/* |lam|, smooth at zero. */
static gradyn_scalar size_of(gradyn_scalar lam)
{
  return csqrt(lam * lam + 0.01);
}

/* --- block ------------------------------------------------------------------------------------ */

enum { STILL, SLIDING, LEAN, STIFFNESS, SPEED };

static const double slope = 0.5, mass = 2, transition = 0.1, length = 0.8, end = 1.2;
static const double spring_x = 0.6, spring_y = 1.1, lift = 0.02, pulse = 9;

static const gradyn_param block_params[FRICTION_PARAMETERS] = {
    {"still", "", .init = 0.4, GRADYN_UNBOUNDED},
    {"sliding", "", .init = 0.3, GRADYN_UNBOUNDED},
    {"lean", "rad", .init = 0.35, GRADYN_UNBOUNDED},
    {"stiffness", "N/m", .init = 30, GRADYN_UNBOUNDED},
    {"speed", "m/s", .init = -0.7, GRADYN_UNBOUNDED}};

/* data: still, sliding, lean */
static gradyn_status block_friction(const gradyn_at *at, gradyn_scalar force[])
{
  gradyn_scalar f = coefficient(at->vel[0], transition, at->data[0], at->data[1]) *
                    size_of(at->lam[0]);
  force[0] = -f * ccos(at->data[2]);
  force[1] = -f * csin(at->data[2]);
  return GRADYN_OK;
}

static int declare_block(gradyn_model *m, const gradyn_scalar rho[], const char *const *reads)
{
  int P = gradyn_point(m, "P", 0, 0), S = gradyn_ground_point(m, "S", spring_x, spring_y);
  gradyn_initial_velocity(m, P, rho[SPEED], 0);
  gradyn_fix_initial_coordinate(m, P, GRADYN_X);
  gradyn_point_mass(m, "block", P, mass);
  gradyn_gravity(m, -9.81 * sin(slope), -9.81 * cos(slope));
  gradyn_spring(m,
                &(gradyn_spring_spec){"spring", P, S, .k = rho[STIFFNESS], .free_length = length});
  gradyn_custom_force(
      m, &(gradyn_custom_force_spec){.name = "friction",
                                     .points = &P,
                                     .point_count = 1,
                                     .fn = block_friction,
                                     .data = (gradyn_datum[]){{"still", "", rho[STILL]},
                                                              {"sliding", "", rho[SLIDING]},
                                                              {"lean", "rad", rho[LEAN]}},
                                     .data_count = 3,
                                     .reads = reads,
                                     .read_count = 1});
  gradyn_coordinate(m, "guide", P, GRADYN_Y,
                    &(gradyn_time_function){.amplitude = lift, .frequency = pulse});
  return P;
}

static gradyn_status build_block(gradyn_model *m, const gradyn_scalar rho[])
{
  int P = declare_block(m, rho, (const char *[]){"guide"});
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"place",
                                                     gradyn_measure_point(m, "", P, 0, GRADYN_X),
                                                     .reduction = GRADYN_AT_END}),
      1);
  gradyn_functional(m,
                    &(gradyn_functional_spec){"speed", gradyn_measure_point(m, "", P, 1, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"reaction", gradyn_measure_multiplier(m, "", 1),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

const gradyn_problem friction_block = PROBLEM("block", build_block, block_params, .t_end = 1.2,
                                              .step = 1e-3);

/* Rates of x, x' and the integral of lam^2. The normal force follows from the equation normal to the
 * incline. */
static void block_rates(const double rho[], double t, const double y[3], double rate[3])
{
  double lift_now = lift * sin(pulse * t), up = -lift * pulse * pulse * sin(pulse * t);
  double dx = spring_x - y[0], dy = spring_y - lift_now, s = hypot(dx, dy);
  double pull = rho[STIFFNESS] * (s - length) / s;
  double mu = creal(coefficient(y[1], transition, rho[STILL], rho[SLIDING]));
  double applied = pull * dy - 9.81 * mass * cos(slope) - mass * up, lam = applied;
  for (int k = 0; k < 50;
       k++) { /* fixed-point iteration for lam + mu size(lam) sin(lean) = applied */
    double size = sqrt(lam * lam + 0.01);
    lam -= (lam + mu * size * sin(rho[LEAN]) - applied) / (1 + mu * lam / size * sin(rho[LEAN]));
  }
  rate[0] = y[1];
  rate[1] = (pull * dx - mu * sqrt(lam * lam + 0.01) * cos(rho[LEAN])) / mass - 9.81 * sin(slope);
  rate[2] = lam * lam;
}

void friction_block_reference(const double rho[], int steps, double psi[FRICTION_FUNCTIONALS])
{
  double h = end / steps, y[3] = {0, rho[SPEED], 0}, k[4][3], z[3];
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  for (int step = 0; step < steps; step++) {
    for (int stage = 0; stage < 4; stage++) {
      for (int i = 0; i < 3; i++)
        z[i] = y[i] + (stage > 0 ? at[stage] * h * k[stage - 1][i] : 0);
      block_rates(rho, (step + at[stage]) * h, z, k[stage]);
    }
    for (int stage = 0; stage < 4; stage++)
      for (int i = 0; i < 3; i++)
        y[i] += h / 6 * weight[stage] * k[stage][i];
  }
  for (int i = 0; i < 3; i++)
    psi[i] = y[i];
}

/* --- slider-crank ----------------------------------------------------------------------------- */

static const gradyn_param crank_params[] = {{"friction", "", .init = 0.3, GRADYN_UNBOUNDED},
                                            {"radius", "m", .init = 0.05, GRADYN_UNBOUNDED},
                                            {"share", "", .init = 0.4, GRADYN_UNBOUNDED},
                                            {"length", "m", .init = 1.1, GRADYN_UNBOUNDED}};

/* Friction along the guide of the slider, in proportion to its normal force. */
FORMULAS(guide_friction, -at->data[0] * ctanh(at->vel[0] / 0.2) * size_of(at->lam[0]), 0)

/* A friction torque against the rotation of the rod between two points, from the forces of one or more
 * rods. */
static gradyn_status bearing_friction(const gradyn_at *at, gradyn_scalar force[])
{
  gradyn_scalar x = at->pos[2] - at->pos[0], y = at->pos[3] - at->pos[1], square = x * x + y * y;
  gradyn_scalar omega = (x * (at->vel[3] - at->vel[1]) - y * (at->vel[2] - at->vel[0])) / square;
  gradyn_scalar load = at->user ? csqrt(at->lam[0] * at->lam[0] + at->lam[1] * at->lam[1] + 0.01)
                                : size_of(at->lam[0]);
  gradyn_scalar torque = -at->data[0] * at->data[1] * load * ctanh(omega / 2);
  force[2] = -torque * y / square;
  force[3] = torque * x / square;
  force[0] = -force[2];
  force[1] = -force[3];
  return GRADYN_OK;
}

/* A drag against the velocity of an attached point. */
static gradyn_status drag(const gradyn_at *at, gradyn_scalar force[])
{
  gradyn_scalar load = 0.02 * size_of(at->lam[0] - 0.3 * at->lam[1]);
  for (int c = 0; c < 2; c++)
    force[c] = -load * at->vel[c] * (1 + at->pos[c]);
  return GRADYN_OK;
}

static void add_bearing(gradyn_model *m, const char *name, const int points[2],
                        const gradyn_scalar data[2], const char *const *reads, int count)
{
  gradyn_custom_force(
      m, &(gradyn_custom_force_spec){
             .name = name,
             .points = points,
             .point_count = 2,
             .fn = bearing_friction,
             .data = (gradyn_datum[]){{"friction", "", data[0]}, {"radius", "m", data[1]}},
             .data_count = 2,
             .user = count > 1 ? m : NULL,
             .reads = reads,
             .read_count = count});
}

static gradyn_status build_crank(gradyn_model *m, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(m, "A", 0, 0), P = gradyn_point(m, "P", 0.3, 0.4);
  int Q = gradyn_point(m, "Q", 1.2, 0);
  gradyn_rod(m, &(gradyn_rod_spec){"crank", A, P, .length = 0.5, .mass = 1});
  gradyn_rod(m, &(gradyn_rod_spec){"bar", P, Q, .length = rho[3], .mass = 2});
  int D = gradyn_point_between(m, "D", P, Q, rho[2]);
  gradyn_point_mass(m, "slider", Q, 1.5);
  gradyn_coordinate(m, "guide", Q, GRADYN_Y, NULL);
  gradyn_torque(m, &(gradyn_torque_spec){"motor", A, P, .torque = 6, .c = 0.4});
  gradyn_gravity(m, 0, -9.81);
  gradyn_fix_initial_angle(m, "start", A, P, 0.9, 2);
  gradyn_custom_force(
      m, &(gradyn_custom_force_spec){.name = "guide friction",
                                     .points = &Q,
                                     .point_count = 1,
                                     .fn = guide_friction,
                                     .data = (gradyn_datum[]){{"friction", "", rho[0]}},
                                     .data_count = 1,
                                     .reads = (const char *[]){"guide"},
                                     .read_count = 1});
  add_bearing(m, "bearing", (int[]){A, P}, rho, (const char *[]){"bar", "crank"}, 2);
  gradyn_custom_force(m, &(gradyn_custom_force_spec){.name = "drag",
                                                     .points = &D,
                                                     .point_count = 1,
                                                     .fn = drag,
                                                     .reads = (const char *[]){"guide", "bar"},
                                                     .read_count = 2});
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", Q, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL, .target = {1, 0}}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"smooth",
                                                 gradyn_measure_point(m, "", D, 2, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"reaction", gradyn_measure_multiplier(m, "", 3),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"speed", gradyn_measure_line_angle(m, "", A, P, 1),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

const gradyn_problem friction_crank = PROBLEM("crank", build_crank, crank_params, .t_end = 1,
                                              .step = 5e-3);

/* --- chain ------------------------------------------------------------------------------------ */

static const gradyn_param chain_params[] = {{"friction", "", .init = 0.3, GRADYN_UNBOUNDED},
                                            {"radius", "m", .init = 0.02, GRADYN_UNBOUNDED}};

static gradyn_status build_chain(gradyn_model *m, const gradyn_scalar rho[])
{
  enum { LINKS = 16 };
  int end_point[2] = {gradyn_ground_point(m, "P0", 0, 0), 0};
  for (int k = 1; k <= LINKS; k++) {
    const char *link = gradyn_format_name(m, "link%d", k);
    end_point[1] = gradyn_point(m, gradyn_format_name(m, "P%d", k), 0.1 * k, k % 2 ? -0.066 : 0);
    gradyn_fix_initial_coordinate(m, end_point[1], GRADYN_X);
    gradyn_rod(m,
               &(gradyn_rod_spec){link, end_point[0], end_point[1], .length = 0.12, .mass = 0.2});
    add_bearing(m, gradyn_format_name(m, "bearing%d", k), end_point, rho, &link, 1);
    end_point[0] = end_point[1];
  }
  gradyn_gravity(m, 0, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(m,
                        &(gradyn_functional_spec){
                            "track", gradyn_measure_point(m, "", end_point[0], 0, GRADYN_ALL_AXES),
                            .reduction = GRADYN_SQUARE_INTEGRAL, .target = {1, -1}}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"reaction", gradyn_measure_multiplier(m, "", 4),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

const gradyn_problem friction_chain = PROBLEM("chain", build_chain, chain_params, .t_end = 0.1,
                                              .step = 5e-3);

/* --- redundant constraints -------------------------------------------------------------------- */

static const gradyn_setting table_settings[] = {
    {"reads", "which multiplier friction reads", 0, 0, 1}};

static gradyn_status build_table(gradyn_model *m, const gradyn_scalar rho[])
{
  bool leg = gradyn_setting_value(m, "reads") == 1;
  int P = declare_block(m, rho, (const char *[]){leg ? "leg2" : "guide"});
  int plate = declare_body(m, "plate", 1, 0.4, 1.1, -2);
  for (int k = 0; k < 3; k++) {
    int foot = gradyn_ground_point(m, gradyn_format_name(m, "foot%d", k), k, -2.9);
    int top = gradyn_body_point(m, plate, gradyn_format_name(m, "top%d", k), k + 0.1, -2);
    gradyn_rod(m, &(gradyn_rod_spec){gradyn_format_name(m, "leg%d", k), foot, top, .mass = 0.5});
  }
  gradyn_fix_initial_coordinate(m, gradyn_body_centre(m, plate), GRADYN_X);
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"place",
                                                     gradyn_measure_point(m, "", P, 0, GRADYN_X),
                                                     .reduction = GRADYN_AT_END}),
      1);
  gradyn_functional(m,
                    &(gradyn_functional_spec){"speed", gradyn_measure_point(m, "", P, 1, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

const gradyn_problem friction_table = PROBLEM("table", build_table, block_params,
                                              .settings = table_settings, .setting_count = 1,
                                              .t_end = 0.4, .step = 5e-3);

/* --- locked ----------------------------------------------------------------------------------- */

static const gradyn_setting locked_settings[] = {
    {"smooth", "the force is linear in the size of the multiplier", 0, 0, 1}};
static const gradyn_param locked_params[] = {{"share", "", .init = 0.5, GRADYN_UNBOUNDED}};

/* A force in proportion to the multiplier itself: lam = weight - share lam, or lam = weight + share |lam|. */
FORMULAS(push, 0, at->data[0] * (at->user ? -size_of(at->lam[0]) : at->lam[0]))

static gradyn_status build_locked(gradyn_model *m, const gradyn_scalar rho[])
{
  int P = gradyn_point(m, "P", 0, 0);
  gradyn_point_mass(m, "block", P, 1);
  gradyn_gravity(m, 1, -9.81);
  gradyn_coordinate(m, "guide", P, GRADYN_Y, NULL);
  gradyn_fix_initial_coordinate(m, P, GRADYN_X);
  gradyn_custom_force(
      m, &(gradyn_custom_force_spec){.name = "wedge",
                                     .points = &P,
                                     .point_count = 1,
                                     .fn = push,
                                     .data = (gradyn_datum[]){{"share", "", rho[0]}},
                                     .data_count = 1,
                                     .user = gradyn_setting_value(m, "smooth") ? m : NULL,
                                     .reads = (const char *[]){"guide"},
                                     .read_count = 1});
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"place",
                                                     gradyn_measure_point(m, "", P, 0, GRADYN_X),
                                                     .reduction = GRADYN_AT_END}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"reaction", gradyn_measure_multiplier(m, "", 1),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

const gradyn_problem friction_locked = PROBLEM("locked", build_locked, locked_params,
                                               .settings = locked_settings, .setting_count = 1,
                                               .t_end = 0.5, .step = 1e-2);
