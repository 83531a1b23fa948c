/* Wall-clock time for statistics. */
#ifndef GRADYN_CORE_CLOCK_H
#define GRADYN_CORE_CLOCK_H

/* Returns the seconds since a fixed, unspecified time, by a clock that is never set back. */
double gradyn_seconds(void);

#endif
