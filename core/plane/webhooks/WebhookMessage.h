// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/Config.h"
#include "core/journal/alarms/AlarmBook.h"
#include "core/probe/HttpPoster.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>

namespace weir::plane {

/// One alert in the form that Alertmanager gives its receivers: status, labels, annotations, startsAt, endsAt, fingerprint. The labels
/// are the alarm's identity and nothing else; severity there is the one its kind begins with, the present one stands in the
/// annotations. So the fingerprint, which is made of the labels, stays the same for a repeat, a change of severity and the end.
[[nodiscard]] boost::json::object alertOf(const journal::AlarmNotice& notice);

/// A made-up alert for `:test`; it is over a minute later.
[[nodiscard]] boost::json::object testAlert(WallTime now);

/// What is sent for these alerts, which all have one status: the webhook format holds exactly one.
[[nodiscard]] probe::HttpPost messageFor(const config::WebhookEntry& receiver, const boost::json::array& alerts, std::string_view deliveryId);

/// `sha256=<hex>`: HMAC-SHA256 of the body under the secret.
[[nodiscard]] std::string signatureOf(std::string_view secret, std::string_view body);

} // namespace weir::plane
