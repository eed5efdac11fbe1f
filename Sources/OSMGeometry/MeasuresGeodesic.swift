// The inverse geodesic problem on WGS84: length of the shortest line between two positions, and the
// area between it and the equator. Source: C. F. F. Karney, "Algorithms for geodesics", J. Geodesy
// 87, 43–55, 2013, doi 10.1007/s00190-012-0578-z (section and equation numbers below), series to the
// sixth order in the flattening; steps as in the paper and its reference, GeographicLib.

import OSMModel

/// Six coefficients of a Fourier series.
private struct Series {
  var c1 = 0.0
  var c2 = 0.0
  var c3 = 0.0
  var c4 = 0.0
  var c5 = 0.0
  var c6 = 0.0

  /// Clenshaw's sum: its last two terms.
  @inline(__always)
  private func sum(_ x: Double) -> (Double, Double) {
    let b5 = x * c6 + c5
    let b4 = x * b5 - c6 + c4
    let b3 = x * b4 - b5 + c3
    let b2 = x * b3 - b4 + c2
    return (x * b2 - b3 + c1, b2)
  }

  /// `Σ cₗ sin 2lσ`, l = 1…6.
  @inline(__always)
  func sines(_ sine: Double, _ cosine: Double) -> Double {
    2 * sine * cosine * sum(2 * (cosine - sine) * (cosine + sine)).0
  }

  /// `Σ cₗ₊₁ cos (2l + 1)σ`, l = 0…5.
  @inline(__always)
  func cosines(_ sine: Double, _ cosine: Double) -> Double {
    let (last, before) = sum(2 * (cosine - sine) * (cosine + sine))
    return cosine * (last - before)
  }

  /// Distance: equation 18.
  static func distance(_ eps: Double) -> Series {
    let e2 = eps * eps
    let (e3, e4) = (e2 * eps, e2 * e2)
    return Series(
      c1: eps * ((6 - e2) * e2 - 16) / 32,
      c2: e2 * ((64 - 9 * e2) * e2 - 128) / 2048, c3: e3 * (9 * e2 - 16) / 768,
      c4: e4 * (3 * e2 - 5) / 512, c5: -7 * e4 * eps / 1280, c6: -7 * e4 * e2 / 2048)
  }

  /// Reduced length: equation 43.
  static func reducedLength(_ eps: Double) -> Series {
    let e2 = eps * eps
    let (e3, e4) = (e2 * eps, e2 * e2)
    return Series(
      c1: eps * ((e2 + 2) * e2 + 16) / 32, c2: e2 * ((35 * e2 + 64) * e2 + 384) / 2048,
      c3: e3 * (15 * e2 + 80) / 768, c4: e4 * (7 * e2 + 35) / 512, c5: 63 * e4 * eps / 1280,
      c6: 77 * e4 * e2 / 2048)
  }

  /// Longitude: equation 25 at the third flattening of WGS84.
  static func longitude(_ eps: Double) -> Series {
    let e2 = eps * eps
    let c1 =
      (((0.0234375 * eps + 0.03908873781853724) * eps + 0.04695366939653196) * eps
        + 0.12499964752736174) * eps + 0.24958019490340408
    let c2 =
      ((0.01953125 * eps + 0.02345061890926862) * eps + 0.046822392185686165) * eps
      + 0.062342661206936094
    let c3 = (0.013671875 * eps + 0.023393770302437927) * eps + 0.025963026642854565
    let c4 = 0.013671875 * eps + 0.01362595881755982
    return Series(
      c1: eps * c1, c2: e2 * c2, c3: e2 * eps * c3, c4: e2 * e2 * c4,
      c5: e2 * e2 * eps * 0.008203125)
  }

  /// Area: equation 63 at the third flattening of WGS84.
  static func area(_ eps: Double) -> Series {
    let e2 = eps * eps
    let c1a =
      ((0.00646020646020646 * eps + 0.0035037627212872787) * eps + 0.034742279454780166) * eps
      - 0.01921732223244865
    let c2a =
      ((0.000111000111000111 * eps + 0.003426620602971002) * eps - 0.009510765372597735) * eps
      - 0.01893413691235592
    let c3 =
      ((0.0007459207459207459 * eps - 0.004142006291321442) * eps - 0.00504225176309005) * eps
      + 0.007584982177746079
    let c4 =
      (-0.0021565735851450138 * eps - 0.001962613370670692) * eps + 0.0036104265913438913
    let c5 = -0.0009472009472009472 * eps + 0.0020416649913317735
    return Series(
      c1: (c1a * eps - 0.19923321555984239) * eps + 0.6662190894642603,
      c2: eps * (c2a * eps + 0.0221370239510936), c3: e2 * c3, c4: e2 * eps * c4,
      c5: e2 * e2 * c5, c6: e2 * e2 * eps * 0.0012916376552740189)
  }

  /// `A₁ - 1`: equation 17.
  static func distanceFactor(_ eps: Double) -> Double {
    let e2 = eps * eps
    return (e2 * (e2 * (e2 + 4) + 64) / 256 + eps) / (1 - eps)
  }

  /// `A₂ - 1`: equation 42.
  static func reducedLengthFactor(_ eps: Double) -> Double {
    let e2 = eps * eps
    return (e2 * (e2 * (-11 * e2 - 28) - 192) / 256 - eps) / (1 + eps)
  }

  /// `A₃`: equation 24.
  static func longitudeFactor(_ eps: Double) -> Double {
    var sum = -0.0234375 * eps - 0.046927475637074494
    sum = sum * eps - 0.06281503005876607
    sum = sum * eps - 0.2502088451303832
    sum = sum * eps - 0.49916038980680816
    return sum * eps + 1
  }
}

/// The sine and cosine of an angle.
private struct Direction {
  var sine: Double
  var cosine: Double

  init(_ sine: Double, _ cosine: Double) {
    self.sine = sine
    self.cosine = cosine
  }

  init(normalizing sine: Double, _ cosine: Double) {
    let norm = hypot(sine, cosine)
    self.init(sine / norm, cosine / norm)
  }
}

/// One inverse problem.
struct InverseGeodesic {
  /// Metres.
  private(set) var length = 0.0
  /// Square metres between the line and the equator, positive for eastward lines in the north.
  private(set) var area = 0.0

  // In canonical form (section 4): 0 ≤ east ≤ 180°, first latitude ≤ 0, |second| ≤ |first|.
  private let sign: Double
  private let isSwapped: Bool
  private let isWestward: Bool
  private let isNorthern: Bool
  private let eastE7: Int64
  private let lambda: Double
  private let east: Direction
  private let isFirstPole: Bool
  private var beta1: Direction
  private var beta2: Direction
  private let dn1: Double
  private let dn2: Double

  private var alpha1 = Direction(0, 1)
  private var alpha2 = Direction(0, 1)
  private var sigma1 = Direction(0, 1)
  private var sigma2 = Direction(0, 1)
  private var sigma = 0.0
  private var eps = 0.0
  private var omegaLag = 0.0

  private static let tiny = 1.4916681462400413e-154
  private static let tolerance = 2.220446049250313e-16
  private static let rootTolerance = 1.4901161193847656e-08

  /// - Parameter eastE7: the difference of the longitudes, within ±180°.
  init(
    latitudesE7 first: Int64, _ second: Int64, eastE7 signedEast: Int64, sines: (Double, Double),
    cosines: (Double, Double)
  ) {
    isSwapped = abs(first) < abs(second)
    isNorthern = (isSwapped ? second : first) > 0
    isWestward = signedEast < 0
    eastE7 = abs(signedEast)
    sign = (signedEast < 0) != isNorthern ? -1 : 1
    let (sine, cosine) = sineAndCosine(ofE7: eastE7)
    east = Direction(sine, cosine)
    lambda = Double(eastE7) * Ellipsoid.radiansPerE7
    isFirstPole = Swift.max(abs(first), abs(second)) == 900_000_000

    let flip = isNorthern ? -Ellipsoid.oneMinusFlattening : Ellipsoid.oneMinusFlattening
    beta1 = Direction(
      normalizing: flip * (isSwapped ? sines.1 : sines.0), isSwapped ? cosines.1 : cosines.0)
    beta2 = Direction(
      normalizing: flip * (isSwapped ? sines.0 : sines.1), isSwapped ? cosines.0 : cosines.1)
    beta1.cosine = Swift.max(InverseGeodesic.tiny, beta1.cosine)
    beta2.cosine = Swift.max(InverseGeodesic.tiny, beta2.cosine)
    if beta1.cosine < -beta1.sine {
      if beta2.cosine == beta1.cosine {
        beta2.sine = beta2.sine < 0 ? -abs(beta1.sine) : abs(beta1.sine)
      }
    } else if abs(beta2.sine) == -beta1.sine {
      beta2.cosine = beta1.cosine
    }
    dn1 = (1 + Ellipsoid.secondEccentricity2 * beta1.sine * beta1.sine).squareRoot()
    dn2 = (1 + Ellipsoid.secondEccentricity2 * beta2.sine * beta2.sine).squareRoot()
  }

  /// - Complexity: O(1); at most 84 steps, three in the mean.
  mutating func solve() {
    if isFirstPole || east.sine == 0, solveMeridian() {
      addArea(omega: nil)
    } else if beta1.sine == 0,
      Double(1_800_000_000 - eastE7) >= Ellipsoid.flattening * 1_800_000_000
    {
      alpha1 = Direction(1, 0)
      alpha2 = alpha1
      length = Ellipsoid.equatorialRadius * lambda
    } else if let omega = start() {
      addArea(omega: Direction(sin(omega), cos(omega)))
    } else {
      iterate()
      length = Ellipsoid.polarRadius * lengths().distance
      let (lagSine, lagCosine) = (sin(omegaLag), cos(omegaLag))
      addArea(
        omega: Direction(
          east.sine * lagCosine - east.cosine * lagSine,
          east.cosine * lagCosine + east.sine * lagSine))
    }
    area = sign * area + 0
  }

  /// The azimuth at the first position, in degrees clockwise from north, at least 0 and below 360.
  /// Call ``solve()`` first. On the meridian opposite, of the two shortest lines the eastward one.
  var azimuth: Double {
    let alpha = isSwapped ? alpha2 : alpha1
    let degrees =
      atan2(
        isWestward ? -alpha.sine : alpha.sine,
        isSwapped != isNorthern ? -alpha.cosine : alpha.cosine) * (180 / Double.pi)
    let positive = degrees < 0 ? degrees + 360 : degrees
    return positive < 360 ? positive + 0 : 0
  }

  private static func eps(_ k2: Double) -> Double {
    k2 / (2 * (1 + (1 + k2).squareRoot()) + k2)
  }

  private mutating func solveMeridian() -> Bool {
    alpha1 = east
    alpha2 = Direction(0, 1)
    sigma1 = Direction(beta1.sine, alpha1.cosine * beta1.cosine)
    sigma2 = Direction(beta2.sine, beta2.cosine)
    sigma = angle(from: sigma1, to: sigma2)
    eps = Ellipsoid.thirdFlattening
    let (distance, reduced) = lengths()
    guard sigma < InverseGeodesic.rootTolerance || reduced >= 0 else { return false }
    length = Swift.max(0, Ellipsoid.polarRadius * distance)
    return true
  }

  /// Not below zero, not even -0, which would turn 180° around.
  private func angle(from a: Direction, to b: Direction) -> Double {
    atan2(
      Swift.max(0, a.cosine * b.sine - a.sine * b.cosine) + 0, a.cosine * b.cosine + a.sine * b.sine
    )
  }

  /// Distance and reduced length in units of the polar radius: equations 7, 38 and 40.
  private func lengths() -> (distance: Double, reduced: Double) {
    let a1 = Series.distanceFactor(eps)
    let a2 = Series.reducedLengthFactor(eps)
    let c1 = Series.distance(eps)
    let c2 = Series.reducedLength(eps)
    let b1 =
      c1.sines(sigma2.sine, sigma2.cosine) - c1.sines(sigma1.sine, sigma1.cosine)
    let b2 =
      c2.sines(sigma2.sine, sigma2.cosine) - c2.sines(sigma1.sine, sigma1.cosine)
    let j = (a1 - a2) * sigma + ((1 + a1) * b1 - (1 + a2) * b2)
    let reduced =
      dn2 * (sigma1.cosine * sigma2.sine) - dn1 * (sigma1.sine * sigma2.cosine)
      - sigma1.cosine * sigma2.cosine * j
    return ((1 + a1) * (sigma + b1), reduced)
  }

  /// A first azimuth; for very short lines the solution, with the spherical longitude returned.
  private mutating func start() -> Double? {
    let sine12 = beta2.sine * beta1.cosine - beta2.cosine * beta1.sine
    let cosine12 = beta2.cosine * beta1.cosine + beta2.sine * beta1.sine
    let sineSum = beta2.sine * beta1.cosine + beta2.cosine * beta1.sine
    let isShort = cosine12 >= 0 && sine12 < 0.5 && beta2.cosine * lambda < 0.5
    var omega = east
    var omegaAngle = lambda
    var dnm = 1.0
    if isShort {
      let (sines, cosines) = (beta1.sine + beta2.sine, beta1.cosine + beta2.cosine)
      let mean2 = sines * sines / (sines * sines + cosines * cosines)
      dnm = (1 + Ellipsoid.secondEccentricity2 * mean2).squareRoot()
      omegaAngle = lambda / (Ellipsoid.oneMinusFlattening * dnm)
      omega = Direction(sin(omegaAngle), cos(omegaAngle))
    }
    var first = Direction(
      beta2.cosine * omega.sine,
      omega.cosine >= 0
        ? sine12 + beta2.cosine * beta1.sine * omega.sine * omega.sine / (1 + omega.cosine)
        : sineSum - beta2.cosine * beta1.sine * omega.sine * omega.sine / (1 - omega.cosine))
    let sigmaSine = hypot(first.sine, first.cosine)
    let sigmaCosine = beta1.sine * beta2.sine + beta1.cosine * beta2.cosine * omega.cosine
    if isShort, sigmaSine < 3.6424611488788524e-08 {
      if sigmaSine == 0 {
        length = 0
        return omegaAngle
      }
      alpha1 = Direction(normalizing: first.sine, first.cosine)
      alpha2 = Direction(
        normalizing: beta1.cosine * omega.sine,
        sine12 - beta1.cosine * beta2.sine * omega.sine * omega.sine / (1 + omega.cosine))
      sigma = atan2(sigmaSine, sigmaCosine)
      length = sigma * Ellipsoid.polarRadius * dnm
      return omegaAngle
    }
    let isNearAntipode =
      sigmaCosine < 0
      && sigmaSine < 6 * Ellipsoid.thirdFlattening * Double.pi * beta1.cosine * beta1.cosine
    if isNearAntipode { first = astroidStart(first, sineSum) }
    alpha1 =
      first.sine <= 0 ? Direction(1, 0) : Direction(normalizing: first.sine, first.cosine)
    return nil
  }

  /// Section 5: the azimuth of nearly antipodal positions.
  private func astroidStart(_ first: Direction, _ sineSum: Double) -> Direction {
    let rest = atan2(-east.sine, -east.cosine)
    let k2 = beta1.sine * beta1.sine * Ellipsoid.secondEccentricity2
    let scale =
      Ellipsoid.flattening * beta1.cosine * Series.longitudeFactor(InverseGeodesic.eps(k2))
      * Double.pi
    let x = rest / scale
    let y = sineSum / (scale * beta1.cosine)
    if y > -200 * InverseGeodesic.tolerance, x > -1 - 1000 * InverseGeodesic.rootTolerance {
      let sine = Swift.min(1, -x)
      return Direction(sine, -Swift.max(0, 1 - sine * sine).squareRoot())
    }
    let k = InverseGeodesic.astroid(x, y)
    let remainder = scale * (-x * k / (1 + k))
    let (sine, cosine) = (sin(remainder), -cos(remainder))
    return Direction(
      beta2.cosine * sine,
      sineSum - beta2.cosine * beta1.sine * sine * sine / (1 - cosine))
  }

  /// The positive root of `k⁴ + 2k³ - (x² + y² - 1) k² - 2y² k - y²`: equation 55.
  private static func astroid(_ x: Double, _ y: Double) -> Double {
    let (p, q) = (x * x, y * y)
    let r = (p + q - 1) / 6
    guard q != 0 || r > 0 else { return 0 }
    let s = p * q / 4
    let r3 = r * r * r
    let discriminant = s * (s + 2 * r3)
    var u = r
    if discriminant >= 0 {
      var t3 = s + r3
      t3 += t3 < 0 ? -discriminant.squareRoot() : discriminant.squareRoot()
      let t = cbrt(t3)
      u += t + (t != 0 ? r * r / t : 0)
    } else {
      u += 2 * r * cos(atan2((-discriminant).squareRoot(), -(s + r3)) / 3)
    }
    let v = (u * u + q).squareRoot()
    let uv = u < 0 ? q / (v - u) : u + v
    let w = (uv - q) / (2 * v)
    return uv / ((uv + w * w).squareRoot() + w)
  }

  /// Newton's method inside a bracket (section 4).
  private mutating func iterate() {
    var low = Direction(InverseGeodesic.tiny, 1)
    var high = Direction(InverseGeodesic.tiny, -1)
    var isNear = false
    var isBracketed = false
    for step in 0...83 {
      let usesNewton = step < 20
      let (error, slope) = hybrid(needsSlope: usesNewton)
      if isBracketed || !(abs(error) >= (isNear ? 8 : 1) * InverseGeodesic.tolerance) { return }
      if step == 83 { return }
      if error > 0, !usesNewton || alpha1.cosine / alpha1.sine > high.cosine / high.sine {
        high = alpha1
      } else if error < 0, !usesNewton || alpha1.cosine / alpha1.sine < low.cosine / low.sine {
        low = alpha1
      }
      if step < 19, slope > 0, abs(error / slope) < Double.pi {
        let change = -error / slope
        let (sine, cosine) = (sin(change), cos(change))
        let next = alpha1.sine * cosine + alpha1.cosine * sine
        if next > 0 {
          alpha1 = Direction(normalizing: next, alpha1.cosine * cosine - alpha1.sine * sine)
          isNear = abs(error) <= 16 * InverseGeodesic.tolerance
          continue
        }
      }
      alpha1 = Direction(
        normalizing: (low.sine + high.sine) / 2, (low.cosine + high.cosine) / 2)
      isNear = false
      isBracketed =
        abs(low.sine - alpha1.sine) + (low.cosine - alpha1.cosine) < InverseGeodesic.tolerance
        || abs(alpha1.sine - high.sine) + (alpha1.cosine - high.cosine)
          < InverseGeodesic.tolerance
    }
  }

  /// The line that leaves the first position by `alpha1`: how far from the second longitude it meets
  /// the second latitude, and how that changes with the azimuth.
  private mutating func hybrid(needsSlope: Bool) -> (error: Double, slope: Double) {
    if beta1.sine == 0, alpha1.cosine == 0 { alpha1.cosine = -InverseGeodesic.tiny }
    let sine0 = alpha1.sine * beta1.cosine
    let cosine0 = hypot(alpha1.cosine, alpha1.sine * beta1.sine)
    let omega1 = Direction(sine0 * beta1.sine, alpha1.cosine * beta1.cosine)
    sigma1 = Direction(normalizing: beta1.sine, omega1.cosine)
    let isMirrored = beta2.cosine == beta1.cosine && abs(beta2.sine) == -beta1.sine
    alpha2.sine = beta2.cosine != beta1.cosine ? sine0 / beta2.cosine : alpha1.sine
    let first = alpha1.cosine * beta1.cosine
    let difference =
      beta1.cosine < -beta1.sine
      ? (beta2.cosine - beta1.cosine) * (beta1.cosine + beta2.cosine)
      : (beta1.sine - beta2.sine) * (beta1.sine + beta2.sine)
    alpha2.cosine =
      isMirrored
      ? abs(alpha1.cosine) : Swift.max(0, first * first + difference).squareRoot() / beta2.cosine
    let omega2 = Direction(sine0 * beta2.sine, alpha2.cosine * beta2.cosine)
    sigma2 = Direction(normalizing: beta2.sine, omega2.cosine)
    sigma = angle(from: sigma1, to: sigma2)
    let sine12 = Swift.max(0, omega1.cosine * omega2.sine - omega1.sine * omega2.cosine) + 0
    let cosine12 = omega1.cosine * omega2.cosine + omega1.sine * omega2.sine
    let eta = atan2(
      sine12 * east.cosine - cosine12 * east.sine, cosine12 * east.cosine + sine12 * east.sine)
    eps = InverseGeodesic.eps(cosine0 * cosine0 * Ellipsoid.secondEccentricity2)
    let c3 = Series.longitude(eps)
    let b3 = c3.sines(sigma2.sine, sigma2.cosine) - c3.sines(sigma1.sine, sigma1.cosine)
    omegaLag = -Ellipsoid.flattening * Series.longitudeFactor(eps) * sine0 * (sigma + b3)
    guard needsSlope else { return (eta + omegaLag, 0) }
    let slope =
      alpha2.cosine == 0
      ? -2 * Ellipsoid.oneMinusFlattening * dn1 / beta1.sine
      : lengths().reduced * Ellipsoid.oneMinusFlattening / (alpha2.cosine * beta2.cosine)
    return (eta + omegaLag, slope)
  }

  /// Section 6. `omega`: the longitude on the auxiliary sphere, `nil` on a meridian.
  private mutating func addArea(omega: Direction?) {
    let sine0 = alpha1.sine * beta1.cosine
    let cosine0 = hypot(alpha1.cosine, alpha1.sine * beta1.sine)
    if sine0 != 0, cosine0 != 0 {
      let eps = InverseGeodesic.eps(cosine0 * cosine0 * Ellipsoid.secondEccentricity2)
      let c4 = Series.area(eps)
      let s1 = Direction(normalizing: beta1.sine, alpha1.cosine * beta1.cosine)
      let s2 = Direction(normalizing: beta2.sine, alpha2.cosine * beta2.cosine)
      let factor =
        Ellipsoid.equatorialRadius * Ellipsoid.equatorialRadius * Ellipsoid.eccentricity2
      area =
        factor * cosine0 * sine0
        * (c4.cosines(s2.sine, s2.cosine) - c4.cosines(s1.sine, s1.cosine))
    }
    var excess: Double
    if let omega, omega.cosine > -0.7071, beta2.sine - beta1.sine < 1.75 {
      let (d1, d2) = (1 + beta1.cosine, 1 + beta2.cosine)
      excess =
        2
        * atan2(
          omega.sine * (beta1.sine * d2 + beta2.sine * d1),
          (1 + omega.cosine) * (beta1.sine * beta2.sine + d1 * d2))
    } else {
      var sine = alpha2.sine * alpha1.cosine - alpha2.cosine * alpha1.sine
      var cosine = alpha2.cosine * alpha1.cosine + alpha2.sine * alpha1.sine
      if sine == 0, cosine < 0 {
        sine = InverseGeodesic.tiny * alpha1.cosine
        cosine = -1
      }
      excess = atan2(sine, cosine)
    }
    area += Ellipsoid.authalicRadius2 * excess
  }
}
