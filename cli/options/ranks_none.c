/* Functions for a build without MPI: there is one process. */
#include "cli/options/ranks.h"

#include <stdlib.h>

void cli_ranks_join(void)
{
}

bool cli_ranks_expected(void)
{
  const char *size = getenv("OMPI_COMM_WORLD_SIZE");
  return size && strtol(size, NULL, 10) > 1;
}

bool cli_ranks_several(void)
{
  return false;
}

bool cli_ranks_helper(void)
{
  return false;
}

void cli_ranks_invite(const char *folder)
{
  (void)folder;
}

char *cli_ranks_invitation(void)
{
  return NULL;
}

void cli_ranks_share(gradyn_workers *workers)
{
  (void)workers;
}

void cli_ranks_attend(void)
{
}

void cli_ranks_leave(void)
{
}

int cli_ranks_end(int status)
{
  return status;
}
