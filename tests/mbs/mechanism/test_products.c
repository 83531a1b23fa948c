/* Products with derivatives with respect to data and time against differences of eighth order of the
 * residual and the constraints, at random states of models with every kind of element. */
#include "core/mech/vector.h"
#include "tests/mbs/terms_models.h"
#include "tests/support.h"

static const terms_look look = {
    3,
    {GRADYN_DYNAMICS, GRADYN_INERTIA | GRADYN_CONSTRAINT, GRADYN_FORCE | GRADYN_CONSTRAINT},
    {0, 1, 2}};

/* The rows of all terms with a step s in one datum, or in time (datum -1). */
static void evaluate(terms_scene *s, const double *x, int datum, double step, double *rows)
{
  FREED double *moved = terms_zeros(s->nx);
  memcpy(moved, x, (size_t)s->nx * sizeof *moved);
  if (datum >= 0)
    moved[datum] += step;
  assert_ok(gradyn_model_load(s->model, moved), s->model->message.text);
  gradyn_discrete_state_enter_arc(s->model, s->node.t);
  for (int k = 0; k < s->terms; k++, rows += s->size) {
    gradyn_mech_state at = s->term[k].at, node = s->node;
    at.t = node.t = s->node.t + (datum < 0 ? step : 0);
    gradyn_status status = s->mech->ops->residual(s->mech, s->term[k].parts, &at, rows);
    assert_ok(status, s->model->message.text);
    status = s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, s->term[k].order, &node, rows + s->n);
    assert_ok(status, s->model->message.text);
  }
}

/* Central differences; the error is of order h^8. */
static void differentiate(terms_scene *s, const double *x, int datum, double *slope)
{
  static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}, h = 2e-3;
  int count = s->terms * s->size;
  FREED double *above = terms_zeros(count), *below = terms_zeros(count);
  memset(slope, 0, (size_t)count * sizeof *slope);
  for (int k = 1; k <= 4; k++) {
    evaluate(s, x, datum, k * h, above);
    evaluate(s, x, datum, -k * h, below);
    for (int i = 0; i < count; i++)
      slope[i] += weight[k - 1] * (above[i] - below[i]) / h;
  }
  evaluate(s, x, datum, 0, above);
}

/* A column of the product with respect to a datum or time. */
static void product(terms_scene *s, int datum, double *rows)
{
  FREED double *dx = terms_zeros(s->nx);
  FREED gradyn_lanes *work = terms_lanes(s, s->size + 2 * s->n);
  if (datum >= 0)
    dx[datum] = 1;
  memset(rows, 0, (size_t)(s->terms * s->size) * sizeof *rows);
  for (int k = 0; k < s->terms; k++) {
    const gradyn_mech_vector d = {.x = dx, .t = datum < 0};
    assert_ok(gradyn_mech_along(s->mech, &s->term[k], &s->node, &d, work, rows + k * s->size),
              s->mech->message->text);
  }
}

/* Times away from knots, where signals are smooth; the last one is after the end of all signals. */
static const double times[] = {0.3, 0.7, 1.3, 1.8, 2.2};

static void check_model(const terms_model *model)
{
  terms_local s;
  terms_open(&s, model->build);
  for (size_t round = 0; round < GRADYN_COUNT(times); round++) {
    terms_ask(&s, &look);
    s.node.t = times[round];
    for (int k = 0; k < s.terms; k++)
      s.term[k].at.t = times[round];
    gradyn_discrete_state_enter_arc(s.model, times[round]);
    int count = s.terms * s.size;
    FREED double *x = terms_zeros(s.nx), *exact = terms_zeros(count), *slope = terms_zeros(count);
    memcpy(x, s.mech->x, (size_t)s.nx * sizeof *x);
    for (int datum = -1; datum < s.nx; datum++) {
      differentiate(&s, x, datum, slope);
      product(&s, datum, exact);
      assert_close_array(exact, slope, count, 0, 1e-9 * (1 + largest_of(slope, count)));
    }
  }
}

TEST(products_are_derivatives)
{
  for (int i = 0; i < terms_model_count; i++)
    check_model(&terms_models[i]);
}
