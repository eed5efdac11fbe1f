// The columns of a layer: identity, tags, metadata.
#ifndef OVERPASS_COLUMNS_H
#define OVERPASS_COLUMNS_H

#include "answer.h"

namespace overpass {

/** Which features a layer has, and which tags get columns by default. */
struct LayerKind {
  const char *name;
  OGRwkbGeometryType geometry;
  uint32_t kinds;  // bits: 1 << OPK_GEOMETRY_...
  const char *usualTags;
};

class Columns {
 public:
  Columns(const Answer &answer, const std::vector<size_t> &rows, const LayerKind &kind,
          const Options &options, OGRFeatureDefn &definition);

  /** Takes over which fields the caller of GDAL ignores. */
  void setIgnored(OGRFeatureDefn &definition);

  /** Fills the fields of one feature, but for those that are ignored. */
  void fill(OGRFeature &feature, size_t row);

 private:
  void addTags(const std::vector<std::string> &keys, OGRFeatureDefn &definition);
  void fillMetadata(OGRFeature &feature, size_t row) const;

  const Answer &answer_;
  const bool json_;
  std::vector<int16_t> columnOfText_;  // by the number of a key's text; -1 for others
  std::vector<char> isWanted_;
  std::string others_;  // kept, so that each feature does not allocate its own
  int otherTags_ = -1;
  int metadata_ = -1;  // the first of its columns
};

}  // namespace overpass

#endif
