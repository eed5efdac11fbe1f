// Reads answers from files, plain or compressed, and from servers.
#include "source.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace overpass {

Source parseSource(const char *name) {
  const std::string text = name;
  const size_t bar = text.find('|');
  if (bar == std::string::npos) return {text, {}};
  return {text.substr(0, bar), text.substr(bar + 1)};
}

bool isServer(const std::string &place) {
  if (STARTS_WITH_CI(place.c_str(), "https://") || STARTS_WITH_CI(place.c_str(), "http://"))
    return true;
  for (size_t each = 0; each < opk_endpoint_count(); each++) {
    opk_endpoint endpoint = OPK_ENDPOINT_INIT;
    if (opk_endpoint_get(each, &endpoint) == OPK_OK && view(endpoint.name) == place) return true;
  }
  return false;
}

namespace {

opk_decode_options decodeOptions(const Options &options) {
  opk_decode_options decode = OPK_DECODE_OPTIONS_INIT;
  if (!options.strict) decode.flags = OPK_DECODE_ALLOW_TRUNCATED;
  decode.max_threads = uint32_t(std::max(0, atoi(CPLGetConfigOption("GDAL_NUM_THREADS", "0"))));
  return decode;
}

/** Decodes a file piece by piece, as it comes. */
Response readPortions(VSILFILE *file, const opk_decode_options &decode, opk_error &error) {
  opk_decoder *made = nullptr;
  if (opk_decoder_new(&decode, &made, &error) != OPK_OK) return nullptr;
  const Decoder decoder(made);
  std::vector<uint8_t> portion(1 << 20);
  while (const size_t count = VSIFReadL(portion.data(), 1, portion.size(), file))
    if (opk_decoder_push(made, portion.data(), count, &error) != OPK_OK) return nullptr;
  opk_response *response = nullptr;
  opk_decoder_finish(made, &response, &error);
  return Response(response);
}

/** Tells in the debug log how a query is getting on, and warns once when it has to wait. */
int32_t tellProgress(void *context, const opk_fetch_progress *progress) {
  auto &isWarned = *static_cast<bool *>(context);
  const std::string server(view(progress->endpoint));
  if (progress->phase == OPK_PHASE_WAITING && progress->last_error.ptr != nullptr && !isWarned) {
    isWarned = true;
    const std::string why(view(progress->last_error));
    if (std::isfinite(progress->wait_seconds))
      CPLError(CE_Warning, CPLE_AppDefined, "%s: %s; trying again in %.0f s", server.c_str(),
               why.c_str(), progress->wait_seconds);
    else
      CPLError(CE_Warning, CPLE_AppDefined, "%s: %s; waiting", server.c_str(), why.c_str());
  }
  CPLDebug("OVERPASS", "%s: phase %u, request %u, " CPL_FRMT_GUIB " bytes, " CPL_FRMT_GUIB " elements",
           server.c_str(), progress->phase, progress->attempt, GUIntBig(progress->bytes),
           GUIntBig(progress->elements));
  return 0;
}

}  // namespace

Response readFile(const std::string &path, VSILFILE *file, const Options &options,
                  opk_error &error) {
  const opk_decode_options decode = decodeOptions(options);
  // Files of the operating system are mapped, and decoded on several threads.
  VSIStatBufL about;
  if (!STARTS_WITH(path.c_str(), "/vsi") && VSIStatL(path.c_str(), &about) == 0 &&
      VSI_ISREG(about.st_mode)) {
    opk_response *response = nullptr;
    opk_response_decode_file(path.c_str(), &decode, &response, &error);
    return Response(response);
  }
  const bool isOwn = file == nullptr;
  if (isOwn) file = VSIFOpenL(path.c_str(), "rb");
  if (file == nullptr) {
    error.status = OPK_ERR_FILE_OPEN;
    CPLStrlcpy(error.message, CPLSPrintf("%.200s cannot be opened", path.c_str()),
               sizeof error.message);
    return nullptr;
  }
  VSIFSeekL(file, 0, SEEK_SET);
  Response response = readPortions(file, decode, error);
  if (isOwn) VSIFCloseL(file);
  return response;
}

Response ask(const Source &source, const Options &options, opk_error &error) {
  if (options.application.empty()) {
    error.status = OPK_ERR_CLIENT_APPLICATION;
    CPLStrlcpy(error.message,
               "servers want to know who asks: set the open option APP or the configuration option "
               "OVERPASS_APP to a name like \"my-app/1.0 (me@example.org)\"",
               sizeof error.message);
    return nullptr;
  }
  const char *endpoint = source.place.c_str();
  opk_client_options clientOptions = OPK_CLIENT_OPTIONS_INIT;
  clientOptions.application = options.application.c_str();
  clientOptions.endpoints = &endpoint;
  clientOptions.endpoint_count = 1;
  if (!options.cacheFolder.empty()) clientOptions.cache_folder = options.cacheFolder.c_str();
  clientOptions.cache_max_age_s = options.cacheMaxAge;
  clientOptions.max_wait_s = options.maxWait;
  opk_client *client = nullptr;
  if (opk_client_new(&clientOptions, &client, &error) != OPK_OK) return nullptr;
  const Client keptClient(client);

  const opk_decode_options decode = decodeOptions(options);
  bool isWarned = false;
  opk_fetch_options fetchOptions = OPK_FETCH_OPTIONS_INIT;
  fetchOptions.decode = &decode;
  fetchOptions.progress = tellProgress;
  fetchOptions.progress_context = &isWarned;
  opk_fetch *fetch = nullptr;
  if (opk_fetch_new(client, source.query.data(), source.query.size(), &fetchOptions, &fetch,
                    &error) != OPK_OK)
    return nullptr;
  const Fetch keptFetch(fetch);
  if (opk_fetch_run(fetch, &error) != OPK_OK) return nullptr;
  opk_response *response = nullptr;
  opk_fetch_response(fetch, &response, &error);
  return Response(response);
}

}  // namespace overpass
