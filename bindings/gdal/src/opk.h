// The C interface of OverpassKit for C++: handles that free themselves, texts, messages.
#ifndef OVERPASS_OPK_H
#define OVERPASS_OPK_H

#include "ogrsf_frmts.h"

// GDAL 3.6 declares Arrow's structs without the guards that keep others from declaring them again.
#include "ogr_recordbatch.h"
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
#endif
#include <overpasskit.h>

#include <memory>
#include <string>
#include <string_view>

namespace overpass {

template <typename Handle, void (*Free)(Handle *)>
struct Freed {
  void operator()(Handle *handle) const { Free(handle); }
};
template <typename Handle, void (*Free)(Handle *)>
using Owned = std::unique_ptr<Handle, Freed<Handle, Free>>;

using Response = Owned<opk_response, opk_response_free>;
using Features = Owned<opk_features, opk_features_free>;
using Arrays = Owned<opk_arrays, opk_arrays_free>;
using Geometry = Owned<opk_geometry, opk_geometry_free>;
using Decoder = Owned<opk_decoder, opk_decoder_free>;
using Client = Owned<opk_client, opk_client_free>;
using Fetch = Owned<opk_fetch, opk_fetch_free>;

inline std::string_view view(opk_str text) {
  return text.ptr == nullptr ? std::string_view() : std::string_view(text.ptr, text.len);
}

/** What went wrong, and where in the data. */
std::string message(const opk_error &error);

}  // namespace overpass

#endif
