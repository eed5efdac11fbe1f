// swift-tools-version: 6.2
import PackageDescription

/// What the umbrella `OverpassKit` re-exports.
let modules: [Target.Dependency] = [
  "OSMModel", "OverpassQuery", "OverpassDecoding", "OSMGeometry", "FeatureFormats", "MapStyling",
  "OverpassClient",
]

let package = Package(
  name: "OverpassKit",
  products: [
    // For Swift packages.
    .library(name: "OverpassKit", targets: ["OverpassKit"]),
    // For Swift packages on Apple's systems; empty elsewhere.
    .library(name: "OverpassMapKit", targets: ["OverpassMapKit"]),
    // For everybody else: liboverpasskit.so, built by `make lib`.
    .library(name: "overpasskit", type: .dynamic, targets: ["OverpassKitLink"]),
  ],
  targets: [
    // The hand-written public header as a C module.
    .systemLibrary(name: "COverpassKit", path: "include"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CBzip2", providers: [.apt(["libbz2-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),

    // The structs of the Arrow C interfaces.
    .systemLibrary(name: "CArrow", path: "Sources/CArrow"),

    .target(name: "OSMModel"),
    .target(name: "OverpassQuery", dependencies: ["OSMModel", "CExpat"]),
    .target(
      name: "OverpassDecoding", dependencies: ["OSMModel", "CZlib", "CBzip2", "CExpat"]),
    .target(name: "OSMGeometry", dependencies: ["OSMModel"]),
    .target(name: "FeatureFormats", dependencies: ["OSMModel", "OSMGeometry", "CArrow"]),
    .target(name: "MapStyling", dependencies: ["OSMModel", "OSMGeometry", "FeatureFormats"]),
    // libcurl, opened when it is first needed.
    .target(name: "CTransport"),
    .target(
      name: "OverpassClient",
      dependencies: ["OSMModel", "OverpassQuery", "OverpassDecoding", "CTransport", "CZlib"]),
    .target(
      name: "OverpassKit", dependencies: modules),
    // The modules are named for the same reason as below.
    .target(name: "OverpassMapKit", dependencies: ["OverpassKit"] + modules),
    .target(
      // The modules that the umbrella re-exports are named as well: otherwise a change in one of
      // them does not rebuild this target, which has their layouts compiled in.
      name: "OverpassKitC", dependencies: ["OverpassKit", "COverpassKit"] + modules,
      swiftSettings: [
        .strictMemorySafety()
      ]),

    // The table-valued function for SQLite, written against the public header.
    .target(name: "SQLiteExtension", cSettings: [.headerSearchPath("../../include")]),

    // What the shared library takes from glibc in a version that older systems have, too.
    .target(name: "CGlibc"),

    // Only the shared library depends on this target: its flags must reach no other product.
    .target(
      name: "OverpassKitLink", dependencies: ["OverpassKitC", "SQLiteExtension", "CGlibc"],
      exclude: ["overpasskit.map"],
      linkerSettings: [
        .unsafeFlags(
          [
            "-static-stdlib", "-use-ld=lld",
            "-Xlinker",
            "--version-script=\(Context.packageDirectory)/Sources/OverpassKitLink/overpasskit.map",
            "-Xlinker", "-soname=liboverpasskit.so.0",
            // A Swift runtime that was unloaded while its threads live would crash the host.
            "-Xlinker", "-z", "-Xlinker", "nodelete",
            "-Xlinker", "--icf=all", "-Xlinker", "--gc-sections",
            "-Xlinker", "--wrap=hypot", "-Xlinker", "--wrap=hypotf",
          ], .when(platforms: [.linux])),
        // Not in debug: sanitizers leave symbols undefined in a shared library.
        .unsafeFlags(
          ["-Xlinker", "-z", "-Xlinker", "defs"],
          .when(platforms: [.linux], configuration: .release)),
      ]),

    .target(
      name: "OverpassTestSupport", dependencies: ["OSMModel"], path: "Tests/OverpassTestSupport"),
    .testTarget(name: "OverpassKitTests", dependencies: ["OverpassKit", "OverpassTestSupport"]),
    .testTarget(name: "OSMModelTests", dependencies: ["OSMModel", "OverpassTestSupport"]),
    .testTarget(name: "OverpassQueryTests", dependencies: ["OverpassQuery"]),
    .testTarget(
      name: "OSMGeometryTests",
      dependencies: ["OSMGeometry", "OverpassDecoding", "OverpassTestSupport"]),
    .testTarget(
      name: "FeatureFormatsTests",
      dependencies: ["FeatureFormats", "OverpassDecoding", "OverpassTestSupport", "CArrow"]),
    .testTarget(
      name: "MapStylingTests",
      dependencies: ["MapStyling", "OverpassDecoding", "OverpassTestSupport"]),
    .testTarget(
      name: "OverpassClientTests",
      dependencies: ["OverpassClient", "OverpassDecoding", "OverpassQuery", "OverpassTestSupport"]),
    .testTarget(
      name: "OverpassDecodingTests",
      dependencies: [
        "OverpassDecoding", "OverpassQuery", "OverpassTestSupport", "CZlib", "CBzip2",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
