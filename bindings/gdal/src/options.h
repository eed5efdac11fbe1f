// The open options of the driver, checked.
#ifndef OVERPASS_OPTIONS_H
#define OVERPASS_OPTIONS_H

#include "opk.h"

#include <vector>

namespace overpass {

/** Which tags get columns of their own. */
struct TagColumns {
  enum class Choice { usual, named, frequent } choice = Choice::usual;
  std::vector<std::string> names;
  size_t count = 0;  // of the most frequent ones
};

struct Options {
  bool oneLayer = false;
  TagColumns tags;
  bool json = false;
  bool metadata = false;
  bool strict = false;
  std::string application;
  std::string cacheFolder;
  double cacheMaxAge = 0;
  double maxWait = 0;
};

/** The list of options as GDAL shows it. */
extern const char *const optionList;

/** Reads open options; reports a value that makes no sense and gives false. */
bool readOptions(CSLConstList given, Options &options);

}  // namespace overpass

#endif
