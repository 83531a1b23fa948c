/* Sizes of structs that callers fill: a program compiled with other headers has other sizes. */
#ifndef GRADYN_CORE_LAYOUT_H
#define GRADYN_CORE_LAYOUT_H

#include "core/base/message.h"

/* Compares the size, in bytes, of a struct that its caller stored (given) with the size in this library
 * (own). member: name of the stored size for the message, such as "gradyn_options: struct_size". filler: a
 * sentence about the function or macro that fills the struct, without its dot. Error: GRADYN_INVALID, with
 * a message: the sizes differ. */
gradyn_status gradyn_layout_check(gradyn_message *message, const char *member, size_t given,
                                  size_t own, const char *filler);

#endif
