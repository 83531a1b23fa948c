/* Signals: functions of time given by knots, at equal distances or at times of their own. */
#ifndef GRADYN_CORE_SIGNAL_H
#define GRADYN_CORE_SIGNAL_H

#include <stdbool.h>

#include <gradyn/model.h>

/* Knots at which arcs end: where a signal or its derivative jumps, a spline only at its two ends,
 * since it is smooth enough in between for methods of low order; all of them; or where a signal
 * itself jumps. */
typedef enum gradyn_knots { GRADYN_KINKS, GRADYN_ALL_KNOTS, GRADYN_JUMPS } gradyn_knots;

/* Knot values, start and end time, or the times of knots, are data; a cubic spline also has derived data, its
 * second derivatives (natural: zero at both ends) with respect to the knot number, with times of its own with
 * respect to time. */
typedef struct gradyn_waveform {
  char *name;
  gradyn_signal_kind kind;
  int count;          /* knots */
  int knot, curve;    /* index in x of the first knot value and the first second derivative */
  int t_start;        /* index in x */
  int t_end;          /* index in x: its own datum or the run's end time */
  int piece;          /* the piece in use during the present arc; -1: by time */
  gradyn_knots knots; /* those at which arcs end */
  bool timed;         /* its knots have times of their own; t_start and t_end are not used then */
  int time;     /* index in x of that of knot 0, which means nothing if it is piecewise constant */
  bool outside; /* the present arc lies before the start or after the end */
} gradyn_waveform;

/* Derivative of the given order (0 to 3) of the signal with respect to time at t. */
double gradyn_signal_value(const gradyn_waveform *signal, const double *x, double t, int order);

/* d(value of that order)/dx: its entries that are not zero, which are returned in number; x_bar += weight
 * times it; and the product with a direction dx. */
enum { GRADYN_SIGNAL_DATA = 6 };
int gradyn_signal_slopes(const gradyn_waveform *signal, const double *x, double t, int order,
                         int index[GRADYN_SIGNAL_DATA], double slope[GRADYN_SIGNAL_DATA]);
void gradyn_signal_transposed(const gradyn_waveform *signal, const double *x, double t, int order,
                              double weight, double *x_bar);
double gradyn_signal_tangent(const gradyn_waveform *signal, const double *x, double t, int order,
                             const double *dx);

/* Knots at which arcs end. Break k lies at (1 - fraction) x[start] + fraction x[end]; -1: not a
 * datum (0). */
int gradyn_signal_break_count(const gradyn_waveform *signal);
typedef struct gradyn_signal_break_at {
  double t, fraction;
  int start, end;
} gradyn_signal_break_at;
gradyn_signal_break_at gradyn_signal_break(const gradyn_waveform *signal, const double *x, int k);

/* dx of all its knots' values, by one: it is raised as a whole. */
void gradyn_signal_raise(const gradyn_waveform *signal, double *dx);

/* When knot k is, s; of a piecewise constant signal, when its value begins. */
double gradyn_signal_knot_time(const gradyn_waveform *signal, const double *x, int k);

/* Whether any time of its knots is among the active data [nx]. */
bool gradyn_signal_moves(const gradyn_waveform *signal, const bool *active);
/* Whether any datum that its values depend on is among the active ones [nx]. */
bool gradyn_signal_active(const gradyn_waveform *signal, const bool *active);

/* Fixes the piece around t for all evaluations (NAN: by the time of each evaluation). */
void gradyn_signal_enter(gradyn_waveform *signal, const double *x, double t);

#endif
