/* Recorded sizes of structs, compared with those of the library. */
#include "core/base/layout.h"

gradyn_status gradyn_layout_check(gradyn_message *message, const char *member, size_t given,
                                  size_t own, const char *filler)
{
  if (given == own)
    return GRADYN_OK;
  if (given == 0)
    return gradyn_fail(message, GRADYN_INVALID, "%s is 0; it must be %zu bytes. %s.", member, own,
                       filler);
  return gradyn_fail(message, GRADYN_INVALID,
                     "%s is %zu bytes; gradyn %s has %zu. Compile the program again "
                     "with its headers.",
                     member, given, gradyn_version(), own);
}
