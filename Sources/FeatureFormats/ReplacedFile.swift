// Files that appear whole or not at all.

import OSMModel

/// Hands the sink of a new file to `body`; once that is done, the file takes the place of `path`.
/// Readers see what was there before or all of it. What is no regular file, such as a pipe, is
/// written directly; a link stays one; a file that is replaced keeps its permissions.
public func withReplacedFile(
  _ path: String, _ body: (inout DescriptorSink) throws(WriteError) -> Void
) throws(WriteError) {
  var status = stat()
  let exists = stat(path, &status) == 0
  if exists, status.st_mode & S_IFMT != S_IFREG { return try withFileSink(path, body) }
  let target = exists ? resolved(path) ?? path : path
  let (temporary, descriptor) = try createFile(beside: target, permissions: 0o666)
  var sink = DescriptorSink(descriptor, name: path)
  do throws(WriteError) {
    try body(&sink)
  } catch {
    close(descriptor)
    unlink(temporary)
    throw error
  }
  if exists { _ = fchmod(descriptor, status.st_mode & 0o7777) }
  guard close(descriptor) == 0, rename(temporary, target) == 0 else {
    let reason = systemErrorText(errno)
    unlink(temporary)
    throw WriteError(.write, "\(path): \(reason)")
  }
}

/// Creates a file of a new name in the system's folder for temporary files and hands its sink to
/// `body`. Only its owner can read it; the caller removes it in the end.
///
/// - Returns: its path.
public func withTemporaryFile(
  prefix: String, suffix: String, _ body: (inout DescriptorSink) throws(WriteError) -> Void
) throws(WriteError) -> String {
  let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
  let (path, descriptor) = try createFile(
    absolutePath(folder.isEmpty ? "/tmp" : folder) + "/" + prefix, suffix, permissions: 0o600)
  var sink = DescriptorSink(descriptor, name: path)
  do throws(WriteError) {
    try body(&sink)
  } catch {
    close(descriptor)
    unlink(path)
    throw error
  }
  guard close(descriptor) == 0 else {
    let reason = systemErrorText(errno)
    unlink(path)
    throw WriteError(.write, "\(path): \(reason)")
  }
  return path
}

/// A path from the root; it may hold links and `..`.
public func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
  defer { free(folder) }
  let start = String(cString: folder)
  return start.hasSuffix("/") ? start + path : start + "/" + path
}

/// The URL of a file: all bytes but letters, digits and `-._~/` are percent-encoded.
/// Source: RFC 8089, RFC 3986 §2.
public func fileURL(_ path: String) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var url = Array("file://".utf8)
  for byte in absolutePath(path).utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
      url.append(byte)
    default:
      url.append(UInt8(ascii: "%"))
      url.append(digits[Int(byte >> 4)])
      url.append(digits[Int(byte & 15)])
    }
  }
  return String(decoding: url, as: UTF8.self)
}

/// The path without links; `nil` where there is nothing.
private func resolved(_ path: String) -> String? {
  guard let text = realpath(path, nil) else { return nil }
  defer { free(text) }
  return String(cString: text)
}

private func createFile(beside path: String, permissions: mode_t) throws(WriteError) -> (
  path: String, descriptor: Int32
) {
  let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
  let split = name ?? path.startIndex
  // Hidden, and short enough whatever the name.
  return try createFile(
    String(path[..<split]) + "." + String(path[split...].unicodeScalars.prefix(40)) + ".", "",
    permissions: permissions, called: path)
}

/// Creates a file that was not there.
private func createFile(
  _ start: String, _ end: String, permissions: mode_t, called name: String? = nil
) throws(WriteError) -> (path: String, descriptor: Int32) {
  for _ in 0..<100 {
    let middle = String(UInt64.random(in: UInt64.min...UInt64.max), radix: 36)
    let path = start + middle + end
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
    if descriptor >= 0 { return (path, descriptor) }
    if errno != EEXIST { break }
  }
  throw WriteError(.open, "\(name ?? start + end): \(systemErrorText(errno))")
}
