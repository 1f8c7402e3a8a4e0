// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/ProxyHeader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace weir::gateway {
namespace {

using Step = ProxyHeader::Step;

constexpr std::string_view kBeginV1 = "PROXY ";
constexpr std::string_view kBeginV2("\r\n\r\n\0\r\nQUIT\n", 12);
constexpr std::size_t kFixedV2 = 16; // signature, command, family, length
constexpr std::size_t kAddressesV4 = 12;
constexpr std::size_t kAddressesV6 = 36;
constexpr std::size_t kAddressesUnix = 216;
constexpr unsigned kTypeCrc = 0x03;

ProxyHeader failed(std::string_view fault)
{
    ProxyHeader header;
    header.step = Step::Failed;
    header.fault = fault;
    return header;
}

std::string_view takeWord(std::string_view& rest)
{
    const std::size_t space = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, space);
    rest.remove_prefix(std::min(space + 1, rest.size()));
    return word;
}

bool isPort(std::string_view text)
{
    unsigned value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isCanonical = text.size() == 1 || !text.starts_with('0');
    return !text.empty() && isCanonical && read.ec == std::errc() && read.ptr == text.data() + text.size() && value <= 65535;
}

ProxyHeader readAddressesV1(std::string_view line)
{
    const std::string_view family = takeWord(line);
    if (family == "UNKNOWN") {
        ProxyHeader header; // whatever follows is to be ignored
        header.step = Step::Done;
        return header;
    }
    if (family != "TCP4" && family != "TCP6") {
        return failed("the family is none of TCP4, TCP6 and UNKNOWN");
    }
    if (std::count(line.begin(), line.end(), ' ') != 3) {
        return failed("there must be two addresses and two ports, with one space between");
    }
    const std::string_view source = takeWord(line);
    const std::string_view destination = takeWord(line);
    const auto isOfFamily = [&](std::string_view text) { return (text.find(':') == std::string_view::npos) == (family == "TCP4"); };
    ProxyHeader header;
    header.source = IpAddress::parse(source);
    header.destination = IpAddress::parse(destination);
    if (!header.source || !header.destination || !isOfFamily(source) || !isOfFamily(destination)) {
        return failed("an address is not one of its family");
    }
    const std::string_view sourcePort = takeWord(line);
    if (!isPort(sourcePort) || !isPort(line)) {
        return failed("a port is not a number from 0 to 65535");
    }
    header.step = Step::Done;
    return header;
}

ProxyHeader readV1(std::string_view bytes)
{
    const std::string_view seen = bytes.substr(0, ProxyHeader::kMostV1);
    const auto isText = [](char c) { return c >= 0x20 && c < 0x7F; };
    const auto* const end = std::find_if_not(seen.begin(), seen.end(), isText);
    const auto length = static_cast<std::size_t>(end - seen.begin());
    if (length + 2 > ProxyHeader::kMostV1) {
        return failed("its line is longer than 107 bytes");
    }
    if (end == seen.end()) {
        return {};
    }
    const std::string_view behind = seen.substr(length, 2);
    if (behind == "\r") {
        return {};
    }
    if (behind != "\r\n") {
        return failed("the line does not end with CR LF, or holds what is not text");
    }
    ProxyHeader header = readAddressesV1(seen.substr(kBeginV1.size(), length - kBeginV1.size()));
    header.length = header.step == Step::Done ? length + 2 : 0;
    return header;
}

unsigned byteAt(std::string_view bytes, std::size_t at)
{
    return static_cast<unsigned char>(bytes[at]);
}

std::size_t shortAt(std::string_view bytes, std::size_t at)
{
    return byteAt(bytes, at) << 8U | byteAt(bytes, at + 1);
}

// CRC-32C (Castagnoli) of the header, with the four bytes at `hole` as zeros.
std::uint32_t checksumOf(std::string_view header, std::size_t hole)
{
    std::uint32_t sum = 0xFFFFFFFFU;
    for (std::size_t i = 0; i < header.size(); ++i) {
        sum ^= i >= hole && i < hole + 4 ? 0U : byteAt(header, i);
        for (int bit = 0; bit < 8; ++bit) {
            sum = sum >> 1U ^ ((sum & 1U) != 0 ? 0x82F63B78U : 0U);
        }
    }
    return ~sum;
}

// What stands behind the addresses from `at` on: type, length and value, again and again. A literal, empty when all is well.
std::string_view faultOfRest(std::string_view header, std::size_t at)
{
    while (at < header.size()) {
        if (header.size() - at < 3 || header.size() - at - 3 < shortAt(header, at + 1)) {
            return "an addition does not fit into the header";
        }
        const std::size_t value = at + 3;
        const std::size_t size = shortAt(header, at + 1);
        if (byteAt(header, at) == kTypeCrc) {
            if (size != 4 || checksumOf(header, value) != (shortAt(header, value) << 16U | shortAt(header, value + 2))) {
                return "the checksum is wrong";
            }
        }
        at = value + size;
    }
    return {};
}

IpAddress addressAt(std::string_view header, std::size_t at, bool isV4)
{
    if (isV4) {
        const auto part = [&](std::size_t i) { return static_cast<std::uint8_t>(byteAt(header, at + i)); };
        return IpAddress::v4(part(0), part(1), part(2), part(3));
    }
    IpAddress::Bytes bytes{};
    std::transform(header.begin() + static_cast<std::ptrdiff_t>(at), header.begin() + static_cast<std::ptrdiff_t>(at + bytes.size()),
        bytes.begin(), [](char c) { return static_cast<std::uint8_t>(c); });
    return IpAddress(bytes);
}

ProxyHeader readV2(std::string_view bytes)
{
    if (bytes.size() > 12 && byteAt(bytes, 12) != 0x20 && byteAt(bytes, 12) != 0x21) {
        return failed("version or command is unknown");
    }
    if (bytes.size() < kFixedV2) {
        return {};
    }
    const bool isLocal = byteAt(bytes, 12) == 0x20; // family and addresses are then to be ignored
    const unsigned family = byteAt(bytes, 13);
    const std::size_t size = shortAt(bytes, 14);
    if (kFixedV2 + size > ProxyHeader::kMostV2) {
        return failed("the header is longer than 4096 bytes");
    }
    const bool isKnown = family == 0x00 || family == 0x11 || family == 0x21 || family == 0x31;
    if (!isLocal && !isKnown) {
        return failed("the family is not one of connections");
    }
    const std::size_t addresses = isLocal || family == 0x00 ? 0
        : family == 0x11                                    ? kAddressesV4
        : family == 0x21                                    ? kAddressesV6
                                                            : kAddressesUnix;
    if (size < addresses) {
        return failed("the header is too short for its addresses");
    }
    if (bytes.size() < kFixedV2 + size) {
        return {};
    }
    const std::string_view whole = bytes.substr(0, kFixedV2 + size);
    ProxyHeader header;
    // Behind a LOCAL or an unspecified family there may be addresses of an unknown length: nothing there can be read.
    if (addresses > 0) {
        if (const std::string_view fault = faultOfRest(whole, kFixedV2 + addresses); !fault.empty()) {
            return failed(fault);
        }
    }
    if (addresses == kAddressesV4 || addresses == kAddressesV6) {
        const bool isV4 = addresses == kAddressesV4;
        header.source = addressAt(whole, kFixedV2, isV4);
        header.destination = addressAt(whole, kFixedV2 + (isV4 ? 4U : 16U), isV4);
    }
    header.step = Step::Done;
    header.length = whole.size();
    return header;
}

} // namespace

ProxyHeader readProxyHeader(std::string_view bytes)
{
    const auto begins = [&](std::string_view with) { return bytes.substr(0, with.size()) == with.substr(0, bytes.size()); };
    if (begins(kBeginV1)) {
        return bytes.size() < kBeginV1.size() ? ProxyHeader() : readV1(bytes);
    }
    if (begins(kBeginV2)) {
        return bytes.size() < kBeginV2.size() ? ProxyHeader() : readV2(bytes);
    }
    return failed("none came");
}

} // namespace weir::gateway
