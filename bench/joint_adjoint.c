/* The continuous adjoint of López Varela (2022), section 7.2, in the thesis's own coordinates: the spatial
 * slider-crank by four joint coordinates z = (s, alpha, beta, theta), slide, two angles of the universal
 * joint and crank, the spherical joint cut open (three constraints), isotropic inertias as printed.
 * Integrated by ALI3-P with the trapezoidal rule; the continuous adjoint is integrated backwards by the
 * same rule over the same nodes; equations (4) to (16) of docs/theory/ali3p-continuous-adjoint.md, for a
 * mass matrix that varies. Prints errors of derivatives, relative to the largest one of a functional. Built
 * twice: numbers are double, or long double with GRADYN_BENCH_LONG, which separates round-off from the
 * error of the scheme. docs/problems/spatial-slider-crank.md has the results.
 * Usage: bench_joint_adjoint[_long] [SHORTEST STEP], s, by default 1e-4. */
#include <complex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#ifdef GRADYN_BENCH_LONG
typedef long double real;
typedef long double complex number;
#else
typedef double real;
typedef double complex number;
#endif
#define REAL(x) ((real)x##L)

enum { N = 4, M = 3, DATA = 4, FUNCTIONALS = 3, SIZE = N + M };

static const real rod_length = REAL(0.3), crank_length = REAL(0.08), gravity = REAL(9.81),
                  t_end = 5;

/* By the method explicit at a tolerance of 1e-10: gradyn gradient spatial-slider-crank --set isotropic=1. */
static const real exact[FUNCTIONALS][DATA] = {
    {REAL(0.000890933596299), REAL(6.73874691713e-05), REAL(0.00152044700601),
     -REAL(0.0126200468809)},
    {-REAL(0.0175638782526), -REAL(0.00117469799644), -REAL(0.183747325462), REAL(0.37344613143)},
    {-REAL(7.56567069161), -REAL(0.607074238999), -REAL(32.222528741), REAL(139.351133771)}};

/* m_CD, k_S1, c_S1, L_S1 of (7.32). */
static const real data[DATA] = {2, 10, 1, REAL(0.25)};

/* --- the mechanism ------------------------------------------------------------------------------ */

/* State at which equations are evaluated. */
typedef struct place {
  number z[N], v[N], a[N], lam[M], x[DATA];
} place;

/* The unit vector from the slider to the pin, e = R_x(alpha) R_y(beta) (0, 0, 1), its derivatives by both
 * angles, and its first two time derivatives. */
typedef struct direction {
  number e[3], by_alpha[3], by_beta[3], rate[3], acceleration[3];
} direction;

static direction rod(const place *p)
{
  const number sa = sin(p->z[1]), ca = cos(p->z[1]), sb = sin(p->z[2]), cb = cos(p->z[2]);
  const number da = p->v[1], db = p->v[2];
  const number aa[3] = {0, sa * cb, -ca * cb}, ab[3] = {0, ca * sb, sa * sb};
  const number bb[3] = {-sb, sa * cb, -ca * cb};
  direction d = {.e = {sb, -sa * cb, ca * cb},
                 .by_alpha = {0, -ca * cb, -sa * cb},
                 .by_beta = {cb, sa * sb, -ca * sb}};
  for (int k = 0; k < 3; k++) {
    /* e'' = e_a a'' + e_b b'' + e_aa a'^2 + 2 e_ab a' b' + e_bb b'^2 */
    d.rate[k] = d.by_alpha[k] * da + d.by_beta[k] * db;
    d.acceleration[k] = d.by_alpha[k] * p->a[1] + d.by_beta[k] * p->a[2] + aa[k] * da * da +
                        2 * ab[k] * da * db + bb[k] * db * db;
  }
  return d;
}

/* Phi, Phi' or Phi'': the rod's end is at the crank's pin, (0, 0.1, 0.12) + 0.08 (0, -sin, cos). */
static void constraints(int order, const place *p, number *phi)
{
  const direction d = rod(p);
  const number *u = order == 0 ? d.e : order == 1 ? d.rate : d.acceleration;
  const number s = sin(p->z[3]), c = cos(p->z[3]), w = p->v[3];
  const number y[3] = {s - REAL(0.1) / crank_length, c * w, c * p->a[3] - s * w * w};
  const number z[3] = {-c - REAL(0.12) / crank_length, s * w, s * p->a[3] + c * w * w};
  phi[0] = (order == 0 ? p->z : order == 1 ? p->v : p->a)[0] + rod_length * u[0];
  phi[1] = rod_length * u[1] + crank_length * y[order];
  phi[2] = rod_length * u[2] + crank_length * z[order];
}

/* R = M a + Phi_z^T lambda - Q; for projections without forces and velocity terms. */
static void residual(bool forces, const place *at, number *R)
{
  const real rod_mass = REAL(0.5), crank_mass = REAL(0.12), rod_inertia = REAL(4e-3),
             crank_inertia = REAL(1e-4);
  place p = *at;
  if (!forces)
    memset(p.v, 0, sizeof p.v);
  const direction d = rod(&p);
  const number s = sin(p.z[3]), c = cos(p.z[3]);
  /* of the rod's centre, with the weight */
  number a[3] = {p.a[0], 0, forces ? gravity : 0};
  for (int k = 0; k < 3; k++)
    a[k] += rod_length / 2 * d.acceleration[k];
  R[0] = p.x[0] * p.a[0] + rod_mass * a[0] + p.lam[0];
  R[1] = rod_inertia * p.a[1];
  R[2] = rod_inertia * p.a[2];
  for (int k = 0; k < 3; k++) {
    R[1] += rod_length * d.by_alpha[k] * (rod_mass / 2 * a[k] + p.lam[k]);
    R[2] += rod_length * d.by_beta[k] * (rod_mass / 2 * a[k] + p.lam[k]);
  }
  R[3] = (crank_inertia + crank_mass * crank_length * crank_length / 4) * p.a[3] +
         crank_length * (c * p.lam[1] + s * p.lam[2]);
  if (!forces)
    return;
  R[0] += p.x[1] * (p.z[0] + REAL(0.05) - p.x[3]) + p.x[2] * p.v[0]; /* spring and damper */
  R[3] -= crank_mass * gravity * crank_length / 2 * s;
}

/* --- derivatives by complex step ------------------------------------------------------------------- */

typedef struct node {
  real q[N], v[N], a[N], lam[M];                 /* projected */
  real v_star[N], a_star[N], sigma[M], kappa[M]; /* before, and multipliers of the projections */
} node;

/* [rows][columns] of R by z, v, a, data, and Phi_z. */
typedef struct matrices {
  real K[N][N], C[N][N], mass[N][N], X[N][DATA], J[M][N];
} matrices;

static place place_of(const real *q, const real *v, const real *a, const real *lam)
{
  place p = {{0}, {0}, {0}, {0}, {0}};
  for (int i = 0; i < N; i++) {
    p.z[i] = q[i];
    p.v[i] = v ? v[i] : 0;
    p.a[i] = a ? a[i] : 0;
    p.x[i] = data[i];
  }
  for (int i = 0; i < M; i++)
    p.lam[i] = lam ? lam[i] : 0;
  return p;
}

static const real tiny = REAL(1e-40);

/* Phi(order)_z. */
static void constraints_by_z(int order, const place *at, real J[M][N])
{
  for (int j = 0; j < N; j++) {
    place p = *at;
    number phi[M];
    p.z[j] += tiny * I;
    constraints(order, &p, phi);
    for (int i = 0; i < M; i++)
      J[i][j] = cimag(phi[i]) / tiny;
  }
}

static void differentiate(bool forces, const place *at, matrices *m)
{
  for (int j = 0; j < 4 * N; j++) {
    place p = *at;
    number R[N];
    number *const by[4] = {p.z, p.v, p.a, p.x};
    by[j / N][j % N] += tiny * I;
    residual(forces, &p, R);
    for (int i = 0; i < N; i++) {
      real *const row[4] = {m->K[i], m->C[i], m->mass[i], m->X[i]};
      row[j / N][j % N] = cimag(R[i]) / tiny;
    }
  }
  constraints_by_z(0, at, m->J);
}

/* --- linear algebra -------------------------------------------------------------------------------- */

/* b := A^-1 b by Gauss's elimination with pivots of columns. */
static void solve(int n, real matrix[SIZE][SIZE], real *b)
{
  real A[SIZE][SIZE];
  memcpy(A, matrix, sizeof A);
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      p = fabs(A[i][k]) > fabs(A[p][k]) ? i : p;
    /* rows k and p change places */
    for (int j = 0; j <= n; j++) {
      real *x = j < n ? &A[k][j] : &b[k], *y = j < n ? &A[p][j] : &b[p], kept = *x;
      *x = *y;
      *y = kept;
    }
    for (int i = k + 1; i < n; i++) {
      const real f = A[i][k] / A[k][k];
      for (int j = k; j < n; j++)
        A[i][j] -= f * A[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++)
      b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
}

/* S = [M + c C + k K, J^T; J, 0], the upper left block transposed for adjoints. */
static void saddle(const matrices *m, real c, real k, bool transposed, real S[SIZE][SIZE])
{
  memset(S, 0, sizeof(real[SIZE][SIZE]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      S[transposed ? j : i][transposed ? i : j] = m->mass[i][j] + c * m->C[i][j] + k * m->K[i][j];
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      S[N + i][j] = S[j][N + i] = m->J[i][j];
}

/* y += f A x, y += f A^T x for A [rows][columns]. */
static void add(int rows, int columns, const real *A, real f, const real *x, real *y)
{
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      y[i] += f * A[i * columns + j] * x[j];
}

static void add_transposed(int rows, int columns, const real *A, real f, const real *x, real *y)
{
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      y[j] += f * A[i * columns + j] * x[i];
}

/* --- the simulation ---------------------------------------------------------------------------------- */

/* -(R; Phi(order)), without R where it is zero. */
static void right_side(const place *p, bool motion, int order, real scale, real *b)
{
  number R[N] = {0}, phi[M];
  if (motion)
    residual(true, p, R);
  constraints(order, p, phi);
  for (int i = 0; i < N; i++)
    b[i] = -creal(R[i]);
  for (int i = 0; i < M; i++)
    b[N + i] = -creal(phi[i]) * scale;
}

/* The crank upright at 6 rad/s, the slider at 0.2 m: e = (-0.2, 0.1, 0.2)/0.3. */
static void start(node *n)
{
  matrices m;
  real S[SIZE][SIZE], b[SIZE];
  memset(n, 0, sizeof *n);
  n->q[0] = REAL(0.2);
  n->q[1] = atan2((real)-REAL(0.1), (real)REAL(0.2));
  n->q[2] = -asin((real)2 / 3);
  n->v[3] = 6;
  /* the other rates from Phi' = 0 */
  place p = place_of(n->q, n->v, NULL, NULL);
  constraints_by_z(0, &p, m.J);
  memset(S, 0, sizeof S);
  for (int i = 0; i < M; i++)
    memcpy(S[i], m.J[i], M * sizeof(real));
  right_side(&p, false, 1, 1, b);
  solve(M, S, b + N);
  memcpy(n->v, b + N, M * sizeof(real));
  /* accelerations and multipliers from the equation of motion with Phi'' = 0 */
  p = place_of(n->q, n->v, NULL, NULL);
  differentiate(true, &p, &m);
  saddle(&m, 0, 0, false, S);
  right_side(&p, true, 2, 1, b);
  solve(SIZE, S, b);
  memcpy(n->a, b, sizeof n->a);
  memcpy(n->lam, b + N, sizeof n->lam);
  memcpy(n->v_star, n->v, sizeof n->v);
  memcpy(n->a_star, n->a, sizeof n->a);
}

/* v* and a* of the trapezoidal rule for q', by the node before. */
static void integrate(const node *from, real h, node *to)
{
  for (int i = 0; i < N; i++) {
    const real dq = to->q[i] - from->q[i];
    to->v_star[i] = 2 * dq / h - from->v[i];
    to->a_star[i] = 4 * (dq - h * from->v[i]) / (h * h) - from->a[i];
  }
}

/* x = x* + w with M w + Phi_z^T mult = 0, Phi'(z, v) = 0 (order 1) or Phi''(z, v, a) = 0 (order 2). */
static void project(int order, real S[SIZE][SIZE], node *n)
{
  const real *star = order == 1 ? n->v_star : n->a_star;
  real b[SIZE], *x = order == 1 ? n->v : n->a, *mult = order == 1 ? n->sigma : n->kappa;
  const place p = place_of(n->q, order == 1 ? n->v_star : n->v, n->a_star, NULL);
  right_side(&p, false, order, 1, b);
  solve(SIZE, S, b);
  for (int i = 0; i < N; i++)
    x[i] = star[i] + b[i];
  memcpy(mult, b + N, M * sizeof(real));
}

/* R(q', v*, a*, lam*) = 0 and Phi(q') = 0 by Newton's method, then both projections. */
static void step(const node *from, real h, node *to)
{
  enum { ITERATIONS = 4 };
  matrices m;
  real S[SIZE][SIZE], b[SIZE];
  for (int i = 0; i < N; i++)
    to->q[i] = from->q[i] + h * from->v[i] + h * h / 2 * from->a[i];
  memcpy(to->lam, from->lam, sizeof to->lam);
  for (int k = 0; k < ITERATIONS; k++) {
    integrate(from, h, to);
    const place p = place_of(to->q, to->v_star, to->a_star, to->lam);
    differentiate(true, &p, &m);
    saddle(&m, h / 2, h * h / 4, false, S);
    right_side(&p, true, 0, 4 / (h * h), b);
    solve(SIZE, S, b);
    for (int i = 0; i < N; i++)
      to->q[i] += h * h / 4 * b[i];
    for (int i = 0; i < M; i++)
      to->lam[i] += b[N + i];
  }
  integrate(from, h, to);
  /* lam is lam*: that of the projected acceleration is not needed here */
  const place p = place_of(to->q, NULL, NULL, NULL);
  differentiate(false, &p, &m);
  saddle(&m, 0, 0, false, S);
  project(1, S, to);
  project(2, S, to);
}

/* --- the adjoint -------------------------------------------------------------------------------------- */

/* A node with the adjoints of its projections, (alpha; kappa^) and (beta; sigma^), and c of (5). */
typedef struct stage {
  matrices m, w, u; /* of the motion, and of both projections */
  real rate[M][N], alpha[SIZE], beta[SIZE], c[N];
} stage;

/* Integrated quantities: mu1, p = M (mu2 - alpha) and their rates; mu2. */
typedef struct adjoints {
  real mu1[N], mu1_rate[N], p[N], p_rate[N], mu2[N], bar[DATA];
} adjoints;

static void visit(int functional, const node *n, stage *s)
{
  real S[SIZE][SIZE], second[M][N], w[N], u[N];
  for (int i = 0; i < N; i++) {
    w[i] = n->v[i] - n->v_star[i];
    u[i] = n->a[i] - n->a_star[i];
  }
  const place motion = place_of(n->q, n->v_star, n->a_star, n->lam);
  const place velocity = place_of(n->q, NULL, w, n->sigma);
  const place acceleration = place_of(n->q, NULL, u, n->kappa),
              whole = place_of(n->q, n->v, n->a, NULL);
  differentiate(true, &motion, &s->m);
  differentiate(false, &velocity, &s->w);
  differentiate(false, &acceleration, &s->u);
  constraints_by_z(1, &whole, s->rate);
  constraints_by_z(2, &whole, second);
  saddle(&s->m, 0, 0, true, S);
  memset(s->alpha, 0, sizeof s->alpha);
  memset(s->beta, 0, sizeof s->beta);
  memset(s->c, 0, sizeof s->c);
  /* g = (s - 0.2)^2, s'^2, s''^2: D is 0.05 m beyond the slider, its target 0.25 m; (8), (9) */
  s->alpha[0] = functional == 2 ? 2 * n->a[0] : 0;
  solve(SIZE, S, s->alpha);
  s->beta[0] = functional == 1 ? 2 * n->v[0] : 0;
  add_transposed(M, N, s->rate[0], -2, s->alpha + N, s->beta);
  solve(SIZE, S, s->beta);
  /* c = H_u^T alpha + Phi''_z^T kappa^ + H_w^T beta + Phi'_z^T sigma^ - g_z */
  add_transposed(N, N, s->u.K[0], 1, s->alpha, s->c);
  add_transposed(M, N, second[0], 1, s->alpha + N, s->c);
  add_transposed(N, N, s->w.K[0], 1, s->beta, s->c);
  add_transposed(M, N, s->rate[0], 1, s->beta + N, s->c);
  s->c[0] -= functional == 0 ? 2 * (n->q[0] - REAL(0.2)) : 0;
}

/* p and p' of (4) and (6), and the integrand of (15): constraints have none of the data. */
static void finish_node(const stage *s, real weight, adjoints *a)
{
  real d[N];
  for (int i = 0; i < N; i++)
    d[i] = a->mu2[i] - s->alpha[i];
  memset(a->p, 0, sizeof a->p);
  add(N, N, s->m.mass[0], 1, d, a->p);
  for (int i = 0; i < N; i++)
    a->p_rate[i] = -a->mu1[i];
  add_transposed(N, N, s->m.C[0], 1, a->mu2, a->p_rate);
  add(N, N, s->m.mass[0], -1, s->beta, a->p_rate);
  add_transposed(N, DATA, s->m.X[0], -weight, a->mu2, a->bar);
  add_transposed(N, DATA, s->w.X[0], -weight, s->beta, a->bar);
  add_transposed(N, DATA, s->u.X[0], -weight, s->alpha, a->bar);
}

/* (12) to (14); alpha' from the node before. */
static void end(const stage *before, const stage *s, real h, adjoints *a)
{
  real S[SIZE][SIZE], b[SIZE] = {0}, r[SIZE] = {0}, d[N];
  memset(a, 0, sizeof *a);
  saddle(&s->m, 0, 0, true, S);
  add(N, N, s->m.mass[0], 1, s->alpha, b);
  solve(SIZE, S, b); /* mu2 and -eta */
  memcpy(a->mu2, b, sizeof a->mu2);
  add_transposed(M, N, s->rate[0], -1, b + N, a->mu1);
  for (int i = 0; i < N; i++) {
    d[i] = (s->alpha[i] - before->alpha[i]) / h;
    r[i] = -a->mu1[i];
  }
  add(N, N, s->m.mass[0], 1, d, r);
  add_transposed(N, N, s->m.C[0], 1, a->mu2, r);
  add(N, N, s->m.mass[0], -1, s->beta, r);
  add(M, N, s->rate[0], -1, a->mu2, r + N);
  solve(SIZE, S, r);
  add_transposed(M, N, s->m.J[0], 1, r + N, a->mu1); /* eta0 */
  memcpy(a->mu1_rate, s->c, sizeof a->mu1_rate);
  add_transposed(N, N, s->m.K[0], 1, a->mu2, a->mu1_rate); /* mu_Phi = 0 */
  finish_node(s, h / 2, a);
}

/* (16). */
static void step_back(const stage *s, real h, real weight, adjoints *a)
{
  real S[SIZE][SIZE], b[SIZE] = {0}, d[N];
  for (int i = 0; i < N; i++) {
    a->mu1[i] -= h / 2 * a->mu1_rate[i];
    d[i] = s->alpha[i] + h / 2 * s->beta[i];
    b[i] = a->p[i] - h / 2 * a->p_rate[i] + h / 2 * (a->mu1[i] - h / 2 * s->c[i]);
  }
  add(N, N, s->m.mass[0], 1, d, b);
  saddle(&s->m, h / 2, h * h / 4, true, S);
  solve(SIZE, S, b);
  memcpy(a->mu2, b, sizeof a->mu2);
  for (int i = 0; i < M; i++) /* mu_Phi */
    b[N + i] *= 4 / (h * h);
  memcpy(a->mu1_rate, s->c, sizeof a->mu1_rate);
  add_transposed(N, N, s->m.K[0], 1, a->mu2, a->mu1_rate);
  add_transposed(M, N, s->m.J[0], 1, b + N, a->mu1_rate);
  for (int i = 0; i < N; i++)
    a->mu1[i] -= h / 2 * a->mu1_rate[i];
  finish_node(s, weight, a);
}

/* Largest error of a functional's derivatives over the largest of them. The initial state depends on none of
 * the data. */
static real error_of(int functional, const node *nodes, int steps, real h)
{
  stage before, s;
  adjoints a;
  real off = 0, most = 0;
  visit(functional, &nodes[steps - 1], &before);
  visit(functional, &nodes[steps], &s);
  end(&before, &s, h, &a);
  for (int k = steps - 1; k >= 0; k--) {
    visit(functional, &nodes[k], &s);
    step_back(&s, h, k == 0 ? h / 2 : h, &a);
  }
  for (int i = 0; i < DATA; i++) {
    off = fmax(off, fabs(a.bar[i] - exact[functional][i]));
    most = fmax(most, fabs(exact[functional][i]));
  }
  return off / most;
}

int main(int argc, char **argv)
{
  static const double length[] = {1e-3, 5e-4, 2.5e-4, 1e-4, 5e-5};
  const double shortest = argc > 1 ? atof(argv[1]) : 1e-4;
  printf("continuous adjoint in joint coordinates, %d-byte numbers: errors of derivatives\n"
         "step (s)      psi1      psi2      psi3\n",
         (int)sizeof(real));
  for (size_t i = 0; i < sizeof length / sizeof *length && length[i] >= 0.999 * shortest; i++) {
    const int steps = (int)((double)t_end / length[i] + 0.5);
    const real h = t_end / (real)steps;
    node *nodes = calloc((size_t)steps + 1, sizeof *nodes);
    if (!nodes)
      return 1;
    start(&nodes[0]);
    for (int k = 0; k < steps; k++)
      step(&nodes[k], h, &nodes[k + 1]);
    printf("%-8g", length[i]);
    for (int f = 0; f < FUNCTIONALS; f++)
      printf("  %8.2g", (double)error_of(f, nodes, steps, h));
    printf("\n");
    (void)fflush(stdout);
    free(nodes);
  }
  return 0;
}
