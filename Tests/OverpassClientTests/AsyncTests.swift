import OverpassDecoding
import Testing

@testable import OverpassClient

@Suite struct AsyncTests {
  @Test func fetchesWithoutBlocking() async throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    server.script(
      "status", [.answer("Rate limit: 2\n2 slots available now.\n", type: "text/plain")])
    let client = try server.client()
    let result = try await client.fetch(QueryRequest(someQuery))
    #expect(result.response.dataset.nodes.count == 1)
    let status = try await client.status()
    #expect(status.freeSlots == 2)
    let bytes = try await client.fetchBytes(QueryRequest(someQuery))
    #expect(bytes.content == Array(oneNode.utf8))
  }

  @Test func cancellingTheTaskCancelsTheQuery() async throws {
    let barrier = Barrier()
    let server = FakeServer { _ in barrier.pass() }
    server.script("interpreter", [.answer(oneNode)])
    let client = try server.client()
    let request = try QueryRequest(someQuery)
    let task = Task { () -> Bool in
      do throws(FetchError) {
        _ = try await client.fetch(request) { progress in
          if progress.phase == .running { withUnsafeCurrentTask { $0?.cancel() } }
          return true
        }
        return false
      } catch {
        guard case .cancelled = error.failure else { return false }
        return true
      }
    }
    while server.requests.isEmpty { await Task.yield() }
    task.cancel()
    barrier.open()
    #expect(await task.value)
  }
}
