// Reads every feature of a file by one driver of GDAL, and prints how many there are and how long that
// took, opening included.
//
//   read_features DRIVER FILE
#include "ogrsf_frmts.h"

#include <chrono>
#include <cstdio>

int main(int count, char **arguments) {
  if (count != 3) return 2;
  GDALAllRegister();
  CPLSetErrorHandler(CPLQuietErrorHandler);
  const auto start = std::chrono::steady_clock::now();
  const char *const drivers[] = {arguments[1], nullptr};
  auto *dataset = GDALDataset::Open(arguments[2], GDAL_OF_VECTOR, drivers);
  if (dataset == nullptr) return 1;
  long features = 0;
  OGRLayer *layer = nullptr;
  dataset->ResetReading();
  // The OSM driver gives the features of all layers in one go.
  while (OGRFeature *feature = dataset->GetNextFeature(&layer, nullptr, nullptr, nullptr)) {
    features++;
    OGRFeature::DestroyFeature(feature);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%ld %.3f\n", features, seconds.count());
  delete dataset;
  return 0;
}
