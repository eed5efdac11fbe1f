/* The finder of places, and the query of an amenities app. */
#include "opk_test.h"
#include <math.h>

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

static const char town[] =
    "{\"type\":\"node\",\"id\":1,\"lat\":0,\"lon\":0.002,\"tags\":{\"amenity\":\"toilets\","
    "\"fee\":\"yes\",\"charge\":\"0.50 EUR\",\"toilets:wheelchair\":\"yes\","
    "\"opening_hours\":\"24/7\",\"description\":\"red door\"}},"
    "{\"type\":\"node\",\"id\":2,\"lat\":0.001,\"lon\":0,\"tags\":{\"shop\":\"clothes\","
    "\"name\":\"Plain\",\"name:fi\":\"Kauppa\",\"wheelchair\":\"limited\"}},"
    "{\"type\":\"node\",\"id\":3,\"lat\":0,\"lon\":0,\"tags\":{\"tourism\":\"viewpoint\","
    "\"fee\":\"Mo-Fr 08:00-18:00\"}},"
    "{\"type\":\"node\",\"id\":4,\"lat\":0,\"lon\":0,\"tags\":{\"highway\":\"bus_stop\"}},"
    "{\"type\":\"way\",\"id\":5,\"center\":{\"lat\":0.01,\"lon\":0},\"tags\":{\"amenity\":\"cafe\"}}";

static opk_nearby_place place_at(const opk_places *places, size_t index) {
  opk_nearby_place place = OPK_NEARBY_PLACE_INIT;
  CHECK_STATUS(opk_places_get(places, index, &place), OPK_OK);
  return place;
}

TEST(test_nearest_first) {
  const char *languages[] = {"fi", "en"};
  opk_place_options options = OPK_PLACE_OPTIONS_INIT;
  opk_features *features = features_of(town);
  opk_places *places = NULL;
  opk_nearby_place place;
  options.languages = languages;
  options.language_count = 2;
  CHECK_STATUS(opk_places_find(features, 0, 0, &options, &places, NULL), OPK_OK);
  opk_features_free(features);
  CHECK_INT(opk_places_count(places), 4);

  place = place_at(places, 0);
  CHECK_INT(place.id, 3);
  CHECK(place.distance_m == 0);
  CHECK(isnan(place.bearing_deg));
  CHECK_TEXT(place.title, "Viewpoint");
  CHECK_INT(place.is_named, 0);
  CHECK_INT(place.fee, OPK_FEE_UNKNOWN);
  CHECK_TEXT(place.fee_text, "Mo-Fr 08:00-18:00");
  CHECK_INT(place.wheelchair, OPK_WHEELCHAIR_UNKNOWN);
  CHECK_TEXT(place.charge, NULL);
  CHECK_TEXT(place.description, NULL);

  place = place_at(places, 1);
  CHECK_INT(place.type, OPK_NODE);
  CHECK_INT(place.id, 2);
  CHECK_TEXT(place.title, "Kauppa");
  CHECK_INT(place.is_named, 1);
  CHECK_TEXT(place.kind_key, "shop");
  CHECK_TEXT(place.kind, "clothes");
  CHECK_TEXT(place.kind_title, "Clothes shop");
  CHECK_INT(place.wheelchair, OPK_WHEELCHAIR_LIMITED);
  CHECK(fabs(place.distance_m - 110.574) < 0.001);
  CHECK(place.bearing_deg == 0);

  place = place_at(places, 2);
  CHECK_INT(place.id, 1);
  CHECK(place.bearing_deg == 90);
  CHECK_INT(place.fee, OPK_FEE_YES);
  CHECK_TEXT(place.charge, "0.50 EUR");
  CHECK_TEXT(place.fee_text, NULL);
  CHECK_INT(place.wheelchair, OPK_WHEELCHAIR_YES);
  CHECK_INT(place.toilets_wheelchair, OPK_WHEELCHAIR_YES);
  CHECK_TEXT(place.opening_hours, "24/7");
  CHECK_TEXT(place.description, "red door");
  CHECK_INT(place.position.lon_e7, 20000);
  CHECK_INT(place.position.lat_e7, 0);

  place = place_at(places, 3);
  CHECK_INT(place.type, OPK_WAY);
  CHECK_INT(place.origin, OPK_ORIGIN_CENTER);
  CHECK_STATUS(opk_places_get(places, 4, &place), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_places_get(places, 0, NULL), OPK_ERR_MISUSE);
  opk_places_free(places);
}

TEST(test_places_are_features) {
  opk_features *features = features_of(town);
  opk_places *places = NULL;
  opk_feature feature = OPK_FEATURE_INIT;
  CHECK_STATUS(opk_places_find(features, 0, 0, NULL, &places, NULL), OPK_OK);
  CHECK_TEXT(place_at(places, 1).title, "Plain");
  CHECK_STATUS(opk_features_get(features, place_at(places, 3).feature_index, &feature), OPK_OK);
  CHECK_INT(feature.type, OPK_WAY);
  CHECK_INT(feature.id, 5);
  opk_places_free(places);
  opk_features_free(features);
}

TEST(test_options) {
  const char *keys[] = {"highway", "tourism"};
  opk_place_options options = OPK_PLACE_OPTIONS_INIT;
  opk_features *features = features_of(town);
  opk_places *places = NULL;
  options.radius_m = 112;
  CHECK_STATUS(opk_places_find(features, 0, 0, &options, &places, NULL), OPK_OK);
  CHECK_INT(opk_places_count(places), 2);
  opk_places_free(places);
  options.kind_keys = keys;
  options.kind_key_count = 2;
  CHECK_STATUS(opk_places_find(features, 0, 0, &options, &places, NULL), OPK_OK);
  CHECK_INT(opk_places_count(places), 2);
  CHECK_TEXT(place_at(places, 1).title, "Bus stop");
  opk_places_free(places);
  options.kind_key_count = 0;
  CHECK_STATUS(opk_places_find(features, 0, 0, &options, &places, NULL), OPK_OK);
  CHECK_INT(opk_places_count(places), 0);
  opk_places_free(places);
  opk_features_free(features);
}

TEST(test_misuse) {
  static const double wrong[][2] = {{91, 0}, {-90.1, 0}, {0, 180.1}, {0, -INFINITY}, {NAN, 0}};
  const char *broken[] = {"\xff"};
  opk_place_options options = OPK_PLACE_OPTIONS_INIT;
  opk_features *features = features_of(town);
  opk_places *places = NULL;
  opk_error error = OPK_ERROR_INIT;
  size_t index;
  for (index = 0; index < sizeof wrong / sizeof *wrong; index++) {
    CHECK_STATUS(opk_places_find(features, wrong[index][0], wrong[index][1], NULL, &places, &error),
                 OPK_ERR_MISUSE);
    CHECK(strstr(error.message, "out of range"));
  }
  CHECK_STATUS(opk_places_find(NULL, 0, 0, NULL, &places, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_places_find(features, 0, 0, NULL, NULL, NULL), OPK_ERR_MISUSE);
  options.radius_m = -1;
  CHECK_STATUS(opk_places_find(features, 0, 0, &options, &places, NULL), OPK_ERR_MISUSE);
  options.radius_m = NAN;
  options.language_count = 1;
  CHECK_STATUS(opk_places_find(features, 0, 0, &options, &places, NULL), OPK_ERR_MISUSE);
  options.languages = broken;
  CHECK_STATUS(opk_places_find(features, 0, 0, &options, &places, NULL), OPK_ERR_QUERY_VALUE);
  options.languages = NULL;
  options.language_count = 0;
  options.kind_key_count = 1;
  CHECK_STATUS(opk_places_find(features, 0, 0, &options, &places, NULL), OPK_ERR_MISUSE);
  CHECK(places == NULL);
  /* An older caller, whose options end before the radius. */
  options.struct_size = offsetof(opk_place_options, kind_keys);
  options.radius_m = -1;
  CHECK_STATUS(opk_places_find(features, 0, 0, &options, &places, NULL), OPK_OK);
  CHECK_INT(opk_places_count(places), 4);
  opk_places_free(places);
  CHECK_INT(opk_places_count(NULL), 0);
  opk_places_free(NULL);
  opk_features_free(features);
}

static void check_query(opk_status (*render)(const opk_query *, uint32_t, opk_bytes **, opk_error *),
                        const opk_query *query, const char *expected) {
  opk_bytes *block = NULL;
  opk_str text;
  CHECK_STATUS(render(query, 0, &block, NULL), OPK_OK);
  text.ptr = (const char *)opk_bytes_data(block);
  text.len = opk_bytes_size(block);
  CHECK_TEXT(text, expected);
  opk_bytes_free(block);
}

TEST(test_query_of_an_amenities_app) {
  opk_query *query = NULL;
  opk_error error = OPK_ERROR_INIT;
  CHECK_STATUS(opk_query_new_amenity(NULL, "toilets", 60.1699, 24.9384, 500, &query, NULL), OPK_OK);
  check_query(opk_query_render_ql, query,
              "[out:json];nwr[\"amenity\"=\"toilets\"](around:500,60.1699,24.9384);out geom;");
  CHECK_STATUS(opk_query_set_timeout(query, 25, NULL), OPK_OK);
  CHECK_STATUS(opk_query_add_tag(query, OPK_TAG_EQUALS, "fee", "no", 0, NULL), OPK_OK);
  check_query(opk_query_render_xml, query,
              "<osm-script output=\"json\" timeout=\"25\"><query type=\"nwr\">"
              "<has-kv k=\"amenity\" v=\"toilets\"/><has-kv k=\"fee\" v=\"no\"/>"
              "<around radius=\"500\" lat=\"60.1699\" lon=\"24.9384\"/></query>"
              "<print geometry=\"full\"/></osm-script>");
  opk_query_free(query);
  CHECK_STATUS(opk_query_new_amenity("shop", "bakery", 1, 2, 3, &query, NULL), OPK_OK);
  check_query(opk_query_render_ql, query,
              "[out:json];nwr[\"shop\"=\"bakery\"](around:3,1,2);out geom;");
  opk_query_free(query);
  CHECK_STATUS(opk_query_new_amenity(NULL, "cafe", 91, 0, 1, &query, &error),
               OPK_ERR_QUERY_COORDINATE);
  CHECK(query == NULL);
  CHECK_STATUS(opk_query_new_amenity(NULL, "cafe", 0, 0, NAN, &query, &error),
               OPK_ERR_QUERY_COORDINATE);
  CHECK_STATUS(opk_query_new_amenity(NULL, "", 0, 0, 1, &query, &error), OPK_ERR_QUERY_VALUE);
  CHECK_STATUS(opk_query_new_amenity(NULL, "\xff", 0, 0, 1, &query, &error), OPK_ERR_QUERY_VALUE);
  CHECK_STATUS(opk_query_new_amenity(NULL, NULL, 0, 0, 1, &query, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_new_amenity(NULL, "cafe", 0, 0, 1, NULL, &error), OPK_ERR_MISUSE);
}

int main(void) {
  RUN(test_nearest_first);
  RUN(test_places_are_features);
  RUN(test_options);
  RUN(test_misuse);
  RUN(test_query_of_an_amenities_app);
  return FINISH();
}
