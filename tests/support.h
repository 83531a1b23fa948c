/* Shared support of all tests: CMocka, headers of the C library that most tests need, and comparison of
 * numbers. The environment variable GRADYN_TEST_TOLERANCE scales all tolerances; 0 shows the true
 * errors. */
#ifndef GRADYN_TESTS_SUPPORT_H
#define GRADYN_TESTS_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/owned.h" /* a test that fails releases nothing */
#include <gradyn/problem.h>

/* Defines a case of a test file:
 *   TEST(energy_is_kept)
 *   {
 *     assert_close(...);
 *   }
 * It is a function that registers itself. The program of its folder runs the cases of a file in their
 * order. */
#define TEST(name) SUPPORT_DECLARE(name, SUPPORT_CASE)

/* Defines a case that runs only if tests are thorough, see support_thorough(), or if it is named. For cases
 * of half a second or more where each line that they reach is reached by two other cases as well; one other
 * case is enough for 1.5 s and more. */
#define THOROUGH_TEST(name) SUPPORT_DECLARE(name, SUPPORT_THOROUGH_CASE)

/* Define functions that run before the first and after the last case of the file. */
#define BEFORE_TESTS(name) SUPPORT_DECLARE(name, SUPPORT_BEFORE)
#define AFTER_TESTS(name) SUPPORT_DECLARE(name, SUPPORT_AFTER)

/* Whether processes can be forked. The thread sanitizer has a thread, and gradyn refuses to fork beside
 * other threads. */
#ifdef __SANITIZE_THREAD__
enum { SUPPORT_FORKS = 0 };
#else
enum { SUPPORT_FORKS = 1 };
#endif

/* Defines a function of a model with one number, a formula of its argument `at`:
 *   FORMULA(excess, at->y[0] - at->data[0]) */
#define FORMULA(name, ...)                                                                         \
  static gradyn_status name(const gradyn_at *at, gradyn_scalar *value)                             \
  {                                                                                                \
    *value = __VA_ARGS__;                                                                          \
    return GRADYN_OK;                                                                              \
  }

/* Defines a function of a model with several numbers, one formula each:
 *   FORMULAS(swing, at->yp[0] - at->y[1], at->yp[1] + at->y[0]) */
#define FORMULAS(name, ...)                                                                        \
  static gradyn_status name(const gradyn_at *at, gradyn_scalar value[])                            \
  {                                                                                                \
    const gradyn_scalar all[] = {__VA_ARGS__};                                                     \
    memcpy(value, all, sizeof all);                                                                \
    return GRADYN_OK;                                                                              \
  }

/* Initialiser of a gradyn_problem with an array of parameters, followed by one or more of its other
 * members. */
#define PROBLEM(title, function, array, ...)                                                       \
  {                                                                                                \
    GRADYN_PROBLEM_SIZES, .name = (title), .build = (function), .params = (array),                 \
                          .param_count = GRADYN_COUNT(array), __VA_ARGS__                          \
  }

/* Passes if |actual - expected| <= atol + rtol |expected|; NAN never passes, equal infinities do. */
#define assert_close(actual, expected, rtol, atol)                                                 \
  support_assert_close((actual), (expected), (rtol), (atol), #actual, __FILE__, __LINE__)

/* The same for each of `count` numbers; a failure reports the worst one. */
#define assert_close_array(actual, expected, count, rtol, atol)                                    \
  support_assert_close_array((actual), (expected), (size_t)(count), (rtol), (atol), #actual,       \
                             __FILE__, __LINE__)

/* The same for every row [columns]; the tolerance of each number is rtol times the largest expected
 * number of its row. */
#define assert_close_rows(actual, expected, rows, columns, rtol)                                   \
  support_assert_close_rows((actual), (expected), (size_t)(rows), (size_t)(columns), (rtol),       \
                            #actual, __FILE__, __LINE__)

/* Passes if a number is neither infinite nor NAN. */
#define assert_finite(actual) support_assert_finite((actual), #actual, __FILE__, __LINE__)

/* Passes if a text contains `part`. */
#define assert_says(text, part) support_assert_says((text), (part), #text, __FILE__, __LINE__)

/* Passes if a status is the expected one. A failure prints both names and the message, which may be
 * NULL. */
#define assert_status(actual, expected, message)                                                   \
  do {                                                                                             \
    const int support_status = (int)(actual); /* first, because the call may create the message */ \
    support_assert_status(support_status, (int)(expected), (message), #actual, __FILE__,           \
                          __LINE__);                                                               \
  } while (0)
#define assert_ok(actual, message) assert_status((actual), 0, (message))

/* The largest modulus of `count` numbers. */
#define largest_of(x, count) support_largest((x), (size_t)(count))
double support_largest(const double *x, size_t count);

/* Returns the error of a number in units of its tolerance: at most 1 if it is close enough, HUGE_VAL for
 * NAN. */
double support_error(double actual, double expected, double rtol, double atol);

/* Whether tests use all of their rows, as scripts/test.sh --all requests. Otherwise they use rows that
 * find almost as many faults in part of the time. */
bool support_thorough(void);
/* Returns a tolerance for runs, or for their agreement, in tests that compare two parts of the library.
 * If tests are not thorough, it is a thousand times as large, up to 1e-4. Faults cause larger
 * differences, and the runs take half the time. */
double support_rtol(double rtol);
/* Whether row number `row` takes part. If tests are not thorough, one of `of` rows does. The sum of two
 * indices of a table selects a diagonal, so that each scheme and each model keeps a row. */
bool support_takes(int row, int of);

/* Returns memory filled with zeros; free(). The test fails if memory is out. */
void *support_zeros(size_t count, size_t size);

/* A reference solution in complex arithmetic: results [count] at the parameters p. */
typedef void (*support_formula)(const double _Complex p[], double _Complex result[]);

/* Computes the values [results] at real parameters rho, and the derivatives slope [results][parameters]
 * by the complex step; at most 32 of both. */
void support_complex_step(support_formula formula, const double rho[], int parameters, int results,
                          double value[], double slope[]);

/* Types and functions of the macros above. */
typedef enum support_kind {
  SUPPORT_CASE,
  SUPPORT_THOROUGH_CASE,
  SUPPORT_BEFORE,
  SUPPORT_AFTER
} support_kind;

/* A case of a test file, an entry of the list of all cases. */
typedef struct support_case {
  support_kind kind;
  const char *file, *name;
  void (*run)(void);
  struct support_case *next;
} support_case;

void support_declare(support_case *added);

#define SUPPORT_DECLARE(name, kind)                                                                \
  static void name(void);                                                                          \
  __attribute__((constructor)) static void support_declare_##name(void)                            \
  {                                                                                                \
    static support_case added = {kind, __FILE__, #name, name, NULL};                               \
    support_declare(&added);                                                                       \
  }                                                                                                \
  static void name(void)

void support_assert_close(double actual, double expected, double rtol, double atol,
                          const char *name, const char *file, int line);
void support_assert_close_array(const double *actual, const double *expected, size_t count,
                                double rtol, double atol, const char *name, const char *file,
                                int line);
void support_assert_close_rows(const double *actual, const double *expected, size_t rows,
                               size_t columns, double rtol, const char *name, const char *file,
                               int line);
void support_assert_finite(double actual, const char *name, const char *file, int line);
void support_assert_says(const char *text, const char *part, const char *name, const char *file,
                         int line);
void support_assert_status(int actual, int expected, const char *message, const char *name,
                           const char *file, int line);

#endif
