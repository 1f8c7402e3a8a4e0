// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/modules/Credentials.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <charconv>

namespace weir::gateway {
namespace {

constexpr std::string_view kScheme = "pbkdf2-sha256$";
constexpr std::size_t kHashBytes = 32;
constexpr std::size_t kSaltBytes = 16;
constexpr std::size_t kLongestHeader = 1024;

int digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::optional<std::string> fromHex(std::string_view text)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
        if (digit(text[i]) < 0 || digit(text[i + 1]) < 0) {
            return std::nullopt;
        }
        bytes += static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1]));
    }
    return text.size() % 2 == 0 && !bytes.empty() ? std::optional(bytes) : std::nullopt;
}

std::string toHex(std::string_view bytes)
{
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        text += kDigits[static_cast<unsigned char>(c) >> 4];
        text += kDigits[static_cast<unsigned char>(c) & 0xf];
    }
    return text;
}

std::string random(std::size_t count)
{
    std::string bytes(count, '\0');
    if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1) {
        bytes.clear();
    }
    return bytes;
}

std::string derive(std::string_view password, std::string_view salt, unsigned iterations)
{
    std::string hash(kHashBytes, '\0');
    const int done = PKCS5_PBKDF2_HMAC(password.data(), static_cast<int>(password.size()),
        reinterpret_cast<const unsigned char*>(salt.data()), static_cast<int>(salt.size()), static_cast<int>(iterations), EVP_sha256(),
        static_cast<int>(hash.size()), reinterpret_cast<unsigned char*>(hash.data()));
    return done == 1 ? hash : std::string();
}

std::string keyedHash(std::string_view key, std::string_view text)
{
    std::string hash(EVP_MAX_MD_SIZE, '\0');
    unsigned length = 0;
    HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
        reinterpret_cast<unsigned char*>(hash.data()), &length);
    hash.resize(length);
    return hash;
}

std::optional<std::string> fromBase64(std::string_view text)
{
    static constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    while (text.ends_with('=')) {
        text.remove_suffix(1);
    }
    std::string bytes;
    unsigned bits = 0;
    unsigned count = 0;
    for (const char c : text) {
        const std::size_t value = kAlphabet.find(c);
        if (value == std::string_view::npos) {
            return std::nullopt;
        }
        bits = (bits << 6 | static_cast<unsigned>(value)) & 0xFFFFU;
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> count & 0xFFU);
        }
    }
    return bytes;
}

bool isSame(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

// "Basic " in any case.
bool isBasic(std::string_view authorization)
{
    constexpr std::string_view kWord = "basic ";
    if (authorization.size() < kWord.size() || authorization.size() > kLongestHeader) {
        return false;
    }
    for (std::size_t i = 0; i < kWord.size(); ++i) {
        if ((authorization[i] | 0x20) != kWord[i] && authorization[i] != kWord[i]) {
            return false;
        }
    }
    return true;
}

} // namespace

bool Credentials::add(std::string name, std::string_view stored)
{
    if (!stored.starts_with(kScheme)) {
        return false;
    }
    stored.remove_prefix(kScheme.size());
    const std::size_t first = stored.find('$');
    const std::size_t second = stored.find('$', first == std::string_view::npos ? first : first + 1);
    if (second == std::string_view::npos) {
        return false;
    }
    Secret secret;
    const auto [end, error] = std::from_chars(stored.data(), stored.data() + first, secret.iterations);
    const auto salt = fromHex(stored.substr(first + 1, second - first - 1));
    const auto hash = fromHex(stored.substr(second + 1));
    if (error != std::errc{} || end != stored.data() + first || secret.iterations < kLeastIterations || secret.iterations > kMostIterations
        || !salt || !hash || hash->size() != kHashBytes) {
        return false;
    }
    secret.salt = *salt;
    secret.hash = *hash;
    if (m_key.empty()) {
        m_key = random(kHashBytes);
    }
    return m_secrets.emplace(std::move(name), std::move(secret)).second;
}

std::optional<std::string> Credentials::check(std::string_view authorization, std::int64_t second)
{
    if (!isBasic(authorization)) {
        return std::nullopt;
    }
    std::string key = keyedHash(m_key, authorization);
    if (const auto known = m_known.find(key); known != m_known.end()) {
        return known->second;
    }
    const auto text = fromBase64(authorization.substr(6));
    const std::size_t colon = text ? text->find(':') : std::string::npos;
    if (colon == std::string::npos) {
        return std::nullopt;
    }
    const auto secret = m_secrets.find(std::string_view(*text).substr(0, colon));
    if (second != m_second) {
        m_second = second;
        m_checks = 0;
    }
    if (secret == m_secrets.end() || m_key.empty() || ++m_checks > kMostChecks) {
        return std::nullopt;
    }
    const std::string hash = derive(std::string_view(*text).substr(colon + 1), secret->second.salt, secret->second.iterations);
    if (!isSame(hash, secret->second.hash)) {
        return std::nullopt;
    }
    if (m_known.size() >= kMostKnown) {
        m_known.clear();
    }
    m_known.emplace(std::move(key), secret->first);
    return secret->first;
}

std::string Credentials::stored(std::string_view password, unsigned iterations)
{
    const std::string salt = random(kSaltBytes);
    return std::string(kScheme) + std::to_string(iterations) + '$' + toHex(salt) + '$' + toHex(derive(password, salt, iterations));
}

} // namespace weir::gateway
