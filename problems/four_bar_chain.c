/* N four-bar loops in a row that share their pivots and cranks: a benchmark of the IFToMM library of
 * computational benchmark problems. Cranks and couplers are uniform rods of 1 m and 1 kg. All cranks start
 * upright, with their tips moving at 1 m/s. Twice per revolution all rods are in one line. There the
 * constraints depend on each other, and each loop could fold into an antiparallelogram. Nothing dissipates,
 * so that energy is conserved. */
#include <gradyn/gradyn.h>

enum { LENGTH, MASS, SPEED };

static const gradyn_param params[] = {
    [LENGTH] = {"length", "m", .init = 1.0, .lower = 0.5, .upper = 2.0},
    [MASS] = {"mass", "kg", .init = 1.0, .lower = 0.1, .upper = 10.0},
    [SPEED] = {"speed", "m/s", .init = 1.0, .lower = 0.5, .upper = 5.0,
               .role = GRADYN_INITIAL_STATE},
};

static const gradyn_setting settings[] = {
    {"loops", "number of four-bar loops", .init = 2, .lower = 1, .upper = 200},
};

/* Adds crank k, which is upright at the start. Returns its tip. */
static int add_crank(gradyn_model *mbs, int k, const gradyn_scalar rho[])
{
  int pivot = gradyn_ground_point(mbs, gradyn_format_name(mbs, "A%d", k), k * rho[LENGTH], 0);
  int tip = gradyn_point(mbs, gradyn_format_name(mbs, "B%d", k), k * rho[LENGTH], rho[LENGTH]);
  /* all tips have the same velocity, so that the loops move as parallelograms */
  gradyn_initial_velocity(mbs, tip, rho[SPEED], 0);
  gradyn_rod(mbs, &(gradyn_rod_spec){gradyn_format_name(mbs, "crank%d", k), pivot, tip,
                                     .length = rho[LENGTH], .mass = rho[MASS]});
  return tip;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  /* there is one crank more than loops */
  int loops = gradyn_setting_value(mbs, "loops"), first = add_crank(mbs, 0, rho), last = first;

  /* each loop has another crank, and a coupler to the crank before */
  for (int k = 1; k <= loops; k++) {
    int tip = add_crank(mbs, k, rho);
    gradyn_rod(mbs, &(gradyn_rod_spec){gradyn_format_name(mbs, "coupler%d", k), last, tip,
                                       .length = rho[LENGTH], .mass = rho[MASS]});
    last = tip;
  }
  gradyn_gravity(mbs, 0, -9.81);

  /* the objective is the distance of the first tip from its upright position */
  gradyn_minimise(
      mbs,
      gradyn_functional(mbs,
                        &(gradyn_functional_spec){
                            "tip", gradyn_measure_point(mbs, "", first, 0, GRADYN_ALL_AXES),
                            .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0, rho[LENGTH]}}),
      1);
  gradyn_functional(mbs, &(gradyn_functional_spec){"end_energy", gradyn_measure_energy(mbs, ""),
                                                   .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(
    four_bar_chain, .summary = "Four-bar loops in a row through singular positions",
    .reference = "IFToMM library of computational benchmark problems, N four-bar mechanism",
    .params = params, .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
    .t_end = 10.0, .method = "ali3p", .step = 1e-3);
