/* Statuses, errors, and what NULL does. */
#include "opk_test.h"

static opk_status decode_text(const char *text, opk_response **out, opk_error *error) {
  return opk_response_decode_json((const uint8_t *)text, strlen(text), NULL, out, error);
}

TEST(test_version) {
  CHECK(strcmp(opk_version_string(), OPK_VERSION_STRING) == 0);
  CHECK_INT(opk_version(),
            OPK_VERSION_MAJOR * 10000 + OPK_VERSION_MINOR * 100 + OPK_VERSION_PATCH);
  CHECK_INT(opk_abi_version(), OPK_ABI_VERSION);
}

TEST(test_each_status_has_a_name) {
  opk_status status;
  int named = 0;
  CHECK(strcmp(opk_status_name(OPK_OK), "OPK_OK") == 0);
  for (status = 1; status < OPK_STATUS_END; status++) {
    const char *name = opk_status_name(status);
    if (!name) continue;
    named++;
    CHECK(strncmp(name, "OPK_ERR_", 8) == 0);
  }
  CHECK_INT(named, 46);
  CHECK(strcmp(opk_status_name(OPK_STATUS_END - 1), "OPK_ERR_MISUSE") == 0);
  CHECK(opk_status_name(OPK_STATUS_END) == NULL);
  CHECK(opk_status_name(-1) == NULL);
  CHECK(opk_status_name(INT32_MIN) == NULL);
  CHECK(opk_status_name(INT32_MAX) == NULL);
}

TEST(test_positions_of_errors) {
  opk_response *response = NULL;
  opk_error error = OPK_ERROR_INIT;
  CHECK_STATUS(
      opk_response_decode_file(fixture("overpass-json/broken.json"), NULL, &response, &error),
      OPK_ERR_DECODE_SYNTAX);
  CHECK(response == NULL);
  CHECK_INT(error.status, OPK_ERR_DECODE_SYNTAX);
  CHECK_INT(error.line, 4);
  CHECK_INT(error.column, 23);
  CHECK_INT(error.byte_offset, 58);
  CHECK(error.message[0] != '\0');
  CHECK(memchr(error.message, '\0', sizeof error.message) != NULL);
  CHECK(strchr(error.message, '\n') == NULL);
}

TEST(test_kinds_of_bad_input) {
  static const struct { const char *text; opk_status status; } rows[] = {
      {"", OPK_ERR_DECODE_TRUNCATED},
      {"  \n", OPK_ERR_DECODE_TRUNCATED},
      {"{", OPK_ERR_DECODE_TRUNCATED},
      {"{\"elements\":[", OPK_ERR_DECODE_TRUNCATED},
      {"{\"elements\":[]", OPK_ERR_DECODE_TRUNCATED},
      {"{\"elements\":[]}}", OPK_ERR_DECODE_SYNTAX},
      {"{\"elements\":[\n,{\"type\":\"node\",\"id\":1}]}", OPK_ERR_DECODE_SYNTAX},
      {"{'elements':[]}", OPK_ERR_DECODE_SYNTAX},
      {"{\"elements\":[{\"type\":\"node\",\"id\":1,\"lat\":01}]}", OPK_ERR_DECODE_SYNTAX},
      {"{\"elements\":[{\"type\":\"node\",\"id\":99999999999999999999}]}", OPK_ERR_DECODE_VALUE},
      {"{\"elements\":[{\"type\":\"node\",\"id\":1.5}]}", OPK_ERR_DECODE_VALUE},
      {"{}", OPK_ERR_DECODE_NOT_OVERPASS},
      {"[]", OPK_ERR_DECODE_NOT_OVERPASS},
      {"{\"error\":\"x\"}", OPK_ERR_DECODE_NOT_OVERPASS},
      {"<html><body>rate_limited</body></html>", OPK_ERR_DECODE_FORMAT},
      {"<?xml version=\"1.0\"?><osm/>", OPK_ERR_DECODE_FORMAT}};
  size_t row;
  for (row = 0; row < sizeof rows / sizeof *rows; row++) {
    opk_response *response = NULL;
    opk_error error = OPK_ERROR_INIT;
    opk_status status = decode_text(rows[row].text, &response, &error);
    opk_checks++;
    if (status != rows[row].status)
      FAIL("%s gives %s, not %s (%s)", rows[row].text, opk_status_name(status),
           opk_status_name(rows[row].status), error.message);
    CHECK_INT(error.status, status);
    opk_response_free(response);
  }
}

TEST(test_files) {
  opk_response *response = NULL;
  opk_error error = OPK_ERROR_INIT;
  CHECK_STATUS(opk_response_decode_file("/nowhere/at/all.json", NULL, &response, &error),
               OPK_ERR_FILE_OPEN);
  CHECK(strstr(error.message, "/nowhere/at/all.json"));
  CHECK_INT(error.byte_offset, -1);
  CHECK_INT(error.line, 0);
  CHECK(opk_response_decode_file(fixture("overpass-json"), NULL, &response, &error) != OPK_OK);
  CHECK_STATUS(opk_response_decode_file(fixture("overpass-json/broken.json"), NULL, &response,
                                        NULL), OPK_ERR_DECODE_SYNTAX);
}

TEST(test_long_message_is_cut_between_characters) {
  char path[2000];
  opk_response *response = NULL;
  opk_error error = OPK_ERROR_INIT;
  size_t index;
  path[0] = '/';
  for (index = 1; index + 2 < sizeof path; index += 2) memcpy(path + index, "\xc3\xa4", 2);
  path[index] = '\0';
  CHECK(opk_response_decode_file(path, NULL, &response, &error) != OPK_OK);
  index = strlen(error.message);
  CHECK(index < sizeof error.message);
  CHECK(index == 0 || (unsigned char)error.message[index - 1] != 0xc3);
}

TEST(test_error_of_an_older_caller) {
  struct { opk_error error; char beyond; } room;
  opk_response *response = NULL;
  memset(&room, 0x55, sizeof room);
  room.error.struct_size = (uint32_t)offsetof(opk_error, line);
  CHECK_STATUS(decode_text("{\"elements\":[x", &response, &room.error), OPK_ERR_DECODE_SYNTAX);
  CHECK_INT(room.error.status, OPK_ERR_DECODE_SYNTAX);
  CHECK_INT(room.error.byte_offset, 13);
  CHECK_INT(room.error.line, 0x55555555);
  CHECK_INT(room.beyond, 0x55);
}

TEST(test_misuse_of_options) {
  const uint8_t text[] = "{\"elements\":[]}";
  opk_decode_options options = OPK_DECODE_OPTIONS_INIT;
  opk_response *response = NULL;
  CHECK_STATUS(opk_response_decode_json(NULL, 5, NULL, &response, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_decode_json(text, sizeof text - 1, NULL, NULL, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_decode_file(NULL, NULL, &response, NULL), OPK_ERR_MISUSE);
  options.flags = 1u << 31;
  CHECK_STATUS(opk_response_decode_json(text, sizeof text - 1, &options, &response, NULL),
               OPK_ERR_MISUSE);
  options.flags = 0;
  options.struct_size = 0;
  CHECK_STATUS(opk_response_decode_json(text, sizeof text - 1, &options, &response, NULL),
               OPK_ERR_MISUSE);
}

TEST(test_null_handles) {
  size_t count = 7;
  opk_str key, value;
  opk_element element = OPK_ELEMENT_INIT;
  opk_feature feature = OPK_FEATURE_INIT;
  opk_problem problem = OPK_PROBLEM_INIT;
  opk_features *features = NULL;
  opk_geometry *geometry = NULL;
  opk_problems *problems = NULL;
  opk_bytes *bytes = NULL;
  CHECK(opk_bytes_data(NULL) == NULL);
  CHECK_INT(opk_bytes_size(NULL), 0);
  CHECK_INT(opk_response_is_complete(NULL), 0);
  CHECK_INT(opk_response_truncated_at(NULL), -1);
  CHECK_TEXT(opk_response_header(NULL, OPK_HEADER_VERSION), NULL);
  CHECK_INT(opk_response_remark_count(NULL), 0);
  CHECK_TEXT(opk_response_remark(NULL, 0), NULL);
  CHECK_INT(opk_response_diagnostic_count(NULL), 0);
  CHECK_TEXT(opk_response_diagnostic(NULL, 0), NULL);
  CHECK_INT(opk_response_element_count(NULL, 0), 0);
  CHECK_INT(opk_response_find(NULL, OPK_NODE, 1), -1);
  CHECK_STATUS(opk_response_element(NULL, 0, &element), OPK_ERR_MISUSE);
  CHECK(opk_response_member_geometry(NULL, 0, 0, &count) == NULL);
  CHECK_STATUS(opk_response_derived_geometry(NULL, 0, &geometry, NULL), OPK_ERR_MISUSE);
  CHECK_INT(opk_response_string_count(NULL), 0);
  CHECK_TEXT(opk_response_string(NULL, 0), NULL);
  CHECK_STATUS(opk_features_build(NULL, NULL, &features, NULL), OPK_ERR_MISUSE);
  CHECK_INT(opk_features_count(NULL), 0);
  CHECK_STATUS(opk_features_get(NULL, 0, &feature), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_tag(NULL, 0, 0, &key, &value), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_geometry(NULL, 0, &geometry, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_wkb(NULL, 0, &bytes, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_write_geojson(NULL, NULL, &bytes, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_write_geojson_file(NULL, NULL, "x", NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_feature_geojson(NULL, 0, NULL, &bytes, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_problems(NULL, &problems, NULL), OPK_ERR_MISUSE);
  CHECK_INT(opk_problems_count(NULL), 0);
  CHECK_STATUS(opk_problems_get(NULL, 0, &problem), OPK_ERR_MISUSE);
  CHECK_INT(opk_geometry_kind(NULL), OPK_GEOMETRY_NONE);
  CHECK(opk_geometry_positions(NULL, &count) == NULL);
  CHECK_INT(count, 0);
  CHECK(opk_geometry_part_ends(NULL, &count) == NULL);
  CHECK(opk_geometry_polygon_ends(NULL, NULL) == NULL);
  CHECK_INT(opk_geometry_member_count(NULL), 0);
  CHECK(opk_geometry_member(NULL, 0) == NULL);
  opk_bytes_free(NULL);
  opk_response_free(NULL);
  opk_features_free(NULL);
  opk_geometry_free(NULL);
  opk_problems_free(NULL);
}

int main(void) {
  RUN(test_version);
  RUN(test_each_status_has_a_name);
  RUN(test_positions_of_errors);
  RUN(test_kinds_of_bad_input);
  RUN(test_files);
  RUN(test_long_message_is_cut_between_characters);
  RUN(test_error_of_an_older_caller);
  RUN(test_misuse_of_options);
  RUN(test_null_handles);
  return FINISH();
}
