/* The raw-IDAS program: forward equations, simulation, and direct sensitivities by the simultaneous
 * corrector of IDAS with analytic residuals. */
#include "bench/hand/idas_five_bar.h"

#include <string.h>

#include "bench/hand/idas_forward.h"
#include "dae/idas/sundials.h"

/* force balance and constraint rows of the residual: r [RAW_KKT] */
static void balance(const raw_data *d, const double *y, double *r)
{
  const double *lam = y + RAW_L;
  raw_rods rods;
  raw_spring spring;

  raw_rods_from(y, &rods);
  memset(r, 0, RAW_KKT * sizeof *r);
  raw_mass_times(d, y + RAW_A, r);
  for (int i = 0; i < 3; i++)
    r[2 * i + 1] -= d->load[i] * d->gravity;
  for (int j = 0; j < 2; j++) {
    raw_spring_at(d, y, j, &spring);
    for (int i = 0; i < 2; i++)
      r[2 * j + i] += spring.tension * spring.u[i];
  }
  for (int k = 0; k < RAW_RODS; k++) {
    for (int i = 0; i < 2; i++) {
      const double f = lam[k] * rods.r[k][i];

      if (k < 3)
        r[2 * k + i] += f;
      if (k > 0)
        r[2 * k - 2 + i] -= f;
      r[RAW_Q + k] += rods.r[k][i] * rods.a[k][i] + rods.v[k][i] * rods.v[k][i];
    }
  }
}

static int residual(double t, N_Vector vy, N_Vector vyp, N_Vector vr, void *user)
{
  const raw_run *run = user;
  const double *y = NV_DATA_S(vy), *yp = NV_DATA_S(vyp);
  double *r = NV_DATA_S(vr);

  (void)t;
  for (int i = 0; i < RAW_DIFFERENTIAL; i++)
    r[i] = yp[i] - y[i + RAW_Q]; /* q' = v, v' = a */
  balance(&run->data, y, r + RAW_A);
  return 0;
}

/* columns of the force balance and the constraints: stiffness, M, Phi_q^T; rows of Phi_q */
static void balance_jacobian(const raw_data *d, const double *y, double **J)
{
  const double *lam = y + RAW_L;
  raw_rods rods;
  raw_spring spring;

  raw_rods_from(y, &rods);
  for (int i = 0; i < RAW_Q; i++) {
    J[RAW_A + i][RAW_A + i] = d->M[i / 2];
    if (i < RAW_Q - 2)
      J[RAW_A + i][RAW_A + i + 2] = J[RAW_A + i + 2][RAW_A + i] = d->M_next[i / 2];
  }
  for (int k = 0; k < RAW_RODS; k++) {
    const int c = RAW_L + k;

    /* to: the point at the end of rod k; from: the one at its start; neither on the ground */
    for (int i = 0; i < 2; i++) {
      const int to = 2 * k + i, from = to - 2;

      if (k < 3) {
        J[to][RAW_A + to] += lam[k];
        J[c][RAW_A + to] = J[RAW_A + to][c] = rods.r[k][i];
        J[RAW_V + to][c] = 2.0 * rods.v[k][i];
        J[to][c] = rods.a[k][i];
      }
      if (k > 0) {
        J[from][RAW_A + from] += lam[k];
        J[c][RAW_A + from] = J[RAW_A + from][c] = -rods.r[k][i];
        J[RAW_V + from][c] = -2.0 * rods.v[k][i];
        J[from][c] = -rods.a[k][i];
      }
      if (k > 0 && k < 3)
        J[from][RAW_A + to] = J[to][RAW_A + from] = -lam[k];
    }
  }
  for (int j = 0; j < 2; j++) {
    raw_spring_at(d, y, j, &spring);
    for (int i = 0; i < 2; i++)
      for (int l = 0; l < 2; l++)
        J[2 * j + l][RAW_A + 2 * j + i] += spring.S[i][l];
  }
}

static int jacobian(double t, double cj, N_Vector vy, N_Vector vyp, N_Vector vr, SUNMatrix matrix,
                    void *user, N_Vector work1, N_Vector work2, N_Vector work3)
{
  const raw_run *run = user;
  double **J = SM_COLS_D(matrix); /* J[column][row], zero on entry */

  (void)t, (void)vyp, (void)vr, (void)work1, (void)work2, (void)work3;
  for (int i = 0; i < RAW_DIFFERENTIAL; i++) {
    J[i][i] = cj;
    J[i + RAW_Q][i] = -1.0;
  }
  balance_jacobian(&run->data, NV_DATA_S(vy), J);
  return 0;
}

static int quadratures(double t, N_Vector vy, N_Vector vyp, N_Vector vg, void *user)
{
  (void)t, (void)vyp, (void)user;
  raw_integrands(NV_DATA_S(vy), NV_DATA_S(vg));
  return 0;
}

/* derivative of the balance rows along s, without parameters: r [RAW_KKT] */
static void balance_tangent(const raw_data *d, const double *y, const raw_rods *rods,
                            const raw_spring spring[2], const double *s, double *r)
{
  const double *lam = y + RAW_L, *slam = s + RAW_L;
  raw_rods ds;

  raw_differences(s, ds.r);
  raw_differences(s + RAW_V, ds.v);
  raw_differences(s + RAW_A, ds.a);
  memset(r, 0, RAW_KKT * sizeof *r);
  raw_mass_times(d, s + RAW_A, r);
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 2; i++)
      r[2 * j + i] += spring[j].S[i][0] * s[2 * j] + spring[j].S[i][1] * s[2 * j + 1];
  for (int k = 0; k < RAW_RODS; k++) {
    for (int i = 0; i < 2; i++) {
      const double f = lam[k] * ds.r[k][i] + slam[k] * rods->r[k][i];

      if (k < 3)
        r[2 * k + i] += f;
      if (k > 0)
        r[2 * k - 2 + i] -= f;
      r[RAW_Q + k] += rods->r[k][i] * ds.a[k][i] + 2.0 * rods->v[k][i] * ds.v[k][i] +
                      rods->a[k][i] * ds.r[k][i];
    }
  }
}

static int sensitivity_residual(int count, double t, N_Vector vy, N_Vector vyp, N_Vector vr,
                                N_Vector *vs, N_Vector *vsp, N_Vector *vrs, void *user,
                                N_Vector work1, N_Vector work2, N_Vector work3)
{
  const raw_run *run = user;
  const double *y = NV_DATA_S(vy);
  double R_p[RAW_PARAMETERS][2];
  raw_spring spring[2];
  raw_rods rods;

  (void)t, (void)vyp, (void)vr, (void)work1, (void)work2, (void)work3;
  raw_rods_from(y, &rods);
  for (int j = 0; j < 2; j++)
    raw_spring_at(&run->data, y, j, &spring[j]);
  raw_balance_parameters(&run->data, y, R_p);
  for (int p = 0; p < count; p++) {
    const double *s = NV_DATA_S(vs[p]), *sp = NV_DATA_S(vsp[p]);
    double *r = NV_DATA_S(vrs[p]);

    for (int i = 0; i < RAW_DIFFERENTIAL; i++)
      r[i] = sp[i] - s[i + RAW_Q];
    balance_tangent(&run->data, y, &rods, spring, s, r + RAW_A);
    for (int i = 0; i < 2; i++)
      r[RAW_A + (p == 1 ? 2 : 0) + i] += R_p[p][i];
  }
  return 0;
}

static int sensitivity_quadratures(int count, double t, N_Vector vy, N_Vector vyp, N_Vector *vs,
                                   N_Vector *vsp, N_Vector vg, N_Vector *vgs, void *user,
                                   N_Vector work1, N_Vector work2, N_Vector work3)
{
  const double *y = NV_DATA_S(vy);
  double g_y[RAW_FUNCTIONALS][2];

  (void)t, (void)vyp, (void)vsp, (void)vg, (void)user, (void)work1, (void)work2, (void)work3;
  raw_integrand_gradients(y, g_y);
  for (int p = 0; p < count; p++) {
    const double *s = NV_DATA_S(vs[p]) + 2; /* point 2 */
    double *g = NV_DATA_S(vgs[p]);

    for (int f = 0; f < RAW_FUNCTIONALS; f++, s += RAW_Q)
      g[f] = g_y[f][0] * s[0] + g_y[f][1] * s[1];
  }
  return 0;
}

int raw_keep(int flag, int next)
{
  return flag < 0 ? flag : next < 0 ? next : 0;
}

int raw_open(double rtol, raw_run *run)
{
  int flag = 0;

  memset(run, 0, sizeof *run);
  raw_fill(&run->data);
  if (gradyn_sundials_context(&run->context) != GRADYN_SUNDIALS_SUCCESS)
    return IDA_MEM_FAIL;
  run->ida = IDACreate(run->context);
  run->y = N_VNew_Serial(RAW_Y, run->context);
  run->yp = N_VNew_Serial(RAW_Y, run->context);
  run->id = N_VNew_Serial(RAW_Y, run->context);
  run->psi = N_VNew_Serial(RAW_FUNCTIONALS, run->context);
  run->J = SUNDenseMatrix(RAW_Y, RAW_Y, run->context);
  if (!run->ida || !run->y || !run->yp || !run->id || !run->psi || !run->J)
    return IDA_MEM_FAIL;
  run->solver = SUNLinSol_Dense(run->y, run->J, run->context);
  if (!run->solver)
    return IDA_MEM_FAIL;

  if (!raw_initial(&run->data, NV_DATA_S(run->y), NULL))
    return IDA_LSETUP_FAIL;
  N_VConst(0.0, run->yp);
  memcpy(NV_DATA_S(run->yp), NV_DATA_S(run->y) + RAW_V, RAW_DIFFERENTIAL * sizeof(double));
  N_VConst(0.0, run->id);
  for (int i = 0; i < RAW_DIFFERENTIAL; i++)
    NV_Ith_S(run->id, i) = 1.0;
  N_VConst(0.0, run->psi);

  flag = raw_keep(flag, IDAInit(run->ida, residual, 0.0, run->y, run->yp));
  flag = raw_keep(flag, IDASStolerances(run->ida, rtol, rtol));
  flag = raw_keep(flag, IDASetUserData(run->ida, run));
  flag = raw_keep(flag, IDASetId(run->ida, run->id));
  flag = raw_keep(flag, IDASetSuppressAlg(run->ida, SUNTRUE));
  flag = raw_keep(flag, IDASetMaxNumSteps(run->ida, 200000));
  flag = raw_keep(flag, IDASetStopTime(run->ida, RAW_T_END));
  flag = raw_keep(flag, IDASetLinearSolver(run->ida, run->solver, run->J));
  flag = raw_keep(flag, IDASetJacFn(run->ida, jacobian));
  flag = raw_keep(flag, IDAQuadInit(run->ida, quadratures, run->psi));
  flag = raw_keep(flag, IDAQuadSStolerances(run->ida, rtol, rtol));
  flag = raw_keep(flag, IDASetQuadErrCon(run->ida, SUNTRUE));
  return flag;
}

void raw_close(raw_run *run)
{
  if (run->ida)
    IDAFree(&run->ida);
  if (run->solver)
    SUNLinSolFree(run->solver);
  if (run->J)
    SUNMatDestroy(run->J);
  N_Vector vectors[] = {run->y, run->yp, run->id, run->psi};
  for (int i = 0; i < 4; i++)
    if (vectors[i])
      N_VDestroy(vectors[i]);
  if (run->context)
    SUNContext_Free(&run->context);
}

void raw_count(const raw_run *run, raw_counts *counts)
{
  memset(counts, 0, sizeof *counts);
  IDAGetNumSteps(run->ida, &counts->steps);
  IDAGetNumResEvals(run->ida, &counts->residuals);
  IDAGetNumJacEvals(run->ida, &counts->jacobians);
}

int raw_simulate(double rtol, double psi[3], raw_counts *counts)
{
  raw_run run;
  double t;
  int flag = raw_open(rtol, &run);

  if (flag == 0)
    flag = raw_keep(0, IDASolve(run.ida, RAW_T_END, &t, run.y, run.yp, IDA_NORMAL));
  if (flag == 0)
    flag = IDAGetQuad(run.ida, &t, run.psi);
  if (flag == 0) {
    memcpy(psi, NV_DATA_S(run.psi), RAW_FUNCTIONALS * sizeof *psi);
    raw_count(&run, counts);
  }
  raw_close(&run);
  return flag;
}

/* Sensitivities of the differential variables under error control; the algebraic ones, whose rates
 * the corrector estimates badly, by a huge absolute tolerance out of it. Those of the quadratures
 * follow the state: a loose tolerance is only a net; it loses no accuracy and saves a quarter of
 * the time. */
static int add_sensitivities(raw_run *run, double rtol, N_Vector *s, N_Vector *sp, N_Vector *atol,
                             N_Vector *psi_s)
{
  double scale[RAW_PARAMETERS], absolute[RAW_PARAMETERS], start[RAW_PARAMETERS][RAW_Y];
  int flag = 0;

  if (!raw_initial(&run->data, NV_DATA_S(run->y), start))
    return IDA_LSETUP_FAIL;
  for (int p = 0; p < RAW_PARAMETERS; p++) {
    scale[p] = 1.0;
    absolute[p] = 100.0 * rtol;
    memcpy(NV_DATA_S(s[p]), start[p], sizeof start[p]);
    N_VConst(0.0, sp[p]);
    memcpy(NV_DATA_S(sp[p]), start[p] + RAW_V, RAW_DIFFERENTIAL * sizeof(double));
    N_VConst(rtol, atol[p]);
    for (int i = RAW_DIFFERENTIAL; i < RAW_Y; i++)
      NV_Ith_S(atol[p], i) = 1e6 * rtol;
    N_VConst(0.0, psi_s[p]);
  }
  flag = raw_keep(
      flag, IDASensInit(run->ida, RAW_PARAMETERS, IDA_SIMULTANEOUS, sensitivity_residual, s, sp));
  flag = raw_keep(flag, IDASetSensParams(run->ida, NULL, scale, NULL));
  flag = raw_keep(flag, IDASensSVtolerances(run->ida, rtol, atol));
  flag = raw_keep(flag, IDASetSensErrCon(run->ida, SUNTRUE));
  flag = raw_keep(flag, IDAQuadSensInit(run->ida, sensitivity_quadratures, psi_s));
  flag = raw_keep(flag, IDAQuadSensSStolerances(run->ida, 100.0 * rtol, absolute));
  flag = raw_keep(flag, IDASetQuadSensErrCon(run->ida, SUNTRUE));
  return flag;
}

int raw_direct(double rtol, double psi[3], double gradient[3][5], raw_counts *counts)
{
  N_Vector *s = NULL, *sp = NULL, *atol = NULL, *psi_s = NULL;
  raw_run run;
  double t;
  int flag = raw_open(rtol, &run);

  if (flag == 0) {
    s = N_VCloneVectorArray(RAW_PARAMETERS, run.y);
    sp = N_VCloneVectorArray(RAW_PARAMETERS, run.y);
    atol = N_VCloneVectorArray(RAW_PARAMETERS, run.y);
    psi_s = N_VCloneVectorArray(RAW_PARAMETERS, run.psi);
    flag = s && sp && atol && psi_s ? add_sensitivities(&run, rtol, s, sp, atol, psi_s)
                                    : IDA_MEM_FAIL;
  }
  if (flag == 0)
    flag = raw_keep(0, IDASolve(run.ida, RAW_T_END, &t, run.y, run.yp, IDA_NORMAL));
  if (flag == 0)
    flag = IDAGetQuad(run.ida, &t, run.psi);
  if (flag == 0)
    flag = IDAGetQuadSens(run.ida, &t, psi_s);
  if (flag == 0) {
    memcpy(psi, NV_DATA_S(run.psi), RAW_FUNCTIONALS * sizeof *psi);
    for (int f = 0; f < RAW_FUNCTIONALS; f++)
      for (int p = 0; p < RAW_PARAMETERS; p++)
        gradient[f][p] = NV_Ith_S(psi_s[p], f);
    raw_count(&run, counts);
  }
  N_Vector *arrays[] = {s, sp, atol, psi_s};
  for (int i = 0; i < 4; i++)
    if (arrays[i])
      N_VDestroyVectorArray(arrays[i], RAW_PARAMETERS);
  raw_close(&run);
  return flag;
}
