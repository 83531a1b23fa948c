/* Reads declarations and their comments from the headers that are embedded in the command. A comment
 * belongs to the declaration that begins on the next line. */
#include "cli/text/entries.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/memory.h"
#include "cli/options/session.h"

static bool is_name(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

bool cli_entry_mentions(const char *text, const char *word, size_t length)
{
  for (const char *at = text; (at = strchr(at, *word)) != NULL; at++)
    if (strncmp(at, word, length) == 0 && !is_name(at[length]) && (at == text || !is_name(at[-1])))
      return true;
  return false;
}

/* Adds an entry. The list takes ownership of the texts. */
static cli_entry *add(cli_entries *all, const char *source, char *about, char *code)
{
  all->entry = cli_grow(all->entry, all->count + 1, sizeof *all->entry);
  cli_entry *entry = &all->entry[all->count++];
  *entry = (cli_entry){.source = source, .about = about, .code = code};
  return entry;
}

/* Copies a comment of a header without its stars and its frame. */
static char *bare(const char *comment, size_t length)
{
  char *text = cli_take(length + 1, 1), *out = text;
  const char *end = comment + length - 2; /* length of the star and slash at the end */
  for (const char *c = comment + 3; c < end; c++) {
    *out++ = *c;
    if (*c == '\n') /* skips the star and the space at the beginning of the next line */
      c += strspn(c + 1, " ") + 1 + (strncmp(c + 1 + strspn(c + 1, " "), "* ", 2) == 0);
  }
  while (out > text && isspace((unsigned char)out[-1]))
    *--out = '\0';
  return text;
}

/* Returns the end of the declaration that begins at `code`. A macro ends with its line, an inline function
 * with its brace. All other declarations end with a semicolon outside braces and comments. */
static const char *end_of(const char *code)
{
  const bool defined = strncmp(code, "static", 6) == 0;
  int depth = 0;
  if (*code == '#')
    return code + strcspn(code, "\n");
  for (; *code; code++) {
    if (strncmp(code, "/*", 2) == 0 && strstr(code, "*/"))
      code = strstr(code, "*/") + 1;
    depth += (*code == '{') - (*code == '}');
    if (depth == 0 && (*code == ';' || (*code == '}' && defined)))
      return code + 1;
  }
  return code;
}

/* Finds the name that is declared. It is the word after #define, before the parenthesis of a function, in
 * the first parentheses of a function type, or before the end. */
static void find_name(cli_entry *entry)
{
  const char *code = entry->code, *end = code + strlen(code), *pointer = strstr(code, "(*gradyn_");
  if (*code == '#')
    end = code + 8 + strspn(code + 8, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  else if (strncmp(code, "typedef", 7) != 0)
    end = code + strcspn(code, "(");
  else if (pointer && !strchr(code, '{'))
    end = strchr(pointer, ')');
  while (end > code && !is_name(end[-1]))
    end--;
  const char *begin = end;
  while (begin > code && is_name(begin[-1]))
    begin--;
  (void)snprintf(entry->name, sizeof entry->name, "%.*s", (int)(end - begin), begin);
}

/* Adds the declarations of a header that directly follow a comment. */
static void add_header(cli_entries *all, const cli_file *file)
{
  const char *text = (const char *)file->bytes;
  while ((text = strstr(text, "\n/*")) != NULL) {
    const char *comment = ++text, *end = strstr(comment, "*/");
    if (!end)
      return;
    end += 2;
    text = end;
    if (end[0] != '\n' || end[1] == '\n' || strncmp(end + 1, "#if", 3) == 0)
      continue; /* no declaration follows the comment directly */
    const char *code = end + 1;
    text = end_of(code);
    if (strncmp(code, "typedef", 7) == 0 || strncmp(code, "GRADYN_API", 10) == 0 ||
        strncmp(code, "static inline", 13) == 0 || strncmp(code, "#define GRADYN_", 15) == 0)
      find_name(add(all, file->name, bare(comment, (size_t)(end - comment)),
                    cli_text("%.*s", (int)(text - code), code)));
  }
}

/* Adds the commands and the options of all commands. */
static void add_commands(cli_entries *all)
{
  const cli_command *command = NULL;
  cli_option o;
  for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++)
    (void)snprintf(add(all, "", cli_text("%s.\n\n%s", command->summary, command->details),
                       cli_text("%s", command->example))
                       ->name,
                   sizeof all->entry->name, "gradyn %s", command->name);
  for (size_t i = 0; cli_options_at(i, &o); i++) {
    cli_entry *entry = add(
        all, "", cli_text("%s", o.help),
        cli_text("--%s%s%s", o.name, o.argument ? " " : "", o.argument ? o.argument : ""));
    (void)snprintf(entry->name, sizeof entry->name, "--%s", o.name);
    entry->option = o;
  }
}

cli_entries cli_entries_read(void)
{
  cli_entries all = {NULL, 0};
  for (size_t i = 0; i < cli_file_count; i++)
    if (cli_files[i].kind == CLI_FILE_HEADER)
      add_header(&all, &cli_files[i]);
  add_commands(&all);
  return all;
}

void cli_entries_clear(cli_entries *entries)
{
  for (size_t i = 0; i < entries->count; i++) {
    free(entries->entry[i].about);
    free(entries->entry[i].code);
  }
  free(entries->entry);
  *entries = (cli_entries){NULL, 0};
}

bool cli_entry_is_spec(const cli_entry *entry)
{
  const size_t length = strlen(entry->name);
  return length > 5 && strcmp(entry->name + length - 5, "_spec") == 0;
}

const cli_entry *cli_entry_spec(const cli_entries *entries, const cli_entry *entry)
{
  for (size_t i = 0; i < entries->count && *entry->source; i++) {
    const cli_entry *spec = &entries->entry[i];
    if (spec != entry && cli_entry_is_spec(spec) &&
        cli_entry_mentions(entry->code, spec->name, strlen(spec->name)))
      return spec;
  }
  return NULL;
}

void cli_entry_summary(const cli_entry *entry, char *text, size_t size)
{
  size_t n = 0;
  for (const char *c = entry->about; *c && n + 1 < size; c++) {
    if ((*c == '.' && isspace((unsigned char)c[1])) || (c[0] == '\n' && c[1] == '\n'))
      break;
    text[n++] = *c == '\n' ? ' ' : *c;
  }
  text[n] = '\0';
}
