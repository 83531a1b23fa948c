/* Helpers of declaring functions: data, rows of data and names. The first build() creates them; later
 * builds refresh the numbers. */
#ifndef GRADYN_CORE_DECLARE_H
#define GRADYN_CORE_DECLARE_H

#include "core/model/model.h"

/* Declares or refreshes the next datum "owner.name" and returns its index in x. A non-finite value is a
 * build error. derived() declares a datum that users do not set, because the library computes it. In these
 * two functions and the next one, name must be a string literal. */
int gradyn_model_datum(gradyn_model *model, const char *owner, const char *name, const char *unit,
                       gradyn_scalar value);
int gradyn_model_derived(gradyn_model *model, const char *owner, const char *name,
                         gradyn_scalar value);
/* The same for a datum that users do not see. */
int gradyn_model_hidden(gradyn_model *model, const char *owner, const char *name, double value);
/* Declares the data of an element and returns the index of the first one. user_data() checks data of the
 * user's first; NULL pointers are reported there. */
int gradyn_model_data(gradyn_model *model, const char *owner, const gradyn_datum *data, int count);
int gradyn_model_user_data(gradyn_model *model, const char *owner, const gradyn_datum *data,
                           int count);

/* Declares a part of a row of numbers, "owner.name[first]", ..., as data. Returns the index of name[0],
 * which may not be among them. The part must be that of the first build(). known: this index, or -1 in the
 * first build(). */
int gradyn_model_row(gradyn_model *model, const char *owner, const char *name, const char *unit,
                     gradyn_knot_window part, const gradyn_scalar *value, int known);

/* Appends a copy of item [size bytes] to a list and returns the address of the copy. list: address of the
 * pointer to the array, whose capacity doubles when it is full. NULL: out of memory, which is also a build
 * error. */
void *gradyn_model_append(gradyn_model *model, void *list, int *count, size_t size,
                          const void *item);
/* Returns a copy of a name or unit (NULL: ""), owned by the caller. An invalid name is a build error. NULL:
 * out of memory. */
char *gradyn_model_copy_name(gradyn_model *model, const char *name);

/* Reports an invalid name as a build error, once even if several declarations use it. */
void gradyn_model_check_name(gradyn_model *model, const char *name);

/* Whether `name` is the address of one of the last eight strings that gradyn_format_name() has formed for
 * the model. */
bool gradyn_model_formed(const gradyn_model *model, const char *name);

/* Whether a model and a required argument were given: a specification, or a name that is not empty. A
 * missing argument is a build error if there is a model. */
bool gradyn_model_given(gradyn_model *model, const void *spec, const char *function);
bool gradyn_model_named(gradyn_model *model, const char *name, const char *what);

/* Reports as a build error that memory for `what` is exhausted, and sets model->exhausted. */
void gradyn_model_no_memory(gradyn_model *model, const char *what);

#endif
