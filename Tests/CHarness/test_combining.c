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

int main(void) {
  RUN(test_merge);
  RUN(test_merge_misuse);
  return FINISH();
}
