/* A problem: parameters, settings, a build function and defaults of a run; and the registry of problems.
 *
 * Strings and arrays of a problem are not copied, and must live as long as the problem is used; static
 * data do. */
#ifndef GRADYN_PROBLEM_H
#define GRADYN_PROBLEM_H

#include <gradyn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Meaning of a parameter. The meaning affects reports only, not the mathematics. */
typedef enum gradyn_parameter_role {
  GRADYN_DESIGN,        /* property of the system, such as a length or a stiffness */
  GRADYN_CONTROL,       /* value of a control, such as a knot of a signal */
  GRADYN_INITIAL_STATE, /* initial value of a state */
  GRADYN_TIME           /* time, such as an end time or a duration */
} gradyn_parameter_role;

/* A parameter with its lower and upper bound, or an array of parameters (name[0], name[1], ...). If a member
 * is wrong, gradyn_evaluator_create() returns GRADYN_INVALID. */
typedef struct gradyn_param {
  const char *name; /* unique among the parameters; must be given */
  const char *unit; /* unit of all values below; NULL or "": dimensionless */
  double init;      /* initial value, in that unit, finite, within the bounds */
  /* bounds, in that unit, lower <= upper; -INFINITY, INFINITY: none, see GRADYN_UNBOUNDED. Both 0: none,
   * which is deprecated unless `fixed` is true; see gradyn_parameter_info.bounds_missing */
  double lower, upper;
  /* typical change, > 0, in that unit; 0: |init|, else upper - lower if finite, else 1 */
  double scale;
  gradyn_parameter_role role; /* meaning of the parameter, for reports; 0: GRADYN_DESIGN */
  bool fixed;                 /* true: a search leaves it at init unless the caller selects it */
  int count;                  /* 0: a single parameter; n > 0: an array of n parameters */
  /* name of the setting that gives count; a setting of 0: no parameters. NULL: use count */
  const char *count_from;
  /* with ramp: initial value of the last parameter of an array, in that unit, within the bounds */
  double init_end;
  /* arrays: true: initial values vary linearly from init to init_end; false: all are init */
  bool ramp;
  /* true: each case has its own value; false: all cases share it. See gradyn_cases */
  bool per_case;
  /* Normal prior of the value, in that unit: mean and standard deviation; deviation 0: no prior. The prior
   * adds half the square of (value - mean)/deviation to the objective, as the fit prior.NAME with the
   * residual prior.NAME[0]. If load cases share the parameter, its prior counts once. With a prior, each
   * gradyn_fit() needs sigma or deviations */
  double prior, prior_deviation;
  /* true: searches, intervals, profiles and many starts take the logarithm of the value. The prior is that of
   * the logarithm, without unit. The lower bound must be positive. build() gets the value itself. The typical
   * change of the logarithm is `scale` over |init| */
  bool logarithmic;
} gradyn_param;

/* Initialises the members of a gradyn_param that has no bounds: {"x", "m", 1, GRADYN_UNBOUNDED}. The macro
 * needs INFINITY of <math.h>, which <gradyn/gradyn.h> includes. */
#define GRADYN_UNBOUNDED .lower = -INFINITY, .upper = INFINITY

/* An integer that decides the structure of the model, for example the number of links or knots. */
typedef struct gradyn_setting {
  const char *name;    /* name for gradyn_setting_value() and for users; must be given */
  const char *summary; /* one line for users; NULL: none */
  /* init: default, which may be outside the bounds; lower, upper: smallest and largest value that users may
   * choose */
  int init, lower, upper;
} gradyn_setting;

/* Load cases: one design in several runs, such as an empty and a loaded vehicle. Each case is a run of the
 * problem with the values of its row. A column is named after a parameter, a setting, "t_end" (s) or "weight"
 * (>= 0, default 1), or after a value that build() reads by gradyn_case_value(). A parameter with a column is
 * fixed at the value of the case. With gradyn_param.per_case this value is only the initial one, and a search
 * changes it. Functionals are named functional@case, parameters of one case parameter@case.
 * gradyn_evaluator_create() checks the cases. */
typedef struct gradyn_cases {
  const char *const *names;   /* [count] of the cases, unique, without '@' and ',' */
  const char *const *columns; /* [column_count] unique; NULL if column_count is 0 */
  /* [count][column_count] each in the unit of its column. NAN: the case has the value that it has without the
   * column */
  const double *values;
  size_t count, column_count; /* lengths; count: 1 to 10000 */
  const char *source;         /* file of the table, for messages; NULL: the problem */
  /* [count + 1] line number in the file of each case, then of the headings, from 1; for messages. NULL: not
   * known */
  const size_t *lines;
} gradyn_cases;

/* Reads load cases from a CSV file. The first line has the headings: "case", then the columns of
 * gradyn_cases. Each further line has the name of a case and its numbers. An empty cell gives no value, see
 * gradyn_cases.values. A unit in brackets after a heading is ignored, as are empty lines and lines that begin
 * with '#'.
 *
 * file: name of the file.
 * out: receives the cases, which own copies of all texts, to be released by gradyn_cases_free(); NULL on
 *   failure.
 * message [size]: receives the reason of a failure, with file and line; NULL is allowed. It stays unchanged
 *   on success, and if an argument is NULL.
 *
 * Errors: GRADYN_NOT_FOUND: there is no such file. GRADYN_IO: it cannot be read. GRADYN_INVALID: an argument
 * is NULL, or the file is damaged. Damage is: a heading or a case occurs twice, a line has another number of
 * cells, or a cell is no finite number. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_cases_read(const char *file, gradyn_cases **out, char message[],
                                           size_t size);

/* Releases load cases of gradyn_cases_read(), after the problem that uses them; NULL is ignored. Cases that a
 * program has filled itself must not be passed. */
GRADYN_API void gradyn_cases_free(gradyn_cases *cases);

/* Declares the model at the parameters rho [parameters], each in its unit.
 *
 * The function is called for each new rho, and for derivatives of the data with complex rho. The structure
 * of the model may depend on settings but not on rho. Arrays in params are expanded in rho, see
 * gradyn_parameter_array(). Do not keep pointers to model and rho. Returns the result of
 * gradyn_build_status(), or another error code, with which the calling function fails. */
typedef gradyn_status (*gradyn_build_fn)(gradyn_model *model, const gradyn_scalar rho[]);

/* A problem. All pointers must stay valid as long as the problem is used. Define it with GRADYN_PROBLEM(),
 * or begin its initialiser with GRADYN_PROBLEM_SIZES. */
typedef struct gradyn_problem {
  /* sizeof (gradyn_problem), (gradyn_param) and (gradyn_setting), bytes: see GRADYN_PROBLEM_SIZES. A problem
   * with other sizes is refused by gradyn_evaluator_create(), because it was compiled with other headers. */
  size_t struct_size, param_size, setting_size;
  const char *name;      /* name for users and messages; dashes equal underscores; must be given */
  const char *summary;   /* one line for users; NULL: none */
  const char *reference; /* source of the problem, for example a paper; NULL: none */
  /* [param_count], entries of rho in this order, arrays expanded; NULL if param_count is 0 */
  const gradyn_param *params;
  /* [setting_count], integer settings; NULL if setting_count is 0 */
  const gradyn_setting *settings;
  size_t param_count, setting_count; /* lengths of params and settings */
  gradyn_build_fn build;             /* must be given */
  /* end time of a run, s, > 0; may be 0 if build() calls gradyn_end_time() */
  double t_end;
  const char *method; /* default of gradyn_options.method; NULL: "auto" */
  /* default of gradyn_options.coordinates: "natural", "joint"; NULL: "auto" */
  const char *coordinates;
  /* algorithm of a search. NULL: "auto", which gradyn_search_resolve() replaces by "lbfgs", "slsqp" or
   * "ipopt" */
  const char *algorithm;
  double step; /* length of steps of fixed-step methods, s; 0: t_end/1000 */
  /* defaults for methods with error control: relative tolerance (dimensionless) and absolute tolerance (in
   * the unit of each state); 0: default of the method */
  double rtol, atol;
  double check_tolerance; /* relative tolerance of `gradyn check`, dimensionless; 0: 1e-8 */
  /* pointer of the caller's, for gradyn_user(); valid as long as the problem is used */
  void *user;
  const gradyn_cases *cases; /* load cases, which must live as long as the problem; NULL: none */
  /* true: numbers of objects count from 0 in build() and in callbacks, as in version 0.2, and 0 is no
   * longer none. Arrays have no entry of NAN then. <gradyn/compat.h> sets it. Declare elements with a
   * member .signal before signals. Version 1.1 will not have this member */
  bool ids_from_0;
} gradyn_problem;

/* Initialises the sizes in a gradyn_problem: {GRADYN_PROBLEM_SIZES, .name = "pendulum"}. */
#define GRADYN_PROBLEM_SIZES                                                                       \
  .struct_size = sizeof(gradyn_problem), .param_size = sizeof(gradyn_param),                       \
  .setting_size = sizeof(gradyn_setting)

/* Number of entries of an array. */
#define GRADYN_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Entry point of a shared object, through which gradyn finds its problem. Used by GRADYN_PROBLEM(). */
#ifdef GRADYN_BUILTIN
#define GRADYN_PROBLEM_ENTRY(id)
#else
#define GRADYN_PROBLEM_ENTRY(id)                                                                   \
  GRADYN_API const gradyn_problem *gradyn_plugin_problem(void);                                    \
  const gradyn_problem *gradyn_plugin_problem(void)                                                \
  {                                                                                                \
    return &gradyn_problem_##id;                                                                   \
  }                                                                                                \
  GRADYN_API const char *gradyn_plugin_abi(void);                                                  \
  const char *gradyn_plugin_abi(void)                                                              \
  {                                                                                                \
    return GRADYN_PLUGIN_ABI;                                                                      \
  }
#endif
/* Version of the interface between a shared object and the library. A shared object of another version, or
 * with other sizes of structs, is refused. */
#define GRADYN_PLUGIN_ABI "gradyn-problem-8"

/* Defines the problem gradyn_problem_<id>. In a shared object, it is the problem that `gradyn run ./file.so`
 * runs. Use it outside of functions, once per shared object, with a semicolon after it.
 *
 * The other arguments initialise members of gradyn_problem. The name is id unless .name is given; users
 * type it with dashes for underscores. The member .params must be an array called params, or .param_count
 * must be given. For a problem without parameters use GRADYN_PROBLEM_WITHOUT_PARAMS(). */
#define GRADYN_PROBLEM(id, ...)                                                                    \
  GRADYN_PROBLEM_OF(id, .param_count = GRADYN_COUNT_OR_TAKE_GRADYN_PROBLEM_WITHOUT_PARAMS(params), \
                    __VA_ARGS__)
/* Length of params; its name appears in the compiler's error if there is no such array. */
#define GRADYN_COUNT_OR_TAKE_GRADYN_PROBLEM_WITHOUT_PARAMS(array) GRADYN_COUNT(array)

/* Defines a problem without parameters, which can be simulated only. Arguments are those of
 * GRADYN_PROBLEM(). */
#define GRADYN_PROBLEM_WITHOUT_PARAMS(id, ...) GRADYN_PROBLEM_OF(id, .params = NULL, __VA_ARGS__)

/* Defines a problem from members of gradyn_problem alone. Used by the two macros above. */
#define GRADYN_PROBLEM_OF(id, ...)                                                                 \
  extern const gradyn_problem gradyn_problem_##id;                                                 \
  const gradyn_problem gradyn_problem_##id = {GRADYN_PROBLEM_SIZES, .name = #id, __VA_ARGS__};     \
  GRADYN_PROBLEM_ENTRY(id)                                                                         \
  typedef int gradyn_problem_##id##_defined

/* A list of problems: built-in ones, those in the folders of a search path, and those loaded from files.
 * Opaque. Two threads must not use one registry at the same time. */
typedef struct gradyn_registry gradyn_registry;

/* Decides whether a shared object may be loaded, for example by loading it in another process first.
 *
 * path: file name. reason [size]: receives the reason of a refusal, which the registry copies; "" before the
 *   call. user: pointer of the caller's. Returns true to load the file, false to refuse it. Truncated files
 *   and files that are not shared objects are refused without this call. */
typedef bool (*gradyn_vet_fn)(const char *path, char *reason, size_t size, void *user);

/* Where a registry finds problems. All zero: built-in problems only. */
typedef struct gradyn_registry_spec {
  /* folders with shared objects, separated by colons, searched in this order; NULL: none */
  const char *search_path;
  /* called before a shared object is loaded, by gradyn_registry_create() or gradyn_registry_find(). NULL: all
   * shared objects are loaded */
  gradyn_vet_fn vet;
  void *user; /* passed to vet; must live as long as the registry */
} gradyn_registry_spec;

/* Creates a registry with the built-in problems and those of a search path.
 *
 * spec: NULL: built-in problems only. Its texts are needed during the call only. Files and folders that
 *   cannot be loaded are skipped. The order is: built-in problems, then the folders, each in the order of
 *   file names. Of two problems with one name the earlier one hides the later one. gradyn_registry_message()
 *   describes skipped files and hidden problems.
 * out: receives the registry, to be released by gradyn_registry_free(); NULL on failure.
 *
 * Returns GRADYN_OK, GRADYN_INVALID if out is NULL, or GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_registry_create(const gradyn_registry_spec *spec,
                                                gradyn_registry **out);

/* Releases a registry and unloads its shared objects, so that their problems are no longer valid. Release
 * evaluators of these problems before. NULL is allowed. */
GRADYN_API void gradyn_registry_free(gradyn_registry *registry);

/* Finds a problem by its name, or loads it from a shared object.
 *
 * name: name of a problem, with dashes or underscores. If it contains a '/' or ends in ".so" or ".dylib",
 *   it is the path of a shared object. A relative path begins in the current folder. A file is loaded once:
 *   the same path gives the same problem.
 * problem: receives the problem, which lives as long as the registry; NULL on failure.
 *
 * Errors: GRADYN_NOT_FOUND: the name or file is unknown. GRADYN_INVALID: the file has no valid problem or
 * ends in ".c", `vet` refuses it, or an argument is NULL. GRADYN_NO_MEMORY. The reason is given by
 * gradyn_registry_message(). */
GRADYN_API gradyn_status gradyn_registry_find(gradyn_registry *registry, const char *name,
                                              const gradyn_problem **problem);

/* Returns problem i, counted from 0, which lives as long as the registry; NULL after the last problem, and if
 * the registry is NULL. Hidden problems and those loaded by gradyn_registry_find() count too. New problems
 * are added at the end. */
GRADYN_API const gradyn_problem *gradyn_registry_at(const gradyn_registry *registry, size_t i);

/* Returns the message of the last call that created the registry or searched in it, a line for each finding.
 * The message is "" if this call neither failed nor skipped files, or if registry is NULL. A call with a NULL
 * argument does not change the message, which is valid until the next search in this registry. */
GRADYN_API const char *gradyn_registry_message(const gradyn_registry *registry);

#ifdef __cplusplus
}
#endif

#endif
