/* An output state of an integration has its own derivatives: they do not depend on other evaluations in
 * between, and tangent and transpose agree. */
#include "adjoint/evaluator/evaluator.h"
#include "dae/fixed/stepper.h"
#include "tests/adjoint/ali3p_models.h"

enum { MOST = 200, DATA = 400 };

static const double h = 1e-3;

static gradyn_evaluator *ev;
static gradyn_stepper *stepper;
static double node[2][MOST]; /* of the first step */

BEFORE_TESTS(start)
{
  ev = ali3p_open(&(run_setup){.problem = &gradyn_problem_five_bar, .step = h});
  const gradyn_options options = gradyn_evaluator_options(ev);
  assert_ok(gradyn_variational_create(ev->model, &options, &stepper), ev->model->message.text);
  assert_in_range(stepper->record, 1, MOST);
  assert_in_range(ev->model->nx, 1, DATA);
  assert_ok(stepper->ops->start(stepper, h, node[0]), ev->model->message.text);
  assert_ok(stepper->ops->step(stepper, 0, h, node[0], node[1]), ev->model->message.text);
}

AFTER_TESTS(finish)
{
  stepper->ops->free(stepper);
  gradyn_evaluator_free(ev);
}

/* The output state of the second node, or of a point inside the step. */
static void look(bool within, gradyn_view *view)
{
  const gradyn_stepper_ops *ops = stepper->ops;
  assert_ok(within ? ops->sample(stepper, 0, h, node[0], node[1], GRADYN_FORCES, view)
                   : ops->complete(stepper, h, node[1], GRADYN_FORCES, view),
            ev->model->message.text);
}

/* dy of an output state for one direction of all inputs. */
static void along(const gradyn_view *view, double *dy)
{
  static gradyn_lanes dx[DATA], ds[MOST], out[MOST];
  const double dh = 0.3, dt = -0.7;
  const gradyn_view_moves moves = {.count = 1, .dx = dx, .dh = &dh, .dt = &dt};
  for (int i = 0; i < stepper->ns; i++)
    ds[i][0] = sin(i + 0.4);
  for (int i = 0; i < ev->model->nx; i++)
    dx[i][0] = cos(2.0 * i);
  assert_ok(stepper->ops->view_tangent(stepper, view, &moves, ds, out), ev->model->message.text);
  gradyn_lane_get(out, stepper->ny, 0, dy);
}

TEST(derivatives_are_those_of_the_view)
{
  double y[2][MOST], mult[2][MOST], at_once[2][MOST], later[MOST];
  gradyn_view view[2] = {{.y = y[0], .mult = mult[0]}, {.y = y[1], .mult = mult[1]}};
  for (int k = 0; k < 2; k++) {
    look(k == 1, &view[k]);
    along(&view[k], at_once[k]);
  }
  /* each after the other one */
  for (int k = 0; k < 2; k++) {
    look(k == 0, &view[1 - k]);
    along(&view[k], later);
    for (int i = 0; i < stepper->ny; i++)
      assert_close(later[i], at_once[k][i], 1e-15, 0);
  }
  /* and they are not alike */
  assert_true(fabs(at_once[0][stepper->ny - 1] - at_once[1][stepper->ny - 1]) > 1e-6);
}

/* w^T dy = s_bar^T ds + x_bar^T dx + h_bar dh + t_bar dt. */
TEST(transpose_agrees)
{
  for (int within = 0; within < 2; within++) {
    static gradyn_lanes s_bar[MOST], x_bar[DATA];
    double y[MOST], mult[MOST], dy[MOST], w[MOST], h_bar = 0, t_bar = 0, left = 0;
    gradyn_view view = {.y = y, .mult = mult};
    look(within, &view);
    along(&view, dy);
    memset(s_bar, 0, sizeof s_bar);
    memset(x_bar, 0, sizeof x_bar);
    for (int i = 0; i < stepper->ny; i++) {
      w[i] = 1 + cos(3.0 * i);
      left += w[i] * dy[i];
    }
    look(!within, &(gradyn_view){.y = (double[MOST]){0}, .mult = (double[MOST]){0}});
    const gradyn_view_bars adjoints = {1, s_bar, x_bar, &h_bar, &t_bar};
    assert_ok(stepper->ops->view_transposed(stepper, &view, w, &adjoints), ev->model->message.text);
    double right = 0.3 * h_bar - 0.7 * t_bar;
    for (int i = 0; i < stepper->ns; i++)
      right += s_bar[i][0] * sin(i + 0.4);
    for (int i = 0; i < ev->model->nx; i++)
      right += x_bar[i][0] * cos(2.0 * i);
    assert_close(right, left, 1e-12, 0);
  }
}
