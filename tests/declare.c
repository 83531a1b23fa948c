/* The library copies all data that the specifications refer to. */
#include "tests/declare.h"

#include <string.h>

int declare_signal(gradyn_model *model, const char *name, const char *unit, gradyn_signal_kind kind,
                   int count, const gradyn_scalar *knots)
{
  return gradyn_signal(
      model, &(gradyn_signal_spec){
                 .name = name, .unit = unit, .kind = kind, .count = count, .knots = knots});
}

void declare_equations(gradyn_model *model, gradyn_residual_fn residual, const gradyn_datum *data,
                       int count)
{
  gradyn_equations(
      model, &(gradyn_equations_spec){.residual = residual, .data = data, .data_count = count});
}

int declare_body(gradyn_model *model, const char *name, gradyn_scalar mass, gradyn_scalar inertia,
                 gradyn_scalar x, gradyn_scalar y)
{
  return gradyn_body(model,
                     &(gradyn_body_spec){
                         .name = name, .mass = mass, .centre = {x, y}, .inertia = {0, 0, inertia}});
}

static void copy(const gradyn_scalar *from, gradyn_scalar to[3])
{
  if (from)
    memcpy(to, from, 3 * sizeof *to);
}

int declare_body_3d(gradyn_model *model, const char *name, gradyn_scalar mass,
                    const gradyn_scalar *inertia, const gradyn_scalar *centre)
{
  gradyn_body_spec spec = {.name = name, .mass = mass};
  memcpy(spec.inertia, inertia, sizeof spec.inertia);
  copy(centre, spec.centre);
  return gradyn_body_3d(model, &spec);
}

int declare_push(gradyn_model *model, const char *name, int point, gradyn_scalar fx,
                 gradyn_scalar fy, int signal)
{
  return gradyn_force(
      model,
      &(gradyn_force_spec){.name = name, .point = point, .fx = fx, .fy = fy, .signal = signal});
}

int declare_joint(gradyn_model *model, const char *name, gradyn_joint_kind kind, int body_a,
                  int body_b, const gradyn_scalar *position, const gradyn_scalar *axis)
{
  gradyn_joint_between_spec spec = {.name = name, .kind = kind, .body_a = body_a, .body_b = body_b};
  copy(position, spec.position);
  copy(axis, spec.axis);
  return gradyn_joint_between(model, &spec);
}

int declare_frame(gradyn_model *model, const char *name, int body, const gradyn_scalar *origin,
                  const gradyn_scalar *axis)
{
  gradyn_frame_spec spec = {.name = name, .body = body};
  copy(origin, spec.origin);
  copy(axis, spec.axis);
  return gradyn_frame(model, &spec);
}

int declare_force(gradyn_model *model, const char *name, int point, gradyn_force_fn fn,
                  const gradyn_datum *data, int count)
{
  return gradyn_custom_force(model, &(gradyn_custom_force_spec){.name = name,
                                                                .points = &point,
                                                                .point_count = 1,
                                                                .fn = fn,
                                                                .data = data,
                                                                .data_count = count});
}

int declare_end(gradyn_model *model, const char *name, const char *unit, gradyn_functional_fn fn)
{
  return gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){.name = name, .unit = unit, .terminal = fn});
}

int declare_integral(gradyn_model *model, const char *name, const char *unit,
                     gradyn_functional_fn fn)
{
  return gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){.name = name, .unit = unit, .integrand = fn});
}

int declare_functional(gradyn_model *model, const char *name, int measure,
                       gradyn_reduction reduction)
{
  return gradyn_functional(model, &(gradyn_functional_spec){name, measure, .reduction = reduction});
}

void declare_fit(gradyn_model *model, int measure, const gradyn_fit_spec *spec)
{
  gradyn_minimise(model, gradyn_fit(model, "fit", measure, spec), 1);
}

int declare_tracking(gradyn_model *model, const char *name, int measure, gradyn_scalar x,
                     gradyn_scalar y, gradyn_scalar z)
{
  return gradyn_functional(model, &(gradyn_functional_spec){name, measure,
                                                            .reduction = GRADYN_SQUARE_INTEGRAL,
                                                            .target = {x, y, z}});
}

int declare_hidden(gradyn_model *model, const gradyn_custom_functional_spec *g)
{
  return gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = g->name,
                                           .unit = g->unit,
                                           .formula = g->terminal ? g->terminal : g->integrand,
                                           .data = g->data,
                                           .data_count = g->data_count,
                                           .user = g->user,
                                           .points = g->points,
                                           .point_count = g->point_count,
                                           .needs_accelerations = g->needs_accelerations,
                                           .needs_multipliers = g->needs_multipliers,
                                           .positions_only = g->positions_only,
                                           .reads = g->reads,
                                           .read_count = g->read_count,
                                           .hidden = true});
}

int declare_maximum(gradyn_model *model, const gradyn_custom_functional_spec *spec)
{
  return gradyn_functional(model, &(gradyn_functional_spec){spec->name, declare_hidden(model, spec),
                                                            .reduction = GRADYN_MAXIMUM});
}

int declare_smooth_maximum(gradyn_model *model, const gradyn_custom_functional_spec *spec,
                           double sharpness)
{
  return gradyn_functional(model, &(gradyn_functional_spec){spec->name, declare_hidden(model, spec),
                                                            .reduction = GRADYN_SMOOTH_MAXIMUM,
                                                            .sharpness = sharpness});
}

int declare_before_event(gradyn_model *model, const gradyn_custom_functional_spec *spec, int event,
                         int occurrence)
{
  return gradyn_functional(model,
                           &(gradyn_functional_spec){spec->name, declare_hidden(model, spec),
                                                     .reduction = GRADYN_BEFORE_EVENT,
                                                     .event = event, .occurrence = occurrence});
}

int declare_after_event(gradyn_model *model, const gradyn_custom_functional_spec *spec, int event,
                        int occurrence)
{
  return gradyn_functional(model,
                           &(gradyn_functional_spec){spec->name, declare_hidden(model, spec),
                                                     .reduction = GRADYN_AFTER_EVENT,
                                                     .event = event, .occurrence = occurrence});
}

int declare_limit(gradyn_model *model, const gradyn_custom_functional_spec *spec,
                  gradyn_scalar lower, gradyn_scalar upper, double tolerance)
{
  return gradyn_path_constraint(model, spec->name, declare_hidden(model, spec), lower, upper,
                                tolerance, NULL);
}
