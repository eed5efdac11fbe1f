/* What is near a place? Writes the query for an Overpass server, then reads the server's answer.
 *
 *   nearby LAT LON          prints the query
 *   nearby LAT LON ANSWER   lists the named features of the answer, nearest first
 *
 *   cc -std=c99 -o nearby nearby.c $(pkg-config --cflags --libs overpasskit) -lm
 *   nearby 60.1699 24.9384 | curl --data-binary @- SERVER/api/interpreter > answer.json
 *   nearby 60.1699 24.9384 answer.json
 *
 * Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the answer is not whole.
 */
#include <overpasskit.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DONE = 0, FAILED = 1, USAGE = 2, PARTIAL = 3 };

static const double RADIUS_METRES = 500;
static const double METRES_PER_DEGREE = 111195;

typedef struct place {
  double lat, lon;
} place;

/* A feature and how far away its nearest corner is. */
typedef struct find {
  size_t index;
  double metres;
} find;

static int report(const char *what, const opk_error *error) {
  fprintf(stderr, "nearby: %s: %s", what, error->message);
  if (error->line > 0) fprintf(stderr, " (line %u, column %u)", error->line, error->column);
  fputc('\n', stderr);
  return FAILED;
}

static int print_query(place here) {
  opk_error error = OPK_ERROR_INIT;
  opk_query *query = opk_query_new(OPK_NODES | OPK_WAYS | OPK_RELATIONS);
  opk_bytes *text = NULL;
  int result = DONE;
  if (opk_query_add_tag(query, OPK_TAG_EXISTS, "name", NULL, 0, &error) ||
      opk_query_set_around(query, here.lat, here.lon, RADIUS_METRES, &error) ||
      opk_query_set_output(query, OPK_OUTPUT_GEOMETRY, &error) ||
      opk_query_render_ql(query, 0, &text, &error)) {
    result = report("query", &error);
  } else {
    fwrite(opk_bytes_data(text), 1, opk_bytes_size(text), stdout);
    putchar('\n');
  }
  opk_bytes_free(text);
  opk_query_free(query);
  return result;
}

/* Good enough for the few hundred metres that matter here. */
static double distance(place here, opk_position there) {
  double degrees = 3.14159265358979323846 / 180;
  double north = there.lat_e7 / 1e7 - here.lat;
  double east = (there.lon_e7 / 1e7 - here.lon) * cos(here.lat * degrees);
  return METRES_PER_DEGREE * sqrt(north * north + east * east);
}

/* How far the nearest corner of a feature is; infinite when it has no geometry. */
static double feature_distance(const opk_features *features, size_t index, place here) {
  opk_geometry *geometry = NULL;
  const opk_position *positions;
  size_t count, each;
  double nearest = HUGE_VAL;
  if (opk_features_geometry(features, index, &geometry, NULL)) return nearest;
  positions = opk_geometry_positions(geometry, &count);
  for (each = 0; each < count; each++) {
    double metres = distance(here, positions[each]);
    if (metres < nearest) nearest = metres;
  }
  opk_geometry_free(geometry);
  return nearest;
}

/* The value of a tag; ptr NULL when the feature does not have it. */
static opk_str tag_value(const opk_features *features, size_t index, const char *wanted) {
  opk_str key, value, none = {NULL, 0};
  size_t tag;
  for (tag = 0; opk_features_tag(features, index, tag, &key, &value) == OPK_OK; tag++)
    if (key.len == strlen(wanted) && memcmp(key.ptr, wanted, key.len) == 0) return value;
  return none;
}

static int by_distance(const void *left, const void *right) {
  double a = ((const find *)left)->metres, b = ((const find *)right)->metres;
  return (a > b) - (a < b);
}

static void print_feature(const opk_features *features, find found) {
  static const char *const kinds[] = {"nothing",    "point",     "line",          "area",
                                      "points",     "lines",     "areas",         "collection"};
  opk_feature feature = OPK_FEATURE_INIT;
  opk_str name = tag_value(features, found.index, "name");
  if (opk_features_get(features, found.index, &feature) || feature.geometry_kind > 7) return;
  printf("%7.0f m  %-10s %.*s/%lld  %.*s\n", found.metres, kinds[feature.geometry_kind],
         (int)feature.type_name.len, feature.type_name.ptr, (long long)feature.id, (int)name.len,
         name.ptr);
}

static int list_features(const opk_features *features, place here) {
  size_t count = opk_features_count(features), index, found = 0;
  find *finds = malloc((count + 1) * sizeof *finds);
  if (!finds) return FAILED;
  for (index = 0; index < count; index++) {
    if (!tag_value(features, index, "name").ptr) continue;
    finds[found].index = index;
    finds[found].metres = feature_distance(features, index, here);
    if (finds[found].metres < HUGE_VAL) found++;
  }
  qsort(finds, found, sizeof *finds, by_distance);
  for (index = 0; index < found; index++) print_feature(features, finds[index]);
  free(finds);
  return DONE;
}

/* Says on standard error what the server remarked. */
static int completeness(const opk_response *response) {
  size_t index;
  for (index = 0; index < opk_response_remark_count(response); index++) {
    opk_str remark = opk_response_remark(response, index);
    fprintf(stderr, "nearby: the server says: %.*s\n", (int)remark.len, remark.ptr);
  }
  return opk_response_is_complete(response) == 1 ? DONE : PARTIAL;
}

static int read_answer(const char *path, place here) {
  opk_error error = OPK_ERROR_INIT;
  opk_response *response = NULL;
  opk_features *features = NULL;
  int result;
  if (opk_response_decode_file(path, NULL, &response, &error) ||
      opk_features_build(response, NULL, &features, &error)) {
    result = report(path, &error);
  } else {
    result = list_features(features, here);
    if (result == DONE) result = completeness(response);
  }
  opk_features_free(features);
  opk_response_free(response);
  return result;
}

int main(int count, char **arguments) {
  place here;
  char *end_of_lat, *end_of_lon;
  if (count == 3 || count == 4) {
    here.lat = strtod(arguments[1], &end_of_lat);
    here.lon = strtod(arguments[2], &end_of_lon);
    if (*arguments[1] && !*end_of_lat && *arguments[2] && !*end_of_lon)
      return count == 3 ? print_query(here) : read_answer(arguments[3], here);
  }
  fputs("usage: nearby LAT LON [ANSWER]\n", stderr);
  return USAGE;
}
