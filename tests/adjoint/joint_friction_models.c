/* Mechanisms with friction in joints. */
#include "tests/adjoint/joint_friction_models.h"
#include "tests/declare.h"

/* --- a block that slides, turns and sticks ------------------------------------------------------ */

enum { STILL, KINETIC, TRANSITION, VISCOUS, STIFFNESS, HEIGHT };

static const gradyn_param params[JOINT_FRICTION_PARAMETERS] = {
    {"still", "", .init = 0.45, GRADYN_UNBOUNDED},
    {"kinetic", "", .init = 0.3, GRADYN_UNBOUNDED},
    {"transition", "m/s", .init = 1e-2, GRADYN_UNBOUNDED},
    {"viscous", "N s/m", .init = 0.4, GRADYN_UNBOUNDED},
    {"spring", "N/m", .init = 60, GRADYN_UNBOUNDED},
    {"height", "m", .init = 0.12, GRADYN_UNBOUNDED}};

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
  int body = declare_body(m, "block", 2, 0.03, 0, rho[HEIGHT]);
  int guide = declare_joint(m, "guide", GRADYN_PRISMATIC, GRADYN_GROUND, body, NULL, VECTOR(1, 0));
  int slide = gradyn_joint_coordinate(m, guide, GRADYN_SLIDE);
  gradyn_joint_friction_spec spec = rough(m, "friction", guide, rho);
  gradyn_gravity(m, -9.81 * sin(0.35), -9.81 * cos(0.35));
  gradyn_fix_initial_joint(m, "start", slide, 0, 0.5);
  gradyn_joint_spring(
      m, &(gradyn_joint_spring_spec){"spring", slide, .k = rho[STIFFNESS], .free = -0.1});
  spec.length = 0.3;
  spec.offset = -0.1;
  gradyn_joint_friction(m, &spec);
  int s = gradyn_measure_joint(m, "s", slide, 0), P = gradyn_measure_power(m, "P", "friction");
  gradyn_minimise(
      m, gradyn_functional(m, &(gradyn_functional_spec){"end", s, .reduction = GRADYN_AT_END}), 1);
  gradyn_functional(m, &(gradyn_functional_spec){"heat", P, .reduction = GRADYN_INTEGRAL});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"effort", gradyn_measure_effort(m, "F", "friction"),
                                              .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"rate", gradyn_measure_joint(m, "v", slide, 1),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

const gradyn_problem joint_friction_block = PROBLEM("block", build_block, params,
                                                    .settings = settings, .setting_count = 2,
                                                    .t_end = 0.25, .step = 1e-3);

/* --- one joint of every kind in space ------------------------------------------------------------ */

static int add_body(gradyn_model *m, const char *name, double x, double y, double z)
{
  return declare_body_3d(m, name, 1.4, INERTIA(0.05, 0.04, 0.03, 0.002), VECTOR(x, y, z));
}

static gradyn_status build_space(gradyn_model *m, const gradyn_scalar rho[])
{
  static const struct {
    gradyn_joint_kind kind;
    bool first; /* between the previous body and this one */
  } links[] = {{GRADYN_PLANAR, true},         {GRADYN_REVOLUTE, false},
               {GRADYN_CYLINDRICAL, true},    {GRADYN_PRISMATIC, true},
               {GRADYN_POINT_ON_PLANE, true}, {GRADYN_POINT_ON_LINE, true}};
  int before = GRADYN_GROUND;
  gradyn_gravity_3d(m, 0.7, 1.1, -9.81);
  for (int i = 0; i < (int)GRADYN_COUNT(links); i++) {
    int body = add_body(m, gradyn_format_name(m, "body%d", i), 0.3 + 0.5 * i, 0.1, -0.05);
    int joint = declare_joint(m, gradyn_format_name(m, "joint%d", i), links[i].kind,
                              links[i].first ? GRADYN_GROUND : before, body,
                              VECTOR(0.25 + 0.5 * i, 0, 0), VECTOR(0.2, -0.3, 0.8));
    gradyn_joint_friction_spec spec = rough(m, gradyn_format_name(m, "friction%d", i), joint, rho);
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
    gradyn_functional(m, &(gradyn_functional_spec){
                             gradyn_format_name(m, "heat%d", i),
                             gradyn_measure_power(m, gradyn_format_name(m, "P%d", i), spec.name),
                             .reduction = GRADYN_INTEGRAL});
    before = body;
  }
  return gradyn_build_status(m);
}

const gradyn_problem joint_friction_space = PROBLEM("space", build_space, params,
                                                    .settings = settings, .setting_count = 2,
                                                    .t_end = 0.2, .step = 2e-3);
