/* The ANCF beam with Green's strain and the exact curvature, Ebrahimi et al. (2018), eq. (32).
 *
 * At each integration point, all terms are functions of p = r', q = l r'' and their rates p1, q1 (see
 * ancf_local.h). Energy and dissipation per unit of xi are
 *   1/2 (c0 eps^2 + c2 k),          eps = (a - 1)/2,  k = l^2 kappa^2 = (a c - b^2)/a^3,
 *   1/2 (c1 (p.p1)^2 + c3 e.e),     e = l n_t = P h/a,
 * a = p.p, b = p.q, c = q.q, s = p.p1, P = 1 - p p^T/a, h = q1 - 2 (s/a) q - (b/a) p1, with the factors c of
 * mbs_ancf_factors(). (n = q/a - b p/a^2; in its rate, P removes multiples of p.) Axial terms use Lobatto
 * points, which include the ends, where r' is a coordinate. Bending terms use Gauss points. */
#include "mbs/beams/ancf_kernels.h"

enum { AXIAL_POINTS = 3, BENDING_POINTS = 3 };

/* An integration point: its weight, and the derivatives N' (slope) and N'' (bend) of the shape functions
 * there. */
typedef struct rule {
  double weight, slope[3], bend[3];
} rule;

/* xi = 0, 1/2, 1 */
static const rule axial_rule[AXIAL_POINTS] = {
    {1.0 / 6, {1, 0, 0}, {0}}, {4.0 / 6, {-0.25, 1.5, -0.25}, {0}}, {1.0 / 6, {0, 0, 1}, {0}}};

/* xi = (1 - ROOT)/2, 1/2, (1 + ROOT)/2 */
#define ROOT 0.77459666924148337704 /* sqrt(3/5) */
static const rule bending_rule[BENDING_POINTS] = {
    {5.0 / 18, {0.2 + ROOT / 2, 0.6, 0.2 - ROOT / 2}, {-1 - 3 * ROOT, 6 * ROOT, 1 - 3 * ROOT}},
    {8.0 / 18, {-0.25, 1.5, -0.25}, {-1, 0, 1}},
    {5.0 / 18, {0.2 - ROOT / 2, 0.6, 0.2 + ROOT / 2}, {-1 + 3 * ROOT, -6 * ROOT, 1 + 3 * ROOT}}};

/* Kinematics of an integration point of the beam. */
typedef struct point {
  double p[3], q[3], p1[3], q1[3]; /* [dim] r', l r'' and their rates */
  double a, b, c;                  /* p.p, p.q, q.q */
  double s;                        /* p.p1, the rate of eps */
  double h[3], e[3];               /* [dim] rate of curvature before and after projection */
  double beta;                     /* p.h/a */
} point;

MBS_INLINE void combine(int dim, const double N[3], const double *w, double *r)
{
  for (int i = 0; i < dim; i++)
    /* r = sum of N_n w_n over the three reduced vectors w_n [dim] */
    r[i] = N[0] * w[i] + N[1] * w[dim + i] + N[2] * w[2 * dim + i];
}

MBS_INLINE void position(int dim, const rule *x, const double *w, point *at)
{
  combine(dim, x->slope, w, at->p);
  combine(dim, x->bend, w, at->q);
  at->a = mbs_dot(dim, at->p, at->p);
  at->b = mbs_dot(dim, at->p, at->q);
  at->c = mbs_dot(dim, at->q, at->q);
}

MBS_INLINE void move(int dim, const rule *x, const double *z, point *at)
{
  combine(dim, x->slope, z, at->p1); /* p' = N' z, q' = N'' z */
  combine(dim, x->bend, z, at->q1);
  at->s = mbs_dot(dim, at->p, at->p1); /* s = p.p' = eps' */
  for (int i = 0; i < dim; i++)
    /* h = q1 - 2 (s/a) q - (b/a) p1 */
    at->h[i] = at->q1[i] - (2 * at->s * at->q[i] + at->b * at->p1[i]) / at->a;
  at->beta = mbs_dot(dim, at->p, at->h) / at->a; /* beta = p.h/a */
  for (int i = 0; i < dim; i++)
    at->e[i] = (at->h[i] - at->beta * at->p[i]) / at->a; /* e = (h - beta p)/a */
}

/* k and its derivatives by a, b, c. */
typedef struct curvature {
  double k, a, b, c, aa, ab, ac, bb; /* chain rule: k depends on p, q through a, b, c */
} curvature;

/* k = (a c - b^2)/a^3 with a = p.p, b = p.q, c = q.q, and its first and second derivatives. */
MBS_INLINE curvature curve(double a, double b, double c)
{
  const double r = 1 / a, r2 = r * r, r3 = r2 * r, r4 = r2 * r2;
  return (curvature){.k = (a * c - b * b) * r3, /* (|p|^2 |q|^2 - (p.q)^2)/|p|^6 */
                     .a = (3 * b * b - 2 * a * c) * r4,
                     .b = -2 * b * r3,
                     .c = r2,
                     .aa = (6 * a * c - 12 * b * b) * (r4 * r),
                     .ab = 6 * b * r4,
                     .ac = -2 * r3,
                     .bb = -2 * r3};
}

/* Computes the forces R [2][dim] of elastic bending on p and q, without their factor. */
MBS_INLINE void pull(int dim, const point *at, double R[2][3])
{
  const curvature k = curve(at->a, at->b, at->c);
  for (int i = 0; i < dim; i++) {
    R[0][i] = -(k.a * at->p[i] + 0.5 * k.b * at->q[i]); /* -1/2 dk/dp */
    R[1][i] = -(0.5 * k.b * at->p[i] + k.c * at->q[i]); /* -1/2 dk/dq */
  }
}

/* Damping forces on p and q: minus the derivatives of 1/2 e.e by p1 and q1, with P e = e. */
MBS_INLINE void damp(int dim, const point *at, double R[2][3])
{
  const double qe = mbs_dot(dim, at->q, at->e), a2 = at->a * at->a;
  for (int i = 0; i < dim; i++) {
    R[0][i] = (2 * qe * at->p[i] + at->b * at->e[i]) / a2; /* -(e_p1)^T e */
    R[1][i] = -at->e[i] / at->a;                           /* -(e_q1)^T e */
  }
}

/* F += weight (N'^T R0 + N''^T R1) */
MBS_INLINE void collect(int dim, const rule *x, double R[2][3], double *F)
{
  for (int n = 0; n < 3; n++)
    for (int i = 0; i < dim; i++)
      F[n * dim + i] += x->weight * (x->slope[n] * R[0][i] + x->bend[n] * R[1][i]);
}

/* F += weight N'^T p factor, for the axial forces -eps p and -s p. */
MBS_INLINE void collect_axial(int dim, const rule *x, const double *p, double factor, double *F)
{
  for (int n = 0; n < 3; n++)
    for (int i = 0; i < dim; i++)
      F[n * dim + i] += x->weight * factor * x->slope[n] * p[i];
}

/* Adds the axial force: the Green strain is eps = (p.p - 1)/2, the stress c0 eps + c1 eps'. */
MBS_INLINE void axial_force(int dim, const double c[PARTS], const double *w, const double *z,
                            double *F)
{
  double p[3], p1[3];
  for (int g = 0; g < AXIAL_POINTS; g++) {
    /* f_w = -(c0 eps + c1 s) int N'^T p */
    const rule *x = &axial_rule[g];
    combine(dim, x->slope, w, p);
    combine(dim, x->slope, z, p1);
    const double eps = 0.5 * (mbs_dot(dim, p, p) - 1), s = mbs_dot(dim, p, p1);
    collect_axial(dim, x, p, -c[AXIAL] * eps - c[AXIAL_RATE] * s, F);
  }
}

/* Adds the bending force, which follows from the curvature at Gauss points. R: forces on p and q. */
MBS_INLINE void bending_force(int dim, const double c[PARTS], const double *w, const double *z,
                              double *F)
{
  double R[2][3], rate[2][3] = {{0}};
  point at;
  for (int g = 0; g < BENDING_POINTS; g++) {
    const rule *x = &bending_rule[g];
    position(dim, x, w, &at);
    pull(dim, &at, R);
    if (c[BENDING_RATE] != 0) { /* rates are needed for damping only */
      move(dim, x, z, &at);
      damp(dim, &at, rate);
    }
    /* elastic forces have the factor c2, damping forces c3 */
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < dim; i++)
        R[k][i] = c[BENDING] * R[k][i] + c[BENDING_RATE] * rate[k][i];
    collect(dim, x, R, F);
  }
}

/* Computes the force F on w; the caller clears F. */
MBS_INLINE void total(int dim, const double c[PARTS], const double *w, const double *z, double *F)
{
  axial_force(dim, c, w, z, F);
  bending_force(dim, c, w, z, F);
}

/* Computes each part of the force with factor one: the force is linear in its four factors. */
MBS_INLINE void parts(int dim, const double *w, const double *z, double F[PARTS][9])
{
  for (int k = 0; k < PARTS; k++) {
    double one[PARTS] = {0};
    one[k] = 1;
    mbs_ancf_clear(3 * dim, F[k]);
    if (k == AXIAL || k == AXIAL_RATE)
      axial_force(dim, one, w, z, F[k]);
    else
      bending_force(dim, one, w, z, F[k]);
  }
}

/* Derivatives of the forces on p and q (first index) by p and q (second index), each [dim][dim]. */
typedef double blocks[2][2][3][3];

/* S: minus the second derivatives of 1/2 c2 k, of elastic bending. */
MBS_INLINE void stiffen(int dim, const point *at, double c2, blocks S)
{
  const double *p = at->p, *q = at->q;
  const curvature k = curve(at->a, at->b, at->c);
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) {
      /* -c2 d^2(k/2)/dp dp and so on: a by p is 2 p, b by p is q, b by q is p, c by q is 2 q */
      const double one = i == j, pp = p[i] * p[j], qq = q[i] * q[j];
      const double pq = p[i] * q[j], qp = q[i] * p[j];
      S[0][0][i][j] = -c2 * (k.a * one + 2 * k.aa * pp + k.ab * (pq + qp) + 0.5 * k.bb * qq);
      S[0][1][i][j] = -c2 * (0.5 * k.b * one + k.ab * pp + 2 * k.ac * pq + 0.5 * k.bb * qp);
      S[1][0][j][i] = S[0][1][i][j]; /* symmetric */
      S[1][1][i][j] = -c2 * (k.c * one + 0.5 * k.bb * pp);
    }
}

/* Derivatives of e by p, q (by_place) and p1, q1 (by_rate), [2][dim][dim]:
 *   de = (P (dh - beta dp) - p (e.dp) - 2 e (p.dp))/a,
 *   dh = dq1 - 2 (s/a) dq - (b/a) dp1 - 2 q d(s/a) - p1 d(b/a). */
MBS_INLINE void bend_rate(int dim, const point *at, double by_place[2][3][3],
                          double by_rate[2][3][3])
{
  const double *p = at->p, *q = at->q, *p1 = at->p1, *e = at->e;
  const double r = 1 / at->a, s = at->s * r, b = at->b * r;
  for (int i = 0; i < dim; i++) {
    const double Pq = q[i] - b * p[i], Pp1 = p1[i] - s * p[i]; /* P q, P p1 */
    for (int j = 0; j < dim; j++) {
      const double P = (double)(i == j) - p[i] * p[j] * r;
      /* (s/a)_p, (b/a)_p */
      const double s_p = (p1[j] - 2 * s * p[j]) * r, b_p = (q[j] - 2 * b * p[j]) * r;
      by_place[0][i][j] =
          (-2 * Pq * s_p - Pp1 * b_p - at->beta * P - p[i] * e[j] - 2 * e[i] * p[j]) * r;
      by_place[1][i][j] = (-2 * s * P - Pp1 * p[j] * r) * r;
      by_rate[0][i][j] = (-b * P - 2 * Pq * p[j] * r) * r;
      by_rate[1][i][j] = P * r;
    }
  }
}

/* Adds the derivatives of the damping forces R of damp() that come from E, the derivatives of e by one
 * variable. R0 = (2 p (q.e) + b e)/a^2, R1 = -e/a. `to` has the blocks [force][2] of the derivative. `var`
 * is 0 for p or p1, 1 for q or q1. */
MBS_INLINE void follow(int dim, const point *at, double c3, double E[3][3], int var, blocks to)
{
  const double r = 1 / at->a, to0 = c3 * r * r, to1 = c3 * r;
  for (int j = 0; j < dim; j++) {
    double qE = 0; /* (q.E)_j */
    for (int i = 0; i < dim; i++)
      qE += at->q[i] * E[i][j];
    for (int i = 0; i < dim; i++) {
      to[0][var][i][j] += to0 * (2 * at->p[i] * qE + at->b * E[i][j]);
      to[1][var][i][j] -= to1 * E[i][j];
    }
  }
}

/* Adds the derivatives of damping forces by p, q to S; sets C to their derivatives by p1, q1. */
MBS_INLINE void damp_state(int dim, const point *at, double c3, blocks S, blocks C)
{
  const double *p = at->p, *q = at->q, *e = at->e;
  const double r = 1 / at->a, r2 = r * r, qe = mbs_dot(dim, q, e);
  double by_place[2][3][3], by_rate[2][3][3];
  bend_rate(dim, at, by_place, by_rate); /* derivatives of e */
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) {
      /* derivatives at constant e; follow() adds the derivatives through e */
      const double one = i == j, R0 = (2 * qe * p[i] + at->b * e[i]) * r2, R1 = -e[i] * r;
      S[0][0][i][j] += c3 * ((2 * qe * one + e[i] * q[j]) * r2 - 4 * R0 * p[j] * r);
      S[0][1][i][j] += c3 * (2 * p[i] * e[j] + e[i] * p[j]) * r2;
      S[1][0][i][j] -= c3 * 2 * R1 * p[j] * r;
      C[0][0][i][j] = C[0][1][i][j] = C[1][0][i][j] = C[1][1][i][j] = 0;
    }
  for (int k = 0; k < 2; k++) {
    follow(dim, at, c3, by_place[k], k, S);
    follow(dim, at, c3, by_rate[k], k, C); /* rates occur in e only */
  }
}

/* K += weight (N', N'')^T S (N', N''), [3 dim][3 dim]. */
MBS_INLINE void collect_matrix(int dim, const rule *x, blocks S, double *K)
{
  double half[2][3][9]; /* [force][component][column]: weight S (N', N'') */
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < dim; i++)
      for (int n = 0; n < 3; n++)
        for (int j = 0; j < dim; j++)
          half[k][i][n * dim + j] = x->weight *
                                    (S[k][0][i][j] * x->slope[n] + S[k][1][i][j] * x->bend[n]);
  for (int n = 0; n < 3; n++)
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < 3 * dim; j++)
        K[3 * dim * (n * dim + i) + j] += x->slope[n] * half[0][i][j] + x->bend[n] * half[1][i][j];
}

/* K += weight N'^T S N' */
MBS_INLINE void collect_axial_matrix(int dim, const rule *x, double S[3][3], double *K)
{
  for (int n = 0; n < 3; n++)
    for (int k = 0; k < 3; k++) {
      const double factor = x->weight * x->slope[n] * x->slope[k];
      for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++)
          K[3 * dim * (n * dim + i) + k * dim + j] += factor * S[i][j];
    }
}

/* Adds the derivatives of axial forces by w to K, by z to D. */
MBS_INLINE void axial_state(int dim, const double c[PARTS], const double *w, const double *z,
                            double *K, double *D)
{
  double p[3], p1[3], S[3][3], C[3][3];
  for (int g = 0; g < AXIAL_POINTS; g++) {
    const rule *x = &axial_rule[g];
    combine(dim, x->slope, w, p);
    combine(dim, x->slope, z, p1);
    const double eps = 0.5 * (mbs_dot(dim, p, p) - 1), s = mbs_dot(dim, p, p1);
    const double tension = c[AXIAL] * eps + c[AXIAL_RATE] * s;
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++) {
        /* -d((c0 eps + c1 s) p)/dp, with ds = p1.dp */
        S[i][j] = -(i == j ? tension : 0) - p[i] * (c[AXIAL] * p[j] + c[AXIAL_RATE] * p1[j]);
        C[i][j] = -c[AXIAL_RATE] * p[i] * p[j]; /* -c1 p p^T */
      }
    collect_axial_matrix(dim, x, S, K);
    if (c[AXIAL_RATE] != 0)
      collect_axial_matrix(dim, x, C, D);
  }
}

/* As axial_state(), for bending forces. */
MBS_INLINE void bending_state(int dim, const double c[PARTS], const double *w, const double *z,
                              double *K, double *D)
{
  point at;
  blocks S, C;
  for (int g = 0; g < BENDING_POINTS; g++) {
    const rule *x = &bending_rule[g];
    position(dim, x, w, &at);
    stiffen(dim, &at, c[BENDING], S);
    if (c[BENDING_RATE] != 0) { /* only damping depends on rates */
      move(dim, x, z, &at);
      damp_state(dim, &at, c[BENDING_RATE], S, C);
      collect_matrix(dim, x, C, D);
    }
    collect_matrix(dim, x, S, K);
  }
}

/* Computes K = dF/dw and D = dF/dz; the caller clears K and D. */
MBS_INLINE void tangent(int dim, const double c[PARTS], const double *w, const double *z, double *K,
                        double *D)
{
  axial_state(dim, c, w, z, K, D);
  bending_state(dim, c, w, z, K, D);
}

MBS_ANCF_FUNCTIONS(total, parts, tangent)

/* Computes eps and kappa^2 at xi, with their derivatives by u and l. */
static void strain(const mbs_ancf *b, const double *u, double xi, mbs_ancf_strain *out)
{
  const int dim = b->dim;
  const double l = b->l;
  /* derivatives of the shape functions at xi */
  const double N1[3] = {1 - 4 * xi + 3 * xi * xi, 6 * xi - 6 * xi * xi, 3 * xi * xi - 2 * xi};
  const double N2[3] = {6 * xi - 4, 6 - 12 * xi, 6 * xi - 2};
  double w[9], p[3], q[3], eps_w[9], k_w[9];
  mbs_ancf_reduce(dim, l, u, w);
  combine(dim, N1, w, p);
  combine(dim, N2, w, q);
  const double a = mbs_dot(dim, p, p);
  const curvature k = curve(a, mbs_dot(dim, p, q), mbs_dot(dim, q, q));
  out->eps = 0.5 * (a - 1);
  out->kappa2 = k.k / (l * l); /* k = l^2 kappa^2 */
  for (int n = 0; n < 3; n++)
    for (int i = 0; i < dim; i++) {
      eps_w[n * dim + i] = N1[n] * p[i]; /* eps_w = N'^T p */
      /* k_w = N'^T (2 k_a p + k_b q) + N''^T (k_b p + 2 k_c q) */
      k_w[n * dim + i] =
          (N1[n] * (2 * k.a * p[i] + k.b * q[i]) + N2[n] * (k.b * p[i] + 2 * k.c * q[i])) / (l * l);
    }
  mbs_ancf_strain_slopes(dim, l, w, eps_w, k_w, out);
}

/* U = E (A/2 int eps^2 dx + I/2 int kappa^2 dx), and its derivatives by u and data. */
static double energy(const mbs_ancf *b, const double *u, double *U_u, double *U_data)
{
  const int dim = b->dim;
  const mbs_ancf still = {dim, b->l, b->E, b->A, b->I2, 0}; /* without damping */
  const double rest[MBS_ANCF_MAX] = {0};
  double axial = 0, bending = 0, w[9];
  point at;
  mbs_ancf_reduce(dim, b->l, u, w);
  for (int g = 0; g < AXIAL_POINTS; g++) {
    position(dim, &axial_rule[g], w, &at);
    axial += axial_rule[g].weight * (at.a - 1) * (at.a - 1) / 8; /* eps^2/2 = (a - 1)^2/8 */
  }
  for (int g = 0; g < BENDING_POINTS; g++) {
    position(dim, &bending_rule[g], w, &at);
    bending += bending_rule[g].weight * curve(at.a, at.b, at.c).k / 2;
  }
  force(&still, u, rest, U_u);
  for (int k = 0; k < 4 * dim; k++) /* U_u = -f */
    U_u[k] = -U_u[k];
  /* dU/dd = l dU/dr_j */
  return mbs_ancf_energy(b, axial, bending, b->l * mbs_dot(dim, U_u + 2 * dim, w + dim), U_data);
}

const mbs_ancf_ops mbs_ancf_full = {.name = "full",
                                    .force = force,
                                    .force_state = force_state,
                                    .force_data = force_data,
                                    .strain = strain,
                                    .energy = energy};
