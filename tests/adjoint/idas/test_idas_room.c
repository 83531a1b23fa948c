/* Memory that the adjoint of idas reserves for the steps of an arc: no result depends on it, even if it has
 * exactly the number of steps. */

#include "tests/adjoint/idas/duffing.h"

static void results_do_not_depend_on_room(double t_end, double rtol)
{
  bench b;
  double psi, x_bar[DATA], expected, expected_bar[DATA];
  open_at(&b, duffing, t_end, rtol);
  assert_ok(gradyn_idas_adjoint_run(b.adjoint, b.active, &expected, expected_bar),
            b.model->message.text);
  long steps = b.march->report.cost.steps;
  assert_int_equal(b.march->report.cost.arcs, t_end < 1 ? 1 : CONTROLS);
  long typical = steps / b.march->report.cost.arcs;
  for (long capacity = typical > 41 ? typical - 40 : 1; capacity <= typical + 40;
       capacity += support_thorough() ? 1 : 4) {
    gradyn_idas_adjoint_room(b.adjoint, capacity);
    assert_ok(gradyn_idas_adjoint_run(b.adjoint, b.active, &psi, x_bar), b.model->message.text);
    assert_int_equal(b.march->report.cost.steps, steps);
    assert_memory_equal(&psi, &expected, sizeof psi);
    assert_memory_equal(x_bar, expected_bar, (size_t)b.model->nx * sizeof(double));
  }
  assert_ok(gradyn_idas_simulate(b.march, &psi, NULL), b.model->message.text);
  assert_int_equal(b.march->report.cost.steps, steps);
  assert_close(psi, expected, 1e-12, 0);
  close_bench(&b);
}

TEST(one_arc)
{
  results_do_not_depend_on_room(0.25, 1e-8);
  results_do_not_depend_on_room(0.25, 1e-11);
}

THOROUGH_TEST(many_arcs)
{
  results_do_not_depend_on_room(6, 1e-8);
  results_do_not_depend_on_room(6, 1e-11);
}

/* A repeated arc detects the same events as at first. */
TEST(arcs_with_events)
{
  bench b;
  double psi, x_bar[DATA], expected, expected_bar[DATA];
  open_at(&b, braked, 6, 1e-9);
  assert_ok(gradyn_idas_adjoint_run(b.adjoint, b.active, &expected, expected_bar),
            b.model->message.text);
  const long arcs = b.march->report.cost.arcs, steps = b.march->report.cost.steps;
  assert_true(arcs > CONTROLS);
  for (long capacity = 1; capacity <= steps / arcs; capacity += support_thorough() ? 7 : 28) {
    gradyn_idas_adjoint_room(b.adjoint, capacity);
    assert_ok(gradyn_idas_adjoint_run(b.adjoint, b.active, &psi, x_bar), b.model->message.text);
    assert_int_equal(b.march->report.cost.arcs, arcs);
    assert_memory_equal(&psi, &expected, sizeof psi);
    assert_memory_equal(x_bar, expected_bar, (size_t)b.model->nx * sizeof(double));
  }
  close_bench(&b);
}
