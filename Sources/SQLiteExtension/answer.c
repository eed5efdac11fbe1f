#define _POSIX_C_SOURCE 200809L
#include "answer.h"

#include <sqlite3ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

SQLITE_EXTENSION_INIT3

struct answer {
  int references; /* a connection belongs to one thread at a time */
  char *path;
  unsigned char *bytes;
  size_t size;
  int takes_partial;
  struct stat state; /* of the file when it was read */
  opk_response *response;
  opk_features *features;
  opk_arrays *arrays;
  opk_feature_arrays view;
};

static int is_same_file(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
         a->st_mtime == b->st_mtime
#ifndef __APPLE__
         && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec
#endif
      ;
}

/* Notes what the answer was made of. */
static int remember(answer *self, const answer_source *source) {
  self->takes_partial = source->takes_partial;
  if (source->path) {
    self->path = sqlite3_mprintf("%s", source->path);
    /* What is no file, such as a pipe, cannot be read twice and is never the same. */
    if (stat(source->path, &self->state) != 0) memset(&self->state, 0, sizeof self->state);
    return self->path != NULL;
  }
  self->bytes = sqlite3_malloc64(source->size + 1);
  if (!self->bytes) return 0;
  if (source->size > 0) memcpy(self->bytes, source->bytes, source->size);
  self->size = source->size;
  return 1;
}

static opk_status decode(answer *self, const answer_source *source, opk_error *error) {
  opk_decode_options options = OPK_DECODE_OPTIONS_INIT;
  if (source->takes_partial) options.flags = OPK_DECODE_ALLOW_TRUNCATED;
  return source->path
             ? opk_response_decode_file(source->path, &options, &self->response, error)
             : opk_response_decode(source->bytes, source->size, &options, &self->response, error);
}

/* An answer that the server gave up on is an error, unless it is wanted: SQL has no way to warn. */
static int refuse_partial(const answer *self, opk_error *error) {
  opk_str remark;
  int room = (int)sizeof error->message;
  if (self->takes_partial || opk_response_is_complete(self->response) != 0) return 0;
  remark = opk_response_remark(self->response, 0);
  sqlite3_snprintf(room, error->message,
                   "the answer is not whole: %.*s (overpass(source, 1) takes what there is)",
                   remark.len > 120 ? 120 : (int)remark.len, remark.ptr ? remark.ptr : "");
  error->status = OPK_ERR_SERVER_RUNTIME;
  return 1;
}

answer *answer_new(const answer_source *source, opk_error *error) {
  answer *self = sqlite3_malloc64(sizeof *self);
  opk_feature_arrays view = OPK_FEATURE_ARRAYS_INIT;
  if (!self) return NULL;
  memset(self, 0, sizeof *self);
  self->references = 1;
  self->view = view;
  if (!remember(self, source) || decode(self, source, error) != OPK_OK ||
      refuse_partial(self, error) ||
      opk_features_build(self->response, NULL, &self->features, error) != OPK_OK ||
      opk_features_arrays(self->features, 0, &self->arrays, error) != OPK_OK ||
      opk_arrays_get(self->arrays, &self->view) != OPK_OK) {
    answer_release(self);
    return NULL;
  }
  return self;
}

int answer_is_of(const answer *self, const answer_source *source) {
  struct stat state;
  if (!self || self->takes_partial != source->takes_partial) return 0;
  if (!source->path)
    return self->bytes && self->size == source->size &&
           (source->size == 0 || memcmp(self->bytes, source->bytes, source->size) == 0);
  return self->path && strcmp(self->path, source->path) == 0 && stat(source->path, &state) == 0 &&
         S_ISREG(state.st_mode) && is_same_file(&state, &self->state);
}

answer *answer_retain(answer *self) {
  if (self) self->references++;
  return self;
}

void answer_release(answer *self) {
  if (!self || --self->references > 0) return;
  opk_arrays_free(self->arrays);
  opk_features_free(self->features);
  opk_response_free(self->response);
  sqlite3_free(self->path);
  sqlite3_free(self->bytes);
  sqlite3_free(self);
}

size_t answer_count(const answer *self) { return self ? self->view.count : 0; }
const opk_feature_arrays *answer_features(const answer *self) { return &self->view; }
const opk_response *answer_response(const answer *self) { return self->response; }
const opk_features *answer_handle(const answer *self) { return self->features; }

static opk_str text(const answer *self, uint32_t number) {
  opk_str result = {NULL, 0};
  const opk_feature_arrays *all = &self->view;
  if (number >= all->text_count) return result;
  result.ptr = (const char *)all->texts + all->text_starts[number];
  result.len = all->text_starts[number + 1] - all->text_starts[number];
  return result;
}

static size_t first_tag(const answer *self, size_t row) {
  return row == 0 ? 0 : self->view.tag_ends[row - 1];
}

opk_str answer_tag(const answer *self, size_t row, const char *key) {
  opk_str none = {NULL, 0};
  size_t length = strlen(key), index;
  for (index = first_tag(self, row); index < self->view.tag_ends[row]; index++) {
    opk_str name = text(self, self->view.tags[index].key);
    if (name.len == length && memcmp(name.ptr, key, length) == 0)
      return text(self, self->view.tags[index].value);
  }
  return none;
}

static void append_json(sqlite3_str *out, opk_str part) {
  size_t index;
  sqlite3_str_appendchar(out, 1, '"');
  for (index = 0; index < part.len; index++) {
    unsigned char byte = (unsigned char)part.ptr[index];
    if (byte == '"' || byte == '\\')
      sqlite3_str_appendf(out, "\\%c", byte);
    else if (byte < 0x20)
      sqlite3_str_appendf(out, "\\u%04x", byte);
    else
      sqlite3_str_appendchar(out, 1, (char)byte);
  }
  sqlite3_str_appendchar(out, 1, '"');
}

char *answer_tags_json(const answer *self, size_t row) {
  sqlite3_str *out = sqlite3_str_new(NULL);
  size_t index, start = first_tag(self, row);
  sqlite3_str_appendchar(out, 1, '{');
  for (index = start; index < self->view.tag_ends[row]; index++) {
    if (index > start) sqlite3_str_appendchar(out, 1, ',');
    append_json(out, text(self, self->view.tags[index].key));
    sqlite3_str_appendchar(out, 1, ':');
    append_json(out, text(self, self->view.tags[index].value));
  }
  sqlite3_str_appendchar(out, 1, '}');
  return sqlite3_str_finish(out);
}
