// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/apps/AppDialog.h"

class QComboBox;

namespace weir::ui {

/// Says to whom apps belong, with how they would stand then: without a binding an app resolves to its owner's pool.
class OwnerDialog : public AppDialog {
    Q_OBJECT

public:
    OwnerDialog(FleetStore& store, const Theme& theme, const QStringList& apps, QWidget* parent);

    [[nodiscard]] const QStringList& apps() const { return m_apps; }
    /// Empty: no owner.
    [[nodiscard]] QString owner() const;

protected:
    void refresh() override;
    [[nodiscard]] QString obstacle() const override;

private:
    void fillOwners();
    [[nodiscard]] QString names() const;
    [[nodiscard]] Question questionFor(const AppRow& app) const;

    QStringList m_apps;
    QComboBox* m_owner;
};

} // namespace weir::ui
