/* Benchmark: a file with an Overpass JSON answer becomes a GeoJSON file, whole process, from C.
 * usage: convert ANSWER.json OUT.geojson */
#include <overpasskit.h>
#include <stdio.h>

int main(int count, char **arguments) {
  opk_error err = OPK_ERROR_INIT;
  opk_response *response = NULL;
  opk_features *features = NULL;
  if (count != 3) return 2;
  if (opk_response_decode_file(arguments[1], NULL, &response, &err) ||
      opk_features_build(response, NULL, &features, &err) ||
      opk_features_write_geojson_file(features, NULL, arguments[2], &err)) {
    fprintf(stderr, "%s\n", err.message);
    return 1;
  }
  opk_features_free(features);
  opk_response_free(response);
  return 0;
}
