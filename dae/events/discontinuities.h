/* Jumps of the equations that nobody has declared. Where forces jump as states move, the time at which a
 * motion comes there depends on the data, and every gradient lacks what that does; its own error tells
 * nothing of it. Steps collapse there, but so they do at kinks, in tables, at jumps in time alone, whose
 * gradients are right. What tells them apart are the equations on both sides at one time: a jump stays,
 * however close the states come; whatever is continuous shrinks.
 *
 * Schemes hand their accepted steps over; places are looked at while steps are short, or where the scheme
 * says so. Nothing of the march is touched. */
#ifndef GRADYN_DAE_DISCONTINUITIES_H
#define GRADYN_DAE_DISCONTINUITIES_H

#include "core/linear/arena.h"
#include "core/model/model.h"
#include <gradyn/evaluate.h>

enum { GRADYN_SIDES_NODES = 7 };

typedef struct gradyn_discontinuities {
  gradyn_model *model;
  gradyn_arena arena;
  int ny, rows;   /* numbers of a state; equations that are compared */
  double *y, *yp; /* [ny] a place between two states; rates that are held, of general equations */
  double *r[2], *mid,
      *quarter[2]; /* [rows] what the equations leave at both ends of an interval, and between */
  double *size;    /* [rows] what they are compared with */
  double *last,
      *end;        /* [ny] of the step before, for schemes that do not keep it; of one looked at */
  double t;        /* s, its time; NAN: there is none in this arc */
  double longest;  /* s, of the steps not long ago */
  bool on, wanted; /* whether they are looked for in this run; in the next, says its owner */
  bool told;       /* the place in hand has been found to be one */
  int arc, before; /* the arc in hand, and what had been found before it */
  double *node[GRADYN_SIDES_NODES]; /* [ny] the last nodes of equal steps, the oldest first */
  int nodes, since, unseen;         /* how many; since the last look at them; steps not looked at */
  double h, mean,
      before_it; /* s, between them; mean of the differences so far, -1: there is none */
  int found;     /* places so far */
  double at[GRADYN_JUMP_TIMES]; /* s, the first of them */
} gradyn_discontinuities;

/* States of ny numbers, positions and velocities first. */
gradyn_status gradyn_discontinuities_create(gradyn_model *model, int ny,
                                            gradyn_discontinuities *out);
void gradyn_discontinuities_clear(gradyn_discontinuities *s);

/* A run begins, or arc number k of it, which may have been begun before. */
void gradyn_discontinuities_begin(gradyn_discontinuities *s, bool on);
void gradyn_discontinuities_enter(gradyn_discontinuities *s, int k);

/* A step of length h from t and y to `end` has been accepted. */
gradyn_status gradyn_discontinuities_step(gradyn_discontinuities *s, double t, double h,
                                          const double *y, const double *end);
/* The same by its end, y at t; the state is kept. */
gradyn_status gradyn_discontinuities_reach(gradyn_discontinuities *s, double t, const double *y);

/* A node of a march with fixed steps, where positions, or all states of general equations, are y. */
gradyn_status gradyn_discontinuities_node(gradyn_discontinuities *s, double t, const double *y);

/* Looks for a jump between two states, a time h apart, of a path that is about straight. */
gradyn_status gradyn_discontinuities_check(gradyn_discontinuities *s, double t, double h,
                                           const double *y, const double *end, bool *jumps);
/* Notes a place. */
void gradyn_discontinuities_note(gradyn_discontinuities *s, double t);

/* What has been found, for the statistics of a run. */
void gradyn_discontinuities_report(const gradyn_discontinuities *s, gradyn_statistics *statistics);

#endif
