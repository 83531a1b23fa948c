/* A queue of entries by priority: a binary heap. */
#include "mbs/tree/queue.h"

#include <stdbool.h>

static bool before(const tree_queue_entry *a, const tree_queue_entry *b)
{
  int k = 0;
  while (k < TREE_QUEUE_KEYS - 1 && a->key[k] == b->key[k])
    k++;
  return a->key[k] < b->key[k];
}

void tree_queue_add(tree_queue *queue, tree_queue_entry entry)
{
  int at = queue->count++;
  for (; at > 0 && before(&entry, &queue->entry[(at - 1) / 2]); at = (at - 1) / 2)
    queue->entry[at] = queue->entry[(at - 1) / 2];
  queue->entry[at] = entry;
}

tree_queue_entry tree_queue_take(tree_queue *queue)
{
  const tree_queue_entry first = queue->entry[0], last = queue->entry[--queue->count];
  int at = 0;
  for (int child = 1; child < queue->count; child = 2 * at + 1) {
    if (child + 1 < queue->count && before(&queue->entry[child + 1], &queue->entry[child]))
      child++;
    if (!before(&queue->entry[child], &last))
      break;
    queue->entry[at] = queue->entry[child];
    at = child;
  }
  queue->entry[at] = last;
  return first;
}
