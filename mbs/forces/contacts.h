/* Contacts of mechanisms: gaps of the user's own, and what sealing has to know of walls. */
#ifndef GRADYN_MBS_CONTACTS_H
#define GRADYN_MBS_CONTACTS_H

#include "mbs/mechanism/mechanism.h"

/* Adds the gap of a contact given by the user's function; returns its number among contacts. */
int mbs_custom_gap(gradyn_mbs *m, const char *name, const gradyn_custom_constraint_spec *spec);

/* At sealing: the places in q of what events name. */
void mbs_locate_kept(const gradyn_mbs *m);

#endif
