/* libcurl behind a few plain functions: it is opened at run time, and its variadic calls stay here. */
#ifndef CTRANSPORT_H
#define CTRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The functions of a libcurl that was opened. It is never closed: its threads may outlive us. */
typedef struct ct_library ct_library;

/**
 * Opens libcurl, once in a process; any thread may do so.
 *
 * @param name     of the library, or NULL for the usual ones
 * @param message  takes the reason where there is none
 * @param capacity of `message`, which is ended by a NUL
 * @return borrowed, for ever; or NULL
 */
const ct_library *ct_library_open(const char *name, char *message, size_t capacity);

/**
 * Carries one request after the other, and keeps connections open for the next one.
 * One thread at a time may use it, but for `ct_channel_wake`.
 */
typedef struct ct_channel ct_channel;

/** @return owned, freed by ct_channel_free(); NULL where memory or descriptors run out */
ct_channel *ct_channel_new(const ct_library *library);

/** Closes the connections. In the child of a fork this does nothing: they are the parent's. */
void ct_channel_free(ct_channel *self);

/** Adds a line to the head of the next request. @return false where memory runs out: all are gone */
bool ct_channel_add_header(ct_channel *self, const char *line);

/** Interrupts what blocks in `ct_channel_perform`, which then asks `is_wanted`. From any thread. */
void ct_channel_wake(ct_channel *self);

typedef struct ct_request {
  const char *url;
  bool is_post;
  const uint8_t *body;
  size_t body_len;
  /* Certificates to trust (PEM), or NULL for those of the system. */
  const char *certificate_file;
  /* Connecting counts with names and TLS. */
  int32_t connect_timeout_ms;
  /* How long nothing may come or go on a connection. */
  double idle_timeout_seconds;
} ct_request;

/* What takes a reply, on the calling thread. Each function returns false to end the request. */
typedef struct ct_receiver {
  void *context;
  /* A line of a head or of trailers, with its line end; an empty line ends a head. */
  bool (*take_line)(void *context, const uint8_t *bytes, size_t len);
  bool (*take_body)(void *context, const uint8_t *bytes, size_t len);
  /* Called about once a second while nothing comes. */
  bool (*tick)(void *context);
  /* Called each time that something may have happened. */
  bool (*is_wanted)(void *context);
} ct_receiver;

typedef enum ct_outcome {
  CT_DONE = 0,
  /* A function of the receiver wanted no more. */
  CT_ENDED = 1,
  CT_RESOLVE = 2,
  CT_CONNECT = 3,
  CT_TLS = 4,
  CT_TIMEOUT = 5,
  CT_INTERRUPTED = 6,
  CT_OTHER = 7
} ct_outcome;

/** Sends a request with the headers that were added, and hands over the reply as it comes. */
ct_outcome ct_channel_perform(
  ct_channel *self, const ct_request *request, const ct_receiver *receiver);

/** What libcurl said about the last request that failed. @return borrowed until the next one */
const char *ct_channel_words(const ct_channel *self);

#ifdef __cplusplus
}
#endif

#endif
