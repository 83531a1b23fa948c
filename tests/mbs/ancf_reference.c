/* The ANCF beam element from its definitions; see ancf_reference.h. */
#include "tests/mbs/ancf_reference.h"

#define STEP 1e-40

/* Gauss points, and for axial terms of the full model Lobatto points, as fractions of l. */
static const double node[3] = {0.5 - 0.38729833462074168852, 0.5, 0.5 + 0.38729833462074168852};
static const double weight[3] = {5.0 / 18, 4.0 / 9, 5.0 / 18};
static const double end_weight[3] = {1.0 / 6, 2.0 / 3, 1.0 / 6};

void reference_field(const reference *r, const scalar *u, scalar x, int derivative, scalar *field)
{
  const scalar l = r->data[0], s = x / l;
  const scalar N[3][4] = {
      {1 - 3 * s * s + 2 * s * s * s, l * (s - 2 * s * s + s * s * s), 3 * s * s - 2 * s * s * s,
       l * (s * s * s - s * s)},
      {6 * (s * s - s) / l, 1 - 4 * s + 3 * s * s, 6 * (s - s * s) / l, 3 * s * s - 2 * s},
      {(12 * s - 6) / (l * l), (6 * s - 4) / l, (6 - 12 * s) / (l * l), (6 * s - 2) / l}};
  field[2] = 0;
  for (int i = 0; i < r->dim; i++) {
    field[i] = 0;
    for (int a = 0; a < 4; a++)
      field[i] += N[derivative][a] * u[a * r->dim + i];
  }
}

static scalar dot(const scalar *a, const scalar *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const scalar *a, const scalar *b, scalar *c)
{
  for (int i = 0; i < 3; i++)
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Chord r_j - r_i of positions or velocities. */
static void chord(const reference *r, const scalar *u, scalar *d)
{
  d[2] = 0;
  for (int i = 0; i < r->dim; i++)
    d[i] = u[2 * r->dim + i] - u[i];
}

/* Curvature vector k = r' x r''/|r'|^3, or r'' in the linear model. */
static void curvature(const reference *r, scalar x, scalar *k)
{
  scalar p[3];
  reference_field(r, r->u, x, 2, k);
  if (!r->full)
    return;
  scalar q[3] = {k[0], k[1], k[2]};
  reference_field(r, r->u, x, 1, p);
  cross(p, q, k);
  for (int i = 0; i < 3; i++)
    k[i] /= csqrt(dot(p, p)) * dot(p, p);
}

void reference_strain(const reference *r, scalar x, scalar *eps, scalar *kappa2)
{
  scalar p[3], d[3], k[3];
  reference_field(r, r->u, x, 1, p);
  chord(r, r->u, d);
  curvature(r, x, k);
  *eps = r->full ? (dot(p, p) - 1) / 2 : csqrt(dot(d, d)) / r->data[0] - 1;
  *kappa2 = dot(k, k);
}

/* Rates of the curvature vector and of eps. The rate of k = p x q/|p|^3 follows by the product rule. Of the
 * rotation, the part along the tangent (full model) or the rotation of the chord, Omega x r'' (linear
 * model), is removed. */
static void rates(const reference *r, scalar x, scalar *eps_t, scalar *k_t)
{
  scalar p[3], q[3], p1[3], q1[3], k[3], c[3];
  reference_field(r, r->u, x, 1, p);
  reference_field(r, r->u, x, 2, q);
  reference_field(r, r->v, x, 1, p1);
  reference_field(r, r->v, x, 2, q1);
  if (r->full) {
    const scalar a = dot(p, p), n = csqrt(a);
    *eps_t = dot(p, p1);
    cross(p1, q, k);
    cross(p, q1, k_t);
    cross(p, q, c);
    for (int i = 0; i < 3; i++)
      k_t[i] = (k[i] + k_t[i]) / (a * n) - 3 * c[i] * dot(p, p1) / (a * a * n);
    const scalar along = dot(p, k_t) / a;
    for (int i = 0; i < 3; i++)
      k_t[i] -= along * p[i];
  } else {
    scalar d[3], d1[3], omega[3];
    chord(r, r->u, d);
    chord(r, r->v, d1);
    *eps_t = dot(d, d1) / csqrt(dot(d, d)) / r->data[0];
    cross(d, d1, omega);
    cross(omega, q, c);
    for (int i = 0; i < 3; i++)
      k_t[i] = q1[i] - c[i] / dot(d, d);
  }
}

scalar reference_energy(const reference *r)
{
  const scalar *data = r->data, l = data[0];
  scalar U = 0;
  for (int g = 0; g < 3; g++) {
    scalar eps, kappa2, ignored;
    reference_strain(r, g / 2.0 * l, &eps, &ignored);
    reference_strain(r, node[g] * l, &ignored, &kappa2);
    U += l * data[1] * (end_weight[g] * data[2] * eps * eps + weight[g] * data[3] * kappa2) / 2;
  }
  return U;
}

scalar reference_dissipation(const reference *r)
{
  const scalar *data = r->data, l = data[0];
  scalar D = 0;
  for (int g = 0; g < 3; g++) {
    scalar eps_t, ignored, k_t[3];
    rates(r, g / 2.0 * l, &eps_t, k_t);
    rates(r, node[g] * l, &ignored, k_t);
    D += data[4] * l * data[1] *
         (end_weight[g] * data[2] * eps_t * eps_t + weight[g] * data[3] * dot(k_t, k_t)) / 2;
  }
  return D;
}

scalar reference_spin_loss(const reference *r, const double omega[3])
{
  const scalar *data = r->data, l = data[0], w[3] = {omega[0], omega[1], omega[2]};
  scalar loss = 0;
  for (int g = 0; g < 3; g++) {
    scalar t[3], k[3];
    reference_field(r, r->u, node[g] * l, 1, t);
    if (!r->full)
      chord(r, r->u, t);
    curvature(r, node[g] * l, k);
    /* the linear model keeps the curvature along the chord, which a spin about it does not change */
    const scalar along = dot(k, t) * dot(k, t) / dot(t, t);
    loss += weight[g] * l * data[4] * data[1] * data[3] * dot(w, t) * dot(w, t) / dot(t, t) *
            (dot(k, k) - along);
  }
  return loss;
}

/* Axial force of the linear model, -E A eps int S'^T S' dx u. */
static void linear_axial(const reference *r, double *f)
{
  const scalar *data = r->data, l = data[0];
  scalar eps, kappa2, slope[3], shape[3];
  for (int k = 0; k < 4 * r->dim; k++) {
    scalar unit[REFERENCE_MAX] = {0};
    unit[k] = 1;
    f[k] = 0;
    for (int g = 0; g < 3; g++) {
      reference_strain(r, node[g] * l, &eps, &kappa2);
      reference_field(r, r->u, node[g] * l, 1, slope);
      reference_field(r, unit, node[g] * l, 1, shape);
      f[k] -= creal(weight[g] * l * data[1] * data[2] * eps * dot(shape, slope));
    }
  }
}

void reference_force(const reference *r, double *f)
{
  double axial[REFERENCE_MAX] = {0};
  reference at = *r;
  if (!r->full)
    linear_axial(r, axial);
  for (int k = 0; k < 4 * r->dim; k++) {
    at.u[k] += STEP * I;
    if (!r->full)
      at.data[2] = 0;
    f[k] = axial[k] - cimag(reference_energy(&at)) / STEP;
    at.u[k] = r->u[k];
    at.data[2] = r->data[2];
    at.v[k] += STEP * I;
    f[k] -= cimag(reference_dissipation(&at)) / STEP;
    at.v[k] = r->v[k];
  }
}
