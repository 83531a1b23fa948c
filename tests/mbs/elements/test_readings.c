/* Declarations of multiplier-dependent forces. */
#include <complex.h>

#include "tests/mbs/refusal.h"
#include <gradyn/forces.h>

enum { G = REFUSAL_G, P = REFUSAL_P, Q = REFUSAL_Q };

FORMULAS(rub, at->lam[0], 0)

static void declare(gradyn_model *model, const char *const *reads, int count)
{
  gradyn_distance(model, "bar", G, P, &(gradyn_time_function){.value = 1});
  gradyn_distance(model, "bar", P, Q, &(gradyn_time_function){.value = 1.4});
  gradyn_distance(model, "stay", G, Q, &(gradyn_time_function){.value = 2.2});
  gradyn_fix_initial_distance(model, "held", G, Q, 2.2, 0);
  gradyn_point_mass(model, "m", P, 1);
  gradyn_custom_force(model, &(gradyn_custom_force_spec){.name = "friction",
                                                         .points = (int[]){P},
                                                         .point_count = 1,
                                                         .fn = rub,
                                                         .reads = reads,
                                                         .read_count = count});
}

static void unknown(gradyn_model *model)
{
  declare(model, (const char *[]){"stya"}, 1);
}

static void like_nothing(gradyn_model *model)
{
  declare(model, (const char *[]){"something"}, 1);
}

static void held(gradyn_model *model)
{
  declare(model, (const char *[]){"held"}, 1);
}

static void ambiguous(gradyn_model *model)
{
  declare(model, (const char *[]){"bar"}, 1);
}

static void twice(gradyn_model *model)
{
  declare(model, (const char *[]){"stay", "stay"}, 2);
}

static void many(gradyn_model *model)
{
  declare(model, (const char *[]){"stay"}, GRADYN_CUSTOM_READS + 1);
}

static void missing(gradyn_model *model)
{
  declare(model, NULL, 1);
}

static void no_name(gradyn_model *model)
{
  declare(model, (const char *[]){NULL}, 1);
}

static void negative(gradyn_model *model)
{
  declare(model, NULL, -1);
}

TEST(wrong_readings_are_refused)
{
  const refusal refusals[] = {
      {unknown, "friction reads the multiplier of stya, but no constraint of the motion has this "
                "name; did you mean stay?"},
      {like_nothing, "friction reads the multiplier of something, but no constraint of the motion "
                     "has this name"},
      {held, "friction reads the multiplier of held, but no constraint of the motion"},
      {ambiguous, "friction reads the multiplier of bar, but two constraints have this name"},
      {twice, "friction lists the constraint stay twice"},
      {many, "friction reads 9 multipliers: up to 8 are possible"},
      {missing, "friction reads 1 multipliers: their names are missing"},
      {no_name, "friction: the name of constraint 1 that it reads is missing"},
      {negative, "friction reads -1 multipliers: up to 8 are possible"},
  };
  refusal_check(GRADYN_COUNT(refusals), refusals);
}

/* The multiplier that a force reads must not depend on a parameter; here it does. */
static gradyn_status fickle(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_ground_point(model, "G", 0, 0);
  gradyn_point(model, "P", 1, 0);
  gradyn_point(model, "Q", 2, 1);
  declare(model, (const char *[]){creal(rho[0]) > 0 ? "stay" : "b"}, 1);
  return gradyn_build_status(model);
}

TEST(readings_do_not_change)
{
  static const gradyn_param param = {"p", "", .init = 1, GRADYN_UNBOUNDED};
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "fickle", .build = fickle,
                                  .t_end = 1,           .params = &param, .param_count = 1};
  gradyn_model *model;
  gradyn_scalar rho = 1;
  assert_ok(gradyn_model_create(&problem, NULL, 0, 1, &rho, &model), model->message.text);
  rho = -1;
  assert_status(gradyn_model_refresh(model, &rho), GRADYN_INVALID, model->message.text);
  assert_says(model->message.text, "friction reads other multipliers");
  gradyn_model_free(model);
}
