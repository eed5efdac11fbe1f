/* Maps: style documents, pages and pictures. */
#define _POSIX_C_SOURCE 200809L
#include "opk_json.h"

static opk_style *new_style(const char *name) {
  opk_style *style = NULL;
  CHECK_STATUS(opk_style_new(name, &style, NULL), OPK_OK);
  return style;
}

static opk_features *features_of(const char *name) {
  opk_response *response = decoded(name);
  opk_features *features = NULL;
  CHECK_STATUS(opk_features_build(response, NULL, &features, NULL), OPK_OK);
  opk_response_free(response);
  return features;
}

static json_object *document(const opk_style *style) {
  opk_bytes *block = NULL;
  CHECK_STATUS(opk_style_render(style, &block, NULL), OPK_OK);
  return parse_block(block);
}

static const char *const tiles[] = {"https://a.example.org/{z}/{x}/{y}.png",
                                    "https://b.example.org/{z}/{x}/{y}.png"};

static opk_basemap basemap_named(const char *name) {
  opk_basemap basemap = OPK_BASEMAP_INIT;
  basemap.name = name;
  basemap.tiles = tiles;
  basemap.tile_count = 2;
  return basemap;
}

/* Whether a text is somewhere in a block, which is freed. */
static int holds(opk_bytes *block, const char *text) {
  size_t size = opk_bytes_size(block), length = strlen(text), at;
  const char *bytes = (const char *)opk_bytes_data(block);
  int found = 0;
  for (at = 0; at + length <= size && !found; at++) found = memcmp(bytes + at, text, length) == 0;
  opk_bytes_free(block);
  return found;
}

TEST(test_basemaps) {
  opk_style *style = new_style("A map");
  opk_basemap basemap = basemap_named("Streets");
  json_object *root, *source;
  basemap.attribution = "A & B";
  basemap.attribution_link = "https://example.org";
  CHECK_STATUS(opk_style_add_basemap(style, &basemap, NULL), OPK_OK);
  basemap = basemap_named("Hills");
  basemap.tile_size = 512;
  basemap.min_zoom = 3;
  basemap.max_zoom = 14;
  basemap.scheme = OPK_TILES_TMS;
  basemap.is_hidden = 1;
  basemap.opacity = 0.5;
  CHECK_STATUS(opk_style_add_basemap(style, &basemap, NULL), OPK_OK);
  root = document(style);
  CHECK_INT(json_object_get_int(member(root, "version")), 8);
  CHECK(is_text(root, "name", "A map"));
  source = member(member(root, "sources"), "Streets");
  CHECK(is_text(source, "type", "raster"));
  CHECK_INT(json_object_array_length(member(source, "tiles")), 2);
  CHECK_INT(json_object_get_int(member(source, "tileSize")), 256);
  CHECK_INT(json_object_get_int(member(source, "minzoom")), 0);
  CHECK_INT(json_object_get_int(member(source, "maxzoom")), 18);
  CHECK(is_text(source, "attribution",
                "<a href=\"https://example.org\" target=\"_blank\" rel=\"noopener\">A &amp; B</a>"));
  source = member(member(root, "sources"), "Hills");
  CHECK_INT(json_object_get_int(member(source, "tileSize")), 512);
  CHECK(is_text(source, "scheme", "tms"));
  CHECK_INT(json_object_array_length(member(root, "layers")), 3);
  json_object_put(root);
  opk_style_free(style);
}

TEST(test_features_and_their_appearance) {
  static const char *const labels[] = {"name:de", "name"};
  static const char *const values[] = {"cafe"}, *const colors[] = {"teal"};
  opk_style *style = new_style("A map"), *copy;
  opk_features *features = features_of("overpass-json/kinds.json");
  opk_appearance look = OPK_APPEARANCE_INIT;
  json_object *root;
  CHECK_STATUS(opk_style_add_features(style, "plain", features, NULL, NULL), OPK_OK);
  copy = opk_style_clone(style);
  look.flags = OPK_HIDE_AREAS | OPK_HIDE_LINES;
  look.point_color = "#abc";
  look.point_radius = 8;
  look.label_keys = labels;
  look.label_key_count = 2;
  look.color_key = "amenity";
  look.color_values = values;
  look.colors = colors;
  look.color_count = 1;
  look.attribution = "";
  CHECK_STATUS(opk_style_add_features(style, "looks", features, &look, NULL), OPK_OK);
  look.color_count = 0; /* the library's choice */
  CHECK_STATUS(opk_style_add_features(style, "chosen", features, &look, NULL), OPK_OK);
  CHECK_STATUS(opk_style_add_geojson_url(style, "remote", "a.geojson", NULL, NULL), OPK_OK);
  CHECK_STATUS(opk_style_add_geojson_url(style, "other", "a.geojson", &look, NULL),
               OPK_ERR_MAP_VALUE);
  opk_features_free(features); /* the style keeps them */
  root = document(style);
  CHECK_INT(json_object_object_length(member(root, "sources")), 4);
  CHECK(member(member(member(root, "sources"), "plain"), "attribution") != NULL);
  CHECK(member(member(member(root, "sources"), "looks"), "attribution") == NULL);
  /* background; 4 layers; a layer of points and one of labels, twice; 4 layers */
  CHECK_INT(json_object_array_length(member(root, "layers")), 1 + 4 + 2 * 2 + 4);
  json_object_put(root);
  root = document(copy);
  CHECK_INT(json_object_object_length(member(root, "sources")), 1);
  json_object_put(root);
  opk_style_free(copy);
  opk_style_free(style);
}

TEST(test_background_glyphs_and_view) {
  opk_style *style = new_style("A map");
  json_object *root;
  CHECK_STATUS(opk_style_set_background(style, "teal", NULL), OPK_OK);
  CHECK_STATUS(opk_style_set_glyphs(style, "https://a.org/{fontstack}/{range}.pbf", NULL), OPK_OK);
  CHECK_STATUS(opk_style_set_view(style, 52.5, 13.25, 11, NULL), OPK_OK);
  root = document(style);
  CHECK(is_text(root, "glyphs", "https://a.org/{fontstack}/{range}.pbf"));
  CHECK(json_object_get_double(member(root, "zoom")) == 11);
  CHECK(json_object_get_double(json_object_array_get_idx(member(root, "center"), 0)) == 13.25);
  json_object_put(root);
  CHECK_STATUS(opk_style_set_background(style, NULL, NULL), OPK_OK);
  root = document(style);
  CHECK_INT(json_object_array_length(member(root, "layers")), 0);
  json_object_put(root);
  opk_style_free(style);
}

TEST(test_what_cannot_be) {
  static const char *const wrong[] = {"https://{s}.example.org/{z}/{x}/{y}.png"};
  opk_style *style = new_style("A map"), *none = (opk_style *)&style;
  opk_basemap basemap = basemap_named("a");
  opk_appearance look = OPK_APPEARANCE_INIT;
  opk_error error = OPK_ERROR_INIT;
  opk_bytes *block = NULL;
  CHECK_STATUS(opk_style_new("", &none, &error), OPK_ERR_MAP_NAME);
  CHECK(none == NULL);
  CHECK_STATUS(opk_style_new("\xff", &none, &error), OPK_ERR_MAP_VALUE);
  CHECK_STATUS(opk_style_new(NULL, &none, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_style_new("a", NULL, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_style_add_basemap(style, &basemap, &error), OPK_OK);
  CHECK_STATUS(opk_style_add_basemap(style, &basemap, &error), OPK_ERR_MAP_DUPLICATE);
  CHECK(strstr(error.message, "'a'"));
  basemap.name = "b";
  basemap.tiles = wrong;
  basemap.tile_count = 1;
  CHECK_STATUS(opk_style_add_basemap(style, &basemap, &error), OPK_ERR_MAP_TILES);
  CHECK(strstr(error.message, "subdomain"));
  basemap.tile_count = 0;
  CHECK_STATUS(opk_style_add_basemap(style, &basemap, &error), OPK_ERR_MAP_TILES);
  basemap = basemap_named("b");
  basemap.max_zoom = 25;
  CHECK_STATUS(opk_style_add_basemap(style, &basemap, &error), OPK_ERR_MAP_ZOOM);
  basemap = basemap_named("b");
  basemap.scheme = 7;
  CHECK_STATUS(opk_style_add_basemap(style, &basemap, &error), OPK_ERR_MISUSE);
  basemap = basemap_named(NULL);
  CHECK_STATUS(opk_style_add_basemap(style, &basemap, &error), OPK_ERR_MISUSE);
  basemap = basemap_named("b");
  basemap.tiles = NULL;
  CHECK_STATUS(opk_style_add_basemap(style, &basemap, &error), OPK_ERR_MISUSE);
  basemap.struct_size = 0;
  CHECK_STATUS(opk_style_add_basemap(style, &basemap, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_style_add_basemap(style, NULL, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_style_set_background(style, "reddish", &error), OPK_ERR_MAP_COLOR);
  CHECK_STATUS(opk_style_set_glyphs(style, "https://a.org", &error), OPK_ERR_MAP_URL);
  CHECK_STATUS(opk_style_set_view(style, 91, 0, 0, &error), OPK_ERR_MAP_ZOOM);
  CHECK_STATUS(opk_style_set_view(style, NAN, 0, 0, &error), OPK_ERR_MAP_ZOOM);
  look.line_color = "reddish";
  CHECK_STATUS(opk_style_add_geojson_url(style, "x", "a", &look, &error), OPK_ERR_MAP_COLOR);
  look.line_color = NULL;
  look.line_width = -1;
  CHECK_STATUS(opk_style_add_geojson_url(style, "x", "a", &look, &error), OPK_ERR_MAP_VALUE);
  look.flags = 8;
  CHECK_STATUS(opk_style_add_geojson_url(style, "x", "a", &look, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_style_add_geojson_url(style, "x", "javascript:a", NULL, &error),
               OPK_ERR_MAP_URL);
  CHECK_STATUS(opk_style_add_features(style, "x", NULL, NULL, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_style_render(NULL, &block, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_style_render(style, NULL, &error), OPK_ERR_MISUSE);
  CHECK(opk_style_clone(NULL) == NULL);
  opk_style_free(NULL);
  opk_style_free(style);
}

/* Fields that an older caller's struct lacks have their defaults. */
TEST(test_structs_grow_at_their_end) {
  opk_style *style = new_style("A map");
  opk_basemap basemap = basemap_named("a");
  json_object *root;
  basemap.attribution = (const char *)1;
  basemap.struct_size = offsetof(opk_basemap, attribution);
  CHECK_STATUS(opk_style_add_basemap(style, &basemap, NULL), OPK_OK);
  root = document(style);
  CHECK(member(member(member(root, "sources"), "a"), "attribution") == NULL);
  json_object_put(root);
  opk_style_free(style);
}

TEST(test_files) {
  opk_style *style = new_style("A map");
  opk_style_file *file = NULL;
  opk_error error = OPK_ERROR_INIT;
  char folder[] = "/tmp/opk-test-XXXXXX", path[64], url[96];
  json_object *root;
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/a map#1.json", folder);
  snprintf(url, sizeof url, "file://%s/a%%20map%%231.json", folder);
  CHECK_STATUS(opk_style_write_file(style, path, &file, &error), OPK_OK);
  CHECK_TEXT(opk_style_file_path(file), path);
  CHECK_TEXT(opk_style_file_url(file), url);
  opk_style_file_free(file);
  root = json_object_from_file(path);
  CHECK(is_text(root, "name", "A map"));
  json_object_put(root);
  remove(path);
  CHECK(remove(folder) == 0); /* nothing else was left there */
  CHECK_STATUS(opk_style_write_file(style, NULL, &file, &error), OPK_OK);
  snprintf(path, sizeof path, "%.*s", (int)opk_style_file_path(file).len,
           opk_style_file_path(file).ptr);
  CHECK(remove(path) == 0);
  opk_style_file_free(file);
  CHECK_STATUS(opk_style_write_file(style, "/nowhere/at/all", &file, &error), OPK_ERR_FILE_OPEN);
  CHECK(file == NULL);
  CHECK(strstr(error.message, "/nowhere/at/all"));
  CHECK_STATUS(opk_style_write_file(NULL, NULL, &file, &error), OPK_ERR_MISUSE);
  CHECK_TEXT(opk_style_file_path(NULL), NULL);
  CHECK_TEXT(opk_style_file_url(NULL), NULL);
  opk_style_file_free(NULL);
  opk_style_free(style);
}

TEST(test_pages) {
  static const char script[] = "/* a script */", css[] = "/* a sheet */", licence[] = "a licence";
  opk_style *style = new_style("A map");
  opk_features *features = features_of("overpass-json/remark.json");
  opk_html_options options = OPK_HTML_OPTIONS_INIT;
  opk_bytes *block = NULL;
  char path[] = "/tmp/opk-test-XXXXXX";
  int descriptor = mkstemp(path);
  FILE *page;
  CHECK(descriptor >= 0);
  CHECK_STATUS(opk_style_add_features(style, "found", features, NULL, NULL), OPK_OK);
  opk_features_free(features);
  CHECK_STATUS(opk_style_write_html(style, &options, &block, NULL), OPK_ERR_MISUSE);
  CHECK(block == NULL);
  CHECK_STATUS(opk_style_write_html(style, NULL, &block, NULL), OPK_ERR_MISUSE);
  options.script = (const uint8_t *)script;
  options.script_size = strlen(script);
  options.css = (const uint8_t *)css;
  options.css_size = strlen(css);
  options.licence = (const uint8_t *)licence;
  options.licence_size = strlen(licence);
  CHECK_STATUS(opk_style_write_html(style, &options, &block, NULL), OPK_OK);
  CHECK(holds(block, "<title>A map</title>"));
  options.title = "Another <name>";
  CHECK_STATUS(opk_style_write_html(style, &options, &block, NULL), OPK_OK);
  CHECK(holds(block, "<title>Another &lt;name&gt;</title>"));
  CHECK_STATUS(opk_style_write_html(style, &options, &block, NULL), OPK_OK);
  CHECK(holds(block, script));
  CHECK_STATUS(opk_style_write_html(style, &options, &block, NULL), OPK_OK);
  CHECK(holds(block, "Query timed out")); /* the server's remark */
  CHECK_STATUS(opk_style_write_html_file(style, &options, path, NULL), OPK_OK);
  page = fopen(path, "r");
  CHECK(page != NULL && fgetc(page) == '<');
  if (page) fclose(page);
  remove(path);
  CHECK_STATUS(opk_style_write_html_file(style, &options, "/nowhere/at/all", NULL),
               OPK_ERR_FILE_OPEN);
  CHECK_STATUS(opk_style_write_html_file(style, &options, NULL, NULL), OPK_ERR_MISUSE);
  opk_style_free(style);
}

TEST(test_pictures) {
  opk_features *features = features_of("overpass-json/kinds.json");
  opk_svg_options options = OPK_SVG_OPTIONS_INIT;
  opk_appearance look = OPK_APPEARANCE_INIT;
  opk_bytes *block = NULL;
  CHECK_STATUS(opk_features_write_svg(features, NULL, &block, NULL), OPK_OK);
  CHECK(holds(block, "width=\"640\" height=\"420\""));
  CHECK_STATUS(opk_features_write_svg(features, &options, &block, NULL), OPK_OK);
  CHECK(holds(block, "node/12345678901"));
  look.point_color = "#123456";
  options.appearance = &look;
  options.width = 200;
  options.background = "";
  CHECK_STATUS(opk_features_write_svg(features, &options, &block, NULL), OPK_OK);
  CHECK(holds(block, "<g fill=\"#123456\""));
  CHECK_STATUS(opk_features_write_svg(features, &options, &block, NULL), OPK_OK);
  CHECK(!holds(block, "<rect"));
  options.limit = 1;
  CHECK_STATUS(opk_features_write_svg(features, &options, &block, NULL), OPK_OK);
  CHECK(holds(block, "Map of 1 feature<"));
  options.background = "reddish";
  CHECK_STATUS(opk_features_write_svg(features, &options, &block, NULL), OPK_ERR_MAP_COLOR);
  CHECK(block == NULL);
  options.background = NULL;
  options.height = 1;
  CHECK_STATUS(opk_features_write_svg(features, &options, &block, NULL), OPK_ERR_MAP_VALUE);
  CHECK_STATUS(opk_features_write_svg(NULL, NULL, &block, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_features_write_svg(features, NULL, NULL, NULL), OPK_ERR_MISUSE);
  opk_features_free(features);
}

int main(void) {
  RUN(test_basemaps);
  RUN(test_features_and_their_appearance);
  RUN(test_background_glyphs_and_view);
  RUN(test_what_cannot_be);
  RUN(test_structs_grow_at_their_end);
  RUN(test_files);
  RUN(test_pages);
  RUN(test_pictures);
  return FINISH();
}
