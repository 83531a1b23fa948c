/* Sizes of structs that callers fill: a program compiled with other headers has other sizes. */
#ifndef GRADYN_CORE_LAYOUT_H
#define GRADYN_CORE_LAYOUT_H

#include "core/base/message.h"

/* Checks the size that a caller stored in a member against `own`, bytes. member: its name in the
 * message, such as "gradyn_options: struct_size". filler: how to fill the struct. Returns GRADYN_OK or
 * GRADYN_INVALID. */
gradyn_status gradyn_layout_check(gradyn_message *message, const char *member, size_t given,
                                  size_t own, const char *filler);

#endif
