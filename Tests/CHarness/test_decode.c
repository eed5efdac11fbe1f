/* Decoding answers and reading their elements in place. */
#include "opk_test.h"

static opk_element element_at(const opk_response *response, int64_t index) {
  opk_element element = OPK_ELEMENT_INIT;
  CHECK_STATUS(opk_response_element(response, (size_t)index, &element), OPK_OK);
  return element;
}

static opk_element find(const opk_response *response, uint32_t type, int64_t id) {
  int64_t index = opk_response_find(response, type, id);
  CHECK(index >= 0);
  return element_at(response, index);
}

/* The value of a tag; ptr NULL where the element does not have it. */
static opk_str tag(const opk_response *response, const opk_element *element, const char *key) {
  opk_str none = {NULL, 0};
  size_t index;
  for (index = 0; index < element->tag_count; index++) {
    opk_str name = opk_response_string(response, element->tags[index].key);
    if (name.len == strlen(key) && memcmp(name.ptr, key, name.len) == 0)
      return opk_response_string(response, element->tags[index].value);
  }
  return none;
}

static opk_status decode_text(const char *text, const opk_decode_options *options,
                              opk_response **out, opk_error *error) {
  return opk_response_decode_json((const uint8_t *)text, strlen(text), options, out, error);
}

TEST(test_head) {
  opk_response *response = decoded("overpass-json/kinds.json");
  CHECK_TEXT(opk_response_header(response, OPK_HEADER_VERSION), "0.6");
  CHECK_TEXT(opk_response_header(response, OPK_HEADER_GENERATOR), "Overpass API 0.7.62.1");
  CHECK_TEXT(opk_response_header(response, OPK_HEADER_TIMESTAMP), "2024-03-31T02:30:00Z");
  CHECK_TEXT(opk_response_header(response, OPK_HEADER_AREAS_TIMESTAMP), NULL);
  CHECK_TEXT(opk_response_header(response, OPK_HEADER_COPYRIGHT), "invented data");
  CHECK_TEXT(opk_response_header(response, 0), NULL);
  CHECK_TEXT(opk_response_header(response, 99), NULL);
  CHECK_INT(opk_response_is_complete(response), 1);
  CHECK_INT(opk_response_truncated_at(response), -1);
  CHECK_INT(opk_response_remark_count(response), 0);
  CHECK_TEXT(opk_response_remark(response, 0), NULL);
  CHECK_INT(opk_response_diagnostic_count(response), 0);
  CHECK_TEXT(opk_response_diagnostic(response, 0), NULL);
  CHECK_INT(opk_response_element_count(response, 0), 19);
  CHECK_INT(opk_response_element_count(response, OPK_NODE), 13);
  CHECK_INT(opk_response_element_count(response, OPK_WAY), 4);
  CHECK_INT(opk_response_element_count(response, OPK_RELATION), 2);
  CHECK_INT(opk_response_element_count(response, OPK_DERIVED), 0);
  opk_response_free(response);
}

TEST(test_node) {
  opk_response *response = decoded("overpass-json/kinds.json");
  opk_element node = find(response, OPK_NODE, 12345678901);
  CHECK_INT(node.type, OPK_NODE);
  CHECK_TEXT(node.type_name, "node");
  CHECK_INT(node.id, 12345678901);
  CHECK_INT(node.position.lat_e7, 511234567);
  CHECK_INT(node.position.lon_e7, -1);
  CHECK_INT(node.has, OPK_HAS_POSITION | OPK_HAS_VERSION | OPK_HAS_TIMESTAMP | OPK_HAS_CHANGESET |
                          OPK_HAS_UID | OPK_HAS_USER | OPK_HAS_ID);
  CHECK_INT(node.version, 4);
  CHECK_INT(node.timestamp, 1683356889);
  CHECK_INT(node.changeset, 135000001);
  CHECK_INT(node.uid, 77);
  CHECK_TEXT(node.user, "Anna Bolika");
  CHECK_INT(node.tag_count, 5);
  CHECK_TEXT(opk_response_string(response, node.tags[0].key), "amenity");
  CHECK_TEXT(tag(response, &node, "name"), "Caf\xc3\xa9 \"Zur \xc3\x96se\" \xf0\x9f\x98\x80");
  CHECK_TEXT(tag(response, &node, "note"), "line1\nline2");
  CHECK_TEXT(tag(response, &node, "id"), "A7");
  CHECK_TEXT(tag(response, &node, "missing"), NULL);
  CHECK_INT(node.node_count, 0);
  CHECK_INT(node.member_count, 0);
  node = find(response, OPK_NODE, 1);
  CHECK_INT(node.has, OPK_HAS_POSITION | OPK_HAS_ID);
  CHECK_INT(node.tag_count, 0);
  opk_response_free(response);
}

TEST(test_way_and_relation) {
  opk_response *response = decoded("overpass-json/kinds.json");
  opk_element way = find(response, OPK_WAY, 20), relation = find(response, OPK_RELATION, 31);
  static const int64_t refs[] = {1, 2, 3, 4, 1};
  size_t count = 7;
  CHECK_INT(way.node_count, 5);
  CHECK(memcmp(way.nodes, refs, sizeof refs) == 0);
  CHECK(!(way.has & OPK_HAS_GEOMETRY));
  CHECK_INT(relation.member_count, 2);
  CHECK_INT(relation.members[0].type, OPK_WAY);
  CHECK_INT(relation.members[0].ref, 22);
  CHECK_TEXT(opk_response_string(response, relation.members[0].role), "forward");
  CHECK_INT(relation.members[1].ref, 99);
  CHECK_TEXT(opk_response_string(response, relation.members[1].role), "");
  CHECK_TEXT(tag(response, &relation, "type"), "route");
  CHECK(opk_response_member_geometry(response, 18, 0, &count) == NULL);
  CHECK_INT(count, 0);
  CHECK_INT(opk_response_find(response, OPK_WAY, 99), -1);
  CHECK_INT(opk_response_find(response, OPK_NODE, 20), -1);
  CHECK_INT(opk_response_find(response, 77, 20), -1);
  opk_response_free(response);
}

TEST(test_order_and_numbers_of_texts) {
  opk_response *response = decoded("overpass-json/kinds.json");
  size_t count = opk_response_string_count(response);
  opk_element out = OPK_ELEMENT_INIT;
  CHECK_INT(element_at(response, 0).id, 1);
  CHECK_INT(element_at(response, 8).id, 12345678901);
  CHECK_INT(element_at(response, 13).id, 20);
  CHECK_INT(element_at(response, 18).id, 31);
  CHECK_INT(opk_response_find(response, OPK_RELATION, 30), 17);
  CHECK_STATUS(opk_response_element(response, 19, &out), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_element(response, SIZE_MAX, &out), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_element(response, 0, NULL), OPK_ERR_MISUSE);
  CHECK(count > 10);
  CHECK(opk_response_string(response, (uint32_t)count - 1).ptr != NULL);
  CHECK_TEXT(opk_response_string(response, (uint32_t)count), NULL);
  CHECK_TEXT(opk_response_string(response, UINT32_MAX), NULL);
  opk_response_free(response);
}

TEST(test_printed_geometry) {
  opk_response *response = decoded("overpass-json/geometry.json");
  opk_element way = find(response, OPK_WAY, 1), center = find(response, OPK_WAY, 3);
  const opk_position *positions;
  size_t count = 0;
  CHECK(way.has & OPK_HAS_GEOMETRY && way.has & OPK_HAS_BOUNDS);
  CHECK_INT(way.southwest.lon_e7, 0);
  CHECK_INT(way.northeast.lon_e7, 40000000);
  CHECK_INT(way.northeast.lat_e7, 5000000);
  CHECK_INT(way.geometry_count, 5);
  CHECK_INT(way.geometry[0].lon_e7, OPK_POSITION_UNDEFINED);
  CHECK_INT(way.geometry[0].lat_e7, OPK_POSITION_UNDEFINED);
  CHECK_INT(way.geometry[2].lon_e7, 20000000);
  CHECK_INT(way.geometry[2].lat_e7, 5000000);
  CHECK(center.has & OPK_HAS_CENTER);
  CHECK_INT(center.center.lat_e7, 15000000);
  CHECK(opk_response_member_geometry(response, 1, 0, &count) == NULL);
  positions = opk_response_member_geometry(response, 1, 1, &count);
  CHECK_INT(count, 1);
  CHECK_INT(positions[0].lon_e7, 25000000);
  positions = opk_response_member_geometry(response, 1, 2, &count);
  CHECK_INT(count, 3);
  CHECK_INT(positions[1].lon_e7, OPK_POSITION_UNDEFINED);
  CHECK(opk_response_member_geometry(response, 1, 3, &count) == NULL);
  CHECK(opk_response_member_geometry(response, 0, 0, &count) == NULL);
  CHECK(opk_response_member_geometry(response, 1, 2, NULL) != NULL);
  opk_response_free(response);
}

TEST(test_derived_elements) {
  opk_response *response = decoded("overpass-json/derived.json");
  opk_geometry *geometry = NULL;
  const opk_position *positions;
  size_t count;
  opk_element element = element_at(response, 0);
  CHECK_INT(opk_response_element_count(response, 0), 5);
  CHECK_INT(opk_response_element_count(response, OPK_DERIVED), 4);
  CHECK_INT(opk_response_element_count(response, OPK_AREA), 1);
  CHECK_INT(element.type, OPK_DERIVED);
  CHECK_TEXT(element.type_name, "count");
  CHECK_TEXT(tag(response, &element, "total"), "15");
  CHECK_INT(find(response, OPK_AREA, 3600000077).type, OPK_AREA);
  CHECK_STATUS(opk_response_derived_geometry(response, 0, &geometry, NULL), OPK_OK);
  CHECK(geometry == NULL);
  CHECK_TEXT(element_at(response, 3).type_name, "street_length");
  CHECK_STATUS(opk_response_derived_geometry(response, 3, &geometry, NULL), OPK_OK);
  CHECK_INT(opk_geometry_kind(geometry), OPK_GEOMETRY_LINESTRING);
  positions = opk_geometry_positions(geometry, &count);
  CHECK_INT(count, 2);
  CHECK_INT(positions[1].lon_e7, 10000000);
  CHECK_INT(positions[1].lat_e7, 5000000);
  opk_geometry_free(geometry);
  CHECK_STATUS(opk_response_derived_geometry(response, 4, &geometry, NULL), OPK_OK);
  CHECK_INT(opk_geometry_kind(geometry), OPK_GEOMETRY_COLLECTION);
  CHECK_INT(opk_geometry_member_count(geometry), 2);
  CHECK_INT(opk_geometry_kind(opk_geometry_member(geometry, 1)), OPK_GEOMETRY_POLYGON);
  CHECK(opk_geometry_member(geometry, 2) == NULL);
  opk_response_free(response);
  CHECK_INT(opk_geometry_kind(opk_geometry_member(geometry, 0)), OPK_GEOMETRY_POINT);
  opk_geometry_free(geometry);
}

TEST(test_remark_makes_incomplete) {
  opk_response *response = decoded("overpass-json/remark.json");
  CHECK_INT(opk_response_is_complete(response), 0);
  CHECK_INT(opk_response_truncated_at(response), -1);
  CHECK_INT(opk_response_remark_count(response), 1);
  CHECK_TEXT(opk_response_remark(response, 0),
             "runtime error: Query timed out in \"query\" at line 1 after 26 seconds.");
  CHECK_INT(opk_response_element_count(response, OPK_NODE), 1);
  opk_response_free(response);
  CHECK_STATUS(decode_text("{\"elements\":[],\"remark\":\"nobody knows\"}", NULL, &response, NULL),
               OPK_OK);
  CHECK_INT(opk_response_is_complete(response), -1);
  opk_response_free(response);
}

TEST(test_truncated) {
  opk_decode_options options = OPK_DECODE_OPTIONS_INIT;
  opk_error error = OPK_ERROR_INIT;
  opk_response *response = (opk_response *)&options;
  const char *path = fixture("overpass-json/truncated.json");
  CHECK_STATUS(opk_response_decode_file(path, NULL, &response, &error), OPK_ERR_DECODE_TRUNCATED);
  CHECK(response == NULL);
  CHECK_INT(error.line, 6);
  CHECK(error.byte_offset > 200);
  options.flags = OPK_DECODE_ALLOW_TRUNCATED;
  CHECK_STATUS(opk_response_decode_file(path, &options, &response, &error), OPK_OK);
  CHECK_INT(opk_response_is_complete(response), 0);
  CHECK_INT(opk_response_truncated_at(response), error.byte_offset);
  CHECK_INT(opk_response_element_count(response, 0), 2);
  opk_response_free(response);
}

TEST(test_truncated_at_every_byte) {
  opk_decode_options options = OPK_DECODE_OPTIONS_INIT;
  const char *path = fixture("overpass-json/geometry.json");
  FILE *file = fopen(path, "rb");
  uint8_t bytes[4096];
  size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0, length;
  CHECK(size > 0);
  if (file) fclose(file);
  options.flags = OPK_DECODE_ALLOW_TRUNCATED;
  while (size > 0 && bytes[size - 1] != '}') size--;
  for (length = 1; length < size; length++) {
    opk_response *response = NULL;
    opk_error error = OPK_ERROR_INIT;
    uint8_t *exact = malloc(length); /* so that valgrind sees a read beyond the end */
    memcpy(exact, bytes, length);
    CHECK_STATUS(opk_response_decode_json(exact, length, NULL, &response, &error),
                 OPK_ERR_DECODE_TRUNCATED);
    CHECK_STATUS(opk_response_decode_json(exact, length, &options, &response, &error), OPK_OK);
    CHECK_INT(opk_response_is_complete(response), 0);
    opk_response_free(response);
    free(exact);
  }
}

TEST(test_gzip) {
  /* {"elements":[{"type":"node","id":1,"lat":52.5,"lon":13.4}]} */
  static const uint8_t packed[] = {
      0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xab, 0x56, 0x4a, 0xcd, 0x49,
      0xcd, 0x4d, 0xcd, 0x2b, 0x29, 0x56, 0xb2, 0x8a, 0xae, 0x56, 0x2a, 0xa9, 0x2c, 0x48, 0x55,
      0xb2, 0x52, 0xca, 0xcb, 0x4f, 0x49, 0x55, 0xd2, 0x51, 0xca, 0x4c, 0x51, 0xb2, 0x32, 0xd4,
      0x51, 0xca, 0x49, 0x2c, 0x51, 0xb2, 0x32, 0x35, 0xd2, 0x33, 0x05, 0x32, 0xf3, 0xf3, 0x80,
      0x42, 0xc6, 0x7a, 0x26, 0xb5, 0xb1, 0xb5, 0x00, 0x2d, 0x16, 0xd1, 0x72, 0x3b, 0x00, 0x00,
      0x00};
  opk_response *response = NULL;
  CHECK_STATUS(opk_response_decode_json(packed, sizeof packed, NULL, &response, NULL), OPK_OK);
  CHECK_INT(opk_response_element_count(response, OPK_NODE), 1);
  CHECK_INT(element_at(response, 0).position.lat_e7, 525000000);
  opk_response_free(response);
  CHECK(opk_response_decode_json(packed, 30, NULL, &response, NULL) != OPK_OK);
  CHECK(response == NULL);
}

TEST(test_limits) {
  opk_decode_options options = OPK_DECODE_OPTIONS_INIT;
  opk_response *response = NULL;
  opk_error error = OPK_ERROR_INIT;
  options.max_bytes = 10;
  CHECK_STATUS(decode_text("{\"elements\":[]}", &options, &response, &error), OPK_ERR_LIMIT);
  CHECK(strstr(error.message, "max_bytes"));
  options.max_bytes = 0;
  options.max_depth = 5;
  CHECK_STATUS(decode_text("{\"x\":[[[[[[[]]]]]]],\"elements\":[]}", &options, &response, &error),
               OPK_ERR_LIMIT);
  CHECK(strstr(error.message, "depth"));
  options.max_depth = 0;
  CHECK_STATUS(decode_text("{\"x\":[[[[[[[]]]]]]],\"elements\":[]}", &options, &response, &error),
               OPK_OK);
  opk_response_free(response);
}

TEST(test_limits_of_content) {
  const char *text =
      "{\"elements\":[{\"type\":\"way\",\"id\":1},\n"
      "{\"type\":\"way\",\"id\":2,\"tags\":{\"highway\":\"residential\"}}]}";
  opk_decode_options options = OPK_DECODE_OPTIONS_INIT;
  opk_response *response = NULL;
  opk_error error = OPK_ERROR_INIT;
  options.max_elements = 1;
  CHECK_STATUS(decode_text(text, &options, &response, &error), OPK_ERR_LIMIT);
  CHECK(strstr(error.message, "max_elements"));
  CHECK_INT(error.line, 2);
  options.max_elements = 2;
  options.max_text_bytes = 10;
  CHECK_STATUS(decode_text(text, &options, &response, &error), OPK_ERR_LIMIT);
  CHECK(strstr(error.message, "max_text_bytes"));
  options.max_text_bytes = 18;
  CHECK_STATUS(decode_text(text, &options, &response, &error), OPK_OK);
  opk_response_free(response);
}

/* A caller built before progress was there has a smaller struct. */
TEST(test_options_of_an_older_caller) {
  opk_decode_options options = OPK_DECODE_OPTIONS_INIT;
  opk_response *response = NULL;
  options.struct_size = 24;
  options.max_elements = 1;
  CHECK_STATUS(decode_text("{\"elements\":[{\"type\":\"a\"},{\"type\":\"b\"}]}", &options,
                           &response, NULL),
               OPK_OK);
  opk_response_free(response);
}

TEST(test_text_that_is_not_utf8) {
  const char *text = "{\"elements\":[{\"type\":\"way\",\"id\":1,\"tags\":{\"tunnel\":\"\xff\"}}]}";
  opk_decode_options options = OPK_DECODE_OPTIONS_INIT;
  opk_response *response = NULL;
  opk_element way;
  CHECK_STATUS(decode_text(text, NULL, &response, NULL), OPK_OK);
  way = element_at(response, 0);
  CHECK_TEXT(tag(response, &way, "tunnel"), "\xef\xbf\xbd");
  CHECK_INT(opk_response_diagnostic_count(response), 1);
  CHECK(opk_response_diagnostic(response, 0).len > 0);
  CHECK_INT(opk_response_is_complete(response), 1);
  opk_response_free(response);
  options.flags = OPK_DECODE_STRICT_TEXT;
  CHECK_STATUS(decode_text(text, &options, &response, NULL), OPK_ERR_DECODE_TEXT);
}

TEST(test_element_of_an_older_caller) {
  opk_response *response = decoded("overpass-json/kinds.json");
  struct { uint32_t struct_size, type, has; int32_t version; int64_t id, beyond; } old;
  memset(&old, 0x55, sizeof old);
  old.struct_size = (uint32_t)offsetof(opk_element, timestamp);
  CHECK_STATUS(opk_response_element(response, 8, (opk_element *)(void *)&old), OPK_OK);
  CHECK_INT(old.id, 12345678901);
  CHECK_INT(old.version, 4);
  CHECK_INT(old.beyond, 0x5555555555555555);
  opk_response_free(response);
}

int main(void) {
  RUN(test_head);
  RUN(test_node);
  RUN(test_way_and_relation);
  RUN(test_order_and_numbers_of_texts);
  RUN(test_printed_geometry);
  RUN(test_derived_elements);
  RUN(test_remark_makes_incomplete);
  RUN(test_truncated);
  RUN(test_truncated_at_every_byte);
  RUN(test_gzip);
  RUN(test_limits);
  RUN(test_limits_of_content);
  RUN(test_options_of_an_older_caller);
  RUN(test_text_that_is_not_utf8);
  RUN(test_element_of_an_older_caller);
  return FINISH();
}
