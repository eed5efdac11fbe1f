/* Many threads read one response and one set of features, and use handles of their own. */
#define _POSIX_C_SOURCE 200809L
#include "opk_test.h"
#include <pthread.h>

enum { THREADS = 8, ROUNDS = 25 };

typedef struct shared {
  const opk_response *response;
  const opk_features *features;
  opk_bytes *expected; /* GeoJSON of the features */
} shared;

static int same_bytes(const opk_bytes *a, const opk_bytes *b) {
  return opk_bytes_size(a) == opk_bytes_size(b) &&
         memcmp(opk_bytes_data(a), opk_bytes_data(b), opk_bytes_size(a)) == 0;
}

/* Reads everything once. Gives the number of surprises: threads must not use CHECK. */
static intptr_t read_all(const shared *all) {
  intptr_t surprises = 0;
  size_t index, count = opk_response_element_count(all->response, 0);
  opk_features *own = NULL;
  opk_bytes *text = NULL;
  for (index = 0; index < count; index++) {
    opk_element element = OPK_ELEMENT_INIT;
    surprises += opk_response_element(all->response, index, &element) != OPK_OK;
    surprises += opk_response_find(all->response, element.type, element.id) != (int64_t)index;
    surprises += element.tag_count > 0 &&
                 opk_response_string(all->response, element.tags[0].key).len == 0;
  }
  for (index = 0; index < opk_features_count(all->features); index++) {
    opk_geometry *geometry = NULL;
    surprises += opk_features_geometry(all->features, index, &geometry, NULL) != OPK_OK;
    opk_geometry_free(geometry);
  }
  surprises += opk_features_write_geojson(all->features, NULL, &text, NULL) != OPK_OK;
  surprises += !same_bytes(text, all->expected);
  opk_bytes_free(text);
  surprises += opk_features_build(all->response, NULL, &own, NULL) != OPK_OK;
  surprises += opk_features_count(own) != opk_features_count(all->features);
  opk_features_free(own);
  return surprises;
}

/* Uses handles that no other thread sees. */
static intptr_t use_own(void) {
  const char *broken = "{\"elements\":[1]}";
  opk_query *query = opk_query_new(OPK_NODES);
  opk_bytes *text = NULL;
  opk_response *response = NULL;
  opk_error error = OPK_ERROR_INIT;
  intptr_t surprises = opk_query_add_tag(query, OPK_TAG_EXISTS, "shop", NULL, 0, NULL) != OPK_OK;
  surprises += opk_query_render_ql(query, 0, &text, NULL) != OPK_OK;
  surprises += opk_response_decode_json((const uint8_t *)broken, strlen(broken), NULL, &response,
                                        &error) != OPK_ERR_DECODE_SYNTAX;
  surprises += error.byte_offset != 13;
  opk_bytes_free(text);
  opk_query_free(query);
  return surprises;
}

static void *work(void *argument) {
  intptr_t surprises = 0;
  int round;
  for (round = 0; round < ROUNDS; round++) surprises += read_all(argument) + use_own();
  return (void *)surprises;
}

TEST(test_threads_read_together) {
  opk_response *response = decoded("overpass-json/kinds.json");
  opk_features *features = NULL;
  shared all = {NULL, NULL, NULL};
  pthread_t threads[THREADS];
  int index;
  CHECK_STATUS(opk_features_build(response, NULL, &features, NULL), OPK_OK);
  CHECK_STATUS(opk_features_write_geojson(features, NULL, &all.expected, NULL), OPK_OK);
  all.response = response;
  all.features = features;
  for (index = 0; index < THREADS; index++)
    CHECK_INT(pthread_create(&threads[index], NULL, work, &all), 0);
  for (index = 0; index < THREADS; index++) {
    void *surprises = NULL;
    CHECK_INT(pthread_join(threads[index], &surprises), 0);
    CHECK_INT((intptr_t)surprises, 0);
  }
  opk_bytes_free(all.expected);
  opk_features_free(features);
  opk_response_free(response);
}

int main(void) {
  RUN(test_threads_read_together);
  return FINISH();
}
