/*
 * One request after the other over libcurl. Each runs in a multi handle rather than by
 * curl_easy_perform: only so can another thread interrupt it at once.
 */
#define _POSIX_C_SOURCE 200809L

#include "CTransport.h"
#include "curl_abi.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct ct_channel {
  const ct_library *curl;
  pid_t process;
  void *multi;
  /* Kept for all requests: sessions of TLS belong to it. */
  void *easy;
  void *headers;
  char words[CT_ERROR_SIZE];
};

/* What the functions that libcurl calls know. */
typedef struct transfer {
  const ct_receiver *receiver;
  bool is_ended;
  bool has_moved;
} transfer;

/*
 * Older versions of libcurl write to TLS connections in a way that raises SIGPIPE, which would end
 * the host, and leave it alone only by changing what the signal does in the whole process. So it
 * is held back in this thread meanwhile.
 */
typedef struct pipe_guard {
  sigset_t before;
  bool was_pending;
} pipe_guard;

static bool is_pipe_pending(void) {
  sigset_t pending;
  sigemptyset(&pending);
  return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

static void guard_pipe(pipe_guard *self) {
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  self->was_pending = is_pipe_pending();
  pthread_sigmask(SIG_BLOCK, &pipe, &self->before);
}

static void release_pipe(const pipe_guard *self) {
  if (!self->was_pending && is_pipe_pending()) {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
#ifdef __APPLE__
    int number;
    sigwait(&pipe, &number);
#else
    /* Another thread may have taken it meanwhile. */
    const struct timespec no_time = {0, 0};
    sigtimedwait(&pipe, NULL, &no_time);
#endif
  }
  pthread_sigmask(SIG_SETMASK, &self->before, NULL);
}

static double seconds_now(void) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static size_t take_line(char *bytes, size_t size, size_t count, void *context) {
  transfer *self = context;
  self->has_moved = true;
  if (!self->receiver->take_line(
        self->receiver->context, (const uint8_t *)bytes, size * count)) {
    self->is_ended = true;
    return 0;
  }
  return size * count;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  transfer *self = context;
  self->has_moved = true;
  if (!self->receiver->take_body(
        self->receiver->context, (const uint8_t *)bytes, size * count)) {
    self->is_ended = true;
    /* Not 0: that would be success for a portion without bytes. */
    return size * count + 1;
  }
  return size * count;
}

ct_channel *ct_channel_new(const ct_library *library) {
  ct_channel *self = calloc(1, sizeof *self);
  if (!self) {
    return NULL;
  }
  self->curl = library;
  self->process = getpid();
  self->multi = library->multi_init();
  self->easy = library->easy_init();
  if (!self->multi || !self->easy) {
    ct_channel_free(self);
    return NULL;
  }
  return self;
}

void ct_channel_free(ct_channel *self) {
  if (!self || self->process != getpid()) {
    return;
  }
  pipe_guard guard;
  guard_pipe(&guard);
  self->curl->slist_free_all(self->headers);
  if (self->easy) {
    self->curl->easy_cleanup(self->easy);
  }
  if (self->multi) {
    self->curl->multi_cleanup(self->multi);
  }
  release_pipe(&guard);
  free(self);
}

bool ct_channel_add_header(ct_channel *self, const char *line) {
  void *headers = self->curl->slist_append(self->headers, line);
  if (!headers) {
    self->curl->slist_free_all(self->headers);
  }
  self->headers = headers;
  return headers != NULL;
}

void ct_channel_wake(ct_channel *self) {
  if (self->curl->multi_wakeup) {
    self->curl->multi_wakeup(self->multi);
  }
}

const char *ct_channel_words(const ct_channel *self) { return self->words; }

/* What does not matter where a libcurl cannot do it is not looked at. */
static int configure(ct_channel *self, const ct_request *request, transfer *transfer) {
  const ct_library *curl = self->curl;
  void *easy = self->easy;
  curl->easy_reset(easy);
  curl->easy_setopt(easy, CT_OPT_TCP_KEEPALIVE, 1L);
  curl->easy_setopt(easy, CT_OPT_HTTP_VERSION, (long)CT_HTTP_VERSION_2TLS);
  /* Otherwise who gives up while a name is looked up would wait for that all the same. */
  curl->easy_setopt(easy, CT_OPT_QUICK_EXIT, 1L);

  int code = curl->easy_setopt(easy, CT_OPT_ERRORBUFFER, self->words);
  if (!code) code = curl->easy_setopt(easy, CT_OPT_NOSIGNAL, 1L);
  if (!code) code = curl->easy_setopt(easy, CT_OPT_SUPPRESS_CONNECT_HEADERS, 1L);
  if (!code && curl->easy_setopt(easy, CT_OPT_PROTOCOLS_STR, "http,https")) {
    /* Before 7.85. */
    code = curl->easy_setopt(easy, CT_OPT_PROTOCOLS, (long)(CT_PROTO_HTTP | CT_PROTO_HTTPS));
  }
  if (!code) code = curl->easy_setopt(easy, CT_OPT_URL, request->url);
  if (!code) code = curl->easy_setopt(easy, CT_OPT_HTTPHEADER, self->headers);
  if (!code) {
    long milliseconds = request->connect_timeout_ms > 0 ? request->connect_timeout_ms : 1;
    code = curl->easy_setopt(easy, CT_OPT_CONNECTTIMEOUT_MS, milliseconds);
  }
  if (!code && request->certificate_file) {
    code = curl->easy_setopt(easy, CT_OPT_CAINFO, request->certificate_file);
  }
  if (!code && request->is_post) {
    int64_t length = (int64_t)request->body_len;
    code = curl->easy_setopt(easy, CT_OPT_POST, 1L);
    if (!code) code = curl->easy_setopt(easy, CT_OPT_POSTFIELDSIZE_LARGE, length);
    /* Without a pointer libcurl would read from the standard input. */
    const void *body = request->body_len > 0 ? (const void *)request->body : "";
    if (!code) code = curl->easy_setopt(easy, CT_OPT_POSTFIELDS, body);
  } else if (!code) {
    code = curl->easy_setopt(easy, CT_OPT_HTTPGET, 1L);
  }
  if (!code) code = curl->easy_setopt(easy, CT_OPT_HEADERFUNCTION, take_line);
  if (!code) code = curl->easy_setopt(easy, CT_OPT_HEADERDATA, transfer);
  if (!code) code = curl->easy_setopt(easy, CT_OPT_WRITEFUNCTION, take_body);
  if (!code) code = curl->easy_setopt(easy, CT_OPT_WRITEDATA, transfer);
  return code;
}

static ct_outcome outcome_of(const ct_channel *self, int code) {
  long proxy_status = 0;
  switch (code) {
  case CT_E_OK:
    return CT_DONE;
  case CT_E_COULDNT_RESOLVE_PROXY:
  case CT_E_COULDNT_RESOLVE_HOST:
    return CT_RESOLVE;
  case CT_E_COULDNT_CONNECT:
  case CT_E_PROXY:
  case CT_E_OPERATION_TIMEDOUT: /* Only connecting has a time limit of libcurl's. */
    return CT_CONNECT;
  case CT_E_SSL_CONNECT_ERROR:
  case CT_E_SSL_ENGINE_NOTFOUND:
  case CT_E_SSL_ENGINE_SETFAILED:
  case CT_E_SSL_CERTPROBLEM:
  case CT_E_SSL_CIPHER:
  case CT_E_PEER_FAILED_VERIFICATION:
  case CT_E_SSL_CACERT_BADFILE:
  case CT_E_SSL_CRL_BADFILE:
  case CT_E_SSL_ISSUER_ERROR:
  case CT_E_SSL_INVALIDCERTSTATUS:
    return CT_TLS;
  case CT_E_RECV_ERROR:
    /* Also what a proxy is that refuses to connect. */
    self->curl->easy_getinfo(self->easy, CT_INFO_HTTP_CONNECTCODE, &proxy_status);
    return proxy_status >= 300 ? CT_CONNECT : CT_INTERRUPTED;
  case CT_E_HTTP2:
  case CT_E_PARTIAL_FILE:
  case CT_E_GOT_NOTHING:
  case CT_E_SEND_ERROR:
  case CT_E_SSL_SHUTDOWN_FAILED:
  case CT_E_HTTP2_STREAM:
    return CT_INTERRUPTED;
  default:
    return CT_OTHER;
  }
}

static ct_outcome fail(ct_channel *self, ct_outcome outcome, const char *words) {
  if (!self->words[0]) {
    snprintf(self->words, sizeof self->words, "%s", words);
  }
  return outcome;
}

/* Waits until something may have happened. */
static int wait_for_news(const ct_channel *self, double seconds) {
  const ct_library *curl = self->curl;
  double milliseconds = seconds * 1000 + 1;
  if (curl->multi_poll && curl->multi_wakeup) {
    return curl->multi_poll(self->multi, NULL, 0, (int)milliseconds, NULL);
  }
  /* Nobody can wake this thread, so it looks often; without descriptors there is no waiting. */
  int ready = 0;
  int limit = milliseconds < 50 ? (int)milliseconds : 50;
  int code = curl->multi_wait(self->multi, NULL, 0, limit, &ready);
  if (!code && ready == 0) {
    struct timespec pause = {0, 5000000};
    nanosleep(&pause, NULL);
  }
  return code;
}

static ct_outcome run(ct_channel *self, const ct_request *request, transfer *transfer) {
  const ct_library *curl = self->curl;
  const ct_receiver *receiver = transfer->receiver;
  int64_t sent_before = 0;
  double last_news = seconds_now();
  double last_tick = last_news;
  for (;;) {
    if (!receiver->is_wanted(receiver->context)) {
      return CT_ENDED;
    }
    int running = 0, left = 0;
    int code = curl->multi_perform(self->multi, &running);
    for (ct_curl_message *m; !code && (m = curl->multi_info_read(self->multi, &left));) {
      if (m->msg == CT_MSG_DONE && m->easy_handle == self->easy) {
        int result = m->data.result;
        ct_outcome outcome = transfer->is_ended ? CT_ENDED : outcome_of(self, result);
        return result && !transfer->is_ended ? fail(self, outcome, curl->easy_strerror(result))
                                             : outcome;
      }
    }
    if (code) {
      return fail(self, CT_OTHER, curl->multi_strerror(code));
    }

    /* Connecting has a time limit of its own. */
    double now = seconds_now(), seconds_to_request = 0;
    int64_t sent = 0;
    curl->easy_getinfo(self->easy, CT_INFO_PRETRANSFER_TIME, &seconds_to_request);
    curl->easy_getinfo(self->easy, CT_INFO_SIZE_UPLOAD_T, &sent);
    bool is_connecting = !(seconds_to_request > 0);
    if (transfer->has_moved || sent != sent_before || is_connecting) {
      last_news = now;
    }
    if (transfer->has_moved) {
      last_tick = now;
    }
    transfer->has_moved = false;
    sent_before = sent;

    double idle_left = request->idle_timeout_seconds - (now - last_news);
    if (!(idle_left > 0)) {
      snprintf(self->words, sizeof self->words, "nothing came for %g seconds",
        request->idle_timeout_seconds);
      return CT_TIMEOUT;
    }
    if (now - last_tick >= 1) {
      last_tick = now;
      if (!receiver->tick(receiver->context)) {
        return CT_ENDED;
      }
      now = seconds_now();
    }
    double wait = last_tick + 1 - now;
    if (!is_connecting && idle_left < wait) {
      wait = idle_left;
    }
    code = wait_for_news(self, wait > 0 ? wait : 0);
    if (code) {
      return fail(self, CT_OTHER, curl->multi_strerror(code));
    }
  }
}

ct_outcome ct_channel_perform(
  ct_channel *self, const ct_request *request, const ct_receiver *receiver) {
  const ct_library *curl = self->curl;
  transfer transfer = {receiver, false, false};
  pipe_guard guard;
  guard_pipe(&guard);
  self->words[0] = 0;
  ct_outcome outcome;
  int code = configure(self, request, &transfer);
  if (code) {
    outcome = fail(self, CT_OTHER, curl->easy_strerror(code));
  } else if ((code = curl->multi_add_handle(self->multi, self->easy))) {
    outcome = fail(self, CT_OTHER, curl->multi_strerror(code));
  } else {
    outcome = run(self, request, &transfer);
    curl->multi_remove_handle(self->multi, self->easy);
  }
  /* Nothing of this request stays in the handle, which would point to memory of the caller. */
  curl->easy_reset(self->easy);
  curl->slist_free_all(self->headers);
  self->headers = NULL;
  release_pipe(&guard);
  return outcome;
}
