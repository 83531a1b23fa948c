/* The report: one HTML file that shows studies, without anything from elsewhere. The page is
 * report/page.html, in which comments of the form <!--NAME--> stand for what is filled in. */
#include "cli/page/page.h"

#include <stdio.h>
#include <string.h>

#include "cli/page/assets.h"
#include "cli/options/file.h"
#include "cli/text/json.h"
#include "cli/page/page_data.h"

/* What goes where a place of the page is. */
typedef struct filling {
  FILE *file;
  cli_page_contents contents;
  bool space; /* something is to be seen in space */
} filling;

/* A part of the page. */
static void put(FILE *file, const unsigned char *bytes, size_t size)
{
  (void)fwrite(bytes, 1, size, file); /* failures show when the file is ended */
}

/* Texts of a problem may hold anything: without these three characters no markup can begin. */
static int put_text(const char *text, size_t size, void *user)
{
  /* inside a script element: JSON has these characters in texts only, where escapes mean the
     same */
  FILE *file = user;
  size_t begin = 0; /* of what is not written yet */
  for (size_t i = 0; i < size; i++)
    if (text[i] == '<' || text[i] == '>' || text[i] == '&') {
      (void)fwrite(text + begin, 1, i - begin, file);
      (void)fprintf(file, "\\u%04x", (unsigned)text[i]);
      begin = i + 1;
    }
  (void)fwrite(text + begin, 1, size - begin, file);
  return 0;
}

/* The first asset of a kind; all kinds are embedded. */
static const cli_asset *find(cli_asset_kind kind)
{
  for (size_t i = 0; i < cli_asset_count; i++)
    if (cli_assets[i].kind == kind)
      return &cli_assets[i];
  return NULL;
}

/* All scripts of a kind, each with its name. */
static void put_scripts(const filling *f, cli_asset_kind kind)
{
  for (size_t i = 0; i < cli_asset_count; i++) {
    const cli_asset *asset = &cli_assets[i];
    if (asset->kind != kind)
      continue;
    (void)fprintf(f->file, "<script>/* %s */\n", asset->name);
    put(f->file, asset->bytes, asset->size);
    (void)fputs("\n</script>\n", f->file);
  }
}

/* Those of others; the one for drawing in space only where it is needed. */
static void put_libraries(const filling *f)
{
  put_scripts(f, CLI_CURVES);
  if (f->space)
    put_scripts(f, CLI_SPACE);
}

/* Ours, behind those. */
static void put_own_scripts(const filling *f)
{
  put_scripts(f, CLI_SCRIPT);
}

/* One sheet. */
static void put_style(const filling *f)
{
  const cli_asset *style = find(CLI_STYLE);
  put(f->file, style->bytes, style->size);
}

/* The columns of all tables as one JSON array: nothing in them has to be escaped. */
static void put_columns(const filling *f)
{
  size_t k;
  const json_t *column;
  (void)fputc('[', f->file);
  json_array_foreach(f->contents.columns, k, column)
  {
    (void)fputs(k ? ",\n\"" : "\"", f->file);
    (void)fwrite(json_string_value(column), 1, json_string_length(column), f->file);
    (void)fputc('"', f->file);
  }
  (void)fputc(']', f->file);
}

/* All studies as one JSON object. */
static void put_data(const filling *f)
{
  /* 12 digits: a page is looked at, not computed with */
  (void)json_dump_callback(f->contents.studies, put_text, f->file,
                           JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
}

/* Fills in one place; name: of the place, not terminated. */
static void fill(const filling *f, const char *name, size_t length)
{
  static const struct {
    const char *name;
    void (*fill)(const filling *f);
  } place[] = {{"STYLE", put_style},
               {"LIBRARIES", put_libraries},
               {"SCRIPTS", put_own_scripts},
               {"COLUMNS", put_columns},
               {"DATA", put_data}};
  for (size_t i = 0; i < sizeof place / sizeof place[0]; i++)
    if (strlen(place[i].name) == length && strncmp(name, place[i].name, length) == 0)
      place[i].fill(f);
}

/* The page with its places filled. */
static void write_page(const filling *f)
{
  const cli_asset *page = find(CLI_PAGE);
  const char *at = (const char *)page->bytes, *end = at + page->size;
  /* text up to a place, then the place; what follows the last one at the end */
  for (const char *place, *close; (place = strstr(at, "<!--")) != NULL; at = close + 3) {
    close = strstr(place, "-->");
    if (!close)
      break;
    put(f->file, (const unsigned char *)at, (size_t)(place - at));
    fill(f, place + 4, (size_t)(close - place - 4));
  }
  put(f->file, (const unsigned char *)at, (size_t)(end - at)); /* the page after its last place */
}

/* Whether a study has a mechanism in space. */
static bool has_space(const json_t *data)
{
  size_t i, k;
  json_t *study, *run;
  json_array_foreach(json_object_get(data, "studies"), i, study)
      json_array_foreach(json_object_get(study, "runs"), k,
                         run) if (json_integer_value(json_object_get(json_object_get(run, "model"),
                                                                     "axes")) == 3) return true;
  return false;
}

gradyn_status cli_page_write(const cli_page *page, char *message, size_t size)
{
  /* data first: without them there is no page to begin */
  filling f = {.file = NULL};
  gradyn_status status = cli_page_data(page->folder, page->count, page->running, &f.contents,
                                       message, size);
  if (status != GRADYN_OK)
    return status;
  gradyn_file file;
  status = gradyn_file_begin(&file, page->in, page->name, &cli_file_keeper);
  if (status == GRADYN_OK) {
    f.file = file.stream;
    f.space = has_space(f.contents.studies);
    write_page(&f);
  }
  status = gradyn_file_end(&file, status);
  if (status != GRADYN_OK) {
    (void)snprintf(message, size, "%s", file.message);
  } else if (f.contents.unread[0] != '\0') {
    /* the page is there, with a note in the place of what is missing */
    (void)snprintf(message, size, "%s", f.contents.unread);
    status = GRADYN_IO;
  }
  cli_page_data_free(&f.contents);
  return status;
}
