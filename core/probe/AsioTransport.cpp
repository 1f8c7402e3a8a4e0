// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/AsioTransport.h"

#include "core/probe/AsioEngine.h"

namespace weir::probe {

AsioTransport::AsioTransport(Clock& clock)
    : m_engine(std::make_unique<AsioEngine>(clock, [this] { takeAnswers(); }))
{
}

AsioTransport::~AsioTransport() = default;

std::uint64_t AsioTransport::start(const std::string& url, Duration timeout, Callback callback, const ProbeTls& tls)
{
    const std::uint64_t id = ++m_lastId;
    m_callbacks.emplace(id, std::move(callback));
    m_engine->start({id, url, timeout, tls});
    return id;
}

void AsioTransport::cancel(std::uint64_t id)
{
    if (m_callbacks.erase(id) > 0) {
        m_engine->cancel(id);
    }
}

void AsioTransport::takeAnswers()
{
    for (AsioEngine::Ended& ended : m_engine->takeEnded()) {
        auto waiting = m_callbacks.extract(ended.id);
        if (!waiting.empty()) {
            waiting.mapped()(std::move(ended.answer));
        }
    }
}

} // namespace weir::probe
