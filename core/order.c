/* The order of elimination by approximate minimum degree, with multipliers behind their coordinates.
 *
 * Graph of quotients (Amestoy, Davis, Duff: SIAM J. Matrix Anal. Appl. 17, 1996): what an eliminated unknown
 * met becomes an element, a set of unknowns that all meet each other. An unknown keeps a list of elements
 * that it is in, and of other unknowns that it meets. */
#include "core/order.h"

#include "core/arena.h"
#include "core/message.h"

#include <string.h>

/* Neighbours of an unknown, elements first: list[start] ... */
typedef struct node {
  int start, elements, unknowns; /* of its lists, in `list` */
  int degree;                    /* bound of the number of unknowns that it meets */
  int before, behind;            /* neighbours among those of the same degree; -1: none */
  int waits; /* of a multiplier: coordinates that it meets, not yet eliminated */
} node;

/* What an eliminated unknown met. */
typedef struct element {
  int start, count; /* of its unknowns in `member`; 0: gone, they are in another one */
  int rest;         /* how many of them are not in the newest element, if seen says so */
  int seen;
} element;

typedef struct maker {
  int n, multipliers;
  gradyn_arena arena;
  int *list;        /* [2 nnz] */
  node *node;       /* [n] */
  element *element; /* [n] */
  int *first;       /* [n] the unknowns of each degree, -1: none */
  int *mark;        /* [n] the newest element that the unknown is in */
  int least;        /* there is none of a smaller degree */
  int *member;      /* [used], room for [room] */
  int used, room;
} maker;

/* --- degrees ------------------------------------------------------------------------------------ */

static void take_out(maker *s, int i)
{
  node *a = s->node + i;
  /* the neighbours in the list close the gap */
  if (a->before >= 0)
    s->node[a->before].behind = a->behind;
  else
    s->first[a->degree] = a->behind;
  if (a->behind >= 0)
    s->node[a->behind].before = a->before;
}

/* Puts an unknown among those of its degree, unless it still waits. The last one put there is taken first. */
static void put(maker *s, int i)
{
  node *a = s->node + i;
  if (a->waits > 0)
    return;
  a->before = -1;
  a->behind = s->first[a->degree];
  if (a->behind >= 0)
    s->node[a->behind].before = i;
  s->first[a->degree] = i;
  s->least = a->degree < s->least ? a->degree : s->least;
}

static void set_degree(maker *s, int i, int degree)
{
  if (s->node[i].waits == 0)
    take_out(s, i);
  s->node[i].degree = degree;
  put(s, i);
}

/* --- elimination -------------------------------------------------------------------------------- */

/* Adds unknowns to element p that are not in it. */
static void gather(maker *s, int p, const int *from, int count)
{
  element *e = s->element + p;
  for (int k = 0; k < count; k++)
    if (from[k] != p && s->mark[from[k]] != p) {
      s->mark[from[k]] = p;
      s->member[e->start + e->count++] = from[k];
    }
}

/* The element that unknown p leaves: all that it meets. Elements that p is in are part of it. */
static gradyn_status make_element(maker *s, int p)
{
  const node *a = s->node + p;
  const int *elements = s->list + a->start;
  /* no more than all of them together */
  int most = a->unknowns;
  for (int k = 0; k < a->elements; k++)
    most += s->element[elements[k]].count;
  /* p itself is not in it */
  /* elements of which nothing is left are not looked for */
  s->member = gradyn_arena_grow(&s->arena, s->member, s->used, most, &s->room);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  s->element[p] = (element){.start = s->used, .seen = -1};
  gather(s, p, elements + a->elements, a->unknowns);
  for (int k = 0; k < a->elements; k++) {
    element *e = s->element + elements[k];
    gather(s, p, s->member + e->start, e->count);
    e->count = 0; /* its unknowns meet each other in p */
  }
  s->used += s->element[p].count;
  return GRADYN_OK;
}

/* How many unknowns each element has that are not in element p. */
static void compare_elements(maker *s, int p)
{
  const element *made = s->element + p;
  for (int k = 0; k < made->count; k++) {
    const node *a = s->node + s->member[made->start + k];
    for (int j = a->start; j < a->start + a->elements; j++) {
      element *e = s->element + s->list[j];
      if (e->seen != p) { /* the first that it shares with p */
        e->seen = p;
        e->rest = e->count;
      }
      e->rest--; /* ends at |e - p| */
    }
  }
}

/* Lists of unknown i of element p: what p says need not be said again. There is room for p, since something
 * that led to it goes. */
static void shorten_lists(maker *s, int p, int i)
{
  node *a = s->node + i;
  int *list = s->list + a->start, *unknown = list + a->elements, count = 0;
  int degree = s->element[p].count - 1, kept[2] = {0, 0};
  /* elements that are part of p say nothing more */
  for (int k = 0; k < a->elements; k++) {
    const element *e = s->element + list[k];
    if (e->count > 0 && e->rest > 0) {
      degree += e->rest;
      list[count++] = list[k];
    }
  }
  kept[0] = count;
  /* nor do unknowns that are in p as well */
  for (int k = 0; k < a->unknowns; k++)
    if (unknown[k] != p && s->mark[unknown[k]] != p)
      list[count++] = unknown[k];
  kept[1] = count - kept[0];
  /* p behind the other elements, in the place of an unknown that moves to the end */
  list[count] = list[kept[0]];
  list[kept[0]] = p;
  a->elements = kept[0] + 1;
  a->unknowns = kept[1];
  degree += kept[1];
  /* an unknown may have been counted in several elements */
  const int most = a->degree + s->element[p].count - 1;
  degree = degree < most ? degree : most;
  set_degree(s, i, degree < s->n - 1 ? degree : s->n - 1);
}

/* Multipliers that wait for unknown p do so no longer. */
static void let_go(maker *s, const gradyn_pattern *both, int p)
{
  if (p >= s->multipliers)
    return;
  /* as the matrix says: lists have changed since */
  for (int k = both->start[p]; k < both->start[p + 1]; k++) {
    const int i = both->col[k];
    if (i >= s->multipliers && --s->node[i].waits == 0) /* p was the last */
      put(s, i);
  }
}

/* The unknown of the smallest degree of those that do not wait; there always is one. */
static int next(maker *s)
{
  while (s->first[s->least] < 0) /* put() takes it back where degrees shrink */
    s->least++;
  const int p = s->first[s->least];
  take_out(s, p);
  return p;
}

static gradyn_status eliminate_all(maker *s, const gradyn_pattern *both, int *order)
{
  for (int count = 0; count < s->n; count++) {
    const int p = order[count] = next(s);
    /* what p met becomes an element; those in it are told, and their degrees change */
    s->mark[p] = p;
    GRADYN_TRY(make_element(s, p));
    compare_elements(s, p);
    const element made = s->element[p];
    for (int k = 0; k < made.count; k++)
      shorten_lists(s, p, s->member[made.start + k]);
    let_go(s, both, p);
  }
  return GRADYN_OK;
}

/* --- start -------------------------------------------------------------------------------------- */

/* The pattern and its transpose together, without the diagonal. */
static gradyn_status make_both(maker *s, const gradyn_pattern *pattern, gradyn_pattern *both)
{
  int *row = gradyn_arena_take(&s->arena, 2 * (size_t)pattern->nnz, sizeof *row), count = 0;
  int *col = gradyn_arena_take(&s->arena, 2 * (size_t)pattern->nnz, sizeof *col);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  for (int i = 0; i < s->n; i++)
    for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++)
      if (pattern->col[k] != i) {
        row[count] = col[count + 1] = i;
        col[count] = row[count + 1] = pattern->col[k];
        count += 2;
      }
  return gradyn_pattern_create(s->n, s->n, count, row, col, both);
}

/* Every unknown meets what the matrix says. */
static gradyn_status begin(maker *s, const gradyn_pattern *both)
{
  const size_t n = (size_t)s->n;
  s->list = gradyn_arena_take(&s->arena, (size_t)both->nnz, sizeof *s->list);
  s->node = gradyn_arena_take(&s->arena, n, sizeof *s->node);
  s->element = gradyn_arena_take(&s->arena, n, sizeof *s->element);
  s->first = gradyn_arena_take(&s->arena, n, sizeof *s->first);
  s->mark = gradyn_arena_take(&s->arena, n, sizeof *s->mark);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  /* lists begin as rows of the matrix */
  memcpy(s->list, both->col, (size_t)both->nnz * sizeof *s->list);
  memset(s->first, -1, n * sizeof *s->first);
  memset(s->mark, -1, n * sizeof *s->mark);
  s->least = s->n - 1;
  for (int i = 0; i < s->n; i++) {
    /* no elements yet; a multiplier waits for its coordinates */
    const int count = both->start[i + 1] - both->start[i];
    s->node[i] = (node){.start = both->start[i], .unknowns = count, .degree = count};
    for (int k = both->start[i]; k < both->start[i + 1] && i >= s->multipliers; k++)
      s->node[i].waits += both->col[k] < s->multipliers;
    put(s, i);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_order_create(const gradyn_pattern *pattern, int multipliers, int *order)
{
  maker s = {.n = pattern->rows, .multipliers = multipliers};
  gradyn_pattern both = {0};
  gradyn_status status = make_both(&s, pattern, &both);
  if (status == GRADYN_OK)
    status = begin(&s, &both);
  if (status == GRADYN_OK)
    status = eliminate_all(&s, &both, order);
  gradyn_pattern_clear(&both);
  gradyn_arena_clear(&s.arena);
  return status;
}
