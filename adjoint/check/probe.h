/* Inside of the check of derivatives by states, data and time: values of a model and what moves them. */
#ifndef GRADYN_ADJOINT_CHECK_PROBE_H
#define GRADYN_ADJOINT_CHECK_PROBE_H

#include "adjoint/check/check.h"
#include "core/linear/arena.h"

/* What moves: one entry of the state, one datum, one parameter, time, the state on a straight line, or that
 * with time. */
typedef enum gradyn_moves {
  GRADYN_BY_STATE,
  GRADYN_BY_DATUM,
  GRADYN_BY_PARAMETER,
  GRADYN_BY_TIME,
  GRADYN_BY_LINE,
  GRADYN_BY_MOTION
} gradyn_moves;

/* Values that depend on a state, data and time, and their derivatives as they are declared. Embedded in
 * what has them. */
typedef struct gradyn_probe {
  gradyn_checking *c;
  int rows, ns; /* values; entries of a state */
  double t;
  double *base, *moved, *size; /* [ns] the state, where it has moved, and what entries change by */
  double *exact;               /* [ns] derivatives [rows] by what moves */
  gradyn_suspect *suspect;     /* [rows] */
  double *dx; /* [nx] a unit direction while a datum is looked at, otherwise zero */
  gradyn_moves by;
  int index;          /* of the entry or datum */
  const double *line; /* [line_count] by which the first entries of the state move */
  int line_count;
  double step; /* a typical one on the line */
  bool narrow; /* values may exist next to the state alone: what cannot be compared is left out */
  bool *stuck; /* [nx] data that cannot be compared, which is not told; NULL: it fails */
  const bool *marked; /* [nx] data that cannot either where values have kinks; NULL: none */
  const double
      *typical; /* [rows] sizes of values, which may be zero where they are looked at; NULL: none */
  const int *group; /* [rows] values in a row with one number have one scale; NULL: all of them */
  bool apart;       /* and a worst comparison: [groups] */
  gradyn_differences d; /* [ns] */
  gradyn_arena arena;   /* of all arrays */

  /* Values at time t and the state `moved`. */
  gradyn_status (*values)(struct gradyn_probe *p, double t, double *value);
  /* Fills `exact`, which is zero, by what moves. */
  gradyn_status (*derive)(struct gradyn_probe *p);
  /* NULL, or whether anything depends on entry or datum `index`. */
  bool (*depends)(const struct gradyn_probe *p);
  /* NULL, or compares more with `exact`. */
  void (*compare)(struct gradyn_probe *p, const char *where);
  /* NULL, or the name of a value, which tells more than that of what moves if that is all there is. */
  const char *(*value_name)(const struct gradyn_probe *p, int i);
} gradyn_probe;

/* Room for states of ns entries, the first of which are those of the model with their sizes; the others are
 * of size 1. */
gradyn_status gradyn_probe_open(gradyn_probe *p, gradyn_checking *c, int ns);
void gradyn_probe_close(gradyn_probe *p);

/* Derivatives by count entries, data or parameters from first on, or, first 0 and count 1, by what moves
 * otherwise, against differences; the data at rho are loaded again behind each datum. */
gradyn_status gradyn_probe_look(gradyn_probe *p, gradyn_moves by, int first, int count,
                                gradyn_worst *w);

/* The largest step at present by which what moves may be moved. */
double gradyn_probe_step(const gradyn_probe *p);

#endif
