/* What declaring functions do with what they are given: data, rows and names, each once in the first build()
 * and refreshed by later ones. */
#ifndef GRADYN_CORE_DECLARE_H
#define GRADYN_CORE_DECLARE_H

#include "core/model/model.h"

/* Declares (or refreshes) the next datum "owner.name"; returns its index. Non-finite values are
 * build errors. name is a literal, as in the next two functions. */
int gradyn_model_datum(gradyn_model *model, const char *owner, const char *name, const char *unit,
                       gradyn_scalar value);
int gradyn_model_derived(gradyn_model *model, const char *owner, const char *name,
                         gradyn_scalar value);
/* The same of one that users do not see. */
int gradyn_model_hidden(gradyn_model *model, const char *owner, const char *name, double value);
/* Declares the data of an element; returns the index of the first. The same for data that a user names, of
 * which NULL may be given. */
int gradyn_model_data(gradyn_model *model, const char *owner, const gradyn_datum *data, int count);
int gradyn_model_user_data(gradyn_model *model, const char *owner, const gradyn_datum *data,
                           int count);

/* Declares a row "owner.name[0]", ... [count] whose length is as in the first build(); returns the
 * index of the first. known: that index, -1 in the first build(). */
int gradyn_model_row(gradyn_model *model, const char *owner, const char *name, const char *unit,
                     int count, const gradyn_scalar *value, int known);

/* Appends a copy of an item of that size to a list, by the address of its pointer, whose capacity doubles;
 * returns it. NULL: out of memory, which is also noted as a build error. */
void *gradyn_model_append(gradyn_model *model, void *list, int *count, size_t size,
                          const void *item);
/* Copies a name or a unit (NULL: ""); what is wrong with it is a build error. NULL: out of memory. */
char *gradyn_model_copy_name(gradyn_model *model, const char *name);

/* Notes what is wrong with a name as a build error, once however many declarations use it. */
void gradyn_model_check_name(gradyn_model *model, const char *name);

/* Whether a name is one of the last that gradyn_name() has formed. */
bool gradyn_model_formed(const gradyn_model *model, const char *name);

/* Whether what a declaring function cannot do without has been given: its specification, or the name of
 * what it declares. If not, that is a build error (as far as there is a model at all). */
bool gradyn_model_given(gradyn_model *model, const void *spec, const char *function);
bool gradyn_model_named(gradyn_model *model, const char *name, const char *what);

/* Notes as a build error that there is no memory for something. */
void gradyn_model_no_memory(gradyn_model *model, const char *what);

#endif
