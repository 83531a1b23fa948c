/* The torque of friction in a spatial revolute joint, with derivatives. With slips v = r w of the journal
 * and v_t = r_t w of the collar, normal forces N and N_t, and P(v) = v mu(v)/v,
 *     f = -r (P(v) N + c v) - r_t P(v_t) N_t,
 *     F_i = -lam.u_i, T = (lam_yz, -lam_xz), F_2 = ((T_y - o F_x)/l, -(T_x + o F_y)/l), F_1 = F - F_2,
 *     N = p (|F_1| + |F_2|), without a length p |F|, and N_t = |F_z|, with |x| = sqrt(x^2 + e^2);
 * p is the pressure factor. See docs/theory/friction.md; friction.c has the same law as a formula. */
#include "mbs/forces/journal.h"

#include <math.h>
#include <string.h>

enum { READS = 5, DIRECTIONS = 9 };

/* A law of friction: mu(v)/v, and its derivatives by v^2 and by data. */
typedef struct law {
  double value, square, still, kinetic, transition;
} law;

/* A normal force, and its derivatives by F, T and by data. */
typedef struct normal {
  double value, F[2], T[2], smoothing, pressure, length, offset;
} normal;

/* Intermediate results of all functions; by_N, by_thrust and by_F are derivatives of f by N, N_t and F. */
typedef struct journal {
  double lam[READS], F[3], v, vt, thrust, by_N, by_thrust, by_F[3];
  law main, collar;
  normal N;
} journal;

/* tanh(4 s)/s as a function of S = s^2, and its derivative by S. With x = 4 s the function is 4 tanh(x)/x.
 * Near 0 a series in X = 16 S is used. The series is exact to round-off there, while the derivative of the
 * closed form loses digits by cancellation. */
static double tanh_ratio(double S, double *by_S)
{
  static const double near = 0.02;
  static const double term[] = {
      1,           -1.0 / 3,         2.0 / 15,          -17.0 / 315,
      62.0 / 2835, -1382.0 / 155925, 21844.0 / 6081075, -929569.0 / 638512875};
  const double X = 16 * S;
  if (X < near) {
    double sum = 0, slope = 0;
    for (int k = (int)(sizeof term / sizeof *term) - 1; k >= 0; k--) {
      slope = slope * X + sum;
      sum = sum * X + term[k];
    }
    *by_S = 64 * slope;
    return 4 * sum;
  }
  const double s = sqrt(S), t = tanh(4 * s), ratio = t / s;
  *by_S = (4 * (1 - t * t) - ratio) / (2 * S);
  return ratio;
}

/* mu/v = (mu_k th(S) + (mu_s - mu_k)/b^2)/v_t, b = S/4 + 3/4, S = v^2/v_t^2. */
static law find_law(const double *z, double square)
{
  const double vt = z[TRANSITION], S = square / (vt * vt), b = S / 4 + 0.75;
  const double bump = 1 / (b * b), more = z[STILL] - z[KINETIC];
  double slope;
  const double ratio = tanh_ratio(S, &slope);
  const double mu = z[KINETIC] * ratio + more * bump;
  const double mu_S = z[KINETIC] * slope - more * bump / (2 * b);
  return (law){.value = mu / vt,
               .square = mu_S / (vt * vt * vt),
               .still = bump / vt,
               .kinetic = (ratio - bump) / vt,
               .transition = -(mu + 2 * S * mu_S) / (vt * vt)};
}

static double size_of(double x, double y, double e)
{
  return sqrt(x * x + y * y + e * e);
}

/* The load of a journal from force F and torque T across its axis, with derivatives: over its length, or at
 * one point if the length is 0. */
static normal find_normal(const double *z, const double F[2], const double T[2])
{
  const double p = z[PRESSURE], e = z[SMOOTHING], l = z[LENGTH], o = z[OFFSET];
  if (l == 0) {
    const double size = size_of(F[0], F[1], e);
    return (normal){.value = p * size,
                    .F = {p * F[0] / size, p * F[1] / size},
                    .smoothing = p * e / size,
                    .pressure = size};
  }
  const double F2[2] = {(T[1] - o * F[0]) / l, -(T[0] + o * F[1]) / l};
  const double F1[2] = {F[0] - F2[0], F[1] - F2[1]};
  const double n1 = size_of(F1[0], F1[1], e), n2 = size_of(F2[0], F2[1], e);
  /* derivatives by F_2, at constant F */
  const double h[2] = {p * (F2[0] / n2 - F1[0] / n1), p * (F2[1] / n2 - F1[1] / n1)};
  return (normal){.value = p * (n1 + n2),
                  .F = {p * F1[0] / n1 - o / l * h[0], p * F1[1] / n1 - o / l * h[1]},
                  .T = {-h[1] / l, h[0] / l},
                  .smoothing = p * e * (1 / n1 + 1 / n2),
                  .pressure = n1 + n2,
                  .length = -(h[0] * F2[0] + h[1] * F2[1]) / l,
                  .offset = -(h[0] * F[0] + h[1] * F[1]) / l};
}

/* Adds the derivatives of f by data of a law; part: derivative of f by mu/v of the journal or the collar. */
static void add_law(const law *of, double part, double *z)
{
  z[STILL] += part * of->still;
  z[KINETIC] += part * of->kinetic;
  z[TRANSITION] += part * of->transition;
}

/* Computes all values that depend on slips only. */
static void find_slips(const mbs_element *e, const mbs_point_state *at, const double *z, journal *j)
{
  const double w = at->vel[e->at[0]], r = z[RADIUS], rt = z[THRUST_RADIUS];
  j->v = r * w;
  j->vt = rt * w;
  j->main = find_law(z, j->v * j->v);
  j->collar = r == rt ? j->main : find_law(z, j->vt * j->vt);
  j->by_N = -r * j->main.value * j->v;
  j->by_thrust = -rt * j->collar.value * j->vt;
}

/* Computes all values that depend on multipliers; called after find_slips(). */
static void find_loads(const mbs_element *e, const mbs_point_state *at, const double *z, journal *j)
{
  for (int k = 0; k < READS; k++)
    j->lam[k] = at->lam[e->reading->row[k]];
  for (int i = 0; i < 3; i++) {
    const double *u = at->pos + e->at[1 + i];
    j->F[i] = -(j->lam[0] * u[0] + j->lam[1] * u[1] + j->lam[2] * u[2]);
  }
  const double T[2] = {j->lam[4], -j->lam[3]};
  j->N = find_normal(z, j->F, T);
  j->thrust = size_of(j->F[2], 0, z[SMOOTHING]);
  j->by_F[0] = j->by_N * j->N.F[0];
  j->by_F[1] = j->by_N * j->N.F[1];
  j->by_F[2] = j->by_thrust * j->F[2] / j->thrust;
}

static journal find(const mbs_element *e, const mbs_point_state *at, const double *z)
{
  journal j;
  find_slips(e, at, z, &j);
  find_loads(e, at, z, &j);
  return j;
}

static double force_of(const journal *j, const double *z)
{
  return j->by_N * j->N.value - z[RADIUS] * z[VISCOUS] * j->v + j->by_thrust * j->thrust;
}

static void slopes_of(const mbs_element *e, const mbs_point_state *at, const journal *j,
                      double *by_lam)
{
  for (int k = 0; k < 3; k++) {
    by_lam[k] = 0;
    for (int i = 0; i < 3; i++)
      by_lam[k] -= j->by_F[i] * at->pos[e->at[1 + i] + k];
  }
  by_lam[3] = -j->by_N * j->N.T[1];
  by_lam[4] = j->by_N * j->N.T[0];
}

/* P' = (v mu/v)' of a law at v. */
static double slope_of(const law *of, double v)
{
  return of->value + 2 * v * v * of->square;
}

static double rate_of(const journal *j, const double *z)
{
  const double r = z[RADIUS], rt = z[THRUST_RADIUS];
  return -r * r * (slope_of(&j->main, j->v) * j->N.value + z[VISCOUS]) -
         rt * rt * slope_of(&j->collar, j->vt) * j->thrust;
}

/* Derivatives by_z of the torque of a journal by its data z. */
static void find_data(const journal *j, const double *z, double *by_z)
{
  const double r = z[RADIUS], c = z[VISCOUS], main_v = slope_of(&j->main, j->v);
  memset(by_z, 0, JOURNAL_NUMBERS * sizeof *by_z);
  add_law(&j->main, -r * j->v * j->N.value, by_z);
  add_law(&j->collar, -z[THRUST_RADIUS] * j->vt * j->thrust, by_z);
  by_z[VISCOUS] = -r * j->v;
  by_z[SMOOTHING] = j->by_N * j->N.smoothing + j->by_thrust * z[SMOOTHING] / j->thrust;
  by_z[PRESSURE] = j->by_N * j->N.pressure;
  by_z[RADIUS] = -(j->main.value * j->v * j->N.value + c * j->v) - j->v * (main_v * j->N.value + c);
  by_z[THRUST_RADIUS] = -(j->collar.value * j->vt + j->vt * slope_of(&j->collar, j->vt)) *
                        j->thrust;
  by_z[LENGTH] = j->by_N * j->N.length;
  by_z[OFFSET] = j->by_N * j->N.offset;
}

gradyn_status mbs_journal_force(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *f)
{
  const journal j = find(e, at, z);
  (void)m;
  memset(f, 0, (size_t)e->local * sizeof *f);
  f[0] = force_of(&j, z);
  return GRADYN_OK;
}

gradyn_status mbs_journal_state(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *f_pos, double *f_vel)
{
  const journal j = find(e, at, z);
  const size_t entries = (size_t)(e->local * e->local);
  memset(f_pos, 0, entries * sizeof *f_pos);
  for (int i = 0; i < 3; i++) /* row of the angle, columns of the directions */
    for (int k = 0; k < 3; k++)
      f_pos[m->dim + 3 * i + k] = -j.by_F[i] * j.lam[k];
  if (!f_vel)
    return GRADYN_OK;
  memset(f_vel, 0, entries * sizeof *f_vel);
  f_vel[0] = rate_of(&j, z);
  return GRADYN_OK;
}

/* Copies from [count] to the first entries of `count` rows with e->local entries each; the other entries
 * are 0. */
static void put_rows(const mbs_element *e, int count, const double *from, double *to)
{
  memset(to, 0, (size_t)(count * e->local) * sizeof *to);
  for (int k = 0; k < count; k++)
    to[k * e->local] = from[k];
}

gradyn_status mbs_journal_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *f_z)
{
  const journal j = find(e, at, z);
  double by_z[JOURNAL_NUMBERS];
  (void)m;
  find_data(&j, z, by_z);
  put_rows(e, JOURNAL_NUMBERS, by_z, f_z);
  return GRADYN_OK;
}

gradyn_status mbs_journal_lam(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                              const double *z, double *f_lam)
{
  const journal j = find(e, at, z);
  double by_lam[READS];
  (void)m;
  slopes_of(e, at, &j, by_lam);
  put_rows(e, READS, by_lam, f_lam);
  return GRADYN_OK;
}

gradyn_status mbs_journal_rub(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                              const double *z, mbs_kept *kept, double *f, double *f_lam)
{
  journal j;
  (void)m;
  if (!kept->known) {
    find_slips(e, at, z, &j);
    *kept = (mbs_kept){true, {j.v, j.by_N, j.by_thrust}};
  }
  j.v = kept->number[0];
  j.by_N = kept->number[1];
  j.by_thrust = kept->number[2];
  find_loads(e, at, z, &j);
  f[0] = force_of(&j, z);
  slopes_of(e, at, &j, f_lam);
  return GRADYN_OK;
}
