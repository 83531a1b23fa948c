/* The bench for functionals: every derivative of a functional against differences of its value. */
#include "tests/mbs/bench.h"

static const gradyn_functional_ops *ops_of(const bench *b, int i)
{
  const gradyn_functional_entry *f = &b->model->functional[i];
  return f->integrand ? f->integrand : f->terminal;
}

static double value_at(bench *b, int i, double t)
{
  double value;
  const gradyn_sample at = {t, b->y};
  assert_ok(ops_of(b, i)->value(b->model, &b->model->functional[i], &at, &value),
            b->model->message.text);
  return value;
}

double bench_functional(bench *b, int functional)
{
  return value_at(b, functional, b->t);
}

typedef struct step {
  int functional, state, datum; /* state, datum: index of the varied number, or -1 */
  bool time;
} step;

static void evaluate(bench *b, const void *what, double s, double *f)
{
  const step *p = what;
  double keep[BENCH_STATES];
  memcpy(keep, b->y, sizeof keep);
  if (p->state >= 0)
    b->y[p->state] += s;
  if (p->datum >= 0)
    bench_load(b, p->datum, s);
  *f = value_at(b, p->functional, b->t + (p->time ? s : 0));
  memcpy(b->y, keep, sizeof keep);
}

int bench_check_functional(bench *b, int i)
{
  double y_bar[BENCH_STATES] = {0}, x_bar[BENCH_DATA] = {0}, t_bar = 0, slope;
  double alone[BENCH_STATES] = {0};
  const gradyn_gradient_out out = {y_bar, 1, x_bar, &t_bar}, states = {alone, 1, NULL, NULL};
  const gradyn_sample at = {b->t, b->y};
  const double weight = -1.7;
  int present = 0;
  assert_ok(ops_of(b, i)->gradient(b->model, &b->model->functional[i], &at, weight, &out),
            b->model->message.text);
  /* by states alone: the same */
  assert_ok(ops_of(b, i)->gradient(b->model, &b->model->functional[i], &at, weight, &states),
            b->model->message.text);
  assert_memory_equal(alone, y_bar, sizeof alone);
  step p = {i, -1, -1, false};
  for (p.state = 0; p.state < 3 * b->mech->n + b->mech->m; p.state++) {
    bench_difference(b, evaluate, &p, 1, &slope);
    assert_close(y_bar[p.state], weight * slope, 1e-10, 1e-10);
    present |= y_bar[p.state] != 0 ? 1 : 0;
  }
  p.state = -1;
  for (p.datum = 0; p.datum < b->model->nx; p.datum++) {
    bench_difference(b, evaluate, &p, 1, &slope);
    assert_close(x_bar[p.datum], weight * slope, 1e-10, 1e-10);
    present |= x_bar[p.datum] != 0 ? 2 : 0;
  }
  bench_load(b, -1, 0);
  p = (step){i, -1, -1, true};
  bench_difference(b, evaluate, &p, 1, &slope);
  assert_close(t_bar, weight * slope, 1e-10, 1e-10);
  return present | (t_bar != 0 ? 4 : 0);
}
