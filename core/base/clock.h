/* Wall-clock time for statistics. */
#ifndef GRADYN_CORE_CLOCK_H
#define GRADYN_CORE_CLOCK_H

/* Seconds since some fixed instant. */
double gradyn_seconds(void);

#endif
