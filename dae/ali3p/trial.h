/* The trial point of a step of ALI3-P: where it starts, and how corrections move it. */
#ifndef GRADYN_DAE_ALI3P_TRIAL_H
#define GRADYN_DAE_ALI3P_TRIAL_H

#include "dae/ali3p/ali3p.h"

/* What the start values of the next step come from, at offset past of a node: backward differences of A* up
 * to the third [3][n], of larger models those of lam* [3][m], and a few numbers. They affect the path of
 * Newton's method alone. */
enum {
  GRADYN_PAST_LENGTH, /* of the step that led here, s */
  GRADYN_PAST_STEPS,  /* as long as that in a row, itself among them */
  GRADYN_PAST_RATIO,  /* of the next third difference to the last, 0 to 1 */
  GRADYN_PAST_GUESS,  /* gradyn_ali3p_guess */
  GRADYN_PAST_RATE,   /* bound of |M^-1 (K + vq C)|/aq; 0: unknown */
  GRADYN_PAST_NUMBERS
};

/* Guesses of the next A*. */
typedef enum gradyn_ali3p_guess {
  GRADYN_GUESS_LAST,     /* A */
  GRADYN_GUESS_EVERY,    /* A* + D1 + D2 + ratio D3: through all nodes */
  GRADYN_GUESS_ALTERNATE /* A* + D1 - 3 D2 + D3 = 2 A*_(k-1) - A*_(k-3): through every other one */
} gradyn_ali3p_guess;

/* Coordinates, and multipliers whose differences are kept: small models have matrices without lam. */
static inline int gradyn_ali3p_differences(const gradyn_ali3p *s)
{
  return s->n + (s->project.small ? 0 : s->m);
}

/* The numbers behind the differences. */
static inline const double *gradyn_ali3p_past(const gradyn_ali3p *s, const double *node)
{
  return node + s->past + 3 * gradyn_ali3p_differences(s);
}

/* The trial point for a guess of A*, from the node before and its history, and a guess of the multipliers
 * lam [m]. */
void gradyn_ali3p_predict(gradyn_ali3p *s, double h, const double *from, double *lam);

/* Writes the history of the node that a step of length h has led to. */
void gradyn_ali3p_remember(const gradyn_ali3p *s, double h, const double *from, double *to);

/* Takes a Newton correction of the trial point and lam, change [n + m] = (aq ddq; dlam); returns the largest
 * change of a coordinate, m, NaN if there is one among them. */
double gradyn_ali3p_move(gradyn_ali3p *s, const double *from, const double *change, double *lam);

#endif
