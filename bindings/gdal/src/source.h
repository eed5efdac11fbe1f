// Where answers come from: files of GDAL's file systems, and servers.
#ifndef OVERPASS_SOURCE_H
#define OVERPASS_SOURCE_H

#include "options.h"

namespace overpass {

/** What is to be opened, after the prefix. */
struct Source {
  std::string place;  // a path, or a server's name or URL
  std::string query;  // empty for files that hold an answer
};

Source parseSource(const char *name);

/** Whether what follows the prefix names a server. */
bool isServer(const std::string &place);

/** Reads an answer from any file that GDAL can open. NULL, with the error, when that fails. */
Response readFile(const std::string &path, VSILFILE *file, const Options &options,
                  opk_error &error);

/** Asks a server. NULL, with the error, when that fails. */
Response ask(const Source &source, const Options &options, opk_error &error);

}  // namespace overpass

#endif
