/* Trees of rods alone in the plane have their own recursion (mbs/passes/plane_rods.c). It is compared with
 * natural coordinates, and with the same rods as ordinary links, which a spring without stiffness forces.
 * Also direct against adjoint and differences, for all data. */
#include "tests/mbs/tree/both.h"

enum { CHAIN, STAR, BRANCHES, SHAPES };

static const gradyn_param params[] = {{"length", "m", .init = 0.4, GRADYN_UNBOUNDED},
                                      {"mass", "kg", .init = 1.3, GRADYN_UNBOUNDED},
                                      {"loss", "N m s", .init = 0.05, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"shape", "how rods hang together", CHAIN, CHAIN, SHAPES},
                                          {"slack", "a spring that does nothing", 0, 0, 1}};

/* A rod from a point in some direction, declared from either end; returns its far end. Some rods have an
 * inertia, end masses or torques. */
static int add_rod(gradyn_model *m, const gradyn_scalar rho[], int i, int from, double x, double y)
{
  const int to = gradyn_point(m, gradyn_format_name(m, "P%d", i), x, y);
  const int a = i % 3 == 1 ? to : from, b = i % 3 == 1 ? from : to;
  gradyn_rod_spec rod = {gradyn_format_name(m, "rod%d", i), a, b, .length = rho[0] * (1 + 0.1 * i)};
  rod.mass = rho[1] / (1 + i);
  rod.own_inertia = i % 2;
  if (rod.own_inertia) {
    rod.com = 0.3 * rho[0];
    rod.inertia = 0.02 * rho[1];
  }
  gradyn_rod(m, &rod);
  if (i % 2 == 0)
    gradyn_point_mass(m, gradyn_format_name(m, "bob%d", i), to, 0.2 * rho[1]);
  if (i != 2)
    gradyn_torque(m, &(gradyn_torque_spec){.name = gradyn_format_name(m, "torque%d", i),
                                           .from = i % 2 ? from : to,
                                           .to = i % 2 ? to : from,
                                           .torque = 0.1 * i,
                                           .c = rho[2] * (1 + i)});
  return to;
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int shape = gradyn_setting_value(m, "shape");
  const int root = gradyn_ground_point(m, "root", 0.1, 0.2);
  int end[5], last = root;
  for (int i = 0; i < 5; i++) {
    const int from = shape == CHAIN || i == 0 ? last : shape == STAR ? root : end[(i - 1) / 2];
    end[i] = last = add_rod(m, rho, i, from, 0.5 + 0.35 * (i + 1), 0.15 * (i % 3) - 0.1 * i);
  }
  if (gradyn_setting_value(m, "slack"))
    gradyn_spring(m, &(gradyn_spring_spec){"slack", root, end[4], .free_length = 1});
  gradyn_gravity(m, 0.7, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(
          m,
          &(gradyn_functional_spec){"tip", gradyn_measure_point(m, "", end[4], 0, GRADYN_ALL_AXES),
                                    .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.6, -0.4}}),
      1);
  gradyn_functional(
      m, &(gradyn_functional_spec){"speed", gradyn_measure_point(m, "", end[3], 1, GRADYN_ALL_AXES),
                                   .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_problem rods = PROBLEM("rods", build, params, .settings = settings,
                                           .setting_count = 2, .t_end = 0.3);

static run_setup of_shape(const gradyn_problem *problem, int shape)
{
  return (run_setup){.problem = problem,
                     .setting = "shape",
                     .value = shape,
                     .method = "explicit",
                     .sensitivity = "adjoint"};
}

TEST(rods_move_as_in_natural_coordinates)
{
  for (int shape = 0; shape < SHAPES; shape++) {
    run_setup setup = of_shape(&rods, shape);
    setup.rtol = 1e-11;
    both_compare(&setup, 1e-9);
  }
}

TEST(direct_and_adjoint_derivatives_of_rods_agree)
{
  gradyn_problem joint = rods;
  joint.coordinates = "joint";
  for (int shape = 0; shape < SHAPES; shape++) {
    run_setup setup = of_shape(&joint, shape);
    setup.step = 0.01;
    ali3p_compare_data(&setup, NULL, 1e-10);
    ali3p_compare_differences(&setup, 4e-3, 1e-7);
  }
}

/* Values, and derivatives with respect to all data except those of the spring, in the order without the
 * spring. */
static size_t evaluate(int shape, bool slack, double *psi, double *slope)
{
  enum { MOST = 200 };
  static double own[3 * MOST];
  double rho[3];
  const gradyn_setting_choice choice[] = {{"shape", shape}, {"slack", slack}};
  gradyn_evaluator *ev;
  gradyn_options options = run_options(&rods);
  options.method = "explicit";
  options.coordinates = "joint";
  options.step = 0.01;
  assert_ok(gradyn_evaluator_create(&rods, &options, choice, 2, &ev), "rods");
  run_initial(ev, rho);
  const size_t nx = gradyn_evaluator_model_info(ev).data;
  size_t count = 0;
  assert_true(nx <= MOST);
  assert_run(gradyn_evaluator_data_gradient(ev, rho, psi, own), ev);
  for (size_t j = 0; j < nx; j++) {
    if (strncmp(gradyn_datum_at(ev, j).name, "slack", 5) == 0)
      continue;
    for (size_t f = 0; f < 3; f++)
      slope[3 * count + f] = own[f * nx + j];
    count++;
  }
  gradyn_evaluator_free(ev);
  return count;
}

/* Two implementations of the same equations: they agree to round-off, but do not have the same bits. */
TEST(rods_are_links_like_others)
{
  for (int shape = 0; shape < SHAPES; shape++) {
    double psi[2][3], slope[2][600], size[3] = {0, 0, 0};
    const size_t count = evaluate(shape, false, psi[0], slope[0]);
    bool same = true;
    assert_true(count > 30 && evaluate(shape, true, psi[1], slope[1]) == count);
    for (size_t k = 0; k < 3 * count; k++)
      size[k % 3] = fmax(size[k % 3], fabs(slope[0][k]));
    for (size_t f = 0; f < 3; f++)
      assert_close(psi[1][f], psi[0][f], 1e-11, 1e-13);
    for (size_t k = 0; k < 3 * count; k++) {
      assert_close(slope[1][k], slope[0][k], 1e-11, 1e-12 * size[k % 3]);
      same = same && slope[1][k] == slope[0][k];
    }
    assert_false(same);
  }
}
