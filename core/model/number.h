/* Values of users' formulas: real numbers, whose imaginary part is a derivative after a complex step. */
#ifndef GRADYN_CORE_NUMBER_H
#define GRADYN_CORE_NUMBER_H

#include <complex.h>
#include <math.h>
#include <stdbool.h>

#include <gradyn/model.h>

/* Step of complex-step derivatives. Its square vanishes in double precision beside any number. */
#define GRADYN_COMPLEX_STEP 1e-40

/* Whether a user's formula gave a valid number: finite, and exactly real for real arguments. After a
 * complex step, the imaginary part may correspond to a derivative of at most 1e20.
 *
 * For real arguments no tolerance is possible: an imaginary round-off of 1e-30 would be a derivative of
 * 1e10. */
static inline bool gradyn_is_number(gradyn_scalar value, bool stepped)
{
  const double rest = fabs(cimag(value));
  return (rest == 0 || (stepped && (rest <= 1e-20 || rest <= 1e-20 * fabs(creal(value))))) &&
         isfinite(creal(value));
}

/* Returns a static text for messages: why a value is no number, as of gradyn_is_number(). */
static inline const char *gradyn_number_fault(gradyn_scalar value)
{
  if (!isfinite(creal(value)) || !isfinite(cimag(value)))
    return "not finite";
  return fabs(cimag(value)) <= 1e-9 * fabs(creal(value))
             ? "not exactly real. Powers of negative numbers by cpow() have this effect; use "
               "pow()"
             : "not real. Roots, powers and logarithms of negative numbers are not real";
}

#endif
