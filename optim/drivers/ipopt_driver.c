/* Interface to Ipopt: set-up, callbacks, and translation of its codes.
 *
 * The Hessian of the Lagrangian comes from the program if it has one. Otherwise Ipopt estimates it by
 * limited memory. All functions are scaled already, so Ipopt's scaling is off. Bounds are exact: relaxed
 * bounds would give an optimum that is too low. Only the options below are set; an option file in the
 * working directory is not read. If a point is rejected, the callback returns false, and Ipopt shortens
 * its step.
 *
 * Two threads cannot use Ipopt's counters at the same time, nor MUMPS, which solves its linear systems.
 * Searches in several threads therefore take turns. A thread has the lock while Ipopt computes. It
 * releases the lock while the functions are evaluated, which takes most of the time. */
#include <IpoptConfig.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "optim/drivers/algorithms.h"
#include "optim/drivers/ipopt_library.h"

/* Ipopt's types have had these names since version 3.14. */
#if IPOPT_VERSION_MAJOR > 3 || IPOPT_VERSION_MINOR >= 14
typedef ipindex ip_index;
typedef ipnumber ip_number;
typedef bool ip_bool;
#else
typedef Index ip_index;
typedef Number ip_number;
typedef Bool ip_bool;
#endif

/* Lock of Ipopt: only one thread may use it at a time. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* Data of the callbacks of one run. */
typedef struct ipopt_pass {
  const gradyn_nlp *nlp;
  double *c;      /* [m], constraints if only their gradients are requested */
  double barrier; /* barrier parameter of the last iteration */
} ipopt_pass;

/* --- Callbacks -------------------------------------------------------------------------------- */

/* Computes value, gradient, or both. Other threads may use Ipopt during the evaluation. */
static ip_bool ask_objective(ipopt_pass *pass, const double x[], double *f, double *gradient)
{
  const gradyn_nlp *nlp = pass->nlp;
  double value = 0.0;
  pthread_mutex_unlock(&turn);
  const bool known = nlp->objective(nlp->self, x, &value, gradient);
  pthread_mutex_lock(&turn);
  if (known && f != NULL)
    *f = value;
  return known;
}

/* The functions from here on are callbacks of Ipopt. */
static ip_bool objective(ip_index n, ip_number *x, ip_bool is_new, ip_number *f, UserDataPtr data)
{
  (void)n, (void)is_new;
  return ask_objective(data, x, f, NULL);
}

static ip_bool slope(ip_index n, ip_number *x, ip_bool is_new, ip_number *gradient,
                     UserDataPtr data)
{
  (void)n, (void)is_new;
  return ask_objective(data, x, NULL, gradient);
}

static ip_bool rows(ip_index n, ip_number *x, ip_bool is_new, ip_index m, ip_number *c,
                    UserDataPtr data)
{
  (void)n, (void)is_new;
  const gradyn_nlp *nlp = ((const ipopt_pass *)data)->nlp;
  pthread_mutex_unlock(&turn);
  const bool known = nlp->rows(nlp->self, x, 0, (size_t)m, c, NULL);
  pthread_mutex_lock(&turn);
  return known;
}

/* Fills the positions of the entries if `values` is NULL, otherwise their values. */
static ip_bool jacobian(ip_index n, ip_number *x, ip_bool is_new, ip_index m, ip_index count,
                        ip_index *row, ip_index *column, ip_number *values, UserDataPtr data)
{
  (void)n, (void)is_new, (void)count;
  ipopt_pass *pass = data;
  const gradyn_nlp *nlp = pass->nlp;
  if (values != NULL) {
    pthread_mutex_unlock(&turn);
    const bool known = nlp->rows(nlp->self, x, 0, (size_t)m, pass->c, values);
    pthread_mutex_lock(&turn);
    return known;
  }
  for (size_t i = 0; i < nlp->m; i++)
    for (size_t k = nlp->start[i]; k < nlp->start[i + 1]; k++) {
      row[k] = (ip_index)i;
      column[k] = (ip_index)nlp->column[k];
    }
  return true;
}

/* Fills the positions or the values of the lower triangle of the Hessian. Ipopt requires this function even
 * if it estimates the Hessian, but does not call it then. */
static ip_bool hessian(ip_index n, ip_number *x, ip_bool is_new, ip_number factor, ip_index m,
                       ip_number *lam, ip_bool new_lam, ip_index count, ip_index *row,
                       ip_index *column, ip_number *values, UserDataPtr data)
{
  (void)n, (void)is_new, (void)m, (void)new_lam;
  const gradyn_nlp *nlp = ((const ipopt_pass *)data)->nlp;
  if (values != NULL) {
    pthread_mutex_unlock(&turn);
    const bool known = nlp->hessian != NULL && nlp->hessian(nlp->self, x, factor, lam, values);
    pthread_mutex_lock(&turn);
    return known;
  }
  for (ip_index k = 0; k < count; k++) {
    row[k] = (ip_index)nlp->hessian_row[k];
    column[k] = (ip_index)nlp->hessian_column[k];
  }
  return true;
}

/* Ipopt calls this once per iteration. Returns whether to continue. */
static ip_bool go_on(ip_index mode, ip_index iteration, ip_number f, ip_number primal,
                     ip_number dual, ip_number mu, ip_number d_norm, ip_number regularisation,
                     ip_number alpha_dual, ip_number alpha_primal, ip_index trials,
                     UserDataPtr data)
{
  (void)mode, (void)iteration, (void)f, (void)primal, (void)dual, (void)d_norm;
  (void)regularisation, (void)alpha_dual, (void)alpha_primal, (void)trials;
  ipopt_pass *pass = data;
  const gradyn_nlp *nlp = pass->nlp;
  pass->barrier = mu;
  nlp->arrived(nlp->self);
  return !nlp->halted(nlp->self);
}

/* --- Setting up ------------------------------------------------------------------------------- */

/* Smallest tolerance of the constraints; not used without constraints. */
static double least_tolerance(const gradyn_nlp *nlp)
{
  double least = HUGE_VAL;
  for (size_t i = 0; i < nlp->m; i++)
    least = fmin(least, nlp->tolerance[i]);
  return nlp->m > 0 ? least : 1.0;
}

/* A start is flat if its residual is below this value: the objective has hardly any slope along the
 * constraints. With an initial curvature of 1 the steps are then as short as this slope, and quasi-Newton
 * pairs of negative curvature are omitted. The search of goddard (residual 0.003) made no progress in 1000
 * evaluations. With a curvature that makes the first step one unit long, it takes 48. Of 15 other searches,
 * each begins with a residual of zero or at least 0.02. */
static const double flat = 0.01;

static bool is_flat(const gradyn_nlp *nlp)
{
  return nlp->residual > nlp->optimality && nlp->residual < flat;
}

/* Barrier parameter at the start with a Gauss-Newton matrix. Evaluations of gas-oil, alpha-pinene and
 * methanol: 10, 11 and 13; with 0.1, as for other searches, 10, 37 and 26. Between 1e-7 and 1e-4 the
 * numbers of evaluations differ by at most 2. */
static const double barrier_of_squares = 1e-5;

/* Largest number of second-order corrections of a step, with second derivatives. Ipopt's default is four,
 * all with the same linearisation. The ends of long segments are far from linear in the controls, and the
 * filter then accepts corrected steps of full length that lead away from the optimum. hypersensitive in 4
 * segments, and over 1000 s, has no optimum after 300 evaluations; with one correction it takes 55 and 38.
 * Without any correction, the container crane takes 262 instead of 81. */
static const int corrections = 1;

/* Distance of the values of path constraints from their bounds at the start of a search with second
 * derivatives, scaled. If constraints are violated there, a smaller distance makes the first steps short.
 * Evaluations with 1e-2 and with 1: van-der-pol in 5, 10 and 20 segments 92, 76, 91 and 71, 41, 44;
 * container-crane 81 and 37. */
static const double sampled_push = 1;

/* Sets the options. Returns false if one is not known. */
static bool set_options(const gradyn_ipopt *ipopt, IpoptProblem problem, const gradyn_nlp *nlp)
{
  const int pairs = nlp->n < 10 ? 10 : nlp->n > 30 ? 30 : (int)nlp->n;
  /* Tolerance over the optimality limit. The barrier that remains at the end shifts each active bound. A
   * small rest costs few iterations if second derivatives make convergence fast. */
  const double part = nlp->hessian != NULL ? 1e-4 : 0.1;
  const double optimality = fmax(nlp->optimality, 1e-12);
  /* A variable may hardly affect the objective at its bound. Its distance from the bound and its
   * multiplier then both end at the root of the remaining barrier. */
  const double left = nlp->hessian != NULL || nlp->limited || is_flat(nlp) ? optimality * optimality
                                                                           : 1e-4;
  /* distance from the bounds at the start; small if an earlier run has found the start, so that it is
   * hardly moved */
  const double push = nlp->again ? 1e-6 : 1e-2;
  return ipopt->AddIpoptStrOption(problem, "option_file_name", "") &&
         ipopt->AddIpoptStrOption(problem, "sb", "yes") &&
         ipopt->AddIpoptIntOption(problem, "print_level", 0) &&
         ipopt->AddIpoptStrOption(problem, "nlp_scaling_method", "none") &&
         ipopt->AddIpoptNumOption(problem, "bound_relax_factor", 0.0) &&
         ipopt->AddIpoptStrOption(problem, "hessian_approximation",
                                  nlp->hessian != NULL ? "exact" : "limited-memory") &&
         (nlp->hessian == NULL || ipopt->AddIpoptIntOption(problem, "max_soc", corrections)) &&
         ipopt->AddIpoptIntOption(problem, "limited_memory_max_history", pairs) &&
         ipopt->AddIpoptNumOption(problem, "limited_memory_init_val",
                                  is_flat(nlp) ? nlp->residual : 1) &&
         /* the caller counts evaluations and time, and halts at an optimum */
         ipopt->AddIpoptIntOption(problem, "max_iter", INT_MAX - 1) &&
         ipopt->AddIpoptNumOption(problem, "max_cpu_time", 1e20) &&
         ipopt->AddIpoptIntOption(problem, "acceptable_iter", 0) &&
         ipopt->AddIpoptNumOption(problem, "constr_viol_tol", least_tolerance(nlp)) &&
         ipopt->AddIpoptNumOption(problem, "tol", part * optimality) &&
         ipopt->AddIpoptNumOption(problem, "compl_inf_tol", left) &&
         ipopt->AddIpoptNumOption(problem, "bound_push", push) &&
         ipopt->AddIpoptNumOption(problem, "bound_frac", push) &&
         ipopt->AddIpoptNumOption(problem, "slack_bound_push",
                                  nlp->hessian != NULL && nlp->limited && !nlp->again ? sampled_push
                                                                                      : push) &&
         ipopt->AddIpoptNumOption(problem, "slack_bound_frac", push) &&
         ipopt->AddIpoptNumOption(problem, "mu_init",
                                  nlp->squares ? barrier_of_squares : 10 * push);
}

/* Distance of a warm start from the bounds, and smallest size of its multipliers. Both are small, so that
 * Ipopt hardly changes the start. */
static const double warm_push = 1e-6;

/* Makes Ipopt begin with the given multipliers and barrier parameter. */
static bool set_warm_start(const gradyn_ipopt *ipopt, IpoptProblem problem, const gradyn_nlp *nlp)
{
  static const char *const pushes[] = {"warm_start_bound_push", "warm_start_bound_frac",
                                       "warm_start_slack_bound_push", "warm_start_slack_bound_frac",
                                       "warm_start_mult_bound_push"};
  bool set = ipopt->AddIpoptStrOption(problem, "warm_start_init_point", "yes") &&
             ipopt->AddIpoptNumOption(problem, "mu_init", nlp->multipliers->barrier);
  for (size_t i = 0; i < sizeof pushes / sizeof pushes[0]; i++)
    set = set && ipopt->AddIpoptNumOption(problem, (char *)pushes[i], warm_push);
  return set;
}

/* Translates a return code of Ipopt to the code that all drivers use. */
static gradyn_solver_run_end translate(enum ApplicationReturnStatus status)
{
  switch ((int)status) {
  case Solve_Succeeded:
  case Solved_To_Acceptable_Level:
  case Feasible_Point_Found:
    return GRADYN_PASS_CONVERGED;
  case Search_Direction_Becomes_Too_Small:
    return GRADYN_PASS_ROUNDOFF;
  case User_Requested_Stop:
    return GRADYN_PASS_HALTED;
  case Not_Enough_Degrees_Of_Freedom:
  case Invalid_Problem_Definition:
  case Invalid_Option:
    return GRADYN_PASS_INVALID;
  case Insufficient_Memory:
    return GRADYN_PASS_NO_MEMORY;
  default:
    return GRADYN_PASS_FAILURE;
  }
}

static gradyn_solver_run_end run(const gradyn_algorithm *algorithm, const gradyn_nlp *nlp)
{
  (void)algorithm;
  /* indices of Ipopt are int */
  if (nlp->n > INT_MAX || nlp->m > INT_MAX || nlp->start[nlp->m] > INT_MAX ||
      nlp->hessian_count > INT_MAX)
    return GRADYN_PASS_INVALID;
  gradyn_ipopt ipopt;
  if (!gradyn_ipopt_load(&ipopt)) /* lacks() has loaded the library before */
    return GRADYN_PASS_FAILURE;
  double *lower = calloc(3 * nlp->m + 1, sizeof *lower), *upper = lower + nlp->m;
  if (lower == NULL)
    return GRADYN_PASS_NO_MEMORY;
  for (size_t i = nlp->equalities; i < nlp->m; i++)
    lower[i] = -HUGE_VAL;
  ipopt_pass pass = {.nlp = nlp, .c = upper + nlp->m};
  const ip_index n = (ip_index)nlp->n, m = (ip_index)nlp->m;
  gradyn_solver_run_end end = GRADYN_PASS_INVALID;
  pthread_mutex_lock(&turn);
  /* the casts remove const: Ipopt only reads these arrays */
  IpoptProblem problem = ipopt.CreateIpoptProblem(
      n, (ip_number *)nlp->lower, (ip_number *)nlp->upper, m, lower, upper,
      (ip_index)nlp->start[nlp->m], (ip_index)nlp->hessian_count, 0, objective, rows, slope,
      jacobian, hessian);
  gradyn_multipliers *dual = nlp->multipliers;
  if (problem != NULL && set_options(&ipopt, problem, nlp) &&
      (!nlp->warm || set_warm_start(&ipopt, problem, nlp)) &&
      ipopt.SetIntermediateCallback(problem, go_on))
    end = translate(
        ipopt.IpoptSolve(problem, nlp->x, NULL, NULL, dual->row, dual->lower, dual->upper, &pass));
  dual->barrier = pass.barrier;
  if (problem != NULL)
    ipopt.FreeIpoptProblem(problem);
  pthread_mutex_unlock(&turn);
  free(lower);
  return end;
}

/* --- Availability ------------------------------------------------------------------------------- */

static const char *lacks(const gradyn_algorithm *algorithm)
{
  gradyn_ipopt ipopt;
  (void)algorithm;
  return gradyn_ipopt_load(&ipopt)
             ? NULL
             : "its library cannot be loaded: install Ipopt (Debian: coinor-libipopt-dev)";
}

/* The libraries of this driver: Ipopt, and the solver of its linear systems. */
static const gradyn_driver_library libraries[] = {{"ipopt_library", "IpoptSolve"},
                                                  {"mumps_library", "dmumps_c"}};

const gradyn_driver gradyn_ipopt_driver = {.name = "ipopt",
                                           .version = IPOPT_VERSION,
                                           .library = libraries,
                                           .library_count = sizeof libraries / sizeof libraries[0],
                                           .warm = true,
                                           .sparse = true,
                                           .run = run,
                                           .lacks = lacks};
