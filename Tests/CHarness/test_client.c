/* Clients: over a transport of the test's own, and once over libcurl. */
#define _POSIX_C_SOURCE 200809L
#include "opk_server.h"
#include "opk_test.h"
#include <pthread.h>
#include <time.h>

static const char *one_node =
    "{\"version\":0.6,\"elements\":[{\"type\":\"node\",\"id\":1,\"lat\":1.0,\"lon\":2.0}]}";
static const char *some_query = "[out:json];node(1);out;";

/* What the transport answers, and what it was asked. */
typedef struct script {
  int32_t http_status;
  const char *body;
  opk_status failure;   /* after the body */
  int blocks;           /* waits for the interruption */
  int requests, interruptions, releases;
  char url[200], agent[200], sent[2000];
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int is_blocked, is_interrupted;
} script;

static script new_script(int32_t http_status, const char *body) {
  script s;
  memset(&s, 0, sizeof s);
  s.http_status = http_status;
  s.body = body;
  pthread_mutex_init(&s.lock, NULL);
  pthread_cond_init(&s.changed, NULL);
  return s;
}

static void note(script *s, const opk_http_request *request) {
  size_t index;
  size_t count = request->body_size < sizeof s->sent - 1 ? request->body_size : sizeof s->sent - 1;
  snprintf(s->url, sizeof s->url, "%s %s", request->method, request->url);
  if (count > 0) memcpy(s->sent, request->body, count);
  s->sent[count] = 0;
  for (index = 0; index < request->header_count; index++) {
    const opk_http_header *line = &request->headers[index];
    if (line->name.len == 10 && memcmp(line->name.ptr, "User-Agent", 10) == 0)
      snprintf(s->agent, sizeof s->agent, "%.*s", (int)line->value.len, line->value.ptr);
  }
}

static opk_status perform(void *context, const opk_http_request *request, opk_http_reply *reply,
                          opk_error *err) {
  script *s = context;
  opk_http_header type = {{"Content-Type", 12}, {"application/json", 16}};
  pthread_mutex_lock(&s->lock);
  s->requests++;
  note(s, request);
  if (s->blocks) {
    s->is_blocked = 1;
    pthread_cond_broadcast(&s->changed);
    while (!s->is_interrupted) pthread_cond_wait(&s->changed, &s->lock);
  }
  pthread_mutex_unlock(&s->lock);
  if (opk_http_reply_wait(reply)) return OPK_OK;
  if (s->http_status && opk_http_reply_head(reply, s->http_status, &type, 1)) return OPK_OK;
  /* A second head is none. */
  if (s->http_status && !opk_http_reply_head(reply, 200, &type, 1)) return OPK_ERR_MISUSE;
  if (s->body && opk_http_reply_body(reply, (const uint8_t *)s->body, strlen(s->body)))
    return OPK_OK;
  if (s->failure) snprintf(err->message, sizeof err->message, "the test broke it");
  return s->failure;
}

static void interrupt(void *context, uint64_t number) {
  script *s = context;
  (void)number;
  pthread_mutex_lock(&s->lock);
  s->interruptions++;
  s->is_interrupted = 1;
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
}

static void release(void *context) { ((script *)context)->releases++; }

static opk_client *new_client(script *s, uint32_t max_attempts) {
  opk_client *client = NULL;
  opk_transport transport = OPK_TRANSPORT_INIT;
  opk_client_options options = OPK_CLIENT_OPTIONS_INIT;
  const char *endpoints[] = {"https://a.example/api"};
  transport.context = s;
  transport.perform = perform;
  transport.interrupt = interrupt;
  transport.release = release;
  options.application = "test/1.0 (me@example.org)";
  options.endpoints = endpoints;
  options.endpoint_count = 1;
  options.transport = &transport;
  options.max_attempts = max_attempts;
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_OK);
  return client;
}

TEST(test_known_endpoints) {
  opk_endpoint endpoint = OPK_ENDPOINT_INIT;
  size_t index;
  CHECK(opk_endpoint_count() > 0);
  for (index = 0; index < opk_endpoint_count(); index++) {
    CHECK_STATUS(opk_endpoint_get(index, &endpoint), OPK_OK);
    CHECK(endpoint.name.len > 0 && endpoint.coverage.len > 0 && endpoint.provider.len > 0);
    CHECK(endpoint.url.len > 8 && memcmp(endpoint.url.ptr, "https://", 8) == 0);
  }
  CHECK_STATUS(opk_endpoint_get(0, &endpoint), OPK_OK);
  CHECK_TEXT(endpoint.name, "main");
  CHECK_STATUS(opk_endpoint_get(index, &endpoint), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_endpoint_get(0, NULL), OPK_ERR_MISUSE);
}

TEST(test_fetch) {
  script s = new_script(200, one_node);
  opk_client *client = new_client(&s, 1);
  opk_response *response = NULL;
  CHECK_STATUS(opk_client_fetch(client, some_query, strlen(some_query), NULL, &response, NULL),
               OPK_OK);
  CHECK_INT(opk_response_element_count(response, 0), 1);
  CHECK(strcmp(s.url, "POST https://a.example/api/interpreter") == 0);
  CHECK(strcmp(s.agent, "test/1.0 (me@example.org) OverpassKit/" OPK_VERSION_STRING) == 0);
  CHECK(strcmp(s.sent, "data=%5Bout%3Ajson%5D%3Bnode%281%29%3Bout%3B") == 0);
  opk_response_free(response);
  opk_client_free(client);
  CHECK_INT(s.releases, 1);
}

static int told[8];
static uint64_t told_elements;

static int32_t tell(void *context, const opk_fetch_progress *progress) {
  if (progress->phase < 8) told[progress->phase]++;
  told_elements = progress->elements;
  return context && progress->phase == *(uint32_t *)context;
}

TEST(test_a_query_step_by_step) {
  script s = new_script(200, one_node);
  opk_client *client = new_client(&s, 1);
  opk_fetch *fetch = NULL;
  opk_response *response = NULL;
  opk_bytes *body = NULL;
  opk_reply *reply = NULL;
  opk_fetch_attempt attempt = OPK_FETCH_ATTEMPT_INIT;
  opk_fetch_options options = OPK_FETCH_OPTIONS_INIT;
  opk_error error = OPK_ERROR_INIT;
  options.progress = tell;
  memset(told, 0, sizeof told);
  CHECK_STATUS(opk_fetch_new(client, some_query, strlen(some_query), &options, &fetch, NULL),
               OPK_OK);
  /* Nothing before it ran. */
  CHECK_INT(s.requests, 0);
  CHECK_STATUS(opk_fetch_response(fetch, &response, NULL), OPK_ERR_MISUSE);
  CHECK(response == NULL);
  CHECK_TEXT(opk_fetch_endpoint(fetch), NULL);
  CHECK_STATUS(opk_fetch_run(fetch, NULL), OPK_OK);
  CHECK_STATUS(opk_fetch_response(fetch, &response, NULL), OPK_OK);
  CHECK_INT(opk_response_element_count(response, OPK_NODE), 1);
  CHECK_STATUS(opk_fetch_body(fetch, &body, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_fetch_reply(fetch, &reply, NULL), OPK_ERR_MISUSE);
  CHECK_TEXT(opk_fetch_endpoint(fetch), "https://a.example/api/interpreter");
  CHECK_INT(opk_fetch_is_from_cache(fetch), 0);
  CHECK_INT(opk_fetch_attempt_count(fetch), 1);
  CHECK_STATUS(opk_fetch_get_attempt(fetch, 0, &attempt), OPK_OK);
  CHECK_STATUS(attempt.status, OPK_OK);
  CHECK_TEXT(attempt.endpoint, "a.example");
  CHECK_TEXT(attempt.message, NULL);
  CHECK_STATUS(opk_fetch_get_attempt(fetch, 1, &attempt), OPK_ERR_MISUSE);
  CHECK_INT(opk_fetch_tile_count(fetch), 0);
  CHECK_STATUS(opk_fetch_run(fetch, &error), OPK_ERR_MISUSE);
  CHECK(strstr(error.message, "already") != NULL);
  CHECK(told[OPK_PHASE_RUNNING] > 0 && told[OPK_PHASE_DOWNLOADING] > 0);
  CHECK(told[OPK_PHASE_DECODING] > 0);
  CHECK_INT(told_elements, 1);
  opk_response_free(response);
  opk_client_free(client);
  /* The query keeps what it needs. */
  CHECK_INT(opk_fetch_attempt_count(fetch), 1);
  opk_fetch_free(fetch);
  CHECK_INT(s.releases, 1);
}

TEST(test_errors_of_servers) {
  script s = new_script(406, "<html><body><h1>Not Acceptable</h1></body></html>");
  opk_client *client = new_client(&s, 5);
  opk_fetch *fetch = NULL;
  opk_response *response = NULL;
  opk_reply *reply = NULL;
  opk_error error = OPK_ERROR_INIT;
  CHECK_STATUS(opk_fetch_new(client, some_query, strlen(some_query), NULL, &fetch, NULL), OPK_OK);
  CHECK_STATUS(opk_fetch_run(fetch, &error), OPK_ERR_SERVER_REFUSED);
  CHECK(strstr(error.message, "User-Agent") != NULL);
  CHECK_INT(s.requests, 1);
  CHECK_STATUS(opk_fetch_reply(fetch, &reply, NULL), OPK_OK);
  CHECK_TEXT(opk_reply_category(reply), "unexpected_status");
  opk_reply_free(reply);
  opk_fetch_free(fetch);
  s.http_status = 200;
  s.body = "{\"elements\":[{\"type\":\"node\",\"id\":1}],\"remark\":\"runtime error: Query timed out in "
           "\\\"query\\\" at line 1 after 2 seconds.\"}";
  CHECK_STATUS(opk_fetch_new(client, some_query, strlen(some_query), NULL, &fetch, NULL), OPK_OK);
  CHECK_STATUS(opk_fetch_run(fetch, &error), OPK_ERR_SERVER_TIMEOUT);
  CHECK_STATUS(opk_fetch_response(fetch, &response, NULL), OPK_OK);
  CHECK_INT(opk_response_element_count(response, 0), 1);
  CHECK_INT(opk_response_is_complete(response), 0);
  opk_response_free(response);
  opk_fetch_free(fetch);
  opk_client_free(client);
}

TEST(test_failures_of_transports) {
  static const opk_status failures[] = {
      OPK_ERR_TRANSPORT_RESOLVE, OPK_ERR_TRANSPORT_CONNECT,     OPK_ERR_TRANSPORT_TLS,
      OPK_ERR_TRANSPORT_TIMEOUT, OPK_ERR_TRANSPORT_INTERRUPTED, OPK_ERR_TRANSPORT_UNAVAILABLE};
  size_t index;
  for (index = 0; index < sizeof failures / sizeof *failures; index++) {
    script s = new_script(0, NULL);
    opk_client *client = new_client(&s, 1);
    opk_response *response = NULL;
    opk_error error = OPK_ERROR_INIT;
    s.failure = failures[index];
    CHECK_STATUS(opk_client_fetch(client, some_query, strlen(some_query), NULL, &response, &error),
                 failures[index]);
    CHECK(strcmp(error.message, "the test broke it") == 0);
    opk_client_free(client);
  }
  {
    script s = new_script(200, NULL);
    opk_client *client = new_client(&s, 1);
    opk_response *response = NULL;
    s.failure = -5;
    CHECK_STATUS(opk_client_fetch(client, some_query, strlen(some_query), NULL, &response, NULL),
                 OPK_ERR_TRANSPORT_OTHER);
    opk_client_free(client);
  }
}

TEST(test_cancelling_by_progress) {
  uint32_t phase;
  for (phase = OPK_PHASE_RUNNING; phase <= OPK_PHASE_DECODING; phase++) {
    script s = new_script(200, one_node);
    opk_client *client = new_client(&s, 1);
    opk_response *response = NULL;
    opk_fetch_options options = OPK_FETCH_OPTIONS_INIT;
    options.progress = tell;
    options.progress_context = &phase;
    CHECK_STATUS(
        opk_client_fetch(client, some_query, strlen(some_query), &options, &response, NULL),
        OPK_ERR_CANCELLED);
    CHECK(response == NULL);
    opk_client_free(client);
  }
}

static void *run(void *fetch) { return (void *)(intptr_t)opk_fetch_run(fetch, NULL); }

TEST(test_cancelling_from_another_thread) {
  script s = new_script(200, one_node);
  opk_client *client = new_client(&s, 1);
  opk_fetch *fetch = NULL;
  pthread_t thread;
  void *status = NULL;
  s.blocks = 1;
  CHECK_STATUS(opk_fetch_new(client, some_query, strlen(some_query), NULL, &fetch, NULL), OPK_OK);
  CHECK_INT(pthread_create(&thread, NULL, run, fetch), 0);
  pthread_mutex_lock(&s.lock);
  while (!s.is_blocked) pthread_cond_wait(&s.changed, &s.lock);
  pthread_mutex_unlock(&s.lock);
  opk_fetch_cancel(fetch);
  opk_fetch_cancel(fetch);
  pthread_join(thread, &status);
  CHECK_STATUS((opk_status)(intptr_t)status, OPK_ERR_CANCELLED);
  CHECK_INT(s.interruptions, 1);
  opk_fetch_free(fetch);
  /* Before it runs. */
  CHECK_STATUS(opk_fetch_new(client, some_query, strlen(some_query), NULL, &fetch, NULL), OPK_OK);
  opk_fetch_cancel(fetch);
  CHECK_STATUS(opk_fetch_run(fetch, NULL), OPK_ERR_CANCELLED);
  CHECK_INT(s.requests, 1);
  opk_fetch_free(fetch);
  opk_client_free(client);
}

TEST(test_bytes_and_tiles) {
  script s = new_script(200, one_node);
  opk_client *client = new_client(&s, 1);
  opk_fetch *fetch = NULL;
  opk_bytes *body = NULL;
  opk_response *response = NULL;
  opk_fetch_tile tile = OPK_FETCH_TILE_INIT;
  opk_fetch_options options = OPK_FETCH_OPTIONS_INIT;
  const char *query = "node[x];out;";
  options.flags = OPK_FETCH_BYTES;
  CHECK_STATUS(opk_fetch_new(client, some_query, strlen(some_query), &options, &fetch, NULL),
               OPK_OK);
  CHECK_STATUS(opk_fetch_run(fetch, NULL), OPK_OK);
  CHECK_STATUS(opk_fetch_body(fetch, &body, NULL), OPK_OK);
  CHECK_INT(opk_bytes_size(body), strlen(one_node));
  opk_bytes_free(body);
  opk_fetch_free(fetch);
  CHECK_STATUS(opk_client_fetch(client, some_query, strlen(some_query), &options, &response, NULL),
               OPK_ERR_MISUSE);
  options.flags = OPK_FETCH_TILED;
  CHECK_STATUS(opk_fetch_new(client, query, strlen(query), &options, &fetch, NULL), OPK_OK);
  CHECK_STATUS(opk_fetch_run(fetch, NULL), OPK_ERR_CLIENT_QUERY);
  opk_fetch_free(fetch);
  options.south = 50, options.west = 7, options.north = 51, options.east = 8;
  CHECK_STATUS(opk_fetch_new(client, query, strlen(query), &options, &fetch, NULL), OPK_OK);
  CHECK_STATUS(opk_fetch_run(fetch, NULL), OPK_OK);
  CHECK_INT(opk_fetch_tile_count(fetch), 1);
  CHECK_STATUS(opk_fetch_get_tile(fetch, 0, &tile), OPK_OK);
  CHECK(tile.south == 50 && tile.west == 7 && tile.north == 51 && tile.east == 8);
  CHECK_INT(tile.is_answered, 1);
  CHECK_STATUS(opk_fetch_get_tile(fetch, 1, &tile), OPK_ERR_MISUSE);
  CHECK(strstr(s.sent, "bbox%3A50%2C7%2C51%2C8") != NULL);
  opk_fetch_free(fetch);
  options.south = 95;
  CHECK_STATUS(opk_fetch_new(client, query, strlen(query), &options, &fetch, NULL),
               OPK_ERR_QUERY_COORDINATE);
  CHECK(fetch == NULL);
  opk_client_free(client);
}

TEST(test_status_and_kill) {
  script s = new_script(200, "Rate limit: 2\n1 slots available now.\n");
  opk_client *client = new_client(&s, 1);
  opk_slots *slots = NULL;
  opk_slots_info info;
  opk_error error = OPK_ERROR_INIT;
  memset(&info, 0, sizeof info);
  info.struct_size = sizeof info;
  CHECK_STATUS(opk_client_status(client, NULL, &slots, NULL), OPK_OK);
  CHECK_STATUS(opk_slots_get(slots, &info), OPK_OK);
  CHECK_INT(info.free_slots, 1);
  opk_slots_free(slots);
  CHECK(strcmp(s.url, "GET https://a.example/api/status") == 0);
  CHECK_STATUS(opk_client_kill_queries(client, "http://b.example", NULL), OPK_OK);
  CHECK(strcmp(s.url, "GET http://b.example/api/kill_my_queries") == 0);
  CHECK_STATUS(opk_client_status(client, "nowhere", &slots, &error), OPK_ERR_CLIENT_ENDPOINT);
  CHECK(strstr(error.message, "private.coffee") != NULL);
  s.body = "<html>hello</html>";
  CHECK_STATUS(opk_client_status(client, NULL, &slots, NULL), OPK_ERR_DECODE_NOT_OVERPASS);
  CHECK(slots == NULL);
  opk_client_free(client);
}

TEST(test_what_clients_refuse) {
  opk_client *client = NULL;
  opk_fetch *fetch = NULL;
  opk_error error = OPK_ERROR_INIT;
  opk_client_options options = OPK_CLIENT_OPTIONS_INIT;
  opk_transport nothing = OPK_TRANSPORT_INIT;
  const char *nowhere[] = {"nowhere"};
  opk_http_header broken = {{"X", 1}, {"a\r\nb", 4}};
  CHECK_STATUS(opk_client_new(NULL, &client, &error), OPK_ERR_CLIENT_APPLICATION);
  CHECK_STATUS(opk_client_new(&options, &client, &error), OPK_ERR_CLIENT_APPLICATION);
  CHECK(strstr(error.message, "my-app") != NULL);
  options.application = "Mozilla/5.0";
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_ERR_CLIENT_APPLICATION);
  options.application = "test/1.0";
  CHECK_STATUS(opk_client_new(&options, NULL, NULL), OPK_ERR_MISUSE);
  options.endpoints = nowhere;
  options.endpoint_count = 1;
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_ERR_CLIENT_ENDPOINT);
  options.endpoints = NULL;
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_ERR_MISUSE);
  options.endpoint_count = 0;
  options.headers = &broken;
  options.header_count = 1;
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_ERR_MISUSE);
  options.header_count = 0;
  options.transport = &nothing;
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_ERR_MISUSE);
  options.transport = NULL;
  options.flags = 64;
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_ERR_MISUSE);
  options.flags = 0;
  options.cache_folder = "somewhere";
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_ERR_MISUSE);
  options.cache_folder = NULL;
  options.busy_wait_s = -1;
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_ERR_MISUSE);
  CHECK(client == NULL);
  options.busy_wait_s = 0;
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_OK);
  CHECK_STATUS(opk_fetch_new(client, "node[amenity=;out;", 18, NULL, &fetch, &error),
               OPK_ERR_QUERY_SYNTAX);
  CHECK_INT(error.line, 1);
  CHECK(error.column > 0);
  CHECK_STATUS(opk_fetch_new(client, "\xff", 1, NULL, &fetch, NULL), OPK_ERR_QUERY_SYNTAX);
  CHECK_STATUS(opk_fetch_new(NULL, some_query, 1, NULL, &fetch, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_fetch_new(client, NULL, 1, NULL, &fetch, NULL), OPK_ERR_MISUSE);
  CHECK(fetch == NULL);
  CHECK_STATUS(opk_fetch_run(NULL, NULL), OPK_ERR_MISUSE);
  opk_fetch_cancel(NULL);
  opk_fetch_free(NULL);
  CHECK_INT(opk_fetch_attempt_count(NULL), 0);
  CHECK_INT(opk_http_reply_head(NULL, 200, NULL, 0), 1);
  CHECK_INT(opk_http_reply_body(NULL, NULL, 0), 1);
  CHECK_INT(opk_http_reply_wait(NULL), 1);
  opk_client_free(client);
  opk_client_free(NULL);
}

/* Who gave functions away is told that they are done with, whatever is wrong with the rest. */
TEST(test_transports_of_clients_that_fail) {
  script s = new_script(200, one_node);
  opk_client *client = NULL;
  opk_transport transport = OPK_TRANSPORT_INIT;
  opk_client_options options = OPK_CLIENT_OPTIONS_INIT;
  transport.context = &s;
  transport.perform = perform;
  transport.release = release;
  options.transport = &transport;
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_ERR_CLIENT_APPLICATION);
  CHECK_INT(s.releases, 1);
  options.application = "test/1.0";
  options.flags = 64;
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_ERR_MISUSE);
  CHECK_INT(s.releases, 2);
  options.flags = 0;
  CHECK_STATUS(opk_client_new(&options, NULL, NULL), OPK_ERR_MISUSE);
  CHECK_INT(s.releases, 3);
  transport.perform = NULL;
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_ERR_MISUSE);
  CHECK_INT(s.releases, 4);
  CHECK(client == NULL);
}

/* libcurl, a real socket, and what the server saw. */
TEST(test_libcurl) {
  test_server server = server_start(0);
  opk_client *client = NULL;
  opk_fetch *fetch = NULL;
  opk_response *response = NULL;
  opk_error error = OPK_ERROR_INIT;
  opk_client_options options = OPK_CLIENT_OPTIONS_INIT;
  const char *closed[] = {"http://127.0.0.1:9/"};
  char url[64], *requests;
  const char *endpoints[] = {url};
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", server.port);
  CHECK(server_script(&server,
                      "{\"/api/interpreter\": [{\"status\": 200, \"gzip\": true, \"body\":"
                      " \"{\\\"elements\\\": [{\\\"type\\\": \\\"node\\\", \\\"id\\\": 1}]}\"}]}"));
  options.application = "test/1.0";
  options.endpoints = endpoints;
  options.endpoint_count = 1;
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_OK);
  CHECK_STATUS(opk_client_fetch(client, some_query, strlen(some_query), NULL, &response, &error),
               OPK_OK);
  CHECK_INT(opk_response_element_count(response, 0), 1);
  requests = server_requests(&server);
  CHECK(requests && strstr(requests, "test/1.0 OverpassKit/") != NULL);
  CHECK(requests && strstr(requests, "[out:json];node(1);out;") != NULL);
  free(requests);
  opk_response_free(response);
  opk_client_free(client);
  options.endpoints = closed;
  options.max_attempts = 1;
  CHECK_STATUS(opk_client_new(&options, &client, NULL), OPK_OK);
  CHECK_STATUS(opk_fetch_new(client, some_query, strlen(some_query), NULL, &fetch, NULL), OPK_OK);
  CHECK_STATUS(opk_fetch_run(fetch, &error), OPK_ERR_TRANSPORT_CONNECT);
  CHECK(strstr(error.message, "127.0.0.1") != NULL);
  opk_fetch_free(fetch);
  opk_client_free(client);
  server_stop(&server);
}

int main(void) {
  RUN(test_known_endpoints);
  RUN(test_fetch);
  RUN(test_a_query_step_by_step);
  RUN(test_errors_of_servers);
  RUN(test_failures_of_transports);
  RUN(test_cancelling_by_progress);
  RUN(test_cancelling_from_another_thread);
  RUN(test_bytes_and_tiles);
  RUN(test_status_and_kill);
  RUN(test_what_clients_refuse);
  RUN(test_transports_of_clients_that_fail);
  RUN(test_libcurl);
  return FINISH();
}
