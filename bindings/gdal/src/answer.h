// An answer and its features, as the layers of a dataset share them.
#ifndef OVERPASS_ANSWER_H
#define OVERPASS_ANSWER_H

#include "options.h"

#include <vector>

namespace overpass {

/** The features that can be drawn. A row is the place of one among them, and its FID. */
class Answer {
 public:
  static std::shared_ptr<Answer> of(Response response);

  const opk_response *response() const { return response_.get(); }
  const opk_features *features() const { return features_.get(); }
  const opk_feature_arrays &table() const { return table_; }

  std::string_view text(uint32_t number) const;
  std::string_view typeName(size_t row) const;
  /** The element that a feature was made of; false where the answer only mentions it. */
  bool element(size_t row, opk_element &element) const;
  /** The boxes around all features, computed when they are first asked for. */
  const std::vector<OGREnvelope> &envelopes();
  std::unique_ptr<OGRGeometry> geometry(size_t row, bool multi) const;

 private:
  Response response_;
  Features features_;
  Arrays arrays_;
  opk_feature_arrays table_ = OPK_FEATURE_ARRAYS_INIT;
  std::vector<OGREnvelope> envelopes_;
};

}  // namespace overpass

#endif
