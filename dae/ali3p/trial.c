/* ALI3-P: prediction and corrections of the trial point; docs/theory/ali3p.md, section 2.2. Newton's method
 * corrects the increment dq; v* and a* follow in proportion. */
#include "dae/ali3p/trial.h"

#include <math.h>
#include <string.h>

/* Steps for which a convergence rate is used before it is evaluated again. */
enum { LASTS = 32 };

/* Factor of the last multipliers in the initial value of a step, if multipliers are not unique; eq. (3.29).
 */
static const double warm_start = 0.98;

/* Returns the number of steps of equal length before a node, if the next step has this length too;
 * otherwise 0. Only then is the history valid. */
static double steps_alike(const gradyn_ali3p *s, double h, const double *from)
{
  const double *past = gradyn_ali3p_past(s, from);
  return fabs(past[GRADYN_PAST_LENGTH] - h) <= 1e-9 * h ? past[GRADYN_PAST_STEPS] : 0;
}

/* --- kernels by the number of coordinates ------------------------------------------------------ */

/* Sets the trial point q', v*, a* from a prediction of A*. */
GRADYN_KERNEL void place_kernel(const int width, const int n, gradyn_ali3p *s, const double *from,
                                const double *guess)
{
  const double h = s->k.h, share = s->k.share, kept = s->k.kept, aa = s->k.aa;
  const double last = (0.5 - s->rule.beta) * h * h, next = s->rule.beta * h * h;
  const double before = h * (1 - s->rule.gamma), after = h * s->rule.gamma;
  const double *A0 = gradyn_ali3p_A(s, from);
  gradyn_lanes *dq = s->trial.rows, *q = dq + width, *vs = q + width, *as = vs + width,
               *As = as + width;
  for (int c = 0; c < width; c++) {
    gradyn_lanes q0, v, a, A, A1;
    gradyn_row_get(width, n, from, c, &q0);
    gradyn_row_get(width, n, from + n, c, &v);
    gradyn_row_get(width, n, from + 2 * n, c, &a);
    gradyn_row_get(width, n, A0, c, &A);
    gradyn_row_get(width, n, guess, c, &A1);
    dq[c] = h * v + last * A + next * A1; /* h v + h^2 ((1/2 - beta) A + beta A*) */
    q[c] = q0 + dq[c];
    vs[c] = v + before * A + after * A1;    /* v + h ((1 - gamma) A + gamma A*) */
    as[c] = share * A1 + kept * A + aa * a; /* (1 - alpha_m)/(1 - alpha_f) A* + ... */
    As[c] = A1;
  }
}

/* Predicts A*_(k+1) from A*_k and its backward differences D1, D2, D3 at node k: A*_k + D1 + b D2 + c D3. */
GRADYN_KERNEL void guess_kernel(const int width, const int n, const gradyn_ali3p *s, double b,
                                double c, const double *from, double *guess)
{
  const double *A = gradyn_ali3p_A(s, from), *u = from + s->base.ns + n, *past = from + s->past;
  for (int k = 0; k < width; k++) {
    gradyn_lanes moved, change, first, second, third;
    gradyn_row_get(width, n, A, k, &moved);
    gradyn_row_get(width, n, u, k, &change);
    gradyn_row_get(width, n, past, k, &first);
    gradyn_row_get(width, n, past + n, k, &second);
    gradyn_row_get(width, n, past + 2 * n, k, &third);
    moved += first + b * second + c * third - change; /* A* = A - u */
    gradyn_row_put(width, n, &moved, k, guess);
  }
}

/* Products of the differences D of a node and D' of the next node, and squared errors of the predictions of
 * A* there. */
typedef struct products {
  double both, before;           /* D3'.D3, |D3|^2 */
  double last, every, alternate; /* |D1'|^2, |D3' - ratio D3|^2, |D1' - D1 + 3 D2 - D3|^2 */
} products;

/* Computes the differences at node k + 1 from those at node k, up to the order for which there are enough
 * steps of equal length. */
GRADYN_KERNEL void differ_kernel(const int width, const int n, const gradyn_ali3p *s, double steps,
                                 const double *from, double *to, products *out)
{
  const double *A = gradyn_ali3p_A(s, from), *u = from + s->base.ns + n, *old = from + s->past;
  const double *A1 = gradyn_ali3p_A(s, to), *u1 = to + s->base.ns + n;
  const double ratio = gradyn_ali3p_past(s, from)[GRADYN_PAST_RATIO];
  const double has[] = {1, steps >= 1, steps >= 2};
  double *past = to + s->past;
  gradyn_lanes sum[4] = {0}, last = {0}, total;
  for (int c = 0; c < width; c++) {
    gradyn_lanes now, then, x, y, D[3], next, off;
    gradyn_row_get(width, n, A1, c, &now);
    gradyn_row_get(width, n, u1, c, &x);
    gradyn_row_get(width, n, A, c, &then);
    gradyn_row_get(width, n, u, c, &y);
    for (int k = 0; k < 3; k++)
      gradyn_row_get(width, n, old + k * n, c, D + k);
    /* D1' = A*' - A*, D2' = D1' - D1, D3' = D2' - D2 */
    next = (now - x) - (then - y);
    gradyn_row_put(width, n, &next, c, past);
    last += next * next;
    /* error of the prediction through every other node */
    off = next - D[0] + 3 * D[1] - D[2];
    sum[3] += off * off;
    for (int k = 1; k < 3; k++) {
      next = has[k] * (next - D[k - 1]);
      gradyn_row_put(width, n, &next, c, past + k * n);
    }
    /* error of the prediction through every node, and the products for the next ratio */
    off = next - ratio * D[2];
    sum[0] += next * D[2];
    sum[1] += D[2] * D[2];
    sum[2] += off * off;
  }
  gradyn_row_sums(sum, &total);
  *out = (products){total[0], total[1], (last[0] + last[1]) + (last[2] + last[3]), total[2],
                    total[3]};
}

/* Corrects dq by -change/aq, and the linear functions q' = q + dq, v* = vq dq + .., a* = aq dq + ...
 * *largest: size of the correction. */
GRADYN_KERNEL void move_kernel(const int width, const int n, gradyn_ali3p *s, const double *from,
                               const double *change, double *largest)
{
  /* dq -= x/aq, v* -= (vq/aq) x, a* -= x */
  const double share = 1 / s->k.aq, rate = s->k.vq * share;
  const double *length_scale = s->mech->length_scale;
  gradyn_lanes *dq = s->trial.rows, *q = dq + width, *vs = q + width, *as = vs + width;
  gradyn_lanes most = {0}, sum = {0};
  for (int c = 0; c < width; c++) {
    gradyn_lanes q0, x, size;
    gradyn_row_get(width, n, from, c, &q0);
    gradyn_row_get(width, n, change, c, &x);
    gradyn_row_get(width, n, length_scale, c, &size);
    dq[c] -= share * x;
    q[c] = q0 + dq[c];
    vs[c] -= rate * x;
    as[c] -= x;
    /* in metres, times aq */
    size *= x;
    sum += size * size;
    gradyn_lanes_largest(&size, &most);
  }
  const double square = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  const double a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
  /* NaN must be detected here: comparisons ignore it, sums do not */
  *largest = isnan(square) ? NAN : share * (a > b ? a : b);
}

/* Sets the trial point dq, q', v*, a*, A* from a prediction of A*. */
static GRADYN_WIDE void position(gradyn_ali3p *s, const double *from, const double *guess)
{
  GRADYN_BY_ANY_WIDTH(s->n, place_kernel, s, from, guess)
}

/* Subtracts a correction from the trial point and from lam*. *largest: its size in metres. */
static GRADYN_WIDE void move(gradyn_ali3p *s, const double *from, const double *change, double *lam,
                             double *largest)
{
  const double *dlam = change + s->n;
  GRADYN_BY_ANY_WIDTH(s->n, move_kernel, s, from, change, largest)
  for (int i = 0, m = s->m; i < m; i++)
    lam[i] -= dlam[i];
}

/* A* + D1 + b D2 + c D3. */
static GRADYN_WIDE void guess_on(const gradyn_ali3p *s, double b, double c, const double *from,
                                 double *guess)
{
  GRADYN_BY_ANY_WIDTH(s->n, guess_kernel, s, b, c, from, guess)
}

/* Computes the differences D1, D2, D3 at the next node, and the errors of the last predictions. */
static GRADYN_WIDE void differ(const gradyn_ali3p *s, double steps, const double *from, double *to,
                               products *out)
{
  GRADYN_BY_ANY_WIDTH(s->n, differ_kernel, s, steps, from, to, out)
}

/* --- the interface ----------------------------------------------------------------------------- */

/* Predicts A*, since u = a - a* is of first order in h, so that a itself could not be extrapolated well.
 * The trial point q', v*, A*, a* then follows from A* instead of dq. */
void gradyn_ali3p_predict(gradyn_ali3p *s, double h, const double *from, double *lam)
{
  const int n = s->n, m = s->m;
  const double *known = from + 3 * n, *kappa = gradyn_ali3p_kappa(s, from);
  const double *first = from + s->past + 3 * n, *number = gradyn_ali3p_past(s, from);
  const double steps = steps_alike(s, h, from);
  const double guess = steps > 0 ? number[GRADYN_PAST_GUESS] : GRADYN_GUESS_LAST;
  const bool every = guess == GRADYN_GUESS_EVERY, going_on = guess != GRADYN_GUESS_LAST;
  const double b = every ? 1 : -3, c = every ? number[GRADYN_PAST_RATIO] : 1;
  s->bending.rate = steps > 0 && (long)steps % LASTS != 0 ? number[GRADYN_PAST_RATE] : 0;
  if (going_on)
    guess_on(s, b, c, from, s->b);
  position(s, from, going_on ? s->b : gradyn_ali3p_A(s, from));
  /* lam* of the previous node does not include kappa */
  for (int i = 0; i < m; i++)
    lam[i] = known[i] - kappa[i];
  if (s->choice.first > GRADYN_FACTORS_EXACT)
    for (int i = 0; i < m; i++)
      lam[i] *= warm_start;
  else if (going_on && !s->project.small)
    for (int i = 0; i < m; i++) /* as A* */
      lam[i] += first[i] + b * first[m + i] + c * first[2 * m + i];
}

/* Computes the differences of lam* at node k + 1 from those at node k. */
static void differ_multipliers(const gradyn_ali3p *s, double steps, const double *from, double *to)
{
  const int n = s->n, m = s->m;
  const double *then = from + 3 * n, *now = to + 3 * n, *old = from + s->past + 3 * n;
  const double *kappa = gradyn_ali3p_kappa(s, from), *kappa1 = gradyn_ali3p_kappa(s, to);
  const double second = steps >= 1, third = steps >= 2;
  double *D = to + s->past + 3 * n;
  for (int i = 0; i < m; i++) {
    D[i] = (now[i] - kappa1[i]) - (then[i] - kappa[i]);
    D[m + i] = second * (D[i] - old[i]);
    D[2 * m + i] = third * (D[m + i] - old[m + i]);
  }
}

/* Chooses the prediction for the next step. If third differences change their sign from step to step, the
 * motion is too fast for a prediction through all nodes, and the one through every other node is
 * considered. It is used if its error in the last step would have been less than half the error of the last
 * value. If no such errors are known yet, larger models use the prediction for fast motions. */
static gradyn_ali3p_guess choose(const gradyn_ali3p *s, double steps, const products *p)
{
  const bool every = p->both > 0;
  if (steps < 3)
    return steps == 2 && !s->project.small ? GRADYN_GUESS_ALTERNATE : GRADYN_GUESS_LAST;
  if (!((every ? p->every : p->alternate) < p->last / 4))
    return GRADYN_GUESS_LAST;
  return every ? GRADYN_GUESS_EVERY : GRADYN_GUESS_ALTERNATE;
}

void gradyn_ali3p_remember(const gradyn_ali3p *s, double h, const double *from, double *to)
{
  const double steps = steps_alike(s, h, from);
  double *number = to + s->past + 3 * gradyn_ali3p_differences(s);
  products p;
  differ(s, steps, from, to, &p);
  if (!s->project.small)
    differ_multipliers(s, steps, from, to);
  number[GRADYN_PAST_LENGTH] = h;
  number[GRADYN_PAST_STEPS] = steps + 1;
  /* third differences of smooth motions have the ratio 1 */
  const double ratio = steps >= 3 && p.before > 0 ? p.both / p.before : 0;
  number[GRADYN_PAST_RATIO] = fmax(0, fmin(1, ratio));
  number[GRADYN_PAST_GUESS] = choose(s, steps, &p);
  number[GRADYN_PAST_RATE] = s->bending.rate;
}

double gradyn_ali3p_move(gradyn_ali3p *s, const double *from, const double *change, double *lam)
{
  double largest;
  move(s, from, change, lam, &largest);
  for (int i = 0; i < s->n && s->rule.own_A; i++)
    s->trial.As[i] -= s->k.Aq / s->k.aq * change[i];
  return largest;
}
