/* Lifting an anchor: a chain of links with universal joints runs from a hook, which is pulled down, over a
 * fixed drum and down to the anchor. Links rub against the drum, and a current pushes the anchor aside. The
 * pull is linear between knots. It lifts the anchor by a given height, from rest to rest, with least
 * effort. */
#include <gradyn/gradyn.h>
#include <gradyn/tgmath.h>

enum {
  PULLED = 6,
  AROUND = 12,
  ANCHOR = 0,
  CURRENT,
  FRICTION,
  PULL
}; /* PULLED, AROUND: numbers of links on the pulled side and around the drum */

static const gradyn_param params[] = {
    [ANCHOR] = {"anchor", "kg", .init = 100, .lower = 20, .upper = 500, .fixed = true},
    [CURRENT] = {"current", "N", .init = 50, .lower = 0, .upper = 500, .fixed = true},
    [FRICTION] = {"friction", "", .init = 0.2, .lower = 0, .upper = 0.4, .fixed = true},
    [PULL] = {"pull", "N", .init = 4000, .lower = 1500, .upper = 8000, .scale = 500,
              .role = GRADYN_CONTROL, .count_from = "knots"},
};
static const gradyn_setting settings[] = {{"links", "links of the chain", 64, 20, 4096},
                                          {"knots", "knots of the pull", 11, 2, 400}};

static const double half_turn = 3.14159265358979323846;
static const double length = 0.2, thickness = 0.04,
                    mass = 3; /* length, m, thickness, m, and mass, kg, of a link */
static const double hook_mass = 20,
                    height = 1.5; /* mass of the anchor, kg; height by which it is lifted, m */

/* Distance from the axis y of the drum, m, at which the middles of links touch it. */
static double reach(void)
{
  return length / 2 / tan(half_turn / AROUND / 2);
}

/* Contact with the drum, and friction that grows with the slip velocity. Data: radius at which the middle
 * of a link touches, stiffness, damping, friction. The depth p is smoothed to (p + sqrt(p^2 + width^2))/2. */
static gradyn_status touch(const gradyn_at *at, gradyn_scalar force[])
{
  static const double width = 1e-3,
                      creep = 0.05; /* m; slip at which friction is 0.7 of its limit, m/s */
  const gradyn_scalar x = at->pos[0], z = at->pos[2], away = sqrt(x * x + z * z);
  const gradyn_scalar out[3] = {x / away, 0, z / away};
  const gradyn_scalar p = at->data[0] - away, root = sqrt(p * p + width * width);
  const gradyn_scalar leaving = out[0] * at->vel[0] + out[2] * at->vel[2];
  const gradyn_scalar normal = at->data[1] * (p + root) / 2 -
                               at->data[2] * (1 + p / root) / 2 * leaving;
  gradyn_scalar slip[3], square = creep * creep;
  for (int k = 0; k < 3; k++) {
    slip[k] = at->vel[k] - leaving * out[k];
    square += slip[k] * slip[k];
  }
  for (int k = 0; k < 3; k++)
    force[k] = normal * (out[k] - at->data[3] * slip[k] / sqrt(square));
  return GRADYN_OK;
}

/* The end of the part of the chain that exists so far: its position and its body. */
typedef struct end {
  double x, z;
  int body;
} end;

/* A slender body: its direction (x, 0, z), length and thickness, m, and mass, kg. */
typedef struct slender {
  const char *name, *joint;
  double x, z, along, across;
  gradyn_scalar mass;
} slender;

/* Adds a link at the end of the chain, by a universal joint. Returns its body. */
static int add_link(gradyn_model *mbs, end *last, const slender *s)
{
  const double x = s->x, z = s->z, along = s->along, across = s->across;
  const gradyn_scalar own = s->mass * across * across / 8; /* moment of inertia about its axis */
  const gradyn_scalar other = s->mass *
                              /* moment of inertia normal to its axis */
                              (across * across / 16 + along * along / 12);
  const int body = gradyn_body_3d(
      mbs,
      &(gradyn_body_spec){.name = s->name,
                          .mass = s->mass,
                          .centre = {last->x + along / 2 * x, 0, last->z + along / 2 * z},
                          .inertia = {other + (own - other) * x * x, other,
                                      other + (own - other) * z * z, 0, (own - other) * x * z, 0}});
  gradyn_joint_between(mbs, &(gradyn_joint_between_spec){.name = s->joint,
                                                         .kind = GRADYN_UNIVERSAL,
                                                         .body_a = last->body,
                                                         .body_b = body,
                                                         .position = {last->x, 0, last->z},
                                                         .axis = {0, 1, 0},
                                                         .axis_b = {z, 0, -x}});
  gradyn_draw_cylinder(mbs, body, x * x > z * z ? GRADYN_X : GRADYN_Z, across / 2, along);
  *last = (end){last->x + along * x, last->z + along * z, body};
  return body;
}

/* Adds the hook at the pulled end, which slides vertically. Returns the end of the chain. */
static end add_hook(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const double x = -reach() / cos(half_turn / AROUND / 2), z = -PULLED * length;
  const int signal = gradyn_signal(
      mbs, &(gradyn_signal_spec){"pull", "N", GRADYN_PIECEWISE_LINEAR,
                                 .count = gradyn_setting_value(mbs, "knots"),
                                 .knots = gradyn_parameter_array(mbs, rho, PULL, NULL)});
  const int hook = gradyn_body_3d(
      mbs, &(gradyn_body_spec){
               .name = "hook", .centre = {x, 0, z}, .mass = hook_mass, .inertia = {0.1, 0.1, 0.1}});
  const int rail = gradyn_joint_between(mbs, &(gradyn_joint_between_spec){.name = "rail",
                                                                          .kind = GRADYN_PRISMATIC,
                                                                          .body_a = GRADYN_GROUND,
                                                                          .body_b = hook,
                                                                          .position = {x, 0, z},
                                                                          .axis = {0, 0, -1},
                                                                          .side = {1, 0, 0}});
  gradyn_joint_spring(mbs, &(gradyn_joint_spring_spec){
                               .name = "winch",
                               .coordinate = gradyn_joint_coordinate(mbs, rail, GRADYN_SLIDE),
                               .signal = signal});
  gradyn_draw_box(mbs, hook, 0.15, 0.15, 0.15);
  gradyn_minimise(
      mbs,
      gradyn_functional(mbs,
                        &(gradyn_functional_spec){"effort", gradyn_measure_signal(mbs, "", signal),
                                                  .reduction = GRADYN_SQUARE_INTEGRAL}),
      1e-6);
  return (end){x, z, hook};
}

/* Adds all links. A link penetrates the drum as deep as the weight of the links after it requires. */
static void add_chain(gradyn_model *mbs, const gradyn_scalar rho[], end *last)
{
  static const double sunk = 3e-3; /* m */
  const long links = gradyn_setting_value(mbs, "links");
  const gradyn_datum data[] = {{"radius", "m", reach() + sunk},
                               {"stiffness", "N/m", 2e5},
                               {"damping", "N s/m", 400},
                               {"friction", "", rho[FRICTION]}};
  for (int i = 0; i < (int)links; i++) {
    /* angle around the drum of the middle of link i */
    const double passed = fmin(fmax(i - PULLED + 0.5, 0), AROUND) * half_turn / AROUND;
    const bool straight = i < PULLED || i >= PULLED + AROUND;
    const double x = straight ? 0 : sin(passed), z = i < PULLED ? 1 : straight ? -1 : cos(passed);
    const slender link = {gradyn_format_name(mbs, "link%d", i + 1),
                          gradyn_format_name(mbs, "joint%d", i + 1),
                          x,
                          z,
                          length,
                          thickness,
                          mass};
    const int body = add_link(mbs, last, &link);
    const int middle = gradyn_body_centre(mbs, body);
    gradyn_custom_force(
        mbs, &(gradyn_custom_force_spec){.name = gradyn_format_name(mbs, "drum%d", i + 1),
                                         .points = &middle,
                                         .point_count = 1,
                                         .fn = touch,
                                         .data = data,
                                         .data_count = GRADYN_COUNT(data)});
  }
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  gradyn_gravity_3d(mbs, 0, 0, -9.81);
  end last = add_hook(mbs, rho);
  add_chain(mbs, rho, &last);
  const double hangs = last.z - 0.3; /* height of the anchor's centre, m */
  const int anchor = add_link(mbs, &last,
                              &(slender){"anchor", "shackle", 0, -1, 0.6, 0.3, rho[ANCHOR]});
  const int centre = gradyn_body_centre(mbs, anchor);
  gradyn_force(mbs, &(gradyn_force_spec){.name = "current", .point = centre, .fy = rho[CURRENT]});
  gradyn_draw_trace(mbs, centre);
  const int place = gradyn_measure_point(mbs, "height", centre, 0, GRADYN_Z);
  const int rate = gradyn_measure_point(mbs, "rising", centre, 1, GRADYN_Z);
  gradyn_constrain(mbs,
                   gradyn_functional(
                       mbs, &(gradyn_functional_spec){"lifted", place, .reduction = GRADYN_AT_END}),
                   hangs + height, hangs + height, 1e-4);
  gradyn_constrain(
      mbs,
      gradyn_functional(mbs, &(gradyn_functional_spec){"rest", rate, .reduction = GRADYN_AT_END}),
      0, 0, 1e-4);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(anchor_chain, .summary = "Anchor lifted by a chain of links that rub over a drum",
               .params = params, .settings = settings, .setting_count = GRADYN_COUNT(settings),
               .build = build, .method = "explicit", .coordinates = "joint", .t_end = 3,
               .rtol = 1e-7);
