/* The magnitude of a few measures, such as the components of a force. */
#include "mbs/measure.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static const mbs_measure *part_of(const gradyn_mbs *m, const mbs_measure *s, int k)
{
  return &m->measure[s->index[k]];
}

/* sqrt(sum + smoothing^2); each part to part [parts]. */
static double root(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at, double *part)
{
  const double smoothing = m->model->x[s->datum];
  double sum = smoothing * smoothing;
  for (int k = 0; k < s->parts; k++) {
    part[k] = part_of(m, s, k)->ops->value(m, part_of(m, s, k), at);
    sum += part[k] * part[k];
  }
  return sqrt(sum);
}

static double value(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at)
{
  double part[MBS_PARTS];
  return root(m, s, at, part) - m->model->x[s->datum];
}

/* part/root by every part, smoothing/root - 1 by the smoothing; where the root is zero, at its kink, 0. */
static void bar(gradyn_mbs *m, const mbs_measure *s, double weight, const gradyn_sample *at,
                const gradyn_gradient_out *out)
{
  double part[MBS_PARTS];
  const double size = root(m, s, at, part);
  for (int k = 0; k < s->parts && size > 0; k++)
    part_of(m, s, k)->ops->bar(m, part_of(m, s, k), weight * part[k] / size, at, out);
  if (out->x_bar && size > 0)
    out->x_bar[s->datum] += weight * (m->model->x[s->datum] / size - 1);
}

static const mbs_measure_ops magnitude_ops = {value, bar};

/* Notes what is wrong with the parts as build errors; fills the prototype with them. */
static bool take_parts(gradyn_mbs *m, const char *name, const int measures[], int count,
                       mbs_measure *prototype)
{
  if (count < 1 || count > MBS_PARTS || !measures) {
    gradyn_build_error(m->model, "%s: a magnitude of %d measures: there are those of 1 to %d", name,
                       measures ? count : 0, (int)MBS_PARTS);
    return false;
  }
  for (int k = 0; k < count; k++) {
    const mbs_measure *part = mbs_check_measure(m, name, measures[k]);
    if (!part)
      return false;
    if (k > 0 && strcmp(part->unit, prototype->unit) != 0) {
      gradyn_build_error(m->model, "%s: %s is in %s, others are in %s", name, part->name,
                         part->unit[0] ? part->unit : "1", prototype->unit);
      return false;
    }
    prototype->index[prototype->parts++] = measures[k];
    prototype->unit = part->unit;
    prototype->order = part->order > prototype->order ? part->order : prototype->order;
  }
  return true;
}

int gradyn_measure_magnitude(gradyn_model *model, const char *name, const int measures[], int count,
                             gradyn_scalar smoothing)
{
  gradyn_mbs *m = mbs_of(model);
  mbs_measure prototype = {.ops = &magnitude_ops};
  if (!m || !take_parts(m, name ? name : "a measure", measures, count, &prototype))
    return 0;
  prototype.datum = gradyn_model_datum(model, name, "smoothing", prototype.unit, smoothing);
  if (!(creal(smoothing) >= 0))
    gradyn_build_error(model, "%s.smoothing is %g %s: it must not be negative", name,
                       creal(smoothing), prototype.unit);
  return mbs_add_measure(m, name, &prototype);
}
