/* When a constraint holds. */
#ifndef GRADYN_MBS_WHEN_H
#define GRADYN_MBS_WHEN_H

/* In the motion, at its start, or at impacts, as the gap of a contact. Rows stand in this order. */
typedef enum mbs_when { MBS_IN_MOTION, MBS_AT_START, MBS_AT_IMPACTS, MBS_WHENS } mbs_when;

#endif
