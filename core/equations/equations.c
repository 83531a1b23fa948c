/* General equations: evaluation, derivatives by complex step.
 *
 * F(t, y, y', u, x) is a user's complex function. A derivative is the imaginary part of F at an argument
 * with i h added, divided by h = 1e-40. For a directional derivative, all arguments are perturbed at once,
 * so F_x dx costs one call. */
#include "core/equations/equations.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"

/* --- Evaluation ------------------------------------------------------------------------------- */

/* Sets real values of the signals at t. */
static void set_signals(const gradyn_equations_model *e, double t)
{
  gradyn_model *model = e->model;
  gradyn_model_signals(model, t, model->scratch.u);
  for (int k = 0; k < model->signal_count; k++)
    if (gradyn_equations_held(e, k) >= 0)
      model->scratch.u[gradyn_id(model, k)] = model->x[gradyn_equations_held(e, k)];
}

/* Sets real arguments (t, y, y', x, u) for the next calls. */
void gradyn_equations_at(gradyn_equations_model *e, double t, const double *y, const double *yp)
{
  const gradyn_model *model = e->model;
  for (int i = 0; i < e->count; i++) {
    e->y[i] = y[i];
    /* an algebraic unknown has no rate; a function that uses it anyway gets 0 */
    e->yp[i] = e->unknown[i].algebraic ? 0 : yp[i];
  }
  /* own data of the equations; derivatives perturb this copy */
  for (int k = 0; k < e->data_count; k++)
    e->data[k] = model->x[gradyn_equations_datum(e, k)];
  set_signals(e, t);
  e->t = t;
}

/* Evaluates F at the present point, and checks its values. stepped: an argument has a complex step. */
static gradyn_status call(gradyn_equations_model *e, bool stepped)
{
  const gradyn_at at = {.t = e->t,
                        .y = e->y,
                        .yp = e->yp,
                        .u = e->model->signal_count > 0 ? e->model->scratch.u : NULL,
                        .data = e->data_count > 0 ? e->data : NULL,
                        .states = e->count,
                        .signals = e->model->signal_count,
                        .data_count = e->data_count,
                        .user = e->user,
                        .model = e->model};
  /* residuals that the user's function does not set are zero */
  for (int i = 0; i < e->count; i++)
    e->F[i] = 0;
  gradyn_callback_note(e->model, e->callback, &at);
  gradyn_status status = e->residual(&at, e->F);
  if (status != GRADYN_OK)
    return gradyn_callback_failed(e->model, status, "the residual of", e->model->problem->name,
                                  creal(e->t));
  /* checked in complex numbers, so that a NaN in a derivative is reported at its origin */
  for (int i = 0; i < e->count; i++)
    if (!gradyn_is_number(e->F[i], stepped))
      return gradyn_fail(&e->model->message, GRADYN_NON_FINITE,
                         "residual %d of %s is %s at t = %g s", i, e->model->problem->name,
                         gradyn_number_fault(e->F[i]), creal(e->t));
  return GRADYN_OK;
}

/* F(t, y, y', x). */
gradyn_status gradyn_equations_residual(gradyn_equations_model *e, double t, const double *y,
                                        const double *yp, double *F)
{
  gradyn_equations_at(e, t, y, yp);
  GRADYN_TRY(call(e, false));
  for (int i = 0; i < e->count; i++)
    F[i] = creal(e->F[i]);
  return GRADYN_OK;
}

/* Takes the derivatives of F from the imaginary part of the last call. */
static void imaginary(const gradyn_equations_model *e, double *out)
{
  for (int i = 0; i < e->count; i++)
    out[i] = cimag(e->F[i]) / GRADYN_COMPLEX_STEP; /* dF = Im F(. + ih)/h */
}

gradyn_status gradyn_equations_differentiate(gradyn_equations_model *e, double *F_d)
{
  const gradyn_status status = call(e, true);
  imaginary(e, F_d);
  return status;
}

gradyn_status gradyn_equations_by_argument(gradyn_equations_model *e, gradyn_scalar *argument,
                                           double *F_a)
{
  gradyn_scalar keep = *argument;
  *argument += GRADYN_COMPLEX_STEP * I; /* h is so small that the real part of F does not change */
  const gradyn_status status = gradyn_equations_differentiate(e, F_a);
  *argument = keep;
  return status;
}

/* Computes a column of F_y or of F_y'. */
gradyn_status gradyn_equations_by_state(gradyn_equations_model *e, int i, bool rate, double *F_i)
{
  return gradyn_equations_by_argument(e, rate ? &e->yp[i] : &e->y[i], F_i);
}

gradyn_status gradyn_equations_by_colour(gradyn_equations_model *e, const int *colour, int c,
                                         bool rate, double *F_c)
{
  gradyn_scalar *slot = rate ? e->yp : e->y;
  /* columns of one colour share no row, so each entry of the sum belongs to one column */
  for (int i = 0; i < e->count; i++)
    if (colour[i] == c)
      slot[i] += GRADYN_COMPLEX_STEP * I;
  gradyn_status status = gradyn_equations_differentiate(e, F_c);
  for (int i = 0; i < e->count; i++) /* slots must be real between calls */
    slot[i] = creal(slot[i]);
  return status;
}

/* Computes the product with a whole direction in one call, because F is analytic in all arguments. */
gradyn_status gradyn_equations_by_states(gradyn_equations_model *e, const double *v, double *F_v)
{
  for (int i = 0; i < e->count; i++) {
    /* v along both arguments gives (F_y + F_y') v */
    e->y[i] += GRADYN_COMPLEX_STEP * I * v[i];
    e->yp[i] += e->unknown[i].algebraic ? 0 : GRADYN_COMPLEX_STEP * I * v[i];
  }
  gradyn_status status = call(e, true); /* Im F(y + i h v, y' + i h v)/h */
  for (int i = 0; i < e->count; i++) {
    e->y[i] = creal(e->y[i]);
    e->yp[i] = creal(e->yp[i]);
  }
  imaginary(e, F_v);
  return status;
}

gradyn_status gradyn_equations_by_datum(gradyn_equations_model *e, int k, double *F_k)
{
  return gradyn_equations_by_argument(e, &e->data[k], F_k);
}

/* Computes F_u of one signal; the caller multiplies by derivatives of u(t, x). */
gradyn_status gradyn_equations_by_signal(gradyn_equations_model *e, int k, double *F_k)
{
  return gradyn_equations_by_argument(e, &e->model->scratch.u[gradyn_id(e->model, k)], F_k);
}

gradyn_status gradyn_equations_by_time(gradyn_equations_model *e, double *F_t)
{
  gradyn_model *model = e->model;
  double t = creal(e->t);
  /* t enters directly and through signals: F_t + F_u du/dt */
  e->t += GRADYN_COMPLEX_STEP * I;
  for (int k = 0; k < model->signal_count; k++)
    if (gradyn_equations_held(e, k) < 0)
      model->scratch.u[gradyn_id(model, k)] +=
          GRADYN_COMPLEX_STEP * I * gradyn_signal_value(&model->signal[k], model->x, t, 1);
  gradyn_status status = call(e, true);
  imaginary(e, F_t);
  /* restores real arguments */
  e->t = t;
  set_signals(e, t);
  return status;
}

/* Computes F_x dx. Initial values are among the data but do not enter F. */
gradyn_status gradyn_equations_along(gradyn_equations_model *e, const double *dx, double *F_dx)
{
  gradyn_model *model = e->model;
  double t = creal(e->t);
  /* data enter directly and through signals: F_x dx + F_u u_x dx */
  for (int k = 0; k < e->data_count; k++)
    e->data[k] += GRADYN_COMPLEX_STEP * I * dx[gradyn_equations_datum(e, k)];
  for (int k = 0; k < model->signal_count; k++) {
    const int held = gradyn_equations_held(e, k);
    model->scratch.u[gradyn_id(model, k)] +=
        GRADYN_COMPLEX_STEP * I *
        (held >= 0 ? dx[held] : gradyn_signal_tangent(&model->signal[k], model->x, t, 0, dx));
  }
  gradyn_status status = call(e, true);
  imaginary(e, F_dx);
  for (int k = 0; k < e->data_count; k++)
    e->data[k] = creal(e->data[k]);
  set_signals(e, t); /* restores real values */
  return status;
}

/* Checks that F does not depend on rates of algebraic unknowns: IDAS would use a difference of such an
 * unknown as its rate. */
gradyn_status gradyn_equations_check_rates(gradyn_equations_model *e)
{
  for (int i = 0; i < e->count; i++) {
    if (!e->unknown[i].algebraic)
      continue;
    e->yp[i] = 0.7; /* not zero, where derivatives of powers vanish */
    const gradyn_status status = gradyn_equations_by_state(e, i, true, e->column);
    e->yp[i] = 0; /* restored before any return */
    GRADYN_TRY(status);
    for (int k = 0; k < e->count; k++)
      if (e->column[k] != 0)
        return gradyn_fail(
            &e->model->message, GRADYN_INVALID,
            "equation %d of %s uses the rate of %s, which is declared algebraic and has "
            "none: declare it with gradyn_state(), or use another state's rate",
            k, e->model->problem->name, e->unknown[i].name);
  }
  return GRADYN_OK;
}
