/* A queue by keys: the entry with the least one is the next. */
#ifndef GRADYN_MBS_TREE_QUEUE_H
#define GRADYN_MBS_TREE_QUEUE_H

enum { TREE_QUEUE_KEYS = 4 };

/* Keys are compared one after the other. */
typedef struct tree_queue_entry {
  int key[TREE_QUEUE_KEYS];
  int what;
} tree_queue_entry;

/* Its owner gives it room for all entries. */
typedef struct tree_queue {
  tree_queue_entry *entry;
  int count;
} tree_queue;

void tree_queue_add(tree_queue *queue, tree_queue_entry entry);
/* Of a queue that is not empty. */
tree_queue_entry tree_queue_take(tree_queue *queue);

#endif
