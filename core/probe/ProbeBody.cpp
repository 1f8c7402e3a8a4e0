// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/ProbeBody.h"

#include <boost/json.hpp>

#include <array>
#include <cmath>
#include <cstdint>

namespace weir::probe {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxTextBytes = 4096;
constexpr std::size_t kMaxFieldBytes = 1024;
constexpr std::size_t kMaxDeps = 64;
constexpr std::size_t kMaxDepth = 32;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

/// Length of the well-formed UTF-8 sequence at the front of `text` (RFC 3629); 0 if there is none.
std::size_t sequenceLength(std::string_view text)
{
    const auto at = [&](std::size_t i) -> unsigned { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const unsigned first = at(0);
    const auto tail = [&](std::size_t i) { return (at(i) & 0xC0U) == 0x80U; };
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xC2 && first <= 0xDF) {
        return tail(1) ? 2 : 0;
    }
    if (first >= 0xE0 && first <= 0xEF) {
        const bool second = first == 0xE0 ? at(1) >= 0xA0 : (first == 0xED ? at(1) < 0xA0 : true);
        return tail(1) && tail(2) && second ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool second = first == 0xF0 ? at(1) >= 0x90 : (first == 0xF4 ? at(1) < 0x90 : true);
        return tail(1) && tail(2) && tail(3) && second ? 4 : 0;
    }
    return 0;
}

bool isControl(std::string_view sequence)
{
    const auto first = static_cast<unsigned char>(sequence.front());
    if (sequence.size() == 1) {
        return first < 0x20 || first == 0x7F;
    }
    return sequence.size() == 2 && first == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0; // U+0080 to U+009F
}

/// UTF-8 of at most `limit` bytes: white space becomes a space, other control characters and bad bytes U+FFFD.
std::string cleaned(std::string_view bytes, std::size_t limit)
{
    std::string out;
    while (!bytes.empty()) {
        const std::size_t length = sequenceLength(bytes);
        std::string_view piece = length == 0 ? kReplacement : bytes.substr(0, length);
        const char first = bytes.front();
        if (length == 1 && (first == '\n' || first == '\r' || first == '\t')) {
            piece = " ";
        } else if (length != 0 && isControl(piece)) {
            piece = kReplacement;
        }
        if (out.size() + piece.size() > limit) {
            break;
        }
        out += piece;
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

std::string textOf(const json::object& object, std::string_view key)
{
    const json::value* value = object.if_contains(key);
    const json::string* text = value == nullptr ? nullptr : value->if_string();
    return text == nullptr ? std::string() : cleaned(std::string_view(text->data(), text->size()), kMaxFieldBytes);
}

ProbeBody fieldsOf(const json::object& object)
{
    ProbeBody body;
    body.status = textOf(object, "status");
    body.reason = textOf(object, "reason");
    if (const json::value* disk = object.if_contains("disk_free_gb"); disk != nullptr && disk->is_number()) {
        json::error_code error;
        const double value = disk->to_number<double>(error);
        if (!error && std::isfinite(value)) {
            body.diskFreeGb = value;
        }
    }
    const json::value* deps = object.if_contains("deps");
    if (const json::object* names = deps == nullptr ? nullptr : deps->if_object(); names != nullptr) {
        for (const json::key_value_pair& dep : *names) {
            if (dep.value().is_bool() && body.deps.size() < kMaxDeps) {
                body.deps.emplace_back(cleaned(std::string_view(dep.key().data(), dep.key().size()), kMaxFieldBytes), dep.value().get_bool());
            }
        }
    }
    return body;
}

} // namespace

ProbeBody readProbeBody(std::string_view bytes)
{
    json::parse_options options;
    options.max_depth = kMaxDepth;
    json::error_code error;
    // Of a prober's work per answer, a tree of small allocations was a good part; most bodies fit here.
    std::array<unsigned char, 2048> room; // NOLINT: written before it is read
    json::monotonic_resource memory(room.data(), room.size());
    const json::value value = json::parse(bytes, error, &memory, options);
    if (!error && value.is_object()) {
        return fieldsOf(value.get_object());
    }
    ProbeBody body;
    body.text = cleaned(bytes, kMaxTextBytes);
    return body;
}

} // namespace weir::probe
