/* Forces that read multipliers. */
#ifndef GRADYN_MBS_READINGS_H
#define GRADYN_MBS_READINGS_H

#include "mbs/elements/mechanism.h"

/* Makes a force, which has just been added, read those of the
 * constraints of these names, or compares a repeated declaration with the stored one. */
void mbs_read_multipliers(gradyn_mbs *m, mbs_element *added, int number, const char *name,
                          const char *const *constraints, int count);
/* Finds the constraints, once they are in order; GRADYN_INVALID with a message. The force's matrix positions
 * follow from the pattern. */
gradyn_status mbs_find_readings(gradyn_mbs *m);
gradyn_status mbs_map_readings(gradyn_mbs *m);
void mbs_free_reading(mbs_reading *reading);

/* Functions of gradyn_mech_ops. */
const char *mbs_is_read(const gradyn_mech *mech, int i);
double mbs_leap(const gradyn_mech *mech, double h, const double *v, const double *a,
                const double *to, const char **force, gradyn_mech_exit *out);

#endif
