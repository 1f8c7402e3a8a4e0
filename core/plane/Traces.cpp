// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/Traces.h"

#include "core/http/JsonText.h"

#include <array>
#include <boost/json/serialize.hpp>
#include <memory>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

namespace weir::plane {

store::AuditRow auditRow(const Actor& actor, const CommandTime& time, std::string_view action, std::string target, const boost::json::value& before,
    const boost::json::value& after, std::string reason)
{
    store::AuditRow row;
    row.at = time.wall;
    row.actor = actor.name;
    row.from = actor.from;
    row.action = action;
    row.target = std::move(target);
    row.before = before.is_null() ? std::string() : http::jsonText(before);
    row.after = after.is_null() ? std::string() : http::jsonText(after);
    row.reason = std::move(reason);
    row.outcome = "done";
    row.requestId = actor.requestId;
    row.source = actor.source;
    return row;
}

journal::Event eventBy(const Actor& actor, const CommandTime& time, journal::EventKind kind, std::string sentence)
{
    journal::Event event;
    event.at = time.wall;
    event.kind = kind;
    event.actor = actor.name;
    event.sentence = std::move(sentence);
    return event;
}

std::string sha256Hex(std::string_view text)
{
    // SHA256() looks its algorithm up at every call, which costs several times the digest of a token.
    static const EVP_MD* const kAlgorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    thread_local const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    const bool done = EVP_DigestInit_ex2(context.get(), kAlgorithm, nullptr) == 1 && EVP_DigestUpdate(context.get(), text.data(), text.size()) == 1
        && EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1;
    if (!done) {
        SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
    }
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex(digest.size() * 2, '0');
    for (std::size_t i = 0; i < digest.size(); ++i) {
        hex[2 * i] = kDigits[digest[i] >> 4U];
        hex[2 * i + 1] = kDigits[digest[i] & 0x0FU];
    }
    return hex;
}

std::string randomSecret(std::string_view prefix)
{
    std::array<unsigned char, 32> bytes{};
    if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
        return {}; // no randomness: callers refuse an empty secret
    }
    constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string text(prefix);
    unsigned buffer = 0;
    int bits = 0;
    for (const unsigned char byte : bytes) {
        buffer = (buffer << 8U) | byte;
        bits += 8;
        while (bits >= 6) {
            bits -= 6;
            text += kAlphabet[(buffer >> static_cast<unsigned>(bits)) & 0x3FU];
        }
    }
    text += kAlphabet[(buffer << static_cast<unsigned>(6 - bits)) & 0x3FU];
    return text;
}

namespace {

constexpr std::string_view kNodeSecret = "wns_";
constexpr std::string_view kLicenceCode = "wlc_";

// The random part holds no dot, ids may.
std::string_view idBetween(std::string_view text, std::string_view prefix)
{
    const std::size_t dot = text.rfind('.');
    const bool fits = text.starts_with(prefix) && dot != std::string_view::npos && dot > prefix.size();
    return fits ? text.substr(prefix.size(), dot - prefix.size()) : std::string_view();
}

} // namespace

std::string newNodeSecret(std::string_view nodeId)
{
    return randomSecret(std::string(kNodeSecret) + std::string(nodeId) + ".");
}

std::string newLicenceCode(std::string_view licenceId)
{
    return randomSecret(std::string(kLicenceCode) + std::string(licenceId) + ".");
}

std::string_view nodeIdIn(std::string_view secret)
{
    return idBetween(secret, kNodeSecret);
}

std::string_view licenceIdIn(std::string_view code)
{
    return idBetween(code, kLicenceCode);
}

bool equalInConstantTime(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

} // namespace weir::plane
