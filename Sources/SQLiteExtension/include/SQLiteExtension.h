/* The entry point by which SQLite loads the library as an extension. It is looked up by its name,
 * which SQLite makes of the file's: liboverpasskit.so. */
#ifndef SQLITE_EXTENSION_H
#define SQLITE_EXTENSION_H

struct sqlite3;
struct sqlite3_api_routines;

__attribute__((visibility("default"))) int sqlite3_overpasskit_init(
    struct sqlite3 *db, char **message, const struct sqlite3_api_routines *api);

#endif
