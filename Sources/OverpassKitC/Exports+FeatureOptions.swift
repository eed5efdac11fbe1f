// Exports: how elements become features, and the rules that come with the library.

import COverpassKit
import OverpassKit

func featureOptions(_ opt: UnsafePointer<opk_feature_options>?) throws(BoundaryError)
  -> FeatureOptions
{
  let given = try unsafe readOptions(opt, over: opk_feature_options())
  guard let rawPoints = unsafe UInt8(exactly: given.points),
    let nodes = NodeSelection(rawValue: rawPoints)
  else { throw .misuse(unsafe "there is no choice of points \(given.points)") }
  var options = unsafe FeatureOptions(profile: try profile(given.profile), nodes: nodes)
  for key in try unsafe texts(
    given.uninteresting_keys, given.uninteresting_key_count, "uninteresting_keys")
  {
    options.uninterestingTags.append(UninterestingTag(key))
  }
  switch unsafe Int(given.repair) {
  case OPK_REPAIR_LARGEST: options.repair = .largest
  case OPK_REPAIR_NONE: options.repair = .none
  case OPK_REPAIR_FULL: options.repair = .full
  default: throw .misuse(unsafe "there is no repair \(given.repair)")
  }
  switch unsafe Int(given.antimeridian) {
  case OPK_ANTIMERIDIAN_PROFILE: break
  case OPK_ANTIMERIDIAN_CUT: options.cutsAntimeridian = true
  case OPK_ANTIMERIDIAN_KEEP: options.cutsAntimeridian = false
  default: throw .misuse(unsafe "there is no choice of the antimeridian \(given.antimeridian)")
  }
  let flags = unsafe Int(given.flags)
  options.collectsOtherRelations = flags & OPK_FEATURES_COLLECTIONS != 0
  options.keepsInvalidRings = flags & OPK_FEATURES_RAW_RINGS != 0
  options.omitsParts = flags & OPK_FEATURES_OMIT_PARTS != 0
  if flags & OPK_FEATURES_DRAW_BOUNDS != 0 { options.drawsBounds = true }
  options.followsRoundabouts = flags & OPK_FEATURES_FOLLOW_ROUNDABOUTS != 0
  options.rolesDecideStrayRings = flags & OPK_FEATURES_STRAY_RINGS == 0
  if let text = unsafe given.area_rules {
    do throws(TagRulesError) {
      options.areaRules = unsafe try AreaRules(parsing: String(cString: text))
    } catch {
      throw unreadable("area rules", error)
    }
  }
  if let text = unsafe given.uninteresting_tags {
    do throws(TagRulesError) {
      options.uninteresting = unsafe try UninterestingTags(parsing: String(cString: text))
    } catch {
      throw unreadable("uninteresting tags", error)
    }
  }
  return options
}

private func unreadable(_ what: String, _ error: TagRulesError) -> BoundaryError {
  var fault = BoundaryError.misuse("\(what) that cannot be read")
  fault.line = error.line
  return fault
}

private func profile(_ number: UInt32) throws(BoundaryError) -> FeatureProfile {
  guard let raw = UInt8(exactly: number), let profile = FeatureProfile(rawValue: raw) else {
    throw .misuse("there is no profile \(number)")
  }
  return profile
}

@_cdecl("opk_area_rules") @implementation
public func opk_area_rules(
  _ number: UInt32, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    unsafe out.pointee = unsafe makeHandle(BytesHandle(try profile(number).areaRules.json))
  }
}

@_cdecl("opk_uninteresting_tags") @implementation
public func opk_uninteresting_tags(
  _ number: UInt32, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    unsafe out.pointee = unsafe makeHandle(BytesHandle(try profile(number).uninterestingTags.json))
  }
}
