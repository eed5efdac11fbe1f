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
for module in bindings/python/overpasskit/*.py; do
  case $module in
    # These need click and rich, which QGIS does not bring.
    */cli.py | */cli_*.py | */__main__.py | */_console.py | */_progress.py) ;;
    *) cp "$module" "$package" ;;
  esac
done
install -m 755 "build/lib/$soname" "$package/$soname"
python3 -m zipfile -c build/overpasskit_qgis.zip "$folder"
