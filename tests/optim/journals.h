/* Operations of tests on journals; in journalled.c. */
#ifndef GRADYN_TESTS_OPTIM_JOURNALS_H
#define GRADYN_TESTS_OPTIM_JOURNALS_H

#include <stddef.h>

/* A whole file. */
typedef struct content {
  char *bytes; /* [size], owned */
  size_t size;
} content;

/* Name of a fresh file of this process; to be released with free(). */
char *journal_name(void);

/* A fresh folder; removed with what is in it, and released, by journal_sweep_up(). */
char *journal_folder(void);
void journal_sweep_up(char *folder);

/* How many descriptors this process has, and some. */
size_t journal_open_files(void);

content journal_read(const char *file);
void journal_write(const char *file, const char *bytes, size_t size);

/* Has the header say `to` where it says `from`, with the checksums of a journal that has always said so. */
void journal_forge(const char *file, const char *from, const char *to);

/* Offset behind line `number` (0: none) of a file. */
size_t journal_line(content file, size_t number);
size_t journal_lines(content file);

#endif
