/* Limits along the way: lower <= m(t) <= upper at every time of a run.
 *
 * A limit is one functional for each of its sides, the largest value of m - upper or of lower - m. For a
 * search each side becomes rows: its value at a share of the run's length. */
#ifndef GRADYN_CORE_LIMIT_H
#define GRADYN_CORE_LIMIT_H

#include "core/model/functional.h"
#include <gradyn/limits.h>

typedef struct gradyn_limit_spec {
  const char *name, *unit;
  gradyn_scalar lower, upper; /* infinite: none */
  double tolerance;
} gradyn_limit_spec;

/* The functionals of a limit: over the upper bound, under the lower one. */
typedef struct gradyn_limit_sides {
  int number[2]; /* -1: there is no such bound */
  gradyn_functional_entry
      *own[2]; /* on the first build() only, for whoever declares what is limited */
} gradyn_limit_sides;

/* Declares data and functionals; what each is to read, and .terminal, which gives m, is for the caller, who
 * then calls the second. */
gradyn_limit_sides gradyn_limit_declare(gradyn_model *model, const gradyn_limit_spec *spec);
void gradyn_limit_bound(gradyn_functional_entry *side);

/* Where a side of a limit, by the number of its functional, is held: at a share of the run's length, 0 to 1,
 * `behind` where that is a little behind a jump; or at one side of an occurrence of an event. */
typedef struct gradyn_limit_at {
  size_t side;
  double share;
  int event, which; /* which > 0: there, and the share tells where that was */
  bool behind;
  int knot; /* > 0: knot knot - 1 of the signal that is limited, instead of all that */
} gradyn_limit_at;

bool gradyn_limit_at_same(const gradyn_limit_at *a, const gradyn_limit_at *b);

/* Knots of the signal that a side limits; 0: it is no signal's. */
int gradyn_limit_knots(const gradyn_model *model, size_t side);

/* Declares a row: a side of a limit there. */
void gradyn_limit_declare_row(gradyn_model *model, const gradyn_limit_at *at);

/* Makes a functional (NULL: in a repeated build) of that number the terminal part of a spec, whose data begin
 * at `datum`; in functional.c. */
void gradyn_functional_take(gradyn_model *model, gradyn_functional_entry *f,
                            const gradyn_custom_functional_spec *spec, int number, int datum);

/* The sides themselves say nothing from now on: where rows stand for them. */
void gradyn_limits_mute(gradyn_model *model);

/* At new data: brings rows to their times where these have the run end, and forgets where earlier ones have
 * had maxima over time. */
void gradyn_functionals_place(gradyn_model *model);
void gradyn_maximum_forget(gradyn_functional_entry *f);

/* An event has ended the run at t: rows that it has not come to are taken at its end. */
void gradyn_limits_end(gradyn_model *model, double t);

#endif
