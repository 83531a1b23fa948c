/* Friction in joints: gradients through sticking and slipping, direct against adjoint and differences; all
 * laws and kinds of joints checked; what is refused. */
#include <math.h>
#include <string.h>

#include "tests/adjoint/ali3p_models.h"
#include "tests/mbs/refusal.h"

/* --- a block that slides, turns and sticks ------------------------------------------------------ */

enum { STILL, KINETIC, TRANSITION, VISCOUS, STIFFNESS, HEIGHT, PARAMETERS };
enum { GRADIENT = 6 * PARAMETERS };

static const gradyn_param params[PARAMETERS] = {
    {"still", "", .init = 0.45},         {"kinetic", "", .init = 0.3},
    {"transition", "m/s", .init = 1e-2}, {"viscous", "N s/m", .init = 0.4},
    {"spring", "N/m", .init = 60},       {"height", "m", .init = 0.12}};

static const gradyn_setting settings[] = {{"law", "of friction", 0, 0, 2},
                                          {"narrow", "transition divided by ten", 0, 0, 1}};

static gradyn_joint_friction_spec rough(gradyn_model *m, const char *name, int joint,
                                        const gradyn_scalar rho[])
{
  const int law = gradyn_setting_value(m, "law");
  return (gradyn_joint_friction_spec){.name = name,
                                      .joint = joint,
                                      .law = (gradyn_friction_law)law,
                                      .still = rho[STILL],
                                      .kinetic = rho[KINETIC],
                                      .transition = rho[TRANSITION] /
                                                    (gradyn_setting_value(m, "narrow") ? 10 : 1),
                                      .viscous = rho[VISCOUS],
                                      .smoothing = 0.05,
                                      .stiffness = law ? 2e3 : 0,
                                      .damping = law ? 15 : 0,
                                      .dwell = law == GRADYN_GONTHIER ? 0.3 : 0};
}

static gradyn_status build_block(gradyn_model *m, const gradyn_scalar rho[])
{
  int body = gradyn_body(
      m, &(gradyn_body_spec){
             .name = "block", .centre = {0, rho[HEIGHT]}, .mass = 2, .inertia = {0, 0, 0.03}});
  int guide = gradyn_joint_at(m, &(gradyn_place_spec){.name = "guide",
                                                      .kind = GRADYN_PRISMATIC,
                                                      .body_a = GRADYN_GROUND,
                                                      .body_b = body,
                                                      .axis = {1, 0}});
  int slide = gradyn_joint_slide(m, guide);
  gradyn_joint_friction_spec spec = rough(m, "friction", guide, rho);
  gradyn_gravity(m, -9.81 * sin(0.35), -9.81 * cos(0.35));
  gradyn_hold_joint(m, "start", slide, 0, 0.5);
  gradyn_joint_spring(
      m, &(gradyn_joint_spring_spec){"spring", slide, .k = rho[STIFFNESS], .free = -0.1});
  spec.length = 0.3;
  spec.offset = -0.1;
  gradyn_joint_friction(m, &spec);
  int s = gradyn_measure_joint(m, "s", slide, 0), P = gradyn_measure_power(m, "P", "friction");
  gradyn_minimise(m, gradyn_measure_at(m, "end", s, 0));
  gradyn_integral_of_measure(m, "heat", P);
  gradyn_track_measure(m, "effort", gradyn_measure_effort(m, "F", "friction"), 0);
  gradyn_track_measure(m, "rate", gradyn_measure_joint(m, "v", slide, 1), 0);
  return gradyn_built(m);
}

static const gradyn_problem block = {.name = "block",
                                     .params = params,
                                     .param_count = PARAMETERS,
                                     .settings = settings,
                                     .setting_count = 2,
                                     .build = build_block,
                                     .t_end = 0.25,
                                     .step = 1e-3};

/* With steps of a tenth of what 10 m/s^2 need to reach the transition velocity. */
static ali3p_setup fine(double transition)
{
  return (ali3p_setup){
      .problem = &block, .setting = "narrow", .value = transition < 1e-2, .step = transition / 10};
}

/* --- one joint of every kind in space ------------------------------------------------------------ */

static int add_body(gradyn_model *m, const char *name, double x, double y, double z)
{
  return gradyn_body_3d(
      m, &(gradyn_body_spec){
             .name = name, .centre = {x, y, z}, .mass = 1.4, .inertia = {0.05, 0.04, 0.03, 0.002}});
}

static gradyn_status build_space(gradyn_model *m, const gradyn_scalar rho[])
{
  static const struct {
    gradyn_joint_kind kind;
    bool first; /* between the body before and this one */
  } links[] = {{GRADYN_PLANAR, true},         {GRADYN_REVOLUTE, false},
               {GRADYN_CYLINDRICAL, true},    {GRADYN_PRISMATIC, true},
               {GRADYN_POINT_ON_PLANE, true}, {GRADYN_POINT_ON_LINE, true}};
  int before = GRADYN_GROUND;
  gradyn_gravity_3d(m, 0.7, 1.1, -9.81);
  for (int i = 0; i < (int)GRADYN_COUNT(links); i++) {
    int body = add_body(m, gradyn_name(m, "body%d", i), 0.3 + 0.5 * i, 0.1, -0.05);
    int joint = gradyn_joint_at(
        m, &(gradyn_place_spec){.name = gradyn_name(m, "joint%d", i),
                                .kind = links[i].kind,
                                .body_a = links[i].first ? GRADYN_GROUND : before,
                                .body_b = body,
                                .position = {0.25 + 0.5 * i, 0, 0},
                                .axis = {0.2, -0.3, 0.8}});
    gradyn_joint_friction_spec spec = rough(m, gradyn_name(m, "friction%d", i), joint, rho);
    const bool journal = i == 1 || i == 2, ends = journal || i == 3;
    spec.still *= 0.5;
    spec.kinetic *= 0.5;
    spec.transition = 0.05;
    spec.pressure = journal ? GRADYN_PARABOLIC_PRESSURE : 0;
    spec.radius = journal ? 0.05 : 0;
    spec.thrust_radius = i == 1 ? 0.07 : 0;
    spec.length = ends ? 0.4 : 0;
    spec.offset = ends ? -0.1 : 0;
    spec.width = i == 3 ? 0.2 : 0;
    gradyn_joint_friction(m, &spec);
    gradyn_integral_of_measure(m, gradyn_name(m, "heat%d", i),
                               gradyn_measure_power(m, gradyn_name(m, "P%d", i), spec.name));
    before = body;
  }
  return gradyn_built(m);
}

static const gradyn_problem space = {.name = "space",
                                     .params = params,
                                     .param_count = PARAMETERS,
                                     .settings = settings,
                                     .setting_count = 2,
                                     .build = build_space,
                                     .t_end = 0.2,
                                     .step = 2e-3};

/* --- tests ----------------------------------------------------------------------------------------- */

static void checks_pass(void **state)
{
  (void)state;
  const gradyn_problem *const problems[] = {&block, &space};
  for (int i = 0; i < 2 * 3 - 1; i++) { /* there is a kink of Gonthier's law where bodies rest */
    ali3p_setup setup = {.problem = problems[i / 3], .setting = "law", .value = i % 3};
    gradyn_check_item item[400];
    double rho[PARAMETERS];
    size_t count;
    gradyn_evaluator *ev = ali3p_open(&setup);
    ali3p_initial(ev, rho);
    gradyn_status status = gradyn_check(ev, rho, item, GRADYN_COUNT(item), &count);
    for (size_t j = 0; j < count; j++)
      if (!item[j].passed)
        print_error("law %d, %s\n", i % 3, item[j].name);
    assert_ok(status, gradyn_evaluator_message(ev));
    gradyn_evaluator_free(ev);
  }
}

/* Gradients by parameters, relative to the largest of a functional. */
static void compare(const ali3p_setup *setup, double tolerance)
{
  double gradient[2][GRADIENT];
  gradyn_evaluator *ev = NULL;
  for (int k = 0; k < 2; k++) {
    double rho[PARAMETERS];
    ali3p_setup s = *setup;
    s.sensitivity = k ? "direct" : "adjoint";
    gradyn_evaluator_free(ev);
    ev = ali3p_open(&s);
    ali3p_initial(ev, rho);
    gradyn_status status = gradyn_gradient(ev, rho, NULL, gradient[k]);
    assert_ok(status, gradyn_evaluator_message(ev));
  }
  for (size_t f = 0; f < gradyn_functional_count(ev); f++) {
    const double *a = gradient[0] + f * PARAMETERS, *b = gradient[1] + f * PARAMETERS;
    double most = 0;
    for (size_t i = 0; i < PARAMETERS; i++)
      most = fmax(most, fabs(b[i]));
    assert_true(memcmp(a, b, sizeof(double[PARAMETERS])) != 0);
    assert_close_array(a, b, PARAMETERS, 0, tolerance * most);
  }
  gradyn_evaluator_free(ev);
}

static void direct_equals_adjoint(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    ali3p_setup setup = fine(i ? 1e-3 : 1e-2);
    compare(&setup, 1e-10);
    setup.integrator = "generalised-alpha";
    setup.integrator_parameter = 0.8;
    compare(&setup, 1e-10);
    setup = (ali3p_setup){
        .problem = &block, .setting = "narrow", .value = i, .method = "idas", .rtol = 1e-11};
    compare(&setup, 1e-8);
  }
  for (int law = 0; law < 3; law++) {
    ali3p_setup setup = {.problem = &space, .setting = "law", .value = law};
    compare(&setup, 1e-10);
  }
}

static void differences_agree(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    ali3p_setup setup = fine(i ? 1e-3 : 1e-2);
    ali3p_compare_differences(&setup, 1e-3, 1e-5);
    setup = (ali3p_setup){
        .problem = &block, .setting = "narrow", .value = i, .method = "idas", .rtol = 1e-11};
    ali3p_compare_differences(&setup, 1e-3, 1e-5);
  }
  ali3p_setup setup = {.problem = &space};
  ali3p_compare_differences(&setup, 1e-3, 1e-7);
}

/* --- refused --------------------------------------------------------------------------------------- */

static gradyn_joint_friction_spec usual(gradyn_model *model, gradyn_joint_kind kind)
{
  gradyn_body_spec body = refusal_body();
  return (gradyn_joint_friction_spec){
      .name = "friction",
      .joint = gradyn_joint_at(model, &(gradyn_place_spec){.name = "joint",
                                                           .kind = kind,
                                                           .body_a = GRADYN_GROUND,
                                                           .body_b = gradyn_body_3d(model, &body),
                                                           .axis = {0, 0, 1}}),
      .still = 0.3,
      .kinetic = 0.2,
      .transition = 1e-2,
      .smoothing = 0.1,
      .radius = 0.1};
}

static void spherical(gradyn_model *model)
{
  gradyn_joint_friction_spec spec = usual(model, GRADYN_SPHERICAL);
  gradyn_joint_friction(model, &spec);
}

static void negative(gradyn_model *model)
{
  gradyn_joint_friction_spec spec = usual(model, GRADYN_REVOLUTE);
  spec.still = -0.3;
  gradyn_joint_friction(model, &spec);
}

static void superfluous(gradyn_model *model)
{
  gradyn_joint_friction_spec spec = usual(model, GRADYN_PRISMATIC);
  gradyn_joint_friction(model, &spec);
}

static void of_a_bar(gradyn_model *model)
{
  gradyn_joint_friction_spec spec = usual(model, GRADYN_REVOLUTE);
  int a = gradyn_frame(model,
                       &(gradyn_frame_spec){.name = "a", .body = GRADYN_GROUND, .axis = {0, 0, 1}});
  spec.joint = gradyn_joint(
      model, &(gradyn_joint_spec){.name = "bar joint",
                                  .kind = GRADYN_REVOLUTE,
                                  .a = a,
                                  .b = gradyn_bar_frame(model, "b", REFUSAL_P, REFUSAL_Q)});
  gradyn_joint_friction(model, &spec);
}

static void wrong_friction_is_refused(void **state)
{
  (void)state;
  static const refusal refusals[] = {
      {spherical, "friction: joint joint can have no friction: there is some in revolute"},
      {negative, "friction.still is -0.3: it must not be negative"},
      {superfluous, "friction.radius is 0.1: this joint and law have none"},
      {of_a_bar, "friction: b of joint bar joint is a bar: friction needs a body there"}};
  refusal_check_3d((int)GRADYN_COUNT(refusals), refusals);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checks_pass),
      cmocka_unit_test(direct_equals_adjoint),
      cmocka_unit_test(differences_agree),
      cmocka_unit_test(wrong_friction_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
