/* An arc of idas and its transpose. The product of adjoints and changes is the same at both ends: p .
 * dy + t_bar dt at the end = p . dy + t_bar dt at the start + x_bar . dx. Checked for arcs between moving
 * knots, and between knots and events. */
#include "adjoint/idas/backward.h"
#include "adjoint/tangents.h"
#include "tests/adjoint/idas/duffing.h"

enum { STATES = 2, NODES = 4 * CONTROLS };

/* Changes of the state on both sides of a boundary, and of its time. */
typedef struct ends {
  double dy[2][STATES]; /* at fixed times */
  double dt;
} ends;

/* A direct run along dx [nx]; tangents NULL: without derivatives of states. */
static gradyn_status run_along(bench *b, double dx[], gradyn_tangents *tangents)
{
  gradyn_idas_direct *direct = NULL;
  int index[DATA], start[2] = {0, b->model->nx};
  double psi, gradient, scale = 1;
  for (int i = 0; i < b->model->nx; i++)
    index[i] = i;
  const gradyn_directions directions = {.count = 1,
                                        .nx = b->model->nx,
                                        .start = start,
                                        .index = index,
                                        .value = dx,
                                        .scale = &scale,
                                        .tangents = tangents};
  gradyn_status status = gradyn_idas_direct_create(b->march, &direct);
  if (status == GRADYN_OK)
    status = gradyn_idas_direct_run(direct, &directions, &psi, &gradient);
  gradyn_idas_direct_free(direct);
  return status;
}

/* Changes along dx at all boundaries, from a direct run: two rows with the same time belong to both sides
 * of a boundary. */
static void find_changes(bench *b, double dx[], ends at[])
{
  int boundary = 1;
  gradyn_trajectory *states = gradyn_trajectory_create();
  gradyn_tangents tangents;
  assert_ok(gradyn_tangents_create(b->model, 1, states, &tangents), b->model->message.text);
  assert_ok(run_along(b, dx, &tangents), b->model->message.text);
  const size_t rows = gradyn_trajectory_read(states).steps;
  double dy[STATES], before[STATES] = {0}, last = -1;
  for (size_t k = 0; k < rows; k++) {
    const double t = gradyn_trajectory_step(tangents.column[0], k, dy);
    if (k == 0)
      memcpy(at[0].dy[1], dy, sizeof dy);
    else if (t == last) {
      memcpy(at[boundary].dy[0], before, sizeof dy);
      memcpy(at[boundary++].dy[1], dy, sizeof dy);
    }
    memcpy(before, dy, sizeof dy);
    last = t;
  }
  memcpy(at[boundary].dy[0], before, sizeof dy);
  assert_int_equal(boundary, b->march->arcs.count);
  gradyn_tangents_clear(&tangents);
  gradyn_trajectory_free(states);
}

/* Change of the time of a boundary. An event is where x falls to a level. */
static double time_change(const bench *b, int boundary, const double dx[], const ends *at)
{
  const gradyn_boundary *of = &b->march->arcs.boundary[boundary];
  const gradyn_idas_node node = gradyn_idas_node_at(b->march, boundary, GRADYN_BEFORE);
  double level = 0;
  for (int i = 0; i < b->model->nx; i++)
    if (strstr(b->model->entry[i].name, "level"))
      level = dx[i];
  return of->transition > 0 ? (level - at->dy[0][0]) / node.yp[0] : gradyn_boundary_tangent(of, dx);
}

/* p . (dy + y' dt) + t_bar dt. */
static double product(const double p[], double t_bar, const double dy[], const double yp[],
                      double dt)
{
  double sum = t_bar * dt;
  for (int i = 0; i < STATES; i++)
    sum += p[i] * (dy[i] + yp[i] * dt);
  return sum;
}

static void arcs_are_transposed(gradyn_build_fn build, int events)
{
  bench b;
  static ends at[NODES];
  double psi, dx[DATA], x_bar[DATA];
  int found = 0;
  open_at(&b, build, 6, 5e-13);
  for (int i = 0; i < b.model->nx; i++)
    dx[i] = 0.1 * sin(1.7 * i + 1);
  find_changes(&b, dx, at);
  /* the first run determines the rows, the second one stores its steps */
  assert_ok(gradyn_idas_adjoint_run(b.adjoint, b.active, &psi, x_bar), b.model->message.text);
  assert_ok(gradyn_idas_run(b.march, &psi), b.model->message.text);
  const int arcs = b.march->arcs.count;
  b.adjoint->slope[0] = 0; /* no integral */
  gradyn_idas_sizes_begin(&b.adjoint->sizes, b.adjoint->slope, b.adjoint->active,
                          b.adjoint->active_count);
  for (int k = 0; k <= arcs; k++)
    at[k].dt = time_change(&b, k, dx, &at[k]);
  assert_true(fabs(at[1].dt) > 1e-3 && fabs(at[arcs].dt) > 1e-3);
  for (int k = arcs - 1; k >= 0; k--) {
    const gradyn_idas_node from = gradyn_idas_node_at(b.march, k, GRADYN_AFTER),
                           to = gradyn_idas_node_at(b.march, k + 1, GRADYN_BEFORE);
    double *p = gradyn_idas_adjoint_row(b.adjoint, 0);
    p[0] = cos(2.0 * k);
    p[1] = 1.5 + sin(3.0 * k);
    b.adjoint->t_bar[0] = 0.4 - k % 3;
    const double end = product(p, b.adjoint->t_bar[0], at[k + 1].dy[0], to.yp, at[k + 1].dt);
    memset(x_bar, 0, sizeof x_bar);
    assert_ok(gradyn_idas_arc_against(b.adjoint, k), b.model->message.text);
    double start = product(p, b.adjoint->t_bar[0], at[k].dy[1], from.yp, at[k].dt);
    for (int i = 0; i < b.model->nx; i++)
      start += x_bar[i] * dx[i];
    assert_close(start, end, 1e-10, 1e-10);
    found += b.march->arcs.boundary[k + 1].transition > 0;
  }
  assert_in_range(found, events, NODES);
  gradyn_idas_stored_release(b.march);
  close_bench(&b);
}

TEST(between_knots)
{
  arcs_are_transposed(duffing, 0);
}

TEST(between_events)
{
  arcs_are_transposed(braked, 1);
}

/* If the run is searched for events, IDAS advances one step at a time; the limit on the number of steps
 * must still hold. */
TEST(events_do_not_lift_the_limit_of_steps)
{
  bench b;
  double psi, x_bar[DATA], dx[DATA] = {1};
  open_at(&b, braked, 6, 1e-9);
  b.march->limit = 40;
  assert_int_equal(gradyn_idas_simulate(b.march, &psi, NULL), GRADYN_STEP_LIMIT);
  assert_int_equal(gradyn_idas_adjoint_run(b.adjoint, b.active, &psi, x_bar), GRADYN_STEP_LIMIT);
  assert_int_equal(run_along(&b, dx, NULL), GRADYN_STEP_LIMIT);
  close_bench(&b);
}
