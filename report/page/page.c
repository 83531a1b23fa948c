/* The report: one HTML file that shows studies and needs no other file. It is made from
 * report/assets/page.html by replacing comments of the form <!--NAME-->. */
#include <gradyn/study.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/file.h"
#include "core/files/text.h"
#include "report/page/assets.h"
#include "report/page/data.h"

/* Data for the texts that replace comments. */
typedef struct filling {
  FILE *file;
  const gradyn_report *report;
  bool space;  /* true: a study has a mechanism in three dimensions */
  bool failed; /* true: memory was lacking */
} filling;

static void put(FILE *file, const unsigned char *bytes, size_t size)
{
  (void)fwrite(bytes, 1, size, file); /* gradyn_file_end() detects failures */
}

/* Writes a part of the JSON text with <, > and & as escapes. Texts of a problem may contain any characters;
 * without these three, no HTML tag can begin. */
static int put_text(const char *text, size_t size, void *user)
{
  /* in JSON, these characters occur in texts only, where an escape has the same meaning */
  FILE *file = user;
  size_t begin = 0; /* start of the part that is not written yet */
  for (size_t i = 0; i < size; i++)
    if (text[i] == '<' || text[i] == '>' || text[i] == '&') {
      (void)fwrite(text + begin, 1, i - begin, file);
      (void)fprintf(file, "\\u%04x", (unsigned)text[i]);
      begin = i + 1;
    }
  (void)fwrite(text + begin, 1, size - begin, file);
  return 0;
}

/* Returns the first asset of a kind. Every kind is embedded. */
static const gradyn_asset *find(gradyn_asset_kind kind)
{
  for (size_t i = 0; i < gradyn_asset_count; i++)
    if (gradyn_assets[i].kind == kind)
      return &gradyn_assets[i];
  return NULL;
}

/* Writes all scripts of a kind, each with its name. */
static void put_scripts(filling *f, gradyn_asset_kind kind)
{
  for (size_t i = 0; i < gradyn_asset_count; i++) {
    const gradyn_asset *asset = &gradyn_assets[i];
    if (asset->kind != kind)
      continue;
    (void)fprintf(f->file, "<script>/* %s */\n", asset->name);
    put(f->file, asset->bytes, asset->size);
    (void)fputs("\n</script>\n", f->file);
  }
}

/* Writes the libraries. The one for three dimensions is left out if no study needs it. */
static void put_libraries(filling *f)
{
  put_scripts(f, GRADYN_ASSET_CURVES);
  if (f->space)
    put_scripts(f, GRADYN_ASSET_SPACE);
}

/* Writes the scripts of this report, which follow the libraries. */
static void put_own_scripts(filling *f)
{
  put_scripts(f, GRADYN_ASSET_SCRIPT);
}

static void put_style(filling *f)
{
  const gradyn_asset *style = find(GRADYN_ASSET_STYLE);
  put(f->file, style->bytes, style->size);
}

/* Writes the columns of all tables as a JSON array. They have no characters that need an escape. */
static void put_columns(filling *f)
{
  size_t k;
  const json_t *column;
  (void)fputc('[', f->file);
  json_array_foreach(f->report->columns, k, column)
  {
    (void)fputs(k ? ",\n\"" : "\"", f->file);
    (void)fwrite(json_string_value(column), 1, json_string_length(column), f->file);
    (void)fputc('"', f->file);
  }
  (void)fputc(']', f->file);
}

/* Writes all studies as one JSON object. */
static void put_data(filling *f)
{
  /* 12 digits suffice for a page */
  f->failed = json_dump_callback(f->report->studies, put_text, f->file,
                                 JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12)) != 0;
}

/* Writes the text that replaces the comment `name` [length]. */
static void fill(filling *f, const char *name, size_t length)
{
  static const struct {
    const char *name;
    void (*fill)(filling *f);
  } position[] = {{"STYLE", put_style},
                  {"LIBRARIES", put_libraries},
                  {"SCRIPTS", put_own_scripts},
                  {"COLUMNS", put_columns},
                  {"DATA", put_data}};
  for (size_t i = 0; i < sizeof position / sizeof position[0]; i++)
    if (strlen(position[i].name) == length && strncmp(name, position[i].name, length) == 0)
      position[i].fill(f);
}

/* Writes the page, with its comments replaced. */
static void write_page(filling *f)
{
  const gradyn_asset *page = find(GRADYN_ASSET_PAGE);
  const char *at = (const char *)page->bytes, *end = at + page->size;
  /* writes the text before a comment, then its replacement */
  for (const char *position, *close; (position = strstr(at, "<!--")) != NULL; at = close + 3) {
    close = strstr(position, "-->");
    if (!close)
      break;
    put(f->file, (const unsigned char *)at, (size_t)(position - at));
    fill(f, position + 4, (size_t)(close - position - 4));
  }
  put(f->file, (const unsigned char *)at, (size_t)(end - at)); /* the text after the last comment */
}

/* Whether a study has a mechanism in three dimensions. */
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

gradyn_status gradyn_report_create(const char *const folder[], size_t count, const char *running,
                                   gradyn_report **out)
{
  if (!out)
    return GRADYN_INVALID;
  gradyn_report *report = *out = calloc(1, sizeof *report);
  if (!report)
    return GRADYN_NO_MEMORY;
  bool given = folder && count > 0;
  for (size_t i = 0; given && i < count; i++)
    given = folder[i];
  if (given)
    return gradyn_report_gather(report, folder, count, running);
  (void)snprintf(report->message, sizeof report->message, "no folder is given");
  return report->status = GRADYN_INVALID;
}

void gradyn_report_free(gradyn_report *report)
{
  if (!report)
    return;
  json_decref(report->studies);
  json_decref(report->columns);
  free(report);
}

const char *gradyn_report_message(const gradyn_report *report)
{
  return report ? report->message : gradyn_status_describe(GRADYN_NO_MEMORY).sentence;
}

gradyn_status gradyn_report_print(gradyn_report *report, FILE *file)
{
  if (!report || !file)
    return GRADYN_INVALID;
  if (report->status != GRADYN_OK && report->status != GRADYN_IO)
    return report->status == GRADYN_NO_MEMORY ? GRADYN_NO_MEMORY : GRADYN_INVALID;
  filling f = {.file = file, .report = report, .space = has_space(report->studies)};
  write_page(&f);
  if (f.failed) {
    (void)snprintf(report->message, sizeof report->message, "out of memory");
    return GRADYN_NO_MEMORY;
  }
  return ferror(file) ? GRADYN_IO : GRADYN_OK;
}

gradyn_status gradyn_report_write(gradyn_report *report, const char *path)
{
  if (!report || !path)
    return GRADYN_INVALID;
  gradyn_file file;
  const char *slash = strrchr(path, '/');
  char *folder = slash ? gradyn_format("%.*s", (int)(slash - path), path) : gradyn_format(".");
  if (!folder)
    return GRADYN_NO_MEMORY;
  gradyn_status status = gradyn_file_begin(&file, folder, slash ? slash + 1 : path, NULL);
  if (status == GRADYN_OK) {
    status = gradyn_report_print(report, file.stream);
    /* an error of writing is reported by gradyn_file_end(), which knows the reason */
    status = gradyn_file_end(&file, status == GRADYN_IO ? GRADYN_OK : status);
  }
  if (file.message[0])
    (void)snprintf(report->message, sizeof report->message, "%s", file.message);
  free(folder);
  return status;
}

gradyn_status gradyn_study_report(const char *const folder[], size_t count, const char *running,
                                  const char *path, char message[], size_t size)
{
  gradyn_report *report;
  const gradyn_status made = gradyn_report_create(folder, count, running, &report);
  /* if a file of a study cannot be read, the page is still written, with a note */
  const bool readable = made == GRADYN_OK || made == GRADYN_IO;
  const gradyn_status written = readable ? gradyn_report_write(report, path) : made;
  if (message && size > 0)
    (void)snprintf(message, size, "%s", gradyn_report_message(report));
  gradyn_report_free(report);
  return written == GRADYN_OK ? made : written;
}
