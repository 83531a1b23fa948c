/* The trial point of a step of ALI3-P: where it starts, and how corrections move it. */
#ifndef GRADYN_DAE_ALI3P_TRIAL_H
#define GRADYN_DAE_ALI3P_TRIAL_H

#include "dae/ali3p.h"

/* The trial point for a guess of the accelerations to come, from the node before and its history, and a
 * guess of the multipliers lam [m]. */
void gradyn_ali3p_predict(gradyn_ali3p *s, double h, const double *from, double *lam);

/* Writes the history of the node that a step of length h leads to. */
void gradyn_ali3p_remember(const gradyn_ali3p *s, double h, const double *from, double *to);

/* Takes a Newton correction of the trial point and lam, change [n + m] = (aq ddq; dlam); returns the largest
 * change of a coordinate, m, NaN if there is one among them. */
double gradyn_ali3p_move(gradyn_ali3p *s, const double *from, const double *change, double *lam);

#endif
