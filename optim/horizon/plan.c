/* A plan is the nonlinear program of a search in segments. No search runs on it. Segments, samples of path
 * constraints, scales and entries are chosen once, when a plan is created. Steps of the controller then
 * allocate no memory. */
#include "optim/horizon/plan.h"

#include <math.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"
#include "core/base/nearest.h"

/* --- Creation --------------------------------------------------------------------------------- */

static gradyn_status out_of_memory(gradyn_plan *plan)
{
  return gradyn_fail(&plan->message, GRADYN_NO_MEMORY, "out of memory for a plan");
}

/* Whether a search needs the gradient of functional i. Path constraints need none: their samples are
 * constraints instead. */
static bool is_used(const gradyn_functional_info *info, const gradyn_search *search)
{
  const bool named = search->objective != NULL &&
                     gradyn_nearest_same(info->name, search->objective);
  return named || (info->use != GRADYN_MONITORED && info->use != GRADYN_PATH_CONSTRAINT);
}

static gradyn_status create_segments(gradyn_plan *plan, const gradyn_search *search,
                                     const double rho0[])
{
  const size_t f = gradyn_functional_count(plan->whole);
  bool *used = gradyn_arena_take(&plan->arena, f, sizeof *used);
  if (used == NULL)
    return out_of_memory(plan);
  for (size_t i = 0; i < f; i++) {
    const gradyn_functional_info info = gradyn_functional_at(plan->whole, i);
    used[i] = is_used(&info, search);
  }
  const gradyn_status status = gradyn_segments_create(plan->whole, search, used, rho0,
                                                      &plan->segments);
  plan->segments.jobs = search->jobs > 0 ? (size_t)search->jobs : 1;
  if (status != GRADYN_OK)
    return gradyn_fail(&plan->message, status, "%s", plan->segments.message.text);
  if (plan->segments.objective.curve == NULL)
    return gradyn_fail(
        &plan->message, GRADYN_UNSUPPORTED,
        "receding horizon: second derivatives are needed; they are not available with "
        "events or with functionals that are maxima. Use path constraints instead of "
        "maxima");
  for (size_t j = 0; j < gradyn_parameter_count(plan->whole); j++)
    if (gradyn_parameter_at(plan->whole, j).logarithmic)
      return gradyn_fail(&plan->message, GRADYN_UNSUPPORTED,
                         "receding horizon: parameter %s is on a logarithmic scale; declare it "
                         "on a linear scale",
                         gradyn_parameter_at(plan->whole, j).name);
  if (gradyn_segments_assembled(&plan->segments))
    return gradyn_fail(&plan->message, GRADYN_UNSUPPORTED,
                       "receding horizon: the problem is a mechanism; use general equations");
  return GRADYN_OK;
}

/* Fills the initial state that build() declares, and makes the first segment begin there. */
static gradyn_status take_start(gradyn_plan *plan)
{
  gradyn_segments *s = &plan->segments;
  const gradyn_model *model = plan->whole->model;
  plan->measured = gradyn_arena_numbers(&plan->arena, s->nz);
  plan->least = gradyn_arena_numbers(&plan->arena, s->nz);
  plan->most = gradyn_arena_numbers(&plan->arena, s->nz);
  if (gradyn_arena_status(&plan->arena) != GRADYN_OK)
    return out_of_memory(plan);
  for (size_t i = 0; i < s->nz; i++) {
    plan->measured[i] = model->x[gradyn_cut_datum(model, &s->cut[1], i)];
    plan->least[i] = -HUGE_VAL;
    plan->most[i] = HUGE_VAL;
  }
  s->segment[0].measured = plan->measured;
  return GRADYN_OK;
}

/* Whether a datum belongs to the initial state. If parameter j alone is this datum, its bounds become
 * bounds of the state. */
static bool is_measured(gradyn_plan *plan, const gradyn_directions *d, size_t j, int datum)
{
  const gradyn_segments *s = &plan->segments;
  for (size_t i = 0; i < s->nz; i++)
    if (gradyn_cut_datum(plan->whole->model, &s->cut[1], i) == datum) {
      if (gradyn_directions_only(d, datum) == (int)j) {
        plan->least[i] = s->parameters[j].lower;
        plan->most[i] = s->parameters[j].upper;
      }
      return true;
    }
  return false;
}

/* Marks the parameters that the controller varies. Parameters that change only initial states are not
 * varied, because these states are measured. */
static gradyn_status choose_varied(gradyn_plan *plan, const gradyn_search *search,
                                   const gradyn_directions *d)
{
  const gradyn_segments *s = &plan->segments;
  for (size_t j = 0; j < s->objective.parameter_count; j++)
    plan->vary[j] = j < s->p && search->vary != NULL ? search->vary[j] : !s->parameters[j].fixed;
  for (size_t j = 0; j < s->p; j++) {
    bool others = false, ends = false;
    for (int k = d->start[j]; k < d->start[j + 1]; k++) {
      others = !is_measured(plan, d, j, d->index[k]) || others;
      ends = ends || d->index[k] == plan->whole->model->t_end;
    }
    if (plan->vary[j] && ends)
      return gradyn_fail(&plan->message, GRADYN_UNSUPPORTED,
                         "receding horizon: parameter %s changes the end time; fix it",
                         s->parameters[j].name);
    plan->vary[j] = plan->vary[j] && others;
  }
  return GRADYN_OK;
}

/* Finds the measured state and the parameters to vary. */
static gradyn_status take_parameters(gradyn_plan *plan, const gradyn_search *search,
                                     const double rho0[])
{
  gradyn_evaluator *ev = plan->whole;
  gradyn_directions d = {0};
  plan->vary = gradyn_arena_take(&plan->arena, plan->segments.objective.parameter_count,
                                 sizeof *plan->vary);
  if (plan->vary == NULL)
    return out_of_memory(plan);
  gradyn_status status = gradyn_evaluator_load(ev, rho0);
  if (status == GRADYN_OK)
    status = gradyn_evaluator_report(
        ev, gradyn_directions_by_rho(ev->model, &ev->parameters, ev->rho, &d));
  if (status != GRADYN_OK)
    (void)gradyn_fail(&plan->message, status, "%s", gradyn_evaluator_message(ev));
  if (status == GRADYN_OK)
    status = take_start(plan);
  if (status == GRADYN_OK)
    status = choose_varied(plan, search, &d);
  gradyn_directions_clear(&d);
  return status;
}

/* Whether the problem has path constraints. */
static bool is_limited(const gradyn_segments *s)
{
  return s->objective.look != NULL;
}

/* Fills the functionals of the program: those of the segments, then the samples of path constraints. */
static gradyn_status hold(gradyn_plan *plan, const gradyn_path_check *seen)
{
  gradyn_segments *s = &plan->segments;
  const size_t f = s->objective.functional_count, all = f + seen->first_count;
  plan->info = gradyn_arena_take(&plan->arena, all, sizeof *plan->info);
  plan->used = gradyn_arena_take(&plan->arena, all, sizeof *plan->used);
  if (gradyn_arena_status(&plan->arena) != GRADYN_OK)
    return out_of_memory(plan);
  const gradyn_status status = gradyn_segments_hold(s, seen->first, seen->first_count,
                                                    plan->info + f);
  if (status != GRADYN_OK)
    return gradyn_fail(&plan->message, status, "%s", s->message.text);
  for (size_t i = 0; i < f; i++) {
    plan->info[i] = s->objective.functionals[i];
    plan->used[i] = s->objective.used[i];
    if (plan->info[i].use == GRADYN_PATH_CONSTRAINT) /* the samples are enforced instead */
      plan->info[i].use = GRADYN_MONITORED;
  }
  for (size_t i = f; i < all; i++)
    plan->used[i] = true;
  plan->objective = s->objective;
  plan->objective.functional_count = all;
  plan->objective.functionals = plan->info;
  plan->objective.used = plan->used;
  return GRADYN_OK;
}

static gradyn_status add_samples(gradyn_plan *plan)
{
  gradyn_segments *s = &plan->segments;
  LOCAL(gradyn_path_check) seen = {.length = 1};
  if (is_limited(s)) {
    const gradyn_status status = gradyn_segments_look(s, s->start, 1, &seen);
    if (status != GRADYN_OK)
      return gradyn_fail(&plan->message, status, "%s", s->message.text);
  }
  return hold(plan, &seen);
}

/* Sets up the program, and memory for its evaluations. */
static gradyn_status create_program(gradyn_plan *plan, const gradyn_search *search)
{
  gradyn_search over = *search;
  over.vary = plan->vary;
  const gradyn_status status = gradyn_program_create(&plan->objective, &over, plan->segments.start,
                                                     &plan->program);
  if (plan->program == NULL)
    return out_of_memory(plan);
  if (status != GRADYN_OK)
    return gradyn_fail(&plan->message, status, "%s", plan->program->message.text);
  if (plan->program->piece_count > 0)
    return gradyn_fail(&plan->message, GRADYN_UNSUPPORTED,
                       "receding horizon: the objective is the largest of several functionals; "
                       "minimise a sum");
  plan->scaling = gradyn_scaling_create(plan->program);
  plan->rho = gradyn_arena_numbers(&plan->arena, plan->objective.parameter_count);
  plan->psi = gradyn_arena_numbers(&plan->arena, plan->objective.functional_count);
  plan->gradient = gradyn_arena_numbers(&plan->arena, gradyn_objective_entries(&plan->objective));
  if (plan->scaling == NULL || gradyn_arena_status(&plan->arena) != GRADYN_OK ||
      gradyn_hessian_create(plan->program, &plan->hessian) != GRADYN_OK)
    return out_of_memory(plan);
  /* a search reduces defects to the accuracy of its runs; a plan is replaced before such small defects
   * matter */
  const double rtol = plan->whole->options.rtol;
  plan->defects = fmax(1, search->optimality / fmax(1e-9, rtol));
  return GRADYN_OK;
}

/* Penalty of violated path constraints, in the scaled problem. It must exceed multipliers of constraints
 * that can be satisfied; these are of size 1 in the scaled problem. */
static const double penalty = 100;

/* Whether constraint i of the program is a sample of a path constraint. */
static bool is_sample(const gradyn_plan *plan, size_t i)
{
  return plan->program->rows[i].functional >= plan->segments.objective.functional_count;
}

/* Selects the constraints that do not depend on others, and lists their entries. */
static gradyn_status choose_rows(gradyn_plan *plan)
{
  const gradyn_program *program = plan->program;
  const gradyn_entries *entries = &program->entries;
  const size_t count = program->row_count;
  plan->row = gradyn_arena_take(&plan->arena, count, sizeof *plan->row);
  plan->start = gradyn_arena_take(&plan->arena, count + 1, sizeof *plan->start);
  plan->column = gradyn_arena_take(&plan->arena, entries->start[count], sizeof *plan->column);
  plan->penalty = gradyn_arena_numbers(&plan->arena, count);
  if (gradyn_arena_status(&plan->arena) != GRADYN_OK)
    return out_of_memory(plan);
  for (size_t i = 0, at = 0; i < count; i++) {
    if (i < program->equality_count && plan->scaling->dropped[i])
      continue;
    plan->equalities += i < program->equality_count;
    plan->penalty[plan->rows] = is_sample(plan, i) ? penalty : 0;
    plan->row[plan->rows++] = i;
    for (size_t k = entries->start[i]; k < entries->start[i + 1]; k++)
      plan->column[at++] = entries->column[k];
    plan->start[plan->rows] = at;
  }
  return GRADYN_OK;
}

/* Creates the matrices and vectors of Newton's method for the present entries. */
static gradyn_status create_newton(gradyn_plan *plan)
{
  const gradyn_newton_shape shape = {.n = plan->program->n,
                                     .m = plan->rows,
                                     .equalities = plan->equalities,
                                     .lower = plan->program->lower,
                                     .upper = plan->program->upper,
                                     .penalty = plan->penalty,
                                     .start = plan->start,
                                     .column = plan->column,
                                     .hessian_row = plan->hessian.row,
                                     .hessian_column = plan->hessian.column,
                                     .hessian_count = plan->hessian.count};
  const gradyn_status status = gradyn_newton_create(&shape, &plan->newton);
  return status == GRADYN_OK ? status : gradyn_fail(&plan->message, status, "out of memory");
}

/* --- Evaluation ------------------------------------------------------------------------------- */

static gradyn_status report(gradyn_plan *plan, gradyn_status status)
{
  const char *text = plan->segments.message.text;
  if (status == GRADYN_OK)
    return status;
  return gradyn_fail(&plan->message, status, "%s",
                     *text != '\0' ? text : gradyn_status_describe((int)status).sentence);
}

/* Evaluates the objective at plan->rho. */
static gradyn_status evaluate(gradyn_plan *plan)
{
  plan->evaluations++;
  return report(plan, plan->objective.evaluate(plan->objective.self, false, plan->rho, plan->psi,
                                               plan->gradient));
}

/* Returns the violation of constraint i of the program in tolerances. */
static double violation_of(const gradyn_plan *plan, size_t i)
{
  const gradyn_program *program = plan->program;
  const gradyn_segments *s = &plan->segments;
  const size_t f = program->rows[i].functional;
  const double off = gradyn_program_row(program, i, plan->psi) / program->rows[i].tolerance;
  const bool defect = f >= s->f && f < s->objective.functional_count;
  return i < program->equality_count ? fabs(off) / (defect ? plan->defects : 1) : off;
}

/* Finds the largest violations. */
static void measure_violations(gradyn_plan *plan)
{
  const gradyn_program *program = plan->program;
  plan->violation = plan->unmet = 0;
  for (size_t i = 0; i < program->row_count; i++) {
    const double off = violation_of(plan, i);
    if (!is_sample(plan, i))
      plan->unmet = fmax(plan->unmet, off);
    if (off > plan->violation) {
      plan->violation = off;
      plan->worst = program->rows[i].functional;
    }
  }
}

gradyn_status gradyn_plan_evaluate(gradyn_plan *plan)
{
  const gradyn_program *program = plan->program;
  gradyn_newton *w = &plan->newton;
  const double factor = plan->scaling->objective;
  gradyn_program_parameters(program, w->at.x, plan->rho);
  GRADYN_TRY(evaluate(plan));
  w->f = factor * gradyn_program_value(program, plan->psi);
  memset(w->g, 0, program->n * sizeof *w->g);
  for (size_t i = 0; i < program->term_count; i++)
    gradyn_program_add_gradient(program, program->terms[i].functional,
                                factor * program->terms[i].weight, plan->gradient, w->g);
  for (size_t k = 0; k < plan->rows; k++) {
    const size_t i = plan->row[k];
    const double scale = plan->scaling->row[i];
    w->c[k] = scale * gradyn_program_row(program, i, plan->psi);
    (void)gradyn_program_fill_gradient(program, program->rows[i].functional,
                                       scale * program->rows[i].sign, plan->gradient,
                                       w->A + plan->start[k]);
  }
  measure_violations(plan);
  return isfinite(w->f) ? GRADYN_OK
                        : gradyn_fail(&plan->message, GRADYN_NON_FINITE,
                                      "the objective of the plan is not finite");
}

/* Sets the weights of functionals in the Lagrangian to the multipliers lam; NULL: to numbers with which no
 * entry vanishes. */
static void weigh(gradyn_plan *plan, const double lam[])
{
  const gradyn_program *program = plan->program;
  double *weight = plan->hessian.weight;
  memset(weight, 0, plan->objective.functional_count * sizeof *weight);
  for (size_t i = 0; i < program->term_count; i++)
    weight[program->terms[i].functional] += plan->scaling->objective * program->terms[i].weight;
  for (size_t k = 0; k < plan->rows; k++) {
    const gradyn_constraint *row = &program->rows[plan->row[k]];
    const double own = lam != NULL ? lam[k] : 1 + 0.5 * sin(1 + 1.7 * (double)k);
    weight[row->functional] += own * plan->scaling->row[plan->row[k]] * row->sign;
  }
}

/* Enlarges Newton's matrix for new entries of second derivatives. Keeps the current point. */
static gradyn_status widen(gradyn_plan *plan)
{
  gradyn_newton before = plan->newton;
  plan->hessian.grown = false;
  gradyn_status status = create_newton(plan);
  gradyn_newton *w = &plan->newton;
  if (status == GRADYN_OK) {
    gradyn_newton_copy(w, &before.at, &w->at);
    memcpy(w->g, before.g, w->shape.n * sizeof *w->g);
    memcpy(w->c, before.c, w->shape.m * sizeof *w->c);
    memcpy(w->A, before.A, plan->start[plan->rows] * sizeof *w->A);
    w->f = before.f;
    w->barrier = before.barrier;
    w->convexity = before.convexity;
    status = report(plan, gradyn_hessian_values(&plan->hessian, plan->rho, w->H));
  }
  gradyn_newton_clear(&before);
  return status;
}

gradyn_status gradyn_plan_curve(gradyn_plan *plan)
{
  plan->hessians++;
  weigh(plan, plan->newton.at.lam);
  GRADYN_TRY(report(plan, gradyn_hessian_values(&plan->hessian, plan->rho, plan->newton.H)));
  return plan->hessian.grown ? widen(plan) : GRADYN_OK;
}

/* Evaluates the start, chooses scales and constraints, and finds the entries of second derivatives. */
static gradyn_status prepare(gradyn_plan *plan)
{
  const gradyn_program *program = plan->program;
  memcpy(plan->rho, program->start, plan->objective.parameter_count * sizeof *plan->rho);
  GRADYN_TRY(evaluate(plan));
  if (gradyn_scaling_choose(plan->scaling, program, plan->psi, plan->gradient, false) != GRADYN_OK)
    return out_of_memory(plan);
  GRADYN_TRY(choose_rows(plan));
  weigh(plan, NULL);
  GRADYN_TRY(report(plan, gradyn_hessian_find(&plan->hessian, plan->rho)));
  plan->hessian.grown = false;
  GRADYN_TRY(create_newton(plan));
  for (size_t j = 0; j < program->n; j++)
    plan->newton.at.x[j] = gradyn_program_variable(program, j, program->start[program->varied[j]]);
  return GRADYN_OK;
}

gradyn_status gradyn_plan_create(gradyn_evaluator *whole, const gradyn_search *search,
                                 const double rho0[], gradyn_plan *out)
{
  *out = (gradyn_plan){.whole = whole};
  GRADYN_TRY(create_segments(out, search, rho0));
  GRADYN_TRY(take_parameters(out, search, rho0));
  GRADYN_TRY(add_samples(out));
  GRADYN_TRY(create_program(out, search));
  return prepare(out);
}

void gradyn_plan_clear(gradyn_plan *plan)
{
  gradyn_newton_clear(&plan->newton);
  gradyn_hessian_clear(&plan->hessian);
  gradyn_scaling_free(plan->scaling);
  gradyn_program_free(plan->program);
  gradyn_segments_clear(&plan->segments);
  gradyn_arena_clear(&plan->arena);
}
