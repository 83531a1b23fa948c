/* Arrays of one arena: zero, disjoint, aligned, and released together. */
#include "tests/support.h"

#include <stdint.h>

#include "core/linear/arena.h"

/* Arrays of all kinds and lengths keep the values written into them. */
TEST(test_arrays_are_zero_and_apart)
{
  enum { ARRAYS = 60 };
  gradyn_arena arena = {0};
  unsigned char *array[ARRAYS];
  size_t bytes[ARRAYS];
  for (int k = 0; k < ARRAYS; k++) {
    const size_t count = (size_t)(k % 7) + (size_t)k * (size_t)k;
    bytes[k] = count * (k % 3 == 0 ? 1 : k % 3 == 1 ? sizeof(double) : sizeof(gradyn_lanes));
    array[k] = k % 3 == 0   ? gradyn_arena_take(&arena, count, 1)
               : k % 3 == 1 ? (unsigned char *)gradyn_arena_numbers(&arena, count)
                            : (unsigned char *)gradyn_arena_lanes(&arena, count);
    assert_non_null(array[k]);
    if (k % 3 == 2)
      assert_int_equal((uintptr_t)array[k] % sizeof(gradyn_lanes), 0);
    for (size_t i = 0; i < bytes[k]; i++)
      assert_int_equal(array[k][i], 0);
    memset(array[k], k + 1, bytes[k]);
  }
  assert_int_equal(gradyn_arena_status(&arena), GRADYN_OK);
  for (int k = 0; k < ARRAYS; k++)
    for (size_t i = 0; i < bytes[k]; i++)
      assert_int_equal(array[k][i], k + 1);
  gradyn_arena_clear(&arena);
  gradyn_arena_clear(&arena); /* an empty one, too */
}

/* A request that is too large is reported at the end, and leaves nothing to be released. */
TEST(test_a_request_too_large)
{
  static const size_t size[] = {1, sizeof(double), 48};
  for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
    LOCAL(gradyn_arena) arena = {0};
    assert_non_null(gradyn_arena_numbers(&arena, 3));
    assert_null(gradyn_arena_take(&arena, SIZE_MAX / size[k], size[k]));
    assert_null(gradyn_arena_numbers(&arena, 3)); /* nor anything behind it */
    assert_null(gradyn_arena_lanes(&arena, 3));
    assert_int_equal(gradyn_arena_status(&arena), GRADYN_NO_MEMORY);
    gradyn_arena_clear(&arena);
    assert_int_equal(gradyn_arena_status(&arena), GRADYN_OK);
    assert_null(gradyn_arena_lanes(&arena, SIZE_MAX / sizeof(gradyn_lanes)));
    gradyn_arena_clear(&arena);
    assert_non_null(gradyn_arena_lanes(&arena, 0));
  }
}

/* After rewind(), the same requests get the same memory, all zero; different requests get new memory. */
TEST(rewound_arrays_are_the_same_and_zero)
{
  LOCAL(gradyn_arena) arena = {0};
  double *a = gradyn_arena_numbers(&arena, 5), *b = gradyn_arena_numbers(&arena, 5);
  gradyn_lanes *c = gradyn_arena_lanes(&arena, 2);
  for (int i = 0; i < 5; i++)
    a[i] = b[i] = 7;
  gradyn_arena_rewind(&arena);
  assert_ptr_equal(gradyn_arena_numbers(&arena, 5), a);
  assert_ptr_equal(gradyn_arena_numbers(&arena, 5), b);
  assert_ptr_equal(gradyn_arena_lanes(&arena, 2), c);
  for (int i = 0; i < 5; i++)
    assert_true(a[i] == 0 && b[i] == 0);
  gradyn_arena_rewind(&arena);
  assert_ptr_equal(gradyn_arena_numbers(&arena, 5), a);
  c = gradyn_arena_lanes(&arena, 20); /* numbers are next */
  assert_int_equal((uintptr_t)c % sizeof(gradyn_lanes), 0);
  memset(c, 1, 20 * sizeof *c);
  gradyn_arena_rewind(&arena);
  assert_ptr_equal(gradyn_arena_numbers(&arena, 5), a);
  assert_ptr_equal(gradyn_arena_lanes(&arena, 20), c);
  assert_int_equal(gradyn_arena_status(&arena), GRADYN_OK);
}
