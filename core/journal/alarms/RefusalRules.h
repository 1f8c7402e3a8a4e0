// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/alarms/AlarmInput.h"

#include <deque>
#include <map>

namespace weir::journal {

/// `pool_exhausted`: a decision was refused. Critical from the tenth refusal within 60 s, a warning again when a minute had fewer
/// than five. It ends with the next placement of (role, app) in whatever is its primary pool then, or when nobody asked for five minutes.
class RefusalRules {
public:
    void judge(const AlarmInput& input, AlarmBook& book);

private:
    using Recent = std::deque<Instant>; ///< the latest ten

    void refuse(const Refusals& refusals, const AlarmInput& input, AlarmBook& book);
    void place(const Placement& placement, const Moment& at, AlarmBook& book);

    std::map<AlarmKey, Recent> m_recent; ///< of open alarms
};

} // namespace weir::journal
