/* Numbers as they are written: rounded digit by digit, some twenty times faster than by way of a double,
 * and printed by whole numbers. */
#include "cli/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* Whether bytes are an exponent, e-05, or nothing. */
static bool is_exponent(const char *at, const char *end)
{
  if (at == end)
    return true;
  if (*at != 'e' && *at != 'E')
    return false;
  at++;
  at += at < end && (*at == '-' || *at == '+');
  const char *first = at;
  while (at < end && is_digit(*at))
    at++;
  return at > first && at == end;
}

/* Adds one to the last of the digits [first, last), among which a point may be; false: they were nines, and
 * are zeros now, before which a one is missing. */
static bool carry(char *first, char *last)
{
  for (char *c = last; c > first;) {
    c--;
    if (*c == '.')
      continue;
    if (*c != '9') {
      ++*c;
      return true;
    }
    *c = '0';
  }
  return false;
}

size_t cli_decimal_round(const char *number, size_t length, int digits, char *out)
{
  const char *in = number, *end = number + length;
  char *to = out;
  int seen = 0; /* digits so far, from the first that is not zero */
  bool point = false, any = false;
  if (in < end && (*in == '-' || *in == '+'))
    *to++ = *in++;
  char *first = to;
  for (; in < end && (is_digit(*in) || (*in == '.' && !point)); in++) {
    if (*in == '.') {
      point = true;
    } else {
      any = true;
      seen += seen > 0 || *in != '0';
      if (seen > digits)
        break;
    }
    *to++ = *in;
  }
  /* the digits to go; those before the point keep their places */
  const char *cut = seen > digits ? in : NULL;
  char *kept = to;
  for (; cut && !point && in < end && is_digit(*in); in++)
    *to++ = '0';
  in += cut && !point && in < end && *in == '.';
  while (cut && in < end && is_digit(*in))
    in++;
  if (!any || !is_exponent(in, end))
    return 0;
  if (cut && *cut >= '5' && !carry(first, kept)) {
    memmove(first + 1, first, (size_t)(to - first));
    *first = '1';
    to++;
  }
  if (memchr(first, '.', (size_t)(to - first))) {
    while (to[-1] == '0')
      to--;
    to -= to[-1] == '.';
  }
  memcpy(to, in, (size_t)(end - in));
  return (size_t)(to - out) + (size_t)(end - in);
}

/* --- 17 digits ---------------------------------------------------------------------------------- */

/* k from 0 to 27 */
static uint64_t power_of_five(unsigned k)
{
  uint64_t value = 1;
  for (uint64_t factor = 5; k > 0; k /= 2, factor *= factor) /* 5^1, 5^2, 5^4, ... */
    value *= k % 2 ? factor : 1;
  return value;
}

/* x 10^p = m 5^p 2^k, rounded to an integer, halves to even; below 2^64, p up to 40: exact, as 5^p has
 * 93 bits then, and m 53. */
static uint64_t scaled(double x, int p)
{
  int k;
  const uint64_t m = (uint64_t)ldexp(frexp(x, &k), 53);
  k += p - 53;
  /* m 5^27 and, in two halves, the rest of the powers */
  const wide most = (wide)m * power_of_five(p < 27 ? (unsigned)p : 27);
  const uint64_t rest = power_of_five(p < 27 ? 0 : (unsigned)p - 27);
  const wide low = (wide)(uint64_t)most * rest, high = (most >> 64) * rest + (low >> 64);
  wide product = high << 64 | (uint64_t)low;
  if (k < -66) { /* what goes in any case leaves one bit, for whether it is zero */
    product = high | ((uint64_t)low != 0);
    k += 64;
  }
  if (k >= 0)
    return (uint64_t)(product << k);
  const wide unit = (wide)1 << -k, over = product & (unit - 1), half = unit >> 1;
  const uint64_t whole = (uint64_t)(product >> -k);
  return whole + (over > half || (over == half && whole % 2 == 1));
}

/* The first digit, a point and the others, and the exponent e < 0. */
static size_t print_exponent(const char *text, int count, int e, char *out)
{
  char *to = out;
  *to++ = text[0];
  if (count > 1) {
    *to++ = '.';
    memcpy(to, text + 1, (size_t)(count - 1));
    to += count - 1;
  }
  memcpy(to, "e-", 2);
  to[2] = (char)('0' - e / 10);
  to[3] = (char)('0' - e % 10);
  return (size_t)(to + 4 - out);
}

/* Whole digits and parts, for -4 <= e. */
static size_t print_plain(const char *text, int count, int e, char *out)
{
  char *to = out;
  if (e < 0) { /* 0.000ddd */
    memcpy(to, "0.0000", 6);
    to += 1 - e;
    memcpy(to, text, (size_t)count);
    return (size_t)(to + count - out);
  }
  const int whole = e + 1; /* digits before the point */
  memcpy(to, text, (size_t)whole);
  to += whole;
  if (count > whole) {
    *to++ = '.';
    memcpy(to, text + whole, (size_t)(count - whole));
    to += count - whole;
  }
  return (size_t)(to - out);
}

size_t cli_decimal_print(double value, char *out)
{
  static const uint64_t least = UINT64_C(10000000000000000); /* of 17 digits */
  const double x = fabs(value);
  char text[17], *to = out;
  int count = 17;
  if (signbit(value) && !isnan(value))
    *to++ = '-';
  if (!(x > 0)) {
    *to = '0';
    return isnan(x) ? 0 : (size_t)(to + 1 - out);
  }
  if (!(x >= CLI_DECIMAL_LEAST && x < 1e16))
    return 0;
  int e = (int)floor(log10(x)); /* of the first digit, but for one */
  uint64_t digits = scaled(x, 16 - e);
  if (digits >= 10 * least) {
    digits = scaled(x, 16 - ++e);
  } else if (digits <= least) { /* below a power of ten, if more digits say so */
    const uint64_t more = scaled(x, 17 - e);
    e -= more < 10 * least;
    digits = more < 10 * least ? more : least;
  }
  for (int i = 16; i >= 0; i--, digits /= 10)
    text[i] = (char)('0' + digits % 10);
  while (count > 1 && text[count - 1] == '0')
    count--;
  to += e < -4 ? print_exponent(text, count, e, to) : print_plain(text, count, e, to);
  return (size_t)(to - out);
}
