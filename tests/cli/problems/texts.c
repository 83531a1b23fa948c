/* A problem with one invalid text, selected by TEXT from 1 to 8; 0: all texts are valid. */
#include <gradyn/gradyn.h>
#include <stdint.h>

#define AT(number, right) (TEXT == (number) ? (const char *)(uintptr_t)1 : (right))

static const gradyn_param params[] = {{AT(1, "x"), AT(2, "m"), .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{AT(3, "links"), AT(4, "how many"), 1, 1, 3}};

static gradyn_status stand_still(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "x", "m", rho[0]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = stand_still});
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(texts, .summary = AT(5, "Texts"), .reference = AT(6, "none"),
               .method = AT(7, "idas"), .algorithm = AT(8, "lbfgs"), .params = params,
               .settings = settings, .setting_count = 1, .build = build, .t_end = 1);
