/* The ANCF beam against closed forms: cantilevers under small and large loads, with the order of
 * convergence, natural frequencies, rigid motions, and invariance under rotations. */
#include "mbs/beams/ancf.h"
#include "tests/mbs/beams/ancf_cantilever.h"
#include "tests/support.h"

void dsyev_(const char *job, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info);
void dsygv_(const int *type, const char *job, const char *uplo, const int *n, double *a,
            const int *lda, double *b, const int *ldb, double *w, double *work, const int *lwork,
            int *info);

static const double oblique[3] = {0, 0.6, 0.8}, plane[3] = {0, 1, 0};

/* Distance of the tip from the tip of the elastica. */
static double tip_error(int dim, int elements, double axial, double force)
{
  cantilever c = {.dim = dim, .elements = elements, .axial = axial};
  double tip[3] = {0}, along, back, sum = 0;
  memcpy(c.direction, dim == 2 ? plane : oblique, sizeof c.direction);
  elastica_tip(force, &along, &back);
  cantilever_bend(&c, force, 10, tip);
  const double expected[3] = {-back, along * c.direction[1], along * c.direction[2]};
  for (int i = 0; i < dim; i++)
    sum += (tip[i] - expected[i]) * (tip[i] - expected[i]);
  return sqrt(sum);
}

/* The shooting must agree with Mattiasson (1981), who gives five digits from elliptic integrals. */
TEST(test_elastica)
{
  static const double published[3][3] = {
      {1, 0.30172, 0.05643}, {2, 0.49346, 0.16064}, {5, 0.71379, 0.38763}};
  for (int k = 0; k < 3; k++) {
    double along, back;
    elastica_tip(published[k][0], &along, &back);
    assert_close(along, published[k][1], 0, 5.1e-6);
    assert_close(back, published[k][2], 0, 5.1e-6);
  }
}

/* A small force: Hermite cubics give P L^3/(3 E I) at the nodes, with any number of elements. The remaining
 * error is that of the foreshortening, of second order in the force. */
TEST(test_small_load)
{
  for (int dim = 2; dim <= 3; dim++)
    for (int elements = 1; elements <= 8; elements *= 2) {
      cantilever c = {.dim = dim, .elements = elements, .axial = 1e6};
      double tip[3];
      memcpy(c.direction, dim == 2 ? plane : oblique, sizeof c.direction);
      cantilever_bend(&c, 1e-4, 1, tip);
      assert_close(tip[1], c.direction[1] * 1e-4 / 3, 2e-9, 0);
      if (dim == 3)
        assert_close(tip[2], c.direction[2] * 1e-4 / 3, 2e-9, 0);
    }
}

/* Large forces: order four, in space as in the plane, and no locking: 100 times the axial stiffness gives
 * the same result. */
TEST(test_large_load)
{
  static const double force[3] = {1, 2, 5}, at_eight[3] = {1.8e-6, 1.1e-5, 6.4e-5};
  for (int k = 0; k < 3; k++) {
    double last = 0, order = 0, error = 0;
    for (int elements = 1; elements <= 16; elements *= 2, last = error) {
      error = tip_error(2, elements, 1e9, force[k]);
      order = log2(last / error);
      assert_true(elements == 1 || order > 2.3);
      if (elements == 8)
        assert_true(error < at_eight[k]);
    }
    assert_true(order > 3.9 && order < 4.1);
    assert_close(tip_error(3, 8, 1e9, force[k]), tip_error(2, 8, 1e9, force[k]), 1e-5, 0);
    assert_close(tip_error(2, 8, 1e10, force[k]), tip_error(2, 8, 1e8, force[k]), 1e-2, 0);
  }
}

enum { MOST = 2 * 17 };

/* Natural frequencies (rad/s) of transverse vibration of a free beam of unit length, mass and
 * bending stiffness, from the tangent at rest: [2 (elements + 1)], ascending squares. */
static void free_beam(const mbs_ancf_ops *model, int elements, double *squares)
{
  const mbs_ancf b = {2, 1.0 / elements, 1, 1e3, 1, 0};
  const int n = 2 * (elements + 1), type = 1, lwork = 64 * MOST;
  const double u[8] = {0, 0, 1, 0, b.l, 0, 1, 0}, v[8] = {0};
  double K[MOST * MOST] = {0}, M[MOST * MOST] = {0}, f_u[64], f_v[64], m[10], work[64 * MOST];
  int info;
  model->force_state(&b, u, v, f_u, f_v);
  mbs_ancf_mass(b.l, 1e-3, 1e3, m);
  for (int e = 0; e < elements; e++)
    for (int i = 0, k = 0; i < 4; i++)
      for (int j = i; j < 4; j++, k++) {
        K[(2 * e + j) * n + 2 * e + i] -= f_u[8 * (2 * i + 1) + 2 * j + 1];
        M[(2 * e + j) * n + 2 * e + i] += m[k];
      }
  dsygv_(&type, "N", "U", &n, K, &n, M, &n, squares, work, &lwork, &info);
  assert_int_equal(info, 0);
}

/* A free-free beam: omega = (beta l)^2 with cos(beta l) cosh(beta l) = 1, in both models. Cubic elements of
 * length h overestimate omega by the fraction (beta h)^4/1440, to leading order. */
TEST(test_frequencies)
{
  static const double beta[3] = {4.7300407448627, 7.8532046240958, 10.995607838002};
  const mbs_ancf_ops *const models[2] = {&mbs_ancf_linear, &mbs_ancf_full};
  for (int k = 0; k < 6; k++) {
    double error[2], squares[MOST];
    const int mode = k / 2;
    for (int finer = 0; finer < 2; finer++) {
      free_beam(models[k % 2], finer ? 16 : 8, squares);
      assert_close(squares[0], 0, 0, 1e-5);
      assert_close(squares[1], 0, 0, 1e-5);
      error[finer] = sqrt(squares[2 + mode]) / (beta[mode] * beta[mode]) - 1;
    }
    assert_close(error[1], pow(beta[mode] / 16, 4) / 1440, 0.05, 0);
    assert_close(log2(error[0] / error[1]), 4, 0, 0.2);
  }
}

/* The stiffness of an element at rest vanishes only for rigid motions: 3 in the plane; 5 in space, where a
 * straight centre line does not show a rotation about itself. The quadratures add no other zero-energy
 * modes. */
TEST(test_rank)
{
  for (int dim = 2; dim <= 3; dim++) {
    const mbs_ancf b = {dim, 1, 1, 100, 1, 0.1};
    const int n = 4 * dim, lwork = 500, rigid = dim == 2 ? 3 : 5;
    double u[MBS_ANCF_MAX] = {0}, v[MBS_ANCF_MAX] = {0}, f_u[144], f_v[144], w[12], work[500];
    int info;
    u[dim] = u[2 * dim] = u[3 * dim] = 1;
    mbs_ancf_full.force_state(&b, u, v, f_u, f_v);
    double *const matrix[2] = {f_u, f_v};
    for (int k = 0; k < 2; k++) {
      dsyev_("N", "U", &n, matrix[k], &n, w, work, &lwork, &info);
      assert_int_equal(info, 0);
      for (int i = 0; i < n; i++)
        assert_true(i < n - rigid ? w[i] < -0.05 : fabs(w[i]) < 1e-12);
    }
  }
}

/* Rotates each of four vectors by an angle, in space about (2, 3, 6)/7, in the plane about z. */
static void turn(int dim, double angle, const double *x, double *turned)
{
  const double axis[3] = {dim == 2 ? 0 : 2 / 7.0, dim == 2 ? 0 : 3 / 7.0, dim == 2 ? 1 : 6 / 7.0};
  for (int a = 0; a < 4; a++) {
    double r[3] = {0}, along = 0;
    memcpy(r, x + a * dim, (size_t)dim * sizeof *r);
    for (int i = 0; i < 3; i++)
      along += axis[i] * r[i];
    for (int i = 0; i < dim; i++) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      turned[a * dim + i] = cos(angle) * r[i] + (1 - cos(angle)) * along * axis[i] +
                            sin(angle) * (axis[j] * r[k] - axis[k] * r[j]);
    }
  }
}

/* If an element rotates as a whole, with its velocities, its elastic and damping forces rotate with it. */
TEST(test_turned)
{
  const mbs_ancf_ops *const models[2] = {&mbs_ancf_linear, &mbs_ancf_full};
  for (int k = 0; k < 4; k++) {
    const mbs_ancf b = {2 + k / 2, 0.7, 3, 1.9, 0.2, 0.1};
    double u[12], v[12], f[12], Ru[12], Rv[12], Rf[12], actual[12];
    for (int i = 0; i < 12; i++) {
      u[i] = sin(2.0 * i + 1);
      v[i] = cos(3.0 * i * i);
    }
    turn(b.dim, 2.1, u, Ru);
    turn(b.dim, 2.1, v, Rv);
    models[k % 2]->force(&b, u, v, f);
    models[k % 2]->force(&b, Ru, Rv, actual);
    turn(b.dim, 2.1, f, Rf);
    for (int i = 0; i < 4 * b.dim; i++)
      assert_close(actual[i], Rf[i], 1e-12, 1e-12);
  }
}
