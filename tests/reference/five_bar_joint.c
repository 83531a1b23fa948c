/* The five-bar linkage in two angles, complex arithmetic throughout, integrated by extrapolation of the
 * explicit midpoint rule (Gragg's method with Aitken-Neville). All branches and step sizes are fixed
 * beforehand, so results are analytic functions of the data and complex step is exact. */
#include "five_bar_joint.h"

#include <math.h>
#include <string.h>

/* A point as a function of the angles: position r, Jacobian J = dr/dtheta and bias b, so that r' = J theta'
 * and r'' = J theta'' + b. */
typedef struct moving {
  double complex r[2];    /* m */
  double complex J[2][2]; /* [x, y][angle], m */
  double complex b[2];    /* m/s^2 */
} moving;

/* A rod: its first point, direction e, and rotation: omega = w theta', omega' = w theta'' + beta. */
typedef struct turning {
  double complex e[2]; /* unit vector */
  double complex w[2]; /* [angle] */
  double complex rate; /* w theta', rad/s */
  double complex beta; /* rad/s^2 */
} turning;

typedef struct motion {
  moving point[3];           /* points 1, 2, 3 */
  moving com[FIVE_BAR_BARS]; /* centres of mass */
  turning bar[FIVE_BAR_BARS];
} motion;

/* Equations of motion H theta'' = f. */
typedef struct balance {
  double complex H[2][2]; /* kg m^2 */
  double complex f[2];    /* N m */
} balance;

void five_bar_default(five_bar_data *d)
{
  const double length[FIVE_BAR_BARS] = {sqrt(2.0), sqrt(13.0) / 2.0, sqrt(13.0) / 2.0, sqrt(2.0)};
  const double mass[FIVE_BAR_BARS] = {1.0, 1.5, 1.5, 1.0};
  const double free_length[FIVE_BAR_SPRINGS] = {sqrt(5.0), sqrt(17.0) / 2.0};

  memset(d, 0, sizeof *d);
  for (int i = 0; i < FIVE_BAR_BARS; i++) {
    d->length[i] = length[i];
    d->mass[i] = mass[i];
    d->com[i] = length[i] / 2.0;
    d->inertia[i] = mass[i] * length[i] * length[i] / 12.0;
  }
  for (int i = 0; i < FIVE_BAR_SPRINGS; i++) {
    d->k[i] = 100.0;
    d->free_length[i] = free_length[i];
  }
  d->gravity[1] = -9.81;
  d->B[0] = 1.0;
  /* eqs. (7.15), (7.16): alpha1 = -3 pi/4, alpha2 = pi/4 + arctan 1.5 relative to bar A-1 */
  d->angle[0] = -3.0 * acos(-1.0) / 4.0;
  d->angle[1] = -acos(-1.0) / 2.0 + atan(1.5);
  d->position[0] = 0.5;
  d->position[1] = -2.0;
}

/* dot product without conjugation: conjugation is not analytic */
static double complex dot(const double complex a[2], const double complex b[2])
{
  return a[0] * b[0] + a[1] * b[1];
}

/* z component of a x b */
static double complex cross(const double complex a[2], const double complex b[2])
{
  return a[0] * b[1] - a[1] * b[0];
}

/* point at a distance s from `from` along a rod: r' = r_from' + s omega n, n = (-e_y, e_x) */
static void along(const moving *from, const turning *bar, double complex s, moving *to)
{
  const double complex n[2] = {-bar->e[1], bar->e[0]};

  for (int x = 0; x < 2; x++) {
    to->r[x] = from->r[x] + s * bar->e[x];
    for (int j = 0; j < 2; j++)
      to->J[x][j] = from->J[x][j] + s * n[x] * bar->w[j];
    to->b[x] = from->b[x] + s * (bar->beta * n[x] - bar->rate * bar->rate * bar->e[x]);
  }
}

/* directions of the rods 2-3 and 3-B: point 3 is the intersection of the circles about 2 and B to the right
 * of the line from 2 to B, as in the initial configuration */
static void close_loop(const five_bar_data *d, const double complex r2[2], turning *bar23,
                       turning *bar3B)
{
  const double complex l3 = d->length[FIVE_BAR_23], l4 = d->length[FIVE_BAR_3B];
  const double complex u[2] = {d->B[0] - r2[0], d->B[1] - r2[1]};
  const double complex uu = dot(u, u);
  const double complex foot = (l3 * l3 - l4 * l4 + uu) / (2.0 * uu);
  const double complex height = csqrt(l3 * l3 / uu - foot * foot);
  const double complex side[2] = {u[1], -u[0]};

  for (int x = 0; x < 2; x++) {
    const double complex from2 = foot * u[x] + height * side[x];

    bar23->e[x] = from2 / l3;
    bar3B->e[x] = (u[x] - from2) / l4;
  }
}

/* rotations of the rods 2-3 and 3-B from the derivatives of r2 + l3 e3 + l4 e4 = B, each multiplied by the
 * direction of the other rod so that one unknown cancels */
static void rotate_loop(const five_bar_data *d, const moving *p2, const double complex w[2],
                        turning *bar23, turning *bar3B)
{
  const double complex l3 = d->length[FIVE_BAR_23], l4 = d->length[FIVE_BAR_3B];
  const double complex *e3 = bar23->e, *e4 = bar3B->e;
  const double complex sine = cross(e3, e4); /* n3.e4 = -n4.e3 */
  double complex rest[2]; /* accelerations of r2 + l3 e3 + l4 e4 without theta'', omega' */

  for (int j = 0; j < 2; j++) {
    const double complex column[2] = {p2->J[0][j], p2->J[1][j]};

    bar23->w[j] = -dot(column, e4) / (l3 * sine);
    bar3B->w[j] = dot(column, e3) / (l4 * sine);
  }
  bar23->rate = dot(bar23->w, w);
  bar3B->rate = dot(bar3B->w, w);
  for (int x = 0; x < 2; x++)
    rest[x] = p2->b[x] - l3 * bar23->rate * bar23->rate * e3[x] -
              l4 * bar3B->rate * bar3B->rate * e4[x];
  bar23->beta = -dot(rest, e4) / (l3 * sine);
  bar3B->beta = dot(rest, e3) / (l4 * sine);
}

static void move(const five_bar_data *d, const double complex theta[2], const double complex w[2],
                 motion *out)
{
  turning *bar = out->bar;
  moving *point = out->point;
  moving ground;

  memset(out, 0, sizeof *out);
  memset(&ground, 0, sizeof ground);
  ground.r[0] = d->A[0];
  ground.r[1] = d->A[1];
  for (int j = 0; j < 2; j++) {
    bar[j].e[0] = ccos(theta[j]);
    bar[j].e[1] = csin(theta[j]);
    bar[j].w[j] = 1.0;
    bar[j].rate = w[j];
  }
  along(&ground, &bar[FIVE_BAR_A1], d->length[FIVE_BAR_A1], &point[0]);
  along(&point[0], &bar[FIVE_BAR_12], d->length[FIVE_BAR_12], &point[1]);
  close_loop(d, point[1].r, &bar[FIVE_BAR_23], &bar[FIVE_BAR_3B]);
  rotate_loop(d, &point[1], w, &bar[FIVE_BAR_23], &bar[FIVE_BAR_3B]);
  along(&point[1], &bar[FIVE_BAR_23], d->length[FIVE_BAR_23], &point[2]);

  along(&ground, &bar[FIVE_BAR_A1], d->com[FIVE_BAR_A1], &out->com[FIVE_BAR_A1]);
  for (int i = FIVE_BAR_12; i < FIVE_BAR_BARS; i++)
    along(&point[i - 1], &bar[i], d->com[i], &out->com[i]);
}

/* velocity of a point */
static void velocity(const moving *p, const double complex w[2], double complex v[2])
{
  v[0] = dot(p->J[0], w);
  v[1] = dot(p->J[1], w);
}

/* f += J^T force */
static void apply(const moving *p, const double complex force[2], balance *out)
{
  for (int j = 0; j < 2; j++)
    out->f[j] += p->J[0][j] * force[0] + p->J[1][j] * force[1];
}

/* H and f from the principle of virtual power: m J^T (J theta'' + b) + I w (w theta'' + beta) */
static void add_bar(const five_bar_data *d, int i, const motion *state, balance *out)
{
  const moving *G = &state->com[i];
  const turning *bar = &state->bar[i];
  const double complex m = d->mass[i], I_G = d->inertia[i];
  const double complex force[2] = {m * (d->gravity[0] - G->b[0]), m * (d->gravity[1] - G->b[1])};

  for (int j = 0; j < 2; j++) {
    for (int l = 0; l < 2; l++)
      out->H[j][l] += m * (G->J[0][j] * G->J[0][l] + G->J[1][j] * G->J[1][l]) +
                      I_G * bar->w[j] * bar->w[l];
    out->f[j] -= I_G * bar->w[j] * bar->beta;
  }
  apply(G, force, out);
}

/* spring-damper i pulls its point, 1 or 2, towards B */
static void add_spring(const five_bar_data *d, int i, const motion *state,
                       const double complex w[2], balance *out)
{
  const moving *p = &state->point[i];
  const double complex u[2] = {p->r[0] - d->B[0], p->r[1] - d->B[1]};
  const double complex s = csqrt(dot(u, u));
  double complex v[2];

  velocity(p, w, v);
  const double complex tension = d->k[i] * (s - d->free_length[i]) + d->c[i] * dot(u, v) / s +
                                 d->tension[i];
  const double complex force[2] = {-tension * u[0] / s, -tension * u[1] / s};
  apply(p, force, out);
}

/* right-hand side of the first-order system */
static void rates(const five_bar_data *d, const double complex y[FIVE_BAR_STATES],
                  double complex yp[FIVE_BAR_STATES])
{
  const double complex *theta = y, *w = y + 2;
  motion state;
  balance eq;

  move(d, theta, w, &state);
  memset(&eq, 0, sizeof eq);
  for (int i = 0; i < FIVE_BAR_BARS; i++)
    add_bar(d, i, &state, &eq);
  for (int i = 0; i < FIVE_BAR_SPRINGS; i++)
    add_spring(d, i, &state, w, &eq);

  const double complex det = eq.H[0][0] * eq.H[1][1] - eq.H[0][1] * eq.H[1][0];
  yp[0] = w[0];
  yp[1] = w[1];
  yp[2] = (eq.f[0] * eq.H[1][1] - eq.f[1] * eq.H[0][1]) / det;
  yp[3] = (eq.f[1] * eq.H[0][0] - eq.f[0] * eq.H[1][0]) / det;

  /* integrands of eq. (7.18) */
  const moving *p2 = &state.point[1];
  double complex v[2];
  velocity(p2, w, v);
  yp[4] = yp[5] = yp[6] = 0.0;
  for (int x = 0; x < 2; x++) {
    const double complex dr = p2->r[x] - d->position[x];
    const double complex dv = v[x] - d->velocity[x];
    const double complex da = dot(p2->J[x], yp + 2) + p2->b[x] - d->acceleration[x];

    yp[4] += dr * dr;
    yp[5] += dv * dv;
    yp[6] += da * da;
  }
}

/* Gragg's explicit midpoint rule: n (even) substeps over h, error in even powers of h/n; the
 * increment of y only, so that rounding does not grow with y */
static void midpoint(const five_bar_data *d, const double complex y[], const double complex yp[],
                     double h, int n, double complex increment[])
{
  const double tau = h / n;
  double complex older[FIVE_BAR_STATES] = {0}, newer[FIVE_BAR_STATES];
  double complex at[FIVE_BAR_STATES], slope[FIVE_BAR_STATES];

  for (int i = 0; i < FIVE_BAR_STATES; i++)
    newer[i] = tau * yp[i];
  for (int k = 1; k < n; k++) {
    for (int i = 0; i < FIVE_BAR_STATES; i++)
      at[i] = y[i] + newer[i];
    rates(d, at, slope);
    for (int i = 0; i < FIVE_BAR_STATES; i++) {
      const double complex next = older[i] + 2.0 * tau * slope[i];

      older[i] = newer[i];
      newer[i] = next;
    }
  }
  memcpy(increment, newer, sizeof newer);
}

enum { COLUMNS = 6 }; /* order 2 COLUMNS */

/* one step: Aitken-Neville extrapolation of 2, 4, ..., 2 COLUMNS substeps to infinitely many */
static void step(const five_bar_data *d, double h, double complex y[FIVE_BAR_STATES],
                 double complex carry[FIVE_BAR_STATES])
{
  double complex T[COLUMNS][FIVE_BAR_STATES], yp[FIVE_BAR_STATES];

  rates(d, y, yp);
  for (int j = 0; j < COLUMNS; j++) {
    midpoint(d, y, yp, h, 2 * (j + 1), T[j]);
    for (int k = j - 1; k >= 0; k--) {
      const double ratio = (double)(j + 1) / (double)(k + 1);

      for (int i = 0; i < FIVE_BAR_STATES; i++)
        T[k][i] = T[k + 1][i] + (T[k + 1][i] - T[k][i]) / (ratio * ratio - 1.0);
    }
  }
  /* compensated sum (Kahan): thousands of steps must not lose the last digits */
  for (int i = 0; i < FIVE_BAR_STATES; i++) {
    const double complex add = T[0][i] - carry[i];
    const double complex sum = y[i] + add;

    carry[i] = (sum - y[i]) - add;
    y[i] = sum;
  }
}

void five_bar_joint_march(const five_bar_data *d, double t_end, int steps,
                          double complex state[FIVE_BAR_STATES])
{
  double complex carry[FIVE_BAR_STATES] = {0};
  const double h = t_end / steps;

  memset(state, 0, FIVE_BAR_STATES * sizeof *state);
  memcpy(state, d->angle, sizeof d->angle);
  memcpy(state + 2, d->rate, sizeof d->rate);
  for (int k = 0; k < steps; k++)
    step(d, h, state, carry);
}

void five_bar_joint(const five_bar_data *d, double t_end, double complex psi[3])
{
  double complex state[FIVE_BAR_STATES];
  const int steps = (int)ceil(100.0 * t_end) + 1; /* 10 ms each */

  five_bar_joint_march(d, t_end, steps, state);
  memcpy(psi, state + 4, 3 * sizeof *psi);
}

void five_bar_joint_derivative(five_bar_data *d, double complex *member, double t_end,
                               double derivative[3])
{
  const double h = 1e-40;
  const double complex kept = *member;
  double complex psi[3];

  *member = kept + h * I;
  five_bar_joint(d, t_end, psi);
  *member = kept;
  for (int i = 0; i < 3; i++)
    derivative[i] = cimag(psi[i]) / h;
}

void five_bar_parameters(five_bar_data *d, double complex *member[5])
{
  member[0] = &d->free_length[FIVE_BAR_B1];
  member[1] = &d->free_length[FIVE_BAR_B2];
  member[2] = &d->mass[FIVE_BAR_A1];
  member[3] = &d->com[FIVE_BAR_A1];
  member[4] = &d->length[FIVE_BAR_A1];
}

double complex five_bar_energy(const five_bar_data *d, const double complex state[])
{
  motion now;
  double complex energy = 0.0;

  move(d, state, state + 2, &now);
  for (int i = 0; i < FIVE_BAR_BARS; i++) {
    double complex v[2];

    velocity(&now.com[i], state + 2, v);
    energy += d->mass[i] * (dot(v, v) / 2.0 - dot(d->gravity, now.com[i].r)) +
              d->inertia[i] * now.bar[i].rate * now.bar[i].rate / 2.0;
  }
  for (int i = 0; i < FIVE_BAR_SPRINGS; i++) {
    const double complex *r = now.point[i].r;
    const double complex u[2] = {r[0] - d->B[0], r[1] - d->B[1]};
    const double complex stretch = csqrt(dot(u, u)) - d->free_length[i];

    energy += d->k[i] * stretch * stretch / 2.0 + d->tension[i] * stretch;
  }
  return energy;
}

void five_bar_points(const five_bar_data *d, const double complex state[], double complex r[3][2])
{
  motion now;

  move(d, state, state + 2, &now);
  for (int i = 0; i < 3; i++)
    memcpy(r[i], now.point[i].r, sizeof r[i]);
}
