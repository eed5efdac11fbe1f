/* Finding libcurl: opened when it is first needed, and never closed. */
#define _POSIX_C_SOURCE 200809L

#include "CTransport.h"
#include "curl_abi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All have the same interface; they differ in the library that does TLS. */
static const char *const usual_names[] = {
#ifdef __APPLE__
  "libcurl.4.dylib", "/usr/lib/libcurl.4.dylib",
#else
  "libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4",
#endif
};
enum { usual_count = sizeof usual_names / sizeof usual_names[0] };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* Those that were opened. One library may have several names, but is to be initialised once. */
static ct_library *libraries;

static bool resolve(ct_library *self, const char *name, char *message, size_t capacity) {
  struct {
    const char *name;
    void *place;
    bool is_optional;
  } functions[] = {
    {"curl_global_init", &self->global_init, false},
    {"curl_easy_init", &self->easy_init, false},
    {"curl_easy_cleanup", &self->easy_cleanup, false},
    {"curl_easy_reset", &self->easy_reset, false},
    {"curl_easy_setopt", &self->easy_setopt, false},
    {"curl_easy_getinfo", &self->easy_getinfo, false},
    {"curl_easy_strerror", &self->easy_strerror, false},
    {"curl_slist_append", &self->slist_append, false},
    {"curl_slist_free_all", &self->slist_free_all, false},
    {"curl_multi_init", &self->multi_init, false},
    {"curl_multi_cleanup", &self->multi_cleanup, false},
    {"curl_multi_add_handle", &self->multi_add_handle, false},
    {"curl_multi_remove_handle", &self->multi_remove_handle, false},
    {"curl_multi_perform", &self->multi_perform, false},
    {"curl_multi_info_read", &self->multi_info_read, false},
    {"curl_multi_wait", &self->multi_wait, false},
    {"curl_multi_strerror", &self->multi_strerror, false},
    {"curl_multi_poll", &self->multi_poll, true},
    {"curl_multi_wakeup", &self->multi_wakeup, true},
  };
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    void *function = dlsym(self->handle, functions[i].name);
    if (!function && !functions[i].is_optional) {
      snprintf(message, capacity, "%s is no libcurl: it has no %s", name, functions[i].name);
      return false;
    }
    /* C knows no conversion from a pointer to a function; POSIX promises the same size. */
    memcpy(functions[i].place, &function, sizeof function);
  }
  return true;
}

/* The library of a handle that dlopen gave; the mutex is held. */
static const ct_library *library_of(
  void *handle, const char *name, char *message, size_t capacity) {
  for (ct_library *known = libraries; known; known = known->next) {
    if (known->handle == handle) {
      return known;
    }
  }
  ct_library *self = calloc(1, sizeof *self);
  if (!self) {
    snprintf(message, capacity, "out of memory");
    return NULL;
  }
  self->handle = handle;
  if (!resolve(self, name, message, capacity)) {
    free(self);
    return NULL;
  }
  int code = self->global_init(CT_GLOBAL_DEFAULT);
  if (code != CT_E_OK) {
    snprintf(message, capacity, "%s does not start: %s", name, self->easy_strerror(code));
    free(self);
    return NULL;
  }
  self->next = libraries;
  libraries = self;
  return self;
}

const ct_library *ct_library_open(const char *name, char *message, size_t capacity) {
  const char *const *names = name ? &name : usual_names;
  const size_t count = name ? 1 : usual_count;
  char reason[256] = "";
  const ct_library *result = NULL;
  if (capacity > 0) {
    message[0] = 0;
  }
  pthread_mutex_lock(&mutex);
  for (size_t i = 0; i < count && !result; i++) {
    void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (handle) {
      result = library_of(handle, names[i], message, capacity);
    } else if (!reason[0]) {
      const char *error = dlerror();
      snprintf(reason, sizeof reason, "%s", error ? error : names[i]);
    }
  }
  pthread_mutex_unlock(&mutex);
  if (!result && capacity > 0 && !message[0]) {
    snprintf(message, capacity, "libcurl cannot be opened: %s", reason);
  }
  return result;
}
