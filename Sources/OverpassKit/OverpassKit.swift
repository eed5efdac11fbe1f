// The umbrella: `import OverpassKit` gives all of it. Re-exports only.

@_exported import FeatureFormats
@_exported import MapStyling
@_exported import OSMGeometry
@_exported import OSMModel
@_exported import OverpassClient
@_exported import OverpassDecoding
@_exported import OverpassQuery
