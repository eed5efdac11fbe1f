/* Responses written back, read again by ourselves and by json-c. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "opk_json.h"
#include <unistd.h>

static opk_response *answer(const char *text) {
  opk_response *response = NULL;
  CHECK_STATUS(opk_response_decode((const uint8_t *)text, strlen(text), NULL, &response, NULL),
               OPK_OK);
  return response;
}

/* Whether a response, written and decoded, is written the same. */
static void check_round_trip(opk_response *response, uint32_t format) {
  opk_write_options options = OPK_WRITE_OPTIONS_INIT;
  opk_bytes *first = NULL, *second = NULL;
  opk_response *again = NULL;
  options.format = format;
  CHECK_STATUS(opk_response_write(response, &options, &first, NULL), OPK_OK);
  CHECK_STATUS(opk_response_decode(opk_bytes_data(first), opk_bytes_size(first), NULL, &again, NULL),
               OPK_OK);
  CHECK_INT(opk_response_element_count(again, 0), opk_response_element_count(response, 0));
  CHECK_STATUS(opk_response_write(again, &options, &second, NULL), OPK_OK);
  CHECK_INT(opk_bytes_size(first), opk_bytes_size(second));
  CHECK(opk_bytes_size(first) == opk_bytes_size(second) &&
        memcmp(opk_bytes_data(first), opk_bytes_data(second), opk_bytes_size(first)) == 0);
  opk_bytes_free(first);
  opk_bytes_free(second);
  opk_response_free(again);
}

TEST(test_round_trips) {
  opk_response *response = decoded("overpass-json/geometry.json");
  check_round_trip(response, OPK_FORMAT_OVERPASS_JSON);
  check_round_trip(response, OPK_FORMAT_OSM_XML);
  opk_response_free(response);
  response = answer("<osmChange version='0.6'><create><node id='-1' lat='1' lon='2'/></create>"
                    "<delete><way id='5' version='3'/></delete></osmChange>");
  check_round_trip(response, OPK_FORMAT_OSM_CHANGE);
  check_round_trip(response, OPK_FORMAT_OSM_XML);
  opk_response_free(response);
}

TEST(test_json_is_json) {
  opk_response *response = decoded("overpass-json/kinds.json");
  opk_write_options options = OPK_WRITE_OPTIONS_INIT;
  opk_bytes *bytes = NULL;
  json_object *indented, *compact;
  size_t size;
  CHECK_STATUS(opk_response_write(response, NULL, &bytes, NULL), OPK_OK);
  size = opk_bytes_size(bytes);
  indented = parse_block(bytes);
  options.flags = OPK_WRITE_COMPACT;
  CHECK_STATUS(opk_response_write(response, &options, &bytes, NULL), OPK_OK);
  CHECK(opk_bytes_size(bytes) < size);
  compact = parse_block(bytes);
  CHECK_INT(json_object_array_length(member(indented, "elements")),
            opk_response_element_count(response, 0));
  CHECK(same_json(member(indented, "elements"), member(compact, "elements")));
  json_object_put(indented);
  json_object_put(compact);
  opk_response_free(response);
}

TEST(test_losses) {
  opk_response *response = answer(
      "<osm><action type='modify'><old><node id='7' version='1'/></old>"
      "<new><node id='7' version='2'/></new></action></osm>");
  opk_write_options options = OPK_WRITE_OPTIONS_INIT;
  opk_error error = OPK_ERROR_INIT;
  opk_bytes *bytes = NULL;
  CHECK_STATUS(opk_response_write(response, NULL, &bytes, &error), OPK_ERR_WRITE_LOSS);
  CHECK(bytes == NULL && strstr(error.message, "changes of elements") != NULL);
  CHECK_INT(error.element_type, 0);
  options.format = OPK_FORMAT_OSM_CHANGE;
  CHECK_STATUS(opk_response_write(response, &options, &bytes, &error), OPK_ERR_WRITE_LOSS);
  CHECK_INT(error.element_type, OPK_NODE);
  CHECK_INT(error.element_id, 7);
  options.flags = OPK_WRITE_ALLOW_LOSS;
  CHECK_STATUS(opk_response_write(response, &options, &bytes, &error), OPK_OK);
  opk_bytes_free(bytes);
  opk_response_free(response);
}

TEST(test_files) {
  opk_response *response = decoded("overpass-json/geometry.json"), *again = NULL;
  opk_write_options options = OPK_WRITE_OPTIONS_INIT;
  char path[] = "/tmp/opk-test-writing-XXXXXX";
  int file = mkstemp(path);
  opk_error error = OPK_ERROR_INIT;
  CHECK(file >= 0);
  options.format = OPK_FORMAT_OSM_XML;
  CHECK_STATUS(opk_response_write_fd(response, &options, file, &error), OPK_OK);
  close(file);
  CHECK_STATUS(opk_response_decode_file(path, NULL, &again, NULL), OPK_OK);
  CHECK_INT(opk_response_element_count(again, 0), opk_response_element_count(response, 0));
  opk_response_free(again);
  CHECK_STATUS(opk_response_write_file(response, NULL, path, &error), OPK_OK);
  CHECK_STATUS(opk_response_decode_file(path, NULL, &again, NULL), OPK_OK);
  CHECK_INT(opk_response_element_count(again, 0), opk_response_element_count(response, 0));
  opk_response_free(again);
  unlink(path);
  CHECK_STATUS(opk_response_write_fd(response, &options, -1, &error), OPK_ERR_FILE_WRITE);
  CHECK_STATUS(opk_response_write_file(response, NULL, "/does/not/exist", &error),
               OPK_ERR_FILE_OPEN);
  opk_response_free(response);
}

TEST(test_misuse) {
  opk_response *response = decoded("overpass-json/kinds.json");
  opk_write_options options = OPK_WRITE_OPTIONS_INIT;
  opk_bytes *bytes = NULL;
  CHECK_STATUS(opk_response_write(NULL, NULL, &bytes, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_write(response, NULL, NULL, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_write_file(response, NULL, NULL, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_write_fd(NULL, NULL, 1, NULL), OPK_ERR_MISUSE);
  options.format = 9;
  CHECK_STATUS(opk_response_write(response, &options, &bytes, NULL), OPK_ERR_MISUSE);
  options.format = 0x100;
  CHECK_STATUS(opk_response_write(response, &options, &bytes, NULL), OPK_ERR_MISUSE);
  options.format = 0;
  options.flags = 64;
  CHECK_STATUS(opk_response_write(response, &options, &bytes, NULL), OPK_ERR_MISUSE);
  CHECK(bytes == NULL);
  opk_response_free(response);
}

int main(void) {
  RUN(test_round_trips);
  RUN(test_json_is_json);
  RUN(test_losses);
  RUN(test_files);
  RUN(test_misuse);
  return FINISH();
}
