// A dataset: the layers of one answer, and what the answer says about itself.
#ifndef OVERPASS_DATASET_H
#define OVERPASS_DATASET_H

#include "layer.h"

namespace overpass {

class Dataset final : public GDALDataset {
 public:
  /** Warns about remarks. NULL, after an error, where an incomplete answer is not wanted. */
  static std::unique_ptr<Dataset> of(Response response, const Options &options);
  ~Dataset() override;

  int GetLayerCount() override { return int(layers_.size()); }
  OGRLayer *GetLayer(int index) override;
  int TestCapability(const char *) override { return FALSE; }

 private:
  Dataset(std::shared_ptr<Answer> answer, const Options &options);
  void describe(const opk_response *response);

  OGRSpatialReference *reference_;
  std::vector<std::unique_ptr<Layer>> layers_;
};

}  // namespace overpass

#endif
