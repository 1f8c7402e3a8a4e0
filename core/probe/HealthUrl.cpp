// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/HealthUrl.h"

#include <QByteArray>
#include <QString>
#include <QUrl>

#include <algorithm>

namespace weir::probe {
namespace {

constexpr std::size_t kMaxUrlBytes = 2048;

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Equal, where case means nothing before `pathAt` (scheme and host).
bool sameUrl(std::string_view given, std::string_view rewritten, std::size_t pathAt)
{
    return given.size() == rewritten.size() && given.substr(pathAt) == rewritten.substr(pathAt) &&
           std::equal(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(pathAt), rewritten.begin(),
               [](char a, char b) { return lower(a) == lower(b); });
}

bool hasControl(std::string_view text)
{
    return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

/// Where the authority of an http or https URL begins; npos for any other.
std::size_t authorityStart(std::string_view url)
{
    for (const std::string_view scheme : {std::string_view("http://"), std::string_view("https://")}) {
        if (url.size() >= scheme.size() && std::equal(scheme.begin(), scheme.end(), url.begin(), [](char a, char b) { return a == lower(b); })) {
            return scheme.size();
        }
    }
    return std::string_view::npos;
}

Result<std::size_t> checkBase(std::string_view base)
{
    if (hasControl(base)) {
        return fail("invalid_url", "the health address holds control characters", "base");
    }
    const std::size_t start = authorityStart(base);
    if (start == std::string_view::npos) {
        return fail("invalid_url", "the health address must begin with http:// or https://", "base");
    }
    if (base.find_first_of("?#") != std::string_view::npos) {
        return fail("invalid_url", "the health address must have no query and no fragment; those belong to the health path", "base");
    }
    const std::size_t end = std::min(base.find('/', start), base.size());
    const std::string_view authority = base.substr(start, end - start);
    if (authority.find('@') != std::string_view::npos) {
        return fail("invalid_url", "the health address must hold no user information", "base");
    }
    if (authority.empty() || authority.front() == ':') {
        return fail("invalid_url", "the health address has no host", "base");
    }
    return end;
}

} // namespace

Result<std::string> joinHealthUrl(std::string_view base, std::string_view path)
{
    const Result<std::size_t> pathAt = checkBase(base);
    if (!pathAt) {
        return tl::unexpected<Error>(pathAt.error());
    }
    if (path.empty() || path.front() != '/') {
        return fail("invalid_url", "the health path must begin with /", "path");
    }
    if (hasControl(path) || path.find('#') != std::string_view::npos) {
        return fail("invalid_url", "the health path must hold no fragment and no control characters", "path");
    }
    if (base.size() > *pathAt && base.back() == '/') {
        base.remove_suffix(1);
    }
    std::string joined = std::string(base) + std::string(path);
    if (joined.size() > kMaxUrlBytes) {
        return fail("invalid_url", "the health address is longer than 2048 bytes", "base");
    }
    const QUrl url = QUrl::fromEncoded(QByteArray::fromStdString(joined), QUrl::TolerantMode);
    if (!url.isValid() || url.host().isEmpty() || url.port(80) <= 0) {
        const std::string why = url.isValid() ? "host or port is missing" : url.errorString().toStdString();
        return fail("invalid_url", "the health address is no valid URL: " + why, "base");
    }
    const std::string rewritten = url.adjusted(QUrl::NormalizePathSegments).toEncoded(QUrl::FullyEncoded).toStdString();
    if (!sameUrl(joined, rewritten, *pathAt)) {
        return fail("url_not_canonical", "the health address would be sent as " + rewritten + "; write it that way",
            joined.substr(0, base.size()) == rewritten.substr(0, base.size()) ? "path" : "base");
    }
    return joined;
}

} // namespace weir::probe
