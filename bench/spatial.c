/* Mechanisms in space: the kernels of the spatial slider-crank, and chains of a growing number of links
 * with revolute joints, per step and link, against the planar chain. Processor time.
 * Usage: bench_spatial [LINKS], the longest chain, by default 512. */
#include <stdio.h>
#include <stdlib.h>

#include <gradyn/gradyn.h>

#include "bench/timing.h"
#include "core/model/model.h"
#include "problems/builtin.h"

enum { ROUNDS = 7, CALLS = 20000 };

/* --- kernels of the slider-crank ------------------------------------------------------------------ */

typedef struct kernel {
  const char *name;
  int what; /* 0 Phi_q, 1 Phi_q v, 2 Phi_q^T lambda, 3 (Phi_q v)_q v */
} kernel;

static void call(gradyn_mech *mech, int what, const gradyn_mech_state *at, double *out)
{
  if (what == 0)
    (void)mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, at, out);
  else if (what == 2)
    (void)mech->ops->residual(mech, GRADYN_CONSTRAINT, at, out);
  else
    (void)mech->ops->phi(mech, GRADYN_CONSTRAINT, what == 1 ? 1 : 2, at, out);
}

static void measure_kernels(void)
{
  static const kernel kernels[] = {
      {"Phi_q", 0}, {"Phi_q v", 1}, {"Phi_q^T lambda", 2}, {"(Phi_q v)_q v", 3}};
  static const double published[] = {22.0, 16.6, 30.3, 18.2}; /* us, by hand in Julia */
  const gradyn_problem *problem = &gradyn_problem_spatial_slider_crank;
  gradyn_scalar rho[16];
  for (size_t j = 0; j < problem->param_count; j++)
    rho[j] = problem->params[j].init;
  gradyn_model *model;
  if (gradyn_model_create(problem, NULL, 0, 0, rho, &model) != GRADYN_OK)
    return;
  gradyn_mech *mech = model->mech;
  size_t n = (size_t)mech->n, capacity = (size_t)(mech->jac.nnz + mech->n + mech->m) + 1;
  double *q = calloc(4 * n + capacity + (size_t)mech->m, sizeof *q),
         *out = q + 3 * n + (size_t)mech->m;
  for (int i = 0; i < mech->n; i++) {
    q[i] = mech->x[mech->q0[i]];
    q[mech->n + i] = 0.1 * i;
  }
  const gradyn_mech_state at = {.t = 0, .q = q, .v = q + n, .a = q + 2 * n, .lam = q + 3 * n};
  printf("spatial slider-crank, %d coordinates, %d constraints      us   published\n", mech->n,
         mech->m);
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
    double seconds[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      double begin = bench_now();
      for (int i = 0; i < CALLS; i++)
        call(mech, kernels[k].what, &at, out);
      seconds[round] = (bench_now() - begin) / CALLS;
    }
    printf("  %-48s %8.3f %8.1f\n", kernels[k].name, 1e6 * bench_median(seconds, ROUNDS),
           published[k]);
  }
  free(q);
  gradyn_model_free(model);
}

/* --- chains ----------------------------------------------------------------------------------------- */

static const gradyn_setting settings[] = {{"links", "", 8, 1, 4096}};
static const gradyn_param params[] = {{"mass", "kg", .init = 0.1, GRADYN_UNBOUNDED},
                                      {"spread", "m", .init = 0.02, GRADYN_UNBOUNDED}};

/* Links of 0.1 m on hinges with axes along y and x in turn, initially horizontal. */
static gradyn_status chain(gradyn_model *model, const gradyn_scalar rho[])
{
  int links = gradyn_setting_value(model, "links"), last = GRADYN_GROUND;
  for (int i = 0; i < links; i++) {
    gradyn_scalar across = rho[0] * (0.01 / 12 + rho[1] * rho[1]);
    int body = gradyn_body_3d(
        model, &(gradyn_body_spec){.name = gradyn_format_name(model, "link%d", i),
                                   .centre = {0.1 * i + 0.05, 0, 0},
                                   .mass = rho[0],
                                   .inertia = {rho[0] * rho[1] * rho[1], across, across}});
    gradyn_joint_between(
        model, &(gradyn_joint_between_spec){.name = gradyn_format_name(model, "hinge%d", i),
                                            .kind = GRADYN_REVOLUTE,
                                            .body_a = last,
                                            .body_b = body,
                                            .position = {0.1 * i, 0, 0},
                                            .axis = {0, i % 2 == 0, i % 2}});
    last = body;
  }
  gradyn_gravity_3d(model, 0, 0, -9.81);
  gradyn_functional(
      model,
      &(gradyn_functional_spec){
          "end", gradyn_measure_point(model, "", gradyn_body_centre(model, last), 0, GRADYN_Z),
          .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static const gradyn_problem spatial_chain = {
    GRADYN_PROBLEM_SIZES, .name = "spatial-chain", .params = params, .param_count = 2,
    .settings = settings, .setting_count = 1,      .build = chain,   .t_end = 0.05};

/* us per step and link of a simulation; *ratio: gradient over simulation; *unknowns: coordinates and
 * constraints of a link. */
static double measure_chain(const gradyn_problem *problem, int links, double *ratio,
                            double *unknowns)
{
  const gradyn_setting_choice choice = {"links", links};
  gradyn_options options;
  gradyn_evaluator *ev;
  double rho[16], psi[8], gradient[128], march[3], whole[3];
  gradyn_options_default(problem, &options);
  options.method = "ali3p";
  options.t_end = 0.05;
  options.step = 5e-4;
  gradyn_status status = gradyn_evaluator_create(problem, &options, &choice, 1, &ev);
  for (size_t j = 0; status == GRADYN_OK && j < gradyn_parameter_count(ev); j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  for (int k = 0; k < 3 && status == GRADYN_OK; k++) {
    double begin = bench_now();
    status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
    march[k] = bench_now() - begin;
    begin = bench_now();
    if (status == GRADYN_OK)
      status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
    whole[k] = bench_now() - begin;
  }
  double result = 0;
  if (status == GRADYN_OK) {
    gradyn_model_info info = gradyn_evaluator_model_info(ev);
    double time = bench_median(march, 3);
    *ratio = bench_median(whole, 3) / time;
    *unknowns = (double)(info.coordinates + info.constraints) / links;
    result = 1e6 * time / (double)gradyn_evaluator_statistics(ev).steps / links;
  } else
    printf("  %d links: %s\n", links, gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
  return result;
}

int main(int argc, char **argv)
{
  int most = argc > 1 ? atoi(argv[1]) : 512;
  measure_kernels();
  printf(
      "\nchain, ali3p      us/step/link  gradient/march   in the plane   per unknown over that\n");
  for (int links = 8; links <= most; links *= 2) {
    double ratio = 0, unknowns = 1, plane_ratio = 0, plane_unknowns = 1;
    double space = measure_chain(&spatial_chain, links, &ratio, &unknowns);
    double plane = measure_chain(&gradyn_problem_chain, links, &plane_ratio, &plane_unknowns);
    printf("  %5d links  %12.3f  %14.2f  %13.3f  %12.2f\n", links, space, ratio, plane,
           plane > 0 ? space / unknowns / (plane / plane_unknowns) : 0);
    (void)fflush(stdout);
  }
  return 0;
}
