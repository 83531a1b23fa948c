/* Costs of `radau` for long stiff mechanisms: the shipped chain, whose damping is faster for lighter links;
 * a beam, stiffer for shorter elements, over a hundredth of a second; and links with stiff springs and
 * dampers in their hinges. Prints the processor time per step and link or element of a simulation and of a
 * gradient, and the peak memory of the process, with all stages stored and with one megabyte for them.
 * Usage: bench_stiff_chain [LINKS], by default 64, 128, 256 and 512. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gradyn/gradyn.h>

#include "bench/timing.h"
#include "problems/builtin.h"

enum { PARAMETERS = 3, FUNCTIONALS = 3 };

static const gradyn_param sprung_params[] = {
    {"stiffness", "N m/rad", .init = 1e3, GRADYN_UNBOUNDED},
    {"damping", "N m s/rad", .init = 10, GRADYN_UNBOUNDED}};
static const gradyn_setting sprung_settings[] = {{"links", "number of links", 8, 1, 4096}};

/* Links of 1 m and 1 kg in total, horizontal, fixed at one end. */
static gradyn_status build_sprung(gradyn_model *model, const gradyn_scalar rho[])
{
  const int links = gradyn_setting_value(model, "links");
  const double length = 1.0 / links, mass = 1.0 / links;
  int last = GRADYN_GROUND, body = GRADYN_GROUND;
  for (int i = 0; i < links; i++, last = body) {
    body = gradyn_body(model, &(gradyn_body_spec){.name = gradyn_format_name(model, "link%d", i),
                                                  .mass = mass,
                                                  .centre = {length * (i + 0.5), 0},
                                                  .inertia = {0, 0, mass * length * length / 12}});
    const int joint = gradyn_joint_between(
        model, &(gradyn_joint_between_spec){.name = gradyn_format_name(model, "hinge%d", i),
                                            .kind = GRADYN_REVOLUTE,
                                            .body_a = last,
                                            .body_b = body,
                                            .position = {length * i, 0}});
    gradyn_joint_spring(model,
                        &(gradyn_joint_spring_spec){
                            .name = gradyn_format_name(model, "spring%d", i),
                            .coordinate = gradyn_joint_coordinate(model, joint, GRADYN_ANGLE),
                            .k = rho[0] * links,
                            .c = rho[1] * links});
  }
  gradyn_gravity(model, 0, -9.81);
  const int tip = gradyn_body_point(model, last, "tip", 1, 0);
  gradyn_minimise(
      model,
      gradyn_functional(
          model,
          &(gradyn_functional_spec){"sag", gradyn_measure_point(model, "", tip, 0, GRADYN_ALL_AXES),
                                    .reduction = GRADYN_SQUARE_INTEGRAL, .target = {1, 0}}),
      1);
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static const gradyn_problem sprung = {
    GRADYN_PROBLEM_SIZES,        .name = "sprung",   .params = sprung_params, .param_count = 2,
    .settings = sprung_settings, .setting_count = 1, .build = build_sprung,   .t_end = 0.5};

static const struct subject {
  const gradyn_problem *problem;
  const char *parts; /* the setting */
  double t_end;
  double rho[PARAMETERS];
} subjects[] = {
    /* m, kg, and N m s in total: the rotation of one of 512 links decays within a microsecond */
    {&gradyn_problem_chain, "links", 0, {1, 1, 1}},
    {&gradyn_problem_rigid_spring_beam, "elements", 0.01, {0.8, 0}},
    {&sprung, "links", 0.5, {1e3, 10}}};

/* Peak memory of the process, megabytes. */
static double peak(void)
{
  struct rusage usage;
  (void)getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1024;
}

static int measure(const struct subject *s, int links, double memory)
{
  const gradyn_setting_choice choice = {s->parts, links};
  gradyn_options options;
  gradyn_evaluator *ev;
  double psi[FUNCTIONALS], gradient[FUNCTIONALS * PARAMETERS];
  gradyn_options_default(s->problem, &options);
  options.method = "radau";
  options.sensitivity = "adjoint";
  options.rtol = 1e-5;
  options.step = 0;
  options.t_end = s->t_end;
  options.memory = memory;
  gradyn_status status = gradyn_evaluator_create(s->problem, &options, &choice, 1, &ev);
  for (int k = 0; k < 2 && status == GRADYN_OK; k++) /* the first run also allocates memory */
    status = gradyn_evaluator_simulate(ev, s->rho, psi, NULL);
  const double before = peak();
  double since = bench_now();
  if (status == GRADYN_OK)
    status = gradyn_evaluator_simulate(ev, s->rho, psi, NULL);
  const double march = bench_now() - since;
  const gradyn_statistics cost = gradyn_evaluator_statistics(ev);
  since = bench_now();
  if (status == GRADYN_OK)
    status = gradyn_evaluator_gradient_selected(ev, NULL, s->rho, psi, gradient);
  const double whole = bench_now() - since, steps = (double)cost.steps;
  if (status == GRADYN_OK)
    (void)printf("%6d %8.0f %10.0f %6ld %14.2f %14.2f %16.1f %10.1f\n", links, memory, steps,
                 cost.factorisations, 1e6 * march / steps / links, 1e6 * whole / steps / links,
                 before, peak());
  else
    (void)fprintf(stderr, "%d links: %s\n", links, gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
  return status != GRADYN_OK;
}

/* In a process of its own, so that its memory is that of one chain. */
static int measure_apart(const struct subject *s, int links, double memory)
{
  (void)fflush(stdout);
  const pid_t child = fork();
  int status = 1;
  if (child == 0) {
    status = measure(s, links, memory);
    (void)fflush(stdout);
    _exit(status);
  }
  (void)waitpid(child, &status, 0);
  return status != 0;
}

int main(int argc, char **argv)
{
  int failed = 0;
  (void)printf(
      " links   memory      steps factors us/step, link  gradient us, MB: simulation  gradient\n");
  for (size_t k = 0; k < GRADYN_COUNT(subjects); k++)
    for (int links = argc > 1 ? atoi(argv[1]) : 64; links <= (argc > 1 ? atoi(argv[1]) : 512);
         links *= 2)
      for (int bound = 0; bound < 2; bound++)
        failed |= measure_apart(&subjects[k], links, bound ? 1e6 : 0);
  return failed;
}
