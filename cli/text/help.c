/* gradyn help: commands, and entries of the reference, found by name or by words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/memory.h"
#include "cli/base/report.h"
#include "cli/options/session.h"
#include "cli/text/find.h"
#include "cli/text/json.h"
#include "core/base/nearest.h"

void cli_help_usage(FILE *file)
{ /* lines are at most 80 columns long */
  const cli_command *command = NULL;
  (void)fputs("gradyn: gradient-based optimal design of constrained dynamic systems\n\n"
              "usage: gradyn COMMAND [PROBLEM] [OPTIONS]\n\n",
              file);
  for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++)
    (void)fprintf(file, "  %-11s %-8s %s\n", command->name,
                  command->operand ? command->operand : "", command->summary);
  (void)fputs("\n'gradyn COMMAND --help' shows the options. Exit status: 0 done, 1 the "
              "computation\nfailed, 2 wrong usage, 130 interrupted.\n",
              file);
}

/* Prints the options of a command, in the order of the table. */
static void print_options(const cli_command *command)
{
  /* width of the column; an option that is longer has a line of its own */
  const int column = 26;
  cli_option o;
  for (size_t i = 0; cli_options_at(i, &o); i++) {
    char shown[64], letter[8] = "    ";
    if (!(o.commands & command->bit))
      continue;
    if (o.letter)
      (void)snprintf(letter, sizeof letter, "-%c, ", o.letter);
    (void)snprintf(shown, sizeof shown, "%s--%s%s%s", letter, o.name, o.argument ? " " : "",
                   o.argument ? o.argument : "");
    if (strlen(shown) > (size_t)column)
      (void)printf("  %s\n  %*s %s\n", shown, column, "", o.help);
    else
      (void)printf("  %-*s %s\n", column, shown, o.help);
  }
}

void cli_help_command(const cli_command *command)
{
  (void)printf("usage: gradyn %s%s%s [OPTIONS]\n\n%s\n\n%s\noptions:\n", command->name,
               command->operand ? " " : "", command->operand ? command->operand : "",
               command->summary, command->details);
  print_options(command);
  (void)printf("\nexample:\n  %s\n", command->example);
}

/* Adds the group, letter, commands and details of an option, which scripts/man.sh needs. */
static void put_option(json_t *object, const cli_option *option)
{
  const char letter[] = {(char)option->letter, '\0'};
  json_t *commands = json_array();
  const cli_command *command = NULL;
  for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++)
    if (option->commands & command->bit)
      cli_json_append(commands, cli_json_text(command->name));
  cli_json_put(object, "group", option->group ? cli_json_text(option->group) : json_null());
  cli_json_put(object, "letter", cli_json_text(letter));
  cli_json_put(object, "commands", commands);
  cli_json_put(object, "details", cli_json_text(option->details));
}

/* Returns one entry as an object. */
static json_t *as_json(const cli_entries *all, const cli_entry *entry)
{
  json_t *object = json_object();
  const cli_entry *spec = cli_entry_spec(all, entry);
  cli_json_put(object, "name", cli_json_text(entry->name));
  cli_json_put(object, "header", cli_json_text(entry->source));
  cli_json_put(object, "about", cli_json_text(entry->about));
  cli_json_put(object, "declaration", cli_json_text(entry->code));
  cli_json_put(object, "arguments", spec ? cli_json_text(spec->name) : json_null());
  if (entry->option.name)
    put_option(object, &entry->option);
  return object;
}

static void print_json(const cli_entries *all, const cli_entry *const *shown, size_t count)
{
  json_t *root = cli_json_begin("help", NULL, GRADYN_OK), *array = json_array();
  for (size_t i = 0; i < count; i++)
    cli_json_append(array, as_json(all, shown[i]));
  cli_json_put(root, "entries", array);
  cli_json_print(root);
}

static void print_entry(const cli_entries *all, const cli_entry *entry)
{
  const cli_entry *spec = cli_entry_spec(all, entry);
  (void)printf("%s%s%s%s\n\n%s\n\n%s\n", entry->name, *entry->source ? " (gradyn/" : "",
               entry->source, *entry->source ? ")" : "", entry->about, entry->code);
  if (spec)
    (void)printf("\n%s\n\n%s\n", spec->about, spec->code);
  if (entry->option.name && *entry->option.details)
    (void)printf("\n%s\n", entry->option.details);
  if (*entry->source) /* the conventions at the top of gradyn.h have no source */
    (void)fputs(
        "\nUnless stated: NULL is refused, what is given is copied, units are SI, and results\n"
        "are undefined after an error (<gradyn/gradyn.h> has all conventions).\n",
        stdout);
}

/* Returns the entry with a name; prefix or dashes may be left out. If there is none, returns the first
 * entry that declares the name. */
static const cli_entry *entry_of(const cli_entries *all, const char *name)
{
  for (size_t i = 0; i < all->count; i++) {
    const char *own = all->entry[i].name;
    if (strcmp(own, name) == 0 || (strncmp(own, "gradyn", 6) == 0 && strcmp(own + 7, name) == 0) ||
        (strncmp(own, "--", 2) == 0 && strcmp(own + 2, name) == 0))
      return &all->entry[i];
  }
  for (size_t i = 0; i < all->count; i++)
    if (*all->entry[i].source && cli_entry_mentions(all->entry[i].code, name, strlen(name)))
      return &all->entry[i];
  return NULL;
}

/* Reports a name that has no entry, with the most similar name. */
static int refuse(const cli_entries *all, const cli_options *options, const char *name)
{
  char message[256];
  gradyn_nearest nearest = {.requested = name};
  for (size_t i = 0; i < all->count; i++) {
    const char *own = all->entry[i].name;
    gradyn_nearest_try(&nearest, own + (strncmp(own, "gradyn", 6) == 0 ? 7 : 0));
  }
  (void)snprintf(
      message, sizeof message,
      "the reference has no entry '%.60s'%s%s%s; 'gradyn help --search WORDS' searches it", name,
      nearest.best ? " (did you mean '" : "", nearest.best ? nearest.best : "",
      nearest.best ? "'?)" : "");
  return cli_report(options->print.json, "help", NULL, GRADYN_NOT_FOUND, message);
}

/* Prints a line for each of the entries that fit the words best. */
static int search(const cli_entries *all, const cli_options *options)
{
  enum { MOST_FOUND = 10 };
  const cli_entry *best[MOST_FOUND];
  char *words = cli_text("%s", options->study[0]);
  for (size_t i = 1; i < options->study_count; i++) {
    char *longer = cli_text("%s %s", words, options->study[i]);
    free(words);
    words = longer;
  }
  const size_t found = cli_find(all, words, best, MOST_FOUND);
  free(words);
  if (options->print.json)
    print_json(all, best, found);
  for (size_t i = 0; i < found && !options->print.json; i++) {
    char summary[80];
    cli_entry_summary(best[i], summary, sizeof summary);
    (void)printf("%-32s %s\n", best[i]->name, summary);
  }
  if (found == 0 && !options->print.json)
    (void)fputs("No entry has these words.\n", stdout);
  return CLI_DONE;
}

/* Prints the usage, or with --json all entries. */
static int show_all(const cli_entries *all, const cli_options *options)
{
  const cli_entry **each = cli_take(all->count, sizeof(void *));
  for (size_t i = 0; i < all->count; i++)
    each[i] = &all->entry[i];
  if (options->print.json)
    print_json(all, each, all->count);
  else
    cli_help_usage(stdout);
  free(each);
  return CLI_DONE;
}

/* Shows each named command or entry; with --json all entries in one object. */
static int show(const cli_entries *all, const cli_options *options)
{
  const bool json = options->print.json;
  const cli_entry **found = cli_take(options->study_count, sizeof(void *));
  int result = CLI_DONE;
  for (size_t i = 0; i < options->study_count && result == CLI_DONE; i++) {
    const char *name = options->study[i];
    const cli_command *command = json ? NULL : cli_command_find(name);
    found[i] = entry_of(all, name);
    if (command)
      cli_help_command(command);
    else if (!found[i])
      result = refuse(all, options, name);
    else if (!json)
      print_entry(all, found[i]);
  }
  if (json && result == CLI_DONE)
    print_json(all, found, options->study_count);
  free(found);
  return result;
}

int cli_help(const cli_options *options)
{
  cli_entries all = cli_entries_read();
  const int result = options->study_count == 0 ? show_all(&all, options)
                     : options->print.search   ? search(&all, options)
                                               : show(&all, options);
  cli_entries_clear(&all);
  return result;
}
