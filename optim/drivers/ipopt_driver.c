/* Setting Ipopt up, putting its questions on, and translating its codes.
 *
 * The Hessian of the Lagrangian is that of the programme, if it has one, otherwise Ipopt's own estimate by
 * limited memory. Functions come scaled, and
 * bounds are kept: Ipopt's scaling and its relaxed bounds, by which an optimum would lie too low, are
 * off. Options are those set here and no others: no file of the folder that a program happens to stand
 * in is read. A rejected point is answered by false, and Ipopt shortens its step.
 *
 * Neither Ipopt's counters nor MUMPS, which solves its linear systems, may be used by two threads at a
 * time. So searches on several threads take turns: a thread has the lock while Ipopt computes and gives
 * it back while the functions are evaluated, which takes most of the time. */
#include <IpoptConfig.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "optim/drivers/algorithms.h"
#include "optim/drivers/ipopt_library.h"

/* The types of its interface have had these names since version 3.14. */
#if IPOPT_VERSION_MAJOR > 3 || IPOPT_VERSION_MINOR >= 14
typedef ipindex ip_index;
typedef ipnumber ip_number;
typedef bool ip_bool;
#else
typedef Index ip_index;
typedef Number ip_number;
typedef Bool ip_bool;
#endif

/* Ipopt is one for all threads. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* Ipopt's arguments for one run. */
typedef struct ipopt_pass {
  const gradyn_nlp *nlp;
  double *c, *J; /* [m] values of the rows where only gradients are asked for; [m][n] these */
} ipopt_pass;

/* --- Callbacks -------------------------------------------------------------------------------- */

/* Value and gradient, or either; others may use Ipopt meanwhile. */
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

/* Called by Ipopt, likewise the others. */
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

/* Which entries there are, where no values are asked for; otherwise these. */
static ip_bool jacobian(ip_index n, ip_number *x, ip_bool is_new, ip_index m, ip_index count,
                        ip_index *row, ip_index *column, ip_number *values, UserDataPtr data)
{
  (void)is_new, (void)count;
  ipopt_pass *pass = data;
  const gradyn_nlp *nlp = pass->nlp;
  bool known = true;
  if (values != NULL) {
    pthread_mutex_unlock(&turn);
    known = nlp->rows(nlp->self, x, 0, (size_t)m, pass->c, pass->J);
    pthread_mutex_lock(&turn);
  }
  for (size_t i = 0; known && i < nlp->m; i++)
    for (size_t k = nlp->start[i]; k < nlp->start[i + 1]; k++) {
      if (values != NULL) {
        values[k] = pass->J[i * (size_t)n + nlp->column[k]];
        continue;
      }
      row[k] = (ip_index)i;
      column[k] = (ip_index)nlp->column[k];
    }
  return known;
}

/* Of the lower triangle: where entries are, or their values. Ipopt wants the function also where it
 * estimates, and never calls it then. */
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

/* Once an iteration: whether to go on. */
static ip_bool go_on(ip_index mode, ip_index iteration, ip_number f, ip_number primal,
                     ip_number dual, ip_number mu, ip_number d_norm, ip_number regularisation,
                     ip_number alpha_dual, ip_number alpha_primal, ip_index trials,
                     UserDataPtr data)
{
  (void)mode, (void)iteration, (void)f, (void)primal, (void)dual, (void)mu, (void)d_norm;
  (void)regularisation, (void)alpha_dual, (void)alpha_primal, (void)trials;
  const gradyn_nlp *nlp = ((const ipopt_pass *)data)->nlp;
  nlp->arrived(nlp->self);
  return !nlp->halted(nlp->self);
}

/* --- Setting up ------------------------------------------------------------------------------- */

/* The least of what rows may be off; without rows it is not asked for. */
static double least_tolerance(const gradyn_nlp *nlp)
{
  double least = HUGE_VAL;
  for (size_t i = 0; i < nlp->m; i++)
    least = fmin(least, nlp->tolerance[i]);
  return nlp->m > 0 ? least : 1.0;
}

/* Residual at the start of a run below which the objective has hardly any slope along the constraints. With
 * curvature 1 the steps are then as short as this slope, and pairs of negative curvature are left out. The
 * search of goddard (0.003) made no progress in 1000 evaluations. With a curvature that makes the first step
 * one unit long it takes 48. 15 other searches begin with zero or at least 0.02. */
static const double flat = 0.01;

static bool is_flat(const gradyn_nlp *nlp)
{
  return nlp->residual > nlp->optimality && nlp->residual < flat;
}

/* Options; false: one is not known. */
static bool set_options(const gradyn_ipopt *ipopt, IpoptProblem problem, const gradyn_nlp *nlp)
{
  const int pairs = nlp->n < 10 ? 10 : nlp->n > 30 ? 30 : (int)nlp->n;
  /* what is left of the barrier counts for each bound: where steps converge fast, as little as may be */
  const double part = nlp->hessian != NULL ? 1e-4 : 0.1;
  const double optimality = fmax(nlp->optimality, 1e-12);
  /* a variable that has no say at its bound ends as far from it as its multiplier from zero, at the root of
   * what is left of the barrier */
  const double left = nlp->hessian != NULL || nlp->limited || is_flat(nlp) ? optimality * optimality
                                                                           : 1e-4;
  /* how far inside of its bounds a run begins: a place that has proved good is not left for that */
  const double push = nlp->again ? 1e-6 : 1e-2;
  return ipopt->AddIpoptStrOption(problem, "option_file_name", "") &&
         ipopt->AddIpoptStrOption(problem, "sb", "yes") &&
         ipopt->AddIpoptIntOption(problem, "print_level", 0) &&
         ipopt->AddIpoptStrOption(problem, "nlp_scaling_method", "none") &&
         ipopt->AddIpoptNumOption(problem, "bound_relax_factor", 0.0) &&
         ipopt->AddIpoptStrOption(problem, "hessian_approximation",
                                  nlp->hessian != NULL ? "exact" : "limited-memory") &&
         ipopt->AddIpoptIntOption(problem, "limited_memory_max_history", pairs) &&
         ipopt->AddIpoptNumOption(problem, "limited_memory_init_val",
                                  is_flat(nlp) ? nlp->residual : 1) &&
         /* who asked for the run counts evaluations and time, and halts at an optimum */
         ipopt->AddIpoptIntOption(problem, "max_iter", INT_MAX - 1) &&
         ipopt->AddIpoptNumOption(problem, "max_cpu_time", 1e20) &&
         ipopt->AddIpoptIntOption(problem, "acceptable_iter", 0) &&
         ipopt->AddIpoptNumOption(problem, "constr_viol_tol", least_tolerance(nlp)) &&
         ipopt->AddIpoptNumOption(problem, "tol", part * optimality) &&
         ipopt->AddIpoptNumOption(problem, "compl_inf_tol", left) &&
         ipopt->AddIpoptNumOption(problem, "bound_push", push) &&
         ipopt->AddIpoptNumOption(problem, "bound_frac", push) &&
         ipopt->AddIpoptNumOption(problem, "slack_bound_push", push) &&
         ipopt->AddIpoptNumOption(problem, "slack_bound_frac", push) &&
         ipopt->AddIpoptNumOption(problem, "mu_init", 10 * push);
}

/* The one translation of Ipopt's codes. */
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
  /* its indices are int */
  if (nlp->n > INT_MAX / (nlp->m + 1) || nlp->hessian_count > INT_MAX)
    return GRADYN_PASS_INVALID;
  gradyn_ipopt ipopt;
  if (!gradyn_ipopt_load(&ipopt)) /* a search has asked for it before */
    return GRADYN_PASS_FAILURE;
  double *lower = calloc((3 + nlp->n) * nlp->m + 1, sizeof *lower), *upper = lower + nlp->m;
  if (lower == NULL)
    return GRADYN_PASS_NO_MEMORY;
  for (size_t i = nlp->equalities; i < nlp->m; i++)
    lower[i] = -HUGE_VAL;
  ipopt_pass pass = {.nlp = nlp, .c = upper + nlp->m, .J = upper + 2 * nlp->m};
  const ip_index n = (ip_index)nlp->n, m = (ip_index)nlp->m;
  gradyn_solver_run_end end = GRADYN_PASS_INVALID;
  pthread_mutex_lock(&turn);
  /* the arrays are only read */
  IpoptProblem problem = ipopt.CreateIpoptProblem(
      n, (ip_number *)nlp->lower, (ip_number *)nlp->upper, m, lower, upper,
      (ip_index)nlp->start[nlp->m], (ip_index)nlp->hessian_count, 0, objective, rows, slope,
      jacobian, hessian);
  if (problem != NULL && set_options(&ipopt, problem, nlp) &&
      ipopt.SetIntermediateCallback(problem, go_on))
    end = translate(ipopt.IpoptSolve(problem, nlp->x, NULL, NULL, NULL, NULL, NULL, &pass));
  if (problem != NULL)
    ipopt.FreeIpoptProblem(problem);
  pthread_mutex_unlock(&turn);
  free(lower);
  return end;
}

/* --- What is there ---------------------------------------------------------------------------- */

static const char *lacks(const gradyn_algorithm *algorithm)
{
  gradyn_ipopt ipopt;
  (void)algorithm;
  return gradyn_ipopt_load(&ipopt)
             ? NULL
             : "its library cannot be loaded: install Ipopt (Debian: coinor-libipopt-dev)";
}

/* Itself, and what solves its linear systems. */
static const gradyn_driver_library libraries[] = {{"ipopt_library", "IpoptSolve"},
                                                  {"mumps_library", "dmumps_c"}};

const gradyn_driver gradyn_ipopt_driver = {.name = "ipopt",
                                           .version = IPOPT_VERSION,
                                           .library = libraries,
                                           .library_count = sizeof libraries / sizeof libraries[0],
                                           .sparse = true,
                                           .run = run,
                                           .lacks = lacks};
