// Features of an answer, and their geometry as GDAL's objects.
#include "answer.h"

#include <climits>

namespace overpass {

std::string message(const opk_error &error) {
  std::string text = error.message;
  if (error.line > 0)
    text += CPLSPrintf(" (line %u, column %u)", error.line, error.column);
  else if (error.byte_offset >= 0)
    text += CPLSPrintf(" (byte " CPL_FRMT_GIB ")", GIntBig(error.byte_offset));
  return text;
}

std::shared_ptr<Answer> Answer::of(Response response) {
  auto answer = std::make_shared<Answer>();
  opk_error error = OPK_ERROR_INIT;
  opk_feature_options options = OPK_FEATURE_OPTIONS_INIT;
  options.flags = OPK_FEATURES_COLLECTIONS;
  opk_features *features = nullptr;
  opk_arrays *arrays = nullptr;
  opk_status status = opk_features_build(response.get(), &options, &features, &error);
  answer->features_.reset(features);
  if (status == OPK_OK) status = opk_features_arrays(features, OPK_ARRAYS_COORDINATES, &arrays, &error);
  answer->arrays_.reset(arrays);
  if (status == OPK_OK) status = opk_arrays_get(arrays, &answer->table_);
  if (status != OPK_OK) {
    CPLError(CE_Failure, CPLE_AppDefined, "%s", message(error).c_str());
    return nullptr;
  }
  answer->response_ = std::move(response);
  return answer;
}

std::string_view Answer::text(uint32_t number) const {
  if (number >= table_.text_count) return {};
  const uint32_t start = table_.text_starts[number];
  return {reinterpret_cast<const char *>(table_.texts) + start,
          table_.text_starts[number + 1] - start};
}

std::string_view Answer::typeName(size_t row) const {
  switch (table_.types[row]) {
    case OPK_NODE: return "node";
    case OPK_WAY: return "way";
    case OPK_RELATION: return "relation";
    case OPK_AREA: return "area";
    default: break;
  }
  opk_feature feature = OPK_FEATURE_INIT;
  opk_features_get(features_.get(), table_.indices[row], &feature);
  return view(feature.type_name);
}

bool Answer::element(size_t row, opk_element &element) const {
  int64_t index = -1;
  // Where an element stands several times, only the feature knows of which state it is made.
  if (opk_response_action_count(response_.get()) > 0 || table_.ids[row] == 0) {
    opk_feature feature = OPK_FEATURE_INIT;
    opk_features_get(features_.get(), table_.indices[row], &feature);
    index = feature.element_index;
  } else {
    index = opk_response_find(response_.get(), table_.types[row], table_.ids[row]);
  }
  return index >= 0 && opk_response_element(response_.get(), size_t(index), &element) == OPK_OK;
}

const std::vector<OGREnvelope> &Answer::envelopes() {
  if (envelopes_.empty() && table_.count > 0) {
    envelopes_.resize(table_.count);
    size_t position = 0;
    for (size_t row = 0; row < table_.count; row++)
      for (; position < table_.position_ends[row]; position++)
        envelopes_[row].Merge(table_.coordinates[2 * position],
                              table_.coordinates[2 * position + 1]);
  }
  return envelopes_;
}

namespace {

/** One line or ring; nothing where it has more positions than GDAL can count. */
template <typename Line>
std::unique_ptr<Line> makeLine(const opk_position *positions, size_t start, size_t end) {
  if (end < start || end - start > size_t(INT_MAX)) return nullptr;
  auto line = std::make_unique<Line>();
  line->setNumPoints(int(end - start), FALSE);
  for (size_t each = start; each < end; each++)
    line->setPoint(int(each - start), positions[each].lon_e7 / 1e7, positions[each].lat_e7 / 1e7);
  return line;
}

/** The parts of a geometry, as the library has them. */
struct Parts {
  explicit Parts(const opk_geometry *geometry)
      : positions(opk_geometry_positions(geometry, &positionCount)),
        ends(opk_geometry_part_ends(geometry, &count)),
        polygonEnds(opk_geometry_polygon_ends(geometry, &polygonCount)) {}

  std::unique_ptr<OGRPolygon> polygon(size_t index) const {
    auto polygon = std::make_unique<OGRPolygon>();
    for (size_t ring = index == 0 ? 0 : polygonEnds[index - 1]; ring < polygonEnds[index]; ring++)
      if (auto line = makeLine<OGRLinearRing>(positions, start(ring), ends[ring]))
        polygon->addRingDirectly(line.release());
    return polygon;
  }
  size_t start(size_t part) const { return part == 0 ? 0 : ends[part - 1]; }

  size_t positionCount = 0, count = 0, polygonCount = 0;
  const opk_position *positions;
  const size_t *ends;
  const size_t *polygonEnds;
};

std::unique_ptr<OGRGeometry> convert(const opk_geometry *geometry, bool multi) {
  const Parts parts(geometry);
  const uint32_t kind = opk_geometry_kind(geometry);
  switch (kind) {
    case OPK_GEOMETRY_POINT:
      if (parts.positionCount == 0) return nullptr;
      return std::make_unique<OGRPoint>(parts.positions->lon_e7 / 1e7,
                                        parts.positions->lat_e7 / 1e7);
    case OPK_GEOMETRY_LINESTRING:
      return makeLine<OGRLineString>(parts.positions, 0, parts.positionCount);
    case OPK_GEOMETRY_POLYGON:
      if (parts.polygonCount == 0) return nullptr;
      if (!multi) return parts.polygon(0);
      break;
    case OPK_GEOMETRY_MULTIPOINT: {
      auto points = std::make_unique<OGRMultiPoint>();
      for (size_t each = 0; each < parts.positionCount; each++)
        points->addGeometryDirectly(new OGRPoint(parts.positions[each].lon_e7 / 1e7,
                                                 parts.positions[each].lat_e7 / 1e7));
      return points;
    }
    case OPK_GEOMETRY_MULTILINESTRING: {
      auto lines = std::make_unique<OGRMultiLineString>();
      for (size_t part = 0; part < parts.count; part++)
        if (auto line = makeLine<OGRLineString>(parts.positions, parts.start(part), parts.ends[part]))
          lines->addGeometryDirectly(line.release());
      return lines;
    }
    case OPK_GEOMETRY_COLLECTION: {
      auto collection = std::make_unique<OGRGeometryCollection>();
      for (size_t each = 0; each < opk_geometry_member_count(geometry); each++)
        if (auto member = convert(opk_geometry_member(geometry, each), false))
          collection->addGeometryDirectly(member.release());
      return collection;
    }
    default: break;
  }
  if (kind != OPK_GEOMETRY_POLYGON && kind != OPK_GEOMETRY_MULTIPOLYGON) return nullptr;
  auto polygons = std::make_unique<OGRMultiPolygon>();
  for (size_t each = 0; each < parts.polygonCount; each++)
    polygons->addGeometryDirectly(parts.polygon(each).release());
  return polygons;
}

/** A line or ring of positions as they lie in the table. */
template <typename Line>
std::unique_ptr<Line> copyLine(const double *coordinates, size_t start, size_t end) {
  static_assert(sizeof(OGRRawPoint) == 2 * sizeof(double), "positions are pairs of doubles");
  if (end < start || end - start > size_t(INT_MAX)) return nullptr;
  auto line = std::make_unique<Line>();
  line->setPoints(int(end - start), reinterpret_cast<const OGRRawPoint *>(coordinates + 2 * start));
  return line;
}

/** Where the `index`th of some runs starts. */
size_t startOf(const size_t *ends, size_t index) { return index == 0 ? 0 : ends[index - 1]; }

/** The lines and rings of one feature. */
struct Row {
  Row(const opk_feature_arrays &table, size_t row)
      : table(table),
        start(startOf(table.position_ends, row)),
        end(table.position_ends[row]),
        firstPart(startOf(table.feature_part_ends, row)),
        lastPart(table.feature_part_ends[row]),
        firstPolygon(startOf(table.feature_polygon_ends, row)),
        lastPolygon(table.feature_polygon_ends[row]) {}

  /** Positions of features without parts may lie in front of the first part. */
  size_t startOfPart(size_t part) const {
    return part == firstPart ? start : table.part_ends[part - 1];
  }

  template <typename Line>
  std::unique_ptr<Line> part(size_t part) const {
    return copyLine<Line>(table.coordinates, startOfPart(part), table.part_ends[part]);
  }

  std::unique_ptr<OGRPolygon> polygon(size_t index) const {
    auto polygon = std::make_unique<OGRPolygon>();
    const size_t first = index == firstPolygon ? firstPart : table.polygon_ends[index - 1];
    for (size_t ring = first; ring < table.polygon_ends[index]; ring++)
      if (auto line = part<OGRLinearRing>(ring)) polygon->addRingDirectly(line.release());
    return polygon;
  }

  const opk_feature_arrays &table;
  const size_t start, end, firstPart, lastPart, firstPolygon, lastPolygon;
};

}  // namespace

std::unique_ptr<OGRGeometry> Answer::geometry(size_t row, bool multi) const {
  // Geometries are made of the positions at hand: putting them together once more takes longer than
  // all the rest of reading.
  const Row all(table_, row);
  const double *coordinates = table_.coordinates;
  switch (table_.kinds[row]) {
    case OPK_GEOMETRY_POINT:
      if (all.start == all.end) return nullptr;
      return std::make_unique<OGRPoint>(coordinates[2 * all.start], coordinates[2 * all.start + 1]);
    case OPK_GEOMETRY_LINESTRING: return copyLine<OGRLineString>(coordinates, all.start, all.end);
    case OPK_GEOMETRY_MULTIPOINT: {
      auto points = std::make_unique<OGRMultiPoint>();
      for (size_t each = all.start; each < all.end; each++)
        points->addGeometryDirectly(new OGRPoint(coordinates[2 * each], coordinates[2 * each + 1]));
      return points;
    }
    case OPK_GEOMETRY_MULTILINESTRING: {
      auto lines = std::make_unique<OGRMultiLineString>();
      for (size_t part = all.firstPart; part < all.lastPart; part++)
        if (auto line = all.part<OGRLineString>(part)) lines->addGeometryDirectly(line.release());
      return lines;
    }
    case OPK_GEOMETRY_POLYGON:
      if (all.firstPolygon == all.lastPolygon) return nullptr;
      if (!multi) return all.polygon(all.firstPolygon);
      [[fallthrough]];
    case OPK_GEOMETRY_MULTIPOLYGON: {
      auto polygons = std::make_unique<OGRMultiPolygon>();
      for (size_t each = all.firstPolygon; each < all.lastPolygon; each++)
        polygons->addGeometryDirectly(all.polygon(each).release());
      return polygons;
    }
    default: break;
  }
  opk_geometry *built = nullptr;
  if (opk_features_geometry(features_.get(), table_.indices[row], &built, nullptr) != OPK_OK)
    return nullptr;
  const Geometry geometry(built);
  return convert(built, multi);
}

}  // namespace overpass
