/* Responses made of other responses. */
#include "opk_test.h"

static opk_response *answer(const char *text) {
  opk_response *response = NULL;
  CHECK_STATUS(opk_response_decode((const uint8_t *)text, strlen(text), NULL, &response, NULL),
               OPK_OK);
  return response;
}

static const char *west =
    "{\"osm3s\": {\"timestamp_osm_base\": \"2024-05-01T00:00:00Z\"}, \"elements\": ["
    "{\"type\": \"node\", \"id\": 1, \"lat\": 1, \"lon\": 1, \"version\": 2},"
    "{\"type\": \"node\", \"id\": 3, \"lat\": 3, \"lon\": 3}]}";
static const char *east =
    "{\"osm3s\": {\"timestamp_osm_base\": \"2024-04-01T00:00:00Z\"}, \"elements\": ["
    "{\"type\": \"node\", \"id\": 1, \"lat\": 9, \"lon\": 9, \"version\": 3},"
    "{\"type\": \"node\", \"id\": 2, \"lat\": 2, \"lon\": 2}], \"remark\": \"runtime error: x\"}";
static const char *changes =
    "<osmChange version='0.6'>"
    "<create><node id='5' version='1' lat='5' lon='5'><tag k='a' v='b'/></node></create>"
    "<modify><node id='1' version='1' lat='0' lon='0'/></modify>"
    "<delete><node id='3' version='7'/></delete></osmChange>";

static int64_t id_at(const opk_response *response, size_t index) {
  opk_element element = OPK_ELEMENT_INIT;
  CHECK_STATUS(opk_response_element(response, index, &element), OPK_OK);
  return element.id;
}

TEST(test_merge) {
  const opk_response *parts[2];
  opk_response *left = answer(west), *right = answer(east), *merged = NULL;
  opk_element element = OPK_ELEMENT_INIT;
  parts[0] = left;
  parts[1] = right;
  CHECK_STATUS(opk_response_merge(parts, 2, &merged, NULL), OPK_OK);
  opk_response_free(left);
  opk_response_free(right);
  CHECK_INT(opk_response_element_count(merged, 0), 3);
  CHECK_INT(id_at(merged, 0), 1);
  CHECK_INT(id_at(merged, 1), 2);
  CHECK_INT(id_at(merged, 2), 3);
  CHECK_STATUS(opk_response_element(merged, 0, &element), OPK_OK);
  CHECK_INT(element.version, 3);
  CHECK_INT(element.position.lat_e7, 90000000);
  CHECK_TEXT(opk_response_header(merged, OPK_HEADER_TIMESTAMP), "2024-04-01T00:00:00Z");
  CHECK_INT(opk_response_is_complete(merged), 0);
  CHECK_INT(opk_response_remark_count(merged), 1);
  CHECK_TEXT(opk_response_diagnostic(merged, 0),
             "merged answers show different states; the oldest is told "
             "(2024-04-01T00:00:00Z to 2024-05-01T00:00:00Z)");
  opk_response_free(merged);
}

TEST(test_merge_misuse) {
  const opk_response *parts[2];
  opk_response *left = answer(west), *diff = answer(changes), *merged = NULL;
  opk_error error = OPK_ERROR_INIT;
  parts[0] = left;
  parts[1] = diff;
  CHECK_STATUS(opk_response_merge(parts, 2, &merged, &error), OPK_ERR_MISUSE);
  CHECK(merged == NULL);
  CHECK(strstr(error.message, "response 2 lists changes") != NULL);
  parts[1] = NULL;
  CHECK_STATUS(opk_response_merge(parts, 2, &merged, &error), OPK_ERR_MISUSE);
  CHECK(strcmp(error.message, "responses[1] is NULL") == 0);
  CHECK_STATUS(opk_response_merge(NULL, 2, &merged, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_merge(parts, 1, NULL, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_merge(NULL, 0, &merged, NULL), OPK_OK);
  CHECK_INT(opk_response_element_count(merged, 0), 0);
  CHECK_INT(opk_response_is_complete(merged), 1);
  opk_response_free(merged);
  CHECK_STATUS(opk_response_merge(parts, 1, &merged, NULL), OPK_OK);
  CHECK_INT(opk_response_element_count(merged, 0), 2);
  opk_response_free(merged);
  opk_response_free(left);
  opk_response_free(diff);
}

TEST(test_apply) {
  const opk_response *lists[1];
  opk_response *base = answer(east), *diff = answer(changes), *applied = NULL;
  opk_error error = OPK_ERROR_INIT;
  lists[0] = diff;
  CHECK_STATUS(opk_response_apply(base, lists, 1, &applied, NULL), OPK_OK);
  CHECK_INT(opk_response_element_count(applied, 0), 3);
  CHECK_INT(id_at(applied, 2), 5);
  CHECK_INT(opk_response_action_count(applied), 0);
  CHECK_INT(opk_response_diagnostic_count(applied), 1);
  CHECK_TEXT(opk_response_diagnostic(applied, 0),
             "node/1: a change was left out (version 1, while 3 is there)");
  opk_response_free(applied);
  CHECK_STATUS(opk_response_apply(diff, lists, 1, &applied, &error), OPK_ERR_MISUSE);
  CHECK(applied == NULL);
  lists[0] = base;
  CHECK_STATUS(opk_response_apply(base, lists, 1, &applied, &error), OPK_ERR_MISUSE);
  CHECK(strcmp(error.message, "change file 1 lists no changes of elements") == 0);
  lists[0] = NULL;
  CHECK_STATUS(opk_response_apply(base, lists, 1, &applied, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_apply(base, NULL, 1, &applied, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_apply(NULL, NULL, 0, &applied, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_apply(base, NULL, 0, NULL, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_apply(base, NULL, 0, &applied, NULL), OPK_OK);
  CHECK_INT(opk_response_element_count(applied, 0), 2);
  opk_response_free(applied);
  opk_response_free(base);
  opk_response_free(diff);
}

/* How many elements a filter takes; -1 when it is refused. */
static int64_t taken(const opk_response *response, const opk_filter_options *options,
                     opk_status expected) {
  opk_response *part = NULL;
  int64_t count;
  CHECK_STATUS(opk_response_filter(response, options, &part, NULL), expected);
  CHECK((part != NULL) == (expected == OPK_OK));
  count = part ? (int64_t)opk_response_element_count(part, 0) : -1;
  opk_response_free(part);
  return count;
}

TEST(test_filter) {
  static const char *values[] = {"bar", "cafe"};
  opk_tag_condition tags[2];
  opk_filter_options options = OPK_FILTER_OPTIONS_INIT;
  opk_response *response = answer(
      "{\"elements\": [{\"type\": \"node\", \"id\": 1, \"lat\": 1, \"lon\": 179,"
      " \"tags\": {\"amenity\": \"cafe\", \"name\": \"A\"}},"
      "{\"type\": \"node\", \"id\": 2, \"lat\": 1, \"lon\": 2},"
      "{\"type\": \"way\", \"id\": 1, \"nodes\": [1, 2], \"tags\": {\"amenity\": \"bar\"}},"
      "{\"type\": \"count\", \"id\": 0, \"tags\": {\"total\": \"3\"}}]}");
  memset(tags, 0, sizeof tags);
  CHECK_INT(taken(response, NULL, OPK_OK), 4);
  CHECK_INT(taken(response, &options, OPK_OK), 4);
  options.types = OPK_NODES;
  CHECK_INT(taken(response, &options, OPK_OK), 2);
  options.types = OPK_WAYS | OPK_OTHERS;
  CHECK_INT(taken(response, &options, OPK_OK), 2);
  options.types = OPK_WAYS;
  options.flags = OPK_FILTER_KEEP_REFERENCES;
  CHECK_INT(taken(response, &options, OPK_OK), 3);
  options.types = 32;
  CHECK_INT(taken(response, &options, OPK_ERR_MISUSE), -1);
  options.types = OPK_AREAS;
  options.flags = 4;
  CHECK_INT(taken(response, &options, OPK_ERR_MISUSE), -1);
  options.types = options.flags = 0;
  options.tags = tags;
  options.tag_count = 1;
  tags[0].comparison = OPK_TAG_EQUALS;
  tags[0].key = "amenity";
  tags[0].values = values;
  tags[0].value_count = 2;
  CHECK_INT(taken(response, &options, OPK_OK), 2);
  tags[0].value_count = 1;
  CHECK_INT(taken(response, &options, OPK_OK), 1);
  tags[0].comparison = OPK_TAG_NOT_EQUALS;
  CHECK_INT(taken(response, &options, OPK_OK), 3);
  options.tag_count = 2;
  tags[1].key = "name";
  tags[1].comparison = OPK_TAG_EXISTS;
  CHECK_INT(taken(response, &options, OPK_OK), 1);
  tags[1].comparison = OPK_TAG_NOT_EXISTS;
  CHECK_INT(taken(response, &options, OPK_OK), 2);
  tags[1].comparison = OPK_TAG_EQUALS; /* without values */
  CHECK_INT(taken(response, &options, OPK_ERR_MISUSE), -1);
  tags[1].comparison = OPK_TAG_MATCHES;
  CHECK_INT(taken(response, &options, OPK_ERR_MISUSE), -1);
  tags[1].comparison = OPK_TAG_EXISTS;
  tags[1].key = NULL;
  CHECK_INT(taken(response, &options, OPK_ERR_MISUSE), -1);
  tags[1].key = "\xff";
  CHECK_INT(taken(response, &options, OPK_ERR_QUERY_VALUE), -1);
  options.tags = NULL;
  CHECK_INT(taken(response, &options, OPK_ERR_MISUSE), -1);
  options.tag_count = (size_t)-1;
  CHECK_INT(taken(response, &options, OPK_ERR_MISUSE), -1);
  options.tag_count = 0;
  options.flags = OPK_FILTER_BOX;
  options.south = 0;
  options.north = 5;
  options.west = 178;
  options.east = -178;
  CHECK_INT(taken(response, &options, OPK_OK), 2);
  options.south = 6;
  CHECK_INT(taken(response, &options, OPK_ERR_MISUSE), -1);
  options.south = 0;
  options.west = 181;
  CHECK_INT(taken(response, &options, OPK_ERR_MISUSE), -1);
  CHECK_INT(taken(NULL, NULL, OPK_ERR_MISUSE), -1);
  opk_response_free(response);
}

int main(void) {
  RUN(test_merge);
  RUN(test_merge_misuse);
  RUN(test_apply);
  RUN(test_filter);
  return FINISH();
}
