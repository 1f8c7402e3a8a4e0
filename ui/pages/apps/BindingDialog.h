// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/apps/AppDialog.h"

class QCheckBox;
class QComboBox;

namespace weir::ui {

/// Binds an app to a pool, or takes its binding away, with how it would stand before anything happens.
class BindingDialog : public AppDialog {
    Q_OBJECT

public:
    enum class Mode { Bind, Remove };

    BindingDialog(FleetStore& store, const Theme& theme, Mode mode, const QString& app, QWidget* parent);

    [[nodiscard]] QString app() const { return m_app; }
    [[nodiscard]] QString pool() const;
    [[nodiscard]] bool allowFallback() const;

protected:
    void refresh() override;
    [[nodiscard]] QString obstacle() const override;

private:
    void buildForm(const Theme& theme);
    void fillPools();

    Mode m_mode;
    QString m_app;
    QComboBox* m_pool = nullptr;
    QCheckBox* m_fallback = nullptr;
};

} // namespace weir::ui
