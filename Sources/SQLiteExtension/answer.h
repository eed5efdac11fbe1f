/* An answer that SQL looks at: decoded once, shared by the cursors that read it. */
#ifndef OPK_SQLITE_ANSWER_H
#define OPK_SQLITE_ANSWER_H

#include <overpasskit.h>
#include <stddef.h>

typedef struct answer answer;

/* Where an answer comes from: the path of a file, or its bytes. */
typedef struct answer_source {
  const char *path;     /* NUL-terminated; NULL for bytes */
  const unsigned char *bytes;
  size_t size;
  int takes_partial;    /* also what is not whole */
} answer_source;

/* Decodes an answer and finds its features. NULL on failure, with the error filled. */
answer *answer_new(const answer_source *source, opk_error *error);

/* Whether an answer is what the source would give again. */
int answer_is_of(const answer *self, const answer_source *source);

answer *answer_retain(answer *self);
void answer_release(answer *self);

size_t answer_count(const answer *self);
const opk_feature_arrays *answer_features(const answer *self);
const opk_response *answer_response(const answer *self);
const opk_features *answer_handle(const answer *self);

/* The value of a tag; ptr NULL when the feature does not have it. */
opk_str answer_tag(const answer *self, size_t row, const char *key);

/* All tags as a JSON object, NUL-terminated; to be freed with sqlite3_free. NULL without memory. */
char *answer_tags_json(const answer *self, size_t row);

#endif
