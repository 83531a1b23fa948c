/* Second derivatives of motions in segments. A weighted sum of functionals, defects and samples has one
 * block per segment. Its variables are the parameters that act there, and the unknowns at its start. */
#include <math.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"
#include "optim/segments/sparsity.h"
#include "core/base/threads.h"

/* Request for second derivatives, to all segments. */
typedef struct request {
  gradyn_segments *s;
  const double *weight, *rho;
} request;

/* Computes the weights of the functionals of segment k from the weights of the objective. */
static void weigh(const gradyn_segments *s, size_t k, const double all[], double *weight)
{
  const size_t ends = k + 1 < s->count ? s->nz : 0;
  for (size_t i = 0; i < s->f; i++) { /* the mean of a segment is divided by its end time */
    weight[i] = s->whole->model->functional[i].outer.mean ? s->segment[k].to * all[i] : all[i];
    if (!gradyn_segment_contributes(gradyn_segments_part_in_use(s, k), i))
      weight[i] = 0;
  }
  for (size_t i = 0; i < s->states; i++) {
    if (ends > 0)
      weight[s->f + (size_t)s->cut[k + 1].at[i]] =
          all[s->f + gradyn_segments_unknown(s, k + 1) + i];
    if (k > 0 && gradyn_segments_assembled(s))
      weight[s->f + ends + (size_t)s->cut[k].at[i]] =
          -all[s->f + gradyn_segments_unknown(s, k) + i];
  }
  for (size_t i = 0; i < s->held.count; i++)
    if (s->held.part[i] == k)
      weight[gradyn_segments_rows_of_part(s, k) + s->held.position[i]] =
          all[s->objective.functional_count + i];
}

/* Computes the block of segment k for the parameters that act there. The entries of other knots are zero. */
static gradyn_status find_block(const request *e, size_t k)
{
  gradyn_segments *s = e->s;
  gradyn_arena *arena = &s->curved[k];
  gradyn_block *block = &s->block[k];
  const gradyn_segment *part = gradyn_segments_part_in_use(s, k);
  gradyn_evaluator *ev = part->evaluator;
  const size_t width = gradyn_parameter_count(ev);
  const double *rho = gradyn_segments_load(s, k, e->rho);
  *block = (gradyn_block){0};
  gradyn_arena_rewind(arena);
  double *weight = gradyn_arena_numbers(arena, s->f + 2 * s->nz + part->rows);
  double *column = gradyn_arena_numbers(arena, width * width);
  size_t *acting = gradyn_arena_take(arena, width, sizeof *acting), count = 0;
  GRADYN_TRY(gradyn_arena_status(arena));
  weigh(s, k, e->weight, weight);
  GRADYN_TRY(gradyn_hessian_block(ev, weight, rho, acting, &count, column));
  double *H = gradyn_arena_numbers(arena, count * count);
  GRADYN_TRY(gradyn_arena_status(arena));
  for (size_t c = 0; c < count; c++)
    for (size_t r = 0; r < count; r++)
      H[c * count + r] = 0.5 * (column[c * width + acting[r]] + column[r * width + acting[c]]);
  for (size_t c = 0; c < count; c++)
    acting[c] = gradyn_segments_column(s, k, acting[c]);
  *block = (gradyn_block){.count = count, .parameter = acting, .H = H};
  return GRADYN_OK;
}

static void find_next(void *user, size_t k)
{
  const request *e = user;
  e->s->answered[k] = find_block(e, k);
}

gradyn_status gradyn_segments_curve(void *segments, const double weight[], const double rho[],
                                    const gradyn_block **block)
{
  gradyn_segments *s = segments;
  request e = {.s = s, .weight = weight, .rho = rho};
  *block = s->block;
  GRADYN_TRY(gradyn_segments_set_references(s, rho));
  (void)gradyn_segments_load(s, 0, rho); /* loads all parameters before threads begin */
  gradyn_threads_do(s->jobs, s->count, find_next, &e);
  for (size_t k = 0; k < s->count; k++)
    s->objective.blocks.error = fmax(
        s->objective.blocks.error,
        gradyn_segments_part_in_use(s, k)->evaluator->repetition.second.error);
  for (size_t k = 0; k < s->count; k++)
    if (s->answered[k] == GRADYN_NO_MEMORY)
      return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for second derivatives");
    else if (s->answered[k] != GRADYN_OK)
      return gradyn_fail(&s->message, s->answered[k], "segment %zu of %zu: %s", k + 1, s->count,
                         gradyn_evaluator_message(gradyn_segments_part_in_use(s, k)->evaluator));
  return GRADYN_OK;
}

bool gradyn_segments_curves(const gradyn_segments *s)
{
  const gradyn_model *model = s->whole->model;
  for (int f = 0; f < model->functional_count; f++)
    if (model->functional[f].outer.sharpness != 0 ||
        (model->functional[f].maximum && model->functional[f].use != GRADYN_PATH_CONSTRAINT))
      return false;
  return model->event_count == 0;
}
