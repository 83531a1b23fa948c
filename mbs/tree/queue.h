/* A priority queue: the entry with the smallest keys is next. */
#ifndef GRADYN_MBS_TREE_QUEUE_H
#define GRADYN_MBS_TREE_QUEUE_H

enum { TREE_QUEUE_KEYS = 4 };

/* Keys are compared one after the other, from key[0]. */
typedef struct tree_queue_entry {
  int key[TREE_QUEUE_KEYS];
  int what;
} tree_queue_entry;

/* The owner allocates, and frees, `entry` for all entries; count is 0 at first. */
typedef struct tree_queue {
  tree_queue_entry *entry;
  int count;
} tree_queue;

/* Adds an entry, for which `entry` must have space. */
void tree_queue_add(tree_queue *queue, tree_queue_entry entry);
/* Removes and returns the first entry; the queue must not be empty. */
tree_queue_entry tree_queue_take(tree_queue *queue);

#endif
