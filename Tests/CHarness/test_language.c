/* Text of queries: reading, checking, printing anew, macros, searches in words. */
#include "opk_test.h"
#include <math.h>

/* A block as a C string in a buffer that the next call overwrites; frees the block. */
static const char *text_of(opk_bytes *block) {
  static char text[4096];
  snprintf(text, sizeof text, "%.*s", (int)opk_bytes_size(block),
           block ? (const char *)opk_bytes_data(block) : "");
  opk_bytes_free(block);
  return text;
}

TEST(test_parse_and_render) {
  const char *text = "node [ amenity = cafe ] (50.7,7.0,50.8,7.2) ; out ;";
  opk_query *query = NULL;
  opk_bytes *block = NULL;
  CHECK_STATUS(opk_query_parse(text, strlen(text), &query, NULL), OPK_OK);
  CHECK_STATUS(opk_query_render_ql(query, 0, &block, NULL), OPK_OK);
  CHECK(strcmp(text_of(block), "node[\"amenity\"=\"cafe\"](50.7,7,50.8,7.2);out;") == 0);
  CHECK_STATUS(opk_query_set_timeout(query, 25, NULL), OPK_OK);
  CHECK_STATUS(opk_query_render_ql(query, OPK_RENDER_PRETTY, &block, NULL), OPK_OK);
  CHECK(strchr(text_of(block), '\n'));
  CHECK_STATUS(opk_query_render_xml(query, 0, &block, NULL), OPK_OK);
  CHECK(strstr(text_of(block), "timeout=\"25\""));
  CHECK_STATUS(opk_query_render_ql(query, 1u << 31, &block, NULL), OPK_ERR_MISUSE);
  opk_query_free(query);
}

TEST(test_syntax_error) {
  const char *text = "node[amenity=cafe];\nuot;";
  opk_query *query = NULL;
  opk_error error = OPK_ERROR_INIT;
  opk_diagnostics *found = NULL;
  opk_diagnostic diagnostic = OPK_DIAGNOSTIC_INIT;
  CHECK_STATUS(opk_query_parse(text, strlen(text), &query, &error), OPK_ERR_QUERY_SYNTAX);
  CHECK(query == NULL);
  CHECK_INT(error.line, 2);
  CHECK_STATUS(opk_query_check_text(text, strlen(text), &found, NULL), OPK_OK);
  CHECK(opk_diagnostics_count(found) > 0);
  CHECK_STATUS(opk_diagnostics_get(found, 0, &diagnostic), OPK_OK);
  CHECK_INT(diagnostic.is_error, 1);
  CHECK_INT(diagnostic.line, 2);
  CHECK_INT(diagnostic.byte_offset, error.byte_offset);
  CHECK(diagnostic.message.len > 0);
  CHECK_STATUS(opk_diagnostics_get(found, 99, &diagnostic), OPK_ERR_MISUSE);
  opk_diagnostics_free(found);
}

TEST(test_check_of_a_good_query) {
  opk_query *query = opk_query_new(OPK_NODES);
  opk_diagnostics *found = NULL;
  opk_diagnostic diagnostic = OPK_DIAGNOSTIC_INIT;
  CHECK_STATUS(opk_query_set_bbox(query, 50, 7, 50.1, 7.1, NULL), OPK_OK);
  CHECK_STATUS(opk_query_check(query, &found, NULL), OPK_OK);
  CHECK_INT(opk_diagnostics_count(found), 0);
  opk_diagnostics_free(found);
  opk_query_free(query);
  CHECK_STATUS(opk_query_check(NULL, &found, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_check_text(NULL, 1, &found, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_parse(NULL, 1, &query, NULL), OPK_ERR_MISUSE);
  CHECK_INT(opk_diagnostics_count(NULL), 0);
  CHECK_STATUS(opk_diagnostics_get(NULL, 0, &diagnostic), OPK_ERR_MISUSE);
  opk_diagnostics_free(NULL);
}

TEST(test_area_ids) {
  CHECK_INT(opk_area_id(OPK_RELATION, 62422), 3600062422);
  CHECK_INT(opk_area_id(OPK_WAY, 7), 2400000007);
  CHECK_INT(opk_area_id(OPK_NODE, 7), -1);
  CHECK_INT(opk_area_id(OPK_RELATION, -1), -1);
  CHECK_INT(opk_area_id(OPK_RELATION, INT64_MAX), -1);
}

TEST(test_wizard) {
  const char *keys[] = {"amenity"}, *values[] = {"hospital"};
  opk_preset preset = OPK_PRESET_INIT;
  opk_bytes *block = NULL;
  CHECK_STATUS(opk_query_wizard("amenity=cafe", NULL, 0, &block, NULL), OPK_OK);
  CHECK(strstr(text_of(block), "[\"amenity\"=\"cafe\"]({{bbox}})"));
  preset.types = OPK_NODES | OPK_WAYS;
  preset.name = "Hospital";
  preset.keys = keys;
  preset.values = values;
  preset.tag_count = 1;
  CHECK_STATUS(opk_query_wizard("hospital", &preset, 1, &block, NULL), OPK_OK);
  CHECK(strstr(text_of(block), "[\"amenity\"=\"hospital\"]"));
  CHECK_STATUS(opk_query_wizard("amenity=", NULL, 0, &block, NULL), OPK_ERR_QUERY_SYNTAX);
  CHECK(block == NULL);
  CHECK_STATUS(opk_query_wizard(NULL, NULL, 0, &block, NULL), OPK_ERR_MISUSE);
}

static size_t find_bonn(void *context, const char *name, opk_place *places, size_t capacity) {
  ++*(int *)context;
  if (capacity == 0 || strcmp(name, "Bonn") != 0) return 0;
  places[0].type = OPK_RELATION;
  places[0].id = 62508;
  return 1;
}

TEST(test_macros) {
  const char *text = "area({{geocodeArea:Bonn}});node({{bbox}});out;";
  opk_macro_options options = OPK_MACRO_OPTIONS_INIT;
  opk_bytes *block = NULL;
  opk_error error = OPK_ERROR_INIT;
  int calls = 0;
  options.south = 50;
  options.west = 7;
  options.north = 51;
  options.east = 8;
  CHECK_STATUS(opk_query_expand_macros(text, strlen(text), &options, &block, &error),
               OPK_ERR_QUERY_SYNTAX);
  CHECK_INT(error.byte_offset, 5);
  options.geocode = find_bonn;
  options.context = &calls;
  CHECK_STATUS(opk_query_expand_macros(text, strlen(text), &options, &block, &error), OPK_OK);
  CHECK_INT(calls, 1);
  text = text_of(block);
  CHECK(strstr(text, "3600062508"));
  CHECK(strstr(text, "node(50.0000000,7.0000000,51.0000000,8.0000000)"));
}

int main(void) {
  RUN(test_parse_and_render);
  RUN(test_syntax_error);
  RUN(test_check_of_a_good_query);
  RUN(test_area_ids);
  RUN(test_wizard);
  RUN(test_macros);
  return FINISH();
}
