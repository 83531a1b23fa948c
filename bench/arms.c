/* An arm of equal bodies in space on revolute joints, about y and z in turn, that falls under gravity with
 * a little friction: one simulation, one gradient by two parameters or by all data, for counts of
 * instructions per step by
 *   valgrind --tool=callgrind bench_arms LINKS SECONDS simulate|gradient|data [natural|joint [KIND]]
 * In natural coordinates, most of the cost is linear systems; `joint` takes joint coordinates. KIND: all
 * joints are spherical, without friction (balls), the first body has no joint (floats), all joints, up to
 * 16, have friction that depends on their reactions (rubs), or all other bodies hang on the first one
 * (star). */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/gradyn.h>

static const gradyn_param params[] = {{"mass", "kg", .init = 1, GRADYN_UNBOUNDED},
                                      {"friction", "N m s", .init = 0.05, GRADYN_UNBOUNDED}};
enum { HINGES, BALLS, FLOATS, RUBS, STAR };
static const gradyn_setting settings[] = {{"links", "number of bodies", .init = 7, 1, 4096},
                                          {"kind", "of joints", .init = HINGES, 0, STAR}};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const double length = 0.3;
  const int links = gradyn_setting_value(model, "links");
  const int kind = gradyn_setting_value(model, "kind");
  const bool turns = kind == HINGES || kind == RUBS || kind == STAR;
  const gradyn_scalar across = rho[0] * (length * length / 12 + 0.001);
  int last = GRADYN_GROUND;
  for (int i = 0; i < links; i++) {
    const int body = gradyn_body_3d(
        model, &(gradyn_body_spec){.name = gradyn_format_name(model, "link%d", i),
                                   .mass = rho[0],
                                   .centre = {length * (i + 0.5), 0, 0},
                                   .omega = {turns ? 0 : 0.3, turns ? 0 : 1, 0},
                                   .inertia = {0.002 * rho[0], across, across}});
    const int from = last;
    last = kind == STAR && i > 0 ? last : body;
    if (kind == FLOATS && i == 0)
      continue;
    const int joint = gradyn_joint_between(
        model,
        &(gradyn_joint_between_spec){.name = gradyn_format_name(model, "hinge%d", i),
                                     .kind = kind == BALLS ? GRADYN_SPHERICAL : GRADYN_REVOLUTE,
                                     .body_a = from,
                                     .body_b = body,
                                     .position = {length * i, 0, 0},
                                     .axis = {0, i % 2 == 0, i % 2}});
    if (kind == BALLS)
      continue;
    const int angle = gradyn_joint_coordinate(model, joint, GRADYN_ANGLE);
    /* long arms start at rest: round-off of initial rates grows with the moved mass */
    const double rate = i % 2 && links <= 512 ? 0.5 : 0;
    gradyn_fix_initial_joint(model, gradyn_format_name(model, "start%d", i), angle, 0, rate);
    gradyn_joint_spring(model,
                        &(gradyn_joint_spring_spec){.name = gradyn_format_name(model, "loss%d", i),
                                                    .coordinate = angle,
                                                    .c = rho[1]});
    if (kind == RUBS)
      gradyn_joint_friction(
          model, &(gradyn_joint_friction_spec){.name = gradyn_format_name(model, "rub%d", i),
                                               .joint = joint,
                                               .still = 0.15,
                                               .kinetic = 0.1,
                                               .transition = 0.01,
                                               .smoothing = 0.1,
                                               .radius = 0.02,
                                               .length = 0.06,
                                               .offset = -0.03});
  }
  gradyn_gravity_3d(model, 0, 0, -9.81);
  gradyn_minimise(
      model,
      gradyn_functional(
          model,
          &(gradyn_functional_spec){
              "psi",
              gradyn_measure_point(model, "",
                                   gradyn_body_point_3d(model, last, "tip", length * links, 0, 0),
                                   0, GRADYN_ALL_AXES),
              .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  return gradyn_build_status(model);
}

static const gradyn_problem arm = {GRADYN_PROBLEM_SIZES, .name = "arm",        .params = params,
                                   .param_count = 2,     .settings = settings, .setting_count = 2,
                                   .build = build,       .t_end = 0.3};

static gradyn_status evaluate(gradyn_evaluator *ev, const char *what, double *psi)
{
  const double rho[] = {1, 0.05};
  if (strcmp(what, "simulate") == 0)
    return gradyn_evaluator_simulate(ev, rho, psi, NULL);
  double *slope = calloc(gradyn_evaluator_model_info(ev).data + 2, sizeof *slope);
  gradyn_status status = !slope ? GRADYN_NO_MEMORY
                         : strcmp(what, "gradient") == 0
                             ? gradyn_evaluator_gradient(ev, rho, psi, slope)
                             : gradyn_evaluator_data_gradient(ev, rho, psi, slope);
  free(slope);
  return status;
}

int main(int argc, char **argv)
{
  if (argc < 4)
    return fprintf(stderr,
                   "usage: %s LINKS SECONDS simulate|gradient|data [natural|joint [KIND]]\n",
                   argv[0]),
           2;
  const int kind = argc < 6                         ? HINGES
                   : strcmp(argv[5], "balls") == 0  ? BALLS
                   : strcmp(argv[5], "floats") == 0 ? FLOATS
                   : strcmp(argv[5], "star") == 0   ? STAR
                                                    : RUBS;
  const gradyn_setting_choice choice[] = {{"links", atoi(argv[1])}, {"kind", kind}};
  double psi;
  gradyn_options options;
  gradyn_evaluator *ev;
  gradyn_options_default(&arm, &options);
  options.method = "explicit";
  options.t_end = atof(argv[2]);
  options.coordinates = argc > 4 ? argv[4] : "natural";
  gradyn_status status = gradyn_evaluator_create(&arm, &options, choice, 2, &ev);
  if (status == GRADYN_OK)
    status = evaluate(ev, argv[3], &psi);
  if (status == GRADYN_OK) {
    const gradyn_statistics done = gradyn_evaluator_statistics(ev);
    printf("%s links, %ld steps, %ld factorisations, psi %.15g\n", argv[1], done.steps,
           done.factorisations, psi);
  } else
    fprintf(stderr, "%s\n", ev ? gradyn_evaluator_message(ev) : "out of memory");
  gradyn_evaluator_free(ev);
  return status == GRADYN_OK ? 0 : 1;
}
