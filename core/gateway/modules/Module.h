// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/SectionReader.h"
#include "core/gateway/modules/Turn.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace weir::gateway {

/// One figure of a module, as `/metrics` shows it.
struct ModuleCounter {
    std::string_view name; ///< snake case
    std::uint64_t value = 0;
};

/// A link of the chain. Asked on the io thread only; counters() may be called from any.
class Module {
public:
    Module() = default;
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;
    virtual ~Module() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;
    /// The points it wants to be asked at.
    [[nodiscard]] virtual std::span<const Point> points() const = 0;
    [[nodiscard]] virtual Verdict at(Point point, Turn& turn) = 0;
    [[nodiscard]] virtual std::vector<ModuleCounter> counters() const { return {}; }
};

/// How a module of a configuration is made: its name in `gateway.modules`, the keys of its section, and what reads them. What is wrong is
/// reported through `section`; the module is then not used.
struct ModuleKind {
    std::string_view name;
    std::span<const config::KeySpec> keys; ///< `module` included
    std::unique_ptr<Module> (*make)(config::SectionReader& section);
};

/// A counter that one thread writes and any reads.
class Count {
public:
    void add(std::uint64_t by = 1) { m_value.fetch_add(by, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t value() const { return m_value.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> m_value{0};
};

} // namespace weir::gateway
