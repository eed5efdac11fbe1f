// The driver OVERPASS: opens answers of the Overpass API, and asks servers for them.
#include "dataset.h"
#include "identify.h"
#include "source.h"

namespace overpass {

namespace {

bool fileExists(const std::string &path) {
  VSIStatBufL about;
  return VSIStatExL(path.c_str(), &about, VSI_STAT_EXISTS_FLAG) == 0;
}

/** Whether a file that might have been ours is another's: told without an error, so that GDAL goes on
 *  asking other drivers. */
bool isForeign(opk_status status) {
  return status == OPK_ERR_DECODE_NOT_OVERPASS || status == OPK_ERR_DECODE_FORMAT ||
         status == OPK_ERR_DECODE_SYNTAX;
}

Response read(GDALOpenInfo *info, const Options &options, opk_error &error) {
  if (!STARTS_WITH_CI(info->pszFilename, prefix))
    return readFile(info->pszFilename, info->fpL, options, error);
  const Source source = parseSource(info->pszFilename + strlen(prefix));
  if (isServer(source.place) && !source.query.empty()) return ask(source, options, error);

  error.status = OPK_ERR_MISUSE;
  if (isServer(source.place))
    CPLStrlcpy(error.message, "no query: OVERPASS:SERVER|QUERY", sizeof error.message);
  else if (source.query.empty() || fileExists(source.place + "|" + source.query))
    return readFile(info->pszFilename + strlen(prefix), nullptr, options, error);
  else if (fileExists(source.place))
    CPLStrlcpy(error.message, "queries are answered by servers, not yet from local files",
               sizeof error.message);
  else
    CPLStrlcpy(error.message,
               CPLSPrintf("%.100s is neither a server's URL nor the name of a known one",
                          source.place.c_str()),
               sizeof error.message);
  return nullptr;
}

GDALDataset *open(GDALOpenInfo *info) {
  const int certainty = identify(info);
  if (certainty == FALSE) return nullptr;
  if (info->eAccess == GA_Update) {
    CPLError(CE_Failure, CPLE_NotSupported, "The driver OVERPASS reads only");
    return nullptr;
  }
  Options options;
  if (!readOptions(info->papszOpenOptions, options)) return nullptr;
  opk_error error = OPK_ERROR_INIT;
  Response response = read(info, options, error);
  if (response == nullptr) {
    if (certainty == TRUE || !isForeign(error.status))
      CPLError(CE_Failure, CPLE_OpenFailed, "%s", message(error).c_str());
    return nullptr;
  }
  return Dataset::of(std::move(response), options).release();
}

}  // namespace

}  // namespace overpass

extern "C" __attribute__((visibility("default"))) void RegisterOGROVERPASS() {
  if (!GDAL_CHECK_VERSION("OGR/OVERPASS driver")) return;
  if (GDALGetDriverByName("OVERPASS") != nullptr) return;
  auto driver = new GDALDriver();
  driver->SetDescription("OVERPASS");
  driver->SetMetadataItem(GDAL_DCAP_VECTOR, "YES");
  driver->SetMetadataItem(GDAL_DCAP_OPEN, "YES");
  driver->SetMetadataItem(GDAL_DCAP_VIRTUALIO, "YES");
  driver->SetMetadataItem(GDAL_DMD_LONGNAME, "OpenStreetMap answers of the Overpass API");
  driver->SetMetadataItem(GDAL_DMD_EXTENSIONS, "json osm xml");
  driver->SetMetadataItem(GDAL_DMD_CONNECTION_PREFIX, overpass::prefix);
  driver->SetMetadataItem(GDAL_DMD_OPENOPTIONLIST, overpass::optionList);
  driver->SetMetadataItem(GDAL_DMD_SUPPORTED_SQL_DIALECTS, "OGRSQL SQLITE");
  driver->pfnIdentify = overpass::identify;
  driver->pfnOpen = overpass::open;
  GetGDALDriverManager()->RegisterDriver(driver);
}
