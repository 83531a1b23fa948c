/* Forces that depend on multipliers of constraints (multiplier-dependent forces), such as friction. */
#ifndef GRADYN_MBS_READINGS_H
#define GRADYN_MBS_READINGS_H

#include "mbs/elements/mechanism.h"

/* Makes a force depend on the multipliers of `count` constraints, given by name.
 * added: the force just added; NULL in repeated builds, which compare with the stored force `number`.
 * constraints [count]: names, copied; the constraints may be declared later; count 0: no effect. Errors are
 * reported as build errors. */
void mbs_read_multipliers(gradyn_mbs *m, mbs_element *added, int number, const char *name,
                          const char *const *constraints, int count);

/* Finds the rows of the constraints by name, after all have been declared and ordered. Errors:
 * GRADYN_INVALID with a message, if a name is unknown or not unique; GRADYN_NO_MEMORY, without a message. */
gradyn_status mbs_find_readings(gradyn_mbs *m);

/* Finds the positions of the derivatives by multipliers in the pattern jac, after it exists. Error:
 * GRADYN_NO_MEMORY, without a message. */
gradyn_status mbs_map_readings(gradyn_mbs *m);
/* Frees a reading, the object with its names and positions; NULL: no effect. */
void mbs_free_reading(mbs_reading *reading);

/* The function is_read of gradyn_mech_ops: returns the name of a force that depends on multiplier i, from
 * 0; NULL: none. */
const char *mbs_is_read(const gradyn_mech *mech, int i);

/* The function leap of gradyn_mech_ops: returns how far a step of length h, s, enters or crosses a range in
 * which a force changes rapidly, in widths of the range. The step leads from velocities v, with
 * accelerations a [n], to velocities `to` [n]. *force: name of this force, unchanged if the result is 0.
 * *out: the same for steps that leave a range. */
double mbs_jump(const gradyn_mech *mech, double h, const double *v, const double *a,
                const double *to, const char **force, gradyn_mech_exit *out);

#endif
