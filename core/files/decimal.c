/* Numbers as they are written: rounded digit by digit, some twenty times faster than by way of a double,
 * and printed by whole numbers. */
#include "core/files/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* Whatever the locale says. */
static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* Whether bytes are an exponent, e-05, or nothing. */
static bool is_exponent(const char *at, const char *end)
{
  if (at == end)
    return true;
  if (*at != 'e' && *at != 'E') /* e, a sign if there is one, digits, nothing else */
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

/* Whether eight bytes are digits, 0x30 to 0x39: all of them begin with 3, and still do with 6 more. A carry
 * from one byte into the next comes from none that begins with 3. */
static bool are_digits(const char *at)
{
  const uint64_t ones = UINT64_C(0x0101010101010101);
  uint64_t bytes;
  memcpy(&bytes, at, sizeof bytes);
  return (bytes & 0xf0 * ones) == 0x30 * ones && ((bytes + 6 * ones) & 0xf0 * ones) == 0x30 * ones;
}

/* Behind the digits that begin at a place. */
static const char *behind_digits(const char *at, const char *end)
{
  while (end - at >= 8 && are_digits(at))
    at += 8;
  while (at < end && is_digit(*at))
    at++;
  return at;
}

size_t gradyn_decimal_round(const char *number, size_t length, int digits, char *out)
{
  /* [first, point) are whole digits, [point, last) the point and those behind it */
  const char *end = number + length;
  const char *first = number + (length > 0 && (*number == '-' || *number == '+'));
  const char *point = behind_digits(first, end);
  const char *last = point < end && *point == '.' ? behind_digits(point + 1, end) : point;
  if (last - first == (last > point) || !is_exponent(last, end))
    return 0;
  /* those that stay: zeros in front do not count, nor does the point */
  const char *leading = first;
  while (leading < last && (*leading == '0' || *leading == '.'))
    leading++;
  ptrdiff_t keep = leading - first + digits;
  keep += leading < point && digits >= point - leading;
  const bool cut = keep < last - first;
  keep = cut ? keep : last - first;
  char *begin = out + (first - number), *to = begin + keep;
  memcpy(out, number, (size_t)(to - out));
  /* digits before the point keep their places */
  for (ptrdiff_t k = keep; k < point - first; k++)
    *to++ = '0';
  if (cut && first[keep] >= '5' && !carry(begin, begin + keep)) {
    memmove(begin + 1, begin, (size_t)(to - begin));
    *begin = '1';
    to++;
  }
  if (keep > point - first) { /* there is a point */
    while (to[-1] == '0')
      to--;
    to -= to[-1] == '.';
  }
  memcpy(to, last, (size_t)(end - last));
  return (size_t)(to - out) + (size_t)(end - last);
}

/* --- 17 digits ---------------------------------------------------------------------------------- */

/* 5^k */
static const uint64_t power_of_five[] = {UINT64_C(1),
                                         UINT64_C(5),
                                         UINT64_C(25),
                                         UINT64_C(125),
                                         UINT64_C(625),
                                         UINT64_C(3125),
                                         UINT64_C(15625),
                                         UINT64_C(78125),
                                         UINT64_C(390625),
                                         UINT64_C(1953125),
                                         UINT64_C(9765625),
                                         UINT64_C(48828125),
                                         UINT64_C(244140625),
                                         UINT64_C(1220703125),
                                         UINT64_C(6103515625),
                                         UINT64_C(30517578125),
                                         UINT64_C(152587890625),
                                         UINT64_C(762939453125),
                                         UINT64_C(3814697265625),
                                         UINT64_C(19073486328125),
                                         UINT64_C(95367431640625),
                                         UINT64_C(476837158203125),
                                         UINT64_C(2384185791015625),
                                         UINT64_C(11920928955078125),
                                         UINT64_C(59604644775390625),
                                         UINT64_C(298023223876953125),
                                         UINT64_C(1490116119384765625),
                                         UINT64_C(7450580596923828125)};

/* x = m 2^k, 2^52 <= m < 2^53 */
typedef struct binary {
  uint64_t m;
  int k;
} binary;

/* Of a normal x > 0: IEEE's bits without sign are k + 1075 and, in the last 52, m - 2^52. */
static binary split(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint64_t unit = UINT64_C(1) << 52;
  return (binary){.m = (bits & (unit - 1)) | unit, .k = (int)(bits >> 52) - 1075};
}

/* The exponent of ten of its first digit, or one less for one number in 40: log2(1 + f) >= f. */
static int exponent(binary x)
{
  const double f = (double)x.m * 0x1p-52 - 1;
  const int most = 64; /* e > -most, so that conversion rounds down */
  return (int)((x.k + 52 + f) * 0.30102999566398120 + most) - most; /* log10(2) */
}

/* x 10^p = m 5^p 2^(k + p), rounded to an integer, halves to even; below 2^64, p up to 40: exact, as 5^p
 * has 93 bits then, and m 53. */
static uint64_t scaled(binary x, int p)
{
  int k = x.k + p;
  wide product = (wide)x.m * power_of_five[p < 27 ? p : 27];
  if (p > 27) { /* the rest of the powers, in two halves */
    const uint64_t rest = power_of_five[p - 27];
    const wide low = (wide)(uint64_t)product * rest, high = (product >> 64) * rest + (low >> 64);
    product = high << 64 | (uint64_t)low;
    if (k < -66) { /* what goes in any case leaves one bit, for whether it is zero */
      product = high | ((uint64_t)low != 0);
      k += 64;
    }
  }
  if (k >= 0)
    return (uint64_t)(product << k);
  const wide unit = (wide)1 << -k, over = product & (unit - 1), half = unit >> 1;
  const uint64_t whole = (uint64_t)(product >> -k);
  return whole + (over > half || (over == half && whole % 2 == 1));
}

/* All 17 digits, two at a time from the last. */
static void print_digits(uint64_t digits, char *out)
{
  static const char pair[] = "000102030405060708091011121314151617181920212223242526272829303132333"
                             "435363738394041424344454647484950515253545556575859606162636465666768"
                             "69707172737475767778798081828384858687888990919293949596979899";
  /* in two halves, as divisions of 32 bits are the quicker ones */
  uint32_t half[] = {(uint32_t)(digits / 100000000), (uint32_t)(digits % 100000000)};
  char *to = out + 17;
  for (int k = 1; k >= 0; k--)
    for (int i = 0; i < 4; i++, half[k] /= 100)
      memcpy(to -= 2, pair + 2 * (size_t)(half[k] % 100), 2);
  *out = (char)('0' + half[0]);
}

/* Digits 10^(e - 16) without the zeros at their end, as %g shows them. */
static size_t print(uint64_t digits, int e, char *out)
{
  const bool plain = e >= -4;
  char *first = out + (plain && e < 0 ? 1 - e : 1), *last = first + 17, *end;
  print_digits(digits, first);
  while (last > first + 1 && last[-1] == '0')
    last--;
  if (plain && e < 0) { /* 0.000ddd */
    for (char *to = out; to < first; to++)
      *to = '0';
    out[1] = '.';
    return (size_t)(last - out);
  }
  /* the point behind the first ones, if more follow */
  const int whole = plain ? e + 1 : 1;
  for (int i = 0; i < whole; i++)
    out[i] = first[i];
  end = last - first > whole ? last : out + whole;
  if (end == last)
    out[whole] = '.';
  if (plain)
    return (size_t)(end - out);
  memcpy(end, "e-", 2);
  end[2] = (char)('0' - e / 10);
  end[3] = (char)('0' - e % 10);
  return (size_t)(end + 4 - out);
}

size_t gradyn_decimal_print(double value, char *out)
{
  static const uint64_t least = UINT64_C(10000000000000000); /* of 17 digits */
  const double size = fabs(value);
  char *to = out;
  if (signbit(value) && !isnan(value))
    *to++ = '-';
  if (!(size > 0)) {
    *to = '0';
    return isnan(size) ? 0 : (size_t)(to + 1 - out);
  }
  if (!(size >= GRADYN_DECIMAL_LEAST && size < 1e16))
    return 0;
  /* seventeen digits always come back to the same number */
  const binary x = split(size);
  int e = exponent(x);
  uint64_t digits = scaled(x, 16 - e);
  if (digits >= 10 * least) {
    digits = scaled(x, 16 - ++e);
  } else if (digits <= least) { /* below a power of ten, if more digits say so */
    const uint64_t more = scaled(x, 17 - e);
    e -= more < 10 * least;
    digits = more < 10 * least ? more : least;
  }
  return (size_t)(to - out) + print(digits, e, to);
}
