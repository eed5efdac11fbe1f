// Asks glibc for the hypot that all its versions have. glibc 2.35 gave the function, which no longer
// sets errno, another version; a library that is linked there would not load with an older one for
// nothing but this.

#include "CGlibc.h"

#include <stdlib.h>

// Where the link step has --wrap; see Package.swift.
#if defined(__linux__) && !defined(__ANDROID__)
#if defined(__GLIBC__) && defined(__x86_64__)
double opk_old_hypot(double x, double y);
float opk_old_hypotf(float x, float y);
__asm__(".symver opk_old_hypot, hypot@GLIBC_2.2.5");
__asm__(".symver opk_old_hypotf, hypotf@GLIBC_2.2.5");
#else
double opk_old_hypot(double x, double y) __asm__("__real_hypot");
float opk_old_hypotf(float x, float y) __asm__("__real_hypotf");
#endif

double __wrap_hypot(double x, double y) { return opk_old_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return opk_old_hypotf(x, y); }
#endif
