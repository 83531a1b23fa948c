/* A body with friction in its joint. */
#include "tests/mbs/forces/rubbing.h"

const rubbing_kind rubbing_kinds[RUBBING_KINDS] = {
    {GRADYN_REVOLUTE, 3, true, true, true, false},
    {GRADYN_CYLINDRICAL, 3, true, false, true, false},
    {GRADYN_PRISMATIC, 3, false, false, true, true},
    {GRADYN_PLANAR, 3, false, false, false, false},
    {GRADYN_POINT_ON_PLANE, 3, false, false, false, false},
    {GRADYN_POINT_ON_LINE, 3, false, false, false, false},
    {GRADYN_REVOLUTE, 2, true, false, false, false},
    {GRADYN_PRISMATIC, 2, false, false, true, false},
    {GRADYN_POINT_ON_LINE, 2, false, false, false, false}};

const rubbing_numbers rubbing = {.still = 0.25,
                                 .kinetic = 0.15,
                                 .viscous = 0.7,
                                 .smoothing = 0.05,
                                 .pressure = 1.3,
                                 .radius = 0.04,
                                 .thrust_radius = 0.06,
                                 .length = 0.3,
                                 .offset = -0.1,
                                 .width = 0.2,
                                 .stiffness = 40,
                                 .damping = 3,
                                 .dwell = 0.4,
                                 .turn = 0.8,
                                 .slide = {0.05, -0.03}};

static const rubbing_kind *k; /* the one in hand */
static gradyn_friction_law law;
static double transition;

void rubbing_choose(const rubbing_kind *kind, gradyn_friction_law chosen, double width)
{
  k = kind;
  law = chosen;
  transition = width;
}

static int add_body(gradyn_model *model, const char *name)
{
  gradyn_body_spec spec = {.name = name, .mass = 1.7, .centre = {0.3, 0.1, -0.2}};
  static const double J[6] = {0.31, 0.42, 0.5, 0.02, -0.03, 0.04};
  for (int i = 0; i < 6; i++)
    spec.inertia[i] = J[i];
  if (k->dim == 3)
    return gradyn_body_3d(model, &spec);
  spec.centre[2] = 0;
  return gradyn_body(model, &spec);
}

/* Sets initial velocities of the slip coordinates. */
static void start(gradyn_model *model, int joint)
{
  const bool flat = k->kind == GRADYN_PLANAR || k->kind == GRADYN_POINT_ON_PLANE;
  const bool turns = k->kind == GRADYN_REVOLUTE || k->kind == GRADYN_CYLINDRICAL;
  for (int i = 0; i < 2 && flat; i++)
    gradyn_fix_initial_joint(
        model, i ? "v.y" : "v.x",
        gradyn_joint_coordinate(model, joint, i ? GRADYN_SLIDE_Y : GRADYN_SLIDE_X), 0,
        rubbing.slide[i]);
  if (turns)
    gradyn_fix_initial_joint(model, "turning", gradyn_joint_coordinate(model, joint, GRADYN_ANGLE),
                             0, rubbing.turn);
  if (!flat && k->kind != GRADYN_REVOLUTE)
    gradyn_fix_initial_joint(model, "sliding", gradyn_joint_coordinate(model, joint, GRADYN_SLIDE),
                             0, rubbing.slide[0]);
}

/* Declares the joint of the body, with friction; `scale` multiplies lengths and the smoothing. */
static int rub(gradyn_model *model, int a, double scale)
{
  int joint = gradyn_joint_between(model,
                                   &(gradyn_joint_between_spec){.name = "joint",
                                                                .kind = k->kind,
                                                                .body_a = a,
                                                                .body_b = add_body(model, "body"),
                                                                .axis = {0.48, -0.6, 0.64},
                                                                .side = {0, 0, 1}});
  const bool bristles = law != GRADYN_BROWN_MCPHEE, dwells = law == GRADYN_GONTHIER;
  const rubbing_numbers *n = &rubbing;
  start(model, joint);
  /* numbers that the joint and the law do not use must be zero */
  gradyn_joint_friction(model, &(gradyn_joint_friction_spec){
                                   .name = "friction",
                                   .joint = joint,
                                   .law = law,
                                   .still = n->still,
                                   .kinetic = n->kinetic,
                                   .transition = transition,
                                   .viscous = n->viscous,
                                   .smoothing = scale * n->smoothing,
                                   .pressure = k->journal ? n->pressure : 0,
                                   .radius = k->journal ? scale * n->radius : 0,
                                   .thrust_radius = k->collar ? scale * n->thrust_radius : 0,
                                   .length = k->ends ? scale * n->length : 0,
                                   .offset = k->ends ? scale * n->offset : 0,
                                   .width = k->sides ? scale * n->width : 0,
                                   .stiffness = bristles ? n->stiffness : 0,
                                   .damping = bristles ? n->damping : 0,
                                   .dwell = dwells ? n->dwell : 0});
  return joint;
}

gradyn_status rubbing_build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const int joint = rub(model, GRADYN_GROUND, 1);
  if (k->dim == 3)
    gradyn_gravity_3d(model, 0.5, 2, -9.81);
  else
    gradyn_gravity(model, 0.5, -9.81);
  gradyn_measure_power(model, "P", "friction");
  gradyn_measure_effort(model, "E", "friction");
  static const char *const name[] = {"F.x", "F.y", "F.z", "T.x", "T.y", "T.z"};
  for (int i = 0; i < 6; i++)
    if (k->dim == 3 || i == 0 || i == 1 || i == 5)
      (i < 3 ? gradyn_measure_joint_force : gradyn_measure_joint_torque)(model, name[i], joint,
                                                                         (gradyn_axis)(i % 3));
  return gradyn_build_status(model);
}

gradyn_status rubbing_carried(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  rub(model, add_body(model, "carrier"), 10);
  gradyn_functional(model,
                    &(gradyn_functional_spec){"work", gradyn_measure_power(model, "P", "friction"),
                                              .reduction = GRADYN_INTEGRAL});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"push", gradyn_measure_effort(model, "E", "friction"),
                                              .reduction = GRADYN_INTEGRAL});
  return gradyn_build_status(model);
}
