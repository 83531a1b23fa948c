/* The report: one HTML file that shows studies, without anything from elsewhere. */
#ifndef GRADYN_CLI_PAGE_H
#define GRADYN_CLI_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <gradyn/status.h>

typedef struct cli_page {
  const char *const *folder; /* [count] of the studies shown */
  size_t count;
  const char
      *running; /* how far work that goes on has come: the page reloads itself; NULL: it is over */
  const char *in;   /* folder to write into */
  const char *name; /* of the file */
} cli_page;

/* Makes the page from the files of the studies. On failure the reason is in message [size]. */
gradyn_status cli_page_write(const cli_page *page, char *message, size_t size);

#endif
