/* Events: checks of the components that events name, and their coordinates, which finalising finds. */
#ifndef GRADYN_MBS_CONTACTS_H
#define GRADYN_MBS_CONTACTS_H

#include "mbs/elements/mechanism.h"
#include <gradyn/events.h>

/* Returns whether a model has general equations. */
bool mbs_is_general(const gradyn_model *model);

/* Returns the index of the point or state of the component *c, given by its id, that the event `name` may
 * map or set. It must be a coordinate of a moving point or scalar, or a differential state. Otherwise there
 * is a build error, and -1 is returned. */
int mbs_find_mapped(gradyn_model *model, const char *name, const gradyn_component *c);

/* Declares that an event sets the velocities or states of spec->set by the formula spec->reset. number: index
 * of the event. event: the event that the first build declares, NULL in later builds, which must set the same
 * components. Errors are build errors. */
void mbs_declare_reset(gradyn_model *model, const gradyn_event_spec *spec, int number,
                       gradyn_event_entry *event);

/* Finds the indices in q, as member `at`, of all components that events preserve, map or set; called once,
 * when the model is finalised. */
void mbs_locate_kept(const gradyn_mbs *m);

#endif
