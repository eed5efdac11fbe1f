/* Features in all formats, to memory, files, descriptors and functions; sequences read by json-c. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "opk_json.h"
#include <unistd.h>

static opk_features *drawn(const char *name) {
  opk_response *response = decoded(name);
  opk_features *features = NULL;
  CHECK_STATUS(opk_features_build(response, NULL, &features, NULL), OPK_OK);
  opk_response_free(response);
  return features;
}

static opk_features *drawn_text(const char *text) {
  opk_response *response = NULL;
  opk_features *features = NULL;
  CHECK_STATUS(opk_response_decode((const uint8_t *)text, strlen(text), NULL, &response, NULL),
               OPK_OK);
  CHECK_STATUS(opk_features_build(response, NULL, &features, NULL), OPK_OK);
  opk_response_free(response);
  return features;
}

static opk_bytes *written(const opk_features *features, uint32_t format) {
  opk_features_write_options options = OPK_FEATURES_WRITE_OPTIONS_INIT;
  opk_bytes *bytes = NULL;
  options.format = format;
  CHECK_STATUS(opk_features_write(features, &options, &bytes, NULL), OPK_OK);
  return bytes;
}

static int same_bytes(const opk_bytes *a, const opk_bytes *b) {
  size_t size = opk_bytes_size(a);
  return size == opk_bytes_size(b) && memcmp(opk_bytes_data(a), opk_bytes_data(b), size) == 0;
}

static int is_bytes(const opk_bytes *bytes, const void *expected, size_t size) {
  return opk_bytes_size(bytes) == size && memcmp(opk_bytes_data(bytes), expected, size) == 0;
}

TEST(test_sequences_hold_the_features_of_the_collection) {
  opk_features *features = drawn("overpass-json/kinds.json");
  json_object *collection = parse_block(written(features, OPK_FORMAT_GEOJSON));
  json_object *expected = member(collection, "features");
  uint32_t format;
  for (format = OPK_FORMAT_GEOJSON_SEQ; format <= OPK_FORMAT_GEOJSON_LINES; format++) {
    opk_bytes *bytes = written(features, format);
    const char *text = (const char *)opk_bytes_data(bytes), *end = text + opk_bytes_size(bytes);
    size_t count = 0;
    while (text < end) {
      const char *line_end = memchr(text, '\n', (size_t)(end - text));
      json_object *feature;
      CHECK(line_end != NULL);
      if (!line_end) break;
      if (format == OPK_FORMAT_GEOJSON_SEQ) CHECK(*text++ == 0x1E);
      feature = parse_json(text, (size_t)(line_end - text));
      CHECK(same_json(feature, json_object_array_get_idx(expected, count)));
      json_object_put(feature);
      count++;
      text = line_end + 1;
    }
    CHECK_INT(count, json_object_array_length(expected));
    opk_bytes_free(bytes);
  }
  json_object_put(collection);
  opk_features_free(features);
}

/* Adds what it is given to a file; refuses once `room` bytes are used up. */
struct taker {
  FILE *file;
  size_t room, calls;
};

static int32_t take(void *context, const uint8_t *bytes, size_t len) {
  struct taker *taker = context;
  taker->calls++;
  if (len == 0 || len > taker->room) return 7;
  taker->room -= len;
  return fwrite(bytes, 1, len, taker->file) == len ? 0 : 1;
}

/* Whether a file holds these bytes; removes it. */
static void check_file(const char *path, const opk_bytes *expected) {
  size_t size = opk_bytes_size(expected);
  char *content = malloc(size + 1);
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL && content != NULL);
  if (file && content) {
    CHECK_INT(fread(content, 1, size + 1, file), size);
    CHECK(memcmp(content, opk_bytes_data(expected), size) == 0);
    fclose(file);
  }
  free(content);
  unlink(path);
}

TEST(test_all_targets_get_the_same) {
  opk_features *features = drawn("overpass-json/kinds.json");
  opk_features_write_options options = OPK_FEATURES_WRITE_OPTIONS_INIT;
  for (options.format = OPK_FORMAT_GEOJSON; options.format <= OPK_FORMAT_EWKB; options.format++) {
    opk_bytes *expected = written(features, options.format);
    char path[] = "/tmp/opk-test-formats-XXXXXX";
    int file = mkstemp(path);
    struct taker taker = {NULL, SIZE_MAX, 0};
    CHECK(file >= 0 && opk_bytes_size(expected) > 0);
    CHECK_STATUS(opk_features_write_fd(features, &options, file, NULL), OPK_OK);
    close(file);
    check_file(path, expected);
    CHECK_STATUS(opk_features_write_file(features, &options, path, NULL), OPK_OK);
    check_file(path, expected);
    taker.file = fopen(path, "wb");
    CHECK_STATUS(opk_features_write_call(features, &options, take, &taker, NULL), OPK_OK);
    CHECK(taker.calls > 0);
    fclose(taker.file);
    check_file(path, expected);
    opk_bytes_free(expected);
  }
  opk_features_free(features);
}

TEST(test_targets_that_refuse) {
  opk_features *features = drawn("overpass-json/kinds.json");
  opk_error error = OPK_ERROR_INIT;
  struct taker taker = {NULL, 0, 0};
  CHECK_STATUS(opk_features_write_call(features, NULL, take, &taker, &error), OPK_ERR_FILE_WRITE);
  CHECK(strstr(error.message, "(7)") != NULL);
  CHECK_INT(taker.calls, 1);
  CHECK_STATUS(opk_features_write_file(features, NULL, "/nowhere/at/all", &error),
               OPK_ERR_FILE_OPEN);
  CHECK_STATUS(opk_features_write_file(features, NULL, "/dev/full", &error), OPK_ERR_FILE_WRITE);
  CHECK_STATUS(opk_features_write_fd(features, NULL, -1, &error), OPK_ERR_FILE_WRITE);
  opk_features_free(features);
}

TEST(test_tables) {
  opk_features *features = drawn_text(
      "{\"elements\":[{\"type\":\"node\",\"id\":1,\"lat\":2,\"lon\":-1,"
      "\"tags\":{\"a\":\"=1\",\"b\":\"x,y\"}}]}");
  const char *columns[] = {"osm_id", "lon", "a", "b", "tag:lon"};
  opk_features_write_options options = OPK_FEATURES_WRITE_OPTIONS_INIT;
  opk_bytes *bytes = NULL;
  const char *safe = "osm_id,lon,a,b,tag:lon\r\n1,-1,'=1,\"x,y\",\r\n";
  const char *plain = "1\t-1\t=1\tx,y\t\n";
  const char *types = "\"Integer64\",\"CoordX\",\"String\",\"String\",\"String\"\n";
  options.format = OPK_FORMAT_CSV;
  options.columns = columns;
  options.column_count = 5;
  CHECK_STATUS(opk_features_write(features, &options, &bytes, NULL), OPK_OK);
  CHECK(is_bytes(bytes, safe, strlen(safe)));
  opk_bytes_free(bytes);
  options.format = OPK_FORMAT_TSV;
  options.flags = OPK_WRITE_NO_HEADINGS | OPK_WRITE_KEEP_FORMULAS;
  CHECK_STATUS(opk_features_write(features, &options, &bytes, NULL), OPK_OK);
  CHECK(is_bytes(bytes, plain, strlen(plain)));
  opk_bytes_free(bytes);
  options.format = OPK_FORMAT_CSVT;
  CHECK_STATUS(opk_features_write(features, &options, &bytes, NULL), OPK_OK);
  CHECK(is_bytes(bytes, types, strlen(types)));
  opk_bytes_free(bytes);
  columns[1] = "osm_id";
  CHECK_STATUS(opk_features_write(features, &options, &bytes, NULL), OPK_ERR_MISUSE);
  columns[1] = NULL;
  CHECK_STATUS(opk_features_write(features, &options, &bytes, NULL), OPK_ERR_MISUSE);
  options.columns = NULL;
  CHECK_STATUS(opk_features_write(features, &options, &bytes, NULL), OPK_ERR_MISUSE);
  CHECK(bytes == NULL);
  opk_features_free(features);
}

TEST(test_well_known_forms) {
  opk_features *features = drawn_text(
      "{\"elements\":[{\"type\":\"node\",\"id\":1,\"lat\":2,\"lon\":1,\"tags\":{\"a\":\"b\"}}]}");
  const char *wkt = "POINT (1 2)", *ewkt = "SRID=4326;POINT (1 2)";
  const uint8_t ewkb_head[] = {1, 1, 0, 0, 0x20, 0xE6, 0x10, 0, 0};
  opk_geometry *geometry = NULL;
  opk_bytes *bytes = NULL, *plain = NULL, *of_feature = NULL;
  CHECK_STATUS(opk_features_geometry(features, 0, &geometry, NULL), OPK_OK);
  CHECK_STATUS(opk_geometry_wkt(geometry, &bytes, NULL), OPK_OK);
  CHECK(is_bytes(bytes, wkt, strlen(wkt)));
  opk_bytes_free(bytes);
  CHECK_STATUS(opk_geometry_ewkt(geometry, &bytes, NULL), OPK_OK);
  CHECK(is_bytes(bytes, ewkt, strlen(ewkt)));
  opk_bytes_free(bytes);
  CHECK_STATUS(opk_geometry_wkb(geometry, &plain, NULL), OPK_OK);
  CHECK_STATUS(opk_features_wkb(features, 0, &of_feature, NULL), OPK_OK);
  CHECK(same_bytes(plain, of_feature));
  CHECK_STATUS(opk_geometry_ewkb(geometry, &bytes, NULL), OPK_OK);
  CHECK_INT(opk_bytes_size(bytes), opk_bytes_size(plain) + 4);
  CHECK(memcmp(opk_bytes_data(bytes), ewkb_head, sizeof ewkb_head) == 0);
  CHECK(memcmp(opk_bytes_data(bytes) + 9, opk_bytes_data(plain) + 5, 16) == 0);
  opk_bytes_free(bytes);
  opk_bytes_free(plain);
  opk_bytes_free(of_feature);
  opk_geometry_free(geometry);
  opk_features_free(features);
}

TEST(test_bounds) {
  opk_features *features = drawn_text(
      "{\"elements\":[{\"type\":\"node\",\"id\":1,\"lat\":2,\"lon\":1,\"tags\":{\"a\":\"b\"}},"
      "{\"type\":\"node\",\"id\":2,\"lat\":-3,\"lon\":4,\"tags\":{\"a\":\"b\"}}]}");
  opk_position low, high;
  CHECK_STATUS(opk_features_bounds(features, &low, &high), OPK_OK);
  CHECK(low.lon_e7 == 10000000 && low.lat_e7 == -30000000);
  CHECK(high.lon_e7 == 40000000 && high.lat_e7 == 20000000);
  CHECK_STATUS(opk_features_bounds(features, NULL, &high), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_bounds(features, &low, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_bounds(NULL, &low, &high), OPK_ERR_MISUSE);
  opk_features_free(features);
  features = drawn_text("{\"elements\":[]}");
  CHECK_STATUS(opk_features_bounds(features, &low, &high), OPK_OK);
  CHECK_INT(low.lon_e7, OPK_POSITION_UNDEFINED);
  CHECK_INT(high.lat_e7, OPK_POSITION_UNDEFINED);
  opk_features_free(features);
}

TEST(test_misuse) {
  opk_features *features = drawn("overpass-json/kinds.json");
  opk_features_write_options options = OPK_FEATURES_WRITE_OPTIONS_INIT;
  opk_bytes *bytes = NULL;
  opk_geometry *geometry = NULL;
  struct taker taker = {NULL, 0, 0};
  CHECK_STATUS(opk_features_write(NULL, NULL, &bytes, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_write(features, NULL, NULL, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_write_file(features, NULL, NULL, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_write_file(NULL, NULL, "x", NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_write_fd(NULL, NULL, 1, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_write_call(features, NULL, NULL, NULL, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_write_call(NULL, NULL, take, &taker, NULL), OPK_ERR_MISUSE);
  options.format = OPK_FORMAT_OVERPASS_JSON; /* of responses */
  CHECK_STATUS(opk_features_write(features, &options, &bytes, NULL), OPK_ERR_MISUSE);
  options.format = OPK_FORMAT_EWKB + 1;
  CHECK_STATUS(opk_features_write(features, &options, &bytes, NULL), OPK_ERR_MISUSE);
  options.format = OPK_FORMAT_GEOJSON + 256;
  CHECK_STATUS(opk_features_write(features, &options, &bytes, NULL), OPK_ERR_MISUSE);
  options.format = OPK_FORMAT_GEOJSON;
  options.flags = OPK_WRITE_COMPACT;
  CHECK_STATUS(opk_features_write(features, &options, &bytes, NULL), OPK_ERR_MISUSE);
  options.flags = 0;
  options.properties = 2;
  CHECK_STATUS(opk_features_write(features, &options, &bytes, NULL), OPK_ERR_MISUSE);
  options.properties = 0;
  options.struct_size = 0;
  CHECK_STATUS(opk_features_write(features, &options, &bytes, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_geometry_wkt(NULL, &bytes, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_geometry_ewkt(NULL, &bytes, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_geometry_wkb(NULL, &bytes, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_geometry_ewkb(NULL, &bytes, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_geometry(features, 0, &geometry, NULL), OPK_OK);
  CHECK_STATUS(opk_geometry_wkt(geometry, NULL, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_geometry_ewkb(geometry, NULL, NULL), OPK_ERR_MISUSE);
  CHECK(bytes == NULL);
  opk_geometry_free(geometry);
  opk_features_free(features);
}

int main(void) {
  RUN(test_sequences_hold_the_features_of_the_collection);
  RUN(test_all_targets_get_the_same);
  RUN(test_targets_that_refuse);
  RUN(test_tables);
  RUN(test_well_known_forms);
  RUN(test_bounds);
  RUN(test_misuse);
  return FINISH();
}
