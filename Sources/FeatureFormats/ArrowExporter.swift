// Features as an Arrow C stream: tables that analytic tools read where they lie. Source:
// https://arrow.apache.org/docs/format/CStreamInterface.html

internal import CArrow
import OSMGeometry
import OSMModel
import Synchronization

/// Hands features over as record batches with the columns `id`, `type`, chosen tags, `tags`, metadata
/// and `geometry` (WKB, GeoArrow's `geoarrow.wkb`, longitude first).
///
/// Features of which nothing can be drawn are left out.
public struct ArrowExporter: Sendable {
  public let features: FeatureSet
  public var options = ArrowOptions()
  /// What the schema tells about the answer.
  public var head = GeoJSONHead()
  /// How many bytes a column of a batch may have.
  var maximumBytes = Int(Int32.max)

  public init(_ features: FeatureSet) { self.features = features }

  /// Makes a stream, which may be read once.
  ///
  /// - Parameters:
  ///   - stream: room for a `struct ArrowArrayStream`, whose old content is not looked at. Filled
  ///     only when nothing is thrown; its user has to call its `release`.
  ///   - owner: lives as long as the stream, or any schema or array that came out of it.
  /// - Throws: ``ArrowError`` when the options ask for a column twice.
  public func export(to stream: UnsafeMutableRawPointer, keeping owner: AnyObject? = nil)
    throws(ArrowError)
  {
    let plan = try ArrowPlan(features, options, head, maximumBytes: maximumBytes)
    let state = ArrowStream(plan, owner)
    stream.assumingMemoryBound(to: ArrowArrayStream.self).initialize(
      to: ArrowArrayStream(
        get_schema: getSchema, get_next: getNext, get_last_error: getLastError,
        release: releaseStream, private_data: Unmanaged.passRetained(state).toOpaque()))
  }
}

/// What a stream has handed out, and what it holds ready. One thread at a time uses it.
private final class ArrowStream {
  let plan: ArrowPlan
  let owner: AnyObject
  private let blockSize: Int
  private var nextFeature = 0
  private var ready: [ArrowColumn] = []
  private var error: ArrowError?
  /// The message of the last failure, for as long as the stream lives or the next one comes.
  private(set) var message: UnsafeMutablePointer<CChar>?

  init(_ plan: ArrowPlan, _ owner: AnyObject?) {
    self.plan = plan
    self.owner = owner ?? plan
    // Small sets give smaller batches, so that each thread has something to do.
    let share = plan.features.count / (4 * WorkerThread.usefulCount)
    blockSize = max(min(plan.options.batchSize, max(share, 4096)), 1)
  }

  deinit { free(message) }

  /// The next batch; `nil` at the end.
  func next() throws(ArrowError) -> ArrowColumn? {
    while ready.isEmpty {
      if let error { throw error }
      guard nextFeature < plan.features.count else { return nil }
      makeReady()
    }
    return ready.removeFirst()
  }

  /// Makes some blocks of rows, on several threads where that pays.
  private func makeReady() {
    let (plan, start) = (plan, nextFeature)
    // A caller may ask for batches of any size.
    let (most, overflow) = blockSize.multipliedReportingOverflow(by: 4 * WorkerThread.usefulCount)
    let count = min(plan.features.count - start, overflow ? .max : most)
    let made = Mutex<[(start: Int, batches: ArrowBatches)]>([])
    inParallel(count, blocksOf: blockSize) { next in
      var builder = ArrowBatchBuilder(plan)
      while let block = next() {
        let batches = builder.makeBatches(start + block.lowerBound..<start + block.upperBound)
        made.withLock { $0.append((block.lowerBound, batches)) }
      }
    }
    nextFeature += count
    for (_, block) in made.withLock({ $0.sorted { $0.start < $1.start } }) where error == nil {
      ready += block.batches
      error = block.error
    }
  }

  func fail(_ error: ArrowError) {
    free(message)
    message = strdup(error.message)
  }
}

private func state(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> ArrowStream? {
  guard let raw = stream?.pointee.private_data else { return nil }
  return Unmanaged<ArrowStream>.fromOpaque(raw).takeUnretainedValue()
}

private func getSchema(
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ out: UnsafeMutablePointer<ArrowSchema>?
) -> Int32 {
  guard let state = state(stream), let out else { return EINVAL }
  state.plan.schema.export(to: out, keeping: state.owner)
  return 0
}

private func getNext(
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ out: UnsafeMutablePointer<ArrowArray>?
) -> Int32 {
  guard let state = state(stream), let out else { return EINVAL }
  // An array without a release function is the end of the stream.
  memset(out, 0, MemoryLayout<ArrowArray>.size)
  do throws(ArrowError) {
    if let batch = try state.next() { batch.export(to: out, keeping: state.owner) }
    return 0
  } catch {
    state.fail(error)
    return EOVERFLOW
  }
}

private func getLastError(_ stream: UnsafeMutablePointer<ArrowArrayStream>?)
  -> UnsafePointer<CChar>?
{
  UnsafePointer(state(stream)?.message)
}

private func releaseStream(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) {
  guard let stream, let raw = stream.pointee.private_data else { return }
  stream.pointee.release = nil
  stream.pointee.private_data = nil
  Unmanaged<ArrowStream>.fromOpaque(raw).release()
}
