/* References of segment boundaries: states near which the unknowns there are selected. They are fixed
 * parameters of the objective. An evaluation therefore depends on its parameters only, and a journal is
 * complete. A new selection of unknowns at each evaluation would make the objective nonsmooth. A permanent
 * selection would fail after a quarter of a turn. */
#include <string.h>

#include "optim/segments/sparsity.h"

/* Sets the references of the boundaries to those in rho, if they differ. */
static gradyn_status take_references(gradyn_segments *s, const double rho[])
{
  for (size_t k = 1; k < s->count && s->references > 0; k++) {
    const double *z = rho + gradyn_segments_reference(s, k);
    gradyn_cut *cut = &s->cut[k];
    if (memcmp(cut->z, z, s->nz * sizeof *z) == 0)
      continue;
    const gradyn_status status = gradyn_cut_choose(s->whole->model, z, cut);
    if (status != GRADYN_OK)
      return gradyn_fail(&s->message, status, "%s", s->whole->model->message.text);
    if (cut->size != s->states)
      return gradyn_fail(&s->message, GRADYN_SINGULAR,
                         "segment boundary %zu has %zu independent coordinates and rates, but had "
                         "%zu before",
                         k, cut->size, s->states);
  }
  return GRADYN_OK;
}

/* Computes the state z at the start of segment k, from all parameters. */
static gradyn_status position(gradyn_segments *s, size_t k, const double rho[], double z[])
{
  const double *own = gradyn_segments_load(s, k, rho);
  const gradyn_status status = gradyn_segment_start(&s->segment[k], own, z);
  return status == GRADYN_OK
             ? status
             : gradyn_fail(&s->message, status, "segment %zu of %zu: %s", k + 1, s->count,
                           gradyn_evaluator_message(s->segment[k].evaluator));
}

/* A point is not evaluated if the quality of its unknowns is below this. It is then too far from the
 * reference for the linear relation between unknowns and states. */
static const double least_worth = 0.6;
/* References are moved if the quality at an iterate is below this. */
static const double good_worth = 0.85;

/* Returns the first boundary whose unknowns have a quality below `least` at rho; 0: there is none. */
static size_t find_far(gradyn_segments *s, const double rho[], double least)
{
  for (size_t k = 1; k < s->count && s->references > 0; k++) {
    gradyn_mech *mech = s->segment[k].evaluator->model->mech;
    if (position(s, k, rho, s->scratch) != GRADYN_OK ||
        gradyn_cut_worth(&s->cut[k], mech, s->scratch) < least)
      return k;
  }
  return 0;
}

gradyn_status gradyn_segments_set_references(gradyn_segments *s, const double rho[])
{
  GRADYN_TRY(take_references(s, rho));
  const size_t far = find_far(s, rho, least_worth);
  return far == 0 ? GRADYN_OK
                  : gradyn_fail(&s->message, GRADYN_NOT_ASSEMBLED,
                                "segment %zu would begin too far from its reference", far + 1);
}

bool gradyn_segments_strained(void *segments, const double rho[])
{
  gradyn_segments *s = segments;
  return take_references(s, rho) != GRADYN_OK || find_far(s, rho, good_worth) > 0;
}

gradyn_status gradyn_segments_refer(void *segments, double rho[])
{
  gradyn_segments *s = segments;
  const size_t columns = gradyn_segments_columns(s);
  double *there = s->scratch + s->nz;
  GRADYN_TRY(take_references(s, rho));
  memcpy(there, rho, columns * sizeof *there);
  for (size_t k = 1; k < s->count; k++)
    GRADYN_TRY(position(s, k, rho, there + gradyn_segments_reference(s, k)));
  const gradyn_status status = take_references(s, there);
  if (status != GRADYN_OK) {
    (void)take_references(s, rho);
    return status;
  }
  for (size_t k = 1; k < s->count; k++)
    memcpy(there + s->p + gradyn_segments_unknown(s, k), s->cut[k].w, s->states * sizeof *there);
  memcpy(rho, there, columns * sizeof *rho);
  memcpy(s->start, there, columns * sizeof *rho);
  return gradyn_segments_describe(s);
}
