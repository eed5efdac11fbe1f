// Work in blocks on several threads, whose results are taken in order.

import OSMModel

/// Makes blocks of output on worker threads while the calling thread takes them in order.
///
/// Workers run ahead by a few blocks only, so that memory stays bounded. Nothing but the calling
/// thread meets the sink.
final class OrderedBlocks<Worker: BlockWorker & ~Copyable>: @unchecked Sendable {
  private let blockCount: Int
  private let makeWorker: @Sendable () -> Worker
  private let lead: Int
  // All below is guarded by `mutex`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var nextBlock = 0
  private var taken = 0
  private var results: [Int: Worker.Block] = [:]
  private var isStopped = false

  /// - Parameters:
  ///   - blockCount: blocks are numbered from 0.
  ///   - lead: how many blocks may be made ahead of the one taken next.
  ///   - makeWorker: called on each worker thread.
  init(blockCount: Int, lead: Int, makeWorker: @escaping @Sendable () -> Worker) {
    self.blockCount = blockCount
    self.makeWorker = makeWorker
    self.lead = lead
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Makes all blocks on up to `threads` threads and gives each to `take`, in order. When `take`
  /// throws, no further block is begun. All threads have ended when this returns.
  func run<Failure: Error>(
    threads: Int, take: (consuming Worker.Block) throws(Failure) -> Void
  ) throws(Failure) {
    var started: [WorkerThread] = []
    for _ in 0..<threads {
      if let thread = WorkerThread({ self.runWorker() }) { started.append(thread) }
    }
    defer {
      stop()
      for thread in started { thread.join() }
    }
    guard !started.isEmpty else {
      // No thread is to be had: the calling thread does it all.
      var worker = makeWorker()
      for number in 0..<blockCount { try take(worker.makeBlock(number)) }
      return
    }
    for number in 0..<blockCount { try take(waitForBlock(number)) }
  }

  private func runWorker() {
    var worker = makeWorker()
    while let number = claimBlock() { deliver(worker.makeBlock(number), number) }
  }

  private func stop() {
    pthread_mutex_lock(mutex)
    isStopped = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  private func waitForBlock(_ number: Int) -> Worker.Block {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let block = results.removeValue(forKey: number) {
        taken = number + 1
        pthread_cond_broadcast(changed)
        return block
      }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// The number of the next block to make; `nil` when there is none left.
  private func claimBlock() -> Int? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isStopped, nextBlock < blockCount, nextBlock >= taken + lead {
      pthread_cond_wait(changed, mutex)
    }
    guard !isStopped, nextBlock < blockCount else { return nil }
    nextBlock += 1
    return nextBlock - 1
  }

  private func deliver(_ block: Worker.Block, _ number: Int) {
    pthread_mutex_lock(mutex)
    results[number] = block
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}

/// Makes blocks; each thread has one of its own.
protocol BlockWorker: ~Copyable, SendableMetatype {
  associatedtype Block: AnyObject
  mutating func makeBlock(_ number: Int) -> Block
}
