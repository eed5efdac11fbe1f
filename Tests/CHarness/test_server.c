/* XML answers, changes, what servers say, and what replies mean. */
#include "opk_test.h"

static opk_status decode(const char *text, opk_response **out, opk_error *error) {
  return opk_response_decode((const uint8_t *)text, strlen(text), NULL, out, error);
}

static const char *const XML =
    "<?xml version='1.0'?><osm version='0.6' generator='Overpass API'>"
    "<meta osm_base='2024-03-31T02:30:00Z'/>"
    "<node id='1' lat='50.7' lon='7.1'><tag k='name' v='Zur &#xd6;se'/></node>"
    "<way id='2'><nd ref='1'/><nd ref='9'/></way></osm>";

TEST(test_xml) {
  opk_response *response = NULL;
  opk_element element = OPK_ELEMENT_INIT;
  CHECK_STATUS(opk_response_decode_xml((const uint8_t *)XML, strlen(XML), NULL, &response, NULL),
               OPK_OK);
  CHECK_TEXT(opk_response_header(response, OPK_HEADER_TIMESTAMP), "2024-03-31T02:30:00Z");
  CHECK_STATUS(opk_response_element(response, 0, &element), OPK_OK);
  CHECK_INT(element.position.lat_e7, 507000000);
  CHECK_TEXT(opk_response_string(response, element.tags[0].value), "Zur \xc3\x96se");
  CHECK_STATUS(opk_response_element(response, 1, &element), OPK_OK);
  CHECK_INT(element.node_count, 2);
  opk_response_free(response);
  CHECK_STATUS(decode(XML, &response, NULL), OPK_OK);
  CHECK_INT(opk_response_element_count(response, 0), 2);
  opk_response_free(response);
}

TEST(test_broken_xml) {
  opk_response *response = NULL;
  opk_error error = OPK_ERROR_INIT;
  CHECK_STATUS(decode("<osm>\n<node id='1' lat='1' lon='2'></osm>", &response, &error),
               OPK_ERR_DECODE_SYNTAX);
  CHECK(response == NULL);
  CHECK_INT(error.line, 2);
  CHECK_STATUS(decode("<osm><node id='1' lat='1' lon='2'/>", &response, &error),
               OPK_ERR_DECODE_TRUNCATED);
}

TEST(test_changes) {
  opk_response *response = NULL;
  opk_action action = OPK_ACTION_INIT;
  opk_element element = OPK_ELEMENT_INIT;
  CHECK_STATUS(decode("<osm version='0.6'><action type='delete'>"
                      "<old><node id='1' lat='1' lon='2' version='2'/></old>"
                      "<new><node id='1' visible='false' version='3'/></new></action>"
                      "<action type='create'><node id='9' lat='1' lon='2'/></action></osm>",
                      &response, NULL), OPK_OK);
  CHECK_INT(opk_response_action_count(response), 2);
  CHECK_STATUS(opk_response_action(response, 0, &action), OPK_OK);
  CHECK_INT(action.kind, OPK_ACTION_DELETE);
  CHECK_STATUS(opk_response_element(response, (size_t)action.old_index, &element), OPK_OK);
  CHECK_INT(element.version, 2);
  CHECK_STATUS(opk_response_element(response, (size_t)action.new_index, &element), OPK_OK);
  CHECK_INT(element.version, 3);
  CHECK(element.has & OPK_HAS_VISIBLE && !element.visible && !(element.has & OPK_HAS_POSITION));
  CHECK_STATUS(opk_response_action(response, 1, &action), OPK_OK);
  CHECK_INT(action.kind, OPK_ACTION_CREATE);
  CHECK_INT(action.old_index, -1);
  CHECK_STATUS(opk_response_action(response, 2, &action), OPK_ERR_MISUSE);
  CHECK_INT(opk_response_action_count(NULL), 0);
  CHECK_STATUS(opk_response_action(NULL, 0, &action), OPK_ERR_MISUSE);
  opk_response_free(response);
}

TEST(test_messages) {
  opk_response *response = decoded("overpass-json/remark.json");
  opk_server_message message = OPK_SERVER_MESSAGE_INIT;
  CHECK_INT(opk_response_message_count(response), 1);
  CHECK_STATUS(opk_response_message(response, 0, &message), OPK_OK);
  CHECK_TEXT(message.category, "query_timeout");
  CHECK_TEXT(message.statement, "query");
  CHECK_INT(message.line, 1);
  CHECK_INT(message.seconds, 26);
  CHECK_INT(message.megabytes, -1);
  CHECK_STATUS(opk_response_message(response, 1, &message), OPK_ERR_MISUSE);
  CHECK_INT(opk_response_message_count(NULL), 0);
  CHECK_STATUS(opk_response_message(NULL, 0, &message), OPK_ERR_MISUSE);
  opk_response_free(response);
}

static const char *const PAGE =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><html><body>"
    "<p><strong style=\"color:#FF0000\">Error</strong>: "
    "line 1: parse error: Unknown type \"nod\" </p></body></html>";

TEST(test_error_page) {
  opk_response *response = NULL;
  opk_error error = OPK_ERROR_INIT;
  CHECK_STATUS(decode(PAGE, &response, &error), OPK_ERR_SERVER_BAD_REQUEST);
  CHECK(response == NULL);
  CHECK(strstr(error.message, "parse error: Unknown type"));
}

TEST(test_replies) {
  const uint8_t good[] = "{\"elements\":[]}";
  opk_reply *reply = NULL;
  opk_server_message message = OPK_SERVER_MESSAGE_INIT;
  CHECK_STATUS(opk_reply_classify(429, "text/html", (const uint8_t *)"", 0, &reply, NULL), OPK_OK);
  CHECK_TEXT(opk_reply_category(reply), "rate_limited");
  CHECK_INT(opk_reply_is_retryable(reply), 1);
  opk_reply_free(reply);
  CHECK_STATUS(opk_reply_classify(400, NULL, (const uint8_t *)PAGE, strlen(PAGE), &reply, NULL),
               OPK_OK);
  CHECK_TEXT(opk_reply_category(reply), "bad_request");
  CHECK_INT(opk_reply_is_retryable(reply), 0);
  CHECK_INT(opk_reply_message_count(reply), 1);
  CHECK_STATUS(opk_reply_message(reply, 0, &message), OPK_OK);
  CHECK_INT(message.line, 1);
  CHECK_STATUS(opk_reply_message(reply, 1, &message), OPK_ERR_MISUSE);
  opk_reply_free(reply);
  CHECK_STATUS(opk_reply_classify(200, "application/json", good, sizeof good - 1, &reply, NULL),
               OPK_OK);
  CHECK_TEXT(opk_reply_category(reply), NULL);
  opk_reply_free(reply);
  CHECK_TEXT(opk_reply_category(NULL), NULL);
  CHECK_INT(opk_reply_is_retryable(NULL), 0);
  CHECK_INT(opk_reply_message_count(NULL), 0);
  CHECK_STATUS(opk_reply_message(NULL, 0, &message), OPK_ERR_MISUSE);
  opk_reply_free(NULL);
}

TEST(test_status_page) {
  static const char page[] =
      "Announced endpoint: gall.example\nRate limit: 2\n"
      "Slot available after: 2024-05-01T10:00:40Z, in 40 seconds.\n"
      "4711\t536870912\t180\t2024-05-01T09:59:00Z\n";
  opk_slots *slots = NULL;
  opk_slots_info info = OPK_SLOTS_INFO_INIT;
  opk_str text;
  int64_t seconds = 0;
  CHECK_STATUS(opk_slots_parse(page, sizeof page - 1, &slots, NULL), OPK_OK);
  CHECK_STATUS(opk_slots_get(slots, &info), OPK_OK);
  CHECK_INT(info.rate_limit, 2);
  CHECK_INT(info.free_slots, 0);
  CHECK_INT(info.wait_seconds, 40);
  CHECK_INT(info.waiting_count, 1);
  CHECK_INT(info.running_count, 1);
  CHECK_TEXT(info.announced_endpoint, "gall.example");
  CHECK_STATUS(opk_slots_waiting(slots, 0, &text, &seconds), OPK_OK);
  CHECK_TEXT(text, "2024-05-01T10:00:40Z");
  CHECK_INT(seconds, 40);
  CHECK_STATUS(opk_slots_waiting(slots, 0, &text, NULL), OPK_OK);
  CHECK_STATUS(opk_slots_waiting(slots, 1, &text, &seconds), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_slots_running(slots, 0, &text), OPK_OK);
  CHECK_TEXT(text, "2024-05-01T09:59:00Z");
  CHECK_STATUS(opk_slots_running(slots, 1, &text), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_slots_get(slots, NULL), OPK_ERR_MISUSE);
  opk_slots_free(slots);
  CHECK_STATUS(opk_slots_parse("hello", 5, &slots, NULL), OPK_ERR_DECODE_NOT_OVERPASS);
  CHECK(slots == NULL);
  CHECK_STATUS(opk_slots_parse(NULL, 5, &slots, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_slots_get(NULL, &info), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_slots_waiting(NULL, 0, &text, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_slots_running(NULL, 0, &text), OPK_ERR_MISUSE);
  opk_slots_free(NULL);
}

int main(void) {
  RUN(test_xml);
  RUN(test_broken_xml);
  RUN(test_changes);
  RUN(test_messages);
  RUN(test_error_page);
  RUN(test_replies);
  RUN(test_status_page);
  return FINISH();
}
