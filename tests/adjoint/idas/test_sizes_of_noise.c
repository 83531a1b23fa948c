/* Bounds on the effect of a state's round-off on nonlinear functionals. They are in proportion to the
 * functionals' slopes, and for an integrand also to the length of the arc. */
#include "adjoint/idas/sizes.h"
#include "tests/runs.h"
#include "tests/declare.h"
#include <gradyn/gradyn.h>

enum { SUM, END, FLAT, FUNCTIONALS };
static const double round_off = 1e-14;

FORMULA(decay, at->yp[0] + at->y[0])
FORMULA(square, 3 * at->y[0] * at->y[0])
FORMULA(itself, at->y[0])

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_state(m, "y", "m", rho[0]);
  declare_equations(m, decay, NULL, 0);
  declare_integral(m, "sum", "", square);
  declare_end(m, "end", "", square);
  declare_end(m, "flat", "", itself);
  return gradyn_build_status(m);
}

TEST(noise_is_in_proportion)
{
  static const gradyn_param params[] = {{"y0", "m", .init = 2, GRADYN_UNBOUNDED}};
  static const gradyn_problem problem = PROBLEM("decay", build, params, .t_end = 1);
  static const int row[] = {SUM, END, FLAT};
  static const struct {
    double length, slope;
  } of[] = {{1, 1}, {3, 1}, {0.25, -1}, {1, 5}, {0.5, 4}};
  const gradyn_scalar y0 = 2;
  const double y = 0.9;
  double psi[FUNCTIONALS];
  gradyn_model *model;
  gradyn_idas *march;
  LOCAL(gradyn_idas_sizes) sizes;
  gradyn_options options = run_options(&problem);
  options.rtol = 1e-8;
  options.atol = 1e-10;
  assert_ok(gradyn_model_create(&problem, NULL, 0, 1, &y0, &model), NULL);
  assert_ok(gradyn_model_load(model, NULL), model->message.text);
  assert_ok(gradyn_idas_create(model, &options, &march), model->message.text);
  assert_ok(gradyn_idas_simulate(march, psi, NULL), model->message.text);
  assert_ok(gradyn_idas_sizes_create(march, &sizes), model->message.text);
  gradyn_idas_sizes_rows(&sizes, row, FUNCTIONALS);
  for (size_t k = 0; k < GRADYN_COUNT(of); k++) {
    const double slope[FUNCTIONALS] = {of[k].slope, 2 * of[k].slope, of[k].slope};
    gradyn_idas_sizes_begin(&sizes, slope, NULL, 0);
    assert_ok(gradyn_idas_sizes_curvature(&sizes, 0.5, &y, of[k].length, slope), NULL);
    /* psi_yy = 6 at the largest y of the run */
    const double curved = round_off * 6 * 4 * fabs(of[k].slope);
    assert_close(sizes.noise[SUM], curved * of[k].length, 1e-6, 0);
    assert_close(sizes.noise[END], 2 * curved, 1e-6, 0);
    assert_close(sizes.noise[FLAT], 0, 0, 1e-9 * curved);
  }
  gradyn_idas_free(march);
  gradyn_model_free(model);
}
