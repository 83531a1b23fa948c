/* Steady states of reaction networks by their reactions: stiff ones, with totals, with several steady states,
 * with none. The states are those of SciPy's BDF method and Newton's method. */
#include <ctype.h>

#include "dae/start/linearise.h"
#include "dae/systems/steady_equations.h"

#include "tests/support.h"

enum { SPECIES = 11, REACTIONS = 12 };

typedef struct network {
  /* Species before and after the reaction, and the rate coefficient of their product. A small letter x is a
   * factor 1/(1 + X^3) */
  struct {
    const char *change;
    double rate;
  } reaction[REACTIONS];
  double first[SPECIES], t_end, last[SPECIES];
  const char *says; /* NULL: the state is reached */
} network;

static const network networks[] = {
    /* A begins beside the middle of three zeros: long steps reverse its motion. */
    {{{"AAA>AA", 1.16948471032},
      {"AA>AAA", 8.32811841943},
      {"A>", 17.8608836951},
      {">A", 11.4346593914},
      {"A>AB", 0.804671526327},
      {"B>", 0.00420826200481},
      {"B>BC", 0.00442082469724},
      {"C>", 27.0501352902}},
     {2.20226533141, 0, 0},
     269,
     {3.72808147398, 712.855094694, 0.116502463828},
     NULL},
    /* The same, nearer: long steps end in the middle. */
    {{{"AAA>AA", 775507.113207},
      {"AA>AAA", 6756064.23499},
      {"A>", 3069111.41782},
      {">A", 337834.262316},
      {"A>AB", 0.191267604393},
      {"B>", 4.07783803094},
      {"B>BC", 0.696236039487},
      {"C>", 185.367790955}},
     {0.294317357554, 0, 0},
     2.37e+03,
     {0.179675139869, 0.00842751313587, 3.16534945916e-05},
     NULL},
    /* Terms of a rate cancel to 1e-5 at the start. */
    {{{"AAA>AA", 780.391514534},
      {"AA>AAA", 13774.2437131},
      {"A>", 70597.1601326},
      {">A", 82820.2460072},
      {"A>AB", 0.011975790648},
      {"B>", 0.442140412063},
      {"B>BC", 33.7792620952},
      {"C>", 0.000667566618567}},
     {7.9118818352, 0, 0},
     1.7e+03,
     {8.07814895932, 0.218804294113, 11071.625502},
     NULL},
    /* B does not react. Amounts are small. */
    {{{"AE>CE", 261655.569326},
      {"CE>AE", 35806.6239976},
      {"E>D", 3.04345132145},
      {"D>E", 41.5419752402},
      {"DD>CE", 2799.9063779},
      {"CE>DD", 3542.6528876},
      {"E>A", 0.12957491169},
      {"A>E", 4.87576647278}},
     {0, 2.43721233065e-05, 1.50087519707e-05, 4.42106927771e-05, 3.55657904184e-05},
     151,
     {1.50994095232e-06, 2.43721233065e-05, 1.00713663683e-05, 5.79925532537e-06,
      7.74046725202e-05},
     NULL},
    /* C is absent; with any of it, A would change, and rates from 3e-6/s to 3e3/s. */
    {{{"BD>E", 6.60745065049},
      {"E>BD", 0.374056508594},
      {"D>B", 17.2175491265},
      {"B>D", 3322.17613542},
      {"AD>E", 0.146250494599},
      {"E>AD", 26.1396970078},
      {"B>BD", 0.0292763863117},
      {"BD>B", 153.383403199},
      {"CE>C", 960.48613478},
      {"C>CE", 1968.58246221},
      {"DD>AE", 10.2795000118},
      {"AE>DD", 3.85892727388}},
     {0.832318454656, 5.33075956059, 0, 5.4251606004, 0},
     0.182,
     {0.695113522958, 5.57851448422e-06, 0, 0.00107630257431, 4.15689776924e-06},
     NULL},
    /* Enzymes with five totals. */
    {{{"AB>D", 5730.21021263},
      {"D>AB", 3.24648920364},
      {"D>AC", 14.2747232519},
      {"CE>F", 4.12070674007},
      {"F>CE", 0.635166753615},
      {"F>BE", 0.000953269984774},
      {"CG>I", 1815.98503115},
      {"I>CG", 1284.74093317},
      {"I>CH", 3859.82002519},
      {"HJ>K", 0.000159672958053},
      {"K>HJ", 80.2248071152},
      {"K>GJ", 24.0325919459}},
     {0.164973686515, 0.364457302179, 0, 0, 0.0439107738368, 0, 0.423830535065, 0, 0,
      0.890304195755, 0},
     0.428,
     {0.164971680266, 3.71851084278e-08, 0.334412716605, 2.00624907065e-06, 0.0138682352954,
      0.0300425385414, 3.04818320025e-08, 0.423829923083, 3.59822068498e-09, 0.890303617853,
      5.77902054269e-07},
     NULL},
    /* All but H end at zero. */
    {{{"A>H", 0.0469213461791},
      {"B>H", 0.0275328235985},
      {"B>D", 0.0805682463092},
      {"C>D", 0.0606570886783},
      {"D>H", 0.0643420303195},
      {"E>G", 0.0572901486843},
      {"F>H", 0.00203835499688},
      {"G>H", 0.00130467025298},
      {"G>H", 0.0727721050884}},
     {1.3, 0, 0, 0.106433339572, 0, 0.794068192313, 5.4722639398, 1.40380033827},
     4.11,
     {0, 0, 0, 0, 0, 0, 0, 9.07656580995},
     NULL},
    /* The state is reached after many oscillations. */
    {{{"A>AA", 1}, {"AB>BB", 1.75206329966}, {"B>", 1.18035744796}, {"AA>A", 0.0329887586344}},
     {3.89016637199, 0.414251171402},
     229,
     {0.673695663957, 0.558070942151},
     NULL},
    /* The switch is symmetric: round-off must not decide. */
    {{{"b>A", 7.4}, {"a>B", 7.4}, {"A>", 1}, {"B>", 1}}, {3.1, 3.1}, 10, {0}, "it is not stable"},
    /* B is absent and would grow. */
    {{{">A", 8.2}, {"A>", 0.24}, {"AB>BB", 2.8}, {"B>", 0.15}, {"AC>CC", 0.23}, {"C>", 0.11}},
     {2.2, 0, 0.17},
     4.6,
     {0},
     "it is not stable"},
    {{{">A", 8.8}, {"A>", 3.1}, {"AB>BB", 4.5}, {"B>", 0.12}, {"AC>CC", 0.37}, {"C>", 0.13}},
     {0.14, 0, 0.0062},
     61,
     {0},
     "it is not stable"},
    /* A supply beside rates that are larger by eleven decades. */
    {{{"AB>C", 1e9}, {"C>AB", 3e9}, {">A", 0.01}}, {1, 0.5, 0.2}, 10, {0}, "none was reached"},
    /* A limit cycle. */
    {{{">A", 1}, {"AAB>AAA", 1}, {"A>B", 3}, {"A>", 1}}, {1.5, 2.5}, 10, {0}, "none was reached"},
    /* An epidemic ends with as many A as are left. */
    {{{"AC>BC", 1.5}, {"B>C", 0.7}, {"C>D", 0.4}},
     {1, 0, 0.001, 0},
     100,
     {0},
     "it is not isolated"},
};

static const network *present;

static int species(void)
{
  int most = 0;
  for (int r = 0; r < REACTIONS && present->reaction[r].change; r++)
    for (const char *c = present->reaction[r].change; *c; c++)
      most = *c != '>' && toupper(*c) - 'A' >= most ? toupper(*c) - 'A' + 1 : most;
  return most;
}

static gradyn_status react(const gradyn_at *at, gradyn_scalar F[])
{
  for (int i = 0; i < species(); i++)
    F[i] = at->yp[i];
  for (int r = 0; r < REACTIONS && present->reaction[r].change; r++) {
    const char *const change = present->reaction[r].change, *const after = strchr(change, '>') + 1;
    gradyn_scalar rate = present->reaction[r].rate;
    for (const char *c = change; *c != '>'; c++) {
      const gradyn_scalar amount = at->y[toupper(*c) - 'A'];
      rate *= islower(*c) ? 1 / (1 + amount * amount * amount) : amount;
    }
    for (const char *c = change; *c != '>'; c++)
      F[toupper(*c) - 'A'] += isupper(*c) ? rate : 0;
    for (const char *c = after; *c; c++)
      F[*c - 'A'] -= rate;
  }
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  for (int i = 0; i < species(); i++)
    gradyn_state(model, (char[]){(char)('A' + i), '\0'}, "", present->first[i]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = react});
  gradyn_start_in_equilibrium(model);
  return gradyn_build_status(model);
}

TEST(networks_reach_their_states_or_are_refused)
{
  for (size_t k = 0; k < GRADYN_COUNT(networks); k++) {
    present = &networks[k];
    const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "network", .build = build,
                                    .t_end = present->t_end};
    OWNED(gradyn_model) *model = NULL;
    gradyn_steady_state found = {0};
    assert_int_equal(gradyn_model_create(&problem, NULL, 0, 0, NULL, &model), GRADYN_OK);
    assert_int_equal(gradyn_model_load(model, NULL), GRADYN_OK);
    assert_int_equal(gradyn_steady_state_create(model, true, &found), GRADYN_OK);
    const gradyn_status status = gradyn_steady_state_find(&found, true);
    if (present->says)
      assert_non_null(strstr(model->message.text, present->says));
    else {
      assert_string_equal(model->message.text, "");
      double y[SPECIES];
      assert_close_array(found.y, present->last, (size_t)species(), 1e-9, 1e-20);
      assert_int_equal(gradyn_balance_equations(model, y), GRADYN_OK);
      assert_close_array(y, present->last, (size_t)species(), 1e-9, 1e-20);
    }
    assert_true((status == GRADYN_OK) == !present->says);
    gradyn_steady_state_clear(&found);
  }
}
