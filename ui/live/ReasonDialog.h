// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace weir::ui {

/// Asks for a reason before something happens. Cancel is the default and Escape; the button that acts names verb and object and
/// stays off while a required reason is missing, so that Enter in the empty field does nothing.
class ReasonDialog : public QDialog {
    Q_OBJECT

public:
    struct Texts {
        QString title;
        QString lead;     ///< what will happen
        QString facts;    ///< what is known now ("probe ok for 38 s, …"), or empty
        QString confirm;  ///< "End quarantine of gpu-01"
    };

    ReasonDialog(const Texts& texts, bool reasonRequired, QWidget* parent);

    [[nodiscard]] QString reason() const;
    /// Facts go on changing while the dialog is open.
    void setFacts(const QString& facts);
    /// Another thing to fill in, above the reason; `caption` leads to it.
    void addField(const QString& caption, QWidget* field);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void updateConfirm();

    bool m_required;
    QVBoxLayout* m_layout;
    QLabel* m_facts;
    QLineEdit* m_reason;
    QPushButton* m_confirm;
};

} // namespace weir::ui
