// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/modules/ModuleTotals.h"

#include <atomic>

namespace weir::gateway {
namespace {

void addTo(ModuleTotals::Figures& figures, const ModuleChain& chain)
{
    for (const std::unique_ptr<Module>& module : chain.modules()) {
        for (const ModuleCounter& counter : module->counters()) {
            figures[{std::string(module->name()), std::string(counter.name)}] += counter.value;
        }
    }
}

} // namespace

void ModuleTotals::add(std::shared_ptr<const ModuleChain> chain)
{
    const std::scoped_lock lock(m_mutex);
    foldUnused();
    if (chain) {
        m_chains.push_back(std::move(chain));
    }
}

ModuleTotals::Figures ModuleTotals::figures() const
{
    const std::scoped_lock lock(m_mutex);
    foldUnused();
    Figures figures = m_past;
    for (const auto& chain : m_chains) {
        addTo(figures, *chain);
    }
    return figures;
}

// A chain that nobody else holds is asked by no request any more and counts nothing further.
void ModuleTotals::foldUnused() const
{
    std::erase_if(m_chains, [this](const std::shared_ptr<const ModuleChain>& chain) {
        if (chain.use_count() > 1) {
            return false;
        }
        std::atomic_thread_fence(std::memory_order_acquire); // use_count() alone orders nothing
        addTo(m_past, *chain);
        return true;
    });
}

} // namespace weir::gateway
