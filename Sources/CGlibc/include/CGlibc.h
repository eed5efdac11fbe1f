// Nothing to call: the link step of the shared library puts these in the place of hypot and hypotf.
#ifndef OPK_CGLIBC_H
#define OPK_CGLIBC_H

double __wrap_hypot(double x, double y);
float __wrap_hypotf(float x, float y);

#endif
