/* For wheels (scripts/wheel.sh), included before every file: functions that glibc has renewed since 2.34, by the
 * version that 2.34 has, too. The numbers are the same; the older one sets errno. */
#if defined(__x86_64__)
__asm__(".symver hypot, hypot@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver hypot, hypot@GLIBC_2.17");
#endif
