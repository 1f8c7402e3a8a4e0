// SPDX-License-Identifier: GPL-3.0-or-later
// `request_id`: gives each request an id, for logs, for the node and for the client.
#include "core/gateway/modules/ModuleKinds.h"
#include "core/gateway/modules/ModuleReader.h"

#include <random>

namespace weir::gateway {
namespace {

constexpr std::array kPoints{Point::BeforeLocation, Point::ReadResponse};
constexpr std::size_t kLongest = 128;

class RequestIdModule final : public Module {
public:
    std::string header = "X-Request-Id";
    bool keepsTrusted = true; ///< the id that a trusted proxy gave
    bool answers = true;

    std::string_view name() const override { return "request_id"; }
    std::span<const Point> points() const override { return kPoints; }

    Verdict at(Point point, Turn& turn) override
    {
        if (point == Point::ReadResponse) {
            if (const auto id = turn.context.value("request_id"); id && answers) {
                turn.responseEdits.set(header, *id);
            }
            return Verdict::goOn();
        }
        const std::string_view given = turn.request.headers.first(header);
        if (keepsTrusted && turn.request.isTrusted && isGood(given)) {
            turn.context.set("request_id", given);
            m_kept.add();
            return Verdict::goOn();
        }
        const std::string made = makeId();
        turn.context.set("request_id", made);
        turn.requestEdits.set(header, made);
        m_made.add();
        return Verdict::goOn();
    }

    std::vector<ModuleCounter> counters() const override { return {{"ids_made", m_made.value()}, {"ids_kept", m_kept.value()}}; }

private:
    static bool isGood(std::string_view id)
    {
        return !id.empty() && id.size() <= kLongest && isHeaderValue(id) && id.find(' ') == std::string_view::npos;
    }

    std::string makeId()
    {
        static constexpr std::string_view kDigits = "0123456789abcdef";
        std::string id(32, '0');
        for (std::size_t half = 0; half < 2; ++half) {
            std::uint64_t bits = m_random();
            for (std::size_t i = 0; i < 16; ++i, bits >>= 4) {
                id[half * 16 + i] = kDigits[bits & 0xf];
            }
        }
        return id;
    }

    std::mt19937_64 m_random{(static_cast<std::uint64_t>(std::random_device{}()) << 32) | std::random_device{}()};
    Count m_made;
    Count m_kept;
};

std::unique_ptr<Module> make(config::SectionReader& section)
{
    auto module = std::make_unique<RequestIdModule>();
    if (const auto header = section.text("header")) {
        if (isHeaderName(*header)) {
            module->header = *header;
        } else {
            section.fail("header", "invalid_value", "is no name of a header");
        }
    }
    module->keepsTrusted = section.flag("keep_trusted").value_or(true);
    module->answers = section.flag("in_answer").value_or(true);
    return module;
}

constexpr config::KeySpec kKeys[] = {{"module"}, {"header"}, {"keep_trusted"}, {"in_answer"}};

} // namespace

const ModuleKind kRequestIdKind{"request_id", kKeys, make};

} // namespace weir::gateway
