/* A problem in which each uncertain number has an offset that is a parameter. */
#include "core/problems/retired.h"
#include "optim/inference/displaced.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adjoint/evaluator/cases.h"
#include "adjoint/evaluator/refined.h"
#include "core/problems/prior.h"

static const char prefix[] = "offset of ";

/* Calls the user's build() with the offsets, which are the last parameters. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_displaced *displaced =
      (const gradyn_displaced *)
          model->problem; /* the problem is the first member of gradyn_displaced */
  int one;
  model->declared.uncertain.offset = gradyn_parameter_array(model, rho,
                                                            (int)displaced->of->param_count, &one);
  return gradyn_problem_build(displaced->of, model, rho);
}

/* Whether two models declare the same uncertain numbers. */
static bool alike(const gradyn_model_uncertain *a, const gradyn_model_uncertain *b)
{
  bool equal = a->count == b->count;
  for (int i = 0; equal && i < a->count; i++)
    equal = strcmp(a->entry[i].name, b->entry[i].name) == 0 &&
            a->entry[i].distribution == b->entry[i].distribution;
  return equal;
}

static gradyn_status check(const gradyn_evaluator *of, gradyn_message *message)
{
  const gradyn_model_uncertain *first = &of->model->declared.uncertain;
  char name[100];
  for (size_t k = 1; k < gradyn_case_count(of); k++)
    if (!alike(first, &gradyn_case_at(of, k).evaluator->model->declared.uncertain))
      return gradyn_fail(message, GRADYN_INVALID,
                         "case %s: its uncertain numbers are not those of case %s; all cases must "
                         "declare the same",
                         gradyn_case_at(of, k).name, gradyn_case_at(of, 0).name);
  return first->count > 0
             ? GRADYN_OK
             : gradyn_fail(message, GRADYN_INVALID,
                           "problem %s: no number is uncertain; one is needed. Call "
                           "gradyn_uncertain() in build()",
                           gradyn_problem_display_name(of->problem, name, sizeof name));
}

/* Appends an offset for each uncertain number to the parameters of the problem. */
static gradyn_status add_offsets(const gradyn_evaluator *of, gradyn_displaced *out)
{
  const gradyn_model_uncertain *uncertain = &of->model->declared.uncertain;
  const size_t p = of->problem->param_count;
  gradyn_param *params = gradyn_arena_take(&out->arena, p + out->count, sizeof *params);
  out->offset = gradyn_arena_take(&out->arena, out->count, sizeof *out->offset);
  out->own = gradyn_arena_take(&out->arena, out->parameters, sizeof *out->own);
  GRADYN_TRY(gradyn_arena_status(&out->arena));
  if (p > 0)
    memcpy(params, of->problem->params, p * sizeof *params);
  for (size_t i = 0; i < out->count; i++) {
    const size_t size = sizeof prefix + strlen(uncertain->entry[i].name);
    char *name = gradyn_arena_take(&out->arena, size, 1);
    if (!name)
      return GRADYN_NO_MEMORY;
    (void)snprintf(name, size, "%s%s", prefix, uncertain->entry[i].name);
    params[p + i] = (gradyn_param){.name = name, .scale = 1, GRADYN_UNBOUNDED};
  }
  out->problem.params = params;
  out->problem.param_count = p + out->count;
  return GRADYN_OK;
}

/* Finds the user's parameters and the offsets among the parameters of the new evaluator. */
static void find_parameters(const gradyn_evaluator *of, gradyn_displaced *out)
{
  const gradyn_parameters *all = &out->ev->parameters;
  size_t at = 0, offset = 0;
  /* the user's parameters have kept their order; all others are offsets */
  for (size_t j = 0; j < all->count; j++)
    if (at < out->parameters && strcmp(all->info[j].name, of->parameters.info[at].name) == 0)
      out->own[at++] = j;
    else
      out->offset[offset++] = j;
}

gradyn_status gradyn_displaced_create(gradyn_evaluator *of, gradyn_displaced *out,
                                      gradyn_message *message)
{
  *out = (gradyn_displaced){.problem = *of->problem, .of = of->problem};
  GRADYN_TRY(check(of, message));
  out->count = (size_t)of->model->declared.uncertain.count;
  out->parameters = of->parameters.count;
  out->problem.build = build;
  if (add_offsets(of, out) != GRADYN_OK)
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory for %zu uncertain numbers",
                       out->count);
  GRADYN_TRY(gradyn_evaluator_extend(of, &out->problem, NULL, message, &out->ev));
  find_parameters(of, out);
  return GRADYN_OK;
}

void gradyn_displaced_clear(gradyn_displaced *displaced)
{
  gradyn_evaluator_free(displaced->ev);
  gradyn_arena_clear(&displaced->arena);
  *displaced = (gradyn_displaced){.ev = NULL};
}

void gradyn_displaced_point(const gradyn_displaced *displaced, const double rho[], const double z[],
                            double all[])
{
  for (size_t j = 0; j < displaced->parameters; j++)
    all[displaced->own[j]] = rho[j];
  for (size_t i = 0; i < displaced->count; i++)
    all[displaced->offset[i]] = z ? z[i] : 0;
}
