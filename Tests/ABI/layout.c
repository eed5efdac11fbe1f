/* The layout of the structs that cross the boundary, as it is on 64-bit machines. Nothing here may
 * change without a new OPK_ABI_VERSION; what structs gain stands at their end. Compiling is the
 * test. */
#include <overpasskit.h>

#define ASSERT_JOIN(line) assertion_on_line_##line
#define ASSERT_NAME(line) ASSERT_JOIN(line)
#define ASSERT(condition) typedef char ASSERT_NAME(__LINE__)[(condition) ? 1 : -1]
#define SIZE(type, size) ASSERT(sizeof(type) == (size))
#define AT(type, field, offset) ASSERT(offsetof(type, field) == (offset))

SIZE(void *, 8);
SIZE(size_t, 8);
SIZE(opk_status, 4);

SIZE(opk_str, 16);
AT(opk_str, ptr, 0);
AT(opk_str, len, 8);

SIZE(opk_error, 280);
AT(opk_error, struct_size, 0);
AT(opk_error, status, 4);
AT(opk_error, byte_offset, 8);
AT(opk_error, line, 16);
AT(opk_error, column, 20);
AT(opk_error, element_type, 24);
AT(opk_error, reserved, 28);
AT(opk_error, element_id, 32);
AT(opk_error, message, 40);

SIZE(opk_diagnostic, 96);
AT(opk_diagnostic, struct_size, 0);
AT(opk_diagnostic, is_error, 4);
AT(opk_diagnostic, code, 8);
AT(opk_diagnostic, line, 12);
AT(opk_diagnostic, column, 16);
AT(opk_diagnostic, length, 20);
AT(opk_diagnostic, byte_offset, 24);
AT(opk_diagnostic, message, 32);
AT(opk_diagnostic, found, 48);
AT(opk_diagnostic, expected, 64);
AT(opk_diagnostic, suggestion, 80);

SIZE(opk_out_options, 24);
AT(opk_out_options, struct_size, 0);
AT(opk_out_options, verbosity, 4);
AT(opk_out_options, geometry, 8);
AT(opk_out_options, by_place, 12);
AT(opk_out_options, limit, 16);

SIZE(opk_preset, 56);
AT(opk_preset, struct_size, 0);
AT(opk_preset, types, 4);
AT(opk_preset, name, 8);
AT(opk_preset, terms, 16);
AT(opk_preset, term_count, 24);
AT(opk_preset, keys, 32);
AT(opk_preset, values, 40);
AT(opk_preset, tag_count, 48);

SIZE(opk_place, 72);
AT(opk_place, struct_size, 0);
AT(opk_place, type, 4);
AT(opk_place, id, 8);
AT(opk_place, importance, 16);
AT(opk_place, lat, 24);
AT(opk_place, lon, 32);
AT(opk_place, south, 40);
AT(opk_place, west, 48);
AT(opk_place, north, 56);
AT(opk_place, east, 64);

SIZE(opk_macro_options, 104);
AT(opk_macro_options, struct_size, 0);
AT(opk_macro_options, flags, 4);
AT(opk_macro_options, south, 8);
AT(opk_macro_options, west, 16);
AT(opk_macro_options, north, 24);
AT(opk_macro_options, east, 32);
AT(opk_macro_options, center_lat, 40);
AT(opk_macro_options, center_lon, 48);
AT(opk_macro_options, now, 56);
AT(opk_macro_options, names, 64);
AT(opk_macro_options, values, 72);
AT(opk_macro_options, constant_count, 80);
AT(opk_macro_options, geocode, 88);
AT(opk_macro_options, context, 96);

SIZE(opk_server_message, 72);
AT(opk_server_message, struct_size, 0);
AT(opk_server_message, line, 4);
AT(opk_server_message, category, 8);
AT(opk_server_message, text, 24);
AT(opk_server_message, statement, 40);
AT(opk_server_message, seconds, 56);
AT(opk_server_message, megabytes, 64);

SIZE(opk_slots_info, 64);
AT(opk_slots_info, struct_size, 0);
AT(opk_slots_info, rate_limit, 8);
AT(opk_slots_info, free_slots, 16);
AT(opk_slots_info, wait_seconds, 24);
AT(opk_slots_info, waiting_count, 32);
AT(opk_slots_info, running_count, 40);
AT(opk_slots_info, announced_endpoint, 48);

SIZE(opk_action, 24);
AT(opk_action, struct_size, 0);
AT(opk_action, kind, 4);
AT(opk_action, old_index, 8);
AT(opk_action, new_index, 16);

SIZE(opk_decode_progress, 32);
AT(opk_decode_progress, struct_size, 0);
AT(opk_decode_progress, reserved, 4);
AT(opk_decode_progress, bytes, 8);
AT(opk_decode_progress, total_bytes, 16);
AT(opk_decode_progress, elements, 24);

SIZE(opk_decode_options, 56);
AT(opk_decode_options, struct_size, 0);
AT(opk_decode_options, flags, 4);
AT(opk_decode_options, max_bytes, 8);
AT(opk_decode_options, max_depth, 16);
AT(opk_decode_options, max_threads, 20);
AT(opk_decode_options, max_elements, 24);
AT(opk_decode_options, max_text_bytes, 32);
AT(opk_decode_options, progress, 40);
AT(opk_decode_options, progress_context, 48);

SIZE(opk_tag, 8);
AT(opk_tag, key, 0);
AT(opk_tag, value, 4);

SIZE(opk_member, 16);
AT(opk_member, ref, 0);
AT(opk_member, role, 8);
AT(opk_member, type, 12);
AT(opk_member, reserved, 13);

SIZE(opk_position, 8);
AT(opk_position, lon_e7, 0);
AT(opk_position, lat_e7, 4);

SIZE(opk_element, 184);
AT(opk_element, struct_size, 0);
AT(opk_element, type, 4);
AT(opk_element, has, 8);
AT(opk_element, version, 12);
AT(opk_element, id, 16);
AT(opk_element, timestamp, 24);
AT(opk_element, changeset, 32);
AT(opk_element, uid, 40);
AT(opk_element, user, 48);
AT(opk_element, type_name, 64);
AT(opk_element, position, 80);
AT(opk_element, center, 88);
AT(opk_element, southwest, 96);
AT(opk_element, northeast, 104);
AT(opk_element, tags, 112);
AT(opk_element, tag_count, 120);
AT(opk_element, nodes, 128);
AT(opk_element, node_count, 136);
AT(opk_element, members, 144);
AT(opk_element, member_count, 152);
AT(opk_element, geometry, 160);
AT(opk_element, geometry_count, 168);
AT(opk_element, visible, 176);
AT(opk_element, reserved, 180);

SIZE(opk_feature_options, 56);
AT(opk_feature_options, struct_size, 0);
AT(opk_feature_options, profile, 4);
AT(opk_feature_options, points, 8);
AT(opk_feature_options, repair, 12);
AT(opk_feature_options, uninteresting_keys, 16);
AT(opk_feature_options, uninteresting_key_count, 24);
AT(opk_feature_options, area_rules, 32);
AT(opk_feature_options, uninteresting_tags, 40);
AT(opk_feature_options, flags, 48);
AT(opk_feature_options, antimeridian, 52);

SIZE(opk_feature, 80);
AT(opk_feature, struct_size, 0);
AT(opk_feature, type, 4);
AT(opk_feature, id, 8);
AT(opk_feature, type_name, 16);
AT(opk_feature, element_index, 32);
AT(opk_feature, geometry_kind, 40);
AT(opk_feature, origin, 44);
AT(opk_feature, is_tainted, 48);
AT(opk_feature, is_invalid, 52);
AT(opk_feature, tag_count, 56);
AT(opk_feature, label, 64);
AT(opk_feature, admin_centre, 72);

SIZE(opk_measures, 56);
AT(opk_measures, struct_size, 0);
AT(opk_measures, reserved, 4);
AT(opk_measures, length, 8);
AT(opk_measures, area, 16);
AT(opk_measures, centroid, 24);
AT(opk_measures, point_on_surface, 32);
AT(opk_measures, southwest, 40);
AT(opk_measures, northeast, 48);

SIZE(opk_feature_arrays, 136);
AT(opk_feature_arrays, struct_size, 0);
AT(opk_feature_arrays, count, 8);
AT(opk_feature_arrays, indices, 16);
AT(opk_feature_arrays, ids, 24);
AT(opk_feature_arrays, types, 32);
AT(opk_feature_arrays, kinds, 40);
AT(opk_feature_arrays, tag_ends, 48);
AT(opk_feature_arrays, tags, 56);
AT(opk_feature_arrays, position_ends, 64);
AT(opk_feature_arrays, coordinates, 72);
AT(opk_feature_arrays, text_count, 80);
AT(opk_feature_arrays, text_starts, 88);
AT(opk_feature_arrays, texts, 96);
AT(opk_feature_arrays, part_ends, 104);
AT(opk_feature_arrays, feature_part_ends, 112);
AT(opk_feature_arrays, polygon_ends, 120);
AT(opk_feature_arrays, feature_polygon_ends, 128);

SIZE(opk_arrow_options, 32);
AT(opk_arrow_options, struct_size, 0);
AT(opk_arrow_options, flags, 4);
AT(opk_arrow_options, columns, 8);
AT(opk_arrow_options, column_count, 16);
AT(opk_arrow_options, batch_size, 24);

/* Arrow's own, which other libraries declare, too. */
SIZE(struct ArrowSchema, 72);
AT(struct ArrowSchema, flags, 24);
AT(struct ArrowSchema, children, 40);
AT(struct ArrowSchema, release, 56);
AT(struct ArrowSchema, private_data, 64);
SIZE(struct ArrowArray, 80);
AT(struct ArrowArray, n_children, 32);
AT(struct ArrowArray, buffers, 40);
AT(struct ArrowArray, release, 64);
AT(struct ArrowArray, private_data, 72);
SIZE(struct ArrowArrayStream, 40);
AT(struct ArrowArrayStream, get_next, 8);
AT(struct ArrowArrayStream, get_last_error, 16);
AT(struct ArrowArrayStream, release, 24);
AT(struct ArrowArrayStream, private_data, 32);

SIZE(opk_geojson_options, 8);
AT(opk_geojson_options, struct_size, 0);
AT(opk_geojson_options, properties, 4);

SIZE(opk_features_write_options, 32);
AT(opk_features_write_options, struct_size, 0);
AT(opk_features_write_options, format, 4);
AT(opk_features_write_options, flags, 8);
AT(opk_features_write_options, properties, 12);
AT(opk_features_write_options, columns, 16);
AT(opk_features_write_options, column_count, 24);

SIZE(opk_basemap, 72);
AT(opk_basemap, struct_size, 0);
AT(opk_basemap, tile_size, 4);
AT(opk_basemap, min_zoom, 8);
AT(opk_basemap, max_zoom, 12);
AT(opk_basemap, scheme, 16);
AT(opk_basemap, is_hidden, 20);
AT(opk_basemap, opacity, 24);
AT(opk_basemap, name, 32);
AT(opk_basemap, tiles, 40);
AT(opk_basemap, tile_count, 48);
AT(opk_basemap, attribution, 56);
AT(opk_basemap, attribution_link, 64);

SIZE(opk_appearance, 152);
AT(opk_appearance, struct_size, 0);
AT(opk_appearance, flags, 4);
AT(opk_appearance, area_color, 8);
AT(opk_appearance, outline_color, 16);
AT(opk_appearance, line_color, 24);
AT(opk_appearance, point_color, 32);
AT(opk_appearance, area_opacity, 40);
AT(opk_appearance, outline_width, 48);
AT(opk_appearance, line_width, 56);
AT(opk_appearance, point_radius, 64);
AT(opk_appearance, label_size, 72);
AT(opk_appearance, label_keys, 80);
AT(opk_appearance, label_key_count, 88);
AT(opk_appearance, color_key, 96);
AT(opk_appearance, color_values, 104);
AT(opk_appearance, colors, 112);
AT(opk_appearance, color_count, 120);
AT(opk_appearance, other_color, 128);
AT(opk_appearance, attribution, 136);
AT(opk_appearance, attribution_link, 144);

SIZE(opk_html_options, 64);
AT(opk_html_options, struct_size, 0);
AT(opk_html_options, reserved, 4);
AT(opk_html_options, script, 8);
AT(opk_html_options, script_size, 16);
AT(opk_html_options, css, 24);
AT(opk_html_options, css_size, 32);
AT(opk_html_options, licence, 40);
AT(opk_html_options, licence_size, 48);
AT(opk_html_options, title, 56);

SIZE(opk_svg_options, 40);
AT(opk_svg_options, struct_size, 0);
AT(opk_svg_options, width, 4);
AT(opk_svg_options, height, 8);
AT(opk_svg_options, reserved, 12);
AT(opk_svg_options, limit, 16);
AT(opk_svg_options, background, 24);
AT(opk_svg_options, appearance, 32);

SIZE(opk_problem, 72);
AT(opk_problem, struct_size, 0);
AT(opk_problem, element_type, 4);
AT(opk_problem, element_id, 8);
AT(opk_problem, kind, 16);
AT(opk_problem, ways, 32);
AT(opk_problem, way_count, 40);
AT(opk_problem, nodes, 48);
AT(opk_problem, node_count, 56);
AT(opk_problem, position, 64);

SIZE(opk_visualization, 64);
AT(opk_visualization, struct_size, 0);
AT(opk_visualization, type, 4);
AT(opk_visualization, id, 8);
AT(opk_visualization, title, 16);
AT(opk_visualization, shape, 32);
AT(opk_visualization, origin, 36);
AT(opk_visualization, is_tainted, 40);
AT(opk_visualization, reserved, 44);
AT(opk_visualization, position, 48);
AT(opk_visualization, geometry, 56);

SIZE(opk_place_options, 48);
AT(opk_place_options, struct_size, 0);
AT(opk_place_options, reserved, 4);
AT(opk_place_options, languages, 8);
AT(opk_place_options, language_count, 16);
AT(opk_place_options, kind_keys, 24);
AT(opk_place_options, kind_key_count, 32);
AT(opk_place_options, radius_m, 40);

SIZE(opk_nearby_place, 200);
AT(opk_nearby_place, struct_size, 0);
AT(opk_nearby_place, type, 4);
AT(opk_nearby_place, id, 8);
AT(opk_nearby_place, feature_index, 16);
AT(opk_nearby_place, position, 24);
AT(opk_nearby_place, distance_m, 32);
AT(opk_nearby_place, bearing_deg, 40);
AT(opk_nearby_place, origin, 48);
AT(opk_nearby_place, is_named, 52);
AT(opk_nearby_place, fee, 56);
AT(opk_nearby_place, wheelchair, 60);
AT(opk_nearby_place, toilets_wheelchair, 64);
AT(opk_nearby_place, reserved, 68);
AT(opk_nearby_place, title, 72);
AT(opk_nearby_place, kind_key, 88);
AT(opk_nearby_place, kind, 104);
AT(opk_nearby_place, kind_title, 120);
AT(opk_nearby_place, description, 136);
AT(opk_nearby_place, charge, 152);
AT(opk_nearby_place, fee_text, 168);
AT(opk_nearby_place, opening_hours, 184);

SIZE(opk_tag_condition, 32);
AT(opk_tag_condition, comparison, 0);
AT(opk_tag_condition, reserved, 4);
AT(opk_tag_condition, key, 8);
AT(opk_tag_condition, values, 16);
AT(opk_tag_condition, value_count, 24);

SIZE(opk_filter_options, 64);
AT(opk_filter_options, struct_size, 0);
AT(opk_filter_options, types, 4);
AT(opk_filter_options, tags, 8);
AT(opk_filter_options, tag_count, 16);
AT(opk_filter_options, south, 24);
AT(opk_filter_options, west, 32);
AT(opk_filter_options, north, 40);
AT(opk_filter_options, east, 48);
AT(opk_filter_options, flags, 56);
AT(opk_filter_options, reserved, 60);

SIZE(opk_write_options, 16);
AT(opk_write_options, struct_size, 0);
AT(opk_write_options, format, 4);
AT(opk_write_options, flags, 8);
AT(opk_write_options, reserved, 12);

SIZE(opk_csv_options, 48);
AT(opk_csv_options, struct_size, 0);
AT(opk_csv_options, flags, 4);
AT(opk_csv_options, separator, 8);
AT(opk_csv_options, columns, 16);
AT(opk_csv_options, column_count, 24);
AT(opk_csv_options, decode_flags, 32);
AT(opk_csv_options, reserved, 36);
AT(opk_csv_options, max_bytes, 40);

SIZE(opk_column, 32);
AT(opk_column, struct_size, 0);
AT(opk_column, kind, 4);
AT(opk_column, name, 8);
AT(opk_column, is_field, 24);
AT(opk_column, reserved, 28);

SIZE(opk_table_problem, 24);
AT(opk_table_problem, struct_size, 0);
AT(opk_table_problem, kind, 4);
AT(opk_table_problem, row, 8);
AT(opk_table_problem, number, 16);

SIZE(opk_endpoint, 72);
AT(opk_endpoint, struct_size, 0);
AT(opk_endpoint, reserved, 4);
AT(opk_endpoint, name, 8);
AT(opk_endpoint, url, 24);
AT(opk_endpoint, coverage, 40);
AT(opk_endpoint, provider, 56);

SIZE(opk_http_header, 32);
AT(opk_http_header, name, 0);
AT(opk_http_header, value, 16);

SIZE(opk_http_request, 80);
AT(opk_http_request, struct_size, 0);
AT(opk_http_request, reserved, 4);
AT(opk_http_request, number, 8);
AT(opk_http_request, method, 16);
AT(opk_http_request, url, 24);
AT(opk_http_request, headers, 32);
AT(opk_http_request, header_count, 40);
AT(opk_http_request, body, 48);
AT(opk_http_request, body_size, 56);
AT(opk_http_request, connect_timeout_s, 64);
AT(opk_http_request, idle_timeout_s, 72);

SIZE(opk_transport, 40);
AT(opk_transport, struct_size, 0);
AT(opk_transport, reserved, 4);
AT(opk_transport, context, 8);
AT(opk_transport, perform, 16);
AT(opk_transport, interrupt, 24);
AT(opk_transport, release, 32);

SIZE(opk_client_options, 120);
AT(opk_client_options, struct_size, 0);
AT(opk_client_options, flags, 4);
AT(opk_client_options, application, 8);
AT(opk_client_options, endpoints, 16);
AT(opk_client_options, endpoint_count, 24);
AT(opk_client_options, headers, 32);
AT(opk_client_options, header_count, 40);
AT(opk_client_options, max_attempts, 48);
AT(opk_client_options, reserved, 52);
AT(opk_client_options, busy_wait_s, 56);
AT(opk_client_options, max_wait_s, 64);
AT(opk_client_options, connect_timeout_s, 72);
AT(opk_client_options, cache_folder, 80);
AT(opk_client_options, cache_max_age_s, 88);
AT(opk_client_options, cache_max_bytes, 96);
AT(opk_client_options, ca_file, 104);
AT(opk_client_options, transport, 112);

SIZE(opk_fetch_progress, 96);
AT(opk_fetch_progress, struct_size, 0);
AT(opk_fetch_progress, phase, 4);
AT(opk_fetch_progress, wait_reason, 8);
AT(opk_fetch_progress, attempt, 12);
AT(opk_fetch_progress, wait_seconds, 16);
AT(opk_fetch_progress, endpoint, 24);
AT(opk_fetch_progress, last_error, 40);
AT(opk_fetch_progress, bytes, 56);
AT(opk_fetch_progress, total_bytes, 64);
AT(opk_fetch_progress, elements, 72);
AT(opk_fetch_progress, tiles_done, 80);
AT(opk_fetch_progress, tiles_left, 88);

SIZE(opk_fetch_options, 80);
AT(opk_fetch_options, struct_size, 0);
AT(opk_fetch_options, flags, 4);
AT(opk_fetch_options, decode, 8);
AT(opk_fetch_options, progress, 16);
AT(opk_fetch_options, progress_context, 24);
AT(opk_fetch_options, timeout_s, 32);
AT(opk_fetch_options, south, 40);
AT(opk_fetch_options, west, 48);
AT(opk_fetch_options, north, 56);
AT(opk_fetch_options, east, 64);
AT(opk_fetch_options, max_tile_depth, 72);
AT(opk_fetch_options, max_tiles, 76);

SIZE(opk_fetch_attempt, 64);
AT(opk_fetch_attempt, struct_size, 0);
AT(opk_fetch_attempt, status, 4);
AT(opk_fetch_attempt, endpoint, 8);
AT(opk_fetch_attempt, url, 24);
AT(opk_fetch_attempt, seconds, 40);
AT(opk_fetch_attempt, message, 48);

SIZE(opk_fetch_tile, 48);
AT(opk_fetch_tile, struct_size, 0);
AT(opk_fetch_tile, depth, 4);
AT(opk_fetch_tile, is_answered, 8);
AT(opk_fetch_tile, reserved, 12);
AT(opk_fetch_tile, south, 16);
AT(opk_fetch_tile, west, 24);
AT(opk_fetch_tile, north, 32);
AT(opk_fetch_tile, east, 40);
