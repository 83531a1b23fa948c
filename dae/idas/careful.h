/* Runs of idas that make too little progress: they are detected and repeated as careful runs, see
 * careful.c. */
#ifndef GRADYN_DAE_IDAS_CAREFUL_H
#define GRADYN_DAE_IDAS_CAREFUL_H

#include <stdbool.h>

#include "gradyn/base.h"

struct gradyn_idas;

/* The metronome is an additional state, m' = -beat m with m = 1 at the start of an arc. IDAS chooses the
 * order of a step by the errors of the states alone and lowers it where these vanish, for example where
 * states are polynomials of time; quadratures and sensitivities then need very short steps of first order.
 * The error of the metronome never vanishes. Its tolerance is this much looser than that of the states, so
 * that it decides only where they have no error. */
#define GRADYN_METRONOME_LOOSE 1000

typedef struct gradyn_idas_care {
  bool on;               /* this run is careful */
  bool next;             /* the next run will be careful */
  bool stalled;          /* a run that was not careful has been ended for lack of progress */
  double soon;           /* s, added to the time since the start of an arc */
  long looked, failures; /* numbers of steps and of failures at the last check */
  long low, until;       /* steps of low order since then; step until which lengths are kept */
  bool together;         /* Newton's method solves for states and sensitivities together */
  long diverged,
      astray; /* number of failures of this method; consecutive checks with too many failures */
} gradyn_idas_care;

/* Resets the checks of progress and the metronome, see GRADYN_METRONOME_LOOSE, for a new arc of this
 * length, s, whose IDAS object is s->ida. Returns a code of IDAS. */
int gradyn_idas_care_begin(struct gradyn_idas *s, double length);

/* Returns `beat`, 1/s, of the metronome m' = -beat m (see GRADYN_METRONOME_LOOSE) at the time `since` the
 * start of the arc, s. It is 1 over the length of the arc or, in careful runs, over `since` plus
 * s->care.soon. */
double gradyn_idas_metronome_rate(const struct gradyn_idas *s, double since);

/* Returns the error weight of the metronome's state m, 1 over its tolerance, at the value m; see
 * GRADYN_METRONOME_LOOSE. */
double gradyn_idas_metronome_weight(const struct gradyn_idas *s, double m);

/* Call after each accepted step. In a careful run, keeps the length of steps for a while after a failure.
 * In other runs, checks the progress. Error: GRADYN_NOT_CONVERGED, too little progress; s->care.stalled is
 * then set. */
gradyn_status gradyn_idas_check_progress(struct gradyn_idas *s);

/* Call at the start of a run: it is careful if s->care.next is set. */
void gradyn_idas_care_run(struct gradyn_idas *s);

/* Call after a run. Returns whether the run was ended for lack of progress and must be repeated as a
 * careful run. If so, clears the message. */
bool gradyn_idas_must_repeat(struct gradyn_idas *s);

#endif
