/* States of the last run, piece by piece. */
#include "adjoint/extremes/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dae/trajectory.h"

/* Returns the number of pieces of a step. One-step methods take long steps, which have several pieces. */
static size_t parts(const gradyn_pieces *p)
{
  return p->reader.run ? GRADYN_ONESTEP_PARTS : 1;
}

size_t gradyn_pieces_of_step(const gradyn_pieces *p)
{
  return parts(p);
}

static gradyn_status create_source(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                   gradyn_pieces *out)
{
  if (trajectory) {
    const size_t rows = gradyn_trajectory_read(trajectory).steps;
    out->count = rows > 0 ? rows - 1 : 0;
    out->width = gradyn_trajectory_read(trajectory).columns;
    out->nodes = ev->method->integration.fixed != NULL;
    return gradyn_between_create(ev->model, trajectory, &out->between);
  }
  gradyn_onestep *run = ev->method->integration.onestep(ev->run);
  out->count = (size_t)run->count * GRADYN_ONESTEP_PARTS;
  out->width = (size_t)run->rates->ny;
  return gradyn_onestep_reader_create(run, &out->reader);
}

gradyn_status gradyn_pieces_create(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                   gradyn_pieces *out)
{
  *out = (gradyn_pieces){.model = ev->model};
  GRADYN_TRY(create_source(ev, trajectory, out));
  out->row = calloc(2 * out->width + 1, sizeof *out->row);
  out->rates = out->row ? out->row + out->width : NULL;
  return out->row ? GRADYN_OK
                  : gradyn_fail(&ev->model->message, GRADYN_NO_MEMORY,
                                "out of memory for %zu states", out->width);
}

void gradyn_pieces_clear(gradyn_pieces *p)
{
  gradyn_onestep_reader_clear(&p->reader);
  gradyn_between_clear(&p->between);
  free(p->row);
}

gradyn_status gradyn_pieces_enter(gradyn_pieces *p, size_t piece)
{
  const size_t part = piece % parts(p);
  p->piece = piece;
  if (p->reader.run) {
    GRADYN_TRY(gradyn_onestep_reader_enter(&p->reader, (int)(piece / parts(p))));
    p->start = p->reader.t;
    p->end = p->reader.t + p->reader.h;
  } else {
    gradyn_between_enter(&p->between, piece);
    p->start = gradyn_trajectory_step(p->between.trajectory, piece, NULL);
    p->end = gradyn_trajectory_step(p->between.trajectory, piece + 1, NULL);
  }
  const double width = (p->end - p->start) / (double)parts(p);
  p->from = p->start + (double)part * width;
  p->to = part + 1 < parts(p) ? p->start + (double)(part + 1) * width : p->end;
  return GRADYN_OK;
}

double gradyn_pieces_last(gradyn_pieces *p)
{
  const gradyn_onestep *run = p->reader.run;
  return run            ? gradyn_onestep_boundary(run, run->arcs.count)
         : p->count > 0 ? gradyn_trajectory_step(p->between.trajectory, p->count, NULL)
                        : 0;
}

/* --- states --------------------------------------------------------------------------------------- */

/* Returns the part of the step before time t. */
static double share_of(const gradyn_pieces *p, double t)
{
  return (t - p->start) / (p->end - p->start);
}

static void take_stage(gradyn_pieces *p, const double *stage)
{
  p->stage = stage;
  memcpy(p->row, stage, p->width * sizeof *p->row);
}

gradyn_status gradyn_pieces_end(gradyn_pieces *p, bool end, bool all)
{
  if (p->reader.run)
    take_stage(p, gradyn_onestep_reader_end(&p->reader, end));
  else if (all && !p->nodes)
    return gradyn_between_interpolate(&p->between, end ? p->end : p->start, true, p->row);
  else
    gradyn_trajectory_step(p->between.trajectory, p->piece + end, p->row);
  return GRADYN_OK;
}

gradyn_status gradyn_pieces_estimate(gradyn_pieces *p, double t, bool all)
{
  return p->reader.run ? gradyn_onestep_reader_estimate(&p->reader, share_of(p, t), all, p->row)
                       : gradyn_between_interpolate(&p->between, t, all, p->row);
}

gradyn_status gradyn_pieces_extend(gradyn_pieces *p, double t, bool all)
{
  return p->reader.run ? gradyn_onestep_reader_extend(&p->reader, share_of(p, t), all, p->row)
                       : gradyn_between_interpolate(&p->between, t, all, p->row);
}

gradyn_status gradyn_pieces_follow(gradyn_pieces *p, double t)
{
  const double *stage;
  if (!p->reader.run)
    return gradyn_between_follow(&p->between, t, p->row);
  GRADYN_TRY(gradyn_onestep_reader_follow(&p->reader, share_of(p, t), &stage));
  take_stage(p, stage);
  return GRADYN_OK;
}

gradyn_status gradyn_pieces_rates(gradyn_pieces *p, double t)
{
  for (size_t i = 0; i < p->width; i++)
    p->rates[i] = (double)NAN;
  if (!p->reader.run)
    return gradyn_between_rates(&p->between, t, p->row, p->rates);
  const gradyn_rates *rates = p->reader.run->rates;
  gradyn_rates_scatter(rates, p->stage + rates->rates, p->rates);
  return GRADYN_OK;
}
