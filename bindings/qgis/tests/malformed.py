"""Opens many broken answers in one QGIS. Run by test_malformed.py in PyQGIS.

malformed.py FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from qgis.core import (
    QgsApplication,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingUtils,
)

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "build" / "qgis")]
KINDS = ("POINTS", "LINES", "POLYGONS", "COLLECTIONS")


def main() -> None:
    application = QgsApplication([], False)
    application.initQgis()
    from overpasskit_qgis import classFactory

    plugin = classFactory(None)
    plugin.initProcessing()
    registry = QgsApplication.processingRegistry()
    told = []
    for file in sorted(each for each in Path(sys.argv[1]).rglob("*") if each.is_file()):
        context, feedback = QgsProcessingContext(), QgsProcessingFeedback()
        algorithm = registry.createAlgorithmById("overpasskit:openanswer")
        outputs = dict.fromkeys(KINDS, "TEMPORARY_OUTPUT")
        inputs = {"INPUT": str(file), "PARTIAL": True, "META": True, **outputs}
        results, is_good = algorithm.run(inputs, context, feedback)
        count = 0
        if is_good:
            layers = [
                QgsProcessingUtils.mapLayerFromString(results[each], context) for each in KINDS
            ]
            count = sum(each.featureCount() for each in layers)
            assert count == results["COUNT"], file
            del layers
        told.append([file.name, is_good, count, feedback.textLog()])
        del context, algorithm
    plugin.unload()
    print(json.dumps(told))
    sys.stdout.flush()
    application.exitQgis()


if __name__ == "__main__":
    main()
