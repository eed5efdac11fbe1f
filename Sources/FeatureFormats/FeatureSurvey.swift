// What is known of all features together, before any is written.

import OSMGeometry
import OSMModel
import Synchronization

/// The kinds and the box of all geometries, for formats that print them before the features.
struct FeatureSurvey: Sendable {
  /// One for each feature.
  let kinds: [GeometryKind]
  let bounds: Extent

  /// Builds all geometries, on several threads where that pays.
  init(_ features: FeatureSet) {
    let found = Mutex(Extent())
    kinds = [GeometryKind](unsafeUninitializedCapacity: features.count) { buffer, initialized in
      // Each thread writes a part of its own.
      nonisolated(unsafe) let kinds = buffer
      inParallel(features.count, share: FeatureSet.blockSize) { range in
        var assembler = features.makeAssembler()
        var geometry = Geometry()
        var bounds = Extent()
        for index in range {
          let info = assembler.geometry(of: index, into: &geometry)
          kinds.initializeElement(at: index, to: info.kind)
          bounds.include(geometry)
        }
        found.withLock { $0.include(bounds) }
      }
      initialized = features.count
    }
    bounds = found.withLock { $0 }
  }
}

extension FeatureSet {
  /// The smallest box around all features, as GeoJSON has it (RFC 7946 §5); `nil` when nothing is
  /// drawn. All geometries are built for it, on several threads where that pays.
  public var boundingBox: BoundingBox? { FeatureSurvey(self).bounds.box }
}
