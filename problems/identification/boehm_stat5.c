/* Dimerisation of the signalling protein STAT5, and its import into the nucleus: six rate constants and
 * three standard deviations from 16 measurements of each of three relative signals. It is a problem of the
 * benchmark collection PEtab, with a published likelihood. The unit of time is the minute; gradyn prints it
 * as s. */
#include <gradyn/gradyn.h>

enum { DATA = 16, SIGNALS = 3, SPECIES = 8 };
enum { K_DEG, K_EXP_HETERO, K_EXP_HOMO, K_IMP_HETERO, K_IMP_HOMO, K_PHOS, CONSTANTS };
enum { SD_PA = CONSTANTS, SD_PB, SD_RA };
enum { A, B, AB, AA, BB, N_AA, N_AB, N_BB };

/* The parameters are decimal logarithms. The initial values are our choice. */
static const gradyn_param params[] = {
    [K_DEG] = {"lg_k_deg", "", .init = -1.5, .lower = -5, .upper = 5, .scale = 1},
    [K_EXP_HETERO] = {"lg_k_exp_hetero", "", .init = -4, .lower = -5, .upper = 5, .scale = 1},
    [K_EXP_HOMO] = {"lg_k_exp_homo", "", .init = -2, .lower = -5, .upper = 5, .scale = 1},
    [K_IMP_HETERO] = {"lg_k_imp_hetero", "", .init = -1.5, .lower = -5, .upper = 5, .scale = 1},
    [K_IMP_HOMO] = {"lg_k_imp_homo", "", .init = 0, .lower = -5, .upper = 5, .scale = 1},
    [K_PHOS] = {"lg_k_phos", "", .init = 4, .lower = -5, .upper = 5, .scale = 1},
    [SD_PA] = {"lg_sd_pA", "", .init = 1, .lower = -5, .upper = 5, .scale = 1},
    [SD_PB] = {"lg_sd_pB", "", .init = 1, .lower = -5, .upper = 5, .scale = 1},
    [SD_RA] = {"lg_sd_rA", "", .init = 1, .lower = -5, .upper = 5, .scale = 1},
};

/* Measurements of Boehm et al. (2014): times in minutes, then pSTAT5A_rel, pSTAT5B_rel, rSTAT5A_rel. */
static const double times[DATA] = {0.0,  2.5,  5.0,  10.0,  15.0,  20.0,  30.0,  40.0,
                                   50.0, 60.0, 80.0, 100.0, 120.0, 160.0, 200.0, 240.0};
static const double measured[SIGNALS][DATA] = {
    {7.90107299873911, 66.3634939682528, 81.1713239165337, 94.7303080627876, 95.1164830493244,
     91.44171655392, 91.2570992263545, 93.672297840992, 88.754232823019, 85.2697032178279,
     81.1323953369608, 76.135928475796, 65.2480591250229, 42.5996587097166, 25.1577975445976,
     15.4301823994994},
    {4.59653334288927, 29.6345459874189, 46.0438064695701, 81.9747336191685, 80.5716092952489,
     79.0357196371442, 75.6723803658298, 71.6247198618303, 69.0628632755742, 67.1473843168934,
     60.8994762938824, 54.8092577721492, 43.9812899778025, 29.7714581636675, 20.089016562771,
     10.961845166698},
    {14.7231682180584, 33.762342293107, 36.7998512942493, 49.7176022859654, 46.9281200952955,
     47.8365745550135, 46.9287272497385, 40.5977529351181, 43.783663885071, 44.4573876523855,
     41.3271592618297, 41.0627332148332, 39.2358300289377, 36.6194605442418, 34.8937144010561,
     32.2110771608676}};

static const double ratio = 0.107;                   /* share of an isoform, published as specC17 */
static const double total = 207.6, share = 0.693;    /* total of STAT5; share of its isoform A */
static const double cytoplasm = 1.4, nucleus = 0.45; /* volumes, pL */

static gradyn_scalar decade(gradyn_scalar x)
{
  return cexp(x * log(10));
}

/* Equations of phosphorylation, dimerisation, import and export. */
static gradyn_status reaction(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *yp = at->yp, *k = at->data;
  const gradyn_scalar epo = 1.25e-7 * cexp(-k[K_DEG] * at->t) * k[K_PHOS];
  const gradyn_scalar v1 = epo * y[A] * y[A], v2 = epo * y[A] * y[B], v3 = epo * y[B] * y[B];
  const gradyn_scalar in_aa = k[K_IMP_HOMO] * y[AA], in_ab = k[K_IMP_HETERO] * y[AB],
                      in_bb = k[K_IMP_HOMO] * y[BB];
  const gradyn_scalar out_aa = k[K_EXP_HOMO] * y[N_AA], out_ab = k[K_EXP_HETERO] * y[N_AB],
                      out_bb = k[K_EXP_HOMO] * y[N_BB];
  const double r = nucleus / cytoplasm;
  F[A] = yp[A] + 2 * v1 + v2 - r * (2 * out_aa + out_ab);
  F[B] = yp[B] + v2 + 2 * v3 - r * (out_ab + 2 * out_bb);
  F[AB] = yp[AB] - v2 + in_ab;
  F[AA] = yp[AA] - v1 + in_aa;
  F[BB] = yp[BB] - v3 + in_bb;
  F[N_AA] = yp[N_AA] - in_aa / r + out_aa;
  F[N_AB] = yp[N_AB] - in_ab / r + out_ab;
  F[N_BB] = yp[N_BB] - in_bb / r + out_bb;
  return GRADYN_OK;
}

/* Phosphorylated STAT5A, phosphorylated STAT5B, or the part of STAT5A, in percent; `user` selects one of
 * them. */
static gradyn_status signal(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *y = at->y;
  const double s = ratio;
  switch (*(const int *)at->user) {
  case 0:
    *value = (100 * y[AB] + 200 * y[AA] * s) / (y[AB] + y[A] * s + 2 * y[AA] * s);
    break;
  case 1:
    *value = -(100 * y[AB] - 200 * y[BB] * (s - 1)) /
             ((y[B] * (s - 1) - y[AB]) + 2 * y[BB] * (s - 1));
    break;
  default:
    *value = (100 * y[AB] + 100 * y[A] * s + 200 * y[AA] * s) /
             (2 * y[AB] + y[A] * s + 2 * y[AA] * s - y[B] * (s - 1) - 2 * y[BB] * (s - 1));
  }
  return GRADYN_OK;
}

/* Compares a signal with its measurements. */
static void compare(gradyn_model *model, int i, gradyn_scalar sigma)
{
  static const int number[SIGNALS] = {0, 1, 2};
  static const char *const name[SIGNALS] = {"pA", "pB", "rA"};
  const gradyn_measure_id measure = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){
                 .name = name[i], .unit = "%", .formula = signal, .user = (void *)&number[i]});
  const gradyn_functional_id fit = gradyn_fit(model, gradyn_format_name(model, "fit_%s", name[i]),
                                              measure,
                                              &(gradyn_fit_spec){.times = times,
                                                                 .values = measured[i],
                                                                 .count = DATA,
                                                                 .sigma = sigma,
                                                                 .likelihood = true});
  gradyn_minimise(model, fit, 1);
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const char *const names[SPECIES] = {"A", "B", "AB", "AA", "BB", "nAA", "nAB", "nBB"};
  for (int i = 0; i < SPECIES; i++)
    gradyn_state(model, names[i], "", i == A ? total * share : i == B ? total * (1 - share) : 0);
  gradyn_datum data[CONSTANTS];
  static const char *const constant[CONSTANTS] = {"k_deg",        "k_exp_hetero", "k_exp_homo",
                                                  "k_imp_hetero", "k_imp_homo",   "k_phos"};
  for (int i = 0; i < CONSTANTS; i++)
    data[i] = (gradyn_datum){constant[i], "", decade(rho[i])};
  gradyn_equations(
      model, &(gradyn_equations_spec){.residual = reaction, .data = data, .data_count = CONSTANTS});
  for (int i = 0; i < SIGNALS; i++)
    compare(model, i, decade(rho[SD_PA + i]));
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(boehm_stat5, .summary = "STAT5 into the nucleus: rates and deviations by likelihood",
               .reference = "Boehm et al. (2014); PEtab benchmark collection", .params = params,
               .build = build, .t_end = 240, .rtol = 1e-9, .atol = 1e-9);
