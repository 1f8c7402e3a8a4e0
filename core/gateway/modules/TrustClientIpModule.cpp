// SPDX-License-Identifier: GPL-3.0-or-later
// `trust_client_ip`: believes what named networks say about the client, in a header of choice. The usual case, X-Forwarded-For of
// the proxies in front, is `gateway.trusted_proxies` and needs no module.
#include "core/gateway/modules/ModuleKinds.h"
#include "core/gateway/modules/ModuleReader.h"

#include <algorithm>

namespace weir::gateway {
namespace {

constexpr std::array kPoints{Point::BeforeLocation};

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
    const std::size_t last = text.find_last_not_of(" \t");
    return last == std::string_view::npos ? std::string_view{} : text.substr(first, last + 1 - first);
}

class TrustClientIpModule final : public Module {
public:
    std::vector<IpNetwork> networks;
    std::string header = "X-Forwarded-For";

    std::string_view name() const override { return "trust_client_ip"; }
    std::span<const Point> points() const override { return kPoints; }

    Verdict at(Point, Turn& turn) override
    {
        if (!turn.request.peer || !isTrusted(*turn.request.peer)) {
            m_untrusted.add();
            return Verdict::goOn();
        }
        m_trusted.add();
        turn.request.isTrusted = true;
        if (const auto client = rightMostStranger(turn.request.headers)) {
            turn.request.client = client;
        }
        return Verdict::goOn();
    }

    std::vector<ModuleCounter> counters() const override { return {{"trusted", m_trusted.value()}, {"untrusted", m_untrusted.value()}}; }

private:
    bool isTrusted(const IpAddress& address) const
    {
        return std::any_of(networks.begin(), networks.end(), [&](const IpNetwork& network) { return network.contains(address); });
    }

    // Each hop adds its peer at the right, so what stands left of the first untrusted one is anybody's word.
    std::optional<IpAddress> rightMostStranger(const routing::HeaderFields& headers) const
    {
        std::optional<IpAddress> found;
        for (std::size_t i = headers.size(); i-- > 0;) {
            const routing::HeaderField field = headers.at(i);
            if (!routing::equalsIgnoringAsciiCase(field.name, header)) {
                continue;
            }
            std::string_view rest = field.value;
            while (true) {
                const std::size_t comma = rest.rfind(',');
                const std::string_view hop = comma == std::string_view::npos ? rest : rest.substr(comma + 1);
                const auto address = IpAddress::parse(trimmed(hop));
                if (!address) {
                    return found;
                }
                found = address;
                if (!isTrusted(*address)) {
                    return found;
                }
                if (comma == std::string_view::npos) {
                    break;
                }
                rest = rest.substr(0, comma);
            }
        }
        return found;
    }

    Count m_trusted;
    Count m_untrusted;
};

std::unique_ptr<Module> make(config::SectionReader& section)
{
    auto module = std::make_unique<TrustClientIpModule>();
    module->networks = readNetworks(section, "networks");
    if (section.find("networks") == nullptr) {
        section.failMissing("networks", "whom to trust must be said");
    }
    if (const auto header = section.text("header")) {
        if (isHeaderName(*header)) {
            module->header = *header;
        } else {
            section.fail("header", "invalid_value", "is no name of a header");
        }
    }
    return module;
}

constexpr config::KeySpec kKeys[] = {{"module"}, {"networks"}, {"header"}};

} // namespace

const ModuleKind kTrustClientIpKind{"trust_client_ip", kKeys, make};

} // namespace weir::gateway
