/* Reading our GeoJSON with somebody else's parser (json-c), and comparing it with what is expected.
 *
 * Numbers agree within 1e-9. Rings may start anywhere, but must run the same way round.
 */
#ifndef OPK_JSON_H
#define OPK_JSON_H

#include "opk_test.h"
#include <json-c/json.h>
#include <math.h>

/* Parses all of a text strictly; NULL, with a failed check, when it is not JSON. */
static inline json_object *parse_json(const void *bytes, size_t size) {
  struct json_tokener *tokener = json_tokener_new_ex(64);
  json_object *value;
  enum json_tokener_error error;
  json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
  value = json_tokener_parse_ex(tokener, (const char *)bytes, (int)size);
  error = json_tokener_get_error(tokener);
  opk_checks++;
  if (error != json_tokener_success) FAIL("no JSON: %s", json_tokener_error_desc(error));
  json_tokener_free(tokener);
  return value;
}

/* Takes over a block of bytes and parses it. */
static inline json_object *parse_block(opk_bytes *block) {
  json_object *value = parse_json(opk_bytes_data(block), opk_bytes_size(block));
  opk_bytes_free(block);
  return value;
}

/* A member of an object, borrowed; NULL where it is missing. */
static inline json_object *member(json_object *object, const char *key) {
  json_object *value = NULL;
  return json_object_object_get_ex(object, key, &value) ? value : NULL;
}

/* Whether a member is this text; NULL means that the member is missing. */
static inline int is_text(json_object *object, const char *key, const char *expected) {
  const char *text = json_object_get_string(member(object, key));
  return expected ? text && strcmp(text, expected) == 0 : !text;
}

/* The feature with an id, borrowed; NULL where there is none. */
static inline json_object *feature_with_id(json_object *collection, const char *id) {
  json_object *features = member(collection, "features");
  size_t index;
  for (index = 0; features && index < json_object_array_length(features); index++) {
    json_object *feature = json_object_array_get_idx(features, index);
    if (is_text(feature, "id", id)) return feature;
  }
  return NULL;
}

static inline int is_number(json_object *value) {
  return json_object_is_type(value, json_type_double) || json_object_is_type(value, json_type_int);
}

static inline int same_json(json_object *a, json_object *b);

/* Whether two arrays agree from item `shift` of the second on; with a shift, as closed rings. */
static inline int same_array(json_object *a, json_object *b, size_t shift) {
  size_t count = json_object_array_length(a), index;
  if (json_object_array_length(b) != count) return 0;
  for (index = 0; index < count; index++) {
    size_t other = shift == 0 ? index : (index + shift) % (count - 1);
    if (!same_json(json_object_array_get_idx(a, index), json_object_array_get_idx(b, other)))
      return 0;
  }
  return 1;
}

static inline int is_ring(json_object *array) {
  size_t count = json_object_array_length(array);
  json_object *first = json_object_array_get_idx(array, 0);
  return count >= 4 && json_object_is_type(first, json_type_array) &&
         is_number(json_object_array_get_idx(first, 0)) &&
         same_json(first, json_object_array_get_idx(array, count - 1));
}

static inline int same_json(json_object *a, json_object *b) {
  size_t shift;
  if (is_number(a) && is_number(b))
    return fabs(json_object_get_double(a) - json_object_get_double(b)) <= 1e-9;
  if (json_object_get_type(a) != json_object_get_type(b)) return 0;
  if (json_object_is_type(a, json_type_object)) {
    if (json_object_object_length(a) != json_object_object_length(b)) return 0;
    json_object_object_foreach(a, key, value) {
      if (!json_object_object_get_ex(b, key, NULL) || !same_json(value, member(b, key))) return 0;
    }
    return 1;
  }
  if (!json_object_is_type(a, json_type_array)) return json_object_equal(a, b);
  if (same_array(a, b, 0)) return 1;
  if (json_object_array_length(a) != json_object_array_length(b) || !is_ring(a) || !is_ring(b))
    return 0;
  for (shift = 1; shift + 1 < json_object_array_length(a); shift++)
    if (same_array(a, b, shift)) return 1;
  return 0;
}

/* Judges a FeatureCollection by a file with what is expected, feature by feature. */
static inline void check_collection(json_object *got, const char *expected_name) {
  json_object *expected = json_object_from_file(fixture(expected_name));
  json_object *features = member(expected, "features");
  size_t index, count = features ? json_object_array_length(features) : 0;
  CHECK(expected != NULL);
  CHECK(is_text(got, "type", "FeatureCollection"));
  CHECK_INT(json_object_array_length(member(got, "features")), count);
  for (index = 0; index < count; index++) {
    json_object *feature = json_object_array_get_idx(features, index);
    const char *id = json_object_get_string(member(feature, "id"));
    json_object *other = feature_with_id(got, id);
    opk_checks++;
    if (!same_json(feature, other))
      FAIL("%s: expected %s\n  got %s", id, json_object_to_json_string(feature),
           other ? json_object_to_json_string(other) : "nothing");
  }
  json_object_put(expected);
}

#endif
