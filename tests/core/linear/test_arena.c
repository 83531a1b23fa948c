/* Arrays with one life: zero, apart from each other, aligned, and released together. */
#include "tests/support.h"

#include <stdint.h>

#include "core/linear/arena.h"

/* Arrays of all kinds and of any length keep what is written into them. */
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

/* What cannot be met is known at the end, and leaves nothing to be released. */
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
