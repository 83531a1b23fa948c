/* A clamped beam by Newton's method, and the elastica by shooting; see ancf_cantilever.h. */
#include "tests/mbs/beams/ancf_cantilever.h"

#include "mbs/beams/ancf.h"
#include "tests/support.h"

enum { ITERATIONS = 60 };

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *pivot, double *b,
            const int *ldb, int *info);

/* Scratch of one solution. */
typedef struct balance {
  double u[CANTILEVER_SIZE], f[CANTILEVER_SIZE], K[CANTILEVER_SIZE * CANTILEVER_SIZE];
  int n; /* numbers of all nodes */
} balance;

/* f and -K of all elements; K column-major. */
static void assemble(const cantilever *c, balance *s)
{
  const mbs_ancf b = {c->dim, 1.0 / c->elements, 1, c->axial, 1, 0};
  const int per = 4 * c->dim;
  const double v[MBS_ANCF_MAX] = {0};
  double f[MBS_ANCF_MAX], f_u[144], f_v[144];
  memset(s->f, 0, sizeof s->f);
  memset(s->K, 0, sizeof s->K);
  for (int e = 0; e < c->elements; e++) {
    const int first = 2 * c->dim * e;
    mbs_ancf_full.force(&b, s->u + first, v, f);
    mbs_ancf_full.force_state(&b, s->u + first, v, f_u, f_v);
    for (int i = 0; i < per; i++) {
      s->f[first + i] += f[i];
      for (int j = 0; j < per; j++)
        s->K[(first + j) * s->n + first + i] -= f_u[per * i + j];
    }
  }
}

/* Fixes position and direction at the clamp, but not the stretch along x. */
static void clamp(const cantilever *c, balance *s)
{
  for (int i = 0; i < 2 * c->dim; i++) {
    if (i == c->dim)
      continue;
    for (int j = 0; j < s->n; j++)
      s->K[i * s->n + j] = s->K[j * s->n + i] = 0;
    s->K[i * s->n + i] = 1;
    s->f[i] = 0;
  }
}

/* One Newton step; returns the largest change. */
static double newton(const cantilever *c, double force, balance *s)
{
  int pivot[CANTILEVER_SIZE], info;
  const int one = 1;
  double change = 0;
  assemble(c, s);
  for (int i = 0; i < c->dim; i++)
    s->f[s->n - 2 * c->dim + i] += force * c->direction[i];
  clamp(c, s);
  dgesv_(&s->n, &one, s->K, &s->n, pivot, s->f, &s->n, &info);
  assert_int_equal(info, 0);
  for (int i = 0; i < s->n; i++) {
    s->u[i] += s->f[i];
    change = fmax(change, fabs(s->f[i]));
  }
  return change;
}

int cantilever_bend(const cantilever *c, double force, int steps, double *tip)
{
  balance *s = test_calloc(1, sizeof *s);
  int most = 0;
  s->n = 2 * c->dim * (c->elements + 1);
  for (int node = 0; node <= c->elements; node++) {
    s->u[2 * c->dim * node] = (double)node / c->elements;
    s->u[2 * c->dim * node + c->dim] = 1;
  }
  for (int step = 1; step <= steps; step++) {
    /* one more step after the first small change reaches round-off */
    int iteration = 0, last = 0;
    while (!last) {
      assert_true(++iteration < ITERATIONS);
      last = newton(c, force * step / steps, s) < 1e-7;
    }
    newton(c, force * step / steps, s);
    most = iteration > most ? iteration : most;
  }
  for (int i = 0; i < c->dim; i++)
    tip[i] = s->u[s->n - 2 * c->dim + i] - (i == 0);
  test_free(s);
  return most;
}

/* State (theta, theta', x, y) of theta'' = -force cos theta along the arc. */
static void arc(double force, const double s[4], double rate[4])
{
  rate[0] = s[1];
  rate[1] = -force * cos(s[0]);
  rate[2] = cos(s[0]);
  rate[3] = sin(s[0]);
}

/* Integrates the elastica with the given curvature at the clamp (Runge and Kutta). */
static void shoot(double force, double curvature, double s[4])
{
  const int steps = 4000;
  const double h = 1.0 / steps;
  memcpy(s, (double[4]){0, curvature, 0, 0}, 4 * sizeof *s);
  for (int n = 0; n < steps; n++) {
    double k[4][4], at[4];
    arc(force, s, k[0]);
    for (int stage = 1; stage < 4; stage++) {
      for (int i = 0; i < 4; i++)
        at[i] = s[i] + (stage < 3 ? h / 2 : h) * k[stage - 1][i];
      arc(force, at, k[stage]);
    }
    for (int i = 0; i < 4; i++)
      s[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

void elastica_tip(double force, double *along, double *back)
{
  /* the curvature at the free end must vanish; it increases with the curvature at the clamp */
  double low = 0, high = force, s[4];
  for (int k = 0; k < 60; k++) {
    const double middle = (low + high) / 2;
    shoot(force, middle, s);
    *(s[1] > 0 ? &high : &low) = middle;
  }
  *along = s[3];
  *back = 1 - s[2];
}
