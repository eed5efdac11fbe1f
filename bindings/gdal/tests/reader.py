"""Reads files by osgeo.ogr: jobs as JSON from the standard input, a line of JSON for each."""

from __future__ import annotations

import json
import sys
from typing import Any

from osgeo import gdal, ogr


def feature_of(feature: Any) -> dict[str, Any]:
    geometry = feature.GetGeometryRef()
    fields = {}
    for index in range(feature.GetFieldCount()):
        if feature.IsFieldSetAndNotNull(index):
            definition = feature.GetFieldDefnRef(index)
            if definition.GetType() == ogr.OFTInteger64:
                value = feature.GetFieldAsInteger64(index)
            elif definition.GetType() == ogr.OFTInteger:
                value = feature.GetFieldAsInteger(index)
            else:
                value = feature.GetFieldAsString(index)
            fields[definition.GetName()] = value
    return {
        "fid": feature.GetFID(),
        "fields": fields,
        "wkb": bytes(geometry.ExportToWkb(ogr.wkbNDR)).hex() if geometry else None,
    }


def layer_of(layer: Any, job: dict[str, Any]) -> dict[str, Any]:
    definition = layer.GetLayerDefn()
    if "where" in job:
        assert layer.SetAttributeFilter(job["where"]) == 0
    if "box" in job:
        layer.SetSpatialFilterRect(*job["box"])
    if "shape" in job:
        layer.SetSpatialFilter(ogr.CreateGeometryFromWkt(job["shape"]))
    if "ignored" in job:
        assert layer.SetIgnoredFields(job["ignored"]) == 0
    names = ("FastFeatureCount", "RandomRead", "FastSetNextByIndex", "StringsAsUTF8", "FastGetExtent")
    result = {
        "geometry": ogr.GeometryTypeToName(layer.GetGeomType()),
        "fields": {
            field.GetName(): field.GetTypeName() + f"/{field.GetSubType()}"
            for field in map(definition.GetFieldDefn, range(definition.GetFieldCount()))
        },
        "count": layer.GetFeatureCount(),
        "extent": layer.GetExtent() if layer.GetFeatureCount() else None,
        "capabilities": [name for name in names if layer.TestCapability(name)],
        "srs": layer.GetSpatialRef().GetAuthorityCode(None),
        "mapping": layer.GetSpatialRef().GetDataAxisToSRSAxisMapping(),
        "features": [feature_of(feature) for feature in layer],
    }
    if "fids" in job:
        picked = [layer.GetFeature(fid) for fid in job["fids"]]
        result["picked"] = [feature_of(feature) if feature else None for feature in picked]
    if "next" in job:
        code = layer.SetNextByIndex(job["next"])
        feature = layer.GetNextFeature()
        result["next"] = [code, feature_of(feature) if feature else None]
    return result


def main() -> None:
    messages: list[list[Any]] = []
    gdal.PushErrorHandler(lambda kind, code, text: messages.append([kind, text]))
    for job in json.load(sys.stdin):
        messages.clear()
        dataset = gdal.OpenEx(
            job["path"],
            gdal.OF_VECTOR,
            open_options=job.get("options", []),
            allowed_drivers=job.get("drivers", []),
        )
        found: dict[str, Any] = {"driver": None, "layers": {}, "metadata": {}}
        if dataset is not None:
            found["driver"] = dataset.GetDriver().ShortName
            found["metadata"] = dataset.GetMetadata()
            layers = map(dataset.GetLayer, range(dataset.GetLayerCount()))
            found["layers"] = {layer.GetName(): layer_of(layer, job) for layer in layers}
            found["missing"] = dataset.GetLayer(99) is None
        found["messages"] = list(messages)
        print(json.dumps(found))


main()
