/* Features as an Arrow stream, read by nothing but the C interface, and as arrays. */
#define _POSIX_C_SOURCE 200809L
#include "opk_test.h"
#include <errno.h>
#include <pthread.h>

static opk_features *features_of(const char *json, opk_response **response) {
  opk_features *features = NULL;
  CHECK_STATUS(
      opk_response_decode_json((const uint8_t *)json, strlen(json), NULL, response, NULL), OPK_OK);
  CHECK_STATUS(opk_features_build(*response, NULL, &features, NULL), OPK_OK);
  return features;
}

/* Features whose response is freed already. */
static opk_features *alone(const char *json) {
  opk_response *response = NULL;
  opk_features *features = features_of(json, &response);
  opk_response_free(response);
  return features;
}

static const char *three =
    "{\"osm3s\":{\"timestamp_osm_base\":\"2024-03-31T02:30:00Z\",\"copyright\":\"C\"},\"elements\":["
    "{\"type\":\"node\",\"id\":1,\"lat\":1,\"lon\":2,\"tags\":{\"name\":\"\\u00e4\",\"k\":\"\"},"
    "\"version\":3,\"timestamp\":\"1970-01-01T00:00:01Z\",\"changeset\":4,\"uid\":5,\"user\":\"u\"},"
    "{\"type\":\"node\",\"id\":2,\"lat\":1,\"lon\":2},"
    "{\"type\":\"way\",\"id\":3,\"geometry\":[{\"lat\":0,\"lon\":0},{\"lat\":1,\"lon\":1}],"
    "\"tags\":{\"highway\":\"path\"}}],\"remark\":\"runtime error: \\\"x\\\"\"}";

/* Text `row` of a utf8 array, with its length. */
static opk_str text_at(const struct ArrowArray *array, int64_t row) {
  const int32_t *ends = array->buffers[1];
  opk_str text;
  text.ptr = (const char *)array->buffers[2] + ends[row];
  text.len = (size_t)(ends[row + 1] - ends[row]);
  return text;
}

static int is_null(const struct ArrowArray *array, int64_t row) {
  const uint8_t *bits = array->buffers[0];
  return bits != NULL && !(bits[row >> 3] >> (row & 7) & 1);
}

/* The value of a key in a schema's metadata, as text; no pointer where there is none. */
static opk_str metadata(const char *block, const char *key) {
  opk_str value = {NULL, 0};
  int32_t count, size, pair, part;
  if (block == NULL) return value;
  memcpy(&count, block, 4);
  block += 4;
  for (pair = 0; pair < count; pair++) {
    int is_it = 0;
    for (part = 0; part < 2; part++) {
      memcpy(&size, block, 4);
      if (part == 0) is_it = strlen(key) == (size_t)size && !memcmp(block + 4, key, (size_t)size);
      if (part == 1 && is_it) value.ptr = block + 4, value.len = (size_t)size;
      block += 4 + size;
    }
  }
  return value;
}

TEST(test_schema) {
  const char *columns[] = {"name", "type"};
  const char *names[] = {"id",      "type",      "name",      "tag:type", "tags",    "version",
                         "timestamp", "changeset", "uid",     "user",     "geometry"};
  const char *formats[] = {"l", "c", "u", "u", "+m", "i", "tsm:UTC", "l", "l", "i", "z"};
  opk_arrow_options options = OPK_ARROW_OPTIONS_INIT;
  struct ArrowArrayStream stream;
  struct ArrowSchema schema, again;
  opk_features *features = alone(three);
  int place;
  options.flags = OPK_ARROW_METADATA;
  options.columns = columns;
  options.column_count = 2;
  CHECK_STATUS(opk_features_arrow(features, &options, &stream, NULL), OPK_OK);
  opk_features_free(features);
  CHECK_INT(stream.get_schema(&stream, &schema), 0);
  CHECK_INT(stream.get_schema(&stream, &again), 0);
  CHECK(strcmp(schema.format, "+s") == 0);
  CHECK_INT(schema.n_children, 11);
  for (place = 0; place < 11 && place < schema.n_children; place++) {
    CHECK(strcmp(schema.children[place]->name, names[place]) == 0);
    CHECK(strcmp(schema.children[place]->format, formats[place]) == 0);
  }
  CHECK(strcmp(schema.children[1]->dictionary->format, "u") == 0);
  CHECK_INT(schema.children[1]->flags & ARROW_FLAG_NULLABLE, 0);
  CHECK_INT(schema.children[0]->flags & ARROW_FLAG_NULLABLE, ARROW_FLAG_NULLABLE);
  CHECK(strcmp(schema.children[4]->children[0]->format, "+s") == 0);
  CHECK(strcmp(schema.children[4]->children[0]->children[1]->format, "u") == 0);
  CHECK_TEXT(metadata(schema.metadata, "attribution"), "C");
  CHECK_TEXT(metadata(schema.metadata, "timestamp"), "2024-03-31T02:30:00Z");
  CHECK_TEXT(metadata(schema.metadata, "remarks"), "[\"runtime error: \\\"x\\\"\"]");
  CHECK(metadata(schema.metadata, "geo").ptr != NULL);
  CHECK_TEXT(metadata(schema.children[10]->metadata, "ARROW:extension:name"), "geoarrow.wkb");
  CHECK_TEXT(metadata(schema.children[10]->metadata, "ARROW:extension:metadata"),
             "{\"crs\":\"OGC:CRS84\",\"crs_type\":\"authority_code\"}");
  /* A schema outlives its stream, and each is released on its own. */
  stream.release(&stream);
  CHECK(stream.release == NULL);
  again.release(&again);
  CHECK(again.release == NULL);
  CHECK(strcmp(schema.children[2]->name, "name") == 0);
  CHECK_INT(opk_x_live_handles(), 1);
  schema.release(&schema);
  CHECK_INT(opk_x_live_handles(), 0);
}

TEST(test_values) {
  const char *columns[] = {"name"};
  opk_arrow_options options = OPK_ARROW_OPTIONS_INIT;
  struct ArrowArrayStream stream;
  struct ArrowArray batch, end, *tags, *pairs, *geometry;
  opk_features *features = alone(three);
  options.flags = OPK_ARROW_METADATA;
  options.columns = columns;
  options.column_count = 1;
  CHECK_STATUS(opk_features_arrow(features, &options, &stream, NULL), OPK_OK);
  opk_features_free(features);
  CHECK_INT(stream.get_next(&stream, &batch), 0);
  CHECK_INT(stream.get_next(&stream, &end), 0);
  CHECK(end.release == NULL);
  CHECK(stream.get_last_error(&stream) == NULL);
  stream.release(&stream);
  CHECK_INT(batch.length, 3);
  CHECK_INT(batch.n_children, 10);
  CHECK_INT(((const int64_t *)batch.children[0]->buffers[1])[2], 3);
  CHECK_INT(((const int8_t *)batch.children[1]->buffers[1])[2], 1);
  CHECK_TEXT(text_at(batch.children[1]->dictionary, 1), "way");
  CHECK_TEXT(text_at(batch.children[2], 0), "\xc3\xa4");
  CHECK_INT(batch.children[2]->null_count, 2);
  CHECK(!is_null(batch.children[2], 0) && is_null(batch.children[2], 1));
  tags = batch.children[3];
  pairs = tags->children[0];
  CHECK_INT(((const int32_t *)tags->buffers[1])[1], 2);
  CHECK_INT(((const int32_t *)tags->buffers[1])[2], 2);
  CHECK_INT(((const int32_t *)tags->buffers[1])[3], 3);
  CHECK_INT(pairs->length, 3);
  CHECK_TEXT(text_at(pairs->children[0], 1), "k");
  CHECK_TEXT(text_at(pairs->children[1], 1), "");
  CHECK_TEXT(text_at(pairs->children[1], 2), "path");
  CHECK_INT(((const int32_t *)batch.children[4]->buffers[1])[0], 3);
  CHECK_INT(((const int64_t *)batch.children[5]->buffers[1])[0], 1000);
  CHECK_TEXT(text_at(batch.children[8]->dictionary, 0), "u");
  CHECK(!is_null(batch.children[8], 0) && is_null(batch.children[8], 1));
  geometry = batch.children[9];
  CHECK_INT(((const int32_t *)geometry->buffers[1])[1], 21);
  CHECK_INT(((const int32_t *)geometry->buffers[1])[3], 21 + 21 + 41);
  CHECK(memcmp((const char *)geometry->buffers[2] + 42, "\1\2\0\0\0\2\0\0\0", 9) == 0);
  batch.release(&batch);
  CHECK(batch.release == NULL);
}

/* Streams that are dropped unread or half read, and batches that outlive them, in any order. */
TEST(test_releases) {
  opk_arrow_options options = OPK_ARROW_OPTIONS_INIT;
  struct ArrowArrayStream unread, half, moved;
  struct ArrowArray first, second, child;
  opk_features *features = alone(three);
  options.batch_size = 1;
  CHECK_STATUS(opk_features_arrow(features, NULL, &unread, NULL), OPK_OK);
  CHECK_STATUS(opk_features_arrow(features, &options, &half, NULL), OPK_OK);
  opk_features_free(features);
  CHECK_INT(opk_x_live_handles(), 2);
  unread.release(&unread);
  CHECK_INT(opk_x_live_handles(), 1);
  moved = half; /* as the interface allows, with the old place marked as released */
  half.release = NULL;
  CHECK_INT(moved.get_next(&moved, &first), 0);
  CHECK_INT(moved.get_next(&moved, &second), 0);
  CHECK_INT(first.length, 1);
  moved.release(&moved);
  child = *second.children[2]; /* the tags, moved out */
  second.children[2]->release = NULL;
  second.release(&second);
  CHECK_INT(((const int64_t *)first.children[0]->buffers[1])[0], 1);
  first.release(&first);
  CHECK_INT(child.children[0]->length, 0);
  CHECK_INT(opk_x_live_handles(), 1);
  child.release(&child);
  CHECK_INT(opk_x_live_handles(), 0);
}

TEST(test_misuse) {
  const char *twice[] = {"a", "a"}, *broken[] = {"\xff"}, *missing[] = {NULL};
  opk_arrow_options options = OPK_ARROW_OPTIONS_INIT;
  struct ArrowArrayStream stream;
  opk_error error = OPK_ERROR_INIT;
  opk_features *features = alone(three);
  opk_arrays *arrays = NULL;
  opk_feature_arrays all = OPK_FEATURE_ARRAYS_INIT;
  memset(&stream, 1, sizeof stream);
  CHECK_STATUS(opk_features_arrow(NULL, NULL, &stream, &error), OPK_ERR_MISUSE);
  CHECK(stream.release == NULL);
  CHECK_STATUS(opk_features_arrow(features, NULL, NULL, NULL), OPK_ERR_MISUSE);
  options.columns = twice;
  options.column_count = 2;
  CHECK_STATUS(opk_features_arrow(features, &options, &stream, &error), OPK_ERR_MISUSE);
  CHECK(strstr(error.message, "the column a is asked for twice") != NULL);
  options.columns = broken;
  options.column_count = 1;
  CHECK_STATUS(opk_features_arrow(features, &options, &stream, &error), OPK_ERR_QUERY_VALUE);
  options.columns = missing;
  CHECK(opk_features_arrow(features, &options, &stream, &error) != OPK_OK);
  options.columns = NULL;
  CHECK_STATUS(opk_features_arrow(features, &options, &stream, &error), OPK_ERR_MISUSE);
  options.column_count = 0;
  options.flags = 1u << 31;
  CHECK_STATUS(opk_features_arrow(features, &options, &stream, &error), OPK_ERR_MISUSE);
  options.flags = 0;
  options.batch_size = (size_t)-1;
  CHECK_STATUS(opk_features_arrow(features, &options, &stream, &error), OPK_ERR_MISUSE);
  options.struct_size = 0;
  CHECK_STATUS(opk_features_arrow(features, &options, &stream, &error), OPK_ERR_MISUSE);
  CHECK(stream.release == NULL);
  CHECK_STATUS(opk_features_arrays(NULL, 0, &arrays, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_arrays(features, 2, &arrays, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_arrays(features, 0, NULL, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_arrays_get(NULL, &all), OPK_ERR_MISUSE);
  opk_arrays_free(NULL);
  opk_features_free(features);
}

TEST(test_arrays) {
  opk_response *response = NULL;
  opk_features *features = features_of(three, &response);
  opk_arrays *plain = NULL, *full = NULL;
  opk_feature_arrays arrays = OPK_FEATURE_ARRAYS_INIT;
  opk_str value;
  uint32_t number;
  CHECK_STATUS(opk_features_arrays(features, 0, &plain, NULL), OPK_OK);
  CHECK_STATUS(opk_features_arrays(features, OPK_ARRAYS_COORDINATES, &full, NULL), OPK_OK);
  opk_features_free(features);
  CHECK_STATUS(opk_arrays_get(plain, &arrays), OPK_OK);
  CHECK_INT(arrays.count, 3);
  CHECK(arrays.coordinates == NULL && arrays.position_ends == NULL);
  CHECK(arrays.part_ends == NULL && arrays.feature_polygon_ends == NULL);
  CHECK_INT(arrays.ids[2], 3);
  CHECK_INT(arrays.indices[2], 2);
  CHECK_INT(arrays.types[0], OPK_NODE);
  CHECK_INT(arrays.kinds[2], OPK_GEOMETRY_LINESTRING);
  CHECK_INT(arrays.tag_ends[1], 2);
  CHECK_INT(arrays.tag_ends[2], 3);
  number = arrays.tags[2].value;
  CHECK_TEXT(opk_response_string(response, number), "path");
  CHECK_INT(arrays.text_count, opk_response_string_count(response));
  value.ptr = (const char *)arrays.texts + arrays.text_starts[number];
  value.len = arrays.text_starts[number + 1] - arrays.text_starts[number];
  CHECK_TEXT(value, "path");
  CHECK_STATUS(opk_arrays_get(full, &arrays), OPK_OK);
  CHECK_INT(arrays.position_ends[1], 2);
  CHECK_INT(arrays.position_ends[2], 4);
  CHECK(arrays.coordinates[0] == 2 && arrays.coordinates[1] == 1);
  CHECK(arrays.coordinates[6] == 1 && arrays.coordinates[7] == 1);
  CHECK_INT(arrays.feature_part_ends[1], 0);
  CHECK_INT(arrays.feature_part_ends[2], 1);
  CHECK_INT(arrays.part_ends[0], 4);
  CHECK_INT(arrays.feature_polygon_ends[2], 0);
  opk_arrays_free(plain);
  opk_arrays_free(full);
  opk_response_free(response);
}

/* Reads a stream to its end, one row at a time. */
static void *read_stream(void *argument) {
  opk_arrow_options options = OPK_ARROW_OPTIONS_INIT;
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  intptr_t rows = 0;
  options.batch_size = 1;
  if (opk_features_arrow(argument, &options, &stream, NULL) != OPK_OK) return NULL;
  while (stream.get_next(&stream, &batch) == 0 && batch.release != NULL) {
    rows += batch.length;
    batch.release(&batch);
  }
  stream.release(&stream);
  return (void *)rows;
}

/* Releases a batch that another thread has read. */
static void *release_batch(void *argument) {
  struct ArrowArray *batch = argument;
  batch->release(batch);
  return NULL;
}

TEST(test_threads) {
  enum { THREADS = 6 };
  pthread_t threads[THREADS];
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  void *rows;
  int each;
  opk_response *response = decoded("overpass-json/kinds.json");
  opk_features *features = NULL;
  opk_arrays *arrays = NULL;
  opk_feature_arrays all = OPK_FEATURE_ARRAYS_INIT;
  CHECK_STATUS(opk_features_build(response, NULL, &features, NULL), OPK_OK);
  CHECK_STATUS(opk_features_arrays(features, 0, &arrays, NULL), OPK_OK);
  CHECK_STATUS(opk_arrays_get(arrays, &all), OPK_OK);
  CHECK(all.count > 3);
  for (each = 0; each < THREADS; each++)
    CHECK_INT(pthread_create(&threads[each], NULL, read_stream, features), 0);
  for (each = 0; each < THREADS; each++) {
    CHECK_INT(pthread_join(threads[each], &rows), 0);
    CHECK_INT((intptr_t)rows, all.count);
  }
  CHECK_STATUS(opk_features_arrow(features, NULL, &stream, NULL), OPK_OK);
  CHECK_INT(stream.get_next(&stream, &batch), 0);
  CHECK_INT(pthread_create(&threads[0], NULL, release_batch, &batch), 0);
  CHECK_INT(pthread_join(threads[0], NULL), 0);
  CHECK(batch.release == NULL);
  stream.release(&stream);
  opk_arrays_free(arrays);
  opk_features_free(features);
  opk_response_free(response);
}

TEST(test_nothing) {
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray batch;
  opk_features *features = alone("{\"elements\":[]}");
  opk_arrays *arrays = NULL;
  opk_feature_arrays all = OPK_FEATURE_ARRAYS_INIT;
  CHECK_STATUS(opk_features_arrow(features, NULL, &stream, NULL), OPK_OK);
  CHECK_INT(stream.get_schema(&stream, &schema), 0);
  CHECK_INT(schema.n_children, 4);
  schema.release(&schema);
  CHECK_INT(stream.get_next(&stream, &batch), 0);
  CHECK(batch.release == NULL);
  CHECK_INT(stream.get_next(&stream, NULL), EINVAL);
  CHECK_INT(stream.get_schema(&stream, NULL), EINVAL);
  stream.release(&stream);
  CHECK_STATUS(opk_features_arrays(features, OPK_ARRAYS_COORDINATES, &arrays, NULL), OPK_OK);
  CHECK_STATUS(opk_arrays_get(arrays, &all), OPK_OK);
  CHECK_INT(all.count, 0);
  opk_arrays_free(arrays);
  opk_features_free(features);
}

int main(void) {
  RUN(test_schema);
  RUN(test_values);
  RUN(test_releases);
  RUN(test_misuse);
  RUN(test_arrays);
  RUN(test_threads);
  RUN(test_nothing);
  return FINISH();
}
