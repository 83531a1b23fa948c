/* Derivatives with respect to data for several residuals and vectors at once, against those for one at a
 * time, at random states of models with every kind of datum. */
#include "tests/mbs/terms_models.h"
#include "tests/support.h"

enum { PROJECTION = GRADYN_INERTIA | GRADYN_CONSTRAINT };

/* Combinations of requests. The first is that of a step with projections; two terms with forces must use
 * their own velocities. */
static const terms_look looks[] = {
    {3, {GRADYN_DYNAMICS, PROJECTION, PROJECTION}, {0, 1, 2}},
    {3, {GRADYN_DYNAMICS, GRADYN_FORCE | GRADYN_CONSTRAINT, GRADYN_CONSTRAINT}, {2, 1, 0}},
    {2, {PROJECTION, GRADYN_DYNAMICS}, {1, 1}},
    {1, {GRADYN_DYNAMICS}, {2}},
};

/* --- all data --------------------------------------------------------------------------------- */

/* Directions [columns][nx], dense or with one nonzero entry in ten. */
static double *directions(terms_scene *s, int columns, bool sparse)
{
  double *dx = terms_numbers(s, columns * s->nx);
  for (int i = 0; i < columns * s->nx && sparse; i++)
    dx[i] = terms_random(s) > 0.8 ? dx[i] : 0;
  return dx;
}

/* Products are added to existing values; lanes without a column stay unchanged. */
static void check_forward(terms_scene *s, int columns, bool sparse)
{
  int count = s->terms * s->size, rest = (GRADYN_LANES - columns) * count;
  FREED gradyn_lanes *rhs = terms_lanes(s, count);
  FREED double *dx = directions(s, columns, sparse);
  FREED double *actual = terms_numbers(s, GRADYN_LANES * count);
  FREED double *expected = terms_numbers(s, GRADYN_LANES * count);
  gradyn_lanes_store(count, GRADYN_LANES, rhs, expected, count);
  terms_at_once(s, columns, dx, rhs);
  terms_one_by_one(s, columns, dx, expected);
  gradyn_lanes_store(count, GRADYN_LANES, rhs, actual, count);
  terms_compare(columns * count, actual, expected);
  assert_close_array(actual + columns * count, expected + columns * count, rest, 0, 0);
}

/* x_bar - y, where y is the sum of the products for one vector at a time. Lanes without a column contain
 * numbers, which must have no effect. */
static void check_transposed(terms_scene *s, int columns)
{
  int count = s->terms * s->size, all = columns * s->nx;
  FREED gradyn_lanes *lanes = terms_lanes(s, count);
  FREED double *mu = terms_numbers(s, GRADYN_LANES * count);
  FREED double *x_bar = terms_numbers(s, all), *expected = terms_numbers(s, all);
  FREED double *y = terms_zeros(all);
  gradyn_lanes_store(count, GRADYN_LANES, lanes, mu, count);
  terms_one_by_one_transposed(s, columns, mu, y);
  for (int i = 0; i < all; i++)
    expected[i] = x_bar[i] - y[i];
  terms_at_once_transposed(s, columns, lanes, x_bar);
  terms_compare(all, x_bar, expected);
}

/* Checks <mu, along dx> = -<x_bar, dx> for each column. */
static void check_duality(terms_scene *s)
{
  int count = s->terms * s->size, nx = s->nx;
  FREED gradyn_lanes *mu = terms_lanes(s, count), *rhs = terms_lanes(s, count);
  FREED double *dx = directions(s, GRADYN_LANES, false), *x_bar = terms_zeros(GRADYN_LANES * nx);
  memset(rhs, 0, (size_t)count * sizeof *rhs);
  terms_at_once(s, GRADYN_LANES, dx, rhs);
  terms_at_once_transposed(s, GRADYN_LANES, mu, x_bar);
  for (int v = 0; v < GRADYN_LANES; v++) {
    double left = 0, right = 0, largest = 0;
    for (int i = 0; i < count; i++) {
      left += mu[i][v] * rhs[i][v];
      largest = fmax(largest, fabs(mu[i][v] * rhs[i][v]));
    }
    for (int i = 0; i < nx; i++)
      right -= x_bar[v * nx + i] * dx[v * nx + i];
    assert_close(left, right, 0, 1e-12 * largest);
  }
}

TEST(test_all_data)
{
  for (int i = 0; i < terms_model_count; i++) {
    terms_local s;
    terms_open(&s, terms_models[i].build);
    for (int k = 0; k < 10 * (int)GRADYN_COUNT(looks); k++)
      for (int columns = 1; columns <= GRADYN_LANES; columns++) {
        terms_ask(&s, &looks[k % (int)GRADYN_COUNT(looks)]);
        check_forward(&s, columns, false);
        check_forward(&s, columns, true);
        check_transposed(&s, columns);
        check_duality(&s);
      }
  }
}

/* --- some data -------------------------------------------------------------------------------- */

/* If only some data are active, directions of these data give the same products as with all active, and so
 * do their entries of transposed products. */
static void check_active(terms_scene *s, const bool *active)
{
  int count = s->terms * s->size, all = GRADYN_LANES * s->nx;
  const gradyn_mech_ops *ops = s->mech->ops;
  FREED gradyn_lanes *mu = terms_lanes(s, count), *expected = terms_lanes(s, count);
  FREED gradyn_lanes *actual = terms_lanes(s, count);
  FREED double *dx = directions(s, GRADYN_LANES, false), *x_bar = terms_zeros(all);
  FREED double *some = terms_zeros(all);
  memcpy(actual, expected, (size_t)count * sizeof *actual);
  for (int i = 0; i < all; i++)
    dx[i] = active[i % s->nx] ? dx[i] : 0;
  terms_at_once(s, GRADYN_LANES, dx, expected);
  terms_at_once_transposed(s, GRADYN_LANES, mu, x_bar);
  ops->activate(s->mech, active);
  terms_at_once(s, GRADYN_LANES, dx, actual);
  terms_at_once_transposed(s, GRADYN_LANES, mu, some);
  ops->activate(s->mech, NULL);
  for (int i = 0; i < all; i++)
    some[i] = active[i % s->nx] ? some[i] : x_bar[i];
  terms_compare(GRADYN_LANES * count, (const double *)actual, (const double *)expected);
  terms_compare(all, some, x_bar);
}

/* Every datum alone, then random subsets; in the end all are active again. */
TEST(test_active_data)
{
  for (int i = 0; i < terms_model_count; i++) {
    terms_local s;
    terms_open(&s, terms_models[i].build);
    FREED bool *active = support_zeros((size_t)s.nx, sizeof *active);
    for (int k = 0; k < s.nx; k++) {
      terms_ask(&s, &looks[0]);
      active[k] = true;
      check_active(&s, active);
      active[k] = false;
    }
    for (int k = 0; k < 40; k++) {
      double most = terms_random(&s);
      for (int d = 0; d < s.nx; d++)
        active[d] = terms_random(&s) < most;
      terms_ask(&s, &looks[k % (int)GRADYN_COUNT(looks)]);
      check_active(&s, active);
    }
    check_forward(&s, GRADYN_LANES, false);
    check_transposed(&s, GRADYN_LANES);
  }
}

/* --- what else matters ------------------------------------------------------------------------ */

/* Ensures that the comparisons above are not empty: each datum, except for initial values and the model's
 * idle ones, has a nonzero entry at some state. */
TEST(test_involved)
{
  for (int i = 0; i < terms_model_count; i++) {
    terms_local s;
    terms_open(&s, terms_models[i].build);
    FREED double *x_bar = terms_zeros(s.nx);
    int idle = 0;
    for (int k = 0; k < 100; k++) {
      terms_ask(&s, &looks[0]);
      FREED gradyn_lanes *mu = terms_lanes(&s, s.terms * s.size);
      terms_at_once_transposed(&s, 1, mu, x_bar);
    }
    for (int d = 0; d < s.nx; d++)
      idle += x_bar[d] == 0;
    assert_int_equal(idle, 2 * s.n + terms_models[i].idle);
  }
}

/* If a user's function fails, its status and message are returned. */
TEST(test_failures)
{
  static const double time[] = {TERMS_NO_NUMBER + 0.5, TERMS_FAILURE + 0.5};
  static const gradyn_status reason[] = {GRADYN_NON_FINITE, GRADYN_CALLBACK};
  static const char *const text[] = {"constraint product is not finite", "force stiffening failed"};
  for (int k = 0; k < 2; k++) {
    terms_local s;
    terms_open(&s, terms_models[TERMS_DRIVEN].build);
    terms_ask(&s, &looks[0]);
    s.node.t = s.term[0].at.t = s.term[1].at.t = s.term[2].at.t = time[k];
    gradyn_mech *mech = s.mech;
    FREED gradyn_lanes *lanes = terms_lanes(&s, s.terms * s.size);
    gradyn_lanes *part[TERMS] = {lanes, lanes + s.size, lanes + 2 * s.size};
    const gradyn_mech_point look = {3, s.term, &s.node};
    FREED double *x = terms_numbers(&s, s.nx);
    gradyn_status status = mech->ops->along(mech, &look, 1, &(gradyn_mech_change){.x = x}, part);
    assert_status(status, reason[k], mech->message->text);
    assert_says(mech->message->text, text[k]);
    mech->message->text[0] = 0;
    status = mech->ops->against(mech, &look, 1, part, &(gradyn_mech_adjoints){.x = x});
    assert_status(status, reason[k], mech->message->text);
    assert_says(mech->message->text, text[k]);
  }
}
