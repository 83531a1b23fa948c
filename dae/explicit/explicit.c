/* Steps of explicit Runge-Kutta methods, Z_i = z + h sum_j<i a_ij k_j, k_i = f(t + c_i h, Z_i), and the
 * exact derivatives of the discrete run. In a direct sweep, the stages change by
 *     dZ_i = dz + h sum a_ij dk_j + dh sum a_ij k_j.
 * The adjoint sweep uses the transpose of a step. The step is
 *     Z_i = z + h sum a_ij k_j, z* = z + h sum b_i k_i, I += h sum b_i g(Z_i), z' = P(z*),
 * and its transpose is
 *     z*_bar from z'_bar through P;
 *     k_i_bar = h b_i z*_bar + h sum_j>i a_ji Z_j_bar,   Z_i_bar = k_z^T k_i_bar + h b_i g_z;
 *     z_bar = z*_bar + sum Z_i_bar.
 * If boundaries of arcs depend on data, adjoints of time and length of the step are added. */
#include "dae/explicit/explicit.h"

#include <stddef.h>

#include "dae/onestep/batches.h"
#include "dae/onestep/pieces.h"

static gradyn_status take(gradyn_onestep *s, double t, double h, const double *z, double *stages)
{
  const gradyn_tableau *tableau = s->tableau;
  gradyn_rates *rates = s->rates;
  for (int i = 1; i < tableau->stages; i++) {
    double *stage = gradyn_onestep_stage(s, stages, i);
    const double *before = gradyn_onestep_stage(s, stages, i - 1);
    /* Z_i = z + h sum_j<i a_ij k_j */
    gradyn_onestep_combine(s, h, gradyn_tableau_row(tableau, i), i, z, stages, s->trial);
    rates->evaluations++;
    GRADYN_TRY(rates->ops->stage(rates, t + tableau->c[i] * h, s->trial, before, stage));
  }
  /* z' = z + h sum b_i k_i */
  gradyn_onestep_combine(s, h, tableau->b, tableau->stages, z, stages, s->y);
  return GRADYN_OK;
}

/* Returns the relative tolerance of a step. It is smaller than that of the run, because errors of steps add
 * up. */
static double tolerance(double rtol)
{
  return GRADYN_EXPLICIT_SHARE * rtol;
}

/* --- along -------------------------------------------------------------------------------------- */

/* Computes the changes of stage i for all directions. */
static gradyn_status stage_along(gradyn_onestep_batches *s, const gradyn_onestep_position *at,
                                 int i)
{
  gradyn_onestep *run = s->run;
  gradyn_rates *rates = run->rates;
  const gradyn_tableau *tableau = run->tableau;
  /* Z_i changes by the rates of earlier stages; its own rate changes by the equations */
  double c = tableau->c[i];
  /* linearised at Z_i */
  GRADYN_TRY(
      rates->ops->linearise(rates, at->t + c * at->h, gradyn_onestep_stage(run, at->stages, i)));
  for (int pack = 0; pack < s->active; pack++) {
    gradyn_batch_entry dt;
    if (s->moving)
      dt = gradyn_batch_time(s, pack, c * at->share);
    const gradyn_rates_change d = gradyn_batch_change(s, pack, s->moving ? dt.lane : NULL);
    gradyn_lanes *dstage = gradyn_batch_stage(s, pack, i);
    gradyn_batch_combine(s, at, pack, i > 0 ? gradyn_tableau_row(tableau, i) : NULL, i, dstage);
    GRADYN_TRY(rates->ops->tangent(rates, gradyn_batch_columns(s, pack), dstage, &d, dstage));
  }
  return GRADYN_OK;
}

/* Computes the changes of all stages of a step; later stages use those of earlier ones. */
static gradyn_status along(gradyn_onestep_batches *s, const gradyn_onestep_position *at)
{
  for (int i = 0; i < s->run->tableau->stages; i++)
    GRADYN_TRY(stage_along(s, at, i));
  return GRADYN_OK;
}

/* --- against ------------------------------------------------------------------------------------ */

/* Adds h b_i z*_bar + h sum_j>i a_ji Z_j_bar to k_i_bar. */
static void gather_rates(const gradyn_tableau *t, int i, double h, int nz, const gradyn_lanes *star,
                         const gradyn_lanes *Z_bar, gradyn_lanes *k_bar)
{ /* k_i affects z' by b_i and later stages by a_ji */
  const gradyn_lanes *from[GRADYN_MOST_STAGES];
  double share[GRADYN_MOST_STAGES];
  int terms = t->b[i] != 0;
  from[0] = star;
  share[0] = h * t->b[i];
  for (int j = i + 1; j < t->stages; j++) {
    const double a = gradyn_tableau_row(t, j)[i];
    if (a == 0)
      continue; /* a zero of the tableau */
    share[terms] = h * a;
    from[terms++] = Z_bar + j * nz;
  }
  gradyn_lanes_add(terms, share, from, nz, k_bar, k_bar);
}

/* Adds the sum of Z_i_bar over all stages to z_bar. */
static void gather_states(const gradyn_tableau *t, int nz, const gradyn_lanes *Z_bar,
                          gradyn_lanes *z_bar)
{
  const gradyn_lanes *from[GRADYN_MOST_STAGES];
  double one[GRADYN_MOST_STAGES];
  for (int i = 0; i < t->stages; i++) {
    one[i] = 1;
    /* z affects every Z_i with the factor 1 */
    from[i] = Z_bar + i * nz;
  }
  gradyn_lanes_add(t->stages, one, from, nz, z_bar, z_bar);
}

/* Computes the adjoints of Z_i for one batch. The stage must be linearised. star: the adjoints of z*. */
static gradyn_status stage_back(gradyn_onestep_batches *s, const gradyn_onestep_position *at, int i,
                                int pack, double *x_bar)
{
  gradyn_onestep *run = s->run;
  const gradyn_tableau *tableau = run->tableau;
  gradyn_rates *rates = run->rates;
  int nz = rates->nz;
  const double c = tableau->c[i];
  const gradyn_lanes *star = s->z + pack * nz;
  gradyn_lanes *Z_bar = s->stage + (pack * run->kept.slots) * nz, *own = Z_bar + i * nz;
  gradyn_onestep_adjoints adjoints = {.stage = s->work, .x = x_bar};
  const double *rate = gradyn_onestep_stage(run, at->stages, i) + rates->rates;
  /* adjoint of the stage, which consists of states and rates k */
  gradyn_lanes_clear(rates->seen, adjoints.stage);
  GRADYN_TRY(s->integrands(s, at, i, pack, &adjoints));
  gather_rates(tableau, i, at->h, nz, star, Z_bar, adjoints.stage + rates->rates);
  if (s->moving) { /* the length h affects the step through h b_i k_i and h a_ji k_i */
    gradyn_batch_add_dot(tableau->b[i], star, rate, nz, &adjoints.h);
    for (int j = i + 1; j < tableau->stages; j++)
      gradyn_batch_add_dot(gradyn_tableau_row(tableau, j)[i], Z_bar + j * nz, rate, nz,
                           &adjoints.h);
  }
  for (int k = 0; k < nz && s->record.eta; k++) {
    double *sum = &s->record.rates[i * nz + k];
    *sum = tableau->b[i] * star[k][0];
    for (int j = i + 1; j < tableau->stages; j++)
      *sum += gradyn_tableau_row(tableau, j)[i] * Z_bar[j * nz + k][0];
  }
  gradyn_stage_adjoints_at(&s->record, rates, i);
  /* transposed equations of the stage: from the adjoint of the stage to the adjoints of Z_i, x and t */
  const gradyn_rates_sums sums = gradyn_batch_sums(s, pack, x_bar);
  if (gradyn_lanes_any(rates->seen, adjoints.stage))
    GRADYN_TRY(rates->ops->transposed(rates, gradyn_batch_columns(s, pack), adjoints.stage, own,
                                      &sums, s->moving ? &adjoints.t : NULL));
  else
    gradyn_lanes_clear(nz, own);
  s->node.time[pack] += adjoints.t;
  s->node.length[pack] += adjoints.h + c * adjoints.t; /* t_i = t + c_i h */
  return GRADYN_OK;
}

/* Processes the stages of an explicit step backward. */
static gradyn_status against(gradyn_onestep_batches *s, const gradyn_onestep_position *at,
                             double *x_bar)
{
  gradyn_onestep *run = s->run;
  gradyn_rates *rates = run->rates;
  /* in reverse order, since later stages depend on the rates of earlier ones */
  for (int i = run->tableau->stages - 1; i >= 0; i--) {
    GRADYN_TRY(rates->ops->linearise(rates, at->t + run->tableau->c[i] * at->h,
                                     gradyn_onestep_stage(run, at->stages, i)));
    for (int pack = 0; pack < s->active; pack++)
      GRADYN_TRY(stage_back(s, at, i, pack, x_bar));
  }
  /* z_bar = z*_bar + sum Z_i_bar */
  for (int pack = 0; pack < s->active; pack++)
    gather_states(run->tableau, rates->nz, s->stage + pack * run->kept.slots * rates->nz,
                  s->z + pack * rates->nz);
  return GRADYN_OK;
}

const gradyn_onestep_scheme gradyn_explicit_scheme = {.name = "explicit",
                                                      .orders = "8 or 5",
                                                      .tableau = gradyn_tableau_find,
                                                      .tolerance = tolerance,
                                                      .take = take,
                                                      .along = along,
                                                      .against = against,
                                                      .reads_records = true,
                                                      .leaves_start = true};

/* --- tableaus ---------------------------------------------------------------------------------- */

/* Coefficients of the pairs of Dormand and Prince: order 5 (J. Comput. Appl. Math. 6, 1980), and order 8 with
 * error estimates of orders 5 and 3. Also of their dense output (Hairer, Nørsett and Wanner, Solving Ordinary
 * Differential Equations I, 2nd ed., II.5, II.6 and II.10). */

/* Order 5: coefficients a, weights b, nodes c, and weights e of the error estimate, the difference to the
 * embedded step. */
static const double dopri5_a[] = {
    1.0 / 5, /* stage 2 */
    3.0 / 40,       9.0 / 40,        44.0 / 45,      -56.0 / 15,      32.0 / 9,
    19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729,    9017.0 / 3168,
    -355.0 / 33,    46732.0 / 5247,  49.0 / 176,     -5103.0 / 18656,
};
static const double dopri5_b[] = {35.0 / 384,     0,        500.0 / 1113, 125.0 / 192,
                                  -2187.0 / 6784, 11.0 / 84};
static const double dopri5_c[] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1};
/* the last entry belongs to the stage at the end of the step */
static const double dopri5_e[] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                  -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/* dense output of order 4, from the stages and the stage at the end */
static const double dopri5_bend[][GRADYN_DENSE_STAGES] = {
    {-12715105075.0 / 11282082432, 0, 87487479700.0 / 32700410799, -10690763975.0 / 1880347072,
     701980252875.0 / 199316789632, -1453857185.0 / 822651844, 69997945.0 / 29380423}};

/* Third divided difference over the stages at 0, 0.3, 0.8 and 1, for the detection of kinks. */
static const double dopri5_back[] = {0.42028852453053,     0,
                                     -0.21014426226515623, 0.42028852453030063,
                                     0.752368346381383,    0.19104023842282758};
static const double dopri5_jump[] = {-1.0 / 3, 0, 16.0 / 21, -1, 0, 4.0 / 7};

/* order 8: coefficients a, row by row */
static const double dop853_a[] = {
    0.05260015195876773, /* stage 2 */
    0.0197250569845379,
    0.0591751709536137, /* stage 3 */
    0.02958758547680685,
    0,
    0.08876275643042054, /* stage 4 */
    0.2413651341592667,
    0,
    -0.8845494793282861,
    0.924834003261792, /* stage 5 */
    0.037037037037037035,
    0,
    0,
    0.17082860872947386,
    0.12546768756682242, /* stage 6 */
    0.037109375,
    0,
    0,
    0.17025221101954405,
    0.06021653898045596,
    -0.017578125, /* stage 7 */
    0.03709200011850479,
    0,
    0,
    0.17038392571223998,
    0.10726203044637328,
    -0.015319437748624402,
    0.008273789163814023, /* stage 8 */
    0.6241109587160757,
    0,
    0,
    -3.3608926294469414,
    -0.868219346841726,
    27.59209969944671,
    20.154067550477894,
    -43.48988418106996, /* stage 9 */
    0.47766253643826434,
    0,
    0,
    -2.4881146199716677,
    -0.590290826836843,
    21.230051448181193,
    15.279233632882423,
    -33.28821096898486,
    -0.020331201708508627, /* stage 10 */
    -0.9371424300859873,
    0,
    0,
    5.186372428844064,
    1.0914373489967295,
    -8.149787010746927,
    -18.52006565999696,
    22.739487099350505,
    2.4936055526796523,
    -3.0467644718982196, /* stage 11 */
    2.273310147516538,
    0,
    0,
    -10.53449546673725,
    -2.0008720582248625,
    -17.9589318631188,
    27.94888452941996,
    -2.8589982771350235,
    -8.87285693353063,
    12.360567175794303,
    0.6433927460157636, /* stage 12 */
};
/* weights of the step, and nodes of the stages */
static const double dop853_b[] = {0.054293734116568765,
                                  0,
                                  0,
                                  0,
                                  0,
                                  4.450312892752409,
                                  1.8915178993145003,
                                  -5.801203960010585,
                                  0.3111643669578199,
                                  -0.1521609496625161,
                                  0.20136540080403034,
                                  0.04471061572777259};
static const double dop853_c[] = {0,
                                  0.05260015195876773,
                                  0.0789002279381516,
                                  0.1183503419072274,
                                  0.2816496580927726,
                                  1.0 / 3,
                                  0.25,
                                  4.0 / 13,
                                  127.0 / 195,
                                  0.6,
                                  6.0 / 7,
                                  1};
/* error estimates of order 5 and of order 3 */
static const double dop853_e[] = {0.01312004499419488,
                                  0,
                                  0,
                                  0,
                                  0,
                                  -1.2251564463762044,
                                  -0.4957589496572502,
                                  1.6643771824549864,
                                  -0.35032884874997366,
                                  0.3341791187130175,
                                  0.08192320648511571,
                                  -0.022355307863886294};
static const double dop853_e3[] = {-0.18980075407240762,
                                   0,
                                   0,
                                   0,
                                   0,
                                   4.450312892752409,
                                   1.8915178993145003,
                                   -5.801203960010585,
                                   -0.4226823213237919,
                                   -0.1521609496625161,
                                   0.20136540080403034,
                                   0.02265179219836082};

/* for the detection of kinks: among the weights that satisfy the conditions, those that are most sensitive
 * to kinks relative to the fifth power of a length */
static const double dop853_back[] = {0.2307442977353769,
                                     0,
                                     0,
                                     0,
                                     0,
                                     -0.2050571387143288,
                                     -0.1982649339828507,
                                     -0.21513809920594662,
                                     0.407220634693141,
                                     0.32836755682289454,
                                     -0.38674695041201906,
                                     0.6291964333981956};

/* dense output of order 7, with three additional stages */
static const double dop853_more_c[] = {0.1, 0.2, 7.0 / 9};
static const double dop853_more_a[][GRADYN_DENSE_STAGES] = {
    {0.056167502283047954, 0, 0, 0, 0, 0, 0.25350021021662483, -0.2462390374708025,
     -0.12419142326381637, 0.15329179827876568, 0.00820105229563469, 0.007567897660545699,
     -0.008298},
    {0.03183464816350214, 0, 0, 0, 0, 0.028300909672366776, 0.053541988307438566,
     -0.05492374857139099, 0, 0, -0.00010834732869724932, 0.0003825710908356584,
     -0.00034046500868740456, 0.1413124436746325},
    {-0.42889630158379194, 0, 0, 0, 0, -4.697621415361164, 7.683421196062599, 4.06898981839711,
     0.3567271874552811, 0, 0, 0, -0.0013990241651590145, 2.9475147891527724, -9.15095847217987}};
static const double dop853_bend[][GRADYN_DENSE_STAGES] = {
    {-8.428938276109013, 0, 0, 0, 0, 0.5667149535193777, -3.0689499459498917, 2.38466765651207,
     2.117034582445028, -0.871391583777973, 2.2404374302607883, 0.6315787787694688,
     -0.08899033645133331, 18.148505520854727, -9.194632392478356, -4.436036387594894},
    {10.427508642579134, 0, 0, 0, 0, 242.28349177525817, 165.20045171727028, -374.5467547226902,
     -22.113666853125306, 7.733432668472264, -30.674084731089398, -9.332130526430229,
     15.697238121770845, -31.139403219565178, -9.35292435884448, 35.81684148639408},
    {19.985053242002433, 0, 0, 0, 0, -387.0373087493518, -189.17813819516758, 527.8081592054236,
     -11.57390253995963, 6.8812326946963, -1.0006050966910838, 0.7777137798053443,
     -2.778205752353508, -60.19669523126412, 84.32040550667716, 11.99229113618279},
    {-25.69393346270375, 0, 0, 0, 0, -154.18974869023643, -231.5293791760455, 357.6391179106141,
     93.40532418362432, -37.45832313645163, 104.0996495089623, 29.8402934266605, -43.53345659001114,
     96.32455395918828, -39.17726167561544, -149.72683625798564}};

/* The first method is the default. In the second one, the error estimate includes the stage at the end of
 * the step. */
static const gradyn_tableau tableaus[] = {{.order = 8,
                                           .falls = 8,
                                           .edge = 6.1,
                                           .stages = 12,
                                           .a = dop853_a,
                                           .b = dop853_b,
                                           .c = dop853_c,
                                           .e = dop853_e,
                                           .e_low = dop853_e3,
                                           .jump = dop853_e,
                                           .least_jump = 3e-3,
                                           .back = dop853_back,
                                           .least_back = 1.6e-3,
                                           .more = 3,
                                           .more_c = dop853_more_c,
                                           .more_a = dop853_more_a,
                                           .bends = 4,
                                           .bend = dop853_bend},
                                          {.order = 5,
                                           .falls = 5,
                                           .edge = 3.25,
                                           .stages = 6,
                                           .a = dopri5_a,
                                           .b = dopri5_b,
                                           .c = dopri5_c,
                                           .e = dopri5_e,
                                           .judged_at_arrival = true,
                                           .jump = dopri5_jump,
                                           .least_jump = 0.2,
                                           .back = dopri5_back,
                                           .least_back = 0.028,
                                           .bends = 1,
                                           .bend = dopri5_bend}};

const gradyn_tableau *gradyn_tableau_find(int order)
{
  for (size_t k = 0; k < sizeof tableaus / sizeof *tableaus; k++)
    if (order == 0 || tableaus[k].order == order)
      return &tableaus[k];
  return NULL;
}
