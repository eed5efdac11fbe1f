/* Features: geometry, tags, well-known binary, GeoJSON (read back with json-c), problems. */
#define _POSIX_C_SOURCE 200809L
#include "opk_json.h"
#include <stdlib.h>

static opk_features *built(const opk_response *response, uint32_t profile, uint32_t points) {
  opk_feature_options options = OPK_FEATURE_OPTIONS_INIT;
  opk_features *features = NULL;
  options.profile = profile;
  options.points = points;
  CHECK_STATUS(opk_features_build(response, &options, &features, NULL), OPK_OK);
  return features;
}

/* The features of a fixture by the default rules; they keep the response's data alive. */
static opk_features *features_of(const char *name) {
  opk_response *response = decoded(name);
  opk_features *features = built(response, OPK_PROFILE_DEFAULT, OPK_POINTS_AUTO);
  opk_response_free(response);
  return features;
}

/* Place of a feature; SIZE_MAX, with a failed check, when there is none. */
static size_t place_of(const opk_features *features, uint32_t type, int64_t id) {
  size_t index;
  for (index = 0; index < opk_features_count(features); index++) {
    opk_feature feature = OPK_FEATURE_INIT;
    if (opk_features_get(features, index, &feature) != OPK_OK) break;
    if (feature.type == type && feature.id == id) return index;
  }
  CHECK(!"feature found");
  return SIZE_MAX;
}

static opk_feature feature_of(const opk_features *features, uint32_t type, int64_t id) {
  opk_feature feature = OPK_FEATURE_INIT;
  CHECK_STATUS(opk_features_get(features, place_of(features, type, id), &feature), OPK_OK);
  return feature;
}

TEST(test_kinds) {
  opk_features *features = features_of("overpass-json/kinds.json");
  opk_feature feature;
  CHECK_INT(opk_features_count(features), 6);
  feature = feature_of(features, OPK_NODE, 12345678901);
  CHECK_INT(feature.geometry_kind, OPK_GEOMETRY_POINT);
  CHECK_TEXT(feature.type_name, "node");
  CHECK_INT(feature.element_index, 8);
  CHECK_INT(feature.origin, OPK_ORIGIN_ELEMENT);
  CHECK_INT(feature.tag_count, 5);
  CHECK_INT(feature_of(features, OPK_NODE, 9).geometry_kind, OPK_GEOMETRY_POINT);
  CHECK_INT(feature_of(features, OPK_WAY, 22).geometry_kind, OPK_GEOMETRY_LINESTRING);
  CHECK_INT(feature_of(features, OPK_WAY, 24).geometry_kind, OPK_GEOMETRY_POLYGON);
  feature = feature_of(features, OPK_RELATION, 30);
  CHECK(feature.geometry_kind == OPK_GEOMETRY_POLYGON ||
        feature.geometry_kind == OPK_GEOMETRY_MULTIPOLYGON);
  CHECK_INT(feature.is_tainted, 0);
  feature = feature_of(features, OPK_RELATION, 31);
  CHECK(feature.geometry_kind == OPK_GEOMETRY_LINESTRING ||
        feature.geometry_kind == OPK_GEOMETRY_MULTILINESTRING);
  CHECK_INT(feature.is_tainted, 1);
  CHECK_STATUS(opk_features_get(features, 6, &feature), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_get(features, 0, NULL), OPK_ERR_MISUSE);
  opk_features_free(features);
}

TEST(test_tags) {
  opk_features *features = features_of("overpass-json/kinds.json");
  size_t place = place_of(features, OPK_WAY, 22);
  opk_str key, value;
  CHECK_STATUS(opk_features_tag(features, place, 0, &key, &value), OPK_OK);
  CHECK_TEXT(key, "highway");
  CHECK_TEXT(value, "path");
  CHECK_STATUS(opk_features_tag(features, place, 1, &key, &value), OPK_OK);
  CHECK_TEXT(key, "surface");
  CHECK_STATUS(opk_features_tag(features, place, 2, &key, &value), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_tag(features, 99, 0, &key, &value), OPK_ERR_MISUSE);
  opk_features_free(features);
}

TEST(test_tags_at_once) {
  opk_response *response = decoded("overpass-json/kinds.json");
  opk_features *features = built(response, OPK_PROFILE_DEFAULT, OPK_POINTS_AUTO);
  size_t place = place_of(features, OPK_WAY, 22);
  opk_tag tags[3] = {{77, 77}, {77, 77}, {77, 77}};
  CHECK_INT(opk_features_tags(features, place, NULL, 0), 2);
  CHECK_INT(opk_features_tags(features, place, tags, 1), 2);
  CHECK_TEXT(opk_response_string(response, tags[0].key), "highway");
  CHECK_INT(tags[1].key, 77);
  CHECK_INT(opk_features_tags(features, place, tags, 3), 2);
  CHECK_TEXT(opk_response_string(response, tags[1].value), "ground");
  CHECK_INT(tags[2].key, 77);
  CHECK_INT(opk_features_tags(features, 99, tags, 3), 0);
  CHECK_INT(opk_features_tags(NULL, 0, tags, 3), 0);
  opk_features_free(features);
  opk_response_free(response);
}

/* Twice the area enclosed by a ring, counter-clockwise positive; units: square degrees. */
static double twice_area(const opk_position *ring, size_t count) {
  double sum = 0;
  size_t index;
  for (index = 0; index + 1 < count; index++)
    sum += (ring[index].lon_e7 / 1e7) * (ring[index + 1].lat_e7 / 1e7) -
           (ring[index + 1].lon_e7 / 1e7) * (ring[index].lat_e7 / 1e7);
  return sum;
}

TEST(test_polygon_arrays) {
  opk_features *features = features_of("overpass-json/kinds.json");
  opk_geometry *geometry = NULL;
  size_t count, parts, polygons;
  const opk_position *positions;
  const size_t *ends, *polygon_ends;
  CHECK_STATUS(opk_features_geometry(features, place_of(features, OPK_RELATION, 30), &geometry,
                                     NULL), OPK_OK);
  opk_features_free(features); /* the geometry stands on its own */
  positions = opk_geometry_positions(geometry, &count);
  ends = opk_geometry_part_ends(geometry, &parts);
  polygon_ends = opk_geometry_polygon_ends(geometry, &polygons);
  CHECK_INT(count, 10);
  CHECK_INT(parts, 2);
  CHECK_INT(ends[0], 5);
  CHECK_INT(ends[1], 10);
  CHECK_INT(polygons, 1);
  CHECK_INT(polygon_ends[0], 2);
  CHECK(memcmp(&positions[0], &positions[4], sizeof *positions) == 0);
  CHECK(fabs(twice_area(positions, 5) - 200) < 1e-9);
  CHECK(fabs(twice_area(positions + 5, 5) + 8) < 1e-9);
  CHECK_INT(opk_geometry_member_count(geometry), 0);
  opk_geometry_free(geometry);
}

static uint32_t uint32_at(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static double double_at(const uint8_t *bytes) {
  uint64_t bits = uint32_at(bytes) | (uint64_t)uint32_at(bytes + 4) << 32;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

TEST(test_well_known_binary) {
  opk_features *features = features_of("overpass-json/kinds.json");
  opk_bytes *wkb = NULL;
  const uint8_t *bytes;
  CHECK_STATUS(opk_features_wkb(features, place_of(features, OPK_NODE, 9), &wkb, NULL), OPK_OK);
  bytes = opk_bytes_data(wkb);
  CHECK_INT(opk_bytes_size(wkb), 21);
  CHECK_INT(bytes[0], 1);
  CHECK_INT(uint32_at(bytes + 1), 1);
  CHECK(double_at(bytes + 5) == 21.25);
  CHECK(double_at(bytes + 13) == 20.5);
  opk_bytes_free(wkb);
  CHECK_STATUS(opk_features_wkb(features, place_of(features, OPK_WAY, 24), &wkb, NULL), OPK_OK);
  bytes = opk_bytes_data(wkb);
  CHECK_INT(opk_bytes_size(wkb), 1 + 4 + 4 + 4 + 4 * 16);
  CHECK_INT(uint32_at(bytes + 1), 3);
  CHECK_INT(uint32_at(bytes + 5), 1);
  CHECK_INT(uint32_at(bytes + 9), 4);
  opk_bytes_free(wkb);
  CHECK_STATUS(opk_features_wkb(features, 99, &wkb, NULL), OPK_ERR_MISUSE);
  CHECK(wkb == NULL);
  opk_features_free(features);
}

static json_object *written(const opk_features *features, uint32_t properties) {
  opk_geojson_options options = OPK_GEOJSON_OPTIONS_INIT;
  opk_bytes *block = NULL;
  options.properties = properties;
  CHECK_STATUS(opk_features_write_geojson(features, &options, &block, NULL), OPK_OK);
  return parse_block(block);
}

TEST(test_geojson_is_as_expected) {
  opk_features *features = features_of("overpass-json/kinds.json");
  json_object *flat = written(features, OPK_PROPERTIES_FLAT);
  json_object *nested = written(features, OPK_PROPERTIES_NESTED);
  check_collection(flat, "overpass-json/kinds.geojson");
  check_collection(nested, "overpass-json/kinds-nested.geojson");
  json_object_put(flat);
  json_object_put(nested);
  opk_features_free(features);
}

TEST(test_geojson_prints_seven_decimals_exactly) {
  opk_features *features = features_of("overpass-json/kinds.json");
  opk_bytes *block = NULL;
  char text[4096];
  CHECK_STATUS(opk_features_feature_geojson(features, place_of(features, OPK_NODE, 12345678901),
                                            NULL, &block, NULL), OPK_OK);
  snprintf(text, sizeof text, "%.*s", (int)opk_bytes_size(block),
           (const char *)opk_bytes_data(block));
  CHECK(strstr(text, "[-0.0000001,51.1234567]"));
  opk_bytes_free(block);
  opk_features_free(features);
}

TEST(test_geojson_feature_by_feature) {
  opk_features *features = features_of("overpass-json/kinds.json");
  json_object *all = written(features, OPK_PROPERTIES_FLAT);
  size_t index;
  for (index = 0; index < opk_features_count(features); index++) {
    opk_bytes *block = NULL;
    json_object *one;
    CHECK_STATUS(opk_features_feature_geojson(features, index, NULL, &block, NULL), OPK_OK);
    one = parse_block(block);
    CHECK(same_json(one, json_object_array_get_idx(member(all, "features"), index)));
    json_object_put(one);
  }
  json_object_put(all);
  opk_features_free(features);
}

TEST(test_geojson_file) {
  opk_features *features = features_of("overpass-json/kinds.json");
  char path[] = "/tmp/opk-test-XXXXXX";
  int descriptor = mkstemp(path);
  json_object *all = written(features, OPK_PROPERTIES_FLAT), *file;
  opk_error error = OPK_ERROR_INIT;
  CHECK(descriptor >= 0);
  CHECK_STATUS(opk_features_write_geojson_file(features, NULL, path, &error), OPK_OK);
  file = json_object_from_file(path);
  CHECK(same_json(file, all));
  remove(path);
  CHECK_STATUS(opk_features_write_geojson_file(features, NULL, "/nowhere/at/all", &error),
               OPK_ERR_FILE_OPEN);
  CHECK(strstr(error.message, "/nowhere/at/all"));
  CHECK_STATUS(opk_features_write_geojson_file(features, NULL, NULL, &error), OPK_ERR_MISUSE);
  json_object_put(file);
  json_object_put(all);
  opk_features_free(features);
}

TEST(test_placeholders_and_gaps) {
  opk_features *features = features_of("overpass-json/geometry.json");
  opk_feature feature = feature_of(features, OPK_WAY, 3);
  json_object *nested = written(features, OPK_PROPERTIES_NESTED);
  json_object *properties = member(feature_with_id(nested, "way/3"), "properties");
  CHECK_INT(feature.geometry_kind, OPK_GEOMETRY_POINT);
  CHECK_INT(feature.origin, OPK_ORIGIN_CENTER);
  CHECK(is_text(properties, "geometry", "center"));
  feature = feature_of(features, OPK_WAY, 1);
  CHECK_INT(feature.geometry_kind, OPK_GEOMETRY_LINESTRING);
  CHECK_INT(feature.is_tainted, 1);
  json_object_put(nested);
  opk_features_free(features);
}

TEST(test_choice_of_points) {
  const char *uninteresting[] = {"amenity"};
  opk_response *response = decoded("overpass-json/kinds.json");
  opk_feature_options options = OPK_FEATURE_OPTIONS_INIT;
  opk_features *features = built(response, OPK_PROFILE_DEFAULT, OPK_POINTS_ALL);
  CHECK_INT(opk_features_count(features), 4 + 13);
  opk_features_free(features);
  features = built(response, OPK_PROFILE_DEFAULT, OPK_POINTS_TAGGED);
  CHECK_INT(opk_features_count(features), 4 + 1);
  opk_features_free(features);
  features = built(response, OPK_PROFILE_OSMTOGEOJSON, OPK_POINTS_AUTO);
  CHECK(opk_features_count(features) >= 5);
  opk_features_free(features);
  options.points = 99;
  features = (opk_features *)&options;
  CHECK_STATUS(opk_features_build(response, &options, &features, NULL), OPK_ERR_MISUSE);
  CHECK(features == NULL);
  options.points = OPK_POINTS_TAGGED;
  options.uninteresting_keys = uninteresting;
  options.uninteresting_key_count = 1;
  CHECK_STATUS(opk_features_build(response, &options, &features, NULL), OPK_OK);
  opk_features_free(features);
  opk_response_free(response);
}

static opk_response *response_of(const char *answer) {
  opk_response *response = NULL;
  CHECK_STATUS(
      opk_response_decode((const uint8_t *)answer, strlen(answer), NULL, &response, NULL), OPK_OK);
  return response;
}

#define CORNERS \
  "{\"type\":\"node\",\"id\":1,\"lat\":0,\"lon\":0},{\"type\":\"node\",\"id\":2,\"lat\":0,\"lon\":1}," \
  "{\"type\":\"node\",\"id\":3,\"lat\":1,\"lon\":1},{\"type\":\"node\",\"id\":4,\"lat\":1,\"lon\":0},"

/* A square boundary with a label, an association of its way and label, a way that crosses itself. */
static const char relations[] =
    "{\"elements\":[" CORNERS
    "{\"type\":\"node\",\"id\":5,\"lat\":0.5,\"lon\":0.25,\"tags\":{\"place\":\"town\"}},"
    "{\"type\":\"way\",\"id\":1,\"nodes\":[1,2,3,4,1],\"tags\":{\"building\":\"yes\"}},"
    "{\"type\":\"way\",\"id\":2,\"nodes\":[1,3,2,4,1],\"tags\":{\"building\":\"yes\"}},"
    "{\"type\":\"relation\",\"id\":7,\"members\":[{\"type\":\"way\",\"ref\":1,\"role\":\"outer\"},"
    "{\"type\":\"node\",\"ref\":5,\"role\":\"label\"},{\"type\":\"way\",\"ref\":99,\"role\":\"outer\"}],"
    "\"tags\":{\"type\":\"boundary\"}},"
    "{\"type\":\"relation\",\"id\":8,\"members\":[{\"type\":\"way\",\"ref\":1,\"role\":\"\"},"
    "{\"type\":\"node\",\"ref\":5,\"role\":\"\"}],\"tags\":{\"type\":\"organization\"}}]}";

TEST(test_labels_and_missing_parts) {
  opk_response *response = response_of(relations);
  opk_features *features = built(response, OPK_PROFILE_DEFAULT, OPK_POINTS_AUTO);
  size_t place = place_of(features, OPK_RELATION, 7);
  opk_feature feature = feature_of(features, OPK_RELATION, 7);
  uint8_t types[2] = {9, 9};
  int64_t ids[2] = {9, 9};
  CHECK_INT(feature.label.lat_e7, 5000000);
  CHECK_INT(feature.label.lon_e7, 2500000);
  CHECK_INT(feature.admin_centre.lat_e7, OPK_POSITION_UNDEFINED);
  CHECK_INT(feature.is_invalid, 0);
  CHECK_INT(opk_features_missing(features, place, types, ids, 2), 1);
  CHECK_INT(types[0], OPK_WAY);
  CHECK_INT(ids[0], 99);
  CHECK_INT(types[1], 9);
  CHECK_INT(opk_features_missing(features, place, NULL, NULL, 2), 1);
  CHECK_INT(opk_features_missing(features, 99, types, ids, 2), 0);
  CHECK_INT(opk_features_missing(NULL, 0, types, ids, 2), 0);
  opk_features_free(features);
  opk_response_free(response);
}

TEST(test_collections_and_raw_rings) {
  opk_response *response = response_of(relations);
  opk_feature_options options = OPK_FEATURE_OPTIONS_INIT;
  opk_features *features = built(response, OPK_PROFILE_DEFAULT, OPK_POINTS_AUTO);
  opk_geometry *geometry = NULL;
  size_t count = opk_features_count(features);
  CHECK_INT(feature_of(features, OPK_WAY, 2).geometry_kind, OPK_GEOMETRY_LINESTRING);
  opk_features_free(features);
  options.flags = OPK_FEATURES_COLLECTIONS | OPK_FEATURES_RAW_RINGS;
  CHECK_STATUS(opk_features_build(response, &options, &features, NULL), OPK_OK);
  CHECK_INT(opk_features_count(features), count + 1);
  CHECK_INT(feature_of(features, OPK_WAY, 2).geometry_kind, OPK_GEOMETRY_POLYGON);
  CHECK_INT(feature_of(features, OPK_WAY, 2).is_invalid, 1);
  CHECK_STATUS(opk_features_geometry(features, place_of(features, OPK_RELATION, 8), &geometry,
                                     NULL), OPK_OK);
  CHECK_INT(opk_geometry_kind(geometry), OPK_GEOMETRY_COLLECTION);
  CHECK_INT(opk_geometry_member_count(geometry), 2);
  CHECK_INT(opk_geometry_kind(opk_geometry_member(geometry, 0)), OPK_GEOMETRY_POLYGON);
  opk_geometry_free(geometry);
  opk_features_free(features);
  options.flags = OPK_FEATURES_OMIT_PARTS;
  CHECK_STATUS(opk_features_build(response, &options, &features, NULL), OPK_OK);
  CHECK(opk_features_count(features) < count);
  opk_features_free(features);
  opk_response_free(response);
}

TEST(test_measures) {
  opk_response *response = response_of(relations);
  opk_features *features = built(response, OPK_PROFILE_DEFAULT, OPK_POINTS_AUTO);
  size_t place = place_of(features, OPK_RELATION, 7);
  opk_measures measures = OPK_MEASURES_INIT, again = OPK_MEASURES_INIT;
  opk_geometry *geometry = NULL;
  CHECK_STATUS(opk_features_measure(features, place, &measures), OPK_OK);
  /* As GeographicLib measures one degree by one degree at the equator. */
  CHECK(fabs(measures.area - 12308778361.469) < 0.01);
  CHECK(fabs(measures.length - 443770.917) < 0.01);
  CHECK_INT(measures.southwest.lon_e7, 0);
  CHECK_INT(measures.northeast.lat_e7, 10000000);
  CHECK(labs(measures.centroid.lon_e7 - 5000000) < 2000);
  CHECK(measures.point_on_surface.lat_e7 > 0 && measures.point_on_surface.lat_e7 < 10000000);
  CHECK_STATUS(opk_features_geometry(features, place, &geometry, NULL), OPK_OK);
  CHECK_STATUS(opk_geometry_measure(geometry, &again), OPK_OK);
  CHECK(memcmp(&measures, &again, sizeof measures) == 0);
  CHECK_STATUS(opk_features_measure(features, place_of(features, OPK_NODE, 5), &measures), OPK_OK);
  CHECK(measures.area == 0 && measures.length == 0);
  CHECK_INT(measures.centroid.lon_e7, 2500000);
  CHECK_STATUS(opk_features_measure(features, 99, &measures), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_measure(features, place, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_geometry_measure(NULL, &measures), OPK_ERR_MISUSE);
  opk_geometry_free(geometry);
  opk_features_free(features);
  opk_response_free(response);
}

TEST(test_antimeridian) {
  static const char answer[] =
      "{\"elements\":[{\"type\":\"way\",\"id\":1,\"geometry\":[{\"lat\":0,\"lon\":179},"
      "{\"lat\":0,\"lon\":-179}],\"tags\":{\"waterway\":\"river\"}}]}";
  static const uint32_t expected[] = {OPK_GEOMETRY_MULTILINESTRING, OPK_GEOMETRY_MULTILINESTRING,
                                      OPK_GEOMETRY_LINESTRING};
  opk_response *response = response_of(answer);
  opk_feature_options options = OPK_FEATURE_OPTIONS_INIT;
  opk_features *features = NULL;
  for (; options.antimeridian <= OPK_ANTIMERIDIAN_KEEP; options.antimeridian++) {
    CHECK_STATUS(opk_features_build(response, &options, &features, NULL), OPK_OK);
    CHECK_INT(feature_of(features, OPK_WAY, 1).geometry_kind, expected[options.antimeridian]);
    opk_features_free(features);
  }
  CHECK_STATUS(opk_features_build(response, &options, &features, NULL), OPK_ERR_MISUSE);
  opk_response_free(response);
}

TEST(test_kinds_at_once) {
  opk_features *features = features_of("overpass-json/kinds.json");
  size_t index, count = opk_features_count(features);
  uint8_t kinds[8] = {0}, first[1] = {0};
  CHECK_INT(opk_features_kinds(features, kinds, sizeof kinds), count);
  for (index = 0; index < count; index++) {
    opk_feature feature = OPK_FEATURE_INIT;
    CHECK_STATUS(opk_features_get(features, index, &feature), OPK_OK);
    CHECK_INT(kinds[index], feature.geometry_kind);
  }
  CHECK_INT(opk_features_kinds(features, first, 1), count);
  CHECK_INT(first[0], kinds[0]);
  CHECK_INT(opk_features_kinds(features, NULL, 0), count);
  CHECK_INT(opk_features_kinds(NULL, kinds, sizeof kinds), 0);
  opk_features_free(features);
}

TEST(test_area_rules) {
  const char *keys[] = {"highway", "area"}, *values[] = {"footway", "yes"};
  const char *barrier[] = {"barrier"}, *wall[] = {"wall"};
  CHECK_INT(opk_is_area(OPK_PROFILE_DEFAULT, keys, values, 1), 0);
  CHECK_INT(opk_is_area(OPK_PROFILE_DEFAULT, keys, values, 2), 1);
  CHECK_INT(opk_is_area(OPK_PROFILE_DEFAULT, barrier, wall, 1), 0);
  CHECK_INT(opk_is_area(OPK_PROFILE_OSMTOGEOJSON, barrier, wall, 1), 1);
  CHECK_INT(opk_is_area(OPK_PROFILE_DEFAULT, NULL, NULL, 0), 0);
  CHECK_INT(opk_is_area(OPK_PROFILE_DEFAULT, NULL, values, 1), -1);
  CHECK_INT(opk_is_area(7, keys, values, 1), -1);
}

TEST(test_rules_as_json) {
  opk_response *response = response_of(relations);
  opk_feature_options options = OPK_FEATURE_OPTIONS_INIT;
  opk_error error = OPK_ERROR_INIT;
  opk_features *features = NULL;
  opk_bytes *block = NULL;
  json_object *rules, *keys;
  CHECK_STATUS(opk_area_rules(OPK_PROFILE_DEFAULT, &block, &error), OPK_OK);
  rules = parse_block(block);
  CHECK(is_text(rules, "version", "1"));
  keys = member(rules, "keys");
  CHECK(json_object_get_boolean(member(keys, "building")));
  json_object_object_del(keys, "building");
  options.area_rules = json_object_to_json_string(rules);
  CHECK_STATUS(opk_features_build(response, &options, &features, &error), OPK_OK);
  CHECK_INT(feature_of(features, OPK_WAY, 2).geometry_kind, OPK_GEOMETRY_LINESTRING);
  opk_features_free(features);
  json_object_put(rules);
  options.area_rules = NULL;
  CHECK_STATUS(opk_uninteresting_tags(OPK_PROFILE_OSMTOGEOJSON, &block, &error), OPK_OK);
  rules = parse_block(block);
  CHECK(json_object_get_boolean(member(member(rules, "tags"), "created_by")));
  json_object_put(rules);
  options.uninteresting_tags = "{\"place\":\n [\"town\"]}";
  CHECK_STATUS(opk_features_build(response, &options, &features, &error), OPK_OK);
  opk_features_free(features);
  options.uninteresting_tags = "{\"place\":\n 7}";
  CHECK_STATUS(opk_features_build(response, &options, &features, &error), OPK_ERR_MISUSE);
  CHECK(features == NULL);
  CHECK_INT(error.line, 2);
  CHECK_STATUS(opk_area_rules(7, &block, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_uninteresting_tags(7, &block, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_area_rules(0, NULL, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_uninteresting_tags(0, NULL, &error), OPK_ERR_MISUSE);
  opk_response_free(response);
}

/* A closed way whose segments cross, and one whose tags are an area by our own rules only. */
TEST(test_rules_and_repair_of_the_callers) {
  static const char answer[] =
      "{\"elements\":[{\"type\":\"way\",\"id\":1,\"geometry\":[{\"lat\":0,\"lon\":0},"
      "{\"lat\":0,\"lon\":2},{\"lat\":2,\"lon\":2},{\"lat\":0,\"lon\":0}],"
      "\"tags\":{\"my\":\"area\"}}]}";
  opk_feature_options options = OPK_FEATURE_OPTIONS_INIT;
  opk_error error = OPK_ERROR_INIT;
  opk_response *response = NULL;
  opk_features *features = NULL;
  CHECK_STATUS(
      opk_response_decode((const uint8_t *)answer, strlen(answer), NULL, &response, NULL), OPK_OK);
  CHECK_STATUS(opk_features_build(response, NULL, &features, NULL), OPK_OK);
  CHECK_INT(feature_of(features, OPK_WAY, 1).geometry_kind, OPK_GEOMETRY_LINESTRING);
  opk_features_free(features);
  options.area_rules = "# mine\nmy + area field\n";
  for (options.repair = OPK_REPAIR_LARGEST; options.repair <= OPK_REPAIR_FULL; options.repair++) {
    CHECK_STATUS(opk_features_build(response, &options, &features, NULL), OPK_OK);
    CHECK_INT(feature_of(features, OPK_WAY, 1).geometry_kind, OPK_GEOMETRY_POLYGON);
    opk_features_free(features);
  }
  CHECK_STATUS(opk_features_build(response, &options, &features, &error), OPK_ERR_MISUSE);
  CHECK(features == NULL);
  options.repair = OPK_REPAIR_LARGEST;
  options.area_rules = "landuse *\nhighway ?\n";
  CHECK_STATUS(opk_features_build(response, &options, &features, &error), OPK_ERR_MISUSE);
  CHECK_INT(error.line, 2);
  opk_response_free(response);
}

TEST(test_problems) {
  opk_features *features = features_of("overpass-json/kinds.json");
  opk_problems *problems = NULL;
  size_t index, found = 0;
  opk_problem problem = OPK_PROBLEM_INIT;
  CHECK_STATUS(opk_features_problems(features, &problems, NULL), OPK_OK);
  CHECK(opk_problems_count(problems) > 0);
  opk_features_free(features);
  for (index = 0; index < opk_problems_count(problems); index++) {
    CHECK_STATUS(opk_problems_get(problems, index, &problem), OPK_OK);
    CHECK(problem.kind.len > 0);
    if (problem.element_type == OPK_RELATION && problem.element_id == 31)
      found += problem.way_count == 1 && problem.ways[0] == 99;
  }
  CHECK(found > 0);
  CHECK_STATUS(opk_problems_get(problems, index, &problem), OPK_ERR_MISUSE);
  opk_problems_free(problems);
}

int main(void) {
  RUN(test_kinds);
  RUN(test_tags);
  RUN(test_tags_at_once);
  RUN(test_polygon_arrays);
  RUN(test_well_known_binary);
  RUN(test_geojson_is_as_expected);
  RUN(test_geojson_prints_seven_decimals_exactly);
  RUN(test_geojson_feature_by_feature);
  RUN(test_geojson_file);
  RUN(test_placeholders_and_gaps);
  RUN(test_choice_of_points);
  RUN(test_labels_and_missing_parts);
  RUN(test_collections_and_raw_rings);
  RUN(test_measures);
  RUN(test_antimeridian);
  RUN(test_rules_as_json);
  RUN(test_kinds_at_once);
  RUN(test_area_rules);
  RUN(test_rules_and_repair_of_the_callers);
  RUN(test_problems);
  return FINISH();
}
