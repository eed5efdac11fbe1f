#!/usr/bin/env bash
# build/overpasskit_qgis.zip, which QGIS's plugin manager takes: the plugin, in it the Python package
# without its command, and in that the shared library. build/qgis/ holds the same unpacked.
set -eu
cd "$(dirname "$0")/.."
folder=build/qgis/overpasskit_qgis
package=$folder/overpasskit
soname=liboverpasskit.so.$(sed -n 's/^#define OPK_ABI_VERSION //p' include/overpasskit.h)
rm -rf build/qgis build/overpasskit_qgis.zip
mkdir -p "$package"
cp bindings/qgis/overpasskit_qgis/*.{py,svg,txt} "$folder"
cp LICENSE "$folder"
cp bindings/python/overpasskit/*.py "$package"
# Modules of the command need click and rich, which QGIS does not bring, or need each other.
needs='(from|import) (click|rich)'
while module=$(grep -lE "^($needs)\b" "$package"/*.py | head -n 1) && [ -n "$module" ]; do
  needs="$needs|from \.$(basename "$module" .py)"
  rm "$module"
done
install -m 755 "build/lib/$soname" "$package/$soname"
python3 -m zipfile -c build/overpasskit_qgis.zip "$folder"
