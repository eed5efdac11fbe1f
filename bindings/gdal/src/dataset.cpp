// Layers as GDAL's OSM driver names them, and remarks of servers where users see them.
#include "dataset.h"

namespace overpass {

namespace {

constexpr uint32_t bit(uint32_t kind) { return 1u << kind; }

/** Columns as in the file osmconf.ini of GDAL's OSM driver. */
const LayerKind kinds[] = {
    {"points", wkbPoint, bit(OPK_GEOMETRY_POINT),
     "name,barrier,highway,ref,address,is_in,place,man_made"},
    {"lines", wkbLineString, bit(OPK_GEOMETRY_LINESTRING),
     "name,highway,waterway,aerialway,barrier,man_made,railway"},
    {"multilinestrings", wkbMultiLineString, bit(OPK_GEOMETRY_MULTILINESTRING), "name,type"},
    {"multipolygons", wkbMultiPolygon, bit(OPK_GEOMETRY_POLYGON) | bit(OPK_GEOMETRY_MULTIPOLYGON),
     "name,type,aeroway,amenity,admin_level,barrier,boundary,building,craft,geological,historic,"
     "land_area,landuse,leisure,man_made,military,natural,office,place,shop,sport,tourism"},
    {"other_relations", wkbGeometryCollection,
     bit(OPK_GEOMETRY_MULTIPOINT) | bit(OPK_GEOMETRY_COLLECTION), "name,type"},
};

const LayerKind all = {
    "all", wkbUnknown, ~0u,
    "name,type,ref,highway,waterway,railway,aeroway,aerialway,public_transport,amenity,shop,tourism,"
    "leisure,office,craft,historic,building,landuse,natural,place,boundary,admin_level,barrier,"
    "man_made"};

/** The remarks, a line each. */
std::string remarks(const opk_response *response) {
  std::string text;
  for (size_t each = 0; each < opk_response_remark_count(response); each++) {
    if (each > 0) text += '\n';
    text += view(opk_response_remark(response, each));
  }
  return text;
}

/** Why an answer is not complete; empty when it is. */
std::string incompleteness(const opk_response *response) {
  const int64_t end = opk_response_truncated_at(response);
  if (end >= 0)
    return CPLSPrintf("the answer stops in the middle, at byte " CPL_FRMT_GIB, GIntBig(end));
  return opk_response_is_complete(response) == 0 ? remarks(response) : std::string();
}

}  // namespace

std::unique_ptr<Dataset> Dataset::of(Response response, const Options &options) {
  const std::string why = incompleteness(response.get());
  if (options.strict && opk_response_is_complete(response.get()) != 1) {
    CPLError(CE_Failure, CPLE_OpenFailed, "The answer is not complete: %s",
             why.empty() ? remarks(response.get()).c_str() : why.c_str());
    return nullptr;
  }
  if (!why.empty())
    CPLError(CE_Warning, CPLE_AppDefined, "The answer is not complete: %s", why.c_str());
  const std::string said = remarks(response.get());
  if (!said.empty() && said != why) CPLError(CE_Warning, CPLE_AppDefined, "%s", said.c_str());
  auto answer = Answer::of(std::move(response));
  if (answer == nullptr) return nullptr;
  return std::unique_ptr<Dataset>(new Dataset(std::move(answer), options));
}

Dataset::Dataset(std::shared_ptr<Answer> answer, const Options &options)
    : reference_(new OGRSpatialReference()) {
  reference_->SetFromUserInput("EPSG:4326");
  reference_->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  describe(answer->response());
  if (options.oneLayer) {
    layers_.push_back(std::make_unique<Layer>(answer, all, options, reference_));
    return;
  }
  for (const LayerKind &kind : kinds)
    layers_.push_back(std::make_unique<Layer>(answer, kind, options, reference_));
}

Dataset::~Dataset() {
  layers_.clear();
  reference_->Release();
}

OGRLayer *Dataset::GetLayer(int index) {
  return index < 0 || size_t(index) >= layers_.size() ? nullptr : layers_[size_t(index)].get();
}

void Dataset::describe(const opk_response *response) {
  const auto set = [this](const char *name, std::string_view value) {
    if (!value.empty()) GDALDataset::SetMetadataItem(name, std::string(value).c_str());
  };
  const int32_t isComplete = opk_response_is_complete(response);
  set("OVERPASS_COMPLETE", isComplete == 1 ? "YES" : isComplete == 0 ? "NO" : "UNKNOWN");
  set("REMARK", remarks(response));
  set("TIMESTAMP_OSM_BASE", view(opk_response_header(response, OPK_HEADER_TIMESTAMP)));
  set("TIMESTAMP_AREAS_BASE", view(opk_response_header(response, OPK_HEADER_AREAS_TIMESTAMP)));
  set("COPYRIGHT", view(opk_response_header(response, OPK_HEADER_COPYRIGHT)));
  set("GENERATOR", view(opk_response_header(response, OPK_HEADER_GENERATOR)));
  const size_t changes = opk_response_action_count(response);
  if (changes > 0) set("CHANGES", std::to_string(changes));
}

}  // namespace overpass
