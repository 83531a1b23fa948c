/* Comparison of numbers in tests; a failure prints index, both values and the error. */
#include "tests/support.h"

#include <complex.h>

#include <gradyn/base.h>

/* Returns the factor of all tolerances from the environment; 1 if there is no valid one. */
static double tolerance_scale(void)
{
  const char *text = getenv("GRADYN_TEST_TOLERANCE");
  if (text == NULL) {
    return 1.0;
  }
  char *end = NULL;
  const double scale = strtod(text, &end);
  return end != text && *end == '\0' && scale >= 0 ? scale : 1.0;
}

bool support_thorough(void)
{
  return getenv("GRADYN_TEST_ALL") != NULL;
}

double support_rtol(double rtol)
{
  return support_thorough() ? rtol : fmin(1e3 * rtol, fmax(1e-4, rtol));
}

bool support_takes(int row, int of)
{
  return support_thorough() || row % of == 0;
}

void *support_zeros(size_t count, size_t size)
{
  void *block = calloc(count, size);
  assert_non_null(block);
  return block;
}

double support_error(double actual, double expected, double rtol, double atol)
{
  /* equal values, also infinite ones, pass with any tolerance */
  if (actual == expected) {
    return 0.0;
  }
  const double tolerance = tolerance_scale() * (atol + rtol * fabs(expected));
  const double error = fabs(actual - expected);
  if (isnan(error) || isnan(tolerance) || isinf(error) || tolerance <= 0) {
    return HUGE_VAL;
  }
  return error / tolerance;
}

void support_assert_close(double actual, double expected, double rtol, double atol,
                          const char *name, const char *file, int line)
{
  const double error = support_error(actual, expected, rtol, atol);
  if (error > 1.0) {
    print_error("%s = %.17g, expected %.17g: differs by %.3g, %.3g times the tolerance\n", name,
                actual, expected, actual - expected, error);
    _fail(file, line);
  }
}

void support_assert_close_array(const double *actual, const double *expected, size_t count,
                                double rtol, double atol, const char *name, const char *file,
                                int line)
{
  size_t worst = 0, wrong = 0;
  double largest = 0.0;
  for (size_t i = 0; i < count; i++) {
    const double error = support_error(actual[i], expected[i], rtol, atol);
    wrong += error > 1.0;
    if (error > largest) {
      largest = error;
      worst = i;
    }
  }
  if (wrong > 0) {
    print_error("%zu of %zu numbers of %s are wrong; worst:\n", wrong, count, name);
    print_error("%s[%zu] = %.17g, expected %.17g: differs by %.3g, %.3g times the tolerance\n",
                name, worst, actual[worst], expected[worst], actual[worst] - expected[worst],
                largest);
    _fail(file, line);
  }
}

double support_largest(const double *x, size_t count)
{
  double largest = 0;
  for (size_t i = 0; i < count; i++)
    largest = fmax(largest, fabs(x[i]));
  return largest;
}

void support_assert_close_rows(const double *actual, const double *expected, size_t rows,
                               size_t columns, double rtol, const char *name, const char *file,
                               int line)
{
  for (size_t k = 0; k < rows; k++, actual += columns, expected += columns)
    support_assert_close_array(actual, expected, columns, 0, rtol * largest_of(expected, columns),
                               name, file, line);
}

void support_complex_step(support_formula formula, const double rho[], int parameters, int results,
                          double value[], double slope[])
{
  enum { MOST = 32 };
  static const double tiny =
      1e-40; /* so small that its square is negligible; no difference is formed */
  double complex p[MOST], result[MOST];
  if (parameters > MOST || results > MOST)
    fail_msg("%d parameters and %d results, at most %d", parameters, results, MOST);
  for (int j = 0; j < parameters; j++) {
    for (int k = 0; k < parameters; k++)
      p[k] = rho[k] + (k == j ? tiny * _Complex_I : 0);
    formula(p, result);
    for (int f = 0; f < results; f++) {
      value[f] = creal(result[f]);
      slope[f * parameters + j] = cimag(result[f]) / tiny;
    }
  }
}

void support_assert_finite(double actual, const char *name, const char *file, int line)
{
  if (!isfinite(actual)) {
    print_error("%s = %g, expected a finite number\n", name, actual);
    _fail(file, line);
  }
}

void support_assert_says(const char *text, const char *part, const char *name, const char *file,
                         int line)
{
  if (text == NULL || strstr(text, part) == NULL) {
    print_error("%s = '%s' does not say '%s'\n", name, text != NULL ? text : "", part);
    _fail(file, line);
  }
}

void support_assert_status(int actual, int expected, const char *message, const char *name,
                           const char *file, int line)
{
  if (actual != expected) {
    print_error("%s = %s, expected %s\n%s\n", name, gradyn_status_describe(actual).name,
                gradyn_status_describe(expected).name, message != NULL ? message : "");
    _fail(file, line);
  }
}
