/* Products with derivatives with respect to the state: forward products against differences of eighth order
 * of the residual and the constraints, transposed products against forward ones, and both together with
 * data and time. */
#include "tests/mbs/terms_models.h"
#include "tests/support.h"

static const terms_look look = {
    3,
    {GRADYN_DYNAMICS, GRADYN_INERTIA | GRADYN_CONSTRAINT, GRADYN_FORCE | GRADYN_CONSTRAINT},
    {0, 1, 2}};

/* A direction of all variables, in four columns. */
typedef struct direction {
  double *x; /* [lanes][nx] */
  double t[GRADYN_LANES];
  gradyn_lanes *q, *v; /* [n] */
} direction;

static direction random_direction(terms_scene *s)
{
  direction d = {.x = terms_numbers(s, GRADYN_LANES * s->nx)};
  d.q = terms_lanes(s, s->n);
  d.v = terms_lanes(s, s->n);
  terms_fill(s, GRADYN_LANES, d.t);
  return d;
}

static void free_direction(direction *d)
{
  free(d->x);
  free(d->q);
  free(d->v);
}

/* Writes from + step times a column to `to` [n]. */
static void move(const terms_scene *s, const double *from, double step, const gradyn_lanes *d,
                 int column, double *to)
{
  for (int i = 0; i < s->n; i++)
    to[i] = from[i] + step * d[i][column];
}

/* The rows of all terms after a step along a column of q and v. */
static void evaluate(terms_scene *s, const direction *d, int column, double step, double *rows)
{
  FREED double *q = terms_zeros(s->n), *v = terms_zeros(s->n);
  move(s, s->node.q, step, d->q, column, q);
  for (int k = 0; k < s->terms; k++, rows += s->size) {
    gradyn_mech_state at = s->term[k].at, node = s->node;
    at.q = node.q = q;
    at.v = node.v = v;
    move(s, s->term[k].at.v, step, d->v, column, v);
    gradyn_status status = s->mech->ops->residual(s->mech, s->term[k].parts, &at, rows);
    assert_ok(status, s->model->message.text);
    move(s, s->node.v, step, d->v, column, v);
    status = s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, s->term[k].order, &node, rows + s->n);
    assert_ok(status, s->model->message.text);
  }
}

/* Central differences; the error is of order h^8. */
static void differentiate(terms_scene *s, const direction *d, int column, double *slope)
{
  static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}, h = 2e-3;
  int count = s->terms * s->size;
  FREED double *above = terms_zeros(count), *below = terms_zeros(count);
  memset(slope, 0, (size_t)count * sizeof *slope);
  for (int k = 1; k <= 4; k++) {
    evaluate(s, d, column, k * h, above);
    evaluate(s, d, column, -k * h, below);
    for (int i = 0; i < count; i++)
      slope[i] += weight[k - 1] * (above[i] - below[i]) / h;
  }
}

/* Forward product rows [terms][size] with all directions that are not NULL. */
static void along(terms_scene *s, const gradyn_mech_change *d, gradyn_lanes *rows)
{
  const gradyn_mech_point asked = {s->terms, s->term, &s->node};
  gradyn_lanes *const part[] = {rows, rows + s->size, rows + 2 * s->size};
  memset(rows, 0, (size_t)(s->terms * s->size) * sizeof *rows);
  assert_ok(s->mech->ops->along(s->mech, &asked, GRADYN_LANES, d, part), s->mech->message->text);
}

static void compare_with_differences(terms_scene *s, const direction *d, const gradyn_lanes *rows)
{
  int count = s->terms * s->size;
  FREED double *slope = terms_zeros(count), *exact = terms_zeros(GRADYN_LANES * count);
  gradyn_lanes_store(count, GRADYN_LANES, rows, exact, count);
  for (int column = 0; column < GRADYN_LANES; column++) {
    differentiate(s, d, column, slope);
    assert_close_array(exact + column * count, slope, count, 0,
                       1e-9 * (1 + largest_of(slope, count)));
  }
}

/* Checks mu^T (rows of d) = (adjoints of mu)^T d, column by column. */
static void compare_ways(terms_scene *s, const direction *d, const gradyn_lanes *rows)
{
  const gradyn_mech_point asked = {s->terms, s->term, &s->node};
  double *x_bar = terms_zeros(GRADYN_LANES * s->nx), t_bar[GRADYN_LANES] = {0};
  FREED gradyn_lanes *mu = terms_lanes(s, s->terms * s->size);
  FREED gradyn_lanes *q_bar = terms_lanes(s, s->n), *v_bar = terms_lanes(s, s->n);
  gradyn_lanes *const part[] = {mu, mu + s->size, mu + 2 * s->size};
  const gradyn_mech_adjoints adjoints = {.x = x_bar, .t = t_bar, .q = q_bar, .v = v_bar};
  gradyn_lanes sum = {0}, size = {0};
  for (int i = 0; i < s->n; i++) /* products are added to the existing values */
    sum -= q_bar[i] * d->q[i] + v_bar[i] * d->v[i];
  assert_ok(s->mech->ops->against(s->mech, &asked, GRADYN_LANES, part, &adjoints),
            s->mech->message->text);
  for (int i = 0; i < s->terms * s->size; i++) {
    sum += mu[i] * rows[i];
    size += mu[i] * rows[i] * mu[i] * rows[i];
  }
  for (int i = 0; i < s->n; i++)
    sum += q_bar[i] * d->q[i] + v_bar[i] * d->v[i];
  for (int column = 0; column < GRADYN_LANES; column++) {
    sum[column] += t_bar[column] * d->t[column];
    for (int i = 0; i < s->nx; i++)
      sum[column] += x_bar[column * s->nx + i] * d->x[column * s->nx + i];
    assert_close(sum[column], 0, 0, 1e-11 * (1 + sqrt(size[column])));
  }
  free(x_bar);
}

/* Data and their adjoints in lanes must give the same as one column after the other. */
static void compare_layouts(terms_scene *s, const direction *d, const gradyn_lanes *rows)
{
  const int count = s->terms * s->size, width = GRADYN_LANES * s->nx;
  const gradyn_mech_point asked = {s->terms, s->term, &s->node};
  FREED gradyn_lanes *mu = terms_lanes(s, count), *x = terms_lanes(s, s->nx),
                     *got = terms_lanes(s, count);
  gradyn_lanes *const part[] = {mu, mu + s->size, mu + 2 * s->size};
  FREED double *x_bar = terms_zeros(width), *columns = terms_zeros(width);
  gradyn_lanes_load(s->nx, GRADYN_LANES, d->x, s->nx, x);
  along(s, &(gradyn_mech_change){.lanes = x, .t = d->t}, got);
  terms_compare(GRADYN_LANES * count, (const double *)got, (const double *)rows);
  memset(x, 0, (size_t)s->nx * sizeof *x);
  gradyn_status status = s->mech->ops->against(s->mech, &asked, GRADYN_LANES, part,
                                               &(gradyn_mech_adjoints){.x = x_bar});
  assert_ok(status, s->mech->message->text);
  status = s->mech->ops->against(s->mech, &asked, GRADYN_LANES, part,
                                 &(gradyn_mech_adjoints){.lanes = x});
  assert_ok(status, s->mech->message->text);
  gradyn_lanes_store(s->nx, GRADYN_LANES, x, columns, s->nx);
  terms_compare(width, columns, x_bar);
}

static void check_state(terms_scene *s)
{
  direction d = random_direction(s);
  int count = s->terms * s->size;
  gradyn_lanes *state = terms_lanes(s, count), *rest = terms_lanes(s, count),
               *all = terms_lanes(s, count);
  along(s, &(gradyn_mech_change){.q = d.q, .v = d.v}, state);
  compare_with_differences(s, &d, state);
  along(s, &(gradyn_mech_change){.q = d.q}, rest);
  along(s, &(gradyn_mech_change){.v = d.v}, all);
  for (int i = 0; i < count; i++)
    rest[i] += all[i];
  terms_compare(GRADYN_LANES * count, (double *)rest, (double *)state);
  along(s, &(gradyn_mech_change){.x = d.x, .t = d.t}, rest);
  compare_layouts(s, &d, rest);
  along(s, &(gradyn_mech_change){.x = d.x, .t = d.t, .q = d.q, .v = d.v}, all);
  for (int i = 0; i < count; i++)
    rest[i] += state[i];
  terms_compare(GRADYN_LANES * count, (double *)all, (double *)rest);
  compare_ways(s, &d, all);
  free(state);
  free(rest);
  free(all);
  free_direction(&d);
}

TEST(products_are_derivatives)
{
  for (int i = 0; i < terms_model_count; i++) {
    terms_local s;
    terms_open(&s, terms_models[i].build);
    for (int round = 0; round < 5; round++) {
      terms_ask(&s, &look);
      check_state(&s);
    }
  }
}

/* A rod that rotates about the ground has H = 1/length times the identity: the product is (lam H dq; Phi'_q
 * dq). */
TEST(rods_are_known)
{
  terms_local s;
  terms_open(&s, terms_pendulum);
  assert_true(s.n == 2 && s.m == 1);
  const double lam = 3, u[] = {0.7, -1.1}, w = 1 / 0.8;
  s.node.v = u;
  s.node.lam = &lam;
  const gradyn_mech_term term = {GRADYN_CONSTRAINT, 1, s.node};
  const gradyn_mech_point asked = {1, &term, &s.node};
  const gradyn_lanes dq[2] = {{1, 2, 3, 4}, {-5, 6, 0.5, 8}};
  gradyn_lanes rows[3] = {{0}}, *r = rows;
  const gradyn_mech_change d = {.q = dq};
  assert_ok(s.mech->ops->along(s.mech, &asked, GRADYN_LANES, &d, &r), s.mech->message->text);
  for (int v = 0; v < GRADYN_LANES; v++) {
    for (int k = 0; k < 2; k++)
      assert_close(rows[k][v], lam * w * dq[k][v], 1e-14, 0);
    assert_close(rows[2][v], w * (u[0] * dq[0][v] + u[1] * dq[1][v]), 1e-14, 1e-14);
  }
}
