/* A problem: parameters, a build function and the run's defaults; and where problems are found. */
#ifndef GRADYN_PROBLEM_H
#define GRADYN_PROBLEM_H

#include <gradyn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a parameter means; it changes nothing in the mathematics, only how it is shown. */
typedef enum gradyn_role {
  GRADYN_DESIGN,
  GRADYN_CONTROL,
  GRADYN_INITIAL_STATE,
  GRADYN_TIME
} gradyn_role;

/* A design variable, or a row of them (name[0], name[1], ...). */
typedef struct gradyn_param {
  const char *name;
  const char *unit;
  double init;
  double lower, upper; /* bounds; both 0: none */
  double scale;        /* typical size of a change; 0: from the bounds or the value */
  gradyn_role role;
  bool fixed;             /* not varied by default */
  int count;              /* 0: a single variable; n: a row of n */
  const char *count_from; /* name of the setting that gives the count; NULL: count holds */
  double init_end;        /* rows: the initial values go linearly from init to init_end */
  bool ramp;              /* rows: init_end holds; otherwise all start at init */
} gradyn_param;

/* An integer that shapes the model, e.g. a number of links or knots. */
typedef struct gradyn_setting {
  const char *name;
  const char *summary;
  int init, lower, upper;
} gradyn_setting;

/* The build function declares the model; called for every new rho and for derivatives of the data.
 * Its structure may depend on settings, never on rho. */
typedef gradyn_status (*gradyn_build_fn)(gradyn_model *model, const gradyn_scalar rho[]);

/* Everything about a problem. All pointers must outlive it; use static data. */
typedef struct gradyn_problem {
  const char *name;
  const char *summary;
  const char *reference;          /* where it comes from; NULL if nowhere */
  const gradyn_param *params;     /* [param_count] */
  const gradyn_setting *settings; /* [setting_count]; may be NULL */
  size_t param_count, setting_count;
  gradyn_build_fn build;
  double t_end;            /* s */
  const char *method;      /* NULL: "auto" */
  const char *coordinates; /* "natural" (NULL), "joint" or "auto": see gradyn_options */
  const char *algorithm;   /* optimiser; NULL: "slsqp" with constraints, otherwise "lbfgs" */
  double step;             /* fixed-step methods, s; 0: t_end/1000 */
  double rtol, atol;       /* tolerance-driven methods; 0: the method's defaults */
  double check_tolerance;  /* of `gradyn check`; 0: 1e-8 */
  void *user;              /* the caller's own, for gradyn_user() */
  /* knots of signals beyond those of build(), by which a search refines grids: the library's own, NULL */
  const struct gradyn_added_knots *added;
} gradyn_problem;

#define GRADYN_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Defines a problem. Its name is the identifier with dashes for underscores unless .name is given.
 * In a shared object it is what `gradyn run ./file.so` finds. Needs .params = an array called
 * params: give .param_count if it is called otherwise. Without parameters: GRADYN_PROBLEM_WITHOUT_PARAMS. */
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
#define GRADYN_PLUGIN_ABI "gradyn-problem-6"

#define GRADYN_PROBLEM(id, ...)                                                                    \
  GRADYN_PROBLEM_OF(id, .param_count = GRADYN_COUNT_OR_TAKE_GRADYN_PROBLEM_WITHOUT_PARAMS(params), \
                    __VA_ARGS__)
/* the name stands in the error that a compiler gives where there is no params */
#define GRADYN_COUNT_OR_TAKE_GRADYN_PROBLEM_WITHOUT_PARAMS(array) GRADYN_COUNT(array)

/* Defines a problem without parameters, to be simulated alone, in the same way. */
#define GRADYN_PROBLEM_WITHOUT_PARAMS(id, ...) GRADYN_PROBLEM_OF(id, .params = NULL, __VA_ARGS__)

/* What both have in common. */
#define GRADYN_PROBLEM_OF(id, ...)                                                                 \
  extern const gradyn_problem gradyn_problem_##id;                                                 \
  const gradyn_problem gradyn_problem_##id = {.name = #id, __VA_ARGS__};                           \
  GRADYN_PROBLEM_ENTRY(id)                                                                         \
  typedef int gradyn_problem_##id##_defined

/* The problems known by name: built-in ones, those in the folders of a search path, and files. */
typedef struct gradyn_registry gradyn_registry;

/* Creates a registry; search_path is a colon-separated list of folders with shared objects, or
 * NULL. Unreadable entries are skipped and described by gradyn_registry_message(). */
GRADYN_API gradyn_status gradyn_registry_create(const char *search_path, gradyn_registry **out);

/* Looks at a shared object before it is loaded, for example by loading it in a process of its own:
 * false leaves it out, with the reason in reason [size]. Files that are no shared objects or are cut
 * off are refused before, whether or not there is such a function. */
typedef bool (*gradyn_vet_fn)(const char *path, char *reason, size_t size, void *user);
GRADYN_API gradyn_status gradyn_registry_create_vetted(const char *search_path, gradyn_vet_fn vet,
                                                       void *user, gradyn_registry **out);
GRADYN_API void gradyn_registry_free(gradyn_registry *registry);

/* Finds a problem by name, or loads a shared object if the name contains a '/' or ends in ".so" or ".dylib".
 * GRADYN_NOT_FOUND or GRADYN_INVALID leave the reason in the message. The problem lives as long as
 * the registry. */
GRADYN_API gradyn_status gradyn_registry_find(gradyn_registry *registry, const char *name,
                                              const gradyn_problem **problem);
GRADYN_API size_t gradyn_registry_count(const gradyn_registry *registry);
GRADYN_API const gradyn_problem *gradyn_registry_at(const gradyn_registry *registry, size_t i);
/* Name of a problem as users type it, with dashes; in buffer [size], which is also returned. */
GRADYN_API const char *gradyn_problem_display_name(const gradyn_problem *problem, char *buffer,
                                                   size_t size);
GRADYN_API const char *gradyn_registry_message(const gradyn_registry *registry);

#ifdef __cplusplus
}
#endif

#endif
