/* Knots added to signals; see added.h. A knot between t_k and t_k+1 at the fraction theta is at t_k + theta
 * (t_k+1 - t_k). The formula is complex, so the knot moves with its neighbours under a complex step. */
#include "core/model/added.h"

#include "core/model/declare.h"

int gradyn_added_count(const gradyn_model *model, int signal, size_t *first)
{
  const gradyn_added_knots *added = model->settings.added;
  int count = 0;
  *first = 0;
  for (size_t i = 0; added != NULL && i < added->count; i++) {
    if (added->knot[i].signal != signal)
      continue;
    *first = count == 0 ? i : *first;
    count++;
  }
  return count;
}

gradyn_scalar gradyn_added_run_end(gradyn_model *model)
{
  model->span.read = model->value[model->t_end];
  model->span.was_read = true;
  return model->span.read;
}

/* Time of knot k. For a piecewise constant signal, k = count gives the end of the last piece. */
static gradyn_scalar time_of(gradyn_model *model, const gradyn_signal_spec *spec, int k)
{
  if (spec->times)
    return k < spec->count ? spec->times[k] : gradyn_added_run_end(model);
  const int pieces = spec->kind == GRADYN_PIECEWISE_CONSTANT ? spec->count : spec->count - 1;
  const gradyn_scalar end = creal(spec->t_end) != 0 ? spec->t_end : gradyn_added_run_end(model);
  return spec->t_start + (double)k / pieces * (end - spec->t_start);
}

void gradyn_added_merge(gradyn_model *model, int signal, const gradyn_signal_spec *spec,
                        gradyn_scalar *knots, gradyn_scalar *times)
{
  const gradyn_added_knots *added = model->settings.added;
  size_t next;
  const int more = gradyn_added_count(model, signal, &next);
  const size_t end = next + (size_t)more;
  for (int k = 0, at = 0; k < spec->count; k++) {
    const gradyn_scalar t = time_of(model, spec, k);
    times[at] = t;
    knots[at++] = spec->knots[k];
    for (; next < end && (int)added->knot[next].position == k; next++) {
      times[at] = t + (added->knot[next].position - k) * (time_of(model, spec, k + 1) - t);
      knots[at++] = model->declared.rho[added->first + next];
    }
  }
}

void gradyn_added_check(gradyn_model *model)
{
  if (model->span.read != model->value[model->t_end])
    gradyn_build_error(model, "gradyn_end_time() is called after signals that end with the run, so "
                              "these signals cannot be refined or delayed. Call "
                              "gradyn_end_time() before the signals are declared");
}
