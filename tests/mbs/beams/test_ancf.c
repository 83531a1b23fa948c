/* The ANCF beam element against its definitions: forces, strains and energy by complex step of an
 * independent formulation, tangents by extrapolated differences, and invariance under rigid motions. */
#include "mbs/beams/ancf.h"

#include "core/linear/differences.h"
#include "tests/mbs/ancf_reference.h"
#include "tests/support.h"

#define STEP 1e-40

static const mbs_ancf_ops *const models[2] = {&mbs_ancf_linear, &mbs_ancf_full};

typedef struct sample {
  const mbs_ancf_ops *model;
  mbs_ancf b;
  double u[MBS_ANCF_MAX], v[MBS_ANCF_MAX];
  reference r;
} sample;

static void set_reference(sample *s)
{
  const double data[MBS_ANCF_DATA] = {s->b.l, s->b.E, s->b.A, s->b.I2, s->b.eta};
  s->r = (reference){.dim = s->b.dim, .full = s->model == &mbs_ancf_full};
  for (int k = 0; k < 4 * s->b.dim; k++) {
    s->r.u[k] = s->u[k];
    s->r.v[k] = s->v[k];
  }
  for (int k = 0; k < MBS_ANCF_DATA; k++)
    s->r.data[k] = data[k];
}

/* A moving element, strongly bent and stretched; bend 0: straight and unstretched. */
static sample take(const mbs_ancf_ops *model, int dim, double eta, double bend)
{
  static const double u[4][3] = {
      {0.3, -0.2, 0.5}, {0.8, 0.7, 0.2}, {0.75, 0.2, 0.9}, {0.6, 0.3, 0.9}};
  static const double v[4][3] = {
      {0.5, -1.2, 0.4}, {0.3, 0.9, -0.7}, {-0.6, 0.8, 1.1}, {1.3, -0.4, 0.2}};
  sample s = {.model = model, .b = {dim, 0.7, 3.0, 1.9, 0.23, eta}};
  const double along[3] = {0.6, 0.48, 0.64}, plane = dim == 2 ? hypot(0.6, 0.48) : 1;
  for (int a = 0; a < 4; a++)
    for (int i = 0; i < dim; i++) {
      double straight = along[i] / plane * (a == 2 ? s.b.l : 1) + (a == 2 ? u[0][i] : 0);
      straight = a == 0 ? u[0][i] : straight;
      s.u[a * dim + i] = bend * u[a][i] + (1 - bend) * straight;
      s.v[a * dim + i] = v[a][i];
    }
  set_reference(&s);
  return s;
}

/* All combinations of model, dimension, damping and bend. */
enum { SAMPLES = 16 };

static sample pick(int k)
{
  return take(models[k & 1], k & 2 ? 3 : 2, k & 4 ? 0.13 : 0, k & 8 ? 0 : 1);
}

static double norm(const double *x, int n)
{
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += x[k] * x[k];
  return sqrt(sum);
}

TEST(test_forces)
{
  for (int k = 0; k < SAMPLES; k++) {
    sample s = pick(k);
    double f[MBS_ANCF_MAX], expected[MBS_ANCF_MAX];
    s.model->force(&s.b, s.u, s.v, f);
    reference_force(&s.r, expected);
    assert_close_array(f, expected, 4 * s.b.dim, 1e-13, 1e-13 * (1 + norm(expected, 12)));
  }
}

/* Index of the number of a sample that is varied: u, v, then data. */
typedef struct line {
  sample *s;
  int number;
} line;

static gradyn_status along_line(void *user, double step, double *f)
{
  line *l = user;
  sample s = *l->s;
  const int n = 4 * s.b.dim;
  double *data[MBS_ANCF_DATA] = {&s.b.l, &s.b.E, &s.b.A, &s.b.I2, &s.b.eta};
  *(l->number < n       ? &s.u[l->number]
    : l->number < 2 * n ? &s.v[l->number - n]
                        : data[l->number - 2 * n]) += step;
  s.model->force(&s.b, s.u, s.v, f);
  return GRADYN_OK;
}

TEST(test_derivatives)
{
  LOCAL(gradyn_differences) d;
  assert_ok(gradyn_differences_create(MBS_ANCF_MAX, &d), NULL);
  for (int k = 0; k < SAMPLES; k++) {
    sample s = pick(k);
    const int n = 4 * s.b.dim;
    double f_u[144], f_v[144], f_data[5 * MBS_ANCF_MAX], column[MBS_ANCF_MAX];
    s.model->force_state(&s.b, s.u, s.v, f_u, f_v);
    s.model->force_data(&s.b, s.u, s.v, f_data);
    for (int j = 0; j < 2 * n + MBS_ANCF_DATA; j++) {
      line l = {&s, j};
      assert_ok(gradyn_differentiate(&d, n, along_line, &l, 0.02, 10, NULL), NULL);
      for (int i = 0; i < n; i++)
        column[i] = j < n ? f_u[n * i + j] : j < 2 * n ? f_v[n * i + j - n] : 0;
      assert_close_array(j < 2 * n ? column : f_data + n * (j - 2 * n), d.slope, n, 1e-10,
                         1e-11 * (1 + norm(d.slope, n)));
    }
    assert_true(s.b.eta == 0 ? norm(f_v, n * n) == 0 : norm(f_v, n * n) > 0.1);
    assert_true(norm(f_data + n * MBS_ANCF_ETA, n) > 0.1);
  }
}

TEST(test_strains)
{
  for (int k = 0; k < 4; k++)
    for (double xi = 0; xi <= 1; xi += 0.25) {
      sample s = pick(k);
      mbs_ancf_strain e;
      scalar eps, kappa2;
      s.model->strain(&s.b, s.u, xi, &e);
      for (int j = 0; j < 4 * s.b.dim; j++) {
        s.r.u[j] += STEP * I;
        reference_strain(&s.r, xi * s.b.l, &eps, &kappa2);
        s.r.u[j] = s.u[j];
        assert_close(e.eps, creal(eps), 1e-14, 1e-14);
        assert_close(e.kappa2, creal(kappa2), 1e-12, 1e-12);
        assert_close(e.eps_u[j], cimag(eps) / STEP, 1e-13, 1e-13);
        assert_close(e.kappa2_u[j], cimag(kappa2) / STEP, 1e-12, 1e-11);
      }
      s.r.data[MBS_ANCF_L] += STEP * I;
      reference_strain(&s.r, xi * s.r.data[MBS_ANCF_L], &eps, &kappa2);
      assert_close(e.eps_l, cimag(eps) / STEP, 1e-13, 1e-13);
      assert_close(e.kappa2_l, cimag(kappa2) / STEP, 1e-12, 1e-11);
    }
}

TEST(test_energy)
{
  for (int k = 0; k < 4; k++) {
    sample s = pick(k);
    const int n = 4 * s.b.dim;
    double U_u[MBS_ANCF_MAX], U_data[MBS_ANCF_DATA], expected[MBS_ANCF_MAX];
    const double U = s.model->energy(&s.b, s.u, U_u, U_data);
    assert_close(U, creal(reference_energy(&s.r)), 1e-14, 0);
    for (int j = 0; j < n + MBS_ANCF_DATA; j++) {
      scalar *x = j < n ? &s.r.u[j] : &s.r.data[j - n];
      *x += STEP * I;
      expected[j < n ? j : j - n] = cimag(reference_energy(&s.r)) / STEP;
      *x = creal(*x);
      if (j == n - 1)
        assert_close_array(U_u, expected, n, 1e-13, 1e-13 * norm(expected, n));
    }
    assert_close_array(U_data, expected, MBS_ANCF_DATA, 1e-13, 1e-13 * norm(expected, 5));
  }
}

/* Net force and net moment of f about the origin; slopes count as vectors without a position. */
static void net(const sample *s, const double *f, double force[3], double moment[3])
{
  double r[3], q[3];
  memset(force, 0, 3 * sizeof *force);
  memset(moment, 0, 3 * sizeof *moment);
  for (int a = 0; a < 4; a++) {
    r[2] = q[2] = 0;
    for (int i = 0; i < s->b.dim; i++) {
      r[i] = s->u[a * s->b.dim + i];
      q[i] = f[a * s->b.dim + i];
      force[i] += a % 2 == 0 ? q[i] : 0;
    }
    for (int i = 0; i < 3; i++)
      moment[i] += r[(i + 1) % 3] * q[(i + 2) % 3] - r[(i + 2) % 3] * q[(i + 1) % 3];
  }
}

/* Internal forces have neither a net force nor a net moment. In space the damping has a moment along the
 * tangents; it is left out there. The elastic tangent is symmetric for the full model, but not for the
 * linear one, whose force is not a gradient. Damping removes energy. */
TEST(test_balance)
{
  for (int k = 0; k < SAMPLES; k++) {
    sample s = pick(k);
    const int n = 4 * s.b.dim;
    const double zero[3] = {0};
    double f[MBS_ANCF_MAX], force[3], moment[3], f_u[144], f_v[144], power = 0;
    s.model->force(&s.b, s.u, s.v, f);
    net(&s, f, force, moment);
    assert_close_array(force, zero, 3, 0, 1e-15 * (1 + norm(f, n)));
    if (s.b.dim == 2 || s.b.eta == 0)
      assert_close_array(moment, zero, 3, 0, 1e-14 * (1 + norm(f, n)));
    s.model->force_state(&s.b, s.u, s.v, f_u, f_v);
    double skew = 0;
    for (int i = 0; i < n * n; i++)
      skew = fmax(skew, fabs(f_u[i] - f_u[i % n * n + i / n]));
    if (s.b.eta == 0 && !(k & 8))
      assert_true(s.model == &mbs_ancf_full ? skew < 1e-13 : skew > 0.1);
    s.b.eta = 1;
    s.model->force_data(&s.b, s.u, s.v, f_u);
    for (int i = 0; i < n; i++)
      power += f_u[n * MBS_ANCF_ETA + i] *
               s.v[i]; /* the damping force alone, which is linear in eta */
    set_reference(&s);
    assert_close(power, -2 * creal(reference_dissipation(&s.r)), 1e-12, 0);
    assert_true(power < -0.1);
  }
}

/* A rigid motion: v = v0 + omega x r; slopes rotate with it. */
static void spin(sample *s, const double omega[3])
{
  for (int a = 0; a < 4; a++) {
    double r[3] = {0};
    memcpy(r, s->u + a * s->b.dim, (size_t)s->b.dim * sizeof *r);
    for (int i = 0; i < s->b.dim; i++)
      s->v[a * s->b.dim + i] = omega[(i + 1) % 3] * r[(i + 2) % 3] -
                               omega[(i + 2) % 3] * r[(i + 1) % 3] + (a % 2 ? 0 : 0.3 + i);
  }
  set_reference(s);
}

/* Rigid motions have no damping, with one known exception: a bent element in space that spins about its own
 * tangent is damped. */
TEST(test_rigid_motions)
{
  for (int k = 0; k < SAMPLES; k++) {
    sample s = pick(k | 4);
    sample still = s;
    const int n = 4 * s.b.dim;
    const double omega[3] = {s.b.dim == 3 ? 0.7 : 0, s.b.dim == 3 ? -1.1 : 0, 0.9};
    double f[MBS_ANCF_MAX], at_rest[MBS_ANCF_MAX], power = 0;
    spin(&s, omega);
    s.model->force(&s.b, s.u, s.v, f);
    memset(still.v, 0, sizeof still.v);
    s.model->force(&s.b, s.u, still.v, at_rest);
    for (int i = 0; i < n; i++)
      power += f[i] * s.v[i];
    assert_close(power, -creal(reference_spin_loss(&s.r, omega)), 1e-12, 1e-13);
    if (s.b.dim == 2 || k & 8)
      assert_close_array(f, at_rest, n, 0, 1e-13);
    else
      assert_true(power < -0.01);
  }
}

/* rho A int S^T S dx from the coefficients of the shape functions: int_0^1 xi^m dxi = 1/(m+1). */
TEST(test_mass)
{
  static const double N[4][4] = {{1, 0, -3, 2}, {0, 1, -2, 1}, {0, 0, 3, -2}, {0, 0, -1, 1}};
  const double l = 0.7, rho = 3.1, A = 0.4;
  double m[10], slopes[3][10], expected[10], expected_l[10], expected_rho[10], expected_A[10];
  int k = 0;
  for (int a = 0; a < 4; a++)
    for (int b = a; b < 4; b++, k++) {
      const int power = 1 + a % 2 + b % 2;
      double sum = 0;
      for (int i = 0; i < 16; i++)
        sum += N[a][i / 4] * N[b][i % 4] / (i / 4 + i % 4 + 1);
      expected[k] = rho * A * sum * pow(l, power);
      expected_l[k] = power * expected[k] / l;
      expected_rho[k] = expected[k] / rho;
      expected_A[k] = expected[k] / A;
    }
  mbs_ancf_mass(l, rho, A, m);
  mbs_ancf_mass_data(l, rho, A, slopes);
  assert_close_array(m, expected, 10, 1e-13, 0);
  assert_close_array(slopes[0], expected_l, 10, 1e-13, 0);
  assert_close_array(slopes[1], expected_rho, 10, 1e-13, 0);
  assert_close_array(slopes[2], expected_A, 10, 1e-13, 0);
}
