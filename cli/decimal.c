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
  const char *in = number, *end = number + length, *cut = NULL;
  char *to = out;
  int seen = 0; /* digits so far, from the first that is not zero */
  bool point = false, any = false;
  if (in < end && (*in == '-' || *in == '+'))
    *to++ = *in++;
  char *first = to, *kept = NULL;
  for (; in < end && (is_digit(*in) || (*in == '.' && !point)); in++) {
    point = point || *in == '.';
    if (*in != '.') {
      any = true;
      seen += seen > 0 || *in != '0';
      if (seen == digits + 1 && !cut) { /* the first digit to go */
        cut = in;
        kept = to;
      }
    }
    /* digits before the point keep their places */
    if (!cut)
      *to++ = *in;
    else if (!point)
      *to++ = '0';
  }
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

/* 10^k up to 10^19 */
static uint64_t power(int k)
{
  uint64_t value = 1;
  while (k-- > 0)
    value *= 10;
  return value;
}

/* x 10^p, rounded to an integer, halves to even: exact, as m 10^p < 2^53 10^20 < 2^120 for x = m 2^k. */
static uint64_t scaled(double x, int p)
{
  int k;
  uint64_t m = (uint64_t)ldexp(frexp(x, &k), 53);
  k -= 53;
  wide product = (wide)m * power(p < 10 ? p : 10) * power(p < 10 ? 0 : p - 10);
  if (k >= 0)
    return (uint64_t)(product << k);
  wide unit = (wide)1 << -k, rest = product & (unit - 1), half = unit >> 1;
  uint64_t whole = (uint64_t)(product >> -k);
  return whole + (rest > half || (rest == half && whole % 2 == 1));
}

size_t cli_decimal_print(double value, char *out)
{
  double x = fabs(value);
  if (!(x >= 1e-4 && x < 1e16))
    return 0;
  int e = (int)fmax(-4, floor(log10(x))); /* of the first digit, but for one */
  uint64_t digits = scaled(x, 16 - e);
  if (digits >= power(17) || digits < power(16)) {
    e += digits >= power(17) ? 1 : -1;
    digits = scaled(x, 16 - e);
  }
  char text[17], *to = out;
  int count = 17;
  for (int i = 16; i >= 0; i--, digits /= 10)
    text[i] = (char)('0' + digits % 10);
  while (count > 1 && text[count - 1] == '0')
    count--;
  if (value < 0)
    *to++ = '-';
  if (e < 0) { /* 0.000ddd */
    memcpy(to, "0.0000", 6);
    to += 1 - e;
    memcpy(to, text, (size_t)count);
    return (size_t)(to + count - out);
  }
  int whole = e + 1; /* digits before the point */
  memcpy(to, text, (size_t)whole);
  to += whole;
  if (count > whole) {
    *to++ = '.';
    memcpy(to, text + whole, (size_t)(count - whole));
    to += count - whole;
  }
  return (size_t)(to - out);
}
