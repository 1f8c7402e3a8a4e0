// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/http/Message.h"

#include <boost/json/object.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::http {

/// A member of a PATCH body: left out, null, or a value.
template <typename T>
struct Patched {
    bool isGiven = false;
    std::optional<T> value{}; ///< nothing where the member is null
};

/// Strict reading of a request body. Every taker remembers its key as known and returns a default where the member does not
/// fit; the first error met is what finish() gives, so a handler takes all it knows, then asks once:
///
///     auto body = JsonBody::parse(request);   // 400, 415
///     const std::string poolId = body->requireString("poolId");
///     const auto reason = body->optionalString("reason");
///     if (auto checked = body->finish(); !checked) { … }   // 422
///
/// Null is a value of the wrong type everywhere but in the patched… takers. Copies share one state. Not thread-safe.
class JsonBody {
public:
    static constexpr std::int64_t kMinInteger = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int64_t>::max();
    static constexpr std::size_t kMaxItems = 10'000;

    /// The body must be one JSON object, its Content-Type `application/json` or absent. Errors: `malformed_json` (400, with line
    /// and column), `duplicate_key` (400), `unsupported_media_type` (415).
    [[nodiscard]] static Result<JsonBody> parse(const Request& request);

    /// The same for calls whose members are all optional: an empty body is `{}`.
    [[nodiscard]] static Result<JsonBody> parseOrEmpty(const Request& request);

    // Errors of the takers: `missing_field`, `wrong_type`, `out_of_range`; all 422 with the field as in `moves[2].poolId`.

    std::string requireString(std::string_view key);
    std::optional<std::string> optionalString(std::string_view key);
    Patched<std::string> patchedString(std::string_view key);

    bool requireBool(std::string_view key);
    std::optional<bool> optionalBool(std::string_view key);
    Patched<bool> patchedBool(std::string_view key);

    /// 3.0 is an integer, 3.5 and 1e300 are not. Bounds are inclusive.
    std::int64_t requireInteger(std::string_view key, std::int64_t min = kMinInteger, std::int64_t max = kMaxInteger);
    std::optional<std::int64_t> optionalInteger(std::string_view key, std::int64_t min = kMinInteger, std::int64_t max = kMaxInteger);
    Patched<std::int64_t> patchedInteger(std::string_view key, std::int64_t min = kMinInteger, std::int64_t max = kMaxInteger);

    double requireNumber(
        std::string_view key, double min = -std::numeric_limits<double>::max(), double max = std::numeric_limits<double>::max());
    std::optional<double> optionalNumber(
        std::string_view key, double min = -std::numeric_limits<double>::max(), double max = std::numeric_limits<double>::max());
    Patched<double> patchedNumber(
        std::string_view key, double min = -std::numeric_limits<double>::max(), double max = std::numeric_limits<double>::max());

    /// Members of the object are taken from the result; this body's finish() covers it.
    JsonBody requireObject(std::string_view key);
    std::optional<JsonBody> optionalObject(std::string_view key);

    std::vector<JsonBody> requireObjects(std::string_view key, std::size_t maxItems = kMaxItems);
    std::optional<std::vector<JsonBody>> optionalObjects(std::string_view key, std::size_t maxItems = kMaxItems);

    std::vector<std::string> requireStrings(std::string_view key, std::size_t maxItems = kMaxItems);
    std::optional<std::vector<std::string>> optionalStrings(std::string_view key, std::size_t maxItems = kMaxItems);

    std::vector<std::int64_t> requireIntegers(
        std::string_view key, std::int64_t min = kMinInteger, std::int64_t max = kMaxInteger, std::size_t maxItems = kMaxItems);
    std::optional<std::vector<std::int64_t>> optionalIntegers(
        std::string_view key, std::int64_t min = kMinInteger, std::int64_t max = kMaxInteger, std::size_t maxItems = kMaxItems);

    /// The member as it is, null included; nullptr when it is not there. Makes the key known. Valid as long as a copy of this is.
    const boost::json::value* raw(std::string_view key);

    [[nodiscard]] bool has(std::string_view key) const;
    /// The whole object, for bodies whose keys are data.
    [[nodiscard]] const boost::json::object& object() const;
    /// The field name to use in an error about this key: `moves[2].poolId`.
    [[nodiscard]] std::string fieldOf(std::string_view key) const;

    /// Records a rule of the caller's own that `key` breaks, unless an error was met before.
    void refuse(std::string_view key, std::string code, std::string message);

    /// Unknown keys of this object are no error (node registration).
    void allowUnknown();

    /// The first error met; else the first key nobody asked for: `unknown_field`, with the nearest known name in the message.
    [[nodiscard]] Result<void> finish() const;

private:
    struct Document; // the value and the first error, shared by the objects of one body
    struct Node;     // one object of it

    explicit JsonBody(std::shared_ptr<Node> node)
        : m_node(std::move(node))
    {
    }

    [[nodiscard]] static Result<JsonBody> read(const Request& request, std::string_view text);
    [[nodiscard]] const boost::json::value* take(std::string_view key, bool required);
    JsonBody child(std::string field, const boost::json::object& object);
    void wrongType(std::string_view field, std::string_view expected, const boost::json::value& found);
    std::optional<std::int64_t> asInteger(const std::string& field, const boost::json::value& value, std::int64_t min, std::int64_t max);
    std::optional<double> asNumber(const std::string& field, const boost::json::value& value, double min, double max);
    std::optional<std::string> asString(const std::string& field, const boost::json::value& value);
    std::optional<bool> asBool(const std::string& field, const boost::json::value& value);
    std::optional<JsonBody> asObject(const std::string& field, const boost::json::value& value);

    template <typename T, typename Convert>
    std::optional<T> member(std::string_view key, bool required, Convert convert);
    template <typename T, typename Convert>
    Patched<T> patched(std::string_view key, Convert convert);
    template <typename T, typename Convert>
    std::optional<std::vector<T>> items(std::string_view key, bool required, std::size_t maxItems, Convert convert);

    std::shared_ptr<Node> m_node;
};

} // namespace weir::http
