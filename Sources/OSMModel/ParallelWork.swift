// Work on independent parts of a range, spread over cores.

import Synchronization

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

/// Lets a few threads work on blocks of `0..<count` at the same time, and returns when all are done. A
/// thread that has finished a block takes the next one, so that costly blocks hold nobody up.
///
/// - Parameter work: what each thread does; `next` gives it blocks until there are none left.
package func inParallel(
  _ count: Int, blocksOf size: Int,
  _ work: @escaping @Sendable (_ next: () -> Range<Int>?) -> Void
) {
  guard count > 0 else { return }
  let size = min(max(size, 1), count)
  let blocks = count / size + (count % size > 0 ? 1 : 0)
  let started = Atomic<Int>(0)
  inParallel(min(blocks, WorkerThread.usefulCount), share: 1) { _ in
    work {
      let block = started.wrappingAdd(1, ordering: .relaxed).oldValue
      guard block < blocks else { return nil }
      return block * size..<(block == blocks - 1 ? count : (block + 1) * size)
    }
  }
}
