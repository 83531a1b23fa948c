/* Whether a search fits parameters to data. */
#include <string.h>

#include "optim/study/account.h"
#include <gradyn/inspect.h>

/* Whether functional f is a fit to data. */
static bool is_fit(const gradyn_evaluator *evaluator, size_t f)
{
  bool fit = false;
  for (size_t i = f; i < gradyn_functional_count(evaluator) && !fit; i++) {
    const gradyn_functional_info info = gradyn_functional_at(evaluator, i);
    fit = info.use == GRADYN_RESIDUAL && info.fit == f;
  }
  return fit;
}

/* Whether functional f is a term of the objective of a search. */
static bool is_term(const gradyn_search *search, const gradyn_functional_info *f)
{
  return search->objective ? strcmp(search->objective, f->name) == 0
                           : f->use == GRADYN_OBJECTIVE || f->use == GRADYN_LARGEST;
}

bool gradyn_search_fits(const gradyn_evaluator *evaluator, const gradyn_search *search)
{
  size_t terms = 0, fits = 0, pieces = 0;
  for (size_t i = 0; i < gradyn_functional_count(evaluator); i++) {
    const gradyn_functional_info info = gradyn_functional_at(evaluator, i);
    const bool term = is_term(search, &info);
    terms += term;
    fits += term && is_fit(evaluator, i);
    pieces += term && info.use == GRADYN_LARGEST && search->objective == NULL;
  }
  return terms > 0 && fits == terms && pieces < 2;
}
