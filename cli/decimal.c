/* Numbers as they are written: rounded digit by digit, some twenty times faster than by way of a double. */
#include "cli/decimal.h"

#include <stdbool.h>
#include <string.h>

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
