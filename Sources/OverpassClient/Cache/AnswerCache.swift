// Answers kept on disk, so that the same question need not be asked twice.

import OSMModel
import OverpassDecoding

/// A folder with answers of servers.
///
/// An entry holds the bytes of a whole answer as they came. Errors, partial answers and answers that
/// were cut off are never kept. Several processes may use one folder: entries appear whole or not at
/// all, and a damaged one counts as missing.
public struct AnswerCache: Sendable, Hashable {
  public let folder: String
  /// How old an answer may be and still be used.
  public let maximumAgeSeconds: Double
  /// What all answers in the folder may take; the oldest go first.
  public let maximumBytes: Int

  /// The folder is made when the first answer is kept.
  /// - Throws: ``ClientError`` of kind `setting`.
  public init(folder: String, maximumAgeSeconds: Double, maximumBytes: Int = 1 << 30)
    throws(ClientError)
  {
    guard !folder.isEmpty, !folder.utf8.contains(0) else {
      throw ClientError(.setting, "the cache has no folder")
    }
    guard maximumAgeSeconds > 0 else {
      throw ClientError(.setting, "answers in the cache have to last some time")
    }
    guard maximumBytes > 0 else { throw ClientError(.setting, "the cache has no room") }
    self.folder = folder
    self.maximumAgeSeconds = maximumAgeSeconds
    self.maximumBytes = maximumBytes
  }

  /// Where the answer of a server to a query is kept. The name says nothing of either.
  func path(_ request: QueryRequest, _ endpoint: Endpoint) -> String {
    let text = Array("\(endpoint.url)\n\(request.identity)".utf8)
    let hash = text.withUnsafeBufferPointer { SHA256.hash($0) }
    let digits = Array("0123456789abcdef".utf8)
    let name = hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return folder + "/" + String(decoding: name, as: UTF8.self) + AnswerCache.suffix
  }

  static let suffix = ".answer"

  /// Begins an entry. `nil` where nothing can be written: a cache that fails is as good as none.
  func begin(_ request: QueryRequest, _ endpoint: Endpoint) -> CacheEntry? {
    guard AnswerCache.makeFolder(folder) else { return nil }
    return CacheEntry(path: path(request, endpoint), limit: maximumBytes)
  }

  /// The kept answer, if it is whole and young enough.
  func find(_ request: QueryRequest, _ endpoint: Endpoint, now: Double) -> CachedAnswer? {
    let path = path(request, endpoint)
    guard let answer = CachedAnswer(path) else { return nil }
    let age = now - answer.time
    // A clock that was set back makes answers of the future; nobody knows how old those are.
    guard age <= maximumAgeSeconds, age > -60 else { return nil }
    return answer
  }

  /// Removes the oldest entries until the rest fits, and what broken processes left behind.
  func shrink(now: Double) {
    var entries = AnswerCache.entries(of: folder)
    for entry in entries where !entry.name.hasSuffix(AnswerCache.suffix) {
      // A process that is still at work has touched its file lately.
      if now - entry.time > 86_400 { unlink(folder + "/" + entry.name) }
    }
    entries = entries.filter { $0.name.hasSuffix(AnswerCache.suffix) }
    var sum = entries.reduce(0) { $0 &+ $1.size }
    for entry in entries.sorted(by: { ($0.time, $0.name) < ($1.time, $1.name) }) {
      guard sum > maximumBytes else { return }
      unlink(folder + "/" + entry.name)
      sum &-= entry.size
    }
  }

  /// Files in the folder that a cache made.
  private static func entries(of folder: String) -> [(name: String, size: Int, time: Double)] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var result: [(name: String, size: Int, time: Double)] = []
    while let item = readdir(directory) {
      let name = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard isOurs(name) else { continue }
      var status = stat()
      guard lstat(folder + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      result.append(
        (name, Int(status.st_size), Double(time.tv_sec) + Double(time.tv_nsec) / 1e9))
    }
    return result
  }

  /// Whether a name is one that a cache gives; the folder may hold other files.
  private static func isOurs(_ name: String) -> Bool {
    let digits = name.utf8.prefix { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
      default: false
      }
    }
    let rest = name.utf8.dropFirst(digits.count)
    guard digits.count == 64, rest.starts(with: suffix.utf8) else { return false }
    return rest.count == suffix.utf8.count || name.hasSuffix(CacheEntry.temporarySuffix)
  }

  /// Makes a folder with those above it; only its owner can read it.
  private static func makeFolder(_ path: String) -> Bool {
    var status = stat()
    if stat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR }
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex {
      guard makeFolder(String(path[..<slash])) else { return false }
    }
    // Another process may be faster.
    return mkdir(path, 0o700) == 0 || errno == EEXIST
  }
}
