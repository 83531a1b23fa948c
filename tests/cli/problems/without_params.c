/* A falling stone, without parameters. With USUAL it is declared like problems with parameters. */
#include <gradyn/gradyn.h>

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const int stone = gradyn_point(model, "stone", 0, 1);
  gradyn_point_mass(model, "stone", stone, 2);
  gradyn_gravity(model, 0, -9.81);
  gradyn_functional(model, &(gradyn_functional_spec){
                               "height", gradyn_measure_point(model, "", stone, 0, GRADYN_Y),
                               .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

#ifdef USUAL
GRADYN_PROBLEM(without_params, .build = build, .t_end = 1);
#else
GRADYN_PROBLEM_WITHOUT_PARAMS(without_params, .build = build, .t_end = 1);
#endif
