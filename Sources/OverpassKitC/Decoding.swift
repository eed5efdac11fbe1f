// How C asks for decoding: options, limits and a function to be told of progress.

import COverpassKit
import OverpassKit

/// The options of a call.
struct Decoding {
  var options = DecodeOptions()
  var progress: DecodeProgress.Handler?

  init(_ opt: UnsafePointer<opk_decode_options>?) throws(BoundaryError) {
    let given = try unsafe readOptions(opt, over: opk_decode_options())
    let known = UInt32(OPK_DECODE_ALLOW_TRUNCATED | OPK_DECODE_STRICT_TEXT)
    guard unsafe given.flags & ~known == 0 else { throw .misuse("unknown flags for decoding") }
    options.allowTruncated = unsafe given.flags & UInt32(OPK_DECODE_ALLOW_TRUNCATED) != 0
    options.strictText = unsafe given.flags & UInt32(OPK_DECODE_STRICT_TEXT) != 0
    if unsafe given.max_bytes > 0 { options.maximumBytes = unsafe Int(clamping: given.max_bytes) }
    if unsafe given.max_depth > 0 {
      guard unsafe given.max_depth <= DecodeOptions.largestDepth else {
        throw .misuse("max_depth is \(DecodeOptions.largestDepth) at most")
      }
      options.maximumDepth = unsafe Int(given.max_depth)
    }
    if unsafe given.max_elements > 0 {
      options.maximumElements = unsafe Int(clamping: given.max_elements)
    }
    if unsafe given.max_text_bytes > 0 {
      options.maximumTextBytes = unsafe Int(clamping: given.max_text_bytes)
    }
    options.maximumThreads = unsafe Int(clamping: given.max_threads)
    guard let function = unsafe given.progress else { return }
    let context = unsafe given.progress_context
    progress = { progress in
      var told = opk_decode_progress()
      told.struct_size = UInt32(MemoryLayout<opk_decode_progress>.size)
      told.bytes = UInt64(clamping: progress.bytes)
      told.total_bytes = UInt64(clamping: progress.totalBytes ?? 0)
      told.elements = UInt64(clamping: progress.elements)
      return unsafe function(context, &told) == 0
    }
  }
}
