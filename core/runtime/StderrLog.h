// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Log.h"

#include <atomic>
#include <mutex>

namespace weir::runtime {

/// Log lines on standard error, one a line, as text or JSON. Thread-safe.
class StderrLog final : public Log {
public:
    explicit StderrLog(const Clock& clock) : m_clock(clock) {}

    void setLevel(LogLevel level) { m_level.store(level, std::memory_order_relaxed); }
    void setJson(bool json) { m_json.store(json, std::memory_order_relaxed); }

    void write(LogLevel level, std::string_view event, std::string_view sentence, std::initializer_list<LogField> fields = {}) override;

private:
    const Clock& m_clock;
    std::mutex m_mutex;
    std::atomic<LogLevel> m_level{LogLevel::Info};
    std::atomic<bool> m_json{false};
};

} // namespace weir::runtime
