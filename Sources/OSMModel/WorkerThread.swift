// Threads of the platform, for work that is spread over processors.

/// A thread that runs one piece of work, to be joined or detached once.
package struct WorkerThread {
  private let thread: pthread_t

  /// How many threads pay on this machine. More than a few wait for memory.
  package static var usefulCount: Int { min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), 4) }

  /// Starts the work; `nil` when the system gives no thread.
  package init?(_ work: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(Work(work))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(
      &thread, nil,
      { context in
        #if canImport(Darwin)
          let raw = context
        #else
          guard let raw = context else { return nil }
        #endif
        Unmanaged<Work>.fromOpaque(raw).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    #if canImport(Darwin)
      guard status == 0, let started = thread else {
        context.release()
        return nil
      }
      self.thread = started
    #else
      guard status == 0 else {
        context.release()
        return nil
      }
      self.thread = thread
    #endif
  }

  /// Waits for the end of the work.
  package func join() { pthread_join(thread, nil) }

  /// Leaves the work alone.
  package func detach() { pthread_detach(thread) }
}

/// What a thread does, as an object that C can carry.
private final class Work: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
