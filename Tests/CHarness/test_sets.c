/* Sets of elements: sources, composition, steps, output, and misuse of each. */
#include "opk_test.h"

#include <math.h>

/* In C the start values are constant; nothing is known in them. */
static const opk_macro_options unknown = OPK_MACRO_OPTIONS_INIT;

static opk_error error = OPK_ERROR_INIT;

/* Prints a set and frees it; compares what stands behind the settings. */
static void check_prints(int line, opk_status status, opk_set *set, const char *expected) {
  static const char settings[] = "[out:json];";
  opk_query *query = opk_query_new_outputs();
  opk_bytes *text = NULL;
  opk_checks++;
  if (status != OPK_OK) {
    FAIL("line %d: status %d: %s", line, status, error.message);
  } else if (opk_query_add_output(query, set, NULL, &error) != OPK_OK ||
             opk_query_render_ql(query, 0, &text, &error) != OPK_OK) {
    FAIL("line %d: %s", line, error.message);
  } else {
    const char *start = (const char *)opk_bytes_data(text) + (sizeof settings - 1);
    size_t size = opk_bytes_size(text) - (sizeof settings - 1);
    if (size != strlen(expected) || memcmp(start, expected, size) != 0)
      FAIL("line %d: '%.*s', not '%s'", line, (int)size, start, expected);
  }
  opk_bytes_free(text);
  opk_query_free(query);
  opk_set_free(set);
}

/* `call` gives out through &out: it has to succeed, and `out` to print as expected. */
#define PRINTS(call, expected)                                                                    \
  do {                                                                                            \
    opk_set *out = NULL;                                                                          \
    opk_status status_ = (call);                                                                  \
    check_prints(__LINE__, status_, out, expected);                                               \
  } while (0)

/* `call` has to fail, to leave no result, and to say why. */
#define REFUSES(call, expected)                                                                   \
  do {                                                                                            \
    opk_set *out = (opk_set *)&error;                                                             \
    error.message[0] = 0;                                                                         \
    CHECK_STATUS(call, expected);                                                                 \
    CHECK(out == NULL && error.message[0] != 0);                                                  \
  } while (0)

/* `call` writes to NULL, or has NULL for the error: no crash. */
#define MISUSES(call) CHECK_STATUS(call, OPK_ERR_MISUSE)

/* node["amenity"="pub"](50,7,51,8) and the like. */
static opk_set *found(uint32_t types, const char *key, const char *value) {
  opk_query *query = opk_query_new(types);
  opk_set *set = NULL;
  opk_query_add_tag(query, OPK_TAG_EQUALS, key, value, 0, NULL);
  opk_query_set_bbox(query, 50, 7, 51, 8, NULL);
  CHECK_STATUS(opk_set_from_query(query, &set, &error), OPK_OK);
  opk_query_free(query);
  return set;
}

static opk_set *numbered(uint32_t type, int64_t id) {
  opk_set *set = NULL;
  CHECK_STATUS(opk_set_from_ids(&type, &id, 1, &set, &error), OPK_OK);
  return set;
}

TEST(from_query) {
  opk_query *query = opk_query_new(OPK_NODES | OPK_WAYS);
  opk_query *empty = opk_query_new(0);
  opk_query *outputs = opk_query_new_outputs();
  opk_query_add_tag(query, OPK_TAG_EXISTS, "shop", NULL, 0, NULL);
  opk_query_set_bbox(query, 50, 7, 51, 8, NULL);
  PRINTS(opk_set_from_query(query, &out, &error), "nw[\"shop\"](50,7,51,8);out;");
  REFUSES(opk_set_from_query(empty, &out, &error), OPK_ERR_QUERY_NO_TYPE);
  REFUSES(opk_set_from_query(outputs, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_from_query(NULL, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_from_query(query, NULL, &error));
  MISUSES(opk_set_from_query(query, NULL, NULL));
  opk_query_set_timeout(query, 5, NULL);
  REFUSES(opk_set_from_query(query, &out, &error), OPK_ERR_QUERY_VALUE);
  opk_query_free(query);
  opk_query_free(empty);
  opk_query_free(outputs);
}

TEST(from_ids) {
  const uint32_t types[] = {OPK_WAY, OPK_WAY, OPK_RELATION, OPK_AREA, OPK_DERIVED, 77};
  const int64_t ids[] = {4, 5, 6, 3600000007, 1, 1};
  PRINTS(opk_set_from_ids(types, ids, 2, &out, &error), "way(id:4,5);out;");
  PRINTS(opk_set_from_ids(types + 3, ids + 3, 1, &out, &error), "area(3600000007);out;");
  PRINTS(opk_set_from_ids(types + 1, ids + 1, 2, &out, &error), "(way(5);relation(6););out;");
  REFUSES(opk_set_from_ids(types, ids, 5, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_from_ids(types + 5, ids, 1, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_from_ids(types, ids, 0, &out, &error), OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_from_ids(NULL, ids, 1, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_from_ids(types, NULL, 1, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_from_ids(types, ids, (size_t)-1, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_from_ids(types, ids, 1, NULL, &error));
}

TEST(areas) {
  const char *keys[] = {"admin_level", NULL};
  const char *values[] = {"4", NULL};
  PRINTS(opk_set_area_named("Bonn", NULL, NULL, 0, &out, &error), "area[\"name\"=\"Bonn\"];out;");
  PRINTS(opk_set_area_named("Bremen", keys, values, 1, &out, &error),
         "area[\"name\"=\"Bremen\"][\"admin_level\"=\"4\"];out;");
  REFUSES(opk_set_area_named("", NULL, NULL, 0, &out, &error), OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_area_named("\xff", NULL, NULL, 0, &out, &error), OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_area_named(NULL, NULL, NULL, 0, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_area_named("Bremen", keys, NULL, 1, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_area_named("Bremen", NULL, values, 1, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_area_named("Bremen", keys, values, 2, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_area_named("Bonn", NULL, NULL, 0, NULL, &error));

  PRINTS(opk_set_area_of(OPK_RELATION, 62422, &out, &error), "area(3600062422);out;");
  REFUSES(opk_set_area_of(OPK_NODE, 1, &out, &error), OPK_ERR_QUERY_NO_TYPE);
  REFUSES(opk_set_area_of(OPK_RELATION, INT64_MAX, &out, &error), OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_area_of(0, 1, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_area_of(OPK_RELATION, 62422, NULL, &error));

  PRINTS(opk_set_areas_at(50.5, 7.25, &out, &error), "is_in(50.5,7.25);out;");
  REFUSES(opk_set_areas_at(91, 7, &out, &error), OPK_ERR_QUERY_COORDINATE);
  REFUSES(opk_set_areas_at(50, NAN, &out, &error), OPK_ERR_QUERY_COORDINATE);
  MISUSES(opk_set_areas_at(50, 7, NULL, &error));
}

TEST(composition) {
  opk_set *pubs = found(OPK_NODES, "amenity", "pub");
  opk_set *cafes = found(OPK_NODES, "amenity", "cafe");
  opk_set *ways = numbered(OPK_WAY, 4);
  opk_set *town = NULL;
  opk_set_area_named("Bonn", NULL, NULL, 0, &town, NULL);
  PRINTS(opk_set_compose(pubs, OPK_SET_UNION, cafes, &out, &error),
         "(node[\"amenity\"=\"pub\"](50,7,51,8);node[\"amenity\"=\"cafe\"](50,7,51,8););out;");
  PRINTS(opk_set_compose(pubs, OPK_SET_DIFFERENCE, cafes, &out, &error),
         "(node[\"amenity\"=\"pub\"](50,7,51,8);-node[\"amenity\"=\"cafe\"](50,7,51,8););out;");
  PRINTS(opk_set_compose(pubs, OPK_SET_WITHIN, town, &out, &error),
         "area[\"name\"=\"Bonn\"];node[\"amenity\"=\"pub\"](50,7,51,8)(area);out;");
  REFUSES(opk_set_compose(pubs, OPK_SET_INTERSECTION, ways, &out, &error), OPK_ERR_QUERY_NO_TYPE);
  REFUSES(opk_set_compose(pubs, 0, cafes, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_compose(pubs, 5, cafes, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_compose(NULL, OPK_SET_UNION, cafes, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_compose(pubs, OPK_SET_UNION, NULL, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_compose(pubs, OPK_SET_UNION, cafes, NULL, &error));

  PRINTS(opk_set_around(pubs, ways, 200, &out, &error),
         "way(4);node[\"amenity\"=\"pub\"](50,7,51,8)(around:200);out;");
  REFUSES(opk_set_around(pubs, ways, -1, &out, &error), OPK_ERR_QUERY_COORDINATE);
  REFUSES(opk_set_around(pubs, ways, NAN, &out, &error), OPK_ERR_QUERY_COORDINATE);
  REFUSES(opk_set_around(pubs, town, 1, &out, &error), OPK_ERR_QUERY_NO_TYPE);
  REFUSES(opk_set_around(NULL, ways, 1, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_around(pubs, NULL, 1, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_around(pubs, ways, 1, NULL, NULL));
  opk_set_free(pubs);
  opk_set_free(cafes);
  opk_set_free(ways);
  opk_set_free(town);
}

TEST(filters) {
  opk_set *shops = found(OPK_NODES | OPK_WAYS, "shop", "yes");
  opk_set *stops = found(OPK_NODES, "highway", "bus_stop");
  const char *values[] = {"a", "b.c", NULL};
  const char *names[] = {"s", NULL};
  const opk_set *sets[] = {NULL, NULL};
  sets[0] = stops;
  PRINTS(opk_set_only(shops, OPK_WAYS, &out, &error), "way[\"shop\"=\"yes\"](50,7,51,8);out;");
  REFUSES(opk_set_only(stops, OPK_WAYS, &out, &error), OPK_ERR_QUERY_NO_TYPE);
  REFUSES(opk_set_only(shops, 0, &out, &error), OPK_ERR_QUERY_NO_TYPE);
  REFUSES(opk_set_only(shops, 8, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_only(NULL, OPK_WAYS, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_only(shops, OPK_WAYS, NULL, &error));

#define STOPS "node[\"highway\"=\"bus_stop\"](50,7,51,8)"
  PRINTS(opk_set_tag(stops, OPK_TAG_EXISTS, "name", NULL, 0, &out, &error),
         STOPS "[\"name\"];out;");
  PRINTS(opk_set_tag(stops, OPK_TAG_MATCHES, "name", "^a", OPK_TAG_IGNORE_CASE, &out, &error),
         STOPS "[\"name\"~\"^a\",i];out;");
  REFUSES(opk_set_tag(stops, OPK_TAG_EQUALS, "name", NULL, 0, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_tag(stops, 0, "name", "x", 0, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_tag(stops, OPK_TAG_EQUALS, "name", "x", 2, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_tag(stops, OPK_TAG_EQUALS, NULL, "x", 0, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_tag(stops, OPK_TAG_EQUALS, "", "x", 0, &out, &error), OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_tag(NULL, OPK_TAG_EXISTS, "name", NULL, 0, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_tag(stops, OPK_TAG_EXISTS, "name", NULL, 0, NULL, &error));

  PRINTS(opk_set_tag_one_of(stops, "name", values, 2, 0, &out, &error),
         STOPS "[\"name\"~\"^(a|b\\\\.c)$\"];out;");
  REFUSES(opk_set_tag_one_of(stops, "name", values, 0, 0, &out, &error), OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_tag_one_of(stops, "name", values, 3, 0, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_tag_one_of(stops, "name", NULL, 1, 0, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_tag_one_of(stops, "name", values, 2, 4, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_tag_one_of(stops, NULL, values, 2, 0, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_tag_one_of(NULL, "name", values, 2, 0, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_tag_one_of(stops, "name", values, 2, 0, NULL, &error));

  PRINTS(opk_set_where(stops, "count_tags() > 6", NULL, NULL, 0, &out, &error),
         STOPS "(if:count_tags()>6);out;");
  PRINTS(opk_set_where(shops, "s.count(nodes)>1", names, sets, 1, &out, &error),
         STOPS ";nw[\"shop\"=\"yes\"](50,7,51,8)(if:count(nodes)>1);out;");
  REFUSES(opk_set_where(stops, "t.count(nodes)>1", names, sets, 1, &out, &error),
          OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_where(stops, "1>", NULL, NULL, 0, &out, &error), OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_where(stops, "1);out;node(1", NULL, NULL, 0, &out, &error),
          OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_where(stops, NULL, NULL, NULL, 0, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_where(stops, "1", NULL, sets, 1, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_where(stops, "1", names, NULL, 1, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_where(stops, "1", names, sets, 2, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_where(NULL, "1", NULL, NULL, 0, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_where(stops, "1", NULL, NULL, 0, NULL, &error));
  opk_set_free(shops);
  opk_set_free(stops);
}

TEST(history) {
  opk_set *stops = found(OPK_NODES, "highway", "bus_stop");
  const char *users[] = {"A. Mapper", "b", NULL};
  PRINTS(opk_set_changed(stops, "2024-05-01T00:00:00Z", NULL, &out, &error),
         STOPS "(changed:\"2024-05-01T00:00:00Z\");out;");
  PRINTS(opk_set_changed(stops, "2024-05-01", "2024-06-01", &out, &error),
         STOPS "(changed:\"2024-05-01T00:00:00Z\",\"2024-06-01T00:00:00Z\");out;");
  REFUSES(opk_set_changed(stops, "yesterday", NULL, &out, &error), OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_changed(stops, NULL, NULL, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_changed(NULL, "2024-05-01", NULL, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_changed(stops, "2024-05-01", NULL, NULL, &error));

  PRINTS(opk_set_edited_by(stops, users, 2, 0, &out, &error),
         STOPS "(user:\"A. Mapper\",\"b\");out;");
  PRINTS(opk_set_edited_by(stops, users, 1, 1, &out, &error),
         STOPS "(user_touched:\"A. Mapper\");out;");
  REFUSES(opk_set_edited_by(stops, users, 0, 0, &out, &error), OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_edited_by(stops, users, 3, 0, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_edited_by(stops, NULL, 1, 0, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_edited_by(NULL, users, 1, 0, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_edited_by(stops, users, 1, 0, NULL, &error));
  opk_set_free(stops);
}

TEST(recursion) {
  opk_set *way = numbered(OPK_WAY, 4);
  opk_set *relation = numbered(OPK_RELATION, 6);
  opk_set *node = numbered(OPK_NODE, 1);
  PRINTS(opk_set_recurse(way, OPK_RECURSE_DOWN, 0, &out, &error), "way(4);>;out;");
  PRINTS(opk_set_recurse(way, OPK_RECURSE_DOWN, 1, &out, &error), "way(4);(._;>;);out;");
  PRINTS(opk_set_recurse(relation, OPK_RECURSE_DOWN_RELATIONS, 0, &out, &error),
         "relation(6);>>;out;");
  PRINTS(opk_set_recurse(way, OPK_RECURSE_UP, 0, &out, &error), "way(4);<;out;");
  PRINTS(opk_set_recurse(node, OPK_RECURSE_UP_RELATIONS, 1, &out, &error),
         "node(1);(._;<<;);out;");
  REFUSES(opk_set_recurse(node, OPK_RECURSE_DOWN, 0, &out, &error), OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_recurse(node, 0, 0, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_recurse(node, 5, 0, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_recurse(NULL, OPK_RECURSE_UP, 0, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_recurse(node, OPK_RECURSE_UP, 0, NULL, &error));

  PRINTS(opk_set_step(way, OPK_STEP_WAY_NODES, 0, NULL, &out, &error), "way(4);node(w);out;");
  PRINTS(opk_set_step(relation, OPK_STEP_MEMBERS, OPK_NODES, "stop", &out, &error),
         "relation(6);node(r:\"stop\");out;");
  PRINTS(opk_set_step(relation, OPK_STEP_MEMBERS, 0, NULL, &out, &error),
         "relation(6);nwr(r);out;");
  PRINTS(opk_set_step(relation, OPK_STEP_MEMBERS, OPK_WAYS, "", &out, &error),
         "relation(6);way(r:\"\");out;");
  PRINTS(opk_set_step(node, OPK_STEP_WAYS, 0, NULL, &out, &error), "node(1);way(bn);out;");
  PRINTS(opk_set_step(node, OPK_STEP_RELATIONS, 0, "stop", &out, &error),
         "node(1);relation(bn:\"stop\");out;");
  PRINTS(opk_set_step(way, OPK_STEP_AREAS, 0, NULL, &out, &error), "way(4);map_to_area;out;");
  PRINTS(opk_set_step(node, OPK_STEP_ENCLOSING, 0, NULL, &out, &error), "node(1);is_in;out;");
  REFUSES(opk_set_step(node, OPK_STEP_WAY_NODES, 0, NULL, &out, &error), OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_step(node, OPK_STEP_AREAS, 0, NULL, &out, &error), OPK_ERR_QUERY_NO_TYPE);
  REFUSES(opk_set_step(node, OPK_STEP_PIVOTS, 0, NULL, &out, &error), OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_step(relation, OPK_STEP_MEMBERS, 8, NULL, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_step(relation, OPK_STEP_MEMBERS, 0, "\xff", &out, &error),
          OPK_ERR_QUERY_VALUE);
  REFUSES(opk_set_step(node, 0, 0, NULL, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_step(node, 8, 0, NULL, &out, &error), OPK_ERR_MISUSE);
  REFUSES(opk_set_step(NULL, OPK_STEP_WAYS, 0, NULL, &out, &error), OPK_ERR_MISUSE);
  MISUSES(opk_set_step(node, OPK_STEP_WAYS, 0, NULL, NULL, &error));
  opk_set_free(way);
  opk_set_free(relation);
  opk_set_free(node);
}

TEST(pivots) {
  opk_set *areas = NULL;
  CHECK_STATUS(opk_set_areas_at(50, 7, &areas, &error), OPK_OK);
  PRINTS(opk_set_step(areas, OPK_STEP_PIVOTS, OPK_RELATIONS, NULL, &out, &error),
         "is_in(50,7);relation(pivot);out;");
  PRINTS(opk_set_step(areas, OPK_STEP_PIVOTS, 0, NULL, &out, &error),
         "is_in(50,7);wr(pivot);out;");
  opk_set_free(areas);
}

/* What was made from a set, also a query that prints it, needs it no longer. */
TEST(outputs) {
  opk_set *pubs = found(OPK_NODES, "amenity", "pub");
  opk_query *query = opk_query_new_outputs(), *copy;
  opk_query *built = opk_query_new(OPK_NODES);
  opk_out_options options = OPK_OUT_OPTIONS_INIT;
  opk_diagnostics *diagnostics = NULL;
  opk_bytes *text = NULL;
  CHECK_STATUS(opk_query_render_ql(query, 0, &text, &error), OPK_ERR_QUERY_VALUE);
  options.verbosity = OPK_VERBOSITY_TAGS;
  options.geometry = OPK_OUT_CENTER;
  options.by_place = 1;
  options.limit = 10;
  CHECK_STATUS(opk_query_add_output(query, pubs, &options, &error), OPK_OK);
  CHECK_STATUS(opk_query_set_timeout(query, 60, &error), OPK_OK);
  CHECK_STATUS(opk_query_set_maxsize(query, 1024, &error), OPK_OK);
  CHECK_STATUS(opk_query_set_timeout(query, 0, &error), OPK_ERR_QUERY_SETTING);
  CHECK_STATUS(opk_query_add_tag(query, OPK_TAG_EXISTS, "a", NULL, 0, &error), OPK_ERR_MISUSE);

  options.limit = -1;
  CHECK_STATUS(opk_query_add_output(query, pubs, &options, &error), OPK_ERR_QUERY_SETTING);
  options.limit = 0;
  options.verbosity = OPK_VERBOSITY_COUNT + 1;
  CHECK_STATUS(opk_query_add_output(query, pubs, &options, &error), OPK_ERR_MISUSE);
  options.verbosity = OPK_VERBOSITY_COUNT;
  options.geometry = OPK_OUT_BB + 1;
  CHECK_STATUS(opk_query_add_output(query, pubs, &options, &error), OPK_ERR_MISUSE);
  options.geometry = OPK_OUT_NONE;
  options.struct_size = 0;
  CHECK_STATUS(opk_query_add_output(query, pubs, &options, &error), OPK_ERR_MISUSE);
  options.struct_size = 8; /* a caller that knows of the verbosity alone */
  copy = opk_query_clone(query);
  CHECK_STATUS(opk_query_add_output(copy, pubs, &options, &error), OPK_OK);
  CHECK_STATUS(opk_query_add_output(query, NULL, NULL, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_add_output(NULL, pubs, NULL, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_query_add_output(built, pubs, NULL, NULL), OPK_ERR_MISUSE);
  opk_set_free(pubs);

#define PUBS "[timeout:60][maxsize:1024];node[\"amenity\"=\"pub\"](50,7,51,8);out tags center qt 10;"
  CHECK_STATUS(opk_query_render_ql(query, 0, &text, &error), OPK_OK);
  CHECK(opk_bytes_size(text) == strlen("[out:json]" PUBS) &&
        memcmp(opk_bytes_data(text), "[out:json]" PUBS, opk_bytes_size(text)) == 0);
  opk_bytes_free(text);
  CHECK_STATUS(opk_query_render_ql(copy, 0, &text, &error), OPK_OK);
  CHECK(opk_bytes_size(text) == strlen("[out:json]" PUBS "out count;") &&
        memcmp(opk_bytes_data(text), "[out:json]" PUBS "out count;", opk_bytes_size(text)) == 0);
  opk_bytes_free(text);
  CHECK_STATUS(opk_query_render_xml(copy, OPK_RENDER_PRETTY, &text, &error), OPK_OK);
  opk_bytes_free(text);
  CHECK_STATUS(opk_query_check(copy, &diagnostics, &error), OPK_OK);
  for (size_t i = 0; i < opk_diagnostics_count(diagnostics); i++) {
    opk_diagnostic found = OPK_DIAGNOSTIC_INIT;
    CHECK_STATUS(opk_diagnostics_get(diagnostics, i, &found), OPK_OK);
    CHECK(!found.is_error && found.line == 0);
  }
  opk_diagnostics_free(diagnostics);
  opk_query_free(query);
  opk_query_free(copy);
  opk_query_free(built);
}

TEST(whole_planet_is_refused) {
  opk_query *all = opk_query_new(OPK_NODES), *query = opk_query_new_outputs();
  opk_set *set = NULL;
  opk_bytes *text = NULL;
  CHECK_STATUS(opk_set_from_query(all, &set, &error), OPK_OK);
  CHECK_STATUS(opk_query_add_output(query, set, NULL, &error), OPK_OK);
  CHECK_STATUS(opk_query_render_ql(query, 0, &text, &error), OPK_ERR_QUERY_NO_FILTER);
  CHECK(text == NULL);
  opk_set_free(set);
  opk_set_free(NULL);
  opk_query_free(all);
  opk_query_free(query);
}

static size_t somewhere(void *context, const char *name, opk_place *places, size_t capacity) {
  size_t *known = (size_t *)context;
  (void)name;
  for (size_t i = 0; i < capacity; i++)
    *known += places[i].struct_size != sizeof(opk_place) || places[i].type != 0 ||
              places[i].importance == places[i].importance || places[i].lat == places[i].lat ||
              places[i].south == places[i].south || places[i].east == places[i].east;
  places[0].type = OPK_RELATION;
  places[0].id = 62422;
  return 1;
}

TEST(macro_options) {
  static const char text[] = "rel({{geocodeId:Berlin}});";
  opk_macro_options options = unknown;
  opk_bytes *out = NULL;
  size_t known = 0;
  CHECK(unknown.struct_size == sizeof unknown && isnan(unknown.south) && isnan(unknown.center_lon));
  CHECK_STATUS(opk_query_expand_macros("{{bbox}}", 8, &options, &out, &error),
               OPK_ERR_QUERY_SYNTAX);
  CHECK_STATUS(opk_query_expand_macros("{{date}}", 8, &options, &out, &error),
               OPK_ERR_QUERY_SYNTAX);
  options.geocode = somewhere;
  options.context = &known;
  CHECK_STATUS(opk_query_expand_macros(text, sizeof text - 1, &options, &out, &error), OPK_OK);
  CHECK_INT(known, 0); /* all places came with nothing known */
  opk_bytes_free(out);
}

int main(void) {
  RUN(from_query);
  RUN(from_ids);
  RUN(areas);
  RUN(composition);
  RUN(filters);
  RUN(history);
  RUN(recursion);
  RUN(pivots);
  RUN(outputs);
  RUN(whole_planet_is_refused);
  RUN(macro_options);
  return FINISH();
}
