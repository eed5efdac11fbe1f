// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "OverpassKit",
  targets: [
    .target(name: "OSMModel")
  ],
  swiftLanguageModes: [.v6]
)
