/* A problem whose names would damage a page that read them as markup. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {
    {"</script><script>hostile=1</script>", "<b>m</b>", .init = 1.5, .lower = 1, .upper = 2},
    {"a\",b c<!--", "&lt;", .init = 0.1, .lower = 0, .upper = 1},
};

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(mbs, "<img src=x onerror=hostile=1>", 0, 0);
  int p = gradyn_point(mbs, "]]>'\\", 1, 0);
  gradyn_rod(
      mbs, &(gradyn_rod_spec){"<style>*{display:none}</style>", A, p, .length = rho[0], .mass = 1});
  gradyn_torque(mbs, &(gradyn_torque_spec){"<iframe>", A, p, .c = rho[1]});
  gradyn_gravity(mbs, 0, -9.81);
  gradyn_draw_trace(mbs, p);
  gradyn_draw_colour(mbs, "<style>*{display:none}</style>", 0xc04020);
  gradyn_minimise(
      mbs,
      gradyn_functional(
          mbs, &(gradyn_functional_spec){"</pre><object data=x>",
                                         gradyn_measure_point(mbs, "", p, 0, GRADYN_ALL_AXES),
                                         .reduction = GRADYN_SQUARE_INTEGRAL, .target = {1, -1}}),
      1);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(hostile, .name = "</title><svg onload=hostile=1>",
               .summary = "<script>hostile=1</script>", .params = params, .build = build,
               .t_end = 1.0, .method = "ali3p", .step = 1e-2);
