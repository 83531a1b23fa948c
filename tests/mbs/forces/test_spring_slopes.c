/* Derivatives of springs and torques by the difference of their points, for inputs that vary, against those
 * by each of the two points. */
#include "mbs/elements/mutual.h"
#include "mbs/mechanism/assembly.h"
#include "tests/mbs/bench.h"

enum { DIM = 2, LOCAL = 4, INPUTS = 4 };

/* Number of inputs of each element, and index of its damping. */
static const struct {
  int inputs, damping;
} force[] = {{INPUTS, 1}, {2, 1}};

/* Two masses with a spring and a torque between them. */
static gradyn_status declare(gradyn_model *model, double damping)
{
  const int a = gradyn_point(model, "a", 0, 0), b = gradyn_point(model, "b", 1, 0.5);
  gradyn_point_mass(model, "A", a, 1);
  gradyn_point_mass(model, "B", b, 2);
  gradyn_spring(model,
                &(gradyn_spring_spec){
                    .from = a, .to = b, .k = 3, .c = damping, .free_length = 0.7, .force = 0.2});
  gradyn_torque(model, &(gradyn_torque_spec){.from = a, .to = b, .torque = 0.3, .c = damping});
  return gradyn_build_status(model);
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

static void compare(gradyn_mbs *m, const mbs_point_state *view, int k)
{
  double pos[2][LOCAL * LOCAL], vel[2][LOCAL * LOCAL], by_input[2][INPUTS * LOCAL];
  double P[DIM * DIM], V[DIM * DIM], by[INPUTS * DIM] = {0};
  mbs_element e = m->lists.forces.item[k];
  assert_ok(e.ops->force_state(m, &e, view, e.input, pos[0], vel[0]), NULL);
  assert_ok(e.ops->force_input(m, &e, view, e.input, by_input[0]), NULL);
  /* by damping: the masses move */
  assert_true(fabs(by_input[0][LOCAL * force[k].damping]) > 1e-3);
  for (e.vary.first = 0; e.vary.first < force[k].inputs; e.vary.first++)
    for (e.vary.end = e.vary.first + 1; e.vary.end <= force[k].inputs; e.vary.end++) {
      const int first = e.vary.first * LOCAL, count = e.vary.end * LOCAL - first;
      assert_ok(e.ops->mutual(m, &e, view, e.input, P, V, by), NULL);
      mbs_spread_mutual(DIM, P, pos[1]);
      mbs_spread_mutual(DIM, V, vel[1]);
      mbs_spread_mutual_inputs(DIM, force[k].inputs, by, by_input[1]);
      assert_close_array(pos[1], pos[0], LOCAL * LOCAL, 1e-15, 0);
      assert_close_array(vel[1], vel[0], LOCAL * LOCAL, 1e-15, 0);
      assert_close_array(by_input[1] + first, by_input[0] + first, count, 1e-15, 0);
    }
}

/* Without damping the rate of the length has no effect on the force, but on its derivative. */
TEST(slopes_by_the_difference_are_those_one_by_one)
{
  for (int k = 0; k < 2; k++) {
    bench_local b;
    bench_open(&b, k ? damped : undamped, NULL);
    gradyn_mbs *m = b.model->impl;
    const gradyn_mech_state at = bench_state(&b, b.y, b.t);
    const mbs_point_state view = mbs_eval(m, &at);
    for (size_t i = 0; i < sizeof force / sizeof *force; i++)
      compare(m, &view, (int)i);
  }
}
