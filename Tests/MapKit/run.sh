#!/usr/bin/env bash
# Compiles OverpassMapKit against stub modules named CoreLocation and MapKit, and checks what it makes.
# Without them the target is empty; then main.swift finds no OverpassMapKit types and does not compile.
#   SWIFT        the package manager; default swift
#   SWIFT_FLAGS  for the build of the modules, the same as of the test build to share it
set -eu
cd "$(dirname "$0")/../.."
out=$PWD/build/mapkit
rm -rf "$out"
mkdir -p "$out"
# shellcheck disable=SC2086
${SWIFT:-swift} build ${SWIFT_FLAGS:-} --target OverpassMapKit > "$out/build.log" 2>&1 || {
  cat "$out/build.log"
  exit 1
}
bin=$(${SWIFT:-swift} build --show-bin-path)
swiftc="$(dirname "$(command -v "${SWIFT:-swift}")")/swiftc -swift-version 6 -warnings-as-errors -Onone"
modules="OSMModel OverpassQuery OverpassDecoding OSMGeometry FeatureFormats MapStyling OverpassClient"
modules="$modules OverpassKit"

maps=""
for system in CZlib CBzip2 CExpat CArrow; do
  maps="$maps -Xcc -fmodule-map-file=$PWD/Sources/$system/module.modulemap"
done
# A target in C has its module's map among its objects.
maps="$maps -Xcc -fmodule-map-file=$bin/CTransport.build/module.modulemap"
objects=$(find "$bin/CTransport.build" -name '*.o' | tr '\n' ' ')
for module in $modules; do
  while read -r source; do
    objects="$objects $bin/$module.build/$(basename "$source").o"
  done < <(find "Sources/$module" -name '*.swift')
done

library() { # library MODULE FLAGS SOURCE...: MODULE.swiftmodule and MODULE.o in $out
  # shellcheck disable=SC2086
  $swiftc -parse-as-library -wmo -module-name "$1" -emit-module -emit-module-path "$out/$1.swiftmodule" \
    -c -o "$out/$1.o" -I "$out" $2 "${@:3}"
}
library CoreLocation "" Tests/MapKit/Stubs/CoreLocation.swift
library MapKit "" Tests/MapKit/Stubs/MapKit.swift
library OverpassMapKit "-I $bin/Modules $maps" Sources/OverpassMapKit/*.swift
# shellcheck disable=SC2086
$swiftc -module-name MapKitTest -I "$out" -I "$bin/Modules" $maps -o "$out/test" Tests/MapKit/main.swift \
  "$out"/CoreLocation.o "$out"/MapKit.o "$out"/OverpassMapKit.o $objects -lz -lbz2 -lexpat
"$out/test"
