// Tells answers of Overpass from other files.
#ifndef OVERPASS_IDENTIFY_H
#define OVERPASS_IDENTIFY_H

#include "opk.h"

namespace overpass {

constexpr const char *prefix = "OVERPASS:";

/** GDAL's answer for a file: TRUE, FALSE, or GDAL_IDENTIFY_UNKNOWN where only decoding can tell. */
int identify(GDALOpenInfo *info);

}  // namespace overpass

#endif
