/* Parses the command line. getopt_long() scans it with tables that are derived from the table of options.
 * One function checks the values by the kinds of their options. */
#include "cli/options/options.h"

#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/memory.h"
#include "cli/options/entry.h"
#include "core/base/nearest.h"

/* Options of version 0.2 whose names have changed. The old names remain in this version, but no text lists
 * them. */
static const struct {
  const char *old, *now;
} renamed[] = {
    /* --- Written by scripts/compat.py from scripts/names.tsv --- */
    {"max-iterations", "max-evaluations"},
    {"independent", "preferred-coordinates"},
    {"between", "second-at-most"},
    {"refine", "refine-discretisation"},
    /* --- End of the written part --- */
};

#define RENAMED (sizeof renamed / sizeof renamed[0])
#define FIRST 256 /* getopt returns FIRST + i for option i of the table; larger than any letter */
#define OLD (FIRST + CLI_OPTIONS_MOST) /* getopt returns OLD + i for renamed[i] */
_Static_assert(RENAMED <= 32, "cli_options.renamed has no bit for each old name");

bool cli_parse_number(const char *text, double *value)
{
  char *end = NULL;
  *value = strtod(text, &end);
  /* the whole text must be a number, so that "1e-3x" is refused */
  return end != text && *end == '\0' && isfinite(*value);
}

static int refuse(char *message, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes the message of a usage error. Returns CLI_USAGE. */
static int refuse(char *message, size_t size, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  (void)vsnprintf(message, size, format, args);
  va_end(args);
  return CLI_USAGE;
}

/* Stores a value in the field of its option, after a check that it is within the range of its kind. */
static int store_number(void *field, const option_entry *option, const char *text, char *message,
                        size_t size)
{
  double value = 0;
  bool whole = option->kind == WHOLE || option->kind == FEW;
  bool any = option->kind == NUMBER || option->kind == LIMIT;
  if (!cli_parse_number(text, &value))
    return refuse(message, size, "--%s: '%s' is not a finite number", option->name, text);
  /* ranges by kind; NUMBER accepts all finite values */
  if (whole ? value < 1 || value > 1e9 || value != floor(value) : !any && value <= 0)
    return refuse(message, size, "--%s: '%s' must be %s", option->name, text,
                  whole ? "a whole number from 1 to 1000000000" : "greater than 0");
  if (option->kind == LIMIT && value < 0)
    return refuse(message, size, "--%s: '%s' must not be negative", option->name, text);
  if (option->kind == WHOLE)
    *(long *)field = (long)value;
  else if (option->kind == FEW)
    *(int *)field = (int)value;
  else
    *(double *)field = value;
  return CLI_DONE;
}

/* Appends a choice. The order matters: of several choices for a name, the last one counts. */
static void add_choice(cli_options *options, int kind, const char *text)
{
  options->choice = cli_grow(options->choice, options->choice_count + 1, sizeof *options->choice);
  options->choice[options->choice_count++] = (cli_choice){(char)kind, text};
}

/* Returns the address of the field for the value of an option. */
static void *field_of(cli_options *options, const option_entry *option)
{
  char *owner[] = {[OWN] = (char *)options,
                   [EVALUATES] = (char *)&options->evaluation,
                   [SEARCHES] = (char *)&options->search};
  return owner[option->owner] + option->offset;
}

/* Stores the value of one option. */
static int store(cli_options *options, const option_entry *option, const char *text, char *message,
                 size_t size)
{
  /* the table has the field of each option */
  void *field = field_of(options, option);
  /* marks that the option was given, so that its value is no default */
  options->given[option - cli_option_entries] = 1;
  switch (option->kind) {
  case FLAG:
    *(bool *)field = true;
    break;
  case TIMES:
    ++*(int *)field;
    break;
  case TEXT:
    if (!*text)
      return refuse(message, size, "--%s: the value is empty", option->name);
    /* texts are part of the command line and are not freed */
    *(const char **)field = text;
    break;
  case CHOICE:
    add_choice(options, option->letter, text);
    break;
  case NUMBER:
  case POSITIVE:
  case LIMIT:
  case WHOLE:
  case FEW:
    return store_number(field, option, text, message, size);
  default:
    break;
  }
  return CLI_DONE;
}

/* Reports an unknown option, with the most similar one. */
static int unknown(const char *text, char *message, size_t size)
{
  char name[64];
  /* the name ends before "=", as in "--nme=3" */
  (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
  gradyn_nearest nearest = {.requested = name + strspn(name, "-")};
  for (size_t i = 0; i < cli_option_count && *nearest.requested; i++)
    gradyn_nearest_try(&nearest, cli_option_entries[i].name);
  return refuse(message, size, "unknown option '%s'%s%s%s", name,
                nearest.best ? " (did you mean '--" : "", nearest.best ? nearest.best : "",
                nearest.best ? "'?)" : "");
}

/* Reports why getopt_long refused an argument; optopt has the details. */
static int complain(int code, const char *given, char *message, size_t size)
{
  /* optopt is a code of the table, a letter, or 0 */
  if (optopt >= FIRST)
    return refuse(message, size, "option '--%s' %s",
                  optopt >= OLD ? renamed[optopt - OLD].old
                                : cli_option_entries[optopt - FIRST].name,
                  code == ':' ? "needs a value" : "takes no value");
  if (optopt)
    return refuse(message, size, "unknown option '-%c'", optopt);
  return unknown(given, message, size);
}

/* Returns the index of an option with this name. */
static size_t find(const char *name)
{
  size_t i = 0;
  while (strcmp(cli_option_entries[i].name, name) != 0)
    i++;
  return i;
}

/* Derives the tables for getopt_long() from the table of options. letters has only the letters that are
 * short options. */
static void prepare(struct option names[CLI_OPTIONS_MOST + RENAMED + 1],
                    char letters[2 * CLI_OPTIONS_MOST + 2])
{
  size_t used = 0;
  /* a leading ':' makes getopt() distinguish a missing value from an unknown option */
  letters[used++] = ':';
  for (size_t i = 0; i < cli_option_count; i++) {
    names[i] = (struct option){cli_option_entries[i].name,
                               cli_option_entries[i].argument ? required_argument : no_argument,
                               NULL, FIRST + (int)i};
    if (!cli_option_entries[i].letter || cli_option_entries[i].kind == CHOICE)
      continue;
    letters[used++] = (char)cli_option_entries[i].letter;
    if (cli_option_entries[i].argument)
      letters[used++] = ':'; /* ':' after a letter: the option has a value */
  }
  for (size_t i = 0; i < RENAMED; i++) {
    const bool value = cli_option_entries[find(renamed[i].now)].argument != NULL;
    names[cli_option_count + i] = (struct option){
        renamed[i].old, value ? required_argument : no_argument, NULL, OLD + (int)i};
  }
  names[cli_option_count + RENAMED] = (struct option){NULL, 0, NULL, 0};
  letters[used] = '\0';
}

/* Returns the entry for a code of getopt: FIRST + index, OLD + index, or a letter. */
static const option_entry *entry_of(int code)
{
  if (code >= OLD)
    return &cli_option_entries[find(renamed[code - OLD].now)];
  for (size_t i = 0; i < cli_option_count; i++)
    /* the letter of a CHOICE is its kind, not a short option */
    if (code == FIRST + (int)i ||
        (cli_option_entries[i].kind != CHOICE && code == cli_option_entries[i].letter))
      return &cli_option_entries[i];
  return NULL;
}

/* Takes the arguments that are no options: a problem, or studies. */
static int take_operands(cli_options *options, int argc, char *argv[], char *message, size_t size)
{
  const cli_command *command = options->command;
  if (options->print.help || options->print.version)
    return CLI_DONE;
  /* these commands accept several operands */
  if (command->bit & (CLI_REPORT | CLI_HELP | CLI_MIGRATE)) {
    options->study = argv + optind;
    options->study_count = (size_t)(argc - optind);
    if (options->print.search && optind == argc)
      return refuse(message, size, "which words? usage: gradyn help --search WORDS");
    return optind < argc || command->bit == CLI_HELP
               ? CLI_DONE
               : refuse(message, size, "which %s? usage: gradyn %s %s [OPTIONS]",
                        command->bit == CLI_REPORT ? "study" : "file", command->name,
                        command->operand);
  }
  /* all others accept one operand, which some commands do not need */
  if (optind < argc && command->operand)
    options->problem = argv[optind++];
  if (options->file && command->bit & CLI_MODEL) {
    if (options->problem)
      return refuse(message, size, "--problem '%s': '%s' is the problem already; name one of them",
                    options->file, options->problem);
    options->problem = options->file;
  }
  if (command->bit & CLI_PROFILE && options->problem) {
    options->study = argv + optind;
    options->study_count = (size_t)(argc - optind);
    optind = argc;
  }
  if (optind < argc)
    return refuse(message, size,
                  "the argument '%s' is not expected; usage: gradyn %s%s%s [OPTIONS]", argv[optind],
                  command->name, command->operand ? " " : "",
                  command->operand ? command->operand : "");
  if (command->operand && command->operand[0] == '[')
    return CLI_DONE; /* optional */
  /* messages name operands as the help does */
  if (command->operand && !options->problem && strcmp(command->operand, "STUDY") == 0)
    return refuse(message, size, "which study? usage: gradyn %s STUDY [OPTIONS]", command->name);
  /* with --from, the study names the problem */
  if (command->operand && !options->problem && !options->from)
    return refuse(message, size,
                  "which problem? usage: gradyn %s PROBLEM [OPTIONS]; "
                  "'gradyn list' shows the problems",
                  command->name);
  return CLI_DONE;
}

/* Checks options that need another option. */
static int agree(const cli_options *options, char *message, size_t size)
{
  if (options->folder.open && !options->out && (options->command->bit & CLI_OUT_REPORT))
    return refuse(message, size, "--open shows the report, which is in the folder of --out DIR");
  return CLI_DONE;
}

int cli_options_parse(cli_options *options, const cli_command *command, int argc, char *argv[],
                      char *message, size_t size)
{
  struct option names[CLI_OPTIONS_MOST + RENAMED + 1];
  char letters[2 * CLI_OPTIONS_MOST + 2];
  prepare(names, letters);
  /* NAN: the option was not given; zero is a valid choice */
  *options = (cli_options){.command = command,
                           .many.seed = NAN,
                           .search = {.ftol = NAN, .xtol = NAN},
                           .argc = argc,
                           .argv = argv};

  opterr = 0; /* this file prints the messages of getopt() */
  /* parsing begins after the name of the command; 0 resets getopt() after an earlier command line */
  optind = 0;
  int code;
  while ((code = getopt_long(argc - 1, argv + 1, letters, names, NULL)) != -1) {
    const option_entry *option = entry_of(code);
    if (!option)
      return complain(code, argv[optind], message, size);
    options->print.renamed |= code >= OLD ? 1U << (code - OLD) : 0;
    /* another command may have another option of the same name */
    for (size_t i = 0; i < cli_option_count && !(option->commands & command->bit); i++)
      if (strcmp(cli_option_entries[i].name, option->name) == 0 &&
          cli_option_entries[i].commands & command->bit)
        option = &cli_option_entries[i];
    if (!(option->commands & command->bit))
      return refuse(message, size, "'gradyn %s' does not have the option '--%s'", command->name,
                    option->name);
    int status = store(options, option, optarg, message, size);
    if (status != CLI_DONE)
      return status;
  }
  optind++; /* getopt() has counted from the name of the command */
  const int result = take_operands(options, argc, argv, message, size);
  return result == CLI_DONE ? agree(options, message, size) : result;
}

/* Copies the given options of one owner to the struct of that owner. */
static void hand_over(const cli_options *options, option_owner owner, const void *from, void *to)
{
  static const size_t size[] = {[FLAG] = sizeof(bool),
                                [TIMES] = sizeof(int),
                                [TEXT] = sizeof(const char *),
                                /* CHOICE 0: a list has no field */
                                [NUMBER] = sizeof(double),
                                [POSITIVE] = sizeof(double),
                                [LIMIT] = sizeof(double),
                                [WHOLE] = sizeof(long),
                                [FEW] = sizeof(int),
                                [CHOICE] = 0};
  /* fields whose options were not given keep the values of a study or a problem */
  for (size_t i = 0; i < cli_option_count; i++)
    if (options->given[i] && cli_option_entries[i].owner == owner)
      memcpy((char *)to + cli_option_entries[i].offset,
             (const char *)from + cli_option_entries[i].offset, size[cli_option_entries[i].kind]);
}

void cli_options_evaluation(const cli_options *options, gradyn_options *evaluation)
{
  hand_over(options, EVALUATES, &options->evaluation, evaluation);
}

void cli_options_search(const cli_options *options, gradyn_search *search)
{
  hand_over(options, SEARCHES, &options->search, search);
}

void cli_options_note_renamed(const cli_options *options)
{
  for (size_t i = 0; i < RENAMED; i++)
    if (options->print.renamed & 1U << i)
      (void)fprintf(stderr,
                    "gradyn: option --%s is called --%s now; the next version removes --%s\n",
                    renamed[i].old, renamed[i].now, renamed[i].old);
}

void cli_options_clear(cli_options *options)
{
  free(options->choice);
  options->choice = NULL;
  options->choice_count = 0;
}
