// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "OverpassKit",
  products: [
    // For Swift packages.
    .library(name: "OverpassKit", targets: ["OverpassKit"])
  ],
  targets: [
    // The hand-written public header as a C module.
    .systemLibrary(name: "COverpassKit", path: "include"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CBzip2", providers: [.apt(["libbz2-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),

    .target(name: "OSMModel"),
    .target(name: "OverpassQuery", dependencies: ["OSMModel"]),
    .target(
      name: "OverpassDecoding", dependencies: ["OSMModel", "CZlib", "CBzip2", "CExpat"]),
    .target(name: "FeatureFormats", dependencies: ["OSMModel"]),
    .target(
      name: "OverpassKit",
      dependencies: [
        "OSMModel", "OverpassQuery", "OverpassDecoding", "FeatureFormats",
      ]),
    .target(name: "OverpassKitC", dependencies: ["OverpassKit", "COverpassKit"]),

    .target(
      name: "OverpassTestSupport", dependencies: ["OSMModel"], path: "Tests/OverpassTestSupport"),
    .testTarget(name: "OSMModelTests", dependencies: ["OSMModel", "OverpassTestSupport"]),
    .testTarget(name: "OverpassQueryTests", dependencies: ["OverpassQuery"]),
    .testTarget(
      name: "OverpassDecodingTests",
      dependencies: ["OverpassDecoding", "OverpassTestSupport", "CZlib", "CBzip2"]),
  ],
  swiftLanguageModes: [.v6]
)
