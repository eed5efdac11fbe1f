/* What a map shows: shapes, titles, identities. */
#include "opk_test.h"

static opk_features *features_of(const char *elements) {
  char json[4096];
  opk_response *response = NULL;
  opk_features *features = NULL;
  snprintf(json, sizeof json, "{\"elements\":[%s]}", elements);
  CHECK_STATUS(opk_response_decode_json((const uint8_t *)json, strlen(json), NULL, &response, NULL),
               OPK_OK);
  CHECK_STATUS(opk_features_build(response, NULL, &features, NULL), OPK_OK);
  opk_response_free(response);
  return features;
}

static const char world[] =
    "{\"type\":\"node\",\"id\":1,\"lat\":0,\"lon\":0},{\"type\":\"node\",\"id\":2,\"lat\":0,\"lon\":10},"
    "{\"type\":\"node\",\"id\":3,\"lat\":10,\"lon\":10},{\"type\":\"node\",\"id\":4,\"lat\":10,\"lon\":0},"
    "{\"type\":\"node\",\"id\":5,\"lat\":2,\"lon\":2},{\"type\":\"node\",\"id\":6,\"lat\":2,\"lon\":4},"
    "{\"type\":\"node\",\"id\":7,\"lat\":4,\"lon\":4},"
    "{\"type\":\"node\",\"id\":8,\"lat\":20.5,\"lon\":-30.25,"
    "\"tags\":{\"place\":\"city\",\"name\":\"Plain\",\"name:fi\":\"Kaupunki\"}},"
    "{\"type\":\"way\",\"id\":1,\"nodes\":[1,2,3,4,1]},{\"type\":\"way\",\"id\":2,\"nodes\":[5,6,7,5]},"
    "{\"type\":\"way\",\"id\":8,\"nodes\":[1,3],\"tags\":{\"highway\":\"path\"}},"
    "{\"type\":\"relation\",\"id\":8,\"members\":[{\"type\":\"way\",\"ref\":1,\"role\":\"outer\"},"
    "{\"type\":\"way\",\"ref\":2,\"role\":\"inner\"}],"
    "\"tags\":{\"type\":\"multipolygon\",\"natural\":\"wood\"}}";

static opk_visualization seen(const opk_visualizations *all, uint32_t type, int64_t id) {
  opk_visualization result = OPK_VISUALIZATION_INIT;
  int64_t place = opk_visualizations_find(all, type, id);
  CHECK(place >= 0);
  CHECK_STATUS(opk_visualizations_get(all, (size_t)place, &result), OPK_OK);
  CHECK_INT(result.type, type);
  CHECK_INT(result.id, id);
  return result;
}

TEST(test_all_elements) {
  opk_features *features = features_of(world);
  opk_visualizations *all = NULL;
  opk_visualization one;
  const size_t *ends;
  size_t count;
  CHECK_STATUS(opk_visualizations_build(features, NULL, 0, &all, NULL), OPK_OK);
  opk_features_free(features);
  CHECK_INT(opk_visualizations_count(all), 3);

  one = seen(all, OPK_NODE, 8);
  CHECK_INT(one.shape, OPK_SHAPE_ANNOTATION);
  CHECK_INT(one.position.lon_e7, -302500000);
  CHECK_INT(one.position.lat_e7, 205000000);
  CHECK_TEXT(one.title, "Plain");
  CHECK_INT(one.is_tainted, 0);
  CHECK_INT(one.origin, OPK_ORIGIN_ELEMENT);

  one = seen(all, OPK_WAY, 8);
  CHECK_INT(one.shape, OPK_SHAPE_POLYLINE);
  CHECK_INT(one.position.lon_e7, OPK_POSITION_UNDEFINED);
  CHECK_TEXT(one.title, NULL);
  CHECK(opk_geometry_positions(one.geometry, &count) != NULL);
  CHECK_INT(count, 2);

  one = seen(all, OPK_RELATION, 8);
  CHECK_INT(one.shape, OPK_SHAPE_POLYGON);
  CHECK_INT(opk_geometry_kind(one.geometry), OPK_GEOMETRY_POLYGON);
  ends = opk_geometry_part_ends(one.geometry, &count);
  CHECK_INT(count, 2);
  CHECK_INT(ends[0], 5);
  CHECK_INT(ends[1], 9);

  /* Drawn by the relation, without tags, unknown, no type. */
  CHECK_INT(opk_visualizations_find(all, OPK_WAY, 1), -1);
  CHECK_INT(opk_visualizations_find(all, OPK_NODE, 1), -1);
  CHECK_INT(opk_visualizations_find(all, OPK_NODE, 99), -1);
  CHECK_INT(opk_visualizations_find(all, 77, 8), -1);
  CHECK_INT(opk_visualizations_find(all, 256 + OPK_NODE, 8), -1);
  CHECK_STATUS(opk_visualizations_get(all, 3, &one), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_visualizations_get(all, 0, NULL), OPK_ERR_MISUSE);
  opk_visualizations_free(all);
}

TEST(test_one_element) {
  const char *languages[] = {"sv", "fi-FI"};
  opk_features *features = features_of(world);
  opk_visualizations *one = NULL;
  CHECK_STATUS(opk_visualizations_build_one(features, OPK_NODE, 8, languages, 2, &one, NULL), OPK_OK);
  CHECK_INT(opk_visualizations_count(one), 1);
  CHECK_TEXT(seen(one, OPK_NODE, 8).title, "Kaupunki");
  opk_visualizations_free(one);
  CHECK_STATUS(opk_visualizations_build_one(features, OPK_WAY, 1, NULL, 0, &one, NULL), OPK_OK);
  CHECK_INT(opk_visualizations_count(one), 0);
  opk_visualizations_free(one);
  CHECK_STATUS(opk_visualizations_build_one(features, 9, 1, NULL, 0, &one, NULL), OPK_ERR_MISUSE);
  CHECK(one == NULL);
  opk_features_free(features);
}

TEST(test_misuse) {
  const char *broken[] = {"\xff"}, *missing[] = {NULL};
  opk_features *features = features_of(world);
  opk_visualizations *all = NULL;
  opk_error error = OPK_ERROR_INIT;
  CHECK_STATUS(opk_visualizations_build(NULL, NULL, 0, &all, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_visualizations_build(features, NULL, 0, NULL, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_visualizations_build(features, NULL, 1, &all, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_visualizations_build(features, missing, 1, &all, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_visualizations_build(features, broken, 1, &all, &error), OPK_ERR_QUERY_VALUE);
  CHECK(all == NULL);
  CHECK_STATUS(opk_visualizations_build_one(NULL, OPK_NODE, 1, NULL, 0, &all, NULL), OPK_ERR_MISUSE);
  CHECK_INT(opk_visualizations_count(NULL), 0);
  CHECK_INT(opk_visualizations_find(NULL, OPK_NODE, 1), -1);
  opk_visualizations_free(NULL);
  opk_features_free(features);
}

TEST(test_finding_features) {
  opk_features *features = features_of(world);
  opk_feature feature = OPK_FEATURE_INIT;
  int64_t place = opk_features_find(features, OPK_RELATION, 8);
  CHECK_STATUS(opk_features_get(features, (size_t)place, &feature), OPK_OK);
  CHECK_INT(feature.type, OPK_RELATION);
  CHECK_INT(feature.id, 8);
  CHECK_INT(opk_features_find(features, OPK_NODE, 1), -1);
  CHECK_INT(opk_features_find(features, OPK_NODE, INT64_MIN), -1);
  CHECK_INT(opk_features_find(features, 0, 8), -1);
  CHECK_INT(opk_features_find(NULL, OPK_NODE, 8), -1);
  opk_features_free(features);
}

int main(void) {
  RUN(test_all_elements);
  RUN(test_one_element);
  RUN(test_misuse);
  RUN(test_finding_features);
  return FINISH();
}
