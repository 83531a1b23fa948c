/* Radau IIA with five stages; values by Newton's method, derivatives by its last matrix. */
#include "tests/drawn/collocation.h"
#include "tests/support.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  STAGES = 5,
  STATES = COLLOCATION_STATES,
  PARAMETERS = COLLOCATION_PARAMETERS,
  FUNCTIONALS = COLLOCATION_FUNCTIONALS,
  ROWS = STAGES * STATES,
  COLUMNS = ROWS + PARAMETERS,
  MOST_ITERATIONS = 15,
  MOST_STEPS = 20000,
  MOST_PARTS = 16
};

/* Size of complex steps; correction at which Newton's iteration ends (its square remains); error of a step
 * relative to a state's size; accepted change by the last halving; round-off of states of about 1. */
static const long double tiny = 1e-300L, newton = 1e-13L, step_error = 1e-13L;
static const double converged = 1e-11, nothing = 1e-17;

typedef struct mesh_step {
  long double t, h;
  int arc;
} mesh_step;

typedef struct march {
  const collocation_problem *p;
  long double node[STAGES], weight[STAGES][STAGES];
  long double y[STATES], slope[STATES][PARAMETERS], size[STATES];
  long double Y[STAGES][STATES], f[STAGES][STATES], J[STAGES][STATES][STATES];
  long double matrix[ROWS][COLUMNS]; /* the last columns are the right-hand sides */
  long double psi[FUNCTIONALS], dpsi[FUNCTIONALS][PARAMETERS], total[FUNCTIONALS],
      most[FUNCTIONALS], stiffness;
  mesh_step *mesh;
  long steps;
} march;

/* --- linear equations ----------------------------------------------------------------------- */

/* Gauss elimination with pivoting; the right-hand sides, columns n to n + sides, become the solutions. */
static void solve(long double A[ROWS][COLUMNS], int n, int sides)
{
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabsl(A[i][k]) > fabsl(A[pivot][k]))
        pivot = i;
    for (int j = k; j < n + sides && pivot != k; j++) {
      const long double keep = A[k][j];
      A[k][j] = A[pivot][j];
      A[pivot][j] = keep;
    }
    for (int i = k + 1; i < n; i++) {
      const long double factor = A[i][k] / A[k][k];
      for (int j = k + 1; j < n + sides && factor != 0; j++)
        A[i][j] -= factor * A[k][j];
    }
  }
  for (int i = n - 1; i >= 0; i--)
    for (int s = n; s < n + sides; s++) {
      for (int j = i + 1; j < n; j++)
        A[i][s] -= A[i][j] * A[j][s];
      A[i][s] /= A[i][i];
    }
}

/* P_s(x) - P_{s-1}(x) of Legendre, whose zeros are the Radau nodes on [-1, 1]. */
static long double radau(long double x)
{
  long double before = 1, now = x;
  for (int k = 1; k < STAGES; k++) {
    const long double next = ((2 * k + 1) * x * now - k * before) / (k + 1);
    before = now;
    now = next;
  }
  return now - before;
}

/* Nodes by bisection; weights from sum_j a_ij c_j^(k-1) = c_i^k/k. */
static void make_tableau(march *m)
{
  enum { CELLS = 1000 };
  int found = 0;
  for (int k = 0; k < CELLS - 1; k++) {
    long double low = -1 + 2.0L * k / CELLS, high = -1 + 2.0L * (k + 1) / CELLS;
    if (radau(low) * radau(high) > 0)
      continue;
    for (int i = 0; i < 100; i++) {
      const long double mid = (low + high) / 2;
      *(radau(low) * radau(mid) <= 0 ? &high : &low) = mid;
    }
    m->node[found++] = (1 + low) / 2;
  }
  m->node[STAGES - 1] = 1;
  for (int k = 0; k < STAGES; k++)
    for (int j = 0; j < STAGES; j++) {
      m->matrix[k][j] = powl(m->node[j], k);
      m->matrix[k][STAGES + j] = powl(m->node[j], k + 1) / (k + 1);
    }
  solve(m->matrix, STAGES, STAGES);
  for (int i = 0; i < STAGES; i++)
    for (int j = 0; j < STAGES; j++)
      m->weight[i][j] = m->matrix[j][STAGES + i];
}

/* --- one step --------------------------------------------------------------------------------- */

/* Rates at y, and their derivatives with respect to a state (k >= 0) or a parameter (k = -1 - j). */
static void rates(const march *m, int arc, long double t, const long double y[], int k,
                  collocation_number f[])
{
  collocation_number z[STATES], rho[PARAMETERS];
  for (int i = 0; i < m->p->states; i++)
    z[i] = y[i] + (i == k ? tiny * I : 0);
  for (int j = 0; j < m->p->parameters; j++)
    rho[j] = m->p->rho[j] + (j == -1 - k ? tiny * I : 0);
  m->p->rates(m->p->self, rho, arc, t, z, f);
}

/* f and J at the stages, and the matrix of the stage equations. */
static void assemble(march *m, int arc, long double t, long double h)
{
  const int n = m->p->states;
  collocation_number f[STATES];
  for (int s = 0; s < STAGES; s++)
    for (int k = 0; k < n; k++) {
      rates(m, arc, t + h * m->node[s], m->Y[s], k, f);
      for (int i = 0; i < n; i++) {
        m->f[s][i] = creall(f[i]);
        m->J[s][i][k] = cimagl(f[i]) / tiny;
      }
    }
  for (int s = 0; s < STAGES; s++)
    for (int i = 0; i < n; i++)
      for (int r = 0; r < STAGES; r++)
        for (int k = 0; k < n; k++)
          m->matrix[s * n + i][r * n + k] = m->p->algebraic[i]
                                                ? (s == r) * m->J[s][i][k]
                                                : (s == r && i == k) -
                                                      h * m->weight[s][r] * m->J[r][i][k];
}

/* Solves for the stages of a step from y; false: no convergence. */
static bool find_stages(march *m, int arc, long double t, long double h, const long double y[])
{
  const int n = m->p->states, rows = STAGES * n;
  for (int s = 0; s < STAGES; s++)
    memcpy(m->Y[s], y, sizeof m->Y[s]);
  for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    long double change = 0;
    assemble(m, arc, t, h);
    for (int s = 0; s < STAGES; s++)
      for (int i = 0; i < n; i++) {
        long double *side = &m->matrix[s * n + i][rows];
        *side = m->p->algebraic[i] ? -m->f[s][i] : y[i] - m->Y[s][i];
        for (int r = 0; r < STAGES && !m->p->algebraic[i]; r++)
          *side += h * m->weight[s][r] * m->f[r][i];
      }
    solve(m->matrix, rows, 1);
    for (int s = 0; s < STAGES; s++)
      for (int i = 0; i < n; i++) {
        m->Y[s][i] += m->matrix[s * n + i][rows];
        const long double size = fmaxl(m->size[i], fabsl(m->Y[s][i]));
        if (m->matrix[s * n + i][rows] != 0)
          change = fmaxl(change, fabsl(m->matrix[s * n + i][rows]) / size);
      }
    if (!isfinite(change))
      return false;
    if (change < newton)
      return true;
  }
  return false;
}

static void note_sizes(march *m, const long double y[])
{
  long double most = 0;
  for (int i = 0; i < m->p->states; i++)
    most = fmaxl(most, fabsl(y[i]));
  /* states that stay zero get a minimum size; algebraic states are as accurate as the sums that determine
   * them */
  for (int i = 0; i < m->p->states; i++) {
    const long double least = m->p->algebraic[i] ? 1e-4L : 1e-10L;
    m->size[i] = fmaxl(m->size[i], fmaxl(fabsl(y[i]), least * most));
  }
}

/* Adds the integrals over a step and updates maxima of functionals; dY: derivatives of the stages with
 * respect to parameters. */
static void add_integrals(march *m, long double h, long double dY[STAGES][STATES][PARAMETERS])
{
  const collocation_problem *p = m->p;
  collocation_number z[STATES], rho[PARAMETERS], g[FUNCTIONALS], w[FUNCTIONALS];
  for (int s = 0; s < STAGES; s++)
    for (int j = 0; j < p->parameters; j++) {
      const long double weight = h * m->weight[STAGES - 1][s];
      for (int k = 0; k < p->parameters; k++)
        rho[k] = p->rho[k] + (j == k ? tiny * I : 0);
      for (int i = 0; i < p->states; i++)
        z[i] = m->Y[s][i] + tiny * I * dY[s][i][j];
      p->functionals_at(p->self, rho, z, g, w);
      for (int f = 0; f < p->functionals; f++) {
        m->dpsi[f][j] += weight * cimagl(g[f]) / tiny;
        m->psi[f] += j == 0 ? weight * creall(g[f]) : 0;
        m->total[f] += j == 0 ? weight * fabsl(creall(g[f])) : 0;
        m->most[f] = fmaxl(m->most[f], fabsl(creall(w[f])));
      }
    }
}

/* Advances values and derivatives by one step. */
static bool step(march *m, int arc, long double t, long double h)
{
  const int n = m->p->states, parameters = m->p->parameters, rows = STAGES * n;
  long double dY[STAGES][STATES][PARAMETERS], by[STAGES][STATES];
  collocation_number f[STATES];
  if (!find_stages(m, arc, t, h, m->y))
    return false;
  assemble(m, arc, t, h);
  for (int j = 0; j < parameters; j++) {
    for (int s = 0; s < STAGES; s++) {
      rates(m, arc, t + h * m->node[s], m->Y[s], -1 - j, f);
      for (int i = 0; i < n; i++)
        by[s][i] = cimagl(f[i]) / tiny;
    }
    for (int s = 0; s < STAGES; s++)
      for (int i = 0; i < n; i++) {
        long double *side = &m->matrix[s * n + i][rows + j];
        *side = m->p->algebraic[i] ? -by[s][i] : m->slope[i][j];
        for (int r = 0; r < STAGES && !m->p->algebraic[i]; r++)
          *side += h * m->weight[s][r] * by[r][i];
      }
  }
  solve(m->matrix, rows, parameters);
  for (int s = 0; s < STAGES; s++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < parameters; j++)
        dY[s][i][j] = m->matrix[s * n + i][rows + j];
  add_integrals(m, h, dY);
  memcpy(m->slope, dY[STAGES - 1], sizeof m->slope);
  memcpy(m->y, m->Y[STAGES - 1], sizeof m->y);
  note_sizes(m, m->y);
  for (int i = 0; i < n; i++) {
    long double norm = 0;
    for (int k = 0; k < n; k++)
      norm += m->p->algebraic[i] ? 0 : fabsl(m->J[STAGES - 1][i][k]);
    m->stiffness = fmaxl(m->stiffness, norm);
  }
  return true;
}

/* --- the run -------------------------------------------------------------------------------- */

/* Equations for a change of y at the start: zero for differential states, d f/dy dy = ... for algebraic
 * ones. */
static void assemble_start(march *m, collocation_number f[])
{
  const int n = m->p->states;
  for (int k = 0; k < n; k++) {
    rates(m, 0, m->p->times[0], m->y, k, f);
    for (int i = 0; i < n; i++)
      m->matrix[i][k] = m->p->algebraic[i] ? cimagl(f[i]) / tiny : i == k;
  }
}

/* y and its derivatives at the start; algebraic states by Newton's method. */
static bool begin(march *m)
{
  const int n = m->p->states, parameters = m->p->parameters;
  collocation_number rho[PARAMETERS], y[STATES], f[STATES];
  long double change = 1;
  for (int j = 0; j < parameters; j++) {
    for (int k = 0; k < parameters; k++)
      rho[k] = m->p->rho[k] + (j == k ? tiny * I : 0);
    m->p->start(m->p->self, rho, y);
    for (int i = 0; i < n; i++) {
      m->y[i] = creall(y[i]);
      m->slope[i][j] = cimagl(y[i]) / tiny;
    }
  }
  for (int round = 0; round < 100 && change > newton; round++) {
    assemble_start(m, f);
    change = 0;
    for (int i = 0; i < n; i++)
      m->matrix[i][n] = m->p->algebraic[i] ? -creall(f[i]) : 0;
    solve(m->matrix, n, 1);
    for (int i = 0; i < n; i++) {
      m->y[i] += m->matrix[i][n];
      change = fmaxl(change, fabsl(m->matrix[i][n]) / (1 + fabsl(m->y[i])));
    }
  }
  assemble_start(m, f);
  for (int j = 0; j < parameters; j++) {
    rates(m, 0, m->p->times[0], m->y, -1 - j, f);
    for (int i = 0; i < n; i++)
      m->matrix[i][n + j] = m->p->algebraic[i] ? -cimagl(f[i]) / tiny : m->slope[i][j];
  }
  solve(m->matrix, n, parameters);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < parameters; j++)
      m->slope[i][j] = m->matrix[i][n + j];
  memset(m->size, 0, sizeof m->size);
  note_sizes(m, m->y);
  return change <= newton;
}

/* Makes a step and two half steps; y gets the result of the latter. Returns the largest difference relative
 * to the size of a state; HUGE_VAL: no convergence. */
static long double try_step(march *m, const mesh_step *s, long double y[STATES])
{
  long double whole[STATES], apart = 0;
  if (!find_stages(m, s->arc, s->t, s->h, m->y))
    return HUGE_VAL;
  memcpy(whole, m->Y[STAGES - 1], sizeof whole);
  memcpy(y, m->y, sizeof m->y);
  for (int half = 0; half < 2; half++) {
    if (!find_stages(m, s->arc, s->t + half * s->h / 2, s->h / 2, y))
      return HUGE_VAL;
    memcpy(y, m->Y[STAGES - 1], sizeof m->y);
  }
  for (int i = 0; i < m->p->states; i++)
    if (y[i] != whole[i])
      apart = fmaxl(apart, fabsl(y[i] - whole[i]) / fmaxl(m->size[i], fabsl(y[i])));
  return apart;
}

/* Chooses steps by the change of the result when they are halved. */
static bool make_mesh(march *m)
{
  const collocation_problem *p = m->p;
  const long double *times = p->times;
  m->steps = 0;
  if (!begin(m))
    return false;
  long double wish = 0, y[STATES];
  for (int arc = 0; arc < p->arcs; arc++) {
    /* starts with very short steps and doubles them: derivatives may have layers where states have none */
    wish = (times[p->arcs] - times[0]) * 1e-9L;
    long double t = times[arc];
    while (t < times[arc + 1]) {
      const bool last = t + 1.01L * wish >= times[arc + 1];
      const mesh_step s = {t, last ? times[arc + 1] - t : wish, arc};
      const long double error = try_step(m, &s, y);
      const long double factor = error < HUGE_VALL
                                     ? 0.8L * powl(step_error / fmaxl(error, 1e-30L), 0.1L)
                                     : 0.1L;
      wish = s.h * fminl(2, fmaxl(0.1L, factor));
      if (m->steps == MOST_STEPS || wish < 1e-15L * times[p->arcs])
        return false;
      if (!(error <= step_error))
        continue;
      m->mesh[m->steps++] = s;
      memcpy(m->y, y, sizeof m->y);
      note_sizes(m, y);
      t = last ? times[arc + 1] : t + s.h;
    }
  }
  return true;
}

/* Computes values and derivatives with each step of the mesh divided into `parts`. */
static bool run(march *m, int parts, collocation_result *r)
{
  const collocation_problem *p = m->p;
  collocation_number g[FUNCTIONALS], w[FUNCTIONALS], z[STATES], rho[PARAMETERS];
  memset(m->psi, 0, sizeof m->psi);
  memset(m->dpsi, 0, sizeof m->dpsi);
  memset(m->total, 0, sizeof m->total);
  memset(m->most, 0, sizeof m->most);
  m->stiffness = 0;
  if (!begin(m))
    return false;
  for (long k = 0; k < m->steps; k++)
    for (int i = 0; i < parts; i++) {
      const mesh_step *s = &m->mesh[k];
      if (!step(m, s->arc, s->t + s->h * i / parts, s->h / parts))
        return false;
    }
  for (int j = 0; j < p->parameters; j++) {
    for (int k = 0; k < p->parameters; k++)
      rho[k] = p->rho[k] + (j == k ? tiny * I : 0);
    for (int i = 0; i < p->states; i++)
      z[i] = m->y[i] + tiny * I * m->slope[i][j];
    p->functionals_at(p->self, rho, z, g, w);
    for (int f = 0; f < p->functionals; f++) {
      r->slope[f][j] = (double)(m->dpsi[f][j] + cimagl(w[f]) / tiny);
      r->psi[f] = (double)(m->psi[f] + creall(w[f]));
      r->extent[f] = (double)(m->most[f] + m->total[f]);
    }
  }
  for (int i = 0; i < p->states; i++)
    r->peak[i] = (double)m->size[i];
  r->stiffness = (double)(m->stiffness * (p->times[p->arcs] - p->times[0]));
  r->steps = m->steps * parts;
  return true;
}

/* The largest difference of two results. */
static double apart(const collocation_problem *p, const collocation_result *a,
                    const collocation_result *b)
{
  double worst = 0, largest = 0;
  for (int j = 0; j < p->parameters; j++)
    largest = fmax(largest, fabs(p->rho[j]));
  for (int f = 0; f < p->functionals; f++) {
    double most = fmax(fabs(b->psi[f]), 1e-6 * b->extent[f]) / largest, moved = 0;
    for (int j = 0; j < p->parameters; j++) {
      most = fmax(most, fabs(b->slope[f][j]));
      moved = fmax(moved, fabs(b->slope[f][j] - a->slope[f][j]));
    }
    worst = fmax(worst, moved > nothing ? moved / most : 0);
    moved = fabs(b->psi[f] - a->psi[f]);
    worst = fmax(worst, moved > nothing ? moved / b->extent[f] : 0);
  }
  return worst;
}

bool collocation_solve(const collocation_problem *problem, collocation_result *result)
{
  FREED march *m = calloc(1, sizeof *m);
  FREED mesh_step *mesh = calloc(MOST_STEPS, sizeof *mesh);
  bool good = m && mesh;
  if (good) {
    m->p = problem;
    m->mesh = mesh;
    make_tableau(m);
    good = make_mesh(m) && run(m, 1, result);
  }
  result->moved = HUGE_VAL;
  for (int parts = 2; good && parts <= MOST_PARTS && !(result->moved <= converged); parts *= 2) {
    const collocation_result before = *result;
    good = run(m, parts, result);
    result->moved = apart(problem, &before, result);
  }
  return good && result->moved <= converged;
}
