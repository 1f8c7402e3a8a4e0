// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/webhooks/Webhooks.h"

#include "core/base/Sentence.h"
#include "core/store/Store.h"

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>

namespace weir::plane {
namespace json = boost::json;
namespace {

constexpr auto kSayLostEvery = std::chrono::seconds(10);
constexpr std::size_t kAlertsPerReminder = 1'000;
constexpr std::uint64_t kIdsPerMillisecond = 1'000;

bool wants(const config::WebhookEntry& receiver, journal::AlarmKind kind)
{
    return receiver.kinds.empty() || std::find(receiver.kinds.begin(), receiver.kinds.end(), journal::toText(kind)) != receiver.kinds.end();
}

std::string whyOf(const probe::HttpPostResult& result)
{
    return result.status == 0 ? result.error : "status " + std::to_string(result.status);
}

} // namespace

Webhooks::Webhooks(const Clock& clock, Log& log, StoreThread& store, Post post)
    : m_clock(clock)
    , m_log(log)
    , m_store(store)
    , m_post(std::move(post))
{
}

RowWrite Webhooks::removalOf(std::uint64_t id)
{
    return {"webhook:" + std::to_string(id), [id](store::Writer& writer) { return writer.removeWebhook(id); }};
}

void Webhooks::configure(const std::vector<config::WebhookEntry>& receivers)
{
    std::vector<RowWrite> gone;
    const std::scoped_lock lock(m_mutex);
    m_order.clear();
    for (const config::WebhookEntry& entry : receivers) {
        m_order.push_back(entry.name);
        Receiver& receiver = m_receivers[entry.name];
        if (receiver.entry != entry) {
            receiver.entry = entry;
            receiver.queue.hurry();
        }
    }
    std::erase_if(m_receivers, [&](const auto& one) {
        const bool stays = std::find(m_order.begin(), m_order.end(), one.first) != m_order.end();
        for (const WebhookDelivery& delivery : stays ? std::deque<WebhookDelivery>() : one.second.queue.waiting()) {
            gone.push_back(removalOf(delivery.id));
        }
        return !stays;
    });
    if (!gone.empty()) {
        m_store.append({}, {}, std::move(gone));
    }
}

void Webhooks::restore(const store::Snapshot& snapshot, WallTime wall)
{
    std::vector<RowWrite> gone;
    const std::scoped_lock lock(m_mutex);
    // Ids grow over a restart also when nothing was left: receivers may know a delivery by its id.
    const auto sinceEpoch = std::chrono::duration_cast<std::chrono::milliseconds>(wall.time_since_epoch()).count();
    m_nextId = static_cast<std::uint64_t>(std::max<std::int64_t>(sinceEpoch, 1)) * kIdsPerMillisecond;
    for (const WebhookDelivery& delivery : snapshot.webhooks) {
        m_nextId = std::max(m_nextId, delivery.id + 1);
        const auto receiver = m_receivers.find(delivery.receiver);
        if (receiver == m_receivers.end()) {
            gone.push_back(removalOf(delivery.id));
            continue;
        }
        for (const std::uint64_t dropped : receiver->second.queue.add(delivery)) {
            gone.push_back(removalOf(dropped));
            ++receiver->second.lost;
        }
    }
    if (!gone.empty()) {
        m_store.append({}, {}, std::move(gone));
    }
}

void Webhooks::turnBegins(const journal::Moment& at)
{
    const std::scoped_lock lock(m_mutex);
    m_readyUpTo = m_nextId - 1;
    for (auto& [name, receiver] : m_receivers) {
        sayLost(name, receiver, at.now);
        pump(name, receiver);
    }
}

std::vector<RowWrite> Webhooks::deliver(const std::vector<journal::AlarmNotice>& notices, const journal::Moment& at)
{
    std::vector<RowWrite> rows;
    const std::scoped_lock lock(m_mutex);
    for (const journal::AlarmNotice& notice : notices) {
        for (auto& [name, receiver] : m_receivers) {
            if (!wants(receiver.entry, notice.alarm.key.kind)) {
                continue;
            }
            const WebhookDelivery delivery{m_nextId++, name, notice.alarm.id, notice.firing, json::serialize(alertOf(notice)), at.wall};
            rows.push_back({"webhook:" + std::to_string(delivery.id), [delivery](store::Writer& writer) { return writer.put(delivery); }});
            for (const std::uint64_t dropped : receiver.queue.add(delivery)) {
                rows.push_back(removalOf(dropped));
                ++receiver.lost;
            }
        }
    }
    return rows;
}

void Webhooks::remind(const std::vector<journal::Alarm>& firing)
{
    const std::scoped_lock lock(m_mutex);
    for (auto& [name, receiver] : m_receivers) {
        // What waits comes first, and says the same.
        if (receiver.entry.format != config::WebhookFormat::Alertmanager || receiver.queue.size() > 0 || receiver.reminding) {
            continue;
        }
        receiver.reminders.clear();
        for (const journal::Alarm& alarm : firing) {
            if (!wants(receiver.entry, alarm.key.kind)) {
                continue;
            }
            if (receiver.reminders.empty() || receiver.reminders.back().size() >= kAlertsPerReminder) {
                receiver.reminders.emplace_back();
            }
            receiver.reminders.back().emplace_back(alertOf({true, alarm}));
        }
        pump(name, receiver);
    }
}

// Under the lock. One exchange with a receiver at a time, so that it hears of things in their order.
void Webhooks::pump(const std::string& name, Receiver& receiver)
{
    if (receiver.queue.isBusy() || receiver.reminding) {
        return;
    }
    if (const WebhookDelivery* next = receiver.queue.take(m_clock.now(), m_readyUpTo)) {
        boost::system::error_code error;
        const json::value alert = json::parse(next->alert, error);
        if (error || !alert.is_object()) {
            m_store.append({}, {}, {removalOf(receiver.queue.succeeded())}); // a row that nobody can read
            return;
        }
        m_post(messageFor(receiver.entry, json::array{alert}, std::to_string(next->id)), [this, name](const probe::HttpPostResult& result) { answered(name, result); });
    } else if (receiver.queue.size() == 0 && !receiver.reminders.empty()) {
        receiver.reminding = true;
        const json::array alerts = std::move(receiver.reminders.front());
        receiver.reminders.pop_front();
        m_post(messageFor(receiver.entry, alerts, "reminder"), [this, name](const probe::HttpPostResult& result) { reminded(name, result.isSuccess()); });
    }
}

void Webhooks::answered(const std::string& name, const probe::HttpPostResult& result)
{
    const std::scoped_lock lock(m_mutex);
    const auto found = m_receivers.find(name);
    if (found == m_receivers.end() || !found->second.queue.isBusy()) {
        return; // a reload took the receiver away meanwhile
    }
    Receiver& receiver = found->second;
    if (result.isSuccess()) {
        if (receiver.queue.failures() > 0) {
            m_log.write(LogLevel::Info, "webhook_works", sentence("Webhook %1 takes notices again.", {name}), {{"webhook", name}});
        }
        m_store.append({}, {}, {removalOf(receiver.queue.succeeded())});
        pump(name, receiver);
        return;
    }
    const auto givenUp = receiver.queue.failed(m_clock.now(), m_clock.wall());
    if (receiver.queue.failures() == 1) {
        say(name, sentence("Webhook %1 did not take a notice (%2). It is sent again for an hour.", {name, whyOf(result)}), 1);
    }
    if (givenUp) {
        m_store.append({}, {}, {removalOf(*givenUp)});
        ++receiver.lost;
    }
}

void Webhooks::reminded(const std::string& name, bool success)
{
    const std::scoped_lock lock(m_mutex);
    const auto found = m_receivers.find(name);
    if (found == m_receivers.end()) {
        return;
    }
    found->second.reminding = false;
    if (!success) {
        found->second.reminders.clear(); // the next minute brings them again
    }
    pump(name, found->second);
}

void Webhooks::sayLost(const std::string& name, Receiver& receiver, Instant now)
{
    if (receiver.lost == 0 || (receiver.lostSaidAt != Instant::min() && now - receiver.lostSaidAt < kSayLostEvery)) {
        return;
    }
    say(name, sentence("%1 for webhook %2 were given up: it took none for an hour, or there was no room for more.", {counted(receiver.lost, "notice"), name}), receiver.lost);
    receiver.lost = 0;
    receiver.lostSaidAt = now;
}

void Webhooks::say(const std::string& name, std::string text, std::uint64_t count)
{
    m_log.write(LogLevel::Warning, "webhook_failed", text, {{"webhook", name}});
    journal::Event event;
    event.at = m_clock.wall();
    event.kind = journal::EventKind::WebhookFailed;
    event.severity = journal::Severity::Warning;
    event.sentence = std::move(text);
    event.detail = json::serialize(json::object{{"webhook", name}, {"notices", count}});
    m_store.append({std::move(event)}, {});
}

void Webhooks::test(const std::string& wanted, Done<int> done)
{
    config::WebhookEntry entry;
    {
        const std::scoped_lock lock(m_mutex);
        auto found = m_receivers.find(wanted);
        std::size_t place = 0;
        const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), place);
        if (found == m_receivers.end() && error == std::errc() && end == wanted.data() + wanted.size() && place < m_order.size()) {
            found = m_receivers.find(m_order[place]);
        }
        if (found != m_receivers.end()) {
            entry = found->second.entry;
        }
    }
    if (entry.name.empty()) {
        done(fail("unknown_webhook", "There is no webhook '" + wanted + "'.", "n"));
        return;
    }
    m_post(messageFor(entry, json::array{testAlert(m_clock.wall())}, "test"), [name = entry.name, done = std::move(done)](const probe::HttpPostResult& result) {
        if (result.isSuccess()) {
            done(result.status);
        } else {
            done(fail("webhook_failed", "Webhook " + name + " did not take the test: " + whyOf(result) + ".", {}));
        }
    });
}

std::size_t Webhooks::waiting(const std::string& receiver) const
{
    const std::scoped_lock lock(m_mutex);
    const auto found = m_receivers.find(receiver);
    return found == m_receivers.end() ? 0 : found->second.queue.size();
}

} // namespace weir::plane
