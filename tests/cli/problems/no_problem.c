/* A shared object without a problem. */
int no_problem(void);
int no_problem(void)
{
  return 1;
}
