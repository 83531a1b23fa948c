/* Compares the connections of a repeated build() with the first one. Names of data show most changes of
 * structure; this file covers the others. Only the first difference is reported, since later differences
 * follow from it. */
#include <stdio.h>
#include <string.h>

#include "mbs/elements/rebuild.h"

enum { ROOM = 200 };

/* Appends the names of points, in brackets, to a text. */
static void list_points(const gradyn_mbs *m, const int *points, int count, char text[ROOM])
{
  /* at most ROOM characters */
  for (int k = 0; k < count; k++) {
    size_t used = strlen(text);
    snprintf(text + used, ROOM - used, "%s%s%s", k == 0 ? " (" : ", ", m->point[points[k]].name,
             k == count - 1 ? ")" : "");
  }
}

/* Reports a change of structure as a build error. */
static void report(gradyn_mbs *m, const char *now, const char *before)
{
  gradyn_build_error(m->model,
                     "build() declares %s where it declared %s before: the structure of a model "
                     "must not depend on design variables",
                     now, before);
}

/* Whether points can be compared: all exist, and no error has been reported. If there are more points than
 * before, their count is reported (model.c). */
static bool to_compare(const gradyn_mbs *m, const int *points, int count)
{
  for (int k = 0; k < count; k++)
    if (points[k] >= m->points)
      return false;
  return !m->model->failed; /* errors after the first one may follow from it */
}

/* Describes an element by kind, name, axis, signal and points. */
static void describe_element(const gradyn_mbs *m, const mbs_element *e, const char *name,
                             char text[ROOM])
{
  static const char *const axis[3] = {"x", "y", "z"};
  bool along = e->ops == &mbs_coordinate_ops;
  snprintf(text, ROOM, "the %s %.60s%s%s", e->ops->kind, name, along ? " along " : "",
           along ? axis[e->axis] : "");
  size_t used = strlen(text);
  if (e->signal_count == 1)
    snprintf(text + used, ROOM - used, " by the signal %.60s", m->model->signal[e->signal].name);
  list_points(m, e->point, e->points, text);
}

void mbs_compare_element(gradyn_mbs *m, const mbs_element *stored, const mbs_element *now,
                         const char *name)
{
  if (!to_compare(m, now->point, now->points))
    return;
  /* compares the structure only; data are compared by their names */
  bool same = stored->ops == now->ops && stored->points == now->points &&
              stored->when == now->when && stored->axis == now->axis &&
              /* modes are compared where they are chosen */
              (now->modes.bits == 0 || now->modes.bits == stored->modes.bits) &&
              stored->signal == now->signal && stored->signal_count == now->signal_count;
  for (int k = 0; k < now->points && same; k++)
    same = stored->point[k] == now->point[k];
  if (same)
    return;
  char text[2][ROOM];
  describe_element(m, now, name ? name : now->ops->kind, text[0]);
  describe_element(m, stored, stored->name, text[1]);
  report(m, text[0], text[1]);
}

/* Compares an inertia with that of the first build(). Inertias have no name of their own: messages use the
 * name of their first datum. */
void mbs_compare_inertia(gradyn_mbs *m, const mbs_inertia *stored, const mbs_inertia_ops *ops,
                         const int *points)
{
  if (!to_compare(m, points, ops->points) ||
      (stored->ops == ops &&
       memcmp(stored->point, points, (size_t)ops->points * sizeof *points) == 0))
    return;
  char text[2][ROOM];
  for (int k = 0; k < 2; k++) {
    snprintf(text[k], ROOM, "the inertia %.60s", m->model->entry[stored->datum].name);
    list_points(m, k ? stored->point : points, k ? stored->ops->points : ops->points, text[k]);
  }
  report(m, text[0], text[1]);
}

/* Compares the carriers of an attached point, which are structure; their weights are data. */
void mbs_compare_carriers(gradyn_mbs *m, const mbs_point *stored, const mbs_point *now)
{
  int number[2][MBS_CARRIERS];
  bool same = stored->carriers == now->carriers;
  for (int i = 0; i < now->carriers; i++)
    number[0][i] = now->carrier[i].point;
  for (int i = 0; i < stored->carriers; i++) {
    number[1][i] = stored->carrier[i].point;
    same = same && number[0][i] == number[1][i];
  }
  if (same || !to_compare(m, number[0], now->carriers))
    return;
  char text[2][ROOM];
  for (int k = 0; k < 2; k++) {
    snprintf(text[k], ROOM, "the attached point %.60s", stored->name);
    list_points(m, number[k], k ? stored->carriers : now->carriers, text[k]);
  }
  report(m, text[0], text[1]);
}

void mbs_compare_node(gradyn_mbs *m, const char *beam, int stored, int now)
{
  if (stored == now || !to_compare(m, &now, 1))
    return;
  char text[2][ROOM];
  for (int k = 0; k < 2; k++) {
    snprintf(text[k], ROOM, "a node of the beam %.60s", beam);
    list_points(m, k ? &stored : &now, 1, text[k]);
  }
  report(m, text[0], text[1]);
}
