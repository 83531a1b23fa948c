/* Fronts: which unknowns make one, and where everything stands.
 *
 * The order of elimination is that of core/order.h, changed so that what hangs on a pivot in the tree of
 * elimination stands right before it: then fronts are neighbours of their children, and what they leave can
 * be stacked. All patterns are taken as if they were symmetric. */
#include "core/fronts.h"

#include "core/message.h"
#include "core/order.h"
#include "core/rows.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Zeros that a front may take along to have one row of pivots more. */
enum { SPARE = 4 };

typedef struct maker {
  const gradyn_pattern *pattern;
  int n;
  gradyn_arena arena;   /* of what is needed only here */
  gradyn_pattern upper; /* by places of the order: (i, j), i < j, if (i, j) or (j, i) is an entry */
  int *place;           /* [n] place in the order of each unknown */
  int *head;            /* [n] fronts whose parent has the pivot of this place: last one, or -1 */
  int *mark;            /* [n] the last pivot that met this place; afterwards its row in a front */
  int *met;             /* [n] what a pivot meets behind it */
  int *index;           /* [used], room for [room]: boundaries */
  int used, room;
  gradyn_front *front; /* [n + 1] */
  int count;
} maker;

/* --- order ------------------------------------------------------------------------------------- */

/* The matrix in that order, as if it were symmetric: its upper triangle, or the lower one. */
static gradyn_status make_triangle(maker *s, bool lower, gradyn_pattern *out)
{
  const gradyn_pattern *pattern = s->pattern;
  int *row = gradyn_arena_take(&s->arena, (size_t)pattern->nnz, sizeof *row), count = 0;
  int *col = gradyn_arena_take(&s->arena, (size_t)pattern->nnz, sizeof *col);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  for (int i = 0; i < s->n; i++)
    for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++) {
      const int a = s->place[i], b = s->place[pattern->col[k]];
      if (a == b) /* the diagonal is in every front */
        continue;
      row[count] = (a < b) == lower ? b : a;
      col[count++] = (a < b) == lower ? a : b;
    }
  return gradyn_pattern_create(s->n, s->n, count, row, col, out);
}

/* The tree of elimination: parent[j] is the first that pivot j meets behind it, -1 if it meets none. */
static gradyn_status find_parents(maker *s, int *parent)
{
  gradyn_pattern lower = {0};
  int *above = s->mark; /* as far up the tree as it is known, which shortens the way */
  GRADYN_TRY(make_triangle(s, true, &lower));
  for (int k = 0; k < s->n; k++) {
    parent[k] = above[k] = -1;
    /* what k meets before it has k above it: up from each of these, to where nothing is above yet */
    for (int p = lower.start[k]; p < lower.start[k + 1]; p++)
      for (int j = lower.col[p], next; j >= 0 && j < k; j = next) {
        next = above[j];
        above[j] = k;
        if (next < 0)
          parent[j] = k;
      }
  }
  gradyn_pattern_clear(&lower);
  return GRADYN_OK;
}

/* Another order with the same tree, in which what hangs on a pivot stands right before it. */
static gradyn_status put_in_postorder(maker *s, int *order)
{
  int *parent = gradyn_arena_take(&s->arena, (size_t)s->n, sizeof(int));
  int *sibling = gradyn_arena_take(&s->arena, (size_t)s->n, sizeof(int));
  int *old = gradyn_arena_take(&s->arena, (size_t)s->n, sizeof(int));
  int *child = s->head, root = -1, count = 0;
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  GRADYN_TRY(find_parents(s, parent));
  memset(child, -1, (size_t)s->n * sizeof *child);
  for (int j = s->n - 1; j >= 0; j--) { /* so that first ones come first */
    int *list = parent[j] < 0 ? &root : child + parent[j];
    sibling[j] = *list;
    *list = j;
  }
  memcpy(old, order, (size_t)s->n * sizeof *old);
  /* children before parents, each with all that hangs on it; parents of roots end the walk */
  for (int j = root; j >= 0;) {
    while (child[j] >= 0) { /* down to a leaf, taking the ways down away */
      const int next = child[j];
      child[j] = -1;
      j = next;
    }
    order[count] = old[j];
    s->place[old[j]] = count++;
    j = sibling[j] >= 0 ? sibling[j] : parent[j];
  }
  return GRADYN_OK;
}

/* --- fronts ------------------------------------------------------------------------------------ */

/* Size of a front's boundary. */
static int boundary_of(const gradyn_front *f)
{
  /* rows are those of pivots, then those of the boundary */
  return f->rows - f->pivots;
}

static int ascending(const void *a, const void *b)
{
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Adds places behind j that are not there yet. */
static int meet(maker *s, int j, const int *places, int number, int count)
{
  for (int k = 0; k < number; k++)
    if (places[k] > j && s->mark[places[k]] != j) {
      s->mark[places[k]] = j;
      s->met[count++] = places[k];
    }
  return count;
}

/* What pivot j meets behind it: its own entries, and what fronts before it have left there, the last front
 * among them if that goes on. */
static int meets(maker *s, int j, bool goes_on)
{
  const int *start = s->upper.start;
  const gradyn_front *last = s->front + s->count - 1;
  /* row j of the matrix, boundaries of children that wait for j, and that of the front before */
  int count = meet(s, j, s->upper.col + start[j], start[j + 1] - start[j], 0);
  for (int f = s->head[j]; f >= 0; f = s->front[f].sibling)
    count = meet(s, j, s->index + s->front[f].boundary, boundary_of(s->front + f), count);
  if (goes_on)
    count = meet(s, j, s->index + last->boundary, boundary_of(last), count);
  qsort(s->met, (size_t)count, sizeof *s->met, ascending);
  return count;
}

/* What a pivot meets becomes the boundary of the last front. */
static gradyn_status write_boundary(maker *s, gradyn_front *f, int count)
{
  s->index = gradyn_arena_grow(&s->arena, s->index, f->boundary, count, &s->room);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  memcpy(s->index + f->boundary, s->met, (size_t)count * sizeof *s->met);
  s->used = f->boundary + count;
  f->rows = f->pivots + count;
  return GRADYN_OK;
}

/* Hangs fronts that wait for pivot j on the front that has it. */
static void adopt(maker *s, gradyn_front *f, int j)
{
  int *end = &f->child; /* behind those that it has */
  while (*end >= 0)
    end = &s->front[*end].sibling;
  *end = s->head[j];
}

/* A front that gets no more pivots waits for the first of its boundary. */
static void close_front(maker *s, int f)
{
  gradyn_front *front = s->front + f;
  if (boundary_of(front) == 0)
    return;
  const int parent = s->index[front->boundary];
  /* there may be others */
  front->sibling = s->head[parent];
  s->head[parent] = f;
}

/* Pivots that follow each other are one front if they meet the same, or nearly so. */
static gradyn_status make_fronts(maker *s)
{
  /* nobody waits, and nothing has been met */
  memset(s->mark, -1, (size_t)s->n * sizeof *s->mark);
  memset(s->head, -1, (size_t)s->n * sizeof *s->head);
  for (int j = 0; j < s->n; j++) {
    gradyn_front *last = s->front + s->count - 1;
    /* whether pivot j is the first that the last front meets */
    const bool follows = s->count > 0 && boundary_of(last) > 0 && s->index[last->boundary] == j;
    const int count = meets(s, j, follows);
    /* rows that the front would get beside the one that turns from boundary to pivot */
    if (follows && last->pivots * (1 + count - boundary_of(last)) <= SPARE)
      last->pivots++;
    else {
      if (s->count > 0)
        close_front(s, s->count - 1);
      last = s->front + s->count++;
      *last = (gradyn_front){
          .first = j, .pivots = 1, .boundary = s->used, .child = -1, .sibling = -1};
    }
    adopt(s, last, j);
    GRADYN_TRY(write_boundary(s, last, count));
  }
  close_front(s, s->count - 1);
  return GRADYN_OK;
}

/* --- places ------------------------------------------------------------------------------------ */

/* Rows of factors stand one behind the other. A front is needed until its parent has taken what it leaves:
 * fronts and their children stand on two stacks in turn, so that a front is put upon one while its children
 * are on top of the other. Behind its rows it has one more, for what its pivots are judged by. */
static gradyn_status place_rows(maker *s, gradyn_fronts *out)
{
  int *level = gradyn_arena_take(&s->arena, (size_t)s->count, sizeof *level); /* odd or even */
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  for (int f = s->count - 1; f >= 0; f--) /* parents come behind */
    for (int c = s->front[f].child; c >= 0; c = s->front[c].sibling)
      level[c] = 1 - level[f];
  size_t top[2] = {0, 0}, most[2] = {0, 0}; /* of both stacks */
  for (int f = 0; f < s->count; f++) {
    gradyn_front *front = s->front + f;
    size_t *mine = top + level[f], *other = top + 1 - level[f];
    front->width = gradyn_row_width(front->rows);
    out->widest = front->width > out->widest ? front->width : out->widest;
    front->factors =
        out->factors; /* rows of U; those of L^T have the same places in another array */
    out->factors += (size_t)front->pivots * (size_t)front->width;
    front->work = *mine;
    /* a row more than it has, see above */
    *mine += ((size_t)front->rows + 1) * (size_t)front->width;
    most[level[f]] = *mine > most[level[f]] ? *mine : most[level[f]];
    for (int c = front->child; c >= 0; c = s->front[c].sibling) /* behind it, nobody needs them */
      *other = s->front[c].work < *other ? s->front[c].work : *other;
  }
  for (int f = 0; f < s->count; f++)
    s->front[f].work += level[f] ? most[0] : 0; /* the second stack stands behind the first */
  out->work = most[0] + most[1];
  return GRADYN_OK;
}

/* Row in front f of what stands at a place of the order; mark has rows of the boundary. */
static int row_of(const maker *s, const gradyn_front *f, int place)
{
  return place < f->first + f->pivots ? place - f->first : s->mark[place];
}

/* Entries by the pivot that they meet first: entry [nnz], and begin [n + 2], where those of a pivot begin. */
static void sort_entries(const maker *s, int *begin, int *entry)
{
  const gradyn_pattern *pattern = s->pattern;
  for (int pass = 0; pass < 2; pass++) { /* counts become beginnings, which filling moves on */
    for (int i = 0; i < s->n; i++)
      for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++) {
        const int a = s->place[i], b = s->place[pattern->col[k]], first = a < b ? a : b;
        if (pass == 0)
          begin[first + 2]++;
        else
          entry[begin[first + 1]++] = k;
      }
    for (int j = 2; j < s->n + 2 && pass == 0; j++)
      begin[j] += begin[j - 1];
  }
}

/* What belongs where: children's boundaries in their parents, and entries of the matrix. */
static gradyn_status place_entries(maker *s, gradyn_fronts *out)
{
  const gradyn_pattern *pattern = s->pattern;
  int *begin = gradyn_arena_take(&s->arena, (size_t)s->n + 2, sizeof(int)), count = 0;
  int *entry = gradyn_arena_take(&s->arena, (size_t)pattern->nnz, sizeof(int));
  int *row = gradyn_arena_take(&s->arena, (size_t)pattern->nnz, sizeof(int)); /* of each entry */
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  /* patterns tell rows by their beginnings only */
  for (int i = 0; i < s->n; i++)
    for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++)
      row[k] = i;
  sort_entries(s, begin, entry);
  /* mark tells rows of the boundary of the front in hand, for its children and its entries */
  for (int f = 0; f < s->count; f++) {
    gradyn_front *front = s->front + f;
    /* rows of the boundary follow those of the pivots */
    for (int i = 0; i < boundary_of(front); i++)
      s->mark[s->index[front->boundary + i]] = front->pivots + i;
    for (int c = front->child; c >= 0; c = s->front[c].sibling)
      for (int i = s->front[c].boundary; i < s->front[c].boundary + boundary_of(s->front + c); i++)
        out->into[i] = row_of(s, front, s->index[i]);
    front->entries = count;
    for (int end = begin[front->first + front->pivots]; count < end; count++) {
      const int k = entry[count];
      out->source[count] = k;
      out->place[count] = row_of(s, front, s->place[row[k]]) * GRADYN_LANES * front->width +
                          row_of(s, front, s->place[pattern->col[k]]);
    }
  }
  s->front[s->count].entries = count;
  return GRADYN_OK;
}

/* All of the plan from a pattern, into arrays of the arena. */
static gradyn_status make_plan(maker *s, int multipliers, gradyn_arena *arena, gradyn_fronts *out)
{
  const size_t n = (size_t)s->n;
  s->place = gradyn_arena_take(&s->arena, n, sizeof(int));
  s->head = gradyn_arena_take(&s->arena, n, sizeof(int));
  s->mark = gradyn_arena_take(&s->arena, n, sizeof(int));
  s->met = gradyn_arena_take(&s->arena, n, sizeof(int));
  s->front = gradyn_arena_take(&s->arena, n + 1, sizeof *s->front);
  out->order = gradyn_arena_take(arena, n, sizeof(int));
  out->sign = gradyn_arena_numbers(arena, n);
  out->source = gradyn_arena_take(arena, (size_t)s->pattern->nnz, sizeof(int));
  out->place = gradyn_arena_take(arena, (size_t)s->pattern->nnz, sizeof(int));
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  GRADYN_TRY(gradyn_arena_status(arena));
  GRADYN_TRY(gradyn_order_create(s->pattern, multipliers, out->order));
  for (int k = 0; k < s->n; k++)
    s->place[out->order[k]] = k;
  GRADYN_TRY(put_in_postorder(s, out->order));
  for (int k = 0; k < s->n; k++)
    out->sign[k] = out->order[k] < multipliers ? 1 : -1;
  GRADYN_TRY(make_triangle(s, false, &s->upper));
  GRADYN_TRY(make_fronts(s));
  /* how many there are is known now */
  out->n = s->n;
  out->count = s->count;
  out->index = gradyn_arena_take(arena, (size_t)s->used, sizeof(int));
  out->into = gradyn_arena_take(arena, (size_t)s->used, sizeof(int));
  out->front = gradyn_arena_take(arena, (size_t)s->count + 1, sizeof *out->front);
  GRADYN_TRY(gradyn_arena_status(arena));
  GRADYN_TRY(place_rows(s, out));
  GRADYN_TRY(place_entries(s, out));
  /* lists that grew while they were made */
  memcpy(out->front, s->front, ((size_t)s->count + 1) * sizeof *s->front);
  if (s->used > 0)
    memcpy(out->index, s->index, (size_t)s->used * sizeof *s->index);
  return GRADYN_OK;
}

gradyn_status gradyn_fronts_plan(const gradyn_pattern *pattern, int multipliers,
                                 gradyn_arena *arena, gradyn_fronts *out)
{
  maker s = {.pattern = pattern, .n = pattern->rows};
  *out = (gradyn_fronts){0};
  const gradyn_status status = make_plan(&s, multipliers, arena, out);
  gradyn_pattern_clear(&s.upper);
  gradyn_arena_clear(&s.arena);
  return status;
}
