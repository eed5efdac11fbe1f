/*
 * The part of libcurl's interface that is used: its numbers never change. Declared here so that
 * building needs no header of libcurl; Tests/ABI/curl.c compares them with the real ones.
 */
#ifndef CURL_ABI_H
#define CURL_ABI_H

#include <stdint.h>

enum {
  CT_GLOBAL_DEFAULT = 3,

  /* Options: their kind in the ten thousands (a long, a pointer, a function, 64 bits). */
  CT_OPT_TCP_KEEPALIVE = 213,
  CT_OPT_NOSIGNAL = 99,
  CT_OPT_HTTPGET = 80,
  CT_OPT_POST = 47,
  CT_OPT_HTTP_VERSION = 84,
  CT_OPT_CONNECTTIMEOUT_MS = 156,
  CT_OPT_PROTOCOLS = 181,
  CT_OPT_SUPPRESS_CONNECT_HEADERS = 265,
  CT_OPT_QUICK_EXIT = 322,
  CT_OPT_WRITEDATA = 10001,
  CT_OPT_URL = 10002,
  CT_OPT_ERRORBUFFER = 10010,
  CT_OPT_POSTFIELDS = 10015,
  CT_OPT_HTTPHEADER = 10023,
  CT_OPT_HEADERDATA = 10029,
  CT_OPT_CAINFO = 10065,
  CT_OPT_PROTOCOLS_STR = 10318,
  CT_OPT_WRITEFUNCTION = 20011,
  CT_OPT_HEADERFUNCTION = 20079,
  CT_OPT_POSTFIELDSIZE_LARGE = 30120,

  CT_HTTP_VERSION_2TLS = 4,
  CT_PROTO_HTTP = 1,
  CT_PROTO_HTTPS = 2,
  CT_ERROR_SIZE = 256,

  CT_INFO_HTTP_CONNECTCODE = 0x200000 + 22,
  CT_INFO_PRETRANSFER_TIME = 0x300000 + 6,
  CT_INFO_SIZE_UPLOAD_T = 0x600000 + 7,

  CT_MSG_DONE = 1,

  CT_E_OK = 0,
  CT_E_COULDNT_RESOLVE_PROXY = 5,
  CT_E_COULDNT_RESOLVE_HOST = 6,
  CT_E_COULDNT_CONNECT = 7,
  CT_E_HTTP2 = 16,
  CT_E_PARTIAL_FILE = 18,
  CT_E_OPERATION_TIMEDOUT = 28,
  CT_E_SSL_CONNECT_ERROR = 35,
  CT_E_GOT_NOTHING = 52,
  CT_E_SSL_ENGINE_NOTFOUND = 53,
  CT_E_SSL_ENGINE_SETFAILED = 54,
  CT_E_SEND_ERROR = 55,
  CT_E_RECV_ERROR = 56,
  CT_E_SSL_CERTPROBLEM = 58,
  CT_E_SSL_CIPHER = 59,
  CT_E_PEER_FAILED_VERIFICATION = 60,
  CT_E_SSL_CACERT_BADFILE = 77,
  CT_E_SSL_SHUTDOWN_FAILED = 80,
  CT_E_SSL_CRL_BADFILE = 82,
  CT_E_SSL_ISSUER_ERROR = 83,
  CT_E_SSL_INVALIDCERTSTATUS = 91,
  CT_E_HTTP2_STREAM = 92,
  CT_E_PROXY = 97
};

/* CURLMsg */
typedef struct ct_curl_message {
  int msg;
  void *easy_handle;
  union {
    void *whatever;
    int result;
  } data;
} ct_curl_message;

struct ct_library {
  void *handle;
  struct ct_library *next;
  int (*global_init)(long flags);
  void *(*easy_init)(void);
  void (*easy_cleanup)(void *easy);
  void (*easy_reset)(void *easy);
  int (*easy_setopt)(void *easy, int option, ...);
  int (*easy_getinfo)(void *easy, int info, ...);
  const char *(*easy_strerror)(int code);
  void *(*slist_append)(void *list, const char *line);
  void (*slist_free_all)(void *list);
  void *(*multi_init)(void);
  int (*multi_cleanup)(void *multi);
  int (*multi_add_handle)(void *multi, void *easy);
  int (*multi_remove_handle)(void *multi, void *easy);
  int (*multi_perform)(void *multi, int *running);
  ct_curl_message *(*multi_info_read)(void *multi, int *left);
  int (*multi_wait)(void *multi, void *fds, unsigned count, int timeout_ms, int *ready);
  const char *(*multi_strerror)(int code);
  /* Since 7.66 and 7.68; may be NULL. */
  int (*multi_poll)(void *multi, void *fds, unsigned count, int timeout_ms, int *ready);
  int (*multi_wakeup)(void *multi);
};

#endif
