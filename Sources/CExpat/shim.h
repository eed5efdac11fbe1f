// expat, the XML parser, as a Clang module.
#include <expat.h>
