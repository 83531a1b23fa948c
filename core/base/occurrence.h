/* Occurrences of events. */
#ifndef GRADYN_CORE_OCCURRENCE_H
#define GRADYN_CORE_OCCURRENCE_H

/* An occurrence, from 1, of the event with an index; which 0: none. */
typedef struct gradyn_occurrence {
  int event, which;
} gradyn_occurrence;

#endif
