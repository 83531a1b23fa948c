/* Cross sections of beams: area, second moment and reach. The numbers are complex, so that derivatives by
 * dimensions follow by complex step. */
#include <gradyn/mechanism.h>

#define PI 3.14159265358979323846

gradyn_section gradyn_section_tube(gradyn_scalar outer, gradyn_scalar inner)
{
  /* R^2 - r^2 as a product: accurate for thin walls */
  const gradyn_scalar area = PI * (outer - inner) * (outer + inner); /* pi (R^2 - r^2) */
  /* A (R^2 + r^2)/4 */
  return (gradyn_section){area, area * (outer * outer + inner * inner) / 4, outer};
}

gradyn_section gradyn_section_rectangle(gradyn_scalar width, gradyn_scalar height)
{
  /* b h^3/12, reach h/2 */
  return (gradyn_section){width * height, width * height * height * height / 12, height / 2};
}
