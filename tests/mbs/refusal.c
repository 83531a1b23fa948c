/* Running tables of wrong declarations. */
#include "tests/mbs/refusal.h"
#include "tests/declare.h"

#include <gradyn/joints.h>

gradyn_beam_spec refusal_beam(int from, int to)
{
  return (gradyn_beam_spec){.name = "B",
                            .from = from,
                            .to = to,
                            .elements = 2,
                            .section = {1e-4, 1e-9, 0.01},
                            .young = 1e9,
                            .density = 1e3};
}

gradyn_body_spec refusal_body(void)
{
  return (gradyn_body_spec){
      .name = "body", .mass = 2, .inertia = {0.1, 0.2, 0.15, 0.01, -0.02, 0.005}};
}

int refusal_hinge_angle(gradyn_model *model)
{
  gradyn_body_spec spec = refusal_body();
  return gradyn_joint_coordinate(model,
                                 declare_joint(model, "hinge", GRADYN_REVOLUTE, GRADYN_GROUND,
                                               gradyn_body_3d(model, &spec), NULL, VECTOR(0, 0, 1)),
                                 GRADYN_ANGLE);
}

/* A problem, and the declaration that its build() adds. */
typedef struct task {
  gradyn_problem problem;
  const refusal *refusal;
} task;

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const task *t = (const task *)(const void *)model->problem;
  gradyn_point(model, "P", 1, 0);
  gradyn_point(model, "Q", 2, 1);
  gradyn_ground_point(model, "G", 0, 0);
  t->refusal->declare(model);
  return gradyn_build_status(model);
}

static gradyn_status build_3d(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const task *t = (const task *)(const void *)model->problem;
  gradyn_point_3d(model, "P", 1, 0, 0);
  gradyn_point_3d(model, "Q", 2, 1, 0);
  gradyn_ground_point_3d(model, "G", 0, 0, 0);
  t->refusal->declare(model);
  return gradyn_build_status(model);
}

static void check(gradyn_build_fn builder, int count, const refusal *refusals)
{
  for (int row = 0; row < count; row++) {
    const task t = {{GRADYN_PROBLEM_SIZES, .name = "refused", .build = builder, .t_end = 1},
                    &refusals[row]};
    gradyn_scalar rho = 0;
    gradyn_model *model;
    gradyn_status status = gradyn_model_create(&t.problem, NULL, 0, 0, &rho, &model);
    const char *expected = refusals[row].message, *text = model->message.text;
    assert_status(status, GRADYN_INVALID, text);
    if (strncmp(text, expected, strlen(expected)) != 0)
      fail_msg("\"%s\"\ninstead of\n\"%s\"", text, expected);
    gradyn_model_free(model);
  }
}

void refusal_check(int count, const refusal *refusals)
{
  check(build, count, refusals);
}

void refusal_check_3d(int count, const refusal *refusals)
{
  check(build_3d, count, refusals);
}
