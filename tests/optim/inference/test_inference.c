/* Covariances of a straight line against its normal equations, with all kinds of deviations and losses.
 * Also with bounds, constraints and directions that the data do not determine. */
#include "tests/optim/inference/line.h"

#include "optim/inference/distributions.h"

/* Sum over data of w (1, t)(1, t)^T, its inverse, and residuals. */
typedef struct normal {
  double a, b, c; /* [a, b; b, c] */
} normal;

static void add(normal *m, double weight, double t)
{
  m->a += weight;
  m->b += weight * t;
  m->c += weight * t * t;
}

static normal inverse(normal m)
{
  const double d = m.a * m.c - m.b * m.b;
  return (normal){m.c / d, -m.b / d, m.a / d};
}

static double miss(const double rho[], int k)
{
  return rho[LINE_A1] + rho[LINE_A2] + rho[LINE_B] * line_times[k] - line_values[k];
}

static double square_sum(const double rho[])
{
  double sum = 0;
  for (int k = 0; k < LINE_DATA; k++)
    sum += miss(rho, k) * miss(rho, k);
  return sum;
}

static double entry(const gradyn_inference *s, int i, int j)
{
  return s->covariance[i * LINE_P + j];
}

static void assert_covariance(const gradyn_inference *s, normal C, double factor)
{
  assert_close(entry(s, LINE_A1, LINE_A1), factor * C.a, 1e-9, 0);
  assert_close(entry(s, LINE_A1, LINE_B), factor * C.b, 1e-9, 0);
  assert_close(entry(s, LINE_B, LINE_A1), entry(s, LINE_A1, LINE_B), 0, 0);
  assert_close(entry(s, LINE_B, LINE_B), factor * C.c, 1e-9, 0);
  assert_close(s->deviation[LINE_B], sqrt(factor * C.c), 1e-9, 0);
  assert_close(s->correlation[LINE_B], C.b / sqrt(C.a * C.c), 1e-9, 0);
  assert_true(isnan(entry(s, LINE_A2, LINE_B)));
}

/* The normal equations for equal weights. */
static normal equal_weights(void)
{
  normal m = {0};
  for (int k = 0; k < LINE_DATA; k++)
    add(&m, 1, line_times[k]);
  return m;
}

TEST(the_variance_of_unweighted_data_is_that_of_the_residuals)
{
  const line_kind kind = {.deviation = LINE_UNWEIGHTED};
  run_local *ev = line_open(kind);
  LOCAL(gradyn_inference) s;
  double rho[LINE_P];
  line_infer(ev, kind, rho, &s);
  const double variance = square_sum(rho) / (LINE_DATA - 2);
  assert_close(s.variance, variance, 1e-10, 0);
  assert_close(s.degrees, LINE_DATA - 2, 0, 0);
  assert_int_equal(s.estimated, 2);
  assert_true(isnan(s.square_probability));
  assert_covariance(&s, inverse(equal_weights()), variance);
  /* 2.3646: quantile of Student's distribution with seven degrees of freedom */
  assert_close(s.upper[LINE_B], rho[LINE_B] + 2.364624251592784 * s.deviation[LINE_B], 1e-12, 0);
  assert_close(s.lower[LINE_B], rho[LINE_B] - 2.364624251592784 * s.deviation[LINE_B], 1e-12, 0);
  assert_int_equal(s.kind[LINE_A2], GRADYN_ESTIMATE_FIXED);
  assert_int_equal(s.kind[LINE_B], GRADYN_ESTIMATE_DETERMINED);
  assert_int_equal(s.directions, 0);
}

TEST(given_deviations_are_known)
{
  const line_kind kind = {.deviation = LINE_GIVEN};
  run_local *ev = line_open(kind);
  LOCAL(gradyn_inference) s;
  double rho[LINE_P];
  line_infer(ev, kind, rho, &s);
  assert_close(s.variance, 1, 0, 0);
  assert_true(isinf(s.degrees));
  assert_covariance(&s, inverse(equal_weights()), line_sigma * line_sigma);
  assert_close(s.square_probability,
               gradyn_chi_square_tail(square_sum(rho) / (line_sigma * line_sigma), LINE_DATA - 2),
               1e-9, 0);
  /* the residual at time t depends on a1 + b t */
  const normal C = inverse(equal_weights());
  for (int k = 0; k < LINE_DATA; k++) {
    const double t = line_times[k];
    assert_close(s.functional_deviation[1 + k], sqrt(C.a + 2 * t * C.b + t * t * C.c), 1e-9, 0);
    assert_close(s.u[1 + k], miss(rho, k) / line_sigma, 1e-9, 1e-9);
  }
}

/* sigma^2 = S/n, and ln sigma has the variance 1/(2 n). */
TEST(estimated_deviations_have_fishers_covariance)
{
  const line_kind kind = {.deviation = LINE_LIKELIHOOD};
  run_local *ev = line_open(kind);
  LOCAL(gradyn_inference) s;
  double rho[LINE_P];
  line_infer(ev, kind, rho, &s);
  const double variance = square_sum(rho) / LINE_DATA;
  assert_close(exp(2 * rho[LINE_SIGMA]), variance, 1e-8, 0);
  assert_covariance(&s, inverse(equal_weights()), exp(2 * rho[LINE_SIGMA]));
  assert_close(entry(&s, LINE_SIGMA, LINE_SIGMA), 0.5 / LINE_DATA, 1e-9, 0);
  assert_close(entry(&s, LINE_SIGMA, LINE_B), 0, 0, 1e-9);
  assert_int_equal(s.estimated, 3);
}

/* psi = loss'/2 and its derivative, by their definitions. */
static double influence(int loss, double u, double *slope)
{
  if (loss == GRADYN_LOSS_HUBER) {
    *slope = fabs(u) <= 1.345;
    return *slope > 0 ? u : copysign(1.345, u);
  }
  const double e = 1 + u / 2.385 * (u / 2.385);
  *slope = (2 - e) / (e * e);
  return u / e;
}

TEST(robust_losses_have_the_sandwich)
{
  for (int loss = GRADYN_LOSS_HUBER; loss <= GRADYN_LOSS_CAUCHY; loss++) {
    const line_kind kind = {.deviation = LINE_GIVEN, .loss = loss};
    run_local *ev = line_open(kind);
    LOCAL(gradyn_inference) s;
    double rho[LINE_P];
    line_infer(ev, kind, rho, &s);
    normal A = {0}, B = {0};
    int beyond = 0;
    for (int k = 0; k < LINE_DATA; k++) {
      double slope, u = miss(rho, k) / line_sigma, psi = influence(loss, u, &slope);
      beyond += fabs(u) > 2.385;
      add(&A, slope / (line_sigma * line_sigma), line_times[k]);
      add(&B, psi * psi / (line_sigma * line_sigma), line_times[k]);
      assert_close(s.u[1 + k], u, 1e-9, 1e-9);
    }
    assert_true(beyond > 0); /* the loss has an effect */
    const normal J = inverse(A);
    const double half[2][2] = {{J.a * B.a + J.b * B.b, J.a * B.b + J.b * B.c},
                               {J.b * B.a + J.c * B.b, J.b * B.b + J.c * B.c}};
    const normal C = {half[0][0] * J.a + half[0][1] * J.b, half[0][0] * J.b + half[0][1] * J.c,
                      half[1][0] * J.b + half[1][1] * J.c};
    assert_true(s.robust);
    assert_covariance(&s, C, (double)LINE_DATA / (LINE_DATA - 2));
  }
}

TEST(parameters_at_bounds_have_no_deviation)
{
  const line_kind kind = {.deviation = LINE_GIVEN, .narrow = true};
  run_local *ev = line_open(kind);
  LOCAL(gradyn_inference) s;
  double rho[LINE_P];
  line_infer(ev, kind, rho, &s);
  assert_close(rho[LINE_B], 1.5, 1e-6, 0);
  assert_int_equal(s.kind[LINE_B], GRADYN_ESTIMATE_AT_UPPER);
  assert_true(isnan(s.deviation[LINE_B]) && isnan(s.lower[LINE_B]) && isnan(s.upper[LINE_B]));
  /* the others, given this value */
  assert_close(s.deviation[LINE_A1], line_sigma / sqrt(LINE_DATA), 1e-9, 0);
  assert_int_equal(s.estimated, 1);
  assert_int_equal(s.directions, 0);
}

/* With the constraint a1 = b/2 the design is b (1/2 + t). */
TEST(constraints_restrict_the_covariance)
{
  const line_kind kind = {.deviation = LINE_GIVEN, .balanced = true};
  run_local *ev = line_open(kind);
  LOCAL(gradyn_inference) s;
  double rho[LINE_P], sum = 0;
  line_infer(ev, kind, rho, &s);
  for (int k = 0; k < LINE_DATA; k++)
    sum += (0.5 + line_times[k]) * (0.5 + line_times[k]);
  const double variance = line_sigma * line_sigma / sum;
  assert_covariance(&s, (normal){variance / 4, variance / 2, variance}, 1);
  assert_int_equal(s.estimated, 1);
}

TEST(directions_without_effect_are_named)
{
  const line_kind kind = {.deviation = LINE_GIVEN, .split = true};
  run_local *ev = line_open(kind);
  LOCAL(gradyn_inference) s;
  double rho[LINE_P];
  line_infer(ev, kind, rho, &s);
  assert_int_equal(s.directions, 1);
  assert_true(isinf(s.direction[0].deviation));
  assert_close(s.direction[0].change[LINE_A1], -s.direction[0].change[LINE_A2], 1e-6, 0);
  assert_close(s.direction[0].change[LINE_B], 0, 0, 0);
  assert_int_equal(s.kind[LINE_A1], GRADYN_ESTIMATE_UNDETERMINED);
  assert_int_equal(s.kind[LINE_A2], GRADYN_ESTIMATE_UNDETERMINED);
  assert_int_equal(s.kind[LINE_B], GRADYN_ESTIMATE_DETERMINED);
  assert_true(isnan(s.deviation[LINE_A1]));
  /* quantities that the data determine keep their deviations */
  assert_close(s.deviation[LINE_B], line_sigma * sqrt(inverse(equal_weights()).c), 1e-7, 0);
  assert_close(s.functional_deviation[1],
               line_sigma * sqrt(inverse(equal_weights()).a) / line_sigma, 1e-7, 0);
}

/* The columns 1 and 1 + t^2/2 1e-5 are nearly equal. With w = t^2/2 1e-5, projected on the complement of 1
 * and t, the deviation of a2 is sigma/|w|. */
TEST(directions_with_intervals_beyond_the_bounds_are_named)
{
  const line_kind kind = {.deviation = LINE_GIVEN, .split = true, .bent = true};
  run_local *ev = line_open(kind);
  LOCAL(gradyn_inference) s;
  const gradyn_search search = line_search(ev, kind);
  double rho[LINE_P];
  (void)run_initial(ev, rho);
  rho[LINE_B] = 2;
  assert_run(gradyn_inference_compute(ev, &search, rho, &s), ev);
  normal m = {0};
  double f[2] = {0}, square = 0;
  for (int k = 0; k < LINE_DATA; k++) {
    const double t = line_times[k], w = t * t / 2;
    add(&m, 1, t);
    f[0] += w;
    f[1] += w * t;
    square += w * w;
  }
  const normal J = inverse(m);
  square -= J.a * f[0] * f[0] + 2 * J.b * f[0] * f[1] + J.c * f[1] * f[1];
  assert_close(s.deviation[LINE_A2], line_sigma / (1e-5 * sqrt(square)), 1e-3, 0);
  assert_int_equal(s.directions, 1);
  assert_true(isfinite(s.direction[0].deviation));
  assert_close(s.direction[0].change[LINE_A1], -s.direction[0].change[LINE_A2], 1e-3, 0);
  assert_close(s.direction[0].change[LINE_B], 0, 0, 0);
}

TEST(other_objectives_are_refused)
{
  const line_kind kind = {.deviation = LINE_GIVEN};
  run_local *ev = line_open(kind);
  LOCAL(gradyn_inference) s;
  double rho[LINE_P];
  (void)run_initial(ev, rho);
  gradyn_search search = line_search(ev, kind);
  search.objective = "fit[3]";
  assert_refused(gradyn_inference_compute(ev, &search, rho, &s), ev, GRADYN_UNSUPPORTED,
                 "a term that is no fit");
  assert_refused(gradyn_inference_compute(ev, NULL, rho, &s), ev, GRADYN_INVALID, "search");
  assert_int_equal(gradyn_inference_compute(NULL, &search, rho, &s), GRADYN_INVALID);
  assert_int_equal(gradyn_inference_compute(ev, &search, rho, NULL), GRADYN_INVALID);
  search.struct_size = 1;
  assert_refused(gradyn_inference_compute(ev, &search, rho, &s), ev, GRADYN_INVALID, "struct_size");
}
