/* The load cases of an evaluator. */
#include "adjoint/evaluator/cases.h"

#include "core/problems/cases.h"

size_t gradyn_case_count(const gradyn_evaluator *ev)
{
  return ev && ev->load.all ? ev->load.all->count : 0;
}

gradyn_case_info gradyn_case_at(const gradyn_evaluator *ev, size_t i)
{
  if (i >= gradyn_case_count(ev))
    return (gradyn_case_info){.name = ""};
  const gradyn_case_part *part = &ev->load.all->part[i];
  return (gradyn_case_info){part->ev->options.only_case, part->weight, part->ev, part->parameter};
}

void gradyn_case_select(const gradyn_evaluator *ev, size_t k, const double rho[], double own[])
{
  const gradyn_case_part *part = &ev->load.all->part[k];
  for (size_t j = 0; j < part->ev->parameters.count; j++)
    own[j] = rho[part->parameter[j]];
}

double gradyn_case_share(const gradyn_evaluator *ev, double chance[])
{
  const gradyn_case_set *set = ev->load.all;
  if (!set || set->over != GRADYN_OVER_CVAR)
    return 0;
  for (size_t i = 0; i < set->row_count; i++)
    chance[i] = set->row[i].of < set->count ? set->part[set->row[i].of].weight / set->total : 0;
  return set->number;
}

const double *gradyn_case_point(gradyn_evaluator *ev, size_t k, const double rho[])
{
  gradyn_case_select(ev, k, rho, ev->load.all->part[k].rho);
  return ev->load.all->part[k].rho;
}

gradyn_status gradyn_case_fail(gradyn_evaluator *ev, size_t k, gradyn_status status)
{
  const gradyn_evaluator *part = ev->load.all->part[k].ev;
  gradyn_message_clear(&ev->message);
  return gradyn_fail(&ev->message, status, "case %s: %s", ev->problem->cases->names[k],
                     part->message.text);
}
