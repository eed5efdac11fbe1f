// Style documents in files, for viewers that take a URL.

import FeatureFormats

/// A style document that was written to a file.
public struct StyleFile: Sendable, Equatable {
  /// From the root.
  public let path: String
  /// The same as a `file://` URL, percent-encoded.
  public let url: String

  init(_ path: String) {
    self.path = absolutePath(path)
    url = fileURL(path)
  }
}

extension MapStyle {
  /// Writes the document to a file, which takes the place of an older one when it is whole.
  ///
  /// - Parameter path: `nil` for a new file in the system's folder for temporary files, which only
  ///   its owner can read; who asked for it removes it.
  /// - Throws: ``WriteError``.
  public func write(toFile path: String? = nil) throws(WriteError) -> StyleFile {
    guard let path else {
      return StyleFile(
        try withTemporaryFile(prefix: "overpasskit-", suffix: ".json") { sink throws(WriteError) in
          try write(to: &sink)
        })
    }
    try withReplacedFile(path) { sink throws(WriteError) in try write(to: &sink) }
    return StyleFile(path)
  }
}
