/* The shim over libcurl by itself: TLS, forks, proxies, old versions; it loses no memory. */
#include "opk_server.h"

#include "../../Sources/CTransport/channel.c"
#include "../../Sources/CTransport/curl_library.c"

#include "opk_test.h"
#include <json-c/json.h>

static const char *const AUTHORITY = "Tests/Server/certificates/authority.pem";

/* What came of a request. */
typedef struct taken {
  char body[256];
  size_t len;
  int lines, questions, questions_allowed;
} taken;

static bool add_line(void *context, const uint8_t *bytes, size_t len) {
  taken *self = context;
  (void)bytes, (void)len;
  self->lines++;
  return true;
}

static bool add_body(void *context, const uint8_t *bytes, size_t len) {
  taken *self = context;
  if (len > sizeof self->body - self->len) return false;
  memcpy(self->body + self->len, bytes, len);
  self->len += len;
  return true;
}

static bool go_on(void *context) {
  (void)context;
  return true;
}

static bool ask(void *context) {
  taken *self = context;
  return self->questions_allowed == 0 || ++self->questions <= self->questions_allowed;
}

static bool break_pipe(void *context) {
  (void)context;
  pthread_kill(pthread_self(), SIGPIPE);
  return true;
}

static ct_outcome perform(ct_channel *channel, const char *scheme, int port, const char *authority,
                          taken *out) {
  char url[128];
  ct_request request = {0};
  ct_receiver receiver = {out, add_line, add_body, go_on, ask};
  snprintf(url, sizeof url, "%s://localhost:%d/api/interpreter", scheme, port);
  request.url = url;
  request.is_post = true;
  request.body = (const uint8_t *)"data=x";
  request.body_len = 6;
  request.certificate_file = authority;
  request.connect_timeout_ms = 20000;
  request.idle_timeout_seconds = 20;
  CHECK(ct_channel_add_header(channel, "Expect:"));
  return ct_channel_perform(channel, &request, &receiver);
}

static const ct_library *opened(const char *name) {
  char message[256];
  const ct_library *library = ct_library_open(name, message, sizeof message);
  if (!library) {
    fprintf(stderr, "%s\n", message);
    exit(EXIT_FAILURE);
  }
  return library;
}

/* The number of the connection on which a request came; -1 when there was none. */
static int connection_of(const test_server *server, size_t index) {
  char *text = server_requests(server);
  struct json_object *all = text ? json_tokener_parse(text) : NULL, *list, *request, *number;
  int result = -1;
  if (json_object_object_get_ex(all, "requests", &list) &&
      (request = json_object_array_get_idx(list, index)) != NULL &&
      json_object_object_get_ex(request, "connection", &number)) {
    result = json_object_get_int(number);
  }
  json_object_put(all);
  free(text);
  return result;
}

TEST(test_library) {
  char message[16];
  CHECK(opened(NULL) == opened(NULL));
#ifdef __linux__
  CHECK(opened("libcurl.so.4") == opened(NULL));
#endif
  CHECK(ct_library_open("libnothing.so", message, sizeof message) == NULL);
  CHECK(strcmp(message, "libcurl cannot ") == 0);
  CHECK(ct_library_open("libnothing.so", message, 0) == NULL);
  ct_channel_free(NULL);
}

TEST(test_tls) {
  test_server server = server_start(1);
  ct_channel *channel = ct_channel_new(opened(NULL));
  taken first = {0}, second = {0}, none = {0};
  CHECK(server_script(&server, "{\"/api/interpreter\": [{\"body\": \"a\"}, {\"body\": \"bc\"}]}"));
  CHECK_INT(perform(channel, "https", server.port, NULL, &none), CT_TLS);
  CHECK(strstr(ct_channel_words(channel), "certificate") != NULL);
  CHECK_INT(perform(channel, "https", server.port, "no/such/file.pem", &none), CT_TLS);
  CHECK_INT(none.lines, 0);
  CHECK_INT(perform(channel, "https", server.port, AUTHORITY, &first), CT_DONE);
  CHECK_INT(perform(channel, "https", server.port, AUTHORITY, &second), CT_DONE);
  CHECK(first.len == 1 && memcmp(first.body, "a", 1) == 0);
  CHECK(second.len == 2 && memcmp(second.body, "bc", 2) == 0);
  CHECK(connection_of(&server, 0) == connection_of(&server, 1));
  ct_channel_free(channel);
  server_stop(&server);
}

/* The child neither uses the connections of its parent nor ends them. */
TEST(test_fork) {
  /* Static: valgrind looks at the child, too, which leaves it alone. */
  static ct_channel *channel;
  test_server server = server_start(1);
  ct_channel *own;
  taken taken = {0};
  int status = -1;
  pid_t child;
  channel = ct_channel_new(opened(NULL));
  CHECK(server_script(&server, "{\"/api/interpreter\": [{\"body\": \"a\"}, {\"body\": \"b\"},"
                               " {\"body\": \"c\"}]}"));
  CHECK_INT(perform(channel, "https", server.port, AUTHORITY, &taken), CT_DONE);
  child = fork();
  if (child == 0) {
    ct_channel_free(channel);
    own = ct_channel_new(opened(NULL));
    status = perform(own, "https", server.port, AUTHORITY, &taken) != CT_DONE;
    ct_channel_free(own);
    _exit(status);
  }
  waitpid(child, &status, 0);
  CHECK_INT(status, 0);
  CHECK_INT(perform(channel, "https", server.port, AUTHORITY, &taken), CT_DONE);
  CHECK(taken.len == 2 && memcmp(taken.body, "ac", 2) == 0);
  CHECK(connection_of(&server, 0) == connection_of(&server, 2));
  CHECK(connection_of(&server, 0) != connection_of(&server, 1));
  ct_channel_free(channel);
  server_stop(&server);
}

/* A TLS library that writes to a connection which is gone does not end the host. */
TEST(test_broken_pipes) {
  test_server server = server_start(0);
  ct_channel *channel = ct_channel_new(opened(NULL));
  taken taken = {0};
  char url[64];
  ct_request request = {0};
  ct_receiver receiver = {&taken, add_line, add_body, go_on, break_pipe};
  sigset_t blocked;
  snprintf(url, sizeof url, "http://127.0.0.1:%d/api/status", server.port);
  request.url = url;
  request.connect_timeout_ms = 20000;
  request.idle_timeout_seconds = 20;
  CHECK(server_script(&server, "{\"/api/status\": [{\"body\": \"a\"}]}"));
  CHECK_INT(ct_channel_perform(channel, &request, &receiver), CT_DONE);
  CHECK_INT(taken.len, 1);
  CHECK(!is_pipe_pending());
  CHECK(pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0 && sigismember(&blocked, SIGPIPE) == 0);
  ct_channel_free(channel);
  server_stop(&server);
}

/* Where libcurl cannot be woken, it is looked often enough whether somebody gave up. */
TEST(test_old_versions) {
  test_server server = server_start(0);
  ct_library old = *opened(NULL);
  ct_channel *channel;
  taken whole = {0}, ended = {0};
  old.multi_poll = NULL;
  old.multi_wakeup = NULL;
  channel = ct_channel_new(&old);
  CHECK(server_script(&server, "{\"/api/interpreter\": [{\"body\": \"a\"}, {\"hang\": true}]}"));
  ct_channel_wake(channel);
  CHECK_INT(perform(channel, "http", server.port, NULL, &whole), CT_DONE);
  CHECK_INT(whole.len, 1);
  ended.questions_allowed = 5;
  CHECK_INT(perform(channel, "http", server.port, NULL, &ended), CT_ENDED);
  CHECK_INT(ended.len, 0);
  ct_channel_free(channel);
  server_stop(&server);
}

/* Proxies come from the environment; their own heads are not those of replies. */
TEST(test_proxies) {
  test_server server = server_start(0);
  ct_channel *channel = ct_channel_new(opened(NULL));
  taken refused = {0}, through = {0};
  char proxy[64];
  snprintf(proxy, sizeof proxy, "http://127.0.0.1:%d", server.port);
  CHECK(server_script(&server, "{\"/api/interpreter\": [{\"body\": \"a\"}]}"));
  unsetenv("no_proxy");
  unsetenv("NO_PROXY");
  setenv("https_proxy", proxy, 1);
  setenv("http_proxy", proxy, 1);
  CHECK_INT(perform(channel, "https", 1, NULL, &refused), CT_CONNECT);
  CHECK_INT(refused.lines, 0);
  CHECK_INT(perform(channel, "http", 1, NULL, &through), CT_DONE);
  CHECK_INT(through.len, 1);
  unsetenv("https_proxy");
  unsetenv("http_proxy");
  ct_channel_free(channel);
  server_stop(&server);
}

int main(void) {
  setenv("no_proxy", "*", 1);
  RUN(test_library);
  RUN(test_tls);
  RUN(test_fork);
  RUN(test_broken_pipes);
  RUN(test_old_versions);
  RUN(test_proxies);
  return FINISH();
}
