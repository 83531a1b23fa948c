/* Slopes of a spring that it gives at once, of inputs that vary, against those that it gives one by one. */
#include "mbs/mechanism/assembly.h"
#include "tests/mbs/bench.h"

enum { LOCAL = 4, INPUTS = 4 };

/* Two masses joined by a spring. */
static gradyn_status declare(gradyn_model *model, double damping)
{
  const int a = gradyn_point(model, "a", 0, 0), b = gradyn_point(model, "b", 1, 0.5);
  gradyn_point_mass(model, "A", a, 1);
  gradyn_point_mass(model, "B", b, 2);
  gradyn_spring(model,
                &(gradyn_spring_spec){
                    .from = a, .to = b, .k = 3, .c = damping, .free_length = 0.7, .force = 0.2});
  return gradyn_built(model);
}

static gradyn_status damped(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return declare(model, 0.4);
}

static gradyn_status undamped(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return declare(model, 0);
}

/* Without damping the rate of the length matters to its slope alone. */
TEST(slopes_at_once_are_those_one_by_one)
{
  for (int k = 0; k < 2; k++) {
    double pos[2][LOCAL * LOCAL], vel[2][LOCAL * LOCAL], by_input[2][INPUTS * LOCAL];
    bench b;
    bench_open(&b, k ? damped : undamped, NULL);
    gradyn_mbs *m = b.model->impl;
    mbs_element e = m->lists.forces.item[0];
    const gradyn_mech_state at = bench_state(&b, b.y, b.t);
    const mbs_view view = mbs_look(m, &at);
    assert_ok(e.ops->force_state(m, &e, &view, e.input, pos[0], vel[0]), NULL);
    assert_ok(e.ops->force_input(m, &e, &view, e.input, by_input[0]), NULL);
    assert_true(fabs(by_input[0][LOCAL]) > 1e-3); /* by damping: the masses move */
    for (e.vary.first = 0; e.vary.first < INPUTS; e.vary.first++)
      for (e.vary.end = e.vary.first + 1; e.vary.end <= INPUTS; e.vary.end++) {
        const int first = e.vary.first * LOCAL, count = e.vary.end * LOCAL - first;
        assert_ok(e.ops->force_slopes(m, &e, &view, e.input, pos[1], vel[1], by_input[1]), NULL);
        assert_close_array(pos[1], pos[0], LOCAL * LOCAL, 1e-15, 0);
        assert_close_array(vel[1], vel[0], LOCAL * LOCAL, 1e-15, 0);
        assert_close_array(by_input[1] + first, by_input[0] + first, count, 1e-15, 0);
      }
    bench_close(&b);
  }
}
