// Work on independent parts of a range, spread over cores.

/// Calls `body` with parts of `0..<count` that together cover it, at the same time on a few threads,
/// and returns when all are done. Small ranges are done on the calling thread.
///
/// - Parameter share: how many numbers at least are worth a thread.
@usableFromInline
package func inParallel(
  _ count: Int, share: Int, _ body: @escaping @Sendable (Range<Int>) -> Void
) {
  let threads = min(WorkerThread.usefulCount, count / max(share, 1))
  guard threads > 1 else {
    if count > 0 { body(0..<count) }
    return
  }
  func part(_ number: Int) -> Range<Int> {
    count / threads * number..<(number == threads - 1 ? count : count / threads * (number + 1))
  }
  var started: [WorkerThread] = []
  for number in 1..<threads {
    let range = part(number)
    if let thread = WorkerThread({ body(range) }) { started.append(thread) } else { body(range) }
  }
  body(part(0))
  for thread in started { thread.join() }
}
