// Exports: what a server says beside or instead of data.

import COverpassKit
import OverpassKit

/// A message, with the texts C borrows from it.
struct MessageTexts: Sendable {
  let message: ServerMessage
  let category: StableText
  let text: StableText
  let statement: StableText?

  init(_ message: ServerMessage) {
    self.message = message
    category = StableText("\(message.category.name)")
    text = StableText(message.text)
    statement = message.statement.map(StableText.init)
  }

  func write(to out: UnsafeMutablePointer<opk_server_message>) {
    var result = unsafe opk_server_message()
    unsafe result.line = UInt32(clamping: message.line ?? 0)
    unsafe result.category = category.borrowed
    unsafe result.text = text.borrowed
    unsafe result.statement = statement?.borrowed ?? noText
    unsafe result.seconds = message.seconds.map { Int64($0) } ?? -1
    unsafe result.megabytes = message.megabytes.map { Int64($0) } ?? -1
    unsafe writeStruct(result, to: out)
  }
}

extension BoundaryError {
  init(_ error: AnswerError) {
    switch error {
    case .decode(let error): self.init(error)
    case .server(let error):
      let status =
        switch error.category {
        case .badRequest: OPK_ERR_SERVER_BAD_REQUEST
        case .rateLimited: OPK_ERR_SERVER_RATE_LIMITED
        case .tooBusy: OPK_ERR_SERVER_BUSY
        case .queryTimeout: OPK_ERR_SERVER_TIMEOUT
        case .outOfMemory: OPK_ERR_SERVER_MEMORY
        case .runtimeError: OPK_ERR_SERVER_RUNTIME
        default: OPK_ERR_SERVER_OTHER
        }
      self.init(status, error.text)
    }
  }
}

@_cdecl("opk_response_message_count") @implementation
public func opk_response_message_count(_ response: OpaquePointer!) -> Int {
  unsafe object(response, ResponseHandle.self)?.messages.count ?? 0
}

@_cdecl("opk_response_message") @implementation
public func opk_response_message(
  _ response: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_server_message>!
) -> opk_status {
  guard let handle = unsafe object(response, ResponseHandle.self), let out = unsafe out,
    handle.messages.indices.contains(index)
  else { return opk_status(OPK_ERR_MISUSE) }
  unsafe handle.messages[index].write(to: out)
  return opk_status(OPK_OK)
}

@_cdecl("opk_response_action_count") @implementation
public func opk_response_action_count(_ response: OpaquePointer!) -> Int {
  unsafe object(response, ResponseHandle.self)?.response.actions.count ?? 0
}

@_cdecl("opk_response_action") @implementation
public func opk_response_action(
  _ response: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_action>!
) -> opk_status {
  guard let response = unsafe object(response, ResponseHandle.self)?.response,
    let out = unsafe out, response.actions.indices.contains(index)
  else { return opk_status(OPK_ERR_MISUSE) }
  let action = response.actions[index]
  func place(_ element: ElementIndex?) -> Int64 {
    element.flatMap { response.dataset.position(of: $0) }.map { Int64($0) } ?? -1
  }
  var result = opk_action()
  result.kind = UInt32(action.kind.rawValue)
  result.old_index = place(action.old)
  result.new_index = place(action.new)
  unsafe writeStruct(result, to: out)
  return opk_status(OPK_OK)
}

/// What a reply means; `nil` for a good answer without remarks.
final class ReplyHandle: Sendable {
  let error: ServerError?
  let category: StableText?
  let messages: [MessageTexts]

  init(_ error: ServerError?) {
    self.error = error
    category = error.map { StableText("\($0.category.name)") }
    messages = (error?.messages ?? []).map(MessageTexts.init)
  }
}

@_cdecl("opk_reply_classify") @implementation
public func opk_reply_classify(
  _ http_status: Int32, _ content_type: UnsafePointer<CChar>!, _ body: UnsafePointer<UInt8>!,
  _ len: Int, _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard len >= 0, unsafe body != nil || len == 0 else { throw .misuse("body is NULL") }
    let type = unsafe content_type.map { unsafe String(cString: $0) }
    let bytes = unsafe UnsafeBufferPointer(start: body, count: len)
    let error = unsafe ServerError.classify(
      status: http_status == 0 ? nil : Int(http_status), contentType: type, body: bytes)
    unsafe out.pointee = makeHandle(ReplyHandle(error))
  }
}

@_cdecl("opk_reply_category") @implementation
public func opk_reply_category(_ reply: OpaquePointer!) -> opk_str {
  unsafe object(reply, ReplyHandle.self)?.category?.borrowed ?? noText
}

@_cdecl("opk_reply_is_retryable") @implementation
public func opk_reply_is_retryable(_ reply: OpaquePointer!) -> Int32 {
  unsafe object(reply, ReplyHandle.self)?.error?.category.isRetryable == true ? 1 : 0
}

@_cdecl("opk_reply_message_count") @implementation
public func opk_reply_message_count(_ reply: OpaquePointer!) -> Int {
  unsafe object(reply, ReplyHandle.self)?.messages.count ?? 0
}

@_cdecl("opk_reply_message") @implementation
public func opk_reply_message(
  _ reply: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_server_message>!
) -> opk_status {
  guard let handle = unsafe object(reply, ReplyHandle.self), let out = unsafe out,
    handle.messages.indices.contains(index)
  else { return opk_status(OPK_ERR_MISUSE) }
  unsafe handle.messages[index].write(to: out)
  return opk_status(OPK_OK)
}

@_cdecl("opk_reply_free") @implementation
public func opk_reply_free(_ reply: OpaquePointer!) { unsafe freeHandle(reply, ReplyHandle.self) }
