/* Conversion between the time since the start of an arc and the time of the run. */
#include "dae/idas/arc_time.h"

#include <math.h>

void gradyn_idas_enter_time(gradyn_idas *s, int k)
{
  s->begin = s->arcs.boundary[k].t;
  s->end = s->arcs.boundary[k + 1].t;
}

double gradyn_idas_time(const gradyn_idas *s, double since)
{
  /* the end of the arc is returned exactly, although the sum may differ from it by round-off */
  return since < s->end - s->begin ? s->begin + since : s->end;
}

double gradyn_idas_since(const gradyn_idas *s, double t)
{
  sunrealtype now = 0, step = 0;
  IDAGetCurrentTime(s->ida, &now);
  IDAGetLastStep(s->ida, &step);
  /* t has more round-off than times within the last step, so the result is limited to this step */
  return fmin(fmax(t - s->begin, now - step), now);
}

double gradyn_idas_reached(const gradyn_idas *s, void *ida)
{
  sunrealtype since = 0;
  IDAGetCurrentTime(ida, &since);
  return gradyn_idas_time(s, since);
}

int gradyn_idas_advance(gradyn_idas *s)
{
  const double end = s->end - s->begin;
  sunrealtype since = s->t - s->begin;
  int checkpoints;
  const int flag = s->observer.stores
                       ? IDASolveF(s->ida, end, &since, s->sun.y, s->sun.yp, IDA_ONE_STEP,
                                   &checkpoints)
                       : IDASolve(s->ida, end, &since, s->sun.y, s->sun.yp, IDA_ONE_STEP);
  s->t = gradyn_idas_time(s, since);
  return flag;
}
