/* Resets with wrong declarations, or with other declarations in later builds, are refused with the reason.
 * So are too many modes. */
#include "tests/support.h"

#include <complex.h>

#include "tests/core/model/probe_model.h"
#include "tests/declare.h"
#include <gradyn/gradyn.h>

FORMULA(guard, 0.1 - at->t)
FORMULA(halve, at->vel ? at->vel[2] / 2 : at->y[0] / 2)

enum { NOTHING, NONE, TWICE, GROUND, READS, INTEGRAND, NO_FORMULA, NO_GUARD, OTHER };

/* A reset of these two components with one fault; `wrong` is not a component. */
static gradyn_event_spec choose(int what, const gradyn_component set[2], const int *reads)
{
  gradyn_event_spec spec = {.name = "kick",
                            .guard = {.terminal = guard},
                            .set = set,
                            .set_count = 1,
                            .reset = {.terminal = halve}};
  if (what == NONE)
    spec.set_count = 0;
  if (what == TWICE || what == GROUND)
    spec.set_count = 2;
  if (what == READS) {
    spec.reset.points = reads;
    spec.reset.point_count = 1;
    spec.reset.needs_accelerations = true;
  }
  if (what == INTEGRAND)
    spec.reset.integrand = halve;
  if (what == NO_FORMULA)
    spec.reset.terminal = NULL;
  if (what == NO_GUARD)
    spec.guard.terminal = NULL;
  return spec;
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int what = (int)creal(rho[0]);
  const int p = gradyn_point(m, "P", 0, 1), ground = gradyn_ground_point(m, "G", 0, 0);
  const gradyn_component set[] = {{p, what == OTHER ? GRADYN_Y : GRADYN_X},
                                  {what == GROUND ? ground : p, GRADYN_X}};
  gradyn_point_mass(m, "m", p, 1);
  const gradyn_event_spec spec = choose(what, set, &p);
  gradyn_event(m, &spec);
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", p, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

FORMULAS(flow, at->yp[0] + at->y[1], at->y[1] - at->y[0])

static gradyn_status build_flow(gradyn_model *m, const gradyn_scalar rho[])
{
  const int what = (int)creal(rho[0]);
  const int y = gradyn_state(m, "y", "", 1), z = gradyn_algebraic_state(m, "z", "", 1);
  const gradyn_component set[] = {{what == OTHER ? z : y, GRADYN_X}, {y, GRADYN_Y}};
  declare_equations(m, flow, NULL, 0);
  const gradyn_event_spec spec = choose(what, set, &y);
  gradyn_event(m, &spec);
  gradyn_end_time_functional(m, "t");
  return gradyn_build_status(m);
}

TEST(wrong_resets_are_named)
{
  static const struct {
    gradyn_build_fn build;
    double what;
    const char *says;
  } refused[] = {
      {build, NONE, "reset kick: .set has 0 velocities or states; it needs at least one"},
      {build, TWICE, "kick lists the same velocity or state twice, as entries 0 and 1"},
      {build, GROUND, "kick names a coordinate of G, which is not a moving point"},
      {build, READS, "kick: a reset reads positions and velocities, not accelerations"},
      {build, INTEGRAND, "functional kick.reset is a formula: set .terminal"},
      {build, NO_FORMULA, "functional kick.reset is a formula: set .terminal"},
      {build, NO_GUARD, "functional kick is a formula: set .terminal"},
      {build_flow, TWICE, "kick lists the same velocity or state twice, as entries 0 and 1"},
      {build_flow, OTHER, "kick names z, which is algebraic; it must be a differential state"},
  };
  for (size_t i = 0; i < GRADYN_COUNT(refused); i++) {
    const gradyn_scalar rho = refused[i].what;
    gradyn_model *model;
    assert_status(probe_create(refused[i].build, &rho, &model), GRADYN_INVALID, NULL);
    probe_assert_says(model, refused[i].says);
    probe_destroy(model);
  }
}

TEST(what_is_set_stays)
{
  gradyn_model *model;
  const gradyn_scalar first = NOTHING, then = OTHER;
  assert_ok(probe_create(build, &first, &model), model->message.text);
  assert_ok(gradyn_model_refresh(model, &first), model->message.text);
  assert_int_equal(gradyn_model_refresh(model, &then), GRADYN_INVALID);
  probe_assert_says(model,
                    "kick sets other velocities or states than in the first call of build()");
  probe_destroy(model);
}

/* A mode beyond the maximum is refused. */
static gradyn_status too_many_modes(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  for (int i = 1; i <= GRADYN_MAX_MODES; i++)
    gradyn_mode(model, gradyn_format_name(model, "mode %d", i));
  assert_int_equal(gradyn_mode(model, "last"), 0);
  /* undeclared modes in a phase and in modes of an element */
  gradyn_phase(model, &(gradyn_phase_spec){
                          .name = "end", .mode = GRADYN_MAX_MODES + 1, .duration = 1, .next = 1});
  /* an undeclared mode is also refused together with a declared one, and if the maximum number is declared */
  const int number[] = {-1, GRADYN_MAX_MODES + 1, GRADYN_MAX_MODES};
  for (int k = 0; k < 3; k++) {
    const char *name = gradyn_format_name(model, "P%d", k);
    const int p = gradyn_point(model, name, 0, 0);
    gradyn_constraint_set_modes(model, gradyn_coordinate(model, name, p, GRADYN_X, NULL),
                                gradyn_modes_of(1) | gradyn_modes_of(number[k]));
  }
  return gradyn_build_status(model);
}

TEST(modes_beyond_the_last_are_refused)
{
  gradyn_model *model;
  assert_status(probe_create(too_many_modes, NULL, &model), GRADYN_INVALID, NULL);
  probe_assert_says(model, "mode last: at most 31 modes are possible");
  probe_assert_says(model, "end: mode 32 has not been declared (there are 31)");
  probe_assert_says(model, "P0: its modes contain a number that is no mode; there are 31");
  probe_assert_says(model, "P1: its modes contain a number that is no mode; there are 31");
  assert_null(strstr(model->message.text, "P2"));
  probe_destroy(model);
}
