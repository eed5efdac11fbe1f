// Finding test data: the project's own fixtures, and the larger shared set beside the project.

import OSMModel

/// Reads a whole file; `nil` where there is none.
public func readFile(_ path: String) -> [UInt8]? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&block, 1, block.count, file)
    if count == 0 { return bytes }
    bytes.append(contentsOf: block[0..<count])
  }
}

/// The names in a folder, sorted; empty where there is none.
public func listFolder(_ path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted()
}

/// The root of the project, found from this file's place in it.
public let projectRoot: String = {
  let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
  return parts.dropLast(3).joined(separator: "/")
}()

/// The shared data beside the project, or what the environment variable OPK_SHARED names.
public let sharedRoot: String = {
  if let path = getenv("OPK_SHARED") { return String(cString: path) }
  return projectRoot + "/../shared"
}()

/// Whether the shared data is there. Tests that need it are skipped otherwise.
public let hasSharedData = !listFolder(sharedRoot + "/cases").isEmpty

/// The text in a column. (A column that is only an intermediate value is gone before its `buffer`
/// can be read.)
public func text(in column: consuming Column<UInt8>) -> String {
  String(decoding: column.buffer, as: UTF8.self)
}

/// The bytes in a column.
public func bytes(in column: consuming Column<UInt8>) -> [UInt8] { Array(column.buffer) }
