import OSMModel
import Synchronization
import Testing

@testable import OverpassClient

@Suite struct CancellationTests {
  @Test func callsHandlersOnce() {
    let cancellation = Cancellation()
    let calls = Atomic<Int>(0)
    cancellation.onCancel({ calls.wrappingAdd(1, ordering: .relaxed) }) {
      #expect(!cancellation.isCancelled)
      cancellation.cancel()
      cancellation.cancel()
    }
    #expect(cancellation.isCancelled)
    #expect(calls.load(ordering: .relaxed) == 1)
  }

  @Test func callsLateHandlersAtOnce() {
    let cancellation = Cancellation()
    cancellation.cancel()
    let calls = Atomic<Int>(0)
    cancellation.onCancel({ calls.wrappingAdd(1, ordering: .relaxed) }) {
      #expect(calls.load(ordering: .relaxed) == 1)
    }
  }

  @Test func forgetsHandlersOfWorkThatIsDone() {
    let cancellation = Cancellation()
    let calls = Atomic<Int>(0)
    cancellation.onCancel({ calls.wrappingAdd(1, ordering: .relaxed) }) {}
    cancellation.cancel()
    #expect(calls.load(ordering: .relaxed) == 0)
  }

  @Test func wakesWhoWaits() {
    let cancellation = Cancellation()
    let thread = WorkerThread { cancellation.wait(seconds: 600) }
    cancellation.cancel()
    thread?.join()
    #expect(thread != nil)
  }
}
