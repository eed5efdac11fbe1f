// swift-tools-version: 6.2
// The fuzz harnesses, a package of their own: their flags reach nothing that others build.
import PackageDescription

let harnesses = [
  "decode_json", "decode_xml", "decode_any", "decode_csv", "query_ql", "query_xml", "query_text",
  "geometry", "write", "combine", "maps", "client",
]

let package = Package(
  name: "OverpassKitFuzz",
  dependencies: [.package(name: "OverpassKit", path: "../..")],
  targets: [
    .target(
      name: "FuzzSupport", dependencies: [.product(name: "OverpassKit", package: "OverpassKit")],
      path: "Support")
  ]
    + harnesses.map { harness in
      .executableTarget(
        name: "fuzz_\(harness)",
        dependencies: ["FuzzSupport", .product(name: "OverpassKit", package: "OverpassKit")],
        path: "Harnesses/\(harness)",
        // libFuzzer has the main function.
        swiftSettings: [.unsafeFlags(["-parse-as-library"])],
        linkerSettings: [.unsafeFlags(["-use-ld=lld"])])
    },
  swiftLanguageModes: [.v6]
)
