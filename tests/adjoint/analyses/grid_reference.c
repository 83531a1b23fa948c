/* A reference for the grid of analyses, written independently of the library: one function for rates,
 * guards and jumps, all derivatives by complex step, the Riccati equation by integration, and saltation
 * matrices by eq. (2) of Kong et al. (2023). */
#include "tests/adjoint/analyses/grid_reference.h"

#include <math.h>
#include <string.h>

enum { N = GRID_STATES, M = GRID_INPUTS, STEPS = 250, ALL = N + N * N };

const double grid_Q[N] = {1, 2, 0.5, 0.3}, grid_Qf[N] = {3, 4, 1, 0.7}, grid_R[M] = {0.1, 0.2};

static const double tiny = 1e-40;

/* Computes the rate z' at z and its derivatives f_z and f_u. */
static void linearise(grid_mode mode, double t, const double *z, double *f, grid_matrix A,
                      double B[N][M])
{
  for (int j = 0; j < N + M; j++) {
    grid_number x[N], u[M] = {0}, y[N];
    for (int i = 0; i < N; i++)
      x[i] = z[i];
    if (j < N)
      x[j] += tiny * _Complex_I;
    else
      u[j - N] = tiny * _Complex_I;
    grid_rates(mode, t, x, u, y);
    for (int i = 0; i < N; i++) {
      f[i] = creal(y[i]);
      *(j < N ? &A[i][j] : &B[i][j - N]) = cimag(y[i]) / tiny;
    }
  }
}

/* w = (z, Y): z' = f, Y' = A Y; or w = (z, P): -P' = A^T P + P A - P B R^-1 B^T P + Q. */
static void slope(grid_mode mode, bool back, double t, const double *w, double *wp)
{
  grid_matrix A;
  double B[N][M];
  linearise(mode, t, w, wp, A, B);
  const double *X = w + N;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = back && i == j ? -grid_Q[i] : 0;
      for (int k = 0; k < N; k++)
        sum += back ? -A[k][i] * X[k * N + j] - X[i * N + k] * A[k][j] : A[i][k] * X[k * N + j];
      for (int l = 0; l < M && back; l++) {
        double left = 0, right = 0; /* P B, B^T P */
        for (int k = 0; k < N; k++) {
          left += X[i * N + k] * B[k][l];
          right += B[k][l] * X[k * N + j];
        }
        sum += left * right / grid_R[l];
      }
      wp[N + i * N + j] = sum;
    }
}

/* Integrates from t over a time h, which is negative for the backward integration. */
static void march(grid_mode mode, bool back, double t, double whole, double *w)
{
  static const double share[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  const double h = whole / STEPS;
  for (int step = 0; step < STEPS; step++) {
    double at[ALL], k[ALL] = {0}, sum[ALL] = {0};
    for (int stage = 0; stage < 4; stage++) {
      for (int i = 0; i < ALL; i++)
        at[i] = w[i] + share[stage] * h * k[i];
      slope(mode, back, t + (step + share[stage]) * h, at, k);
      for (int i = 0; i < ALL; i++)
        sum[i] += weight[stage] * k[i];
    }
    for (int i = 0; i < ALL; i++)
      w[i] += h / 6 * sum[i];
  }
}

static grid_node *add(grid_reference *r, double t, int arc, int sample, const double *w)
{
  grid_node *node = &r->node[r->count++];
  *node = (grid_node){.t = t, .arc = arc, .sample = sample};
  memcpy(node->z, w, sizeof node->z);
  memcpy(node->Y, w + N, sizeof node->Y);
  return node;
}

/* Guard at real arguments. */
static double guard_at(grid_guard guard, double t, const double *w)
{
  grid_number z[N];
  for (int i = 0; i < N; i++)
    z[i] = w[i];
  return creal(grid_guard_value(guard, t, z));
}

/* Finds the zero of a guard between t and t + h by secants and bisection. Writes the state there to w and
 * returns the time since t. */
static double find_zero(grid_mode mode, grid_guard guard, double t, double h, double *w)
{
  double low = 0, high = h, r_low = guard_at(guard, t, w), at = h, start[ALL];
  memcpy(start, w, sizeof start);
  for (int k = 0; k < 60 && high - low > 1e-15; k++) {
    memcpy(w, start, sizeof start);
    march(mode, false, t, at, w);
    const double r = guard_at(guard, t + at, w);
    if (fabs(r) < 1e-16)
      break;
    const double secant = low + (at - low) * r_low / (r_low - r);
    low = r > 0 ? at : low;
    r_low = r > 0 ? r : r_low;
    high = r > 0 ? high : at;
    at = secant > low && secant < high && k % 3 < 2 ? secant : (low + high) / 2;
  }
  return at;
}

/* Saltation matrix of event k, Xi = R_z + (f+ - R_z f- - R_t) r_z/(r_z f- + r_t). Also applies the event to
 * w. */
static void cross(const grid_case *c, int k, double t, double *w, grid_matrix Xi)
{
  const grid_mode from = c->mode[k], to = c->mode[k + 1];
  double f[2][N], R[N][N + 1], r[N + 1], behind[N], Y[N][N] = {{0}};
  grid_matrix A;
  double B[N][M], rate;
  for (int j = 0; j <= N; j++) { /* by z, then by t */
    grid_number z[N], zp[N], time = t + (j == N ? tiny * _Complex_I : 0);
    for (int i = 0; i < N; i++)
      z[i] = w[i] + (i == j ? tiny * _Complex_I : 0);
    grid_jump(c, k, time, z, zp);
    r[j] = cimag(grid_guard_value(c->guard[k], time, z)) / tiny;
    for (int i = 0; i < N; i++) {
      R[i][j] = cimag(zp[i]) / tiny;
      behind[i] = creal(zp[i]);
    }
  }
  linearise(from, t, w, f[0], A, B);
  linearise(to, t, behind, f[1], A, B);
  rate = r[N];
  for (int i = 0; i < N; i++)
    rate += r[i] * f[0][i];
  for (int i = 0; i < N; i++) {
    double jump = f[1][i] - R[i][N];
    for (int j = 0; j < N; j++)
      jump -= R[i][j] * f[0][j];
    for (int j = 0; j < N; j++)
      Xi[i][j] = R[i][j] + jump * r[j] / rate;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int l = 0; l < N; l++)
        Y[i][j] += Xi[i][l] * w[N + l * N + j];
  memcpy(w, behind, sizeof behind);
  memcpy(w + N, Y, sizeof Y);
}

/* dz(0)/drho and z(0). */
static void begin(const grid_case *c, grid_reference *r, double *w)
{
  for (int j = 0; j < N; j++) {
    grid_number rho[N], z[N];
    for (int i = 0; i < N; i++)
      rho[i] = c->start[i] + (i == j ? tiny * _Complex_I : 0);
    grid_start(c, rho, z);
    for (int i = 0; i < N; i++) {
      w[i] = creal(z[i]);
      w[N + i * N + j] = i == j;
      r->start[i][j] = cimag(z[i]) / tiny;
    }
  }
}

/* Integrates the Riccati equation from the end to the start, for P and the gains K. */
static void go_back(const grid_case *c, grid_reference *r)
{
  int event = c->events;
  double w[ALL] = {0}, P[N * N];
  for (int i = 0; i < N; i++)
    w[N + i * N + i] = grid_Qf[i];
  for (int k = r->count - 1; k >= 0; k--) {
    grid_node *node = &r->node[k];
    const grid_mode mode = c->mode[node->arc];
    double f[N], B[N][M];
    grid_matrix A;
    if (event > 0 && r->before[event - 1] == k) { /* Xi^T P Xi */
      event--;
      memcpy(P, w + N, sizeof P);
      memset(w + N, 0, sizeof P);
      for (int at = 0; at < N * N * N * N; at++) {
        const int i = at % N, j = at / N % N, a = at / N / N % N, b = at / N / N / N;
        w[N + i * N + j] += r->Xi[event][a][i] * P[a * N + b] * r->Xi[event][b][j];
      }
    } else if (k + 1 < r->count) {
      memcpy(w, node[1].z, sizeof node->z);
      march(mode, true, node[1].t, node->t - node[1].t, w);
    }
    memcpy(node->P, w + N, sizeof node->P);
    linearise(mode, node->t, node->z, f, A, B);
    for (int l = 0; l < M; l++)
      for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
          node->K[l][j] += B[i][l] * node->P[i][j] / grid_R[l];
  }
}

void grid_integrate(const grid_case *c, grid_reference *r)
{
  double w[ALL], t = 0;
  int arc = 0;
  memset(r, 0, sizeof *r);
  begin(c, r, w);
  add(r, 0, 0, 0, w);
  for (int sample = 1; sample < GRID_SAMPLES; sample++) {
    const double to = c->t_end * sample / (GRID_SAMPLES - 1);
    double there[ALL];
    for (;;) {
      memcpy(there, w, sizeof w);
      march(c->mode[arc], false, t, to - t, there);
      if (arc == c->events || guard_at(c->guard[arc], to, there) > 0)
        break;
      t += find_zero(c->mode[arc], c->guard[arc], t, to - t, w);
      r->tau[arc] = t;
      r->before[arc] = r->count;
      add(r, t, arc, -1, w);
      cross(c, arc, t, w, r->Xi[arc]);
      add(r, t, ++arc, -1, w);
    }
    memcpy(w, there, sizeof w);
    t = to;
    add(r, t, arc, sample, w);
  }
  go_back(c, r);
}
