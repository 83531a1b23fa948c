/* Measures, the quantities that functionals reduce, and users' formulas: of measures, custom functionals,
 * guards, conditions and resets. Each is an entry whose terminal part evaluates it. */
#ifndef GRADYN_CORE_MEASURE_H
#define GRADYN_CORE_MEASURE_H

#include "core/model/functional.h"

/* --- Measures ----------------------------------------------------------------------------------- */

/* Declares `components` measures, of which a vector has several; returns the index of the first. Their
 * columns are called name, or name.x, name.y, name.z, or name[0], ... if there are more than three. name "":
 * no columns. *out: the first one in the first build(), to be completed and then given to
 * gradyn_measure_spread(), valid until the next declaration. It is NULL in later builds. After a build error
 * it is NULL and the result -1. */
int gradyn_model_measure(gradyn_model *model, const char *name, const char *unit, int components,
                         gradyn_functional_entry **out);

/* Copies a completed measure of the first build(), *first, to its other components. Component k gets
 * index[which], 0 to 3, of the first one plus k. */
void gradyn_measure_spread(gradyn_model *model, const gradyn_functional_entry *first, int which);

/* Returns the measure with an id, valid until the next declaration. NULL: it is not declared, which is a
 * build error in the first build(), or memory is exhausted, or model is NULL. element: for the message;
 * NULL: "a declaration". */
const gradyn_functional_entry *gradyn_find_measure(gradyn_model *model, const char *element,
                                                   int measure);

/* Returns whether the model has a smooth maximum without a scale, for which begin() must be called. */
bool gradyn_functionals_shift(const gradyn_model *model);

/* Sets the shifts of smooth maxima without a scale from the sample at the start of a run; they cancel in
 * psi. Errors: failures of callbacks. */
gradyn_status gradyn_functionals_begin(gradyn_model *model, const gradyn_sample *start);

/* Sets *g to the function g of f, a maximum, path constraint or smooth maximum, at a sample. psi is the
 * maximum of g, or approximates it by the integrand exp(sharpness (g - shift)). If there are several g, *g
 * is the largest. Errors: failures of callbacks. */
gradyn_status gradyn_functional_inside(gradyn_model *model, const gradyn_functional_entry *f,
                                       const gradyn_sample *at, double *g);

/* Makes the terminal part of a functional the value of a measure without target and scale, or its magnitude.
 * The measure is copied. f NULL (a later build): no effect. */
void gradyn_reduce_value(gradyn_functional_entry *f, const gradyn_functional_entry *measure,
                         bool magnitude);

/* Measures that are not hidden are columns of trajectories. */

/* Returns the number of columns of measures. */
int gradyn_measure_columns(const gradyn_model *model);

/* Returns the name of column i, from 0 and not checked; valid as long as the model. */
const char *gradyn_measure_column_name(const gradyn_model *model, int i);

/* Returns the unit of column i, from 0 and not checked; valid as long as the model. */
const char *gradyn_measure_column_unit(const gradyn_model *model, int i);

/* Sets out [gradyn_measure_columns()] to the values of all columns at a sample. Errors: failures of
 * callbacks. */
gradyn_status gradyn_measure_outputs(gradyn_model *model, const gradyn_sample *at, double *out);

/* Adds weight times the derivatives of column i, from 0 and not checked, at a sample to *out. Errors:
 * failures of callbacks. */
gradyn_status gradyn_measure_column_gradient(gradyn_model *model, int i, const gradyn_sample *at,
                                             double weight, const gradyn_gradient_out *out);

/* --- Formulas, differentiated by complex step ---------------------------------------------------- */

/* Declares a function of states and data (guard, condition or reset, by its kind) with `results` results:
 * the terminal part of spec. Build error if spec has an integrand or a time, or no terminal part. Its data
 * are named owner.name. Its lists are copied, spec->user is borrowed. Returns the entry in the first
 * build(), owned by the caller, also after such an error. NULL in later builds, or without memory, which is
 * a build error. */
gradyn_functional_entry *gradyn_model_formula(gradyn_model *model, const char *owner,
                                              const gradyn_custom_functional_spec *spec,
                                              gradyn_callback_kind kind, int results);
/* Makes the terminal part of `spec` that of functional f, as a user's function of this kind. Lists are
 * copied, spec->user is borrowed. f NULL: a later build, which only compares the functions. number: index of
 * the functional; -1: none. datum: index in x of the first datum of the spec. */
void gradyn_functional_take(gradyn_model *model, gradyn_functional_entry *f,
                            const gradyn_custom_functional_spec *spec, gradyn_callback_kind kind,
                            int number, int datum);

/* Frees a formula and all it owns; NULL: no effect. */
void gradyn_formula_free(gradyn_functional_entry *f);

/* Evaluates the formula `fn` of a user, the integrand or terminal part of f, at a sample into value
 * [results]. Errors: those of the function; GRADYN_NON_FINITE; values are then undefined. */
gradyn_status gradyn_formula_value(gradyn_model *model, const gradyn_functional_entry *f,
                                   gradyn_functional_fn fn, const gradyn_sample *sample,
                                   double value[]);

/* Adds weight times the derivatives of result k of the formula fn of f, as in gradyn_formula_value(), by
 * states, data, signals and time to out[k] [results]. All entries of out request the same derivatives.
 * Errors: those of the function; GRADYN_NON_FINITE; sums are then incomplete. */
gradyn_status gradyn_formula_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                      gradyn_functional_fn fn, const gradyn_sample *sample,
                                      double weight, const gradyn_gradient_out out[]);

/* Checks the list of points or states of a spec and copies it into a functional; f NULL: a later build,
 * which only checks. Faults are build errors. */
void gradyn_reads_declare(gradyn_model *model, gradyn_functional_entry *f,
                          const gradyn_custom_functional_spec *spec);

/* Finds the indices (slots) of the arguments that measures, functionals and formulas of events read, from
 * their lists of points or states. Errors, with a message: GRADYN_INVALID, an unknown number, or a list of
 * the other kind; GRADYN_NO_MEMORY. */
gradyn_status gradyn_reads_finalise(gradyn_model *model);

/* Returns whether the list of a formula contains a point or state, by its index, from 0. */
bool gradyn_reads_has(const gradyn_reads *reads, int number);

/* Returns the position, in the user's list, of the listed point with index `point`; reads NULL: the id of
 * the point. Points that are not listed are not allowed. */
int gradyn_reads_place(const gradyn_model *model, const gradyn_reads *reads, int point);

/* Frees the lists, but not *reads; may be repeated. */
void gradyn_reads_clear(gradyn_reads *reads);

#endif
