/* Weighted sums of functionals. A sum is evaluated as any other functional: its integrand is the weighted
 * sum of the terms' integrands, and its terminal part the weighted sum of the terms' terminal parts. */
#include <math.h>

#include "core/model/declare.h"
#include "core/model/model.h"
#include <gradyn/functionals.h>

enum { INTEGRAND, TERMINAL };

static const gradyn_functional_entry *term(const gradyn_model *model,
                                           const gradyn_functional_entry *f, int k)
{
  return &model->functional[model->declared.summand[f->index[0] + k]];
}

/* A part, integrand or terminal, of a term of a sum. In joint coordinates, the state of the sum has already
 * been converted to natural coordinates. */
static const gradyn_functional_ops *part(const gradyn_functional_entry *f, int which)
{
  return f->reads.viewed[which] ? f->reads.viewed[which]
         : which == TERMINAL    ? f->terminal
                                : f->integrand;
}

static gradyn_status part_value(gradyn_model *model, const gradyn_functional_entry *f, int which,
                                const gradyn_sample *at, double *value)
{
  *value = 0;
  return part(f, which) ? part(f, which)->value(model, f, at, value) : GRADYN_OK;
}

static gradyn_status value_of(gradyn_model *model, const gradyn_functional_entry *f, int which,
                              const gradyn_sample *at, double *value)
{
  *value = 0;
  for (int k = 0; k < f->index[1]; k++) {
    double own;
    GRADYN_TRY(part_value(model, term(model, f, k), which, at, &own));
    *value += model->x[f->datum + k] * own;
  }
  return GRADYN_OK;
}

/* Adds the derivatives of a part, `which`, of the terms of a sum, and the derivatives by the weights of the
 * terms. */
static gradyn_status gradient_of(gradyn_model *model, const gradyn_functional_entry *f, int which,
                                 const gradyn_sample *at, double weight,
                                 const gradyn_gradient_out *out)
{
  for (int k = 0; k < f->index[1]; k++) {
    const gradyn_functional_entry *of = term(model, f, k);
    const double own = weight * model->x[f->datum + k];
    double value;
    if (!part(of, which))
      continue;
    GRADYN_TRY(part(of, which)->gradient(model, of, at, own, out));
    GRADYN_TRY(part_value(model, of, which, at, &value));
    if (out->x_bar)
      out->x_bar[f->datum + k] += weight * value;
  }
  return GRADYN_OK;
}

static gradyn_status integrand_value(gradyn_model *model, const gradyn_functional_entry *f,
                                     const gradyn_sample *at, double *value)
{
  return value_of(model, f, INTEGRAND, at, value);
}

static gradyn_status integrand_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                        const gradyn_sample *at, double weight,
                                        const gradyn_gradient_out *out)
{
  return gradient_of(model, f, INTEGRAND, at, weight, out);
}

static gradyn_status terminal_value(gradyn_model *model, const gradyn_functional_entry *f,
                                    const gradyn_sample *at, double *value)
{
  return value_of(model, f, TERMINAL, at, value);
}

static gradyn_status terminal_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                       const gradyn_sample *at, double weight,
                                       const gradyn_gradient_out *out)
{
  return gradient_of(model, f, TERMINAL, at, weight, out);
}

static const gradyn_functional_ops integrand_ops = {integrand_value, integrand_gradient},
                                   terminal_ops = {terminal_value, terminal_gradient};

/* --- declaration -------------------------------------------------------------------------------- */

/* Describes a term that is neither an integral nor a value at the end, for a message; NULL: it is one of
 * these. */
static const char *fault(const gradyn_functional_entry *f)
{
  if (f->along.of)
    return "a side of a path constraint";
  if (f->maximum || f->outer.sharpness != 0)
    return "a maximum";
  if (f->outer.mean)
    return "a mean";
  if (f->reduced.fit)
    return "a fit";
  return f->instant != 0 ? "a value at a time" : f->which != 0 ? "a value at an event" : NULL;
}

/* The term with that id in the first build(); NULL: a later build, or a build error. */
static const gradyn_functional_entry *check_term(gradyn_model *model, const char *name, int id)
{
  if (model->finalised || model->exhausted)
    return NULL;
  const int k = gradyn_index(model, name, "functional", id, model->functional_count);
  if (k < 0)
    return NULL;
  const gradyn_functional_entry *f = &model->functional[k];
  if (fault(f))
    gradyn_build_error(model,
                       "functional %s: its term %s is %s. Terms are integrals and values at the "
                       "end",
                       name, f->name, fault(f));
  return fault(f) ? NULL : f;
}

/* Adds a term to a sum. The sum uses all quantities that its terms use. */
static void add(gradyn_functional_entry *f, const gradyn_functional_entry *of)
{
  f->integrand = of->integrand ? &integrand_ops : f->integrand;
  f->terminal = of->terminal ? &terminal_ops : f->terminal;
  f->data_only = f->data_only && of->data_only;
  f->positions_only = f->positions_only && (of->data_only || of->positions_only);
  f->motion_only = f->motion_only && (of->data_only || of->positions_only || of->motion_only);
  f->no_multipliers = f->no_multipliers && (of->data_only || of->positions_only ||
                                            of->motion_only || of->no_multipliers);
}

/* Checks the specification of a sum; false after a build error. */
static bool check(gradyn_model *model, const gradyn_functional_sum_spec *spec)
{
  bool right = true;
  if (spec->count < 1 || !spec->terms || !spec->weights) {
    gradyn_build_error(
        model,
        "functional %s: the sum has %d terms; it needs at least one term, and a weight for each",
        spec->name, spec->count);
    return false;
  }
  for (int k = 0; k < spec->count; k++)
    right = (check_term(model, spec->name, spec->terms[k]) || model->finalised) && right;
  return right;
}

int gradyn_functional_sum(gradyn_model *model, const gradyn_functional_sum_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_functional_sum()") ||
      !gradyn_model_named(model, spec->name, "a functional") || !check(model, spec))
    return 0;
  gradyn_functional_entry *f;
  const int first = gradyn_first_id(model);
  const char *unit = spec->unit || model->finalised
                         ? spec->unit
                         : model->functional[spec->terms[0] - first].unit;
  const int number = gradyn_model_functional(model, spec->name, unit, &f);
  const bool known = model->finalised && number < model->functional_count;
  const int datum = gradyn_model_array(model, spec->name, "weight", "",
                                       (gradyn_knot_window){0, spec->count}, spec->weights,
                                       known ? model->functional[number].datum : -1);
  if (!f)
    return gradyn_id(model, number);
  f->datum = datum;
  f->index[0] = model->declared.summands;
  f->index[1] = spec->count;
  f->data_only = f->positions_only = f->motion_only = f->no_multipliers = true;
  for (int k = 0; k < spec->count; k++) {
    const int of = spec->terms[k] - first;
    if (!gradyn_model_append(model, &model->declared.summand, &model->declared.summands, sizeof of,
                             &of))
      return 0;
    add(f, &model->functional[of]);
  }
  return gradyn_id(model, number);
}
