/* Signals: functions of time defined by knots, at equal distances or at given times. Outside its ends a
 * signal keeps the value at the end. x: the data of the model, [nx]. */
#ifndef GRADYN_CORE_SIGNAL_H
#define GRADYN_CORE_SIGNAL_H

#include <stdbool.h>

#include <gradyn/model.h>

/* Knots at which arcs end. KINKS: a signal or its first derivative jumps; of a spline only the two ends,
 * because it is smooth enough between them for low-order methods. ALL_KNOTS: all knots. JUMPS: the signal
 * itself jumps. */
typedef enum gradyn_knots { GRADYN_KINKS, GRADYN_ALL_KNOTS, GRADYN_JUMPS } gradyn_knots;

/* Knot values are data, and also start and end time, or the times of knots. A cubic spline also has derived
 * data, its second derivatives, which are zero at both ends. They are derivatives by the knot index, or by
 * time if knots have given times. */
typedef struct gradyn_waveform {
  char *name;
  bool integer; /* searches round its knots */
  char *one_of; /* set of which exactly one signal is 1; owned like `name`; NULL: none */
  gradyn_signal_kind kind;
  int count; /* number of knots */
  int source; /* number of the signal that declared the knots: its own, unless it is a delayed signal */
  /* Knots first to first + stored - 1 are data. The others cannot act in the run, a segment of a motion.
   * most: size of the largest of all knots, if some knots are not among the data */
  int first, stored;
  double most;
  int knot,
      curve;   /* indices in x of knot value 0, if it is a datum, and of its second derivative */
  int t_start; /* index in x */
  int t_end;   /* index in x: its own datum, or the end time of the run */
  int piece;   /* the piece, from 0, fixed for the present arc; -1: determined by time */
  gradyn_knots knots; /* knots at which arcs end */
  bool timed;         /* knots have given times; t_start and t_end are then not used */
  bool switched;      /* its times may be in any order, and knot 0 has none */
  /* index in x of the time of knot 0; this time has no meaning if the signal is piecewise constant */
  int time;
  bool outside; /* the present arc lies before the start or after the end */
} gradyn_waveform;

/* Returns the derivative of the given order (0 to 3) by time at t, s; in the signal's unit over s^order. 0
 * outside the ends, for order > 0. At a jump: the value after it, unless an arc has fixed the piece. x
 * [nx]: data. */
double gradyn_signal_value(const gradyn_waveform *signal, const double *x, double t, int order);

/* Largest number of data on which a signal depends at one time. */
enum { GRADYN_SIGNAL_DATA = 6 };

/* Writes the nonzero derivatives of gradyn_signal_value(), of this order at t, s, by the data x [nx]:
 * slope[i] by datum index[i]. Returns their number. */
int gradyn_signal_slopes(const gradyn_waveform *signal, const double *x, double t, int order,
                         int index[GRADYN_SIGNAL_DATA], double slope[GRADYN_SIGNAL_DATA]);

/* Adds weight times the gradient of gradyn_signal_value(), of this order at t, s, by the data x [nx] to
 * x_bar [nx]. */
void gradyn_signal_transposed(const gradyn_waveform *signal, const double *x, double t, int order,
                              double weight, double *x_bar);

/* Returns the change of gradyn_signal_value(), of this order at t, s, for a change dx [nx] of the data x
 * [nx]. */
double gradyn_signal_tangent(const gradyn_waveform *signal, const double *x, double t, int order,
                             const double *dx);

/* Returns the number of breaks: the knots at which arcs end, see gradyn_knots. */
int gradyn_signal_break_count(const gradyn_waveform *signal);

/* The time t = (1 - fraction) x[start] + fraction x[end], s, of a break. If start or end is -1, its term is
 * 0. */
typedef struct gradyn_signal_break_at {
  double t, fraction;
  int start, end;
} gradyn_signal_break_at;

/* Returns break k, from 0 and not checked, for the data x [nx]. */
gradyn_signal_break_at gradyn_signal_break(const gradyn_waveform *signal, const double *x, int k);

/* Sets dx [nx] of all knot values among the data to 1: the whole signal rises by 1. Other entries stay. */
void gradyn_signal_raise(const gradyn_waveform *signal, double *dx);

/* Returns the index in x of the first knot value among the data. */
static inline int gradyn_signal_datum(const gradyn_waveform *signal)
{
  return signal->knot + signal->first;
}

/* Knots first to first + count - 1, from 0. */
typedef struct gradyn_knot_window {
  int first, count;
} gradyn_knot_window;

/* Returns the knots that determine the signal between two times, from <= to, s, for the data x [nx]. */
gradyn_knot_window gradyn_signal_window(const gradyn_waveform *signal, const double *x, double from,
                                        double to);

/* Returns the time of knot k, from 0, in s, for the data x [nx]. For a piecewise constant signal, the time
 * at which its value begins; 0 for knot 0 at given times. */
double gradyn_signal_knot_time(const gradyn_waveform *signal, const double *x, int k);

/* Returns whether times of knots depend on an active datum; active [nx]. */
bool gradyn_signal_moves(const gradyn_waveform *signal, const bool *active);
/* Returns whether values of the signal depend on an active datum, through knot values or times; active
 * [nx]. */
bool gradyn_signal_active(const gradyn_waveform *signal, const bool *active);

/* Enters an arc around time t, s, with the data x [nx]. If arcs end at the limits of the signal's piece
 * there, all evaluations use this piece. Otherwise, and if t is NAN, the time of each evaluation determines
 * the piece. */
void gradyn_signal_enter(gradyn_waveform *signal, const double *x, double t);

#endif
