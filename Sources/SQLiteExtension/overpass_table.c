/* The table-valued function overpass(source, partial): a row for each feature of an answer.
 * Source: sqlite.org, "The Virtual Table Mechanism of SQLite", 2.1.2 (table-valued functions). */
#include "SQLiteExtension.h"
#include "answer.h"

#include <sqlite3ext.h>
#include <string.h>

SQLITE_EXTENSION_INIT1

/* The order of the columns in the declaration. */
enum {
  COLUMN_ID, COLUMN_TYPE, COLUMN_NAME, COLUMN_GEOMETRY_TYPE, COLUMN_TAGS, COLUMN_VERSION,
  COLUMN_TIMESTAMP, COLUMN_CHANGESET, COLUMN_UID, COLUMN_USER, COLUMN_GEOM, COLUMN_SOURCE,
  COLUMN_PARTIAL
};

static const char declaration[] =
    "CREATE TABLE overpass(id INTEGER, type TEXT, name TEXT, geometry_type TEXT, tags TEXT,"
    " version INTEGER, timestamp TEXT, changeset INTEGER, uid INTEGER, user TEXT, geom BLOB,"
    " source HIDDEN, partial HIDDEN)";

typedef struct table {
  sqlite3_vtab base;
  answer *last; /* the answer that was read last, for joins and repeated statements */
} table;

typedef struct cursor {
  sqlite3_vtab_cursor base;
  answer *answer;
  size_t row;
  opk_element element; /* of `element_row`, read when a column needs it */
  size_t element_row;
} cursor;

static int connect_table(sqlite3 *db, void *context, int count, const char *const *arguments,
                         sqlite3_vtab **out, char **message) {
  table *self;
  int status = sqlite3_declare_vtab(db, declaration);
  (void)context, (void)count, (void)arguments, (void)message;
  if (status != SQLITE_OK) return status;
  self = sqlite3_malloc64(sizeof *self);
  if (!self) return SQLITE_NOMEM;
  memset(self, 0, sizeof *self);
#ifdef SQLITE_VTAB_DIRECTONLY
  /* It reads files: a data base from elsewhere must not do that by its views and triggers. */
  sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
#endif
  *out = &self->base;
  return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *base) {
  table *self = (table *)base;
  answer_release(self->last);
  sqlite3_free(self);
  return SQLITE_OK;
}

/* The arguments of the function arrive as equations on the hidden columns. */
static int choose_plan(sqlite3_vtab *base, sqlite3_index_info *info) {
  int index, found[2] = {-1, -1};
  for (index = 0; index < info->nConstraint; index++) {
    int column = info->aConstraint[index].iColumn;
    if (column != COLUMN_SOURCE && column != COLUMN_PARTIAL) continue;
    if (info->aConstraint[index].op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (!info->aConstraint[index].usable) return SQLITE_CONSTRAINT;
    found[column - COLUMN_SOURCE] = index;
  }
  if (found[0] < 0) {
    sqlite3_free(base->zErrMsg);
    base->zErrMsg =
        sqlite3_mprintf("overpass() needs the path of an answer, or its bytes: overpass('a.json')");
    return SQLITE_ERROR;
  }
  info->idxNum = found[1] >= 0;
  for (index = 0; index < 2; index++) {
    if (found[index] < 0) continue;
    info->aConstraintUsage[found[index]].argvIndex = index + 1;
    info->aConstraintUsage[found[index]].omit = 1;
  }
  info->estimatedCost = 100000;
  info->estimatedRows = 100000;
  return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
  cursor *self = sqlite3_malloc64(sizeof *self);
  (void)base;
  if (!self) return SQLITE_NOMEM;
  memset(self, 0, sizeof *self);
  *out = &self->base;
  return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
  cursor *self = (cursor *)base;
  answer_release(self->answer);
  sqlite3_free(self);
  return SQLITE_OK;
}

/* What an argument stands for: a path as text, the bytes of an answer as a blob. */
static answer_source source_of(sqlite3_value *value, int takes_partial) {
  answer_source result = {NULL, NULL, 0, takes_partial};
  if (sqlite3_value_type(value) == SQLITE_BLOB) {
    result.bytes = sqlite3_value_blob(value);
    result.size = (size_t)sqlite3_value_bytes(value);
    if (!result.bytes) result.bytes = (const unsigned char *)"";
  } else {
    result.path = (const char *)sqlite3_value_text(value);
  }
  return result;
}

static int fail(sqlite3_vtab *base, const opk_error *error) {
  sqlite3_free(base->zErrMsg);
  base->zErrMsg = NULL;
  if (error->message[0] == 0) return SQLITE_NOMEM;
  base->zErrMsg = error->line > 0
                      ? sqlite3_mprintf("overpass(): %s (line %u, column %u)", error->message,
                                        error->line, error->column)
                      : sqlite3_mprintf("overpass(): %s", error->message);
  return SQLITE_ERROR;
}

static int start(sqlite3_vtab_cursor *base, int plan, const char *name, int count,
                 sqlite3_value **values) {
  cursor *self = (cursor *)base;
  table *owner = (table *)base->pVtab;
  opk_error error = OPK_ERROR_INIT;
  answer_source source;
  (void)name;
  answer_release(self->answer);
  self->answer = NULL;
  self->row = 0;
  self->element_row = (size_t)-1;
  /* Nothing is known of an answer that is unknown. */
  if (count < 1 || sqlite3_value_type(values[0]) == SQLITE_NULL) return SQLITE_OK;
  source = source_of(values[0], plan && count > 1 && sqlite3_value_int(values[1]) != 0);
  if (!source.path && !source.bytes) return SQLITE_NOMEM;
  if (!answer_is_of(owner->last, &source)) {
    answer *fresh = answer_new(&source, &error);
    if (!fresh) return fail(base->pVtab, &error);
    answer_release(owner->last);
    owner->last = fresh;
  }
  self->answer = answer_retain(owner->last);
  return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base) {
  ((cursor *)base)->row++;
  return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base) {
  cursor *self = (cursor *)base;
  return self->row >= answer_count(self->answer);
}

/* The element behind a row; NULL for one that the answer only mentions. */
static const opk_element *element_of(cursor *self) {
  if (self->element_row != self->row) {
    const opk_element none = OPK_ELEMENT_INIT;
    opk_feature feature = OPK_FEATURE_INIT;
    self->element = none;
    self->element_row = self->row;
    if (opk_features_get(answer_handle(self->answer),
                         answer_features(self->answer)->indices[self->row], &feature) != OPK_OK ||
        feature.element_index < 0 ||
        opk_response_element(answer_response(self->answer), (size_t)feature.element_index,
                             &self->element) != OPK_OK)
      self->element = none;
  }
  return self->element.type == 0 ? NULL : &self->element;
}

static void give_text(sqlite3_context *context, opk_str text) {
  if (text.ptr)
    sqlite3_result_text64(context, text.ptr, text.len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void give_type(sqlite3_context *context, cursor *self) {
  static const char *const names[] = {NULL, "node", "way", "relation", "area"};
  unsigned type = answer_features(self->answer)->types[self->row];
  const opk_element *element;
  if (type < sizeof names / sizeof *names && names[type]) {
    sqlite3_result_text(context, names[type], -1, SQLITE_STATIC);
    return;
  }
  element = element_of(self);
  if (element) give_text(context, element->type_name);
}

static void give_geometry_type(sqlite3_context *context, unsigned kind) {
  static const char *const names[] = {NULL, "POINT", "LINESTRING", "POLYGON", "MULTIPOINT",
                                      "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION"};
  if (kind < sizeof names / sizeof *names && names[kind])
    sqlite3_result_text(context, names[kind], -1, SQLITE_STATIC);
}

static void give_geometry(sqlite3_context *context, cursor *self) {
  opk_bytes *wkb = NULL;
  size_t index = answer_features(self->answer)->indices[self->row];
  if (opk_features_wkb(answer_handle(self->answer), index, &wkb, NULL) != OPK_OK) return;
  sqlite3_result_blob64(context, opk_bytes_data(wkb), opk_bytes_size(wkb), SQLITE_TRANSIENT);
  opk_bytes_free(wkb);
}

/* Days since 1970 as a date of the Gregorian calendar, with the year beginning in March. */
static void give_timestamp(sqlite3_context *context, int64_t seconds) {
  int64_t days = seconds / 86400, rest = seconds % 86400;
  int64_t era, day, year_of_era, day_of_year, month;
  char text[40];
  if (rest < 0) rest += 86400, days--;
  days += 719468;
  era = (days >= 0 ? days : days - 146096) / 146097;
  day = days - era * 146097;
  year_of_era = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  month = (5 * day_of_year + 2) / 153;
  sqlite3_snprintf(sizeof text, text, "%04lld-%02d-%02dT%02d:%02d:%02dZ",
                   (long long)(year_of_era + era * 400 + (month >= 10)),
                   (int)(month < 10 ? month + 3 : month - 9),
                   (int)(day_of_year - (153 * month + 2) / 5 + 1), (int)(rest / 3600),
                   (int)(rest / 60 % 60), (int)(rest % 60));
  sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void give_metadata(sqlite3_context *context, cursor *self, int column) {
  const opk_element *element = element_of(self);
  uint32_t has = element ? element->has : 0;
  if (column == COLUMN_VERSION && has & OPK_HAS_VERSION)
    sqlite3_result_int(context, element->version);
  else if (column == COLUMN_TIMESTAMP && has & OPK_HAS_TIMESTAMP)
    give_timestamp(context, element->timestamp);
  else if (column == COLUMN_CHANGESET && has & OPK_HAS_CHANGESET)
    sqlite3_result_int64(context, element->changeset);
  else if (column == COLUMN_UID && has & OPK_HAS_UID)
    sqlite3_result_int64(context, element->uid);
  else if (column == COLUMN_USER && has & OPK_HAS_USER)
    give_text(context, element->user);
}

static int give_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
  cursor *self = (cursor *)base;
  const opk_feature_arrays *all = answer_features(self->answer);
  char *json;
  /* Nothing would be asked for behind the end; better safe. A value not given is NULL. */
  if (is_at_end(base)) return SQLITE_OK;
  switch (column) {
    case COLUMN_ID:
      if (all->ids[self->row] != 0) sqlite3_result_int64(context, all->ids[self->row]);
      break;
    case COLUMN_TYPE: give_type(context, self); break;
    case COLUMN_NAME: give_text(context, answer_tag(self->answer, self->row, "name")); break;
    case COLUMN_GEOMETRY_TYPE: give_geometry_type(context, all->kinds[self->row]); break;
    case COLUMN_TAGS:
      json = answer_tags_json(self->answer, self->row);
      if (!json) return SQLITE_NOMEM;
      sqlite3_result_text64(context, json, strlen(json), sqlite3_free, SQLITE_UTF8);
      break;
    case COLUMN_GEOM: give_geometry(context, self); break;
    case COLUMN_SOURCE:
    case COLUMN_PARTIAL: break;
    default: give_metadata(context, self, column);
  }
  return SQLITE_OK;
}

static int give_row(sqlite3_vtab_cursor *base, sqlite3_int64 *out) {
  *out = (sqlite3_int64)((cursor *)base)->row;
  return SQLITE_OK;
}

/* Without a function to create tables, the module is a table-valued function only. */
static const sqlite3_module module = {
    .iVersion = 1,
    .xConnect = connect_table,
    .xBestIndex = choose_plan,
    .xDisconnect = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = start,
    .xNext = next,
    .xEof = is_at_end,
    .xColumn = give_column,
    .xRowid = give_row,
};

static void give_version(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count, (void)values;
  sqlite3_result_text(context, opk_version_string(), -1, SQLITE_STATIC);
}

int sqlite3_overpasskit_init(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
  int status;
  (void)message;
  SQLITE_EXTENSION_INIT2(api);
  status = sqlite3_create_function(db, "overpasskit_version", 0,
                                   SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
                                   give_version, NULL, NULL);
  return status == SQLITE_OK ? sqlite3_create_module(db, "overpass", &module, NULL) : status;
}
