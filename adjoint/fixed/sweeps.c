/* Sweeps over the steps of a fixed-step scheme. The functionals are
 *     psi = outer( w(y_k) + sum of weight_i g(t_i, y_i) ),
 * with the sum over nodes (trapezoidal rule) or over quadrature points of the scheme, one in each step. w is
 * evaluated at the last node, or at the node of a fixed time, which does not move with the end. */
#include "adjoint/fixed/sweep_events.h"

#include <stdlib.h>

double *gradyn_sweeps_column(const gradyn_sweeps *s, int row)
{
  gradyn_lane_get(s->s_bar, s->march->stepper->ns, row, s->column);
  return s->column;
}

/* Returns whether a functional to be differentiated depends on states. With events, every functional may,
 * through their times. */
static bool reads_states(const gradyn_sweeps *s, const gradyn_functional_entry *f)
{
  return !f->skipped && (!f->data_only || s->march->model->event_count > 0);
}

/* Assigns rows to functionals: first those that are to be differentiated and depend on states, then the
 * others. Each group keeps its order. */
void gradyn_sweeps_sort(gradyn_sweeps *s)
{
  const gradyn_functional_entry *functional = s->march->model->functional;
  int nf = s->march->nf, next = 0;
  for (int pass = 0; pass < 2; pass++) {
    s->columns = pass == 0 ? nf : next; /* only rows before this number have adjoints of states */
    for (int f = 0; f < nf; f++)
      if (reads_states(s, &functional[f]) == (pass == 0))
        s->row[f] = next++;
  }
}

/* Finds, for each functional, the part of y = (q, v, a, lam) that it may read. Fixed-step schemes integrate
 * mechanisms only. */
static void find_reach(gradyn_sweeps *s)
{
  int ny = s->march->stepper->ny, n = s->march->model->mech->n;
  for (int f = 0; f < s->march->nf; f++) {
    const gradyn_functional_entry *functional = &s->march->model->functional[f];
    /* number of entries of (q, v, a, lam) that a functional may read */
    s->reach[f] = functional->data_only        ? 0
                  : functional->positions_only ? n
                  : functional->motion_only    ? 2 * n
                  : functional->no_multipliers ? 3 * n
                                               : ny;
  }
}

/* Allocates the arrays that do not depend on the number of directions. */
gradyn_status gradyn_sweeps_create(gradyn_fixed *march, gradyn_sweeps *s)
{
  /* one row for each functional; adjoints of states have four rows in each group of lanes */
  size_t nf = (size_t)march->nf + 1, ns = (size_t)march->stepper->ns;
  size_t ny = (size_t)march->stepper->ny, nx = (size_t)march->model->nx + 1;
  *s = (gradyn_sweeps){.march = march};
  gradyn_arena *arena = &s->of_model;
  s->row = gradyn_arena_take(arena, nf, sizeof(int));
  s->s_bar = gradyn_arena_lanes(arena, gradyn_sweeps_lanes(march));
  s->column = gradyn_arena_numbers(arena, ns + ny);
  s->h_bar = gradyn_arena_numbers(arena, nf);
  s->t_bar = gradyn_arena_numbers(arena, nf);
  s->slope = gradyn_arena_numbers(arena, nf);
  s->end_bar = gradyn_arena_numbers(arena, nf);
  /* for schemes whose state s is not y */
  s->y_bar = gradyn_arena_numbers(arena, nf * ny);
  s->x_bar = gradyn_arena_numbers(arena, nf * nx);
  s->given = gradyn_arena_lanes(arena, gradyn_lanes_groups(march->nf) * (size_t)march->model->nx);
  s->reach = gradyn_arena_take(arena, nf, sizeof(int));
  /* for each functional: adjoints of the times of points and nodes, and of the lengths and times of steps */
  s->times.point_t = gradyn_arena_numbers(arena, nf);
  s->times.node_bar = gradyn_arena_numbers(arena, nf);
  s->times.step_h = gradyn_arena_numbers(arena, nf);
  s->times.step_t = gradyn_arena_numbers(arena, nf);
  s->times.g = gradyn_arena_numbers(arena, 2 * nf);
  s->times.r_s = gradyn_arena_numbers(arena, ns + ny);
  s->times.r_x = gradyn_arena_numbers(arena, nx);
  s->times.S = gradyn_arena_numbers(arena, ns);
  s->times.change = gradyn_arena_numbers(arena, ny);
  s->times.yp_bar = gradyn_arena_numbers(arena, 2 * ny);
  /* adjoints of states, then of data, for one functional; or states in one direction */
  s->times.lane = gradyn_arena_lanes(arena, ns + nx);
  if (gradyn_arena_status(arena) == GRADYN_OK) {
    find_reach(s);
    return GRADYN_OK;
  }
  gradyn_sweeps_clear(s);
  return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory for a gradient");
}

/* Also frees the arrays of directions. */
void gradyn_sweeps_clear(gradyn_sweeps *s)
{
  gradyn_adjoint_growth_clear(&s->growth);
  free(s->times.boundary);
  gradyn_arena_clear(&s->of_model);
  gradyn_arena_clear(&s->of_directions);
  *s = (gradyn_sweeps){0};
}

/* Computes the slopes of the outer functions from the integrals of the run, which must be finished. */
void gradyn_sweeps_begin(gradyn_sweeps *s)
{
  const gradyn_fixed *march = s->march;
  gradyn_tape_slopes(&march->tape, &march->arcs, march->inner, s->slope, s->end_bar);
}

/* --- times of boundaries ---------------------------------------------------------------------- */

int gradyn_sweep_held_boundary(const gradyn_sweeps *s, int f)
{
  const gradyn_tape *tape = &s->march->tape;
  const gradyn_functional_entry *functional = &s->march->model->functional[f];
  return gradyn_functional_stays(functional) ? tape->record[tape->sampled[f]].item : -1;
}

/* Returns whether a functional is evaluated at the node of a fixed time, and data move the boundary there,
 * such as a knot. */
static bool is_moved(const gradyn_sweeps *s, int f)
{
  const int held = gradyn_sweep_held_boundary(s, f);
  const gradyn_boundary *b = held >= 0 ? &s->march->arcs.boundary[held] : NULL;
  return b && (b->start >= 0 || b->end >= 0);
}

int gradyn_sweep_count_held(const gradyn_sweeps *s)
{
  int count = 0;
  for (int f = 0; f < s->march->nf; f++)
    count += is_moved(s, f);
  return count;
}

/* Returns the direction that corrects functional f, at a fixed time, for the motion of its node; -1: none. */
int gradyn_sweep_held_direction(const gradyn_sweeps *s, int f)
{
  int direction = s->count - s->held;
  if (s->held == 0 || !is_moved(s, f))
    return -1;
  for (int k = 0; k < f; k++) /* each such functional has its own direction */
    direction += is_moved(s, k);
  return direction;
}

/* Computes the changes db of all boundary times. In a direction that corrects a functional at a fixed time,
 * only its boundary moves, by 1. Returns whether data move any boundary. */
bool gradyn_sweep_boundaries_along(gradyn_sweeps *s)
{
  const gradyn_arcs *arcs = &s->march->arcs;
  bool any = false;
  for (int b = 0; b <= arcs->count; b++)
    for (int j = 0; j < s->count; j++) {
      double *db = &s->times.boundary[b * s->count + j];
      *db = gradyn_boundary_tangent(&arcs->boundary[b], s->dx + j * s->march->model->nx);
      any = any || *db != 0;
    }
  for (int f = 0; f < s->march->nf; f++)
    if (gradyn_sweep_held_direction(s, f) >= 0)
      s->times.boundary[gradyn_sweep_held_boundary(s, f) * s->count +
                        gradyn_sweep_held_direction(s, f)] = 1;
  return any;
}

void gradyn_sweep_boundaries_against(const gradyn_sweeps *s, int f, double *x_bar)
{
  const gradyn_arcs *arcs = &s->march->arcs;
  const int held = gradyn_sweep_held_boundary(s, f);
  for (int b = 0; b <= arcs->count; b++)
    if (b != held)
      gradyn_boundary_transposed(&arcs->boundary[b], s->times.boundary[b * s->march->nf + f],
                                 x_bar);
}
