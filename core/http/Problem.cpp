// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Problem.h"

#include "core/http/JsonText.h"

#include <algorithm>
#include <array>

namespace weir::http {
namespace {

struct CodeStatus {
    std::string_view code;
    unsigned status;
};

// Sorted by code: looked up by bisection.
constexpr std::array kCodes{
    CodeStatus{"address_in_use", 503},
    CodeStatus{"bad_credential", 401},
    CodeStatus{"bad_response", 502},
    CodeStatus{"bad_token", 401},
    CodeStatus{"body_too_large", 413},
    CodeStatus{"builtin_pool", 409},
    CodeStatus{"connect_failed", 502},
    CodeStatus{"disabled", 403},
    CodeStatus{"disk_serial_mismatch", 409},
    CodeStatus{"duplicate_id", 409},
    CodeStatus{"duplicate_key", 400},
    CodeStatus{"expectation_failed", 417},
    CodeStatus{"forbidden", 403},
    CodeStatus{"headers_too_large", 431},
    CodeStatus{"impact_changed", 409},
    CodeStatus{"in_use", 409},
    CodeStatus{"internal", 500},
    CodeStatus{"invalid_config", 422},
    CodeStatus{"invalid_cursor", 422},
    CodeStatus{"invalid_id", 422},
    CodeStatus{"invalid_url", 422},
    CodeStatus{"invalid_value", 422},
    CodeStatus{"licence_exhausted", 403},
    CodeStatus{"licence_expired", 403},
    CodeStatus{"malformed_json", 400},
    CodeStatus{"malformed_request", 400},
    CodeStatus{"malformed_target", 400},
    CodeStatus{"method_not_allowed", 405},
    CodeStatus{"missing_field", 422},
    CodeStatus{"missing_token", 401},
    CodeStatus{"moved_meanwhile", 409},
    CodeStatus{"no_candidate", 503},
    CodeStatus{"no_health_address", 409},
    CodeStatus{"no_healthy_edge", 503},
    CodeStatus{"no_healthy_origin", 503},
    CodeStatus{"no_product", 404},
    CodeStatus{"no_randomness", 503},
    CodeStatus{"no_route", 404},
    CodeStatus{"node_timeout", 504},
    CodeStatus{"not_found", 404},
    CodeStatus{"out_of_range", 422},
    CodeStatus{"probe_timeout", 504},
    CodeStatus{"queue_full", 503},
    CodeStatus{"queue_timeout", 503},
    CodeStatus{"request_timeout", 408},
    CodeStatus{"reserved_id", 422},
    CodeStatus{"role_mismatch", 422},
    CodeStatus{"sentinel_pool", 422},
    CodeStatus{"session_replaced", 409},
    CodeStatus{"shed", 503},
    CodeStatus{"shutting_down", 503},
    CodeStatus{"store_behind", 503},
    CodeStatus{"store_busy", 503},
    CodeStatus{"store_damaged", 503},
    CodeStatus{"store_failed", 503},
    CodeStatus{"store_full", 503},
    CodeStatus{"store_unavailable", 503},
    CodeStatus{"timeout_exceeds_interval", 422},
    CodeStatus{"too_many_attempts", 429},
    CodeStatus{"too_many_connections", 503},
    CodeStatus{"too_many_streams", 503},
    CodeStatus{"unknown_alarm", 404},
    CodeStatus{"unknown_app", 404},
    CodeStatus{"unknown_binding", 404},
    CodeStatus{"unknown_field", 422},
    CodeStatus{"unknown_incident", 404},
    CodeStatus{"unknown_licence", 404},
    CodeStatus{"unknown_node", 404},
    CodeStatus{"unknown_owner", 422},
    CodeStatus{"unknown_pool", 422},
    CodeStatus{"unknown_session", 401},
    CodeStatus{"unknown_silence", 404},
    CodeStatus{"unknown_stream", 404},
    CodeStatus{"unknown_token", 404},
    CodeStatus{"unknown_user", 404},
    CodeStatus{"unknown_version", 404},
    CodeStatus{"unknown_webhook", 404},
    CodeStatus{"unscheduled_role", 422},
    CodeStatus{"unsupported_media_type", 415},
    CodeStatus{"url_not_allowed", 422},
    CodeStatus{"url_not_canonical", 422},
    CodeStatus{"wrong_type", 422},
};
static_assert(std::is_sorted(kCodes.begin(), kCodes.end(), [](const CodeStatus& a, const CodeStatus& b) { return a.code < b.code; }));

struct StatusPhrase {
    unsigned status;
    std::string_view phrase;
};

constexpr std::array kPhrases{
    StatusPhrase{200, "OK"},
    StatusPhrase{201, "Created"},
    StatusPhrase{202, "Accepted"},
    StatusPhrase{204, "No Content"},
    StatusPhrase{206, "Partial Content"},
    StatusPhrase{301, "Moved Permanently"},
    StatusPhrase{302, "Found"},
    StatusPhrase{303, "See Other"},
    StatusPhrase{304, "Not Modified"},
    StatusPhrase{307, "Temporary Redirect"},
    StatusPhrase{308, "Permanent Redirect"},
    StatusPhrase{400, "Bad Request"},
    StatusPhrase{401, "Unauthorized"},
    StatusPhrase{403, "Forbidden"},
    StatusPhrase{404, "Not Found"},
    StatusPhrase{405, "Method Not Allowed"},
    StatusPhrase{408, "Request Timeout"},
    StatusPhrase{409, "Conflict"},
    StatusPhrase{413, "Content Too Large"},
    StatusPhrase{415, "Unsupported Media Type"},
    StatusPhrase{417, "Expectation Failed"},
    StatusPhrase{422, "Unprocessable Content"},
    StatusPhrase{429, "Too Many Requests"},
    StatusPhrase{431, "Request Header Fields Too Large"},
    StatusPhrase{500, "Internal Server Error"},
    StatusPhrase{501, "Not Implemented"},
    StatusPhrase{502, "Bad Gateway"},
    StatusPhrase{503, "Service Unavailable"},
    StatusPhrase{504, "Gateway Timeout"},
    StatusPhrase{505, "HTTP Version Not Supported"},
};

} // namespace

Response json(unsigned status, const boost::json::value& value)
{
    Response response;
    response.status = status;
    response.body = jsonText(value);
    return response;
}

Response problem(unsigned status, const Error& error, const boost::json::object& extra)
{
    boost::json::object object;
    object.reserve(6 + extra.size());
    object["type"] = "about:blank";
    object["title"] = boost::json::string_view(reasonPhrase(status));
    object["status"] = status;
    object["code"] = error.code;
    object["detail"] = error.message;
    if (!error.field.empty()) {
        object["field"] = error.field;
    }
    for (const auto& member : extra) {
        object.insert(member);
    }
    Response response;
    response.status = status;
    response.contentType = "application/problem+json";
    response.body = jsonText(std::move(object));
    return response;
}

Response problem(const Error& error, const boost::json::object& extra)
{
    return problem(statusOf(error.code), error, extra);
}

unsigned statusOf(std::string_view code)
{
    const auto found =
        std::lower_bound(kCodes.begin(), kCodes.end(), code, [](const CodeStatus& a, std::string_view b) { return a.code < b; });
    return found != kCodes.end() && found->code == code ? found->status : 500;
}

std::string_view reasonPhrase(unsigned status) noexcept
{
    const auto found = std::find_if(kPhrases.begin(), kPhrases.end(), [&](const StatusPhrase& entry) { return entry.status == status; });
    return found == kPhrases.end() ? std::string_view() : found->phrase;
}

} // namespace weir::http
