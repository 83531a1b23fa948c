/* A pendulum whose angle an encoder has measured in three experiments: its length, its drag, the offset of
 * the encoder and the three initial angles are identified. The measurements are synthetic. They are those
 * of this model with a length of 0.9 m, a drag of 0.3 N s/m, an offset of 0.02 rad and initial angles of
 * 0.4, 1 and 2 rad, plus normal noise of 0.01 rad. */
#include <gradyn/gradyn.h>

enum { LENGTH, DRAG, OFFSET, ANGLE };
enum { DATA = 21, EXPERIMENTS = 3 };

static const gradyn_param params[] = {
    [LENGTH] = {"length", "m", .init = 1.1, .lower = 0.5, .upper = 2},
    [DRAG] = {"drag", "N s/m", .init = 0.2, .lower = 0, .upper = 1},
    [OFFSET] = {"offset", "rad", .init = 0, .lower = -0.2, .upper = 0.2},
    [ANGLE] = {"angle", "rad", .init = 0.5, .lower = -3, .upper = 3, .per_case = true},
};

static const double sigma = 0.01; /* standard deviation of a measurement, rad */
static const double times[DATA] = {0,   0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0,
                                   1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0};
static const double measured[EXPERIMENTS][DATA] = {
    {0.4235,  0.4074,  0.3428,  0.2352,  0.1446,  0.0185,  -0.1087,
     -0.1983, -0.2747, -0.3161, -0.3229, -0.2858, -0.2352, -0.1417,
     -0.0428, 0.0732,  0.1647,  0.2403,  0.2885,  0.3162,  0.3093},
    {1.0172,  0.9878,  0.8539,  0.6115,  0.3591,  0.0862,  -0.2050,
     -0.4555, -0.6561, -0.7650, -0.8445, -0.8025, -0.6668, -0.5034,
     -0.2775, -0.0384, 0.1993,  0.4386,  0.6096,  0.7037,  0.7450},
    {2.0193,  1.9613,  1.8220,  1.5762,  1.2286,  0.7877,  0.3029,
     -0.2038, -0.6800, -1.0801, -1.3478, -1.5302, -1.5743, -1.5427,
     -1.3660, -1.1179, -0.7841, -0.3638, 0.0776,  0.4986,  0.8443}};

/* Drag force against the velocity of the bob. */
static gradyn_status drag(const gradyn_at *at, gradyn_scalar force[])
{
  for (int k = 0; k < 2; k++)
    force[k] = -at->data[0] * at->vel[k];
  return GRADYN_OK;
}

static gradyn_status read_encoder(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->of[0] + at->data[0];
  return GRADYN_OK;
}

/* Adds the pendulum; x points down. Returns the measure of its angle from the position at rest. */
static gradyn_measure_id swing(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar l = rho[LENGTH], angle = rho[ANGLE];
  const gradyn_point_id pivot = gradyn_ground_point(model, "pivot", 0, 0),
                        bob = gradyn_point(model, "bob", l * cos(angle), l * sin(angle));
  gradyn_rod(model, &(gradyn_rod_spec){"rod", pivot, bob, .length = l});
  gradyn_point_mass(model, "bob", bob, 1);
  gradyn_gravity(model, 9.81, 0);
  gradyn_custom_force(
      model, &(gradyn_custom_force_spec){.name = "air",
                                         .points = &bob,
                                         .point_count = 1,
                                         .fn = drag,
                                         .data = &(gradyn_datum){"drag", "N s/m", rho[DRAG]},
                                         .data_count = 1});
  gradyn_fix_initial_angle(model, "start", pivot, bob, angle, 0);
  gradyn_draw_trace(model, bob);
  return gradyn_measure_line_angle(model, "angle", pivot, bob, 0);
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const int experiment = (int)gradyn_case_value(model, "experiment", 0);
  const gradyn_measure_id angle = swing(model, rho);
  const gradyn_measure_id encoder = gradyn_measure_formula(
      model, &(gradyn_measure_formula_spec){.name = "encoder",
                                            .unit = "rad",
                                            .formula = read_encoder,
                                            .of = &angle,
                                            .count = 1,
                                            .data = &(gradyn_datum){"offset", "rad", rho[OFFSET]},
                                            .data_count = 1});
  gradyn_minimise(model,
                  gradyn_fit(model, "fit", encoder,
                             &(gradyn_fit_spec){.times = times,
                                                .values = measured[experiment],
                                                .count = DATA,
                                                .sigma = sigma}),
                  1);
  return gradyn_build_status(model);
}

static const char *const names[EXPERIMENTS] = {"small", "medium", "large"};
static const char *const columns[] = {"experiment", "angle"};
static const double values[] = {0, 0.5, 1, 1.2, 2, 1.8};
static const gradyn_cases cases = {.names = names,
                                   .columns = columns,
                                   .values = values,
                                   .count = EXPERIMENTS,
                                   .column_count = GRADYN_COUNT(columns)};

GRADYN_PROBLEM(pendulum_identification,
               .summary = "Pendulum by an encoder: three experiments, one length", .params = params,
               .build = build, .t_end = 2.0, .rtol = 1e-9, .cases = &cases);
