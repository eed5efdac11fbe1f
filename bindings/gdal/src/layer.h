// A layer: the features of an answer that have one kind of geometry, or all of them.
#ifndef OVERPASS_LAYER_H
#define OVERPASS_LAYER_H

#include "columns.h"

namespace overpass {

class Layer final : public OGRLayer {
 public:
  Layer(std::shared_ptr<Answer> answer, const LayerKind &kind, const Options &options,
        OGRSpatialReference *reference);
  ~Layer() override;
  Layer(const Layer &) = delete;
  Layer &operator=(const Layer &) = delete;

  OGRFeatureDefn *GetLayerDefn() override { return definition_; }
  void ResetReading() override { next_ = 0; }
  OGRFeature *GetNextFeature() override;
  OGRFeature *GetFeature(GIntBig id) override;
  OGRErr SetNextByIndex(GIntBig index) override;
  GIntBig GetFeatureCount(int force) override;
  OGRErr GetExtent(OGREnvelope *extent, int force) override;
  OGRErr GetExtent(int field, OGREnvelope *extent, int force) override;
  OGRErr SetIgnoredFields(const char **fields) override;
  bool GetArrowStream(ArrowArrayStream *stream, CSLConstList options) override;
  int TestCapability(const char *capability) override;

 private:
  bool isFiltered() const { return m_poFilterGeom != nullptr || m_poAttrQuery != nullptr; }
  std::unique_ptr<OGRFeature> make(size_t row, bool withGeometry);
  /** Whether the box of a row leaves it a chance to pass the spatial filter. */
  bool mayPassFilter(size_t row);

  const std::shared_ptr<Answer> answer_;
  const bool isWhole_;
  const bool isMetadata_;
  std::vector<size_t> rows_;
  OGRFeatureDefn *definition_;
  std::unique_ptr<Columns> columns_;
  bool isMulti_ = false;
  size_t next_ = 0;
};

}  // namespace overpass

#endif
