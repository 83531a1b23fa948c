/* The raw-IDAS program: gradients by the adjoint module of IDAS. For L = psi + int pq^T (v - q') +
 * pv^T (a - v') + eta^T R + zeta^T C dt, with force balance R and constraint accelerations C,
 *   pq' + R_q^T eta + C_q^T zeta + g_q = 0,       R_a^T eta + C_a^T zeta + pv + g_a = 0,
 *   pv' + pq + C_v^T zeta + g_v = 0,              R_lam^T eta = 0,
 * backward from pq = pv = 0; then dpsi/dp = pq(0)^T dq0/dp + int eta^T R_p dt. Every functional has
 * a backward problem of its own: three dense systems of 22 unknowns cost a third less time than one
 * of 66. */
#include <string.h>

#include "bench/hand/idas_five_bar.h"
#include "bench/hand/idas_forward.h"

/* Unknowns: (pq, pv, eta, zeta), RAW_Y in all. */
enum { PQ = 0, PV = RAW_Q, ETA = 2 * RAW_Q, ZETA = 3 * RAW_Q };

/* Steps that fit between two checkpoints: enough for all runs down to 1e-11, so that nothing is
 * computed twice. */
enum { STORED_STEPS = 4000 };

typedef struct backward {
  const raw_data *data;
  int psi;    /* the functional */
  int number; /* of the backward problem in IDAS */
  N_Vector y, yp, grad, id;
  SUNMatrix J;
  SUNLinearSolver solver;
} backward;

/* rows of the residual without the integrand */
static void adjoint_rows(const raw_data *d, const double *lam, const raw_rods *rods,
                         const raw_spring spring[2], const double *p, const double *pp, double *r)
{
  double eta[RAW_RODS][2];

  raw_differences(p + ETA, eta);
  for (int i = 0; i < RAW_Q; i++) {
    r[PQ + i] = pp[PQ + i];
    r[PV + i] = pp[PV + i] + p[PQ + i];
    r[ETA + i] = p[PV + i];
  }
  raw_mass_times(d, p + ETA, r + ETA);
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 2; i++)
      r[2 * j + i] += spring[j].S[i][0] * p[ETA + 2 * j] + spring[j].S[i][1] * p[ETA + 2 * j + 1];
  for (int k = 0; k < RAW_RODS; k++) {
    const double zeta = p[ZETA + k];

    r[ZETA + k] = rods->r[k][0] * eta[k][0] + rods->r[k][1] * eta[k][1];
    for (int i = 0; i < 2; i++) {
      const double q = lam[k] * eta[k][i] + zeta * rods->a[k][i];
      const double v = 2.0 * zeta * rods->v[k][i], a = zeta * rods->r[k][i];
      const int to = 2 * k + i, from = to - 2;

      if (k < 3) {
        r[PQ + to] += q;
        r[PV + to] += v;
        r[ETA + to] += a;
      }
      if (k > 0) {
        r[PQ + from] -= q;
        r[PV + from] -= v;
        r[ETA + from] -= a;
      }
    }
  }
}

static int residual(double t, N_Vector vy, N_Vector vyp, N_Vector vp, N_Vector vpp, N_Vector vr,
                    void *user)
{
  const backward *b = user;
  const double *y = NV_DATA_S(vy), *p = NV_DATA_S(vp), *pp = NV_DATA_S(vpp);
  double *r = NV_DATA_S(vr), g_y[RAW_FUNCTIONALS][2];
  raw_spring spring[2];
  raw_rods rods;

  (void)t, (void)vyp;
  raw_rods_from(y, &rods);
  for (int j = 0; j < 2; j++)
    raw_spring_at(b->data, y, j, &spring[j]);
  raw_integrand_gradients(y, g_y);
  adjoint_rows(b->data, y + RAW_L, &rods, spring, p, pp, r);
  /* psi1: rows of q; psi2: of v; psi3: of a */
  r[b->psi * RAW_Q + 2] += g_y[b->psi][0];
  r[b->psi * RAW_Q + 3] += g_y[b->psi][1];
  return 0;
}

/* the constant and the rods' part of the Jacobian, J[column][row] */
static void rods_jacobian(const raw_data *d, const double *lam, const raw_rods *rods, double **J)
{
  for (int i = 0; i < RAW_Q; i++) {
    J[PQ + i][PV + i] = J[PV + i][ETA + i] = 1.0;
    J[ETA + i][ETA + i] = d->M[i / 2];
    if (i < RAW_Q - 2)
      J[ETA + i][ETA + i + 2] = J[ETA + i + 2][ETA + i] = d->M_next[i / 2];
  }
  for (int k = 0; k < RAW_RODS; k++) {
    double *zeta = J[ZETA + k];

    for (int i = 0; i < 2; i++) {
      const int to = 2 * k + i, from = to - 2;

      if (k < 3) {
        zeta[PQ + to] = rods->a[k][i];
        zeta[PV + to] = 2.0 * rods->v[k][i];
        zeta[ETA + to] = J[ETA + to][ZETA + k] = rods->r[k][i];
        J[ETA + to][PQ + to] += lam[k];
      }
      if (k > 0) {
        zeta[PQ + from] = -rods->a[k][i];
        zeta[PV + from] = -2.0 * rods->v[k][i];
        zeta[ETA + from] = J[ETA + from][ZETA + k] = -rods->r[k][i];
        J[ETA + from][PQ + from] += lam[k];
      }
      if (k > 0 && k < 3)
        J[ETA + from][PQ + to] = J[ETA + to][PQ + from] = -lam[k];
    }
  }
}

static int jacobian(double t, double cj, N_Vector vy, N_Vector vyp, N_Vector vp, N_Vector vpp,
                    N_Vector vr, SUNMatrix matrix, void *user, N_Vector work1, N_Vector work2,
                    N_Vector work3)
{
  const backward *b = user;
  const double *y = NV_DATA_S(vy);
  double **J = SM_COLS_D(matrix); /* zero on entry */
  raw_spring spring;
  raw_rods rods;

  (void)t, (void)vyp, (void)vp, (void)vpp, (void)vr, (void)work1, (void)work2, (void)work3;
  raw_rods_from(y, &rods);
  rods_jacobian(b->data, y + RAW_L, &rods, J);
  for (int i = 0; i < RAW_DIFFERENTIAL; i++)
    J[i][i] = cj;
  for (int j = 0; j < 2; j++) {
    raw_spring_at(b->data, y, j, &spring);
    for (int i = 0; i < 2; i++)
      for (int l = 0; l < 2; l++)
        J[ETA + 2 * j + l][PQ + 2 * j + i] += spring.S[i][l];
  }
  return 0;
}

/* -eta^T R_p: IDAS integrates it from the end to the start */
static int quadratures(double t, N_Vector vy, N_Vector vyp, N_Vector vp, N_Vector vpp, N_Vector vg,
                       void *user)
{
  const backward *b = user;
  double R_p[RAW_PARAMETERS][2], *g = NV_DATA_S(vg);

  (void)t, (void)vyp, (void)vpp;
  raw_balance_parameters(b->data, NV_DATA_S(vy), R_p);
  for (int i = 0; i < RAW_PARAMETERS; i++) {
    const double *eta = NV_DATA_S(vp) + ETA + (i == 1 ? 2 : 0);

    g[i] = -(eta[0] * R_p[i][0] + eta[1] * R_p[i][1]);
  }
  return 0;
}

/* pq = pv = 0; eta and zeta from the algebraic rows, the rates from the differential ones */
static int terminal(const raw_run *run, backward *b)
{
  double x[1][RAW_KKT] = {{0}}, g_y[RAW_FUNCTIONALS][2];
  N_Vector r = N_VClone(b->y);
  int flag = IDA_MEM_FAIL;

  if (!r)
    return flag;
  raw_integrand_gradients(NV_DATA_S(run->y), g_y);
  if (b->psi == 2)
    for (int i = 0; i < 2; i++)
      x[0][2 + i] = -g_y[2][i];
  flag = raw_solve_kkt(b->data, NV_DATA_S(run->y), x, 1) ? 0 : IDA_LSETUP_FAIL;
  N_VConst(0.0, b->y);
  N_VConst(0.0, b->yp);
  N_VConst(0.0, b->grad);
  memcpy(NV_DATA_S(b->y) + ETA, x[0], sizeof x[0]);
  residual(RAW_T_END, run->y, run->yp, b->y, b->yp, r, b);
  for (int i = 0; i < RAW_DIFFERENTIAL; i++)
    NV_Ith_S(b->yp, i) = -NV_Ith_S(r, i);
  N_VDestroy(r);
  return flag;
}

static int open_backward(const raw_run *run, double rtol, backward *b)
{
  int flag;

  b->data = &run->data;
  b->y = N_VNew_Serial(RAW_Y, run->context);

  b->yp = N_VNew_Serial(RAW_Y, run->context);
  b->id = N_VNew_Serial(RAW_Y, run->context);
  b->grad = N_VNew_Serial(RAW_PARAMETERS, run->context);
  b->J = SUNDenseMatrix(RAW_Y, RAW_Y, run->context);
  if (!b->y || !b->yp || !b->id || !b->grad || !b->J)
    return IDA_MEM_FAIL;
  b->solver = SUNLinSol_Dense(b->y, b->J, run->context);
  if (!b->solver)
    return IDA_MEM_FAIL;
  for (int i = 0; i < RAW_Y; i++)
    NV_Ith_S(b->id, i) = i < RAW_DIFFERENTIAL ? 1.0 : 0.0;

  flag = terminal(run, b);
  flag = raw_keep(flag, IDACreateB(run->ida, &b->number));
  flag = raw_keep(flag, IDAInitB(run->ida, b->number, residual, RAW_T_END, b->y, b->yp));
  flag = raw_keep(flag, IDASStolerancesB(run->ida, b->number, rtol, rtol));
  flag = raw_keep(flag, IDASetUserDataB(run->ida, b->number, b));
  flag = raw_keep(flag, IDASetIdB(run->ida, b->number, b->id));
  flag = raw_keep(flag, IDASetSuppressAlgB(run->ida, b->number, SUNTRUE));
  flag = raw_keep(flag, IDASetMaxNumStepsB(run->ida, b->number, 200000));
  flag = raw_keep(flag, IDASetLinearSolverB(run->ida, b->number, b->solver, b->J));
  flag = raw_keep(flag, IDASetJacFnB(run->ida, b->number, jacobian));
  flag = raw_keep(flag, IDAQuadInitB(run->ida, b->number, quadratures, b->grad));
  flag = raw_keep(flag, IDAQuadSStolerancesB(run->ida, b->number, rtol, rtol));
  flag = raw_keep(flag, IDASetQuadErrConB(run->ida, b->number, SUNTRUE));
  return flag;
}

static void close_backward(backward *b)
{
  N_Vector vectors[] = {b->y, b->yp, b->id, b->grad};

  if (b->solver)
    SUNLinSolFree(b->solver);
  if (b->J)
    SUNMatDestroy(b->J);
  for (int i = 0; i < 4; i++)
    if (vectors[i])
      N_VDestroy(vectors[i]);
}

/* gradient = backward quadratures + pq(0)^T dq0/dp */
static int collect(const raw_run *run, backward *b, double gradient[3][5], raw_counts *counts)
{
  double y[RAW_Y], s[RAW_PARAMETERS][RAW_Y], t;
  long steps = 0;
  int flag = raw_keep(0, IDAGetB(run->ida, b->number, &t, b->y, b->yp));

  flag = raw_keep(flag, IDAGetQuadB(run->ida, b->number, &t, b->grad));
  if (flag == 0 && !raw_initial(&run->data, y, s))
    flag = IDA_LSETUP_FAIL;
  if (flag < 0)
    return flag;
  for (int p = 0; p < RAW_PARAMETERS; p++) {
    gradient[b->psi][p] = NV_Ith_S(b->grad, p);
    for (int i = 0; i < RAW_Q; i++)
      gradient[b->psi][p] += NV_Ith_S(b->y, PQ + i) * s[p][i];
  }
  flag = raw_keep(flag, IDAGetNumSteps(IDAGetAdjIDABmem(run->ida, b->number), &steps));
  counts->steps_backward += steps;
  return flag;
}

int raw_adjoint(double rtol, double psi[3], double gradient[3][5], raw_counts *counts)
{
  backward b[RAW_FUNCTIONALS];
  raw_run run;
  double t;
  int checkpoints, flag = raw_open(rtol, &run);

  memset(b, 0, sizeof b);
  flag = raw_keep(flag, flag < 0 ? flag : IDAAdjInit(run.ida, STORED_STEPS, IDA_POLYNOMIAL));
  if (flag == 0)
    flag = raw_keep(0, IDASolveF(run.ida, RAW_T_END, &t, run.y, run.yp, IDA_NORMAL, &checkpoints));
  if (flag == 0)
    flag = raw_keep(0, IDAGetQuad(run.ida, &t, run.psi));
  if (flag == 0) {
    memcpy(psi, NV_DATA_S(run.psi), RAW_FUNCTIONALS * sizeof *psi);
    raw_count(&run, counts);
  }
  for (int i = 0; i < RAW_FUNCTIONALS && flag == 0; i++) {
    b[i].psi = i;
    flag = open_backward(&run, rtol, &b[i]);
  }
  if (flag == 0)
    flag = raw_keep(0, IDASolveB(run.ida, 0.0, IDA_NORMAL));
  for (int i = 0; i < RAW_FUNCTIONALS && flag == 0; i++)
    flag = collect(&run, &b[i], gradient, counts);
  for (int i = 0; i < RAW_FUNCTIONALS; i++)
    close_backward(&b[i]);
  raw_close(&run);
  return flag;
}
