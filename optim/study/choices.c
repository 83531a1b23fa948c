/* Texts for automatic choices, such as "name (reason)". */
#include "optim/study/choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/evaluator.h"
#include "core/files/json.h"
#include "core/files/text.h"
#include "optim/study/account.h"

/* Adds "name (reason)" or "name", followed by the text `more`, which may be empty. */
static void put(json_t **root, const char *key, const char *name, const char *why, const char *more)
{
  char *text = *why ? gradyn_format("%s (%s)%s", name, why, more)
                    : gradyn_format("%s%s", name, more);
  gradyn_json_put(root, key, text ? gradyn_json_text(text) : NULL);
  free(text);
}

static void put_algorithm(json_t **root, const gradyn_evaluator *ev, const gradyn_search *search)
{
  char why[400], more[100] = "";
  gradyn_search usual = *search;
  usual.algorithm = "auto";
  (void)gradyn_search_resolve(ev, &usual, why, sizeof why);
  const bool asked = search->algorithm && strcmp(search->algorithm, "auto") != 0;
  const char *name = asked ? search->algorithm : usual.algorithm;
  const char *then = asked ? search->then : usual.then;
  if (then)
    (void)snprintf(more, sizeof more, ", then %s if it ends before an optimum", then);
  put(root, "algorithm", name, strcmp(name, usual.algorithm) == 0 ? why : "", more);
}

/* Returns the reason for an automatically selected method; *name gets its name. */
static const char *explain_method(const gradyn_evaluator *ev, const char **name)
{
  const gradyn_choice *c = &ev->choice;
  if (gradyn_evaluator_model_info(ev).cases > 0) {
    *name = "auto";
    return "in each load case explicit, or radau if the start is stiff";
  }
  *name = !c->x ? ev->method->name : c->made ? c->method[c->first]->name : "auto";
  if (!c->x)
    return strcmp(*name, "idas") == 0 ? "only this method has an option that is set"
                                      : "forces depend on multipliers";
  return !c->made                   ? "explicit, or radau if the start is stiff"
         : c->first == GRADYN_QUICK ? "the start is not stiff"
                                    : "explicit detects stiffness, or needs too many steps";
}

static void put_method(json_t **root, const gradyn_evaluator *ev, const gradyn_search *search)
{
  char more[160] = "";
  const char *own = ev->problem->method, *name = ev->options.method, *why = "";
  const bool automatic = strcmp(name, "auto") == 0;
  if (automatic) {
    why = explain_method(ev, &name);
    /* if the explicit method stops because a run is stiff, the stiff method repeats the run */
    const char *ran = gradyn_evaluator_statistics(ev).method;
    if (ev->choice.made && strcmp(ran, name) != 0)
      (void)snprintf(more, sizeof more, ", %s in the last run, which is stiff", ran);
  } else if (own && strcmp(own, name) == 0)
    why = "the problem's";
  if (automatic && search && gradyn_search_in_segments(search) && own &&
      !gradyn_method_runs_segments(own))
    (void)snprintf(more + strlen(more), sizeof more - strlen(more),
                   ", because %s does not support segments", own);
  put(root, "method", name, why, more);
}

static void put_coordinates(json_t **root, const gradyn_evaluator *ev)
{
  const gradyn_model_info model = gradyn_evaluator_model_info(ev);
  char why[128] = "";
  if (model.operations[0] > 0)
    (void)snprintf(why, sizeof why,
                   "a stage takes about %.2g multiplications in natural and %.2g in joint "
                   "coordinates",
                   model.operations[0], model.operations[1]);
  else if (model.axes == 2 && strcmp(model.chosen, "natural") == 0)
    (void)snprintf(why, sizeof why, "in the plane");
  put(root, "coordinates", model.chosen, why, "");
}

/* Adds how gradients are computed: for the functionals that a search uses, or for all. */
static void put_gradients(json_t **root, const gradyn_evaluator *ev, bool searched)
{
  char why[100] = "";
  size_t count = gradyn_functional_count(ev), used = 0;
  for (size_t i = 0; i < count; i++)
    used += gradyn_functional_at(ev, i).use != GRADYN_MONITORED;
  count = searched && used > 0 ? used : count;
  if (ev->choice.either_route)
    (void)snprintf(why, sizeof why, "%zu parameter%s, %zu functional%s", ev->parameters.count,
                   ev->parameters.count == 1 ? "" : "s", count, count == 1 ? "" : "s");
  put(root, "gradients", gradyn_evaluator_sensitivity(ev, count), why, "");
}

json_t *gradyn_choices(const gradyn_evaluator *evaluator, const gradyn_search *search)
{
  json_t *root = json_object();
  if (search)
    put_algorithm(&root, evaluator, search);
  put_method(&root, evaluator, search);
  if (gradyn_evaluator_model_info(evaluator).mechanical)
    put_coordinates(&root, evaluator);
  put_gradients(&root, evaluator, search != NULL);
  return root;
}
