/* Faults that appear in space only, and builds whose structure depends on a design variable: they are
 * refused with a reason, without access to wrong memory. */
#include <complex.h>

#include "core/model/model.h"
#include "tests/support.h"
#include <gradyn/forces.h>
#include <gradyn/mechanism.h>

static const gradyn_section section = {1e-4, 1e-9, 0.01};

static int beam(gradyn_model *model, const char *name, int from, int to, int elements)
{
  return gradyn_beam(model, &(gradyn_beam_spec){.name = name,
                                                .from = from,
                                                .to = to,
                                                .elements = elements,
                                                .section = section,
                                                .young = 1e9,
                                                .density = 1e3});
}

/* --- how large a mechanism is ------------------------------------------------------------------ */

/* Two masses on the x axis at `first` and `second` in m; the first one has a speed in m/s, in a run of 1 s.
 * If both points coincide up to round-off, the typical length is their distance from the origin or, if
 * larger, the distance travelled. */
static const struct {
  double first, second, speed, length;
} extents[] = {{2, 5, 0, 3},          {1e3, 1e3 + 1e-4, 0, 1e-4}, {1e3, 1e3 + 1e-9, 0, 1e3},
               {0.01, 0.01, 1, 0.01}, {1e-5, 1e-5, 1, 1},         {0, 0, 0, 1}};

static gradyn_status two_masses(gradyn_model *model, const gradyn_scalar rho[])
{
  const int row = (int)creal(rho[0]);
  const int a = gradyn_point(model, "a", extents[row].first, 0);
  const int b = gradyn_point(model, "b", extents[row].second, 0);
  gradyn_initial_velocity(model, a, extents[row].speed, 0);
  gradyn_point_mass(model, "first", a, 1);
  gradyn_point_mass(model, "second", b, 1);
  return gradyn_build_status(model);
}

TEST(test_extent)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "two masses", .build = two_masses,
                                  .t_end = 1};
  for (size_t row = 0; row < GRADYN_COUNT(extents); row++) {
    gradyn_scalar rho = (double)row;
    OWNED(gradyn_model) *model = NULL;
    assert_ok(gradyn_model_create(&problem, NULL, 0, 0, &rho, &model), model->message.text);
    assert_close(model->mech->length, extents[row].length, 1e-7, 0);
  }
}

/* --- inertia of bodies in space --------------------------------------------------------------- */

static const struct {
  double inertia[6]; /* xx, yy, zz, xy, xz, yz */
  const char *message;
} tensor[] = {{{0, 0.1, 0.1, 0, 0, 0},
               "which resists no rotation about some axis. Use a rod for a slender bar"},
              {{0.1, 0.1, 0.2, 0.1, 0, 0}, "which resists no rotation"}, /* along (1, 1, 0) */
              {{0, 0, 0, 0, 0, 0}, "which resists no rotation"},
              {{-0.1, -0.2, -0.1, 0, 0, 0}, "which resists no rotation"},
              {{0.1, 0.1, 0.1, 0, NAN, 0}, "inertia_xz is nan: it must be a finite number"},
              {{0.1, 0.1, 0.3, 0, 0, 0}, "kg m^2; no principal moment may exceed the sum"},
              /* principal moments 0.4, 0.1, 0.1 violate the inequality */
              {{0.2, 0.2, 0.2, 0.1, 0.1, 0.1}, NULL},
              {{0.1, 0.1, 0.2, 0, 0, 0}, ""}, /* a plate: just possible */
              {{0.1, 0.2, 0.15, 0.01, -0.02, 0.005}, ""}};

static gradyn_status one_body(gradyn_model *model, const gradyn_scalar rho[])
{
  int row = (int)creal(rho[0]);
  gradyn_body_spec spec = {.name = "body", .mass = 1};
  for (int k = 0; k < 6; k++)
    spec.inertia[k] = tensor[row].inertia[k];
  gradyn_body_3d(model, &spec);
  return gradyn_build_status(model);
}

TEST(test_inertia)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "one body", .build = one_body,
                                  .t_end = 1};
  for (size_t row = 0; row < GRADYN_COUNT(tensor); row++) {
    gradyn_scalar rho = (double)row;
    OWNED(gradyn_model) *model = NULL;
    const char *expected = tensor[row].message ? tensor[row].message
                                               : "no principal moment may exceed";
    assert_status(gradyn_model_create(&problem, NULL, 0, 0, &rho, &model),
                  *expected ? GRADYN_INVALID : GRADYN_OK, model->message.text);
    assert_says(model->message.text, expected);
  }
}

/* --- structure that changes ------------------------------------------------------------------- */

/* rho = 0: as in the first build; otherwise one declaration differs. */
static void declare_two(gradyn_model *model, int points[3])
{
  points[0] = gradyn_ground_point(model, "G", 0, 0);
  points[1] = gradyn_point(model, "P", 1, 0);
  points[2] = gradyn_point(model, "Q", 2, 0);
  gradyn_point_mass(model, "mass", points[1], 1);
  gradyn_point_mass(model, "other", points[2], 1);
}

static gradyn_status more_bodies(gradyn_model *model, const gradyn_scalar rho[])
{
  int p[3];
  declare_two(model, p);
  for (int i = 0; i < 1 + 40 * (int)creal(rho[0]); i++) {
    gradyn_body_spec spec = {.name = "body", .mass = 1, .inertia = {0, 0, 1}, .omega = {0, 0, 1}};
    int body = gradyn_body(model, &spec);
    gradyn_body_point(model, body, "A", 1, 1);
    gradyn_body_centre(model, body);
  }
  return gradyn_build_status(model);
}

/* A ground point is declared before all others, so that ids belong to other kinds of points than before. */
static gradyn_status shifted(gradyn_model *model, const gradyn_scalar rho[])
{
  int p[3];
  if (creal(rho[0]) > 0.5)
    gradyn_ground_point(model, "new", 0, 0);
  gradyn_body(model, &(gradyn_body_spec){
                         .name = "body", .mass = 1, .inertia = {0, 0, 1}, .omega = {0, 0, 1}});
  declare_two(model, p);
  int end = gradyn_ground_point(model, "end", 3, 0);
  gradyn_weld(model, "clamp", beam(model, "beam", p[2], end, 3), 0, GRADYN_GROUND);
  return gradyn_build_status(model);
}

static gradyn_status more_beams(gradyn_model *model, const gradyn_scalar rho[])
{
  int p[3];
  declare_two(model, p);
  for (int i = 0; i < 1 + 40 * (int)creal(rho[0]); i++)
    gradyn_weld(model, "clamp", beam(model, "beam", p[1], p[2], 1), 0, GRADYN_GROUND);
  return gradyn_build_status(model);
}

static gradyn_status more_elements(gradyn_model *model, const gradyn_scalar rho[])
{
  int p[3];
  declare_two(model, p);
  gradyn_weld(model, "clamp", beam(model, "beam", p[1], p[2], 1 + 40 * (int)creal(rho[0])), 1,
              GRADYN_GROUND);
  return gradyn_build_status(model);
}

static gradyn_status more_pins(gradyn_model *model, const gradyn_scalar rho[])
{
  int p[3];
  declare_two(model, p);
  for (int i = 0; i < 1 + (int)creal(rho[0]); i++)
    gradyn_pin(model, "pin", p[0], p[1]);
  return gradyn_build_status(model);
}

/* A weld of beams at an angle that another design makes straight. */
static gradyn_status straightened(gradyn_model *model, const gradyn_scalar rho[])
{
  int p[3];
  declare_two(model, p);
  int end = gradyn_point(model, "R", 3, 1.0 - rho[0]);
  int a = beam(model, "a", p[1], p[2], 1), b = beam(model, "b", p[2], end, 1);
  gradyn_weld_beams(model, "weld", a, 1, b, 0);
  return gradyn_build_status(model);
}

/* A weld in line, which another design folds back: neither kind of weld has own data. */
static gradyn_status folded(gradyn_model *model, const gradyn_scalar rho[])
{
  int p[3];
  declare_two(model, p);
  int end = gradyn_point(model, "R", 3 - 1.5 * rho[0], 0);
  int a = beam(model, "a", p[1], p[2], 1), b = beam(model, "b", p[2], end, 1);
  gradyn_weld_beams(model, "weld", a, 1, b, 0);
  return gradyn_build_status(model);
}

static gradyn_status fewer_pins(gradyn_model *model, const gradyn_scalar rho[])
{
  int p[3];
  declare_two(model, p);
  if (creal(rho[0]) < 0.5)
    gradyn_pin(model, "pin", p[0], p[1]);
  return gradyn_build_status(model);
}

/* Connections that rewired() changes, in the order of its declarations. */
enum { AS_BEFORE, CARRIER, NODE, MASS, ROD, FREE, HELD, AXIS, SPRING, SIGNAL, WELD };

/* The same declarations with the same data, but one is connected to another point. */
static gradyn_status rewired(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar knot[2] = {0, 1};
  gradyn_signal_spec signal = {.name = "u", .unit = "N", .kind = GRADYN_PIECEWISE_LINEAR};
  int change = (int)creal(rho[0]), p[3];
  declare_two(model, p);
  int U = gradyn_point(model, "U", 2, 1), G = p[0], P = p[1], Q = p[2];
  signal.knots = knot;
  signal.count = 2;
  const int first = gradyn_signal(model, &signal);
  signal.name = "w";
  const int second = gradyn_signal(model, &signal);
  int share = gradyn_point_between(model, "share", change == CARRIER ? U : G, P, 0.5);
  int b = beam(model, "beam", change == NODE ? G : P, U, 2);
  gradyn_point_mass(model, "third", change == MASS ? P : U, 1);
  gradyn_rod(model, &(gradyn_rod_spec){
                        .name = "rod", .from = Q, .to = change == ROD ? G : U, .length = 1});
  gradyn_fix_initial_coordinate(model, P, GRADYN_X);
  gradyn_distance(model, "free", share, change == FREE ? U : Q,
                  &(gradyn_time_function){.value = 1});
  gradyn_fix_initial_angle(model, "held", G, change == HELD ? U : Q, 0, 0);
  gradyn_coordinate(model, "lift", P, change == AXIS ? GRADYN_X : GRADYN_Y, NULL);
  gradyn_spring_spec spring = {.name = "spring", .from = P, .to = change == SPRING ? U : Q};
  spring.signal = change == SIGNAL ? second : first;
  gradyn_spring(model, &spring);
  gradyn_weld(model, "clamp", b, change == WELD ? 2 : 1, GRADYN_GROUND);
  return gradyn_build_status(model);
}

static void check_change_to(double value, gradyn_build_fn build, const char *expected)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "changing", .build = build,
                                  .t_end = 1};
  OWNED(gradyn_model) *model = NULL;
  gradyn_scalar rho = 0;
  gradyn_status status = gradyn_model_create(&problem, NULL, 0, 0, &rho, &model);
  assert_ok(status, model->message.text);
  for (int again = 0; again < 2; again++) {
    rho = value;
    status = gradyn_model_refresh(model, &rho);
    if (status == GRADYN_OK)
      status = gradyn_model_load(model, NULL);
    assert_status(status, GRADYN_INVALID, model->message.text);
    if (!strstr(model->message.text, expected) ||
        !strstr(model->message.text,
                "the structure of a model must not depend on design variables"))
      fail_msg("\"%s\" lacks \"%s\"", model->message.text, expected);
    rho = 0; /* a build without the change is accepted again */
    assert_ok(gradyn_model_refresh(model, &rho), model->message.text);
    assert_ok(gradyn_model_load(model, NULL), model->message.text);
  }
}

static void check_change(gradyn_build_fn build, const char *expected)
{
  check_change_to(1, build, expected);
}

TEST(test_connections)
{
  static const struct {
    int change;
    const char *now, *before;
  } row[] = {{CARRIER, "the attached point share (U, P)", "the attached point share (G, P)"},
             {NODE, "a node of the beam beam (G)", "a node of the beam beam (P)"},
             {MASS, "the inertia third.mass (P)", "the inertia third.mass (U)"},
             {ROD, "the inertia rod.length (Q, G)", "the inertia rod.length (Q, U)"},
             {FREE, "the distance free (share, U)", "the distance free (share, Q)"},
             {HELD, "the angle held (G, U)", "the angle held (G, Q)"},
             {AXIS, "the coordinate lift along x (P)", "the coordinate lift along y (P)"},
             {SPRING, "the spring spring by the signal u (P, U)",
              "the spring spring by the signal u (P, Q)"},
             {SIGNAL, "the spring spring by the signal w (P, Q)",
              "the spring spring by the signal u (P, Q)"},
             {WELD, "the pin clamp.point.x (clamp.point, U)",
              "the pin clamp.point.x (clamp.point, beam.1)"}};
  for (size_t k = 0; k < GRADYN_COUNT(row); k++) {
    char expected[240];
    snprintf(expected, sizeof expected, "build() declares %s where it declared %s before",
             row[k].now, row[k].before);
    check_change_to(row[k].change, rewired, expected);
  }
}

TEST(test_changes)
{
  check_change(more_bodies, "build() declares body.x where it declared nothing before");
  check_change(more_beams, "build() declares beam.length where it declared nothing before");
  check_change(more_elements, "build() declares a node of the beam");
  check_change(shifted, "build() declares new.x where it declared body.x before");
  check_change(straightened, "where it declared");
  check_change(more_pins, "build() declares 4 constraints where it declared 2 before");
  check_change(fewer_pins, "build() declares 0 constraints where it declared 2 before");
  check_change(folded, "build() declares 9 points where it declared 8 before");
}
