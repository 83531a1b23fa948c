/* Names of links and of their coordinates. */
#include "mbs/passes/joints.h"
#include "mbs/tree/choose.h"

#include <stdio.h>
#include <string.h>

const char *tree_parameter_name(const tree *c, int i)
{
  const int link = (-1 - c->source[i]) / TREE_TURN_FREELY;
  return c->link[link].name[(-1 - c->source[i]) % TREE_TURN_FREELY];
}

/* "pin.angle", "body.x", "ball.p0" */
static void coordinate_name(const tree *c, int i, char *buffer, size_t size)
{
  if (c->source[i] < 0)
    (void)snprintf(buffer, size, "%s", tree_parameter_name(c, i));
  else
    c->natural_ops->state_name(c->mbs->model, c->source[i], buffer, size);
}

/* Makes the names of the Euler parameters of a link, "ball.p0" and so on, and of their constraint,
 * "ball.norm". */
static void name_parameters(tree *c, int i)
{
  tree_link *link = &c->link[i];
  const char *name = tree_link_name(c, i);
  const size_t size = strlen(name) + sizeof ".norm";
  for (int k = 0; k <= TREE_TURN_FREELY && link->bent; k++) {
    char *text = gradyn_arena_take(&c->arena, size, 1);
    link->name[k] = text;
    if (text && k < TREE_TURN_FREELY)
      (void)snprintf(text, size, "%s.p%d", name, k);
    else if (text)
      (void)snprintf(text, size, "%s.norm", name);
  }
}

/* Makes the name of a link's coordinates, such as "pin.angle, pin.slide". */
static void name_coordinates(tree *c, tree_link *link)
{
  char name[200];
  size_t size = 1;
  for (int i = 0; i < link->k; i++) {
    coordinate_name(c, link->z[i], name, sizeof name);
    size += strlen(name) + 2;
  }
  char *text = gradyn_arena_take(&c->arena, size, 1);
  for (int i = 0; i < link->k && text; i++) {
    const size_t length = strlen(text);
    coordinate_name(c, link->z[i], name, sizeof name);
    (void)snprintf(text + length, size - length, "%s%s", i ? ", " : "", name);
  }
  link->coordinates = link->k > 0 ? text : NULL;
}

gradyn_status tree_name_links(tree *c)
{
  for (int i = 0; i < c->links; i++)
    name_parameters(c, i);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  for (int i = 0; i < c->links; i++)
    name_coordinates(c, &c->link[i]);
  return gradyn_arena_status(&c->arena);
}
