// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/ProbeLog.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>
#include <limits>
#include <string_view>

namespace weir::plane {
namespace {

constexpr std::uint32_t kNoDisk = 0x7FC0'0000; // a quiet NaN
constexpr std::int64_t kLongest = (1 << 20) - 1;
constexpr int kMostStatus = (1 << 10) - 1;

// The number that was said, not the nearest float's long tail: 5.2 and not 5.19999980926.
double shortest(float value)
{
    char text[32];
    const auto written = std::to_chars(text, text + sizeof text, value);
    double number = 0;
    std::from_chars(text, written.ptr, number);
    return number;
}

} // namespace

std::size_t ProbeWords::hashOf(const Words& words)
{
    const std::hash<std::string_view> hash;
    std::size_t all = hash(words.reason);
    const auto mix = [&](std::string_view text) { all = all * 1'000'003 + hash(text); };
    mix(words.bodyStatus);
    mix(words.bodyReason);
    mix(words.text);
    for (const auto& [name, isUp] : words.deps) {
        mix(name);
        all = all * 2 + (isUp ? 1 : 0);
    }
    return all;
}

std::uint32_t ProbeWords::take(Words words)
{
    if (words == Words{}) {
        return 0;
    }
    if (m_index.size() >= kMost) {
        words = {std::move(words.reason), {}, {}, {}, {}};
    }
    const std::size_t hash = hashOf(words);
    const auto [from, to] = m_index.equal_range(hash);
    for (auto at = from; at != to; ++at) {
        if (m_slots[at->second].words == words) {
            ++m_slots[at->second].uses;
            return at->second;
        }
    }
    if (m_index.size() >= kMost) {
        return 0;
    }
    std::uint32_t index = static_cast<std::uint32_t>(m_slots.size());
    if (m_free.empty()) {
        m_slots.emplace_back();
    } else {
        index = m_free.back();
        m_free.pop_back();
    }
    m_slots[index] = {std::move(words), 1};
    m_index.emplace(hash, index);
    return index;
}

void ProbeWords::release(std::uint32_t index)
{
    if (index == 0 || --m_slots[index].uses > 0) {
        return;
    }
    const auto [from, to] = m_index.equal_range(hashOf(m_slots[index].words));
    m_index.erase(std::find_if(from, to, [&](const auto& entry) { return entry.second == index; }));
    m_slots[index].words = Words{};
    m_free.push_back(index);
}

void ProbeLog::add(const ProbeRecord& record, ProbeWords& words)
{
    Result result{};
    result.at = static_cast<std::uint64_t>(std::max<std::int64_t>(record.at.time_since_epoch().count(), 0));
    result.durationMs = static_cast<std::uint64_t>(std::clamp<std::int64_t>(record.durationMs, 0, kLongest));
    result.status = static_cast<std::uint64_t>(std::clamp(record.status, 0, kMostStatus));
    result.success = record.success ? 1 : 0;
    result.held = record.held ? 1 : 0;
    result.words = words.take({record.reason, record.bodyStatus, record.bodyReason, record.deps, record.text});
    result.disk = record.diskFreeGb ? std::bit_cast<std::uint32_t>(static_cast<float>(*record.diskFreeGb)) : kNoDisk;
    if (m_results.size() < kMost) {
        if (m_results.size() == m_results.capacity()) {
            m_results.reserve(std::min(kMost, std::max<std::size_t>(4, 2 * m_results.size())));
        }
        // While it grows it is no ring: the newest one is the last.
        m_results.push_back(result);
        m_newest = static_cast<std::uint32_t>(m_results.size() - 1);
        return;
    }
    m_newest = m_newest + 1 < m_results.size() ? m_newest + 1 : 0;
    words.release(static_cast<std::uint32_t>(m_results[m_newest].words));
    m_results[m_newest] = result;
}

void ProbeLog::clear(ProbeWords& words)
{
    for (const Result& one : m_results) {
        words.release(static_cast<std::uint32_t>(one.words));
    }
    m_results = {};
    m_newest = 0;
}

const ProbeLog::Result& ProbeLog::result(std::size_t age) const
{
    return m_results[(m_newest + m_results.size() - age) % m_results.size()];
}

ProbeRecord ProbeLog::at(std::size_t age, const ProbeWords& words) const
{
    const Result& one = result(age);
    const ProbeWords::Words& said = words.at(static_cast<std::uint32_t>(one.words));
    ProbeRecord record;
    record.at = WallTime(std::chrono::milliseconds(static_cast<std::int64_t>(one.at)));
    record.durationMs = static_cast<int>(one.durationMs);
    record.status = static_cast<int>(one.status);
    record.success = one.success != 0;
    record.held = one.held != 0;
    record.reason = said.reason;
    record.bodyStatus = said.bodyStatus;
    record.bodyReason = said.bodyReason;
    record.deps = said.deps;
    record.text = said.text;
    if (const auto bits = static_cast<std::uint32_t>(one.disk); bits != kNoDisk) {
        record.diskFreeGb = shortest(std::bit_cast<float>(bits));
    }
    return record;
}

} // namespace weir::plane
