// Handles: Swift objects that C holds by an opaque pointer.

import Synchronization

/// How many handles C holds. The library's only shared state; tests read it to find leaks.
private let liveHandles = Atomic<Int>(0)

func liveHandleCount() -> Int { liveHandles.load(ordering: .relaxed) }

func countHandle() { liveHandles.wrappingAdd(1, ordering: .relaxed) }

func discountHandle() { liveHandles.wrappingSubtract(1, ordering: .relaxed) }

/// Gives an object to C, which owns it from now on.
func makeHandle<Object: AnyObject>(_ object: Object) -> OpaquePointer {
  countHandle()
  return unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

/// The object behind a handle; `nil` for NULL.
func object<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) -> Object? {
  unsafe handle.map {
    unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
  }
}

/// Takes a handle back from C.
func freeHandle<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
  guard let handle = unsafe handle else { return }
  unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
  discountHandle()
}
