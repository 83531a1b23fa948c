/* Users' functions in build(): all builds must give the same functions with the same pointers. */
#include "tests/declare.h"
#include "tests/support.h"

#include <complex.h>

#include "tests/core/model/probe_model.h"
#include <gradyn/functionals.h>
#include <gradyn/forces.h>
#include <gradyn/model.h>
#include <gradyn/events.h>

/* Two functions of each type, with different addresses. */
#define TWO(name, parameters, result)                                                              \
  static gradyn_status name##_0 parameters                                                         \
  {                                                                                                \
    (void)at;                                                                                      \
    *(result) = 1;                                                                                 \
    return GRADYN_OK;                                                                              \
  }                                                                                                \
  static gradyn_status name##_1 parameters                                                         \
  {                                                                                                \
    (void)at;                                                                                      \
    *(result) = 2;                                                                                 \
    return GRADYN_OK;                                                                              \
  }

TWO(value, (const gradyn_at *at, gradyn_scalar *value), value)
TWO(formula, (const gradyn_at *at, gradyn_scalar *value), value)
TWO(force, (const gradyn_at *at, gradyn_scalar *out), out)
TWO(gap, (const gradyn_at *at, int order, gradyn_scalar *out), &out[0 * order])

FORMULA(residual_0, at->yp[0] - 1)
FORMULA(residual_1, at->yp[0] - 2)

/* The change that parameters select: the function, its pointer, or its absence. */
enum { SAME, FUNCTION, POINTER, ABSENT };
enum {
  FORCE,
  CONSTRAINT,
  GAP,
  INTEGRAND,
  TERMINAL,
  MAXIMUM,
  BEFORE,
  GUARD,
  CONDITION,
  RESET,
  FORMULA,
  KINDS
};

static int pointed[2];

/* Returns the change of this kind of function in the present build(). */
static int change_of(const gradyn_scalar rho[], int kind)
{
  return (int)creal(rho[0]) == kind ? (int)creal(rho[1]) : SAME;
}

#define CHOSEN(name, kind) (change_of(rho, kind) == FUNCTION ? name##_1 : name##_0)
#define USER(kind) &pointed[change_of(rho, kind) == POINTER]
#define GIVEN(kind) (change_of(rho, kind) != ABSENT)

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  const int p = gradyn_point(m, "P", 1, 0), x = gradyn_measure_point(m, "x", p, 0, GRADYN_X);
  gradyn_point_mass(m, "mass", p, 1);
  gradyn_custom_force(m, &(gradyn_custom_force_spec){.name = "pull",
                                                     .points = &p,
                                                     .point_count = 1,
                                                     .fn = CHOSEN(force, FORCE),
                                                     .user = USER(FORCE)});
  gradyn_custom_constraint(m,
                           &(gradyn_custom_constraint_spec){"guide", &p, 1, CHOSEN(gap, CONSTRAINT),
                                                            NULL, 0, USER(CONSTRAINT)});
  const gradyn_custom_constraint_spec floor = {"floor", &p, 1,        CHOSEN(gap, GAP),
                                               NULL,    0,  USER(GAP)};
  const int bounce = gradyn_impact(
      m, &(gradyn_impact_spec){"ground", p, .gap = &floor, .restitution = 0.5});
  gradyn_custom_functional(
      m, &(gradyn_custom_functional_spec){"sum", "", .integrand = CHOSEN(value, INTEGRAND),
                                          .user = USER(INTEGRAND)});
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){
                                  "end", "", .integrand = value_0,
                                  .terminal = GIVEN(TERMINAL) ? CHOSEN(value, TERMINAL) : NULL,
                                  .user = USER(TERMINAL)});
  declare_smooth_maximum(m,
                         &(gradyn_custom_functional_spec){"most", "",
                                                          .integrand = CHOSEN(value, MAXIMUM),
                                                          .user = USER(MAXIMUM)},
                         5);
  declare_before_event(m,
                       &(gradyn_custom_functional_spec){
                           "approach", "", .terminal = CHOSEN(value, BEFORE), .user = USER(BEFORE)},
                       bounce, 1);
  gradyn_event(m,
               &(gradyn_event_spec){
                   "switch", .guard = {.terminal = CHOSEN(value, GUARD), .user = USER(GUARD)},
                   .condition = {.terminal = CHOSEN(value, CONDITION), .user = USER(CONDITION)}});
  gradyn_event(
      m, &(gradyn_event_spec){.name = "kick",
                              .guard = {.terminal = value_0},
                              .set = &(gradyn_component){p, GRADYN_X},
                              .set_count = 1,
                              .reset = {.terminal = CHOSEN(value, RESET), .user = USER(RESET)}});
  gradyn_measure_formula(m, &(gradyn_measure_formula_spec){"twice", "m", CHOSEN(formula, FORMULA),
                                                           .of = &x, .count = 1,
                                                           .user = USER(FORMULA)});
  return gradyn_build_status(m);
}

/* A later build with a change is refused with the name of the object. */
static void refuse(gradyn_build_fn fn, int kind, int change, const char *says)
{
  gradyn_model *model;
  const gradyn_scalar first[2] = {kind, SAME}, then[2] = {kind, change};
  assert_ok(probe_create(fn, first, &model), model->message.text);
  assert_ok(gradyn_model_refresh(model, first), model->message.text);
  assert_int_equal(gradyn_model_refresh(model, then), GRADYN_INVALID);
  probe_assert_says(model, says);
  /* with the first parameters, the model is usable again */
  assert_ok(gradyn_model_refresh(model, first), model->message.text);
  probe_destroy(model);
}

TEST(functions_and_their_pointers_stay)
{
  static const char *const kinds[KINDS] = {
      [FORCE] = "the force pull",
      [CONSTRAINT] = "the constraint guide",
      [GAP] = "the constraint ground",
      [INTEGRAND] = "the integrand of sum",
      [TERMINAL] = "the integrand of end", /* both parts have one pointer */
      [MAXIMUM] = "the formula of most",
      [BEFORE] = "the formula of approach",
      [GUARD] = "the guard of switch",
      [CONDITION] = "the condition switch.armed",
      [RESET] = "the formula of kick.reset",
      [FORMULA] = "the formula of twice",
  };
  char says[100];
  for (int k = 0; k < KINDS; k++) {
    snprintf(says, sizeof says, "declares another function for %s",
             k == TERMINAL ? "the terminal part of end" : kinds[k]);
    refuse(build, k, FUNCTION, says);
    snprintf(says, sizeof says, "declares for %s the user pointer", kinds[k]);
    refuse(build, k, POINTER, says);
  }
}

TEST(parts_stay)
{
  refuse(build, TERMINAL, ABSENT,
         "declares the formula of most where it declared the terminal "
         "part of end before");
}

static gradyn_status build_equations(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_state(m, "y", "", 1);
  gradyn_equations(m, &(gradyn_equations_spec){.residual = CHOSEN(residual, 0), .user = USER(0)});
  return gradyn_build_status(m);
}

TEST(equations_stay)
{
  refuse(build_equations, 0, FUNCTION, "another function");
  refuse(build_equations, 0, POINTER, "the user pointer");
}
