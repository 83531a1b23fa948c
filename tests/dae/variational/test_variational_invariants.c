/* The variational scheme in space: its order for a pinned body, and the momenta of a free flexible
 * mechanism over 10^5 steps. */
#include "tests/adjoint/ali3p_models.h"

static const double gravity = 9.81;

/* --- a body in space, pinned at a point ----------------------------------------------------------- */

enum { ARM, SPIN };

static const gradyn_param top_params[] = {[ARM] = {"arm", "m", .init = 0.4, GRADYN_UNBOUNDED},
                                          [SPIN] = {"spin", "rad/s", .init = 6, GRADYN_UNBOUNDED}};

enum { TOP_Q = 12, TOP_M = 9, TOP_PSI = 3, TOP_RHO = 2 };

static gradyn_status build_top(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar a = rho[ARM], w = rho[SPIN];
  int O = gradyn_ground_point_3d(m, "O", 0, 0, 0);
  int body = gradyn_body_3d(m, &(gradyn_body_spec){.name = "body",
                                                   .centre = {a, 0, 0.1},
                                                   .mass = 1.5,
                                                   .inertia = {0.02, 0.05, 0.06, 0.004, 0, 0.002},
                                                   .velocity = {0.1 * w, 0.5 * a - 0.1 * w, -a * w},
                                                   .omega = {w, w, 0.5}});
  int hinge = gradyn_pin(m, "hinge", O, gradyn_body_point_3d(m, body, "A", 0, 0, 0));
  gradyn_gravity_3d(m, 0, 0, -gravity);
  int centre = gradyn_body_centre(m, body);
  gradyn_minimise(
      m,
      gradyn_functional(
          m,
          &(gradyn_functional_spec){"path", gradyn_measure_point(m, "", centre, 0, GRADYN_ALL_AXES),
                                    .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0, 0, 0.2}}),
      1);
  gradyn_functional(m,
                    &(gradyn_functional_spec){"force", gradyn_measure_multiplier(m, "", hinge + 2),
                                              .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"height",
                                                 gradyn_measure_point(m, "", centre, 0, GRADYN_Z),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_problem top = PROBLEM("top", build_top, top_params, .t_end = 1, .step = 1e-3);

/* The largest log2 of the ratio of differences between steps h, h/2 and h/4, over `count` numbers. */
static double order_of(const double *x[3], int count)
{
  double coarse = 0, fine = 0;
  for (int i = 0; i < count; i++) {
    coarse = fmax(coarse, fabs(x[0][i] - x[1][i]));
    fine = fmax(fine, fabs(x[1][i] - x[2][i]));
  }
  return log2(coarse / fine);
}

/* Orders of final positions, velocities, accelerations and multipliers, of functionals, and of their
 * gradients. */
TEST(body_in_space_is_of_second_order)
{
  enum { COLUMNS = 3 * TOP_Q + TOP_M };
  double end[3][COLUMNS], psi[3][TOP_PSI], gradient[3][TOP_PSI * TOP_RHO];
  for (int k = 0; k < 3; k++) {
    double rho[TOP_RHO];
    run_setup setup = {.problem = &top, .method = "variational", .step = 1e-3 / (1 << k)};
    run_local *ev = ali3p_open(&setup);
    OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_simulate(ev, rho, NULL, run), ev);
    assert_int_equal(gradyn_trajectory_read(run).columns, COLUMNS);
    gradyn_trajectory_step(run, gradyn_trajectory_read(run).steps - 1, end[k]);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi[k], gradient[k]), ev);
  }
  for (int block = 0; block < 4; block++) {
    const double *x[3] = {end[0] + TOP_Q * block, end[1] + TOP_Q * block, end[2] + TOP_Q * block};
    assert_close(order_of(x, block < 3 ? TOP_Q : TOP_M), 2, 0, 0.05);
  }
  for (int f = 0; f < TOP_PSI; f++) {
    const double *x[3] = {psi[0] + f, psi[1] + f, psi[2] + f};
    assert_close(order_of(x, 1), 2, 0, 0.05);
    for (int j = 0; j < TOP_RHO; j++) {
      const int i = TOP_RHO * f + j;
      const double *g[3] = {gradient[0] + i, gradient[1] + i, gradient[2] + i};
      assert_close(order_of(g, 1), 2, 0, 0.05);
    }
  }
}

TEST(body_in_space_has_equal_gradients)
{
  run_setup setup = {.problem = &top, .method = "variational"};
  ali3p_compare_data(&setup, NULL, 1e-10);
  ali3p_compare_differences(&setup, 5e-3, 1e-7);
}

/* --- a free body with a beam welded to it ---------------------------------------------------------- */

enum { ELEMENTS = 2, LOOKS = 20, MOMENTA = 6 };

static int steps(void)
{
  return support_thorough() ? 100000 : 20000;
}

static const double step = 1e-3, mass = 1.2, inertia[3] = {0.03, 0.05, 0.04};
static const double length = 0.8, width = 0.02, density = 1200, young = 2e7;

/* Indices of its vectors: centre and base vectors of the body (points at 1 m from the centre), nodes and
 * slopes of the beam in turn. */
typedef struct floating {
  int centre, base[3], beam[2 * (ELEMENTS + 1)];
} floating;

/* Adds the momentum of a pair of vectors with the entry M of the mass matrix. */
static void add_momentum(double M, bool point, const gradyn_scalar *u, const gradyn_scalar *v,
                         gradyn_scalar p[MOMENTA])
{
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    p[i] += point ? M * v[i] : 0;
    p[3 + i] += M * (u[j] * v[k] - u[k] * v[j]);
  }
}

/* Computes linear momentum, and angular momentum about the origin, from positions and velocities. */
static void momenta(const floating *f, const gradyn_at *at, gradyn_scalar p[MOMENTA])
{
  const double l = length / ELEMENTS, l2 = l * l, m = density * width * width * l / 420;
  const double M[4][4] = {{156, 22 * l, 54, -13 * l},
                          {22 * l, 4 * l2, 13 * l, -3 * l2},
                          {54, 13 * l, 156, -22 * l},
                          {-13 * l, -3 * l2, -22 * l, 4 * l2}};
  const gradyn_scalar *c = at->pos + 3 * f->centre, *vc = at->vel + 3 * f->centre;
  double half = (inertia[0] + inertia[1] + inertia[2]) / 2;
  memset(p, 0, MOMENTA * sizeof *p);
  add_momentum(mass, true, c, vc, p);
  for (int k = 0; k < 3; k++) {
    gradyn_scalar e[3], de[3];
    for (int i = 0; i < 3; i++) {
      e[i] = at->pos[3 * f->base[k] + i] - c[i];
      de[i] = at->vel[3 * f->base[k] + i] - vc[i];
    }
    add_momentum(half - inertia[k], false, e, de, p);
  }
  for (int element = 0; element < ELEMENTS; element++)
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++)
        add_momentum(m * M[a][b], a % 2 == 0, at->pos + 3 * f->beam[2 * element + a],
                     at->vel + 3 * f->beam[2 * element + b], p);
}

static floating vectors;

/* Component user of the momenta. */
static gradyn_status one_momentum(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar p[MOMENTA];
  momenta(&vectors, at, p);
  *value = p[*(const int *)at->user];
  return GRADYN_OK;
}

static const int components[MOMENTA] = {0, 1, 2, 3, 4, 5};

static void look_at_momenta(gradyn_model *m)
{
  for (int look = 0; look <= LOOKS; look++)
    for (int k = 0; k < MOMENTA; k++) {
      char name[32];
      snprintf(name, sizeof name, "momentum%d_%d", k, look);
      gradyn_custom_functional(m, &(gradyn_custom_functional_spec){
                                      .name = name,
                                      .unit = k < 3 ? "N s" : "N m s",
                                      .terminal = one_momentum,
                                      .user = (void *)&components[k],
                                      .instant = step * (look ? steps() / LOOKS * look : 1)});
    }
}

static gradyn_status build_floating(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  int body = gradyn_body_3d(m, &(gradyn_body_spec){.name = "body",
                                                   .mass = mass,
                                                   .inertia = {inertia[0], inertia[1], inertia[2]},
                                                   .velocity = {0.3, -0.2, 0.1},
                                                   .omega = {1, 2, -1.5}});
  vectors.centre = gradyn_body_centre(m, body);
  for (int k = 0; k < 3; k++)
    vectors.base[k] = gradyn_body_point_3d(m, body, (const char *[]){"1", "2", "3"}[k], k == 0,
                                           k == 1, k == 2);
  int root = gradyn_point_3d(m, "root", 0.1, 0.1, 0), tip = gradyn_point_3d(m, "tip", 0.9, 0.1, 0);
  gradyn_initial_velocity_3d(m, tip, 0.5, -1.5, 0.5); /* so that the motion is not rigid */
  int beam = gradyn_beam(m, &(gradyn_beam_spec){.name = "beam",
                                                .from = root,
                                                .to = tip,
                                                .elements = ELEMENTS,
                                                .section = gradyn_section_rectangle(width, width),
                                                .young = young,
                                                .density = density});
  for (int i = 0; i <= ELEMENTS; i++) {
    vectors.beam[2 * i] = gradyn_beam_node(m, beam, i);
    vectors.beam[2 * i + 1] = gradyn_beam_slope(m, beam, i);
  }
  gradyn_weld(m, "weld", beam, 0, body);
  look_at_momenta(m);
  return gradyn_build_status(m);
}

static const gradyn_problem floating_body = {GRADYN_PROBLEM_SIZES, .name = "floating",
                                             .build = build_floating, .t_end = 1, .step = 1e-3};

TEST(free_mechanism_keeps_its_momenta)
{
  double psi[LOOKS + 1][MOMENTA], rho[1] = {0};
  run_setup setup = {.problem = &floating_body, .method = "variational", .t_end = steps() * step};
  run_local *ev = ali3p_open(&setup);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi[0], NULL), ev);
  assert_int_equal(gradyn_evaluator_statistics(ev).steps, steps());
  for (int part = 0; part < MOMENTA; part += 3) {
    const double *p = psi[0] + part;
    double size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    assert_true(size > 0.1);
    for (int look = 1; look <= LOOKS; look++)
      assert_close_array(psi[look] + part, p, 3, 0, 1e-10 * size);
  }
}
