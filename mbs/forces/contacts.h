/* Events as they are declared: what events may name, and what sealing has to know of
 * both. */
#ifndef GRADYN_MBS_CONTACTS_H
#define GRADYN_MBS_CONTACTS_H

#include "mbs/elements/mechanism.h"
#include <gradyn/events.h>

/* Whether a model is one of general equations; whether an event may map or set what it names, a coordinate of
 * a moving point or a differential state, which else is a build error of the event. */
bool mbs_is_general(const gradyn_model *model);
bool mbs_check_mapped(gradyn_model *model, const char *name, const gradyn_component *c);

/* At sealing: the places in q of what events name. */
void mbs_locate_kept(const gradyn_mbs *m);

#endif
