/* What the page of a report shows, gathered from the files of studies. */
#ifndef GRADYN_CLI_PAGE_DATA_H
#define GRADYN_CLI_PAGE_DATA_H

#include <jansson.h>
#include <stddef.h>

#include <gradyn/status.h>

/* What a page shows; its columns are those of tables, so long that they are kept apart: in the tables stands
 * {"values": K}, the number of a text among them, which holds nothing that would have to be escaped. */
typedef struct cli_page_contents {
  json_t *studies;  /* an object; owned */
  json_t *columns;  /* an array of texts; owned */
  char unread[512]; /* which file is there and cannot be read, and why; "": all could be */
} cli_page_contents;

/* Gathers the files of studies [count]; *out is empty on failure. GRADYN_NOT_FOUND: a
 * folder does not exist or holds no study, the reason is in message [size]. Files that are missing or
 * damaged, or cannot be read, are left out and named in the notes of their study. running: as in cli_page. */
gradyn_status cli_page_data(const char *const folder[], size_t count, const char *running,
                            cli_page_contents *out, char *message, size_t size);

/* Releases what a page shows; an empty one is fine. */
void cli_page_data_free(cli_page_contents *contents);

#endif
