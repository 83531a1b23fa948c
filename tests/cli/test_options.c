/* Options of the command: accepted ones, and messages about refused ones. */
#include "tests/support.h"

#include "cli/options/options.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const cli_command run = {.name = "run", .bit = CLI_RUN, .operand = "PROBLEM"};
static const cli_command list = {.name = "list", .bit = CLI_LIST};

/* Parses words behind "gradyn COMMAND". */
#define PARSE(options, command, ...)                                                               \
  parse(options, command, (char *[]){"gradyn", "command", __VA_ARGS__, NULL})

static char message[512];

static int parse(cli_options *options, const cli_command *command, char *argv[])
{
  int argc = 0;
  while (argv[argc])
    argc++;
  message[0] = '\0';
  return cli_options_parse(options, command, argc, argv, message, sizeof message);
}

TEST(test_values_arrive)
{
  LOCAL(cli_options) o;
  assert_int_equal(PARSE(&o, &run, "--method", "ali3p", "five-bar", "--step=1e-3", "-qv", "-v",
                         "--max-evaluations", "20", "--json", "--rtol", "1e-9"),
                   CLI_DONE);
  assert_string_equal(o.problem, "five-bar");
  assert_string_equal(o.evaluation.method, "ali3p");
  assert_close(o.evaluation.step, 1e-3, 0, 0);
  assert_close(o.evaluation.rtol, 1e-9, 0, 0);
  assert_int_equal(o.search.max_evaluations, 20);
  assert_int_equal(o.print.verbose, 2);
  assert_true(o.print.json && o.print.quiet);
  assert_null(o.evaluation.sensitivity);
  assert_false(o.evaluation.staggered);
  assert_true(isnan(o.search.ftol) && isnan(o.search.xtol));
}

/* Given options replace the values of the struct; all other members stay. */
TEST(test_given_ones_are_passed_on)
{
  LOCAL(cli_options) o;
  gradyn_options evaluation = {.method = "idas", .atol = 7, .quadrature = 0.5, .order = 8};
  gradyn_search search = {.ftol = 3, .xtol = 4, .max_evaluations = 5};
  assert_int_equal(PARSE(&o, &run, "x", "--rtol", "1e-9", "--quadrature=0", "--order=5", "--ftol=0",
                         "--max-steps=12", "--max-evaluations=6", "--staggered"),
                   CLI_DONE);
  cli_options_evaluation(&o, &evaluation);
  cli_options_search(&o, &search);
  assert_string_equal(evaluation.method, "idas");
  assert_true(evaluation.rtol == 1e-9 && evaluation.atol == 7 && evaluation.quadrature == 0);
  assert_true(evaluation.order == 5 && evaluation.max_steps == 12 && evaluation.staggered);
  assert_true(search.ftol == 0 && search.xtol == 4 && search.max_evaluations == 6);
}

TEST(test_zero_switches_limits_off)
{
  cli_options o;
  assert_int_equal(PARSE(&o, &run, "x", "--ftol", "0", "--xtol=0"), CLI_DONE);
  assert_close(o.search.ftol, 0, 0, 0);
  assert_close(o.search.xtol, 0, 0, 0);
  assert_int_equal(PARSE(&o, &run, "x", "--ftol", "-1e-9"), CLI_USAGE);
  assert_says(message, "'-1e-9' must not be negative");
}

TEST(test_choices_keep_their_order)
{
  cli_options o;
  assert_int_equal(PARSE(&o, &run, "--fix", "u", "--free=u[3]", "x", "--set", "a=1", "--set=b=2"),
                   CLI_DONE);
  assert_int_equal(o.choice_count, 4);
  assert_int_equal(o.choice[0].kind, 'x');
  assert_string_equal(o.choice[0].text, "u");
  assert_int_equal(o.choice[1].kind, 'f');
  assert_string_equal(o.choice[1].text, "u[3]");
  assert_int_equal(o.choice[2].kind, 's');
  assert_string_equal(o.choice[3].text, "b=2");
  cli_options_clear(&o);
  assert_null(o.choice);
  assert_int_equal(o.choice_count, 0);
}

static void assert_option_refused(int status, const char *part)
{
  assert_int_equal(status, CLI_USAGE);
  if (!strstr(message, part))
    fail_msg("'%s' is missing in '%s'", part, message);
}

TEST(test_wrong_usage_is_explained)
{
  cli_options o;
  assert_option_refused(PARSE(&o, &run, "x", "--sampels", "3"), "'--samples'");
  assert_option_refused(PARSE(&o, &run, "x", "--step"), "'--step' needs a value");
  assert_option_refused(PARSE(&o, &run, "x", "--json=1"), "'--json' takes no value");
  assert_option_refused(PARSE(&o, &run, "x", "-qz"), "'-z'");
  assert_option_refused(PARSE(&o, &run, "x", "-f"),
                        "'-f'"); /* letters of choices are not short options */
  assert_option_refused(PARSE(&o, &run, "x", "y"), "'y'");
  assert_option_refused(PARSE(&o, &run, "-q"), "which problem?");
  assert_option_refused(PARSE(&o, &run, "x", "--out", ""), "empty");
  assert_option_refused(PARSE(&o, &list, "--out", "folder"), "'gradyn list'");
}

TEST(test_numbers_outside_their_range_are_refused)
{
  static const char *const bad[] = {"0", "-1", "nan", "inf", "1e999", "", "1 ", "1,5", "0x"};
  cli_options o;
  for (int i = 0; i < COUNT(bad); i++)
    assert_option_refused(PARSE(&o, &run, "x", "--step", (char *)(size_t)bad[i]), "--step");
  assert_option_refused(PARSE(&o, &run, "x", "--samples", "2.5"), "whole number");
  assert_option_refused(PARSE(&o, &run, "x", "--samples", "0"), "whole number");
  assert_option_refused(PARSE(&o, &run, "x", "--samples", "2e9"), "whole number");
}

TEST(test_help_needs_no_problem)
{
  cli_options o;
  assert_int_equal(PARSE(&o, &run, "-h"), CLI_DONE);
  assert_true(o.print.help);
  assert_int_equal(PARSE(&o, &list, "--version"), CLI_DONE);
  assert_true(o.print.version);
}

TEST(test_a_number_is_the_whole_text)
{
  double value = 0;
  assert_true(cli_parse_number("-2.5e-3", &value));
  assert_close(value, -2.5e-3, 0, 0);
  assert_false(cli_parse_number("2.5m", &value));
  assert_false(cli_parse_number("", &value));
  assert_false(cli_parse_number("NaN", &value));
}
