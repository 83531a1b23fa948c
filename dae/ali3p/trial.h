/* The trial point of a step of ALI3-P: its initial value, and its corrections. */
#ifndef GRADYN_DAE_ALI3P_TRIAL_H
#define GRADYN_DAE_ALI3P_TRIAL_H

#include "dae/ali3p/ali3p.h"

/* History of a node, at offset `past`: backward differences of A* up to the third [3][n], for larger models
 * those of lam* [3][m], and a few numbers. The history gives initial values of the next step, and only
 * affects the iterates of Newton's method. */
enum {
  GRADYN_PAST_LENGTH, /* length of the step before the node, s */
  GRADYN_PAST_STEPS,  /* number of steps of this length in a row, including it */
  GRADYN_PAST_RATIO,  /* ratio of the next third difference to the last one, 0 to 1 */
  GRADYN_PAST_GUESS,  /* gradyn_ali3p_guess */
  GRADYN_PAST_RATE,   /* bound of |M^-1 (K + vq C)|/aq; 0: unknown */
  GRADYN_PAST_NUMBERS
};

/* Predictions of the next A*. */
typedef enum gradyn_ali3p_guess {
  GRADYN_GUESS_LAST,     /* A */
  GRADYN_GUESS_EVERY,    /* A* + D1 + D2 + ratio D3: through all nodes */
  GRADYN_GUESS_ALTERNATE /* A* + D1 - 3 D2 + D3 = 2 A*_(k-1) - A*_(k-3): through every other node */
} gradyn_ali3p_guess;

/* Returns the number of coordinates and multipliers with differences. Small models have matrices without lam
 * and need none of lam. */
static inline int gradyn_ali3p_differences(const gradyn_ali3p *s)
{
  return s->n + (s->project.small ? 0 : s->m);
}

/* Returns the numbers [GRADYN_PAST_NUMBERS] of a node after its differences. */
static inline const double *gradyn_ali3p_past(const gradyn_ali3p *s, const double *node)
{
  return node + s->past + 3 * gradyn_ali3p_differences(s);
}

/* Sets the trial point s->trial at the end of a step h, s, with A* predicted from the history of the node
 * `from` [record]; s->k must be that of h. Overwrites s->b. Writes initial multipliers to lam [m]. */
void gradyn_ali3p_predict(gradyn_ali3p *s, double h, const double *from, double *lam);

/* Writes the history of the node `to` [record], at the end of a step of length h, s, from that of the node
 * `from` [record]. */
void gradyn_ali3p_remember(const gradyn_ali3p *s, double h, const double *from, double *to);

/* Subtracts a Newton correction, change [n + m] = (aq ddq; dlam), from the trial point of a step from node
 * `from` [record] and from lam [m]. Returns the largest change of a coordinate, m; NaN if any is NaN. */
double gradyn_ali3p_move(gradyn_ali3p *s, const double *from, const double *change, double *lam);

#endif
