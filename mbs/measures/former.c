/* Functionals of earlier versions of the interface, by measures and reductions. Their measures are hidden:
 * they have no columns in trajectories. */
#include <complex.h>
#include <math.h>

#include "core/model/declare.h"
#include "mbs/elements/mechanism.h"
#include "mbs/measures/measure.h"
#include <gradyn/functionals.h>

/* A functional of a hidden measure. spec->measure: the measure. */
static int of_hidden(gradyn_model *model, const gradyn_functional_spec *spec)
{
  if (!mbs_of(model))
    return 0;
  gradyn_measure_hide(model, spec->measure);
  return gradyn_functional(model, spec);
}

/* --- points ----------------------------------------------------------------------------------- */

/* dim: dimension of the mechanism. */
static int track(gradyn_model *model, const char *name, int point, int order, int dim,
                 const gradyn_scalar r[3])
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !gradyn_model_named(model, name, "a functional") || !mbs_use_dimension(m, name, dim))
    return 0;
  return of_hidden(model,
                   &(gradyn_functional_spec){
                       name, gradyn_measure_point(model, name, point, order, GRADYN_ALL_AXES),
                       .reduction = GRADYN_SQUARE_INTEGRAL, .target = {r[0], r[1], r[2]}});
}

int gradyn_track_position(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                          gradyn_scalar y)
{
  return track(model, name, point, 0, 2, (gradyn_scalar[]){x, y, 0});
}

int gradyn_track_velocity(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                          gradyn_scalar y)
{
  return track(model, name, point, 1, 2, (gradyn_scalar[]){x, y, 0});
}

int gradyn_track_acceleration(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                              gradyn_scalar y)
{
  return track(model, name, point, 2, 2, (gradyn_scalar[]){x, y, 0});
}

int gradyn_track_position_3d(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                             gradyn_scalar y, gradyn_scalar z)
{
  return track(model, name, point, 0, 3, (gradyn_scalar[]){x, y, z});
}

int gradyn_track_velocity_3d(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                             gradyn_scalar y, gradyn_scalar z)
{
  return track(model, name, point, 1, 3, (gradyn_scalar[]){x, y, z});
}

int gradyn_track_acceleration_3d(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                                 gradyn_scalar y, gradyn_scalar z)
{
  return track(model, name, point, 2, 3, (gradyn_scalar[]){x, y, z});
}

/* The value of a measure at a time, s; 0: at the end. */
static int value_at(gradyn_model *model, const char *name, int measure, double instant)
{
  const gradyn_reduction when = instant == 0 ? GRADYN_AT_END : GRADYN_AT_TIME;
  return of_hidden(model, &(gradyn_functional_spec){name, measure, when, .time = instant});
}

int gradyn_end_position(gradyn_model *model, const char *name, int point, gradyn_axis axis)
{
  return value_at(model, name, gradyn_measure_point(model, name, point, 0, axis), 0);
}

int gradyn_end_velocity(gradyn_model *model, const char *name, int point, gradyn_axis axis)
{
  return value_at(model, name, gradyn_measure_point(model, name, point, 1, axis), 0);
}

int gradyn_rotation(gradyn_model *model, const char *name, int from, int to)
{
  return of_hidden(
      model, &(gradyn_functional_spec){name, gradyn_measure_line_angle(model, name, from, to, 1),
                                       .reduction = GRADYN_INTEGRAL});
}

int gradyn_end_angular_velocity(gradyn_model *model, const char *name, int from, int to)
{
  return value_at(model, name, gradyn_measure_line_angle(model, name, from, to, 1), 0);
}

int gradyn_reaction(gradyn_model *model, const char *name, int constraint)
{
  return of_hidden(
      model, &(gradyn_functional_spec){name, gradyn_measure_multiplier(model, name, constraint),
                                       .reduction = GRADYN_SQUARE_INTEGRAL});
}

/* --- beams, masses ---------------------------------------------------------------------------- */

int gradyn_deflection(gradyn_model *model, const char *name, int beam, double instant)
{
  return value_at(model, name, gradyn_measure_deflection(model, name, beam), instant);
}

int gradyn_stress(gradyn_model *model, const char *name, int beam, int node, gradyn_fibre side,
                  double instant)
{
  return value_at(model, name, gradyn_measure_stress(model, name, beam, node, side), instant);
}

/* A maximum of measure/scale. Scale and sharpness have no defaults here. */
static int maximum(gradyn_model *model, const gradyn_functional_spec *spec)
{
  if (model && spec->name && creal(spec->scale) == 0)
    gradyn_build_error(model, "%s.scale is 0: it must not be zero", spec->name);
  if (model && spec->name && spec->reduction == GRADYN_SMOOTH_MAXIMUM && spec->sharpness == 0)
    gradyn_build_error(model, "%s: the sharpness is 0: it must be positive and at most 600",
                       spec->name);
  return gradyn_functional(model, spec);
}

int gradyn_largest_stress(gradyn_model *model, const char *name, int beam, gradyn_scalar allowed,
                          double sharpness)
{
  const int stress = gradyn_measure_stress(model, name, beam, GRADYN_ALL_NODES,
                                           GRADYN_EITHER_FIBRE);
  gradyn_measure_hide(model, stress);
  if (model && name && creal(allowed) < 0)
    gradyn_build_error(model, "%s.scale is %g Pa: it must be positive", name, creal(allowed));
  return maximum(model, &(gradyn_functional_spec){name, stress, .reduction = GRADYN_SMOOTH_MAXIMUM,
                                                  .scale = allowed, .sharpness = sharpness});
}

int gradyn_beam_length(gradyn_model *model, const char *name, int beam)
{
  return value_at(model, name, gradyn_measure_beam_length(model, name, beam), 0);
}

int gradyn_mass(gradyn_model *model, const char *name)
{
  return value_at(model, name, gradyn_measure_mass(model, name), 0);
}

int gradyn_end_energy(gradyn_model *model, const char *name)
{
  return value_at(model, name, gradyn_measure_energy(model, name), 0);
}

/* --- measures --------------------------------------------------------------------------------- */

int gradyn_track_measure(gradyn_model *model, const char *name, int measure, gradyn_scalar target)
{
  return gradyn_functional(model, &(gradyn_functional_spec){name, measure,
                                                            .reduction = GRADYN_SQUARE_INTEGRAL,
                                                            .target = {target}});
}

int gradyn_integral_of_measure(gradyn_model *model, const char *name, int measure)
{
  return gradyn_functional(model,
                           &(gradyn_functional_spec){name, measure, .reduction = GRADYN_INTEGRAL});
}

int gradyn_mean_square_of_measure(gradyn_model *model, const char *name, int measure)
{
  return gradyn_functional(
      model, &(gradyn_functional_spec){name, measure, .reduction = GRADYN_MEAN_SQUARE});
}

int gradyn_measure_at(gradyn_model *model, const char *name, int measure, double instant)
{
  const gradyn_reduction when = instant == 0 ? GRADYN_AT_END : GRADYN_AT_TIME;
  return gradyn_functional(model, &(gradyn_functional_spec){name, measure, when, .time = instant});
}

int gradyn_largest_measure(gradyn_model *model, const char *name, int measure,
                           gradyn_scalar allowed, double sharpness)
{
  return maximum(model, &(gradyn_functional_spec){name, measure, .reduction = GRADYN_SMOOTH_MAXIMUM,
                                                  .scale = allowed, .sharpness = sharpness});
}

int gradyn_peak_measure(gradyn_model *model, const char *name, int measure, gradyn_scalar allowed,
                        double sharpness)
{
  return maximum(model, &(gradyn_functional_spec){name, measure, .reduction = GRADYN_SMOOTH_MAXIMUM,
                                                  .magnitude = true, .scale = allowed,
                                                  .sharpness = sharpness});
}

int gradyn_maximum_of_measure(gradyn_model *model, const char *name, int measure,
                              gradyn_scalar allowed)
{
  return maximum(model, &(gradyn_functional_spec){name, measure, .reduction = GRADYN_MAXIMUM,
                                                  .scale = allowed});
}

int gradyn_maximum_of_magnitude(gradyn_model *model, const char *name, int measure,
                                gradyn_scalar allowed)
{
  return maximum(model, &(gradyn_functional_spec){name, measure, .reduction = GRADYN_MAXIMUM,
                                                  .magnitude = true, .scale = allowed});
}
