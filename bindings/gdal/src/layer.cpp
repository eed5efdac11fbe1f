// Reads features, in the order of the answer, by number, through filters.
#include "layer.h"

#include <algorithm>

namespace overpass {

Layer::Layer(std::shared_ptr<Answer> answer, const LayerKind &kind, const Options &options,
             OGRSpatialReference *reference)
    : answer_(std::move(answer)),
      isWhole_(options.oneLayer),
      isMetadata_(options.metadata),
      definition_(new OGRFeatureDefn(kind.name)),
      isMulti_(kind.geometry == wkbMultiPolygon) {
  SetDescription(kind.name);
  definition_->Reference();
  definition_->SetGeomType(kind.geometry);
  definition_->GetGeomFieldDefn(0)->SetSpatialRef(reference);
  const opk_feature_arrays &table = answer_->table();
  for (size_t row = 0; row < table.count; row++)
    if ((kind.kinds >> table.kinds[row] & 1u) != 0) rows_.push_back(row);
  columns_ = std::make_unique<Columns>(*answer_, rows_, kind, options, *definition_);
}

Layer::~Layer() { definition_->Release(); }

std::unique_ptr<OGRFeature> Layer::make(size_t row, bool withGeometry) {
  auto feature = std::make_unique<OGRFeature>(definition_);
  feature->SetFID(GIntBig(row));
  columns_->fill(*feature, row);
  if (withGeometry)
    if (auto geometry = answer_->geometry(row, isMulti_)) {
      geometry->assignSpatialReference(GetSpatialRef());
      feature->SetGeometryDirectly(geometry.release());
    }
  return feature;
}

bool Layer::mayPassFilter(size_t row) {
  return m_poFilterGeom == nullptr || m_sFilterEnvelope.Intersects(answer_->envelopes()[row]);
}

OGRFeature *Layer::GetNextFeature() {
  const bool isIgnored = definition_->GetGeomFieldDefn(0)->IsIgnored();
  while (next_ < rows_.size()) {
    const size_t row = rows_[next_++];
    if (!mayPassFilter(row)) continue;
    // A filter needs the geometry, whether the caller does or not.
    auto feature = make(row, !isIgnored || m_poFilterGeom != nullptr);
    if (m_poFilterGeom != nullptr && !FilterGeometry(feature->GetGeometryRef())) continue;
    if (m_poAttrQuery != nullptr && !m_poAttrQuery->Evaluate(feature.get())) continue;
    return feature.release();
  }
  return nullptr;
}

OGRFeature *Layer::GetFeature(GIntBig id) {
  if (id < 0 || !std::binary_search(rows_.begin(), rows_.end(), size_t(id))) return nullptr;
  return make(size_t(id), !definition_->GetGeomFieldDefn(0)->IsIgnored()).release();
}

OGRErr Layer::SetNextByIndex(GIntBig index) {
  if (isFiltered()) return OGRLayer::SetNextByIndex(index);
  if (index < 0 || size_t(index) >= rows_.size()) {
    next_ = rows_.size();
    return OGRERR_FAILURE;
  }
  next_ = size_t(index);
  return OGRERR_NONE;
}

GIntBig Layer::GetFeatureCount(int force) {
  return isFiltered() ? OGRLayer::GetFeatureCount(force) : GIntBig(rows_.size());
}

OGRErr Layer::GetExtent(OGREnvelope *extent, int) {
  *extent = OGREnvelope();
  for (const size_t row : rows_) extent->Merge(answer_->envelopes()[row]);
  return rows_.empty() ? OGRERR_FAILURE : OGRERR_NONE;
}

OGRErr Layer::GetExtent(int field, OGREnvelope *extent, int force) {
  return field == 0 ? GetExtent(extent, force) : OGRERR_FAILURE;
}

OGRErr Layer::SetIgnoredFields(const char **fields) {
  const OGRErr result = OGRLayer::SetIgnoredFields(fields);
  columns_->setIgnored(*definition_);
  return result;
}

bool Layer::GetArrowStream(ArrowArrayStream *stream, CSLConstList options) {
  if (!CPLFetchBool(options, "NATIVE", false)) return OGRLayer::GetArrowStream(stream, options);
  if (!isWhole_ || isFiltered()) {
    CPLError(CE_Failure, CPLE_NotSupported,
             "NATIVE=YES: only of the layer `all` (LAYERS=ALL), without filters");
    return false;
  }
  opk_error error = OPK_ERROR_INIT;
  opk_arrow_options arrow = OPK_ARROW_OPTIONS_INIT;
  if (isMetadata_) arrow.flags = OPK_ARROW_METADATA;
  if (opk_features_arrow(answer_->features(), &arrow, stream, &error) == OPK_OK) return true;
  CPLError(CE_Failure, CPLE_AppDefined, "%s", message(error).c_str());
  return false;
}

int Layer::TestCapability(const char *capability) {
  if (EQUAL(capability, OLCFastFeatureCount) || EQUAL(capability, OLCFastSetNextByIndex))
    return !isFiltered();
  return EQUAL(capability, OLCStringsAsUTF8) || EQUAL(capability, OLCRandomRead) ||
         EQUAL(capability, OLCFastGetExtent) || EQUAL(capability, OLCFastSpatialFilter) ||
         EQUAL(capability, OLCIgnoreFields);
}

}  // namespace overpass
