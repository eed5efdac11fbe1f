/* Benchmark: the features of an answer in each format, given to a function that counts the bytes.
 * Prints a line for each: its name, megabytes, and the least CPU seconds of five runs.
 * usage: formats ANSWER.json */
#define _POSIX_C_SOURCE 199309L
#include <overpasskit.h>
#include <stdio.h>
#include <time.h>

static double cpu_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int32_t count(void *context, const uint8_t *bytes, size_t len) {
  (void)bytes;
  *(size_t *)context += len;
  return 0;
}

int main(int argument_count, char **arguments) {
  static const char *const names[] = {"GeoJSON", "GeoJSONSeq", "GeoJSONLines", "GPX",
                                      "KML",     "CSV",        "TSV",          "CSVT",
                                      "WKT",     "EWKT",       "WKB",          "EWKB"};
  static const char *const columns[] = {"osm_type", "osm_id", "lon", "lat", "name", "highway",
                                        "building", "osm_tags"};
  opk_error err = OPK_ERROR_INIT;
  opk_response *response = NULL;
  opk_features *features = NULL;
  uint32_t format;
  if (argument_count != 2) return 2;
  if (opk_response_decode_file(arguments[1], NULL, &response, &err) ||
      opk_features_build(response, NULL, &features, &err)) {
    fprintf(stderr, "%s\n", err.message);
    return 1;
  }
  for (format = OPK_FORMAT_GEOJSON; format <= OPK_FORMAT_EWKB; format++) {
    opk_features_write_options options = OPK_FEATURES_WRITE_OPTIONS_INIT;
    double best = 1e9;
    size_t size = 0;
    int run;
    options.format = format;
    options.columns = columns;
    options.column_count = sizeof columns / sizeof *columns;
    for (run = 0; run < 5; run++) {
      double start = cpu_seconds(), took;
      size = 0;
      if (opk_features_write_call(features, &options, count, &size, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
      }
      took = cpu_seconds() - start;
      if (took < best) best = took;
    }
    printf("%s %.3f %.4f\n", names[format - OPK_FORMAT_GEOJSON], (double)size / 1e6, best);
  }
  opk_features_free(features);
  opk_response_free(response);
  return 0;
}
