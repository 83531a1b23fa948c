/* Occurrences of events. */
#ifndef GRADYN_CORE_OCCURRENCE_H
#define GRADYN_CORE_OCCURRENCE_H

/* Occurrence number `which`, from 1, of the event with this index; which 0: no occurrence. */
typedef struct gradyn_occurrence {
  int event, which;
} gradyn_occurrence;

#endif
