/* Suspension of a truck for three loads and two roads: one design, six runs.
 *
 * Half a truck moves in its plane: a body that heaves and pitches, and two axles on their tyres. The
 * payload changes the mass, the inertia and the centre of mass. Springs and dampers of both axles are
 * designed for the comfort in the cab and for even loads of the tyres. The rear may not sag too far under
 * the payload, and the suspension has a limited travel. States are displacements from the static
 * equilibrium. The data are our choice: those of a medium truck. */
#include <gradyn/gradyn.h>

enum { FRONT_SPRING, FRONT_DAMPER, REAR_SPRING, REAR_DAMPER, DESIGN };
/* data of the equations, after the design parameters; distances are from the centre of mass with payload,
 * m */
enum { MASS = DESIGN, INERTIA, FRONT, REAR, CAB, SPEED, BUMP, DATA };
enum { Z, PITCH, Z_FRONT, Z_REAR, COORDINATES };

static const gradyn_param params[] = {
    [FRONT_SPRING] = {"front_spring", "N/m", .init = 1.5e5, .lower = 4e4, .upper = 6e5},
    [FRONT_DAMPER] = {"front_damper", "N s/m", .init = 1e4, .lower = 1e3, .upper = 6e4},
    [REAR_SPRING] = {"rear_spring", "N/m", .init = 4e5, .lower = 1e5, .upper = 1.6e6},
    [REAR_DAMPER] = {"rear_damper", "N s/m", .init = 2e4, .lower = 2e3, .upper = 1e5},
};

static const double pi = 3.14159265358979323846, gravity = 9.81;
/* mass in kg and moment of inertia in kg m^2, without payload */
static const double body_mass = 3000, body_inertia = 8000;
static const double front = 1.2, rear = 2.6, cab = 1.8,
                    payload = 2.2; /* distances from the centre of mass without payload, m */
static const double grip_weight =
    20; /* weight of the squared tyre loads relative to the comfort, m^2/s^4 */
static const double axle[2] = {300, 500}, tyre[2] = {8e5, 1.6e6}; /* kg, N/m; front, rear */

/* Height of the road at x, m: a bump of 60 mm at 5 m, or waves of 12, 5.3 and 2.1 m from 6 m on. It is
 * smooth, so that no event is needed. */
static gradyn_scalar road(const gradyn_scalar data[], gradyn_scalar x)
{
  const double wave[3] = {12, 5.3, 2.1}, height[3] = {0.012, 0.006, 0.002};
  gradyn_scalar waves = 0;
  for (int i = 0; i < 3; i++)
    waves += height[i] * sin(2 * pi * x / wave[i]);
  const gradyn_scalar bump = 0.06 * exp(-(x - 5) * (x - 5) / 0.8);
  return data[BUMP] * bump + (1 - data[BUMP]) * waves / (1 + exp(6 - x));
}

/* Motion of the truck: travel of both suspensions, m, forces of suspensions and tyres, N, and accelerations
 * of the body. */
typedef struct truck {
  gradyn_scalar travel[2], force[2], tyre[2], heave, pitch;
} truck;

static truck motion(const gradyn_at *at)
{
  const gradyn_scalar *d = at->data, *q = at->y, *v = at->y + COORDINATES;
  const gradyn_scalar arm[2] = {d[FRONT], -d[REAR]};
  truck t = {.heave = 0};
  gradyn_scalar torque = 0, lift = 0;
  for (int i = 0; i < 2; i++) {
    const gradyn_scalar under = road(d, d[SPEED] * at->t - i * (front + rear));
    const gradyn_scalar rate = v[Z_FRONT + i] - v[Z] - arm[i] * v[PITCH];
    t.travel[i] = q[Z_FRONT + i] - q[Z] - arm[i] * q[PITCH];
    t.force[i] = d[FRONT_SPRING + 2 * i] * t.travel[i] + d[FRONT_DAMPER + 2 * i] * rate;
    t.tyre[i] = tyre[i] * (under - q[Z_FRONT + i]);
    lift += t.force[i];
    torque += arm[i] * t.force[i];
  }
  t.heave = lift / d[MASS];
  t.pitch = torque / d[INERTIA];
  return t;
}

static gradyn_status equations(const gradyn_at *at, gradyn_scalar F[])
{
  const truck t = motion(at);
  const gradyn_scalar rate[COORDINATES] = {t.heave, t.pitch, (t.tyre[0] - t.force[0]) / axle[0],
                                           (t.tyre[1] - t.force[1]) / axle[1]};
  for (int i = 0; i < COORDINATES; i++) {
    F[i] = at->yp[i] - at->y[COORDINATES + i];
    F[COORDINATES + i] = at->yp[COORDINATES + i] - rate[i];
  }
  return GRADYN_OK;
}

/* Acceleration in the cab, m/s^2. */
static gradyn_status cab_acceleration(const gradyn_at *at, gradyn_scalar *value)
{
  const truck t = motion(at);
  *value = t.heave + at->data[CAB] * t.pitch;
  return GRADYN_OK;
}

/* Sum of squares of the dynamic tyre forces, each divided by its static force. */
static gradyn_status tyre_load(const gradyn_at *at, gradyn_scalar *value)
{
  const truck t = motion(at);
  const gradyn_scalar *d = at->data, base = d[FRONT] + d[REAR];
  const gradyn_scalar weight[2] = {gravity * (d[MASS] * d[REAR] / base + axle[0]),
                                   gravity * (d[MASS] * d[FRONT] / base + axle[1])};
  *value = 0;
  for (int i = 0; i < 2; i++)
    *value += (t.tyre[i] / weight[i]) * (t.tyre[i] / weight[i]);
  return GRADYN_OK;
}

static gradyn_status front_travel(const gradyn_at *at, gradyn_scalar *value)
{
  *value = motion(at).travel[0];
  return GRADYN_OK;
}

static gradyn_status rear_travel(const gradyn_at *at, gradyn_scalar *value)
{
  *value = motion(at).travel[1];
  return GRADYN_OK;
}

static gradyn_measure_id measure(gradyn_model *model, const char *name, const char *unit,
                                 gradyn_functional_fn formula, const gradyn_datum data[])
{
  return gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){
                 .name = name, .unit = unit, .formula = formula, .data = data, .data_count = DATA});
}

/* Computes the inertia of body and payload about their common centre of mass. */
static void load(gradyn_model *model, const gradyn_scalar rho[], gradyn_datum data[DATA])
{
  const double p = gradyn_case_value(model, "payload", 0), mass = body_mass + p;
  const double shift = payload * p / mass; /* shift of the centre of mass to the rear, m */
  const double inertia = body_inertia + body_mass * shift * shift +
                         p * (payload - shift) * (payload - shift) + p * 0.8;
  const double value[DATA - DESIGN] = {mass,
                                       inertia,
                                       front + shift,
                                       rear - shift,
                                       cab + shift,
                                       gradyn_case_value(model, "speed", 20),
                                       gradyn_case_value(model, "bump", 0)};
  static const char *const name[DATA - DESIGN] = {"mass", "inertia", "front", "rear",
                                                  "cab",  "speed",   "bump"};
  static const char *const unit[DATA - DESIGN] = {"kg", "kg m^2", "m", "m", "m", "m/s", ""};
  for (int i = 0; i < DESIGN; i++)
    data[i] = (gradyn_datum){params[i].name, params[i].unit, rho[i]};
  for (int i = 0; i < DATA - DESIGN; i++)
    data[DESIGN + i] = (gradyn_datum){name[i], unit[i], value[i]};
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const char *const state[2 * COORDINATES] = {
      "z", "pitch", "front.z", "rear.z", "z.rate", "pitch.rate", "front.z.rate", "rear.z.rate"};
  static const char *const unit[2 * COORDINATES] = {"m", "", "m", "m", "m/s", "1/s", "m/s", "m/s"};
  gradyn_datum data[DATA];
  load(model, rho, data);
  for (int i = 0; i < 2 * COORDINATES; i++)
    gradyn_state(model, state[i], unit[i], 0);
  gradyn_equations(
      model, &(gradyn_equations_spec){.residual = equations, .data = data, .data_count = DATA});
  const gradyn_measure_id a = measure(model, "cab", "m/s^2", cab_acceleration, data);
  const gradyn_measure_id tyres = measure(model, "load", "", tyre_load, data);
  const gradyn_measure_id travel[2] = {measure(model, "front_gap", "m", front_travel, data),
                                       measure(model, "rear_gap", "m", rear_travel, data)};
  gradyn_minimise(
      model,
      gradyn_functional(model, &(gradyn_functional_spec){.name = "comfort",
                                                         .measure = a,
                                                         .reduction = GRADYN_MEAN_SQUARE}),
      1);
  gradyn_minimise(model,
                  gradyn_functional(model, &(gradyn_functional_spec){.name = "grip",
                                                                     .measure = tyres,
                                                                     .reduction = GRADYN_MEAN}),
                  grip_weight);
  static const char *const name[2] = {"front_travel", "rear_travel"};
  for (int i = 0; i < 2; i++)
    gradyn_constrain(model,
                     gradyn_functional(model, &(gradyn_functional_spec){.name = name[i],
                                                                        .measure = travel[i],
                                                                        .reduction = GRADYN_MAXIMUM,
                                                                        .magnitude = true}),
                     -HUGE_VAL, 0.08, 1e-6);
  const double p = gradyn_case_value(model, "payload", 0);
  gradyn_constrain(
      model,
      gradyn_design_functional(model, "sag", "m",
                               gravity * p * (front + payload) / (front + rear) / rho[REAR_SPRING]),
      -HUGE_VAL, 0.12, 1e-6);
  return gradyn_build_status(model);
}

static const char *const names[] = {"empty-waves", "half-waves", "full-waves",
                                    "empty-bump",  "half-bump",  "full-bump"};
static const char *const columns[] = {"payload", "bump", "speed", "weight"};
static const double values[] = {
    0, 0, 20, 3, 2500, 0, 20, 2, 5000, 0, 20, 3, /* kg, -, m/s, - */
    0, 1, 8,  1, 2500, 1, 8,  1, 5000, 1, 8,  1,
};
static const gradyn_cases cases = {.names = names,
                                   .columns = columns,
                                   .values = values,
                                   .count = GRADYN_COUNT(names),
                                   .column_count = GRADYN_COUNT(columns)};

GRADYN_PROBLEM(truck_suspension, .summary = "Truck suspension for three loads and two roads",
               .params = params, .build = build, .t_end = 3.0, .rtol = 1e-8, .cases = &cases);
