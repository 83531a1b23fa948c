/* Decimal numbers. Rounding digit by digit is about twenty times faster than conversion to a double.
 * Printing uses integers. */
#include "core/files/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* Whether a character is a digit, independent of the locale. */
static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* Whether the bytes are an exponent such as e-05, or empty. */
static bool is_exponent(const char *at, const char *end)
{
  if (at == end)
    return true;
  if (*at != 'e' && *at != 'E') /* e, an optional sign, digits, and no other character */
    return false;
  at++;
  at += at < end && (*at == '-' || *at == '+');
  const char *first = at;
  while (at < end && is_digit(*at))
    at++;
  return at > first && at == end;
}

/* Adds one to the last of the digits [first, last), which may include a point. Returns false if all were
 * nines: they are zeros now, and a leading one is missing. */
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

/* Whether eight bytes are digits, 0x30 to 0x39. A digit has the high half 3, also after adding 6. No byte
 * with high half 3 causes a carry into the next one. */
static bool are_digits(const char *at)
{
  const uint64_t ones = UINT64_C(0x0101010101010101);
  uint64_t bytes;
  memcpy(&bytes, at, sizeof bytes);
  return (bytes & 0xf0 * ones) == 0x30 * ones && ((bytes + 6 * ones) & 0xf0 * ones) == 0x30 * ones;
}

/* Address after the digits that begin at `at`. */
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
  /* [first, point) are integer digits; [point, last) are the point and the decimals */
  const char *end = number + length;
  const char *first = number + (length > 0 && (*number == '-' || *number == '+'));
  const char *point = behind_digits(first, end);
  const char *last = point < end && *point == '.' ? behind_digits(point + 1, end) : point;
  if (last - first == (last > point) || !is_exponent(last, end))
    return 0;
  /* digits that remain: leading zeros and the point do not count */
  const char *leading = first;
  while (leading < last && (*leading == '0' || *leading == '.'))
    leading++;
  ptrdiff_t keep = leading - first + digits;
  keep += leading < point && digits >= point - leading;
  const bool cut = keep < last - first;
  keep = cut ? keep : last - first;
  char *begin = out + (first - number), *to = begin + keep;
  memcpy(out, number, (size_t)(to - out));
  /* digits before the point become zeros */
  for (ptrdiff_t k = keep; k < point - first; k++)
    *to++ = '0';
  if (cut && first[keep] >= '5' && !carry(begin, begin + keep)) {
    memmove(begin + 1, begin, (size_t)(to - begin));
    *begin = '1';
    to++;
  }
  if (keep > point - first) { /* the result has a point */
    while (to[-1] == '0')
      to--;
    to -= to[-1] == '.';
  }
  memcpy(to, last, (size_t)(end - last));
  return (size_t)(to - out) + (size_t)(end - last);
}

/* --- 17 digits ---------------------------------------------------------------------------------- */

/* 5^k. */
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

/* x = m 2^k, 2^52 <= m < 2^53. */
typedef struct binary {
  uint64_t m;
  int k;
} binary;

/* For normal x > 0: the IEEE bits without sign are k + 1075 and, in the last 52, m - 2^52. */
static binary split(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint64_t unit = UINT64_C(1) << 52;
  return (binary){.m = (bits & (unit - 1)) | unit, .k = (int)(bits >> 52) - 1075};
}

/* The decimal exponent of the first digit, or one less for one number in 40, because log2(1 + f) >= f. */
static int exponent(binary x)
{
  const double f = (double)x.m * 0x1p-52 - 1;
  const int most = 64; /* e > -most, so that the conversion to int rounds down */
  return (int)((x.k + 52 + f) * 0.30102999566398120 + most) - most; /* log10(2) */
}

/* x 10^p = m 5^p 2^(k + p), rounded to an integer, ties to even; the result is below 2^64. Exact for p up
 * to 40, because 5^p has 93 bits and m has 53. */
static uint64_t scaled(binary x, int p)
{
  int k = x.k + p;
  wide product = (wide)x.m * power_of_five[p < 27 ? p : 27];
  if (p > 27) { /* the remaining power of ten, multiplied in two halves */
    const uint64_t rest = power_of_five[p - 27];
    const wide low = (wide)(uint64_t)product * rest, high = (product >> 64) * rest + (low >> 64);
    product = high << 64 | (uint64_t)low;
    if (k < -66) { /* the lowest bit records whether any of the dropped bits is set */
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

/* Prints all 17 digits, two at a time from the last. */
static void print_digits(uint64_t digits, char *out)
{
  static const char pair[] = "000102030405060708091011121314151617181920212223242526272829303132333"
                             "435363738394041424344454647484950515253545556575859606162636465666768"
                             "69707172737475767778798081828384858687888990919293949596979899";
  /* in two halves, because 32-bit divisions are faster */
  uint32_t half[] = {(uint32_t)(digits / 100000000), (uint32_t)(digits % 100000000)};
  char *to = out + 17;
  for (int k = 1; k >= 0; k--)
    for (int i = 0; i < 4; i++, half[k] /= 100)
      memcpy(to -= 2, pair + 2 * (size_t)(half[k] % 100), 2);
  *out = (char)('0' + half[0]);
}

/* Prints digits 10^(e - 16) without trailing zeros, in the form of %g. */
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
  /* the point follows the integer digits, if there are more */
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
  static const uint64_t least = UINT64_C(10000000000000000); /* smallest number of 17 digits */
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
  /* 17 digits determine every double */
  const binary x = split(size);
  int e = exponent(x);
  uint64_t digits = scaled(x, 16 - e);
  if (digits >= 10 * least) {
    digits = scaled(x, 16 - ++e);
  } else if (digits <= least) { /* the next digit may show that it is below the power of ten */
    const uint64_t more = scaled(x, 17 - e);
    e -= more < 10 * least;
    digits = more < 10 * least ? more : least;
  }
  return (size_t)(to - out) + print(digits, e, to);
}
