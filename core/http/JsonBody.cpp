// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/JsonBody.h"

#include "core/http/JsonReader.h"
#include "core/base/NearestName.h"

#include <algorithm>
#include <cmath>

namespace weir::http {
namespace {

namespace bj = boost::json;

std::string_view viewOf(const bj::string_view& text)
{
    return {text.data(), text.size()};
}

bool isJsonType(std::string_view contentType)
{
    const std::string_view type = trimmed(contentType.substr(0, contentType.find(';')));
    if (!equalsIgnoringCase(type, "application/json")) {
        return false;
    }
    while (true) {
        const std::size_t next = contentType.find(';');
        if (next == std::string_view::npos) {
            return true;
        }
        contentType.remove_prefix(next + 1);
        const std::string_view parameter = trimmed(contentType.substr(0, contentType.find(';')));
        constexpr std::string_view kCharset = "charset=";
        if (equalsIgnoringCase(parameter.substr(0, kCharset.size()), kCharset)) {
            const std::string_view charset = parameter.substr(kCharset.size());
            if (!equalsIgnoringCase(charset, "utf-8") && !equalsIgnoringCase(charset, "\"utf-8\"")) {
                return false;
            }
        }
    }
}

std::string_view kindOf(const bj::value& value)
{
    switch (value.kind()) {
    case bj::kind::null:
        return "null";
    case bj::kind::bool_:
        return "true or false";
    case bj::kind::int64:
    case bj::kind::uint64:
    case bj::kind::double_:
        return "a number";
    case bj::kind::string:
        return "a string";
    case bj::kind::array:
        return "an array";
    case bj::kind::object:
        return "an object";
    }
    return "something else";
}

std::string boundsSentence(const std::string& min, const std::string& max, bool hasMin, bool hasMax)
{
    if (hasMin && hasMax) {
        return "between " + min + " and " + max;
    }
    return hasMin ? "at least " + min : "at most " + max;
}

std::string shortNumber(double value)
{
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) {
        text.pop_back();
    }
    return text;
}

} // namespace

struct JsonBody::Document {
    bj::value value;
    std::optional<Error> error{};
};

struct JsonBody::Node {
    std::shared_ptr<Document> document;
    const bj::object* object = nullptr;
    std::string prefix{}; // "moves[2]."
    std::vector<std::string> known{};
    std::vector<std::shared_ptr<Node>> children{};
    bool unknownAllowed = false;

    // The first key nobody asked for, depth first.
    std::optional<Error> firstUnknown() const
    {
        for (const auto& member : *object) {
            const std::string_view key = viewOf(member.key());
            if (unknownAllowed || std::find(known.begin(), known.end(), key) != known.end()) {
                continue;
            }
            const std::string near = nearestName(key, known);
            std::string message = "'" + std::string(key) + "' is not a field of this call";
            message += near.empty() ? "." : "; did you mean '" + near + "'?";
            return Error{"unknown_field", std::move(message), prefix + std::string(key)};
        }
        for (const auto& child : children) {
            if (auto error = child->firstUnknown()) {
                return error;
            }
        }
        return std::nullopt;
    }
};

Result<JsonBody> JsonBody::parse(const Request& request)
{
    return read(request, request.body);
}

Result<JsonBody> JsonBody::parseOrEmpty(const Request& request)
{
    return read(request, request.body.empty() ? std::string_view("{}") : std::string_view(request.body));
}

Result<JsonBody> JsonBody::read(const Request& request, std::string_view text)
{
    const std::string_view type = request.header("Content-Type");
    if (!type.empty() && !isJsonType(type)) {
        return fail("unsupported_media_type", "The body must be application/json in UTF-8.");
    }
    if (text.empty()) {
        return fail("malformed_json", "The body is empty; a JSON object is expected.");
    }
    auto value = readJson(text);
    if (!value) {
        return tl::unexpected(std::move(value.error()));
    }
    if (!value->is_object()) {
        return fail("malformed_json", "The body is " + std::string(kindOf(*value)) + "; a JSON object is expected.");
    }
    auto document = std::make_shared<Document>(Document{std::move(*value)});
    const bj::object* object = &document->value.get_object();
    return JsonBody(std::make_shared<Node>(Node{std::move(document), object}));
}

const bj::value* JsonBody::raw(std::string_view key)
{
    if (std::find(m_node->known.begin(), m_node->known.end(), key) == m_node->known.end()) {
        m_node->known.emplace_back(key);
    }
    return m_node->object->if_contains(bj::string_view(key.data(), key.size()));
}

const bj::value* JsonBody::take(std::string_view key, bool required)
{
    const bj::value* value = raw(key);
    if (!value && required) {
        refuse(key, "missing_field", "'" + fieldOf(key) + "' is missing.");
    }
    return value;
}

bool JsonBody::has(std::string_view key) const
{
    return m_node->object->contains(bj::string_view(key.data(), key.size()));
}

const bj::object& JsonBody::object() const
{
    return *m_node->object;
}

std::string JsonBody::fieldOf(std::string_view key) const
{
    return m_node->prefix + std::string(key);
}

void JsonBody::refuse(std::string_view key, std::string code, std::string message)
{
    if (!m_node->document->error) {
        m_node->document->error = Error{std::move(code), std::move(message), fieldOf(key)};
    }
}

void JsonBody::wrongType(std::string_view field, std::string_view expected, const bj::value& found)
{
    if (!m_node->document->error) {
        const std::string name(field);
        m_node->document->error =
            Error{"wrong_type", "'" + name + "' must be " + std::string(expected) + ", not " + std::string(kindOf(found)) + ".", name};
    }
}

void JsonBody::allowUnknown()
{
    m_node->unknownAllowed = true;
}

Result<void> JsonBody::finish() const
{
    if (m_node->document->error) {
        return tl::unexpected(*m_node->document->error);
    }
    if (auto error = m_node->firstUnknown()) {
        return tl::unexpected(std::move(*error));
    }
    return {};
}

JsonBody JsonBody::child(std::string field, const bj::object& object)
{
    auto node = std::make_shared<Node>(Node{m_node->document, &object, std::move(field) + "."});
    m_node->children.push_back(node);
    return JsonBody(std::move(node));
}

std::optional<std::string> JsonBody::asString(const std::string& field, const bj::value& value)
{
    if (const bj::string* text = value.if_string()) {
        return std::string(text->data(), text->size());
    }
    wrongType(field, "a string", value);
    return std::nullopt;
}

std::optional<bool> JsonBody::asBool(const std::string& field, const bj::value& value)
{
    if (const bool* flag = value.if_bool()) {
        return *flag;
    }
    wrongType(field, "true or false", value);
    return std::nullopt;
}

std::optional<std::int64_t> JsonBody::asInteger(const std::string& field, const bj::value& value, std::int64_t min, std::int64_t max)
{
    if (!value.is_number()) {
        wrongType(field, "a whole number", value);
        return std::nullopt;
    }
    constexpr double kExact = 9007199254740992.0; // 2^53: above, a double does not say which integer was meant
    std::optional<std::int64_t> number;
    bool isWhole = true;
    if (const std::int64_t* exact = value.if_int64()) {
        number = *exact;
    } else if (const double* real = value.if_double()) {
        isWhole = std::trunc(*real) == *real;
        if (isWhole && std::abs(*real) <= kExact) {
            number = static_cast<std::int64_t>(*real);
        }
    }
    if (!isWhole) {
        wrongType(field, "a whole number", value);
        return std::nullopt;
    }
    if (!number || *number < min || *number > max) {
        if (!m_node->document->error) {
            const std::string bounds =
                boundsSentence(std::to_string(min), std::to_string(max), min != kMinInteger, max != kMaxInteger || min == kMinInteger);
            m_node->document->error = Error{"out_of_range", "'" + field + "' must be " + bounds + ".", field};
        }
        return std::nullopt;
    }
    return number;
}

std::optional<double> JsonBody::asNumber(const std::string& field, const bj::value& value, double min, double max)
{
    if (!value.is_number()) {
        wrongType(field, "a number", value);
        return std::nullopt;
    }
    const double number = value.to_number<double>();
    if (!std::isfinite(number) || number < min || number > max) {
        if (!m_node->document->error) {
            constexpr double kLargest = std::numeric_limits<double>::max();
            const std::string bounds =
                boundsSentence(shortNumber(min), shortNumber(max), min != -kLargest, max != kLargest || min == -kLargest);
            m_node->document->error = Error{"out_of_range", "'" + field + "' must be " + bounds + ".", field};
        }
        return std::nullopt;
    }
    return number;
}

std::optional<JsonBody> JsonBody::asObject(const std::string& field, const bj::value& value)
{
    if (const bj::object* object = value.if_object()) {
        return child(field, *object);
    }
    wrongType(field, "an object", value);
    return std::nullopt;
}

template <typename T, typename Convert>
std::optional<T> JsonBody::member(std::string_view key, bool required, Convert convert)
{
    const bj::value* value = take(key, required);
    return value ? convert(fieldOf(key), *value) : std::optional<T>();
}

template <typename T, typename Convert>
Patched<T> JsonBody::patched(std::string_view key, Convert convert)
{
    const bj::value* value = take(key, false);
    if (!value) {
        return {};
    }
    return {true, value->is_null() ? std::optional<T>() : convert(fieldOf(key), *value)};
}

template <typename T, typename Convert>
std::optional<std::vector<T>> JsonBody::items(std::string_view key, bool required, std::size_t maxItems, Convert convert)
{
    const bj::value* value = take(key, required);
    if (!value) {
        return std::nullopt;
    }
    const std::string field = fieldOf(key);
    const bj::array* array = value->if_array();
    if (!array) {
        wrongType(field, "an array", *value);
        return std::nullopt;
    }
    if (array->size() > maxItems) {
        refuse(key, "out_of_range", "'" + field + "' may have at most " + std::to_string(maxItems) + " items.");
        return std::nullopt;
    }
    std::vector<T> taken;
    taken.reserve(array->size());
    for (std::size_t i = 0; i < array->size(); ++i) {
        std::optional<T> item = convert(field + "[" + std::to_string(i) + "]", (*array)[i]);
        if (!item) {
            return std::nullopt;
        }
        taken.push_back(std::move(*item));
    }
    return taken;
}

std::string JsonBody::requireString(std::string_view key)
{
    return member<std::string>(key, true, [this](const auto& field, const auto& value) { return asString(field, value); }).value_or("");
}

std::optional<std::string> JsonBody::optionalString(std::string_view key)
{
    return member<std::string>(key, false, [this](const auto& field, const auto& value) { return asString(field, value); });
}

Patched<std::string> JsonBody::patchedString(std::string_view key)
{
    return patched<std::string>(key, [this](const auto& field, const auto& value) { return asString(field, value); });
}

bool JsonBody::requireBool(std::string_view key)
{
    return member<bool>(key, true, [this](const auto& field, const auto& value) { return asBool(field, value); }).value_or(false);
}

std::optional<bool> JsonBody::optionalBool(std::string_view key)
{
    return member<bool>(key, false, [this](const auto& field, const auto& value) { return asBool(field, value); });
}

Patched<bool> JsonBody::patchedBool(std::string_view key)
{
    return patched<bool>(key, [this](const auto& field, const auto& value) { return asBool(field, value); });
}

std::int64_t JsonBody::requireInteger(std::string_view key, std::int64_t min, std::int64_t max)
{
    return member<std::int64_t>(key, true, [&](const auto& field, const auto& value) {
        return asInteger(field, value, min, max);
    }).value_or(0);
}

std::optional<std::int64_t> JsonBody::optionalInteger(std::string_view key, std::int64_t min, std::int64_t max)
{
    return member<std::int64_t>(key, false, [&](const auto& field, const auto& value) { return asInteger(field, value, min, max); });
}

Patched<std::int64_t> JsonBody::patchedInteger(std::string_view key, std::int64_t min, std::int64_t max)
{
    return patched<std::int64_t>(key, [&](const auto& field, const auto& value) { return asInteger(field, value, min, max); });
}

double JsonBody::requireNumber(std::string_view key, double min, double max)
{
    return member<double>(key, true, [&](const auto& field, const auto& value) { return asNumber(field, value, min, max); }).value_or(0.0);
}

std::optional<double> JsonBody::optionalNumber(std::string_view key, double min, double max)
{
    return member<double>(key, false, [&](const auto& field, const auto& value) { return asNumber(field, value, min, max); });
}

Patched<double> JsonBody::patchedNumber(std::string_view key, double min, double max)
{
    return patched<double>(key, [&](const auto& field, const auto& value) { return asNumber(field, value, min, max); });
}

JsonBody JsonBody::requireObject(std::string_view key)
{
    static const bj::object kEmpty;
    auto object = member<JsonBody>(key, true, [this](const auto& field, const auto& value) { return asObject(field, value); });
    return object ? *object : child(fieldOf(key), kEmpty);
}

std::optional<JsonBody> JsonBody::optionalObject(std::string_view key)
{
    return member<JsonBody>(key, false, [this](const auto& field, const auto& value) { return asObject(field, value); });
}

std::vector<JsonBody> JsonBody::requireObjects(std::string_view key, std::size_t maxItems)
{
    return items<JsonBody>(key, true, maxItems, [this](const auto& field, const auto& value) {
        return asObject(field, value);
    }).value_or(std::vector<JsonBody>());
}

std::optional<std::vector<JsonBody>> JsonBody::optionalObjects(std::string_view key, std::size_t maxItems)
{
    return items<JsonBody>(key, false, maxItems, [this](const auto& field, const auto& value) { return asObject(field, value); });
}

std::vector<std::string> JsonBody::requireStrings(std::string_view key, std::size_t maxItems)
{
    return items<std::string>(key, true, maxItems, [this](const auto& field, const auto& value) {
        return asString(field, value);
    }).value_or(std::vector<std::string>());
}

std::optional<std::vector<std::string>> JsonBody::optionalStrings(std::string_view key, std::size_t maxItems)
{
    return items<std::string>(key, false, maxItems, [this](const auto& field, const auto& value) { return asString(field, value); });
}

std::vector<std::int64_t> JsonBody::requireIntegers(std::string_view key, std::int64_t min, std::int64_t max, std::size_t maxItems)
{
    return items<std::int64_t>(key, true, maxItems, [&](const auto& field, const auto& value) {
        return asInteger(field, value, min, max);
    }).value_or(std::vector<std::int64_t>());
}

std::optional<std::vector<std::int64_t>> JsonBody::optionalIntegers(
    std::string_view key, std::int64_t min, std::int64_t max, std::size_t maxItems)
{
    return items<std::int64_t>(
        key, false, maxItems, [&](const auto& field, const auto& value) { return asInteger(field, value, min, max); });
}

} // namespace weir::http
