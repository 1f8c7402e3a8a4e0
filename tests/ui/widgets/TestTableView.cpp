// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/GroupedHeader.h"
#include "ui/widgets/TableDelegate.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/Theme.h"

#include <QApplication>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>

using namespace weir::ui;

class TestTableView : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_theme.setMode(Theme::Mode::Light);
        m_theme.apply(*qApp);
    }

    void init()
    {
        m_model = std::make_unique<QStandardItemModel>(2, 2);
        for (int row = 0; row < 2; ++row) {
            m_model->setData(m_model->index(row, 0), QStringLiteral("node-%1").arg(row));
            m_model->setData(m_model->index(row, 0), true, LinkRole);
            m_model->setData(m_model->index(row, 1), QStringLiteral("plain"));
        }
        m_view = std::make_unique<TableView>(m_theme);
        m_view->setModel(m_model.get());
        m_view->resize(400, 200);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }

    void rowsFollowTheDensity()
    {
        QCOMPARE(m_view->rowHeight(0), 28);
        m_theme.setDensity(Density::Compact);
        QCOMPARE(m_view->rowHeight(0), 22);
        m_theme.setDensity(Density::Normal);
        QCOMPARE(m_view->rowHeight(1), 28);
        m_view->setFixedRowHeight(24);
        QCOMPARE(m_view->rowHeight(0), 24);
    }

    void headerGrowsForGroups()
    {
        QCOMPARE(m_view->groupedHeader()->sizeHint().height(), 28);
        m_view->groupedHeader()->addGroup(QStringLiteral("Available"), 0, 1);
        QCOMPARE(m_view->groupedHeader()->sizeHint().height(), 44);
    }

    void onlyTheTextOfALinkOpensIt()
    {
        QSignalSpy links(m_view.get(), &TableView::linkActivated);
        const QRect cell = m_view->visualRect(m_model->index(1, 0));
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, QPoint(cell.right() - 3, cell.center().y()));
        QCOMPARE(links.count(), 0);
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, QPoint(cell.left() + 12, cell.center().y()));
        QCOMPARE(links.count(), 1);
        QCOMPARE(links[0][0].toModelIndex(), m_model->index(1, 0));
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, m_view->visualRect(m_model->index(1, 1)).center());
        QCOMPARE(links.count(), 1);
    }

    void enterOpensTheLinkOfTheRow()
    {
        QSignalSpy links(m_view.get(), &TableView::linkActivated);
        m_view->setCurrentIndex(m_model->index(0, 1));
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QCOMPARE(links.count(), 1);
        QCOMPARE(links[0][0].toModelIndex(), m_model->index(0, 0));
    }

    void focusRingOnlyWithTheKeyboard()
    {
        m_view->activateWindow();
        m_view->setFocus(Qt::MouseFocusReason);
        QTRY_VERIFY(m_view->hasFocus());
        m_view->setCurrentIndex(m_model->index(0, 0));
        const int x = m_view->viewport()->width() - 20;
        const auto edge = [this, x] {
            return m_view->viewport()->grab().toImage().pixelColor(x, m_view->rowViewportPosition(m_view->currentIndex().row()));
        };
        QVERIFY(edge() != m_theme.tokens().accent);
        QTest::keyClick(m_view.get(), Qt::Key_Down);
        QCOMPARE(edge(), m_theme.tokens().accent);
    }

    void changeMarkGoesAway()
    {
        const QModelIndex cell = m_model->index(0, 1);
        const auto mark = [&] {
            const QRect rect = m_view->visualRect(cell);
            return m_view->viewport()->grab().toImage().pixelColor(rect.left(), rect.center().y());
        };
        QVERIFY(mark() != m_theme.tokens().accent);
        m_model->setData(cell, uiClockMs(), ChangedAtRole);
        QCOMPARE(mark(), m_theme.tokens().accent);
        QTRY_VERIFY_WITH_TIMEOUT(mark() != m_theme.tokens().accent, 5000);
    }

    void emptyTableSaysWhy()
    {
        m_view->emptyState()->setText(QStringLiteral("0 of 2 match."), QStringLiteral("Clear filter"));
        QVERIFY(!m_view->emptyState()->isVisible());
        m_model->removeRows(0, 2);
        QVERIFY(m_view->emptyState()->isVisible());
        QCOMPARE(m_view->emptyState()->sentence(), QStringLiteral("0 of 2 match."));
        m_model->insertRow(0);
        QVERIFY(!m_view->emptyState()->isVisible());
    }

private:
    Theme m_theme;
    std::unique_ptr<QStandardItemModel> m_model;
    std::unique_ptr<TableView> m_view;
};

QTEST_MAIN(TestTableView)
#include "TestTableView.moc"
