/* Second derivatives of motions in parts: those of a weighted sum of functionals, gaps and rows are blocks,
 * one for each part, by the parameters that act there and the unknowns at its start. */
#include <math.h>
#include <string.h>

#include "optim/segments/segments.h"

/* One part's block, by all of its parameters. */
typedef struct block {
  gradyn_evaluator *ev;
  const double *rho, *weight;
  size_t width;   /* parameters */
  size_t *acting; /* [count] those with second derivatives */
  size_t count;
  double *direction, *product; /* [width][width] */
} block;

/* Weights of the functionals of part k, from those of all. */
static void weigh(const gradyn_segments *s, size_t k, const double all[], double *weight)
{
  const size_t ends = k + 1 < s->count ? s->nz : 0;
  memset(weight, 0, (s->f + 2 * s->nz) * sizeof *weight);
  memcpy(weight, all, s->f * sizeof *weight);
  for (size_t i = 0; i < s->states; i++) {
    if (ends > 0)
      weight[s->f + (size_t)s->cut[k + 1].at[i]] =
          all[s->f + gradyn_segments_unknown(s, k + 1) + i];
    if (k > 0 && gradyn_segments_assembled(s))
      weight[s->f + ends + (size_t)s->cut[k].at[i]] =
          -all[s->f + gradyn_segments_unknown(s, k) + i];
  }
}

/* Which parameters have second derivatives: those that a direction of no special kind finds some for. Knots
 * that are elsewhere have exact zeros. */
static gradyn_status find_acting(block *b)
{
  for (size_t j = 0; j < b->width; j++) {
    const double scale = gradyn_parameter_at(b->ev, j).scale;
    b->direction[j] = (scale > 0 ? scale : 1) * (1 + 0.5 * sin(1 + 1.7 * (double)j));
  }
  GRADYN_TRY(gradyn_hessian_product(b->ev, b->weight, b->rho, 1, b->direction, b->product));
  b->count = 0;
  for (size_t j = 0; j < b->width; j++)
    if (b->product[j] != 0)
      b->acting[b->count++] = j;
  return GRADYN_OK;
}

/* Columns of those that act. */
static gradyn_status find_block(block *b)
{
  GRADYN_TRY(find_acting(b));
  memset(b->direction, 0, b->count * b->width * sizeof *b->direction);
  for (size_t c = 0; c < b->count; c++)
    b->direction[c * b->width + b->acting[c]] = 1;
  return gradyn_hessian_product(b->ev, b->weight, b->rho, b->count, b->direction, b->product);
}

/* Parameter j of part k among all. */
static size_t among_all(const gradyn_segments *s, size_t k, size_t j)
{
  return j < s->p ? j : s->p + gradyn_segments_unknown(s, k) + (j - s->p);
}

/* Adds a block, made symmetric, to H [columns][columns]. */
static void add_block(const gradyn_segments *s, size_t k, const block *b, double *H)
{
  const size_t columns = gradyn_segments_columns(s);
  for (size_t c = 0; c < b->count; c++)
    for (size_t r = 0; r < b->count; r++) {
      const size_t i = b->acting[r], j = b->acting[c];
      H[among_all(s, k, i) * columns + among_all(s, k, j)] += 0.5 * (b->product[c * b->width + i] +
                                                                     b->product[r * b->width + j]);
    }
}

gradyn_status gradyn_segments_curve(void *segments, const double weight[], const double rho[],
                                    double H[])
{
  gradyn_segments *s = segments;
  const size_t columns = gradyn_segments_columns(s), width = s->p + s->states;
  gradyn_arena arena = {0};
  double *own = gradyn_arena_numbers(&arena, s->f + 2 * s->nz);
  block b = {.rho = s->rho,
             .weight = own,
             .acting = gradyn_arena_take(&arena, width, sizeof *b.acting),
             .direction = gradyn_arena_numbers(&arena, width * width),
             .product = gradyn_arena_numbers(&arena, width * width)};
  gradyn_status status = gradyn_arena_status(&arena);
  if (status != GRADYN_OK)
    gradyn_fail(&s->message, status, "out of memory for second derivatives");
  memset(H, 0, columns * columns * sizeof *H);
  if (status == GRADYN_OK)
    status = gradyn_segments_come_near(s, rho);
  for (size_t k = 0; k < s->count && status == GRADYN_OK; k++) {
    gradyn_segments_load(s, k, rho);
    weigh(s, k, weight, own);
    b.ev = s->segment[k].evaluator;
    b.width = gradyn_parameter_count(b.ev);
    status = find_block(&b);
    if (status == GRADYN_OK)
      add_block(s, k, &b, H);
    else
      gradyn_fail(&s->message, status, "segment %zu of %zu: %s", k + 1, s->count,
                  gradyn_evaluator_message(b.ev));
  }
  gradyn_arena_clear(&arena);
  return status;
}

/* unknowns, by which full matrices are factorised: the work grows as their cube */
enum { MOST_UNKNOWNS = 1000 };

bool gradyn_segments_curves(const gradyn_segments *s)
{
  const gradyn_model *model = s->whole->model;
  for (int f = 0; f < model->functional_count; f++)
    if (model->functional[f].sharpness != 0 || model->functional[f].maximum ||
        model->functional[f].use == GRADYN_LIMIT)
      return false;
  return model->event_count == 0 && s->p + (s->count - 1) * s->states <= MOST_UNKNOWNS;
}
