// swift-tools-version: 6.2
import PackageDescription

// Apart from the library, so that nobody who uses it builds this.
let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "OverpassKit", path: "..")],
  targets: [
    .executableTarget(
      name: "AreaBenchmark",
      dependencies: [.product(name: "OverpassKit", package: "OverpassKit")]),
    .executableTarget(
      name: "DecodeBenchmark",
      dependencies: [.product(name: "OverpassKit", package: "OverpassKit")]),
    .executableTarget(
      name: "QueryBenchmark",
      dependencies: [.product(name: "OverpassKit", package: "OverpassKit")]),
  ],
  swiftLanguageModes: [.v6]
)
