/* Helpers of declaring functions: data, rows of data and names. The first build() creates them; later builds
 * refresh the numbers. Indices in x count from 0. */
#ifndef GRADYN_CORE_DECLARE_H
#define GRADYN_CORE_DECLARE_H

#include "core/model/model.h"

/* Declares or refreshes the next datum "owner.name" and returns its index in x. owner NULL: the datum is
 * "name". Names and units are copied; name must be a string literal. Build errors, which return the index
 * or 0: a value that is not finite or not real, another name than in the first build(). */
int gradyn_model_datum(gradyn_model *model, const char *owner, const char *name, const char *unit,
                       gradyn_scalar value);

/* Declares or refreshes a datum "owner.name" without unit that the library computes and users do not set;
 * returns its index in x. Names and build errors: those of gradyn_model_datum(). */
int gradyn_model_derived(gradyn_model *model, const char *owner, const char *name,
                         gradyn_scalar value);

/* Declares or refreshes a datum "owner.name" that users do not see; returns its index in x. Names and build
 * errors: those of gradyn_model_datum(). */
int gradyn_model_hidden(gradyn_model *model, const char *owner, const char *name, double value);

/* Declares data [count] of the element `owner` as consecutive data and returns the index in x of the first
 * one. Names and units must be string literals. */
int gradyn_model_data(gradyn_model *model, const char *owner, const gradyn_datum *data, int count);

/* Declares data [count] given by a user for the element `owner` (NULL: the model), as gradyn_model_data();
 * names and units are copied. An array NULL, unless count is 0, or a negative count is a build error; no
 * datum is then declared. Returns the index in x of the first one. */
int gradyn_model_user_data(gradyn_model *model, const char *owner, const gradyn_datum *data,
                           int count);

/* Declares entries part.first to part.first + part.count - 1 of an array of numbers as data "owner.name[k]"
 * = value[k]. Returns the index in x that entry 0 has or would have. unit NULL: dimensionless. known: the
 * result in the first build(), -1 there. All builds must declare the same part. */
int gradyn_model_array(gradyn_model *model, const char *owner, const char *name, const char *unit,
                       gradyn_knot_window part, const gradyn_scalar *value, int known);

/* Appends a copy of item [size bytes] to a list, which the caller frees, and raises *count. Returns the
 * address of the copy, valid until the next call for this list. list: address of the pointer to the array,
 * whose capacity doubles when it is full. NULL: out of memory, which is also a build error; the list
 * stays. */
void *gradyn_model_append(gradyn_model *model, void *list, int *count, size_t size,
                          const void *item);
/* Returns a copy of a name or unit (NULL: ""), owned by the caller. An invalid name is a build error, and is
 * copied. NULL: out of memory, a build error. */
char *gradyn_model_copy_name(gradyn_model *model, const char *name);

/* Reports an invalid name, not NULL, as a build error, once even if several declarations use it. */
void gradyn_model_check_name(gradyn_model *model, const char *name);

/* Returns whether `name` is the address of one of the last eight strings that gradyn_format_name() has
 * formed for the model. */
bool gradyn_model_formed(const gradyn_model *model, const char *name);

/* Returns whether model and spec are not NULL. A missing spec is a build error of the model; `function`
 * names the caller in its message. */
bool gradyn_model_given(gradyn_model *model, const void *spec, const char *function);

/* Returns whether the model is not NULL and the name neither NULL nor empty. A missing name is a build
 * error of the model; `what` names the object in its message. */
bool gradyn_model_named(gradyn_model *model, const char *name, const char *what);

/* Returns the id of index 0: 1, but 0 in problems of version 0.2. model NULL: 1. */
static inline int gradyn_first_id(const gradyn_model *model)
{
  return model && model->problem->ids_from_0 ? 0 : 1;
}

/* Returns the number of objects that both this build() and the first build() have declared so far. cursor:
 * number in this build(); count: number in the first build(). */
static inline int gradyn_declared(int cursor, int count)
{
  return cursor < count ? cursor : count;
}

/* Returns the name of an element: the given one. For NULL, it is the kind of the first such element, then
 * "kind-2", "kind-3": names of points and data differ. kind: a literal. Valid as long as the model, or as
 * `name`. */
const char *gradyn_own_name(gradyn_model *model, const char *name, const char *kind);

/* Returns the id of an index, from 0. 0 (none): the index is -1, memory is exhausted, or model is NULL. */
static inline int gradyn_id(const gradyn_model *model, int index)
{
  return index < 0 || !model || model->exhausted ? 0 : index + gradyn_first_id(model);
}

/* Returns the index of the object with that id among `count` declared ones; -1 after a build error. element:
 * name of the declaration that refers to it; NULL: "a declaration". kind: of the object, for example "point".
 * model is not NULL.
 *
 * Id 0, where it stands for none, is no further error after another one, since a failed declaration returns
 * 0. The result is -1 in this case, too. */
int gradyn_index(gradyn_model *model, const char *element, const char *kind, int id, int count);

/* Reports as a build error that memory for `what` is exhausted, and sets model->exhausted. */
void gradyn_model_no_memory(gradyn_model *model, const char *what);

#endif
