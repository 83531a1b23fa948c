/* Numbers that are rounded when they are written, and their printing. */
#include "tests/support.h"

#include <stdbool.h>

#include "core/files/decimal.h"

TEST(examples)
{
  static const struct {
    const char *number;
    int digits;
    const char *rounded;
  } example[] = {
      {"0", 6, "0"},
      {"-0", 6, "-0"},
      {"1.5", 6, "1.5"},
      {"-0.12345649999999999", 6, "-0.123456"},
      {"0.12345650000000001", 6, "0.123457"},
      {"0.00099999996000000004", 6, "0.001"},
      {"-99.999999999999986", 6, "-100"},
      {"9.9999999000000002e-05", 6, "10e-05"},
      {"1234567.8", 6, "1234570"},
      {"9999999", 6, "10000000"},
      {"9999999.5", 2, "10000000"},
      {"100", 1, "100"},
      {"1.0000000000000002", 10, "1"},
      {"6.0221407599999999e+23", 4, "6.022e+23"},
      {"+2.50", 6, "2.5"},
      /* no numbers */
      {"", 6, NULL},
      {"-", 6, NULL},
      {".", 6, NULL},
      {"nan", 6, NULL},
      {"-inf", 6, NULL},
      {"1e", 6, NULL},
      {"1e+", 6, NULL},
      {"1e5x", 6, NULL},
      {"1.2.3", 6, NULL},
      {"1.x5", 6, NULL},
      {"12 ", 6, NULL},
      {"2026-11-22", 6, NULL},
  };
  for (size_t k = 0; k < sizeof example / sizeof *example; k++) {
    char out[64] = "";
    size_t length = strlen(example[k].number);
    size_t written = gradyn_decimal_round(example[k].number, length, example[k].digits, out);
    assert_in_range(written, 0, length + 1);
    out[written] = '\0';
    assert_string_equal(out + (*out == '+'), example[k].rounded ? example[k].rounded : "");
  }
}

/* A number that is longer than the block compared at once, with any byte at any position: a digit, a point,
 * an exponent, or an invalid number. */
TEST(any_byte_at_any_place)
{
  for (size_t place = 1; place < 20; place++)
    for (int byte = 0; byte < 256; byte++) {
      char number[] = "12345678901234567890123", out[64];
      const size_t length = sizeof number - 1;
      number[place] = (char)byte;
      const bool is_number = byte != 0 && strchr("0123456789.eE", byte);
      const size_t written = gradyn_decimal_round(number, length, 40, out);
      assert_int_equal(written, is_number ? length : 0);
      assert_memory_equal(out, number, written);
    }
}

/* Must equal the rounding of printf(), for numbers of all sizes. */
TEST(as_printf_rounds)
{
  srand(1);
  for (int k = 0; k < 20000; k++) {
    char number[64], out[64], expected[64];
    const int digits = 1 + k % 12;
    const double value = ldexp((double)rand() / RAND_MAX - 0.5, rand() % 120 - 60);
    snprintf(number, sizeof number, "%.17g", value);
    snprintf(expected, sizeof expected, "%.*g", digits, value);
    out[gradyn_decimal_round(number, strlen(number), digits, out)] = '\0';
    assert_true(fabs(strtod(out, NULL) - strtod(expected, NULL)) <= 0);
  }
}

static void assert_printed(double value)
{
  char out[GRADYN_DECIMAL_MOST + 1], expected[64];
  const double size = fabs(value);
  const size_t written = gradyn_decimal_print(value, out);
  snprintf(expected, sizeof expected, "%.17g", value);
  assert_in_range(written, 0, GRADYN_DECIMAL_MOST);
  out[written] = '\0';
  const bool covered = !(size > 0) || (size >= GRADYN_DECIMAL_LEAST && size < 1e16);
  assert_string_equal(out, covered && !isnan(size) ? expected : "");
}

/* All digits must equal those of printf(): numbers of all sizes, powers of ten and two and their
 * neighbours, halves. */
TEST(as_printf_prints)
{
  srand(2);
  for (int k = 0; k < 100000; k++) {
    const double mantissa = rand() + (double)rand() / RAND_MAX;
    assert_printed(ldexp(k % 2 ? mantissa : -mantissa, rand() % 140 - 112));
    assert_printed((rand() % 100000 - 50000) / 1000.0);
    assert_printed(ldexp(rand(), -(rand() % 40)));
  }
  for (int k = -26; k <= 20; k++) {
    const double ten = strtod((char[]){'1', 'e', k < 0 ? '-' : '+', (char)('0' + abs(k) / 10),
                                       (char)('0' + abs(k) % 10), '\0'},
                              NULL);
    assert_printed(ten);
    assert_printed(nextafter(ten, 0));
    assert_printed(nextafter(ten, INFINITY));
  }
  for (int k = -90; k <= 60; k++) {
    assert_printed(ldexp(1, k));
    assert_printed(nextafter(ldexp(1, k), 0));
  }
  const double others[] = {0, -0.0, NAN, INFINITY, -INFINITY, 5e-324, 1.7976931348623157e308};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    assert_printed(others[k]);
}
