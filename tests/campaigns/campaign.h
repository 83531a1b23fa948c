/* Begins what would be main() of a campaign: arguments argc and argv, as of main(), argv[0] the name. */
#ifndef GRADYN_TESTS_CAMPAIGNS_CAMPAIGN_H
#define GRADYN_TESTS_CAMPAIGNS_CAMPAIGN_H

#define CAMPAIGN(name)                                                                             \
  int campaign_##name(int argc, char *argv[]);                                                     \
  int campaign_##name(int argc, char *argv[])

#endif
