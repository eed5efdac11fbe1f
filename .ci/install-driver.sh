#!/usr/bin/env bash
# Installs what `make plugins` built, where the GDAL at hand looks for drivers.
#   install-driver.sh PREFIX [DESTDIR]
# Beside the system's own prefixes that is PREFIX/lib/gdalplugins, which GDAL_DRIVER_PATH has to name.
set -eu
cd "$(dirname "$0")/.."
prefix=$1 root=${2:-}
minor=$(gdal-config --version | cut -d. -f1-2)
folder=$prefix/lib/gdalplugins/$minor
case $prefix in
  /usr | /usr/local)
    library=$(ldconfig -p | awk '/libgdal\.so\.[0-9]/ { print $NF; exit }')
    # The folder is compiled into GDAL.
    own=$(grep -aoE '/[A-Za-z0-9/._-]+/gdalplugins' "$library" | head -1 || true)
    # A folder of the version's name hides what lies beside it from GDAL.
    [ -z "$own" ] || folder=$own
    [ ! -d "$root$folder/$minor" ] || folder=$folder/$minor
    ;;
esac
install -d "$root$folder"
install -m 755 "build/gdal/gdalplugins/$minor/ogr_OVERPASS.so" "$root$folder/"
python=$root$prefix/share/overpasskit/gdal
install -d "$python/overpasskit"
install -m 644 bindings/gdal/python/ogr_OVERPASS.py "$python/"
install -m 644 bindings/python/overpasskit/*.py "$python/overpasskit/"
echo "the driver for GDAL $minor is in $folder"
