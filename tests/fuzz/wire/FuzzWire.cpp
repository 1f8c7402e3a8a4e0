// SPDX-License-Identifier: GPL-3.0-or-later
#include "FuzzWire.h"

#include "core/http/RequestParser.h"
#include "core/probe/AnswerParser.h"
#include "core/probe/ProbeBody.h"
#include "tests/fuzz/wire/FuzzRule.h"

#include <array>
#include <string>
#include <tuple>
#include <vector>

namespace weir::fuzz {
namespace {

constexpr std::size_t kMaxBody = 4096;
constexpr std::size_t kMaxHeader = 2048;

/// What a stream of bytes is read as: its requests, and the error that ended it.
struct Reading {
    std::vector<std::tuple<std::string, std::string, std::string, http::NamedValues>> requests;
    std::string error;

    friend bool operator==(const Reading&, const Reading&) = default;
};

Reading readRequests(std::string_view bytes, std::size_t piece)
{
    Reading reading;
    http::RequestParser parser(kMaxBody, kMaxHeader);
    std::string unread;
    for (std::size_t at = 0; at < bytes.size() && reading.error.empty(); at += piece) {
        unread.append(bytes.substr(at, piece));
        std::string_view input = unread;
        while (!input.empty() && reading.error.empty()) {
            const std::size_t before = input.size();
            const http::RequestParser::Step step = parser.feed(input);
            require(input.size() <= before, "a parser never gives back more than it got");
            if (step == http::RequestParser::Step::NeedMore) {
                break;
            }
            if (step == http::RequestParser::Step::Complete) {
                http::Request request = parser.take();
                require(request.body.size() <= kMaxBody, "a body is within its bound");
                require(!request.method.empty() && !request.target.empty(), "a request has a method and a target");
                reading.requests.emplace_back(request.method, request.target, request.body, request.headers);
            } else if (step == http::RequestParser::Step::Failed) {
                reading.error = parser.error().code;
                require(!reading.error.empty(), "a refusal has a code");
            }
        }
        unread = std::string(input);
    }
    return reading;
}

std::tuple<probe::AnswerParser::State, int, std::string> readAnswer(std::string_view bytes, std::size_t piece)
{
    probe::AnswerParser parser;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        parser.feed(bytes.substr(at, piece));
    }
    parser.end();
    return {parser.state(), parser.status(), parser.takeBody()};
}

/// Well-formed UTF-8 (RFC 3629) without C0 and C1 control characters.
bool isShowable(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();) {
        const unsigned first = static_cast<unsigned char>(text[i]);
        const std::size_t length = first < 0x80 ? 1 : first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : first >= 0xF0 && first < 0xF5 ? 4 : 0;
        if (length == 0 || i + length > text.size() || (length == 1 && (first < 0x20 || first == 0x7F))) {
            return false;
        }
        unsigned point = length == 1 ? first : first & (0xFFU >> (length + 1));
        for (std::size_t k = 1; k < length; ++k) {
            const unsigned next = static_cast<unsigned char>(text[i + k]);
            if ((next & 0xC0U) != 0x80U) {
                return false;
            }
            point = (point << 6U) | (next & 0x3FU);
        }
        constexpr std::array<unsigned, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
        if (point < kLeast[length] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000) || (point >= 0x80 && point < 0xA0)) {
            return false;
        }
        i += length;
    }
    return true;
}

} // namespace

void checkHttpRequest(std::string_view bytes)
{
    const Reading whole = readRequests(bytes, bytes.size() + 1);
    for (const std::size_t piece : {std::size_t(1), std::size_t(3), std::size_t(64)}) {
        require(readRequests(bytes, piece) == whole, "a request in pieces is the request as a whole");
    }
}

void checkProbeAnswer(std::string_view bytes)
{
    const auto whole = readAnswer(bytes, bytes.size() + 1);
    require(std::get<2>(whole).size() <= probe::kMaxBodyBytes, "a body is within its bound");
    const int status = std::get<1>(whole);
    require(status == 0 || (status >= 200 && status <= 999), "a final status is no interim one");
    require(std::get<0>(whole) != probe::AnswerParser::State::Done || status != 0, "a complete answer has a status");
    for (const std::size_t piece : {std::size_t(1), std::size_t(3), std::size_t(64)}) {
        require(readAnswer(bytes, piece) == whole, "an answer in pieces is the answer as a whole");
    }
}

void checkHealthBody(std::string_view bytes)
{
    const probe::ProbeBody body = probe::readProbeBody(bytes);
    require(body.text.size() <= 4096 && body.status.size() <= 1024 && body.reason.size() <= 1024 && body.deps.size() <= 64, "what is kept is bounded");
    require(isShowable(body.text) && isShowable(body.status) && isShowable(body.reason), "what is kept can be shown");
    for (const auto& [name, fine] : body.deps) {
        require(name.size() <= 1024 && isShowable(name), "names of dependencies can be shown");
    }
}

} // namespace weir::fuzz
