/* Building queries and printing them. */
#include "opk_test.h"
#include <math.h>

/* The text a query renders to, in a buffer that the next call overwrites; "" after a failure. */
static const char *rendered(const opk_query *query,
                            opk_status (*render)(const opk_query *, uint32_t, opk_bytes **,
                                                 opk_error *)) {
  static char text[4096];
  opk_bytes *block = NULL;
  size_t size;
  if (render(query, 0, &block, NULL) != OPK_OK) return "";
  size = opk_bytes_size(block);
  if (size >= sizeof text) size = sizeof text - 1;
  memcpy(text, opk_bytes_data(block), size);
  text[size] = '\0';
  opk_bytes_free(block);
  return text;
}

static const char *ql(const opk_query *query) { return rendered(query, opk_query_render_ql); }
static const char *xml(const opk_query *query) { return rendered(query, opk_query_render_xml); }

static opk_query *benches(void) {
  opk_query *query = opk_query_new(OPK_NODES);
  CHECK_STATUS(opk_query_add_tag(query, OPK_TAG_EQUALS, "amenity", "bench", 0, NULL), OPK_OK);
  return query;
}

TEST(test_common_query) {
  opk_query *query = benches();
  CHECK_STATUS(opk_query_set_around(query, 52.51633, 13.37751, 800, NULL), OPK_OK);
  CHECK_STATUS(opk_query_set_timeout(query, 25, NULL), OPK_OK);
  CHECK_STATUS(opk_query_set_maxsize(query, 1000000, NULL), OPK_OK);
  CHECK_STATUS(opk_query_set_output(query, OPK_OUTPUT_GEOMETRY, NULL), OPK_OK);
  CHECK(strstr(ql(query), "[out:json]"));
  CHECK(strstr(ql(query), "[timeout:25]"));
  CHECK(strstr(ql(query), "[maxsize:1000000]"));
  CHECK(strstr(ql(query), "node"));
  CHECK(strstr(ql(query), "[\"amenity\"=\"bench\"]"));
  CHECK(strstr(ql(query), "(around:800"));
  CHECK(strstr(ql(query), "out geom"));
  CHECK(strstr(xml(query), "<osm-script"));
  CHECK(strstr(xml(query), "timeout=\"25\""));
  CHECK(strstr(xml(query), "</osm-script>"));
  opk_query_free(query);
}

TEST(test_equal_queries_give_equal_bytes) {
  opk_query *one = benches(), *other = benches();
  char first[4096];
  strcpy(first, ql(one));
  CHECK(strcmp(first, ql(one)) == 0);
  CHECK(strcmp(first, ql(other)) == 0);
  opk_query_free(one);
  opk_query_free(other);
}

TEST(test_clone_is_independent) {
  opk_query *query = benches(), *clone = opk_query_clone(query);
  char before[4096];
  strcpy(before, ql(query));
  CHECK(strcmp(before, ql(clone)) == 0);
  CHECK_STATUS(opk_query_add_tag(clone, OPK_TAG_EXISTS, "backrest", NULL, 0, NULL), OPK_OK);
  CHECK(strstr(ql(clone), "backrest"));
  CHECK(strcmp(before, ql(query)) == 0);
  opk_query_free(query);
  CHECK(strstr(ql(clone), "backrest"));
  opk_query_free(clone);
  CHECK(opk_query_clone(NULL) == NULL);
}

TEST(test_all_comparisons_render) {
  static const struct { int32_t comparison; const char *value; } rows[] = {
      {OPK_TAG_EXISTS, NULL},         {OPK_TAG_NOT_EXISTS, NULL},  {OPK_TAG_EQUALS, "a"},
      {OPK_TAG_NOT_EQUALS, "a"},      {OPK_TAG_CONTAINS, "a.b"},   {OPK_TAG_NOT_CONTAINS, "a"},
      {OPK_TAG_STARTS_WITH, "(alt)"}, {OPK_TAG_MATCHES, "^a|b$"},  {OPK_TAG_NOT_MATCHES, "a+"}};
  const char *values[] = {"yes", "no"};
  size_t row;
  opk_query *query;
  for (row = 0; row < sizeof rows / sizeof *rows; row++) {
    query = opk_query_new(OPK_NODES | OPK_WAYS | OPK_RELATIONS);
    CHECK_STATUS(opk_query_add_tag(query, OPK_TAG_EXISTS, "highway", NULL, 0, NULL), OPK_OK);
    CHECK_STATUS(
        opk_query_add_tag(query, rows[row].comparison, "name", rows[row].value, 0, NULL), OPK_OK);
    CHECK(strstr(ql(query), "name"));
    CHECK(strstr(xml(query), "name"));
    opk_query_free(query);
  }
  query = opk_query_new(OPK_WAYS);
  CHECK_STATUS(opk_query_add_tag_one_of(query, "oneway", values, 2, 0, NULL), OPK_OK);
  CHECK(strstr(ql(query), "yes") && strstr(ql(query), "no"));
  opk_query_free(query);
}

TEST(test_text_is_escaped) {
  opk_query *query = opk_query_new(OPK_NODES);
  CHECK_STATUS(opk_query_add_tag(query, OPK_TAG_EQUALS, "name", "\"A\"\\<&>", 0, NULL), OPK_OK);
  CHECK(strstr(ql(query), "\"name\"=\"\\\"A\\\"\\\\<&>\""));
  CHECK(strstr(xml(query), "&quot;A&quot;\\&lt;&amp;"));
  opk_query_free(query);
}

TEST(test_what_cannot_be_is_refused) {
  opk_query *query = opk_query_new(0);
  opk_bytes *text = (opk_bytes *)&query;
  opk_error error = OPK_ERROR_INIT;
  CHECK_STATUS(opk_query_add_tag(query, OPK_TAG_EXISTS, "a", NULL, 0, NULL), OPK_OK);
  CHECK_STATUS(opk_query_render_ql(query, 0, &text, &error), OPK_ERR_QUERY_NO_TYPE);
  CHECK(text == NULL);
  CHECK_INT(error.status, OPK_ERR_QUERY_NO_TYPE);
  CHECK(error.message[0] != '\0');
  opk_query_free(query);

  query = opk_query_new(OPK_NODES);
  CHECK_STATUS(opk_query_render_ql(query, 0, &text, NULL), OPK_ERR_QUERY_NO_FILTER);
  CHECK_STATUS(opk_query_render_xml(query, 0, &text, NULL), OPK_ERR_QUERY_NO_FILTER);
  CHECK_STATUS(opk_query_set_bbox(query, 50, 7, 51, 8, NULL), OPK_OK);
  CHECK_STATUS(opk_query_render_ql(query, 0, &text, NULL), OPK_OK);
  opk_bytes_free(text);
  opk_query_free(query);
}

TEST(test_setters_check_at_once_and_change_nothing) {
  const char *broken = "\xff";
  const char *one_broken[] = {"a", "\xff"};
  opk_query *query = benches();
  opk_error error = OPK_ERROR_INIT;
  char before[4096];
  strcpy(before, ql(query));
  CHECK_STATUS(opk_query_set_timeout(query, 0, &error), OPK_ERR_QUERY_SETTING);
  CHECK_STATUS(opk_query_set_timeout(query, INT64_MIN, &error), OPK_ERR_QUERY_SETTING);
  CHECK_STATUS(opk_query_set_maxsize(query, -1, &error), OPK_ERR_QUERY_SETTING);
  CHECK_STATUS(opk_query_set_bbox(query, NAN, 0, 1, 1, &error), OPK_ERR_QUERY_COORDINATE);
  CHECK_STATUS(opk_query_set_bbox(query, 0, 0, 91, 1, &error), OPK_ERR_QUERY_COORDINATE);
  CHECK_STATUS(opk_query_set_bbox(query, 2, 0, 1, 1, &error), OPK_ERR_QUERY_COORDINATE);
  CHECK_STATUS(opk_query_set_bbox_center(query, 0, 181, 1, 1, &error), OPK_ERR_QUERY_COORDINATE);
  CHECK_STATUS(opk_query_set_bbox_center(query, 0, 0, -1, 1, &error), OPK_ERR_QUERY_COORDINATE);
  CHECK_STATUS(opk_query_set_around(query, 0, INFINITY, 1, &error), OPK_ERR_QUERY_COORDINATE);
  CHECK_STATUS(opk_query_set_around(query, 0, 0, -1, &error), OPK_ERR_QUERY_COORDINATE);
  CHECK_STATUS(opk_query_add_tag(query, OPK_TAG_EQUALS, "", "x", 0, &error), OPK_ERR_QUERY_VALUE);
  CHECK_STATUS(opk_query_add_tag(query, OPK_TAG_EQUALS, "a", broken, 0, &error),
               OPK_ERR_QUERY_VALUE);
  CHECK_STATUS(opk_query_add_tag_one_of(query, "a", one_broken, 2, 0, &error),
               OPK_ERR_QUERY_VALUE);
  CHECK_STATUS(opk_query_add_tag_one_of(query, "a", NULL, 0, 0, &error), OPK_ERR_QUERY_VALUE);
  CHECK_STATUS(opk_query_add_tag(query, 99, "a", "x", 0, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_add_tag(query, OPK_TAG_EQUALS, "a", "x", 1u << 31, &error),
               OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_add_tag(query, OPK_TAG_EQUALS, NULL, "x", 0, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_add_tag(query, OPK_TAG_EQUALS, "a", NULL, 0, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_set_output(query, 99, &error), OPK_ERR_MISUSE);
  CHECK(strcmp(before, ql(query)) == 0);
  opk_query_free(query);
}

TEST(test_boxes_at_the_edges_of_the_world) {
  opk_query *query = opk_query_new(OPK_NODES);
  CHECK_STATUS(opk_query_set_bbox(query, -17, 176, -16, -178, NULL), OPK_OK);
  CHECK(strstr(ql(query), "176") && strstr(ql(query), "-178"));
  CHECK_STATUS(opk_query_set_bbox_center(query, 0, 180, 2000, 2000, NULL), OPK_OK);
  CHECK(strstr(ql(query), "179.99") && strstr(ql(query), "-179.99"));
  CHECK_STATUS(opk_query_set_bbox_center(query, 89.9999, 0, 5000, 5000, NULL), OPK_OK);
  CHECK(strstr(ql(query), "-180") && strstr(ql(query), "90"));
  opk_query_free(query);
}

TEST(test_null_query) {
  opk_bytes *text = NULL;
  CHECK_STATUS(opk_query_add_tag(NULL, OPK_TAG_EXISTS, "a", NULL, 0, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_add_tag_one_of(NULL, "a", NULL, 0, 0, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_set_bbox(NULL, 0, 0, 1, 1, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_set_bbox_center(NULL, 0, 0, 1, 1, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_set_around(NULL, 0, 0, 1, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_set_timeout(NULL, 1, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_set_maxsize(NULL, 1, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_set_output(NULL, 0, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_render_ql(NULL, 0, &text, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_render_xml(NULL, 0, &text, NULL), OPK_ERR_MISUSE);
  opk_query_free(NULL);
}

int main(void) {
  RUN(test_common_query);
  RUN(test_equal_queries_give_equal_bytes);
  RUN(test_clone_is_independent);
  RUN(test_all_comparisons_render);
  RUN(test_text_is_escaped);
  RUN(test_what_cannot_be_is_refused);
  RUN(test_setters_check_at_once_and_change_nothing);
  RUN(test_boxes_at_the_edges_of_the_world);
  RUN(test_null_query);
  return FINISH();
}
