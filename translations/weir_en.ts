<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AlarmWords</name>
    <message numerus="yes">
        <source>%1, %2, %3, %n time(s), last %4</source>
        <comment>name of an alarm, severity, state, time</comment>
        <translation>
            <numerusform>%1, %2, %3, %n time, last %4</numerusform>
            <numerusform>%1, %2, %3, %n times, last %4</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExplanationText</name>
    <message numerus="yes">
        <source>%1: %2 considered = %n candidate(s)</source>
        <translation>
            <numerusform>%1: %2 considered = %n candidate</numerusform>
            <numerusform>%1: %2 considered = %n candidates</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FleetVerdict</name>
    <message numerus="yes">
        <source>All %n app(s) schedulable; %1 of %2 workers serving.</source>
        <translation>
            <numerusform>All %n app schedulable; %1 of %2 workers serving.</numerusform>
            <numerusform>All %n apps schedulable; %1 of %2 workers serving.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n app(s) cannot be scheduled (fail-closed).</source>
        <translation>
            <numerusform>%1 of %n app cannot be scheduled (fail-closed).</numerusform>
            <numerusform>%1 of %n apps cannot be scheduled (fail-closed).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s) fail traffic while the check is green.</source>
        <translation>
            <numerusform>%n worker fails traffic while the check is green.</numerusform>
            <numerusform>%n workers fail traffic while the check is green.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n healthy node(s) are where no app can reach them.</source>
        <translation>
            <numerusform>%n healthy node is where no app can reach it.</numerusform>
            <numerusform>%n healthy nodes are where no app can reach them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>None of %n worker(s) is serving.</source>
        <translation>
            <numerusform>None of %n worker is serving.</numerusform>
            <numerusform>None of %n workers is serving.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n worker(s) out of rotation.</source>
        <translation>
            <numerusform>%1 of %n worker out of rotation.</numerusform>
            <numerusform>%1 of %n workers out of rotation.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s) fail the check and are still in rotation.</source>
        <translation>
            <numerusform>%n worker fails the check and is still in rotation.</numerusform>
            <numerusform>%n workers fail the check and are still in rotation.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Some requests fail on %n worker(s).</source>
        <translation>
            <numerusform>Some requests fail on %n worker.</numerusform>
            <numerusform>Some requests fail on %n workers.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s) not checked yet.</source>
        <translation>
            <numerusform>%n worker not checked yet.</numerusform>
            <numerusform>%n workers not checked yet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No app is declared; those that ask resolve to default: %n decision(s) in the last hour, %1 refused.</source>
        <translation>
            <numerusform>No app is declared; those that ask resolve to default: %n decision in the last hour, %1 refused.</numerusform>
            <numerusform>No app is declared; those that ask resolve to default: %n decisions in the last hour, %1 refused.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MoveText</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <comment>names of the first ones</comment>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n node(s) back</source>
        <translation>
            <numerusform>Move %n node back</numerusform>
            <numerusform>Move %n nodes back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n node(s) to %1</source>
        <translation>
            <numerusform>Move %n node to %1</numerusform>
            <numerusform>Move %n nodes to %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s): %1</source>
        <translation>
            <numerusform>%n node: %1</numerusform>
            <numerusform>%n nodes: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moved %n node(s) back to %1.</source>
        <translation>
            <numerusform>Moved %n node back to %1.</numerusform>
            <numerusform>Moved %n nodes back to %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moved %n node(s) to %1 from %2.</source>
        <translation>
            <numerusform>Moved %n node to %1 from %2.</numerusform>
            <numerusform>Moved %n nodes to %1 from %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n available origin(s)</source>
        <translation>
            <numerusform>%n available origin</numerusform>
            <numerusform>%n available origins</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n available edge(s)</source>
        <translation>
            <numerusform>%n available edge</numerusform>
            <numerusform>%n available edges</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n available worker(s)</source>
        <translation>
            <numerusform>%n available worker</numerusform>
            <numerusform>%n available workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n origin(s)</source>
        <translation>
            <numerusform>%n origin</numerusform>
            <numerusform>%n origins</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edge(s)</source>
        <translation>
            <numerusform>%n edge</numerusform>
            <numerusform>%n edges</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n worker</numerusform>
            <numerusform>%n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1; %n app(s) fail closed</source>
        <comment>what a pool is left with</comment>
        <translation>
            <numerusform>%1; %n app fails closed</numerusform>
            <numerusform>%1; %n apps fail closed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n app(s) fail closed</source>
        <translation>
            <numerusform>%n app fails closed</numerusform>
            <numerusform>%n apps fail closed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>no app resolves to %1; %n node(s) would never be chosen</source>
        <translation>
            <numerusform>no app resolves to %1; %n node would never be chosen</numerusform>
            <numerusform>no app resolves to %1; %n nodes would never be chosen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) of user %1 would serve apps of user %2</source>
        <translation>
            <numerusform>%n node of user %1 would serve apps of user %2</numerusform>
            <numerusform>%n nodes of user %1 would serve apps of user %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) of user %1 would be shared by all</source>
        <translation>
            <numerusform>%n node of user %1 would be shared by all</numerusform>
            <numerusform>%n nodes of user %1 would be shared by all</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n shared node(s) would serve apps of user %1 alone</source>
        <translation>
            <numerusform>%n shared node would serve apps of user %1 alone</numerusform>
            <numerusform>%n shared nodes would serve apps of user %1 alone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n app(s) will get 503 (pool_exhausted): %1</source>
        <translation>
            <numerusform>%n app will get 503 (pool_exhausted): %1</numerusform>
            <numerusform>%n apps will get 503 (pool_exhausted): %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stream(s) run on the moved nodes; they go on, nothing new is sent</source>
        <translation>
            <numerusform>%n stream runs on the moved nodes; it goes on, nothing new is sent</numerusform>
            <numerusform>%n streams run on the moved nodes; they go on, nothing new is sent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes move at once</source>
        <translation>
            <numerusform>%n node moves at once</numerusform>
            <numerusform>%n nodes move at once</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n healthy node(s) would be where no app resolves to</source>
        <translation>
            <numerusform>%n healthy node would be where no app resolves to</numerusform>
            <numerusform>%n healthy nodes would be where no app resolves to</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n app(s)</source>
        <translation>
            <numerusform>%n app</numerusform>
            <numerusform>%n apps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more row(s), none worse than these</source>
        <translation>
            <numerusform>%n more row, none worse than these</numerusform>
            <numerusform>%n more rows, none worse than these</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OverviewFigures</name>
    <message numerus="yes">
        <source>%n flap(s)</source>
        <translation>
            <numerusform>%n flap</numerusform>
            <numerusform>%n flaps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message numerus="yes">
        <source>%n app(s)</source>
        <translation>
            <numerusform>%n app</numerusform>
            <numerusform>%n apps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The scheduler may choose it for %n app(s).</source>
        <translation>
            <numerusform>The scheduler may choose it for %n app.</numerusform>
            <numerusform>The scheduler may choose it for %n apps.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n origin(s)</source>
        <translation>
            <numerusform>%n origin</numerusform>
            <numerusform>%n origins</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edge(s)</source>
        <translation>
            <numerusform>%n edge</numerusform>
            <numerusform>%n edges</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n worker</numerusform>
            <numerusform>%n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>schedulable for %n app(s)</source>
        <translation>
            <numerusform>schedulable for %n app</numerusform>
            <numerusform>schedulable for %n apps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::AlarmActions</name>
    <message numerus="yes">
        <source>%n alarm(s)</source>
        <translation>
            <numerusform>%n alarm</numerusform>
            <numerusform>%n alarms</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Silence %n alarm(s)</source>
        <translation>
            <numerusform>Silence %n alarm</numerusform>
            <numerusform>Silence %n alarms</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::AlarmDrawer</name>
    <message numerus="yes">
        <source>told; %n other alarm(s) is (are) counted in it</source>
        <translation>
            <numerusform>told; %n other alarm is counted in it</numerusform>
            <numerusform>told; %n other alarms are counted in it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s), from %1 to %2</source>
        <translation>
            <numerusform>%n time, from %1 to %2</numerusform>
            <numerusform>%n times, from %1 to %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::AlarmNotices</name>
    <message numerus="yes">
        <source>%n alarm(s) fired</source>
        <translation>
            <numerusform>%n alarm fired</numerusform>
            <numerusform>%n alarms fired</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alarm(s) fired or got worse</source>
        <translation>
            <numerusform>%n alarm fired or got worse</numerusform>
            <numerusform>%n alarms fired or got worse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::AlarmsPage</name>
    <message numerus="yes">
        <source>%n alarm(s)</source>
        <translation>
            <numerusform>%n alarm</numerusform>
            <numerusform>%n alarms</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n alarm(s)</source>
        <translation>
            <numerusform>%1 of %n alarm</numerusform>
            <numerusform>%1 of %n alarms</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>0 of %n alarm(s) match.</source>
        <translation>
            <numerusform>0 of %n alarm match.</numerusform>
            <numerusform>0 of %n alarms match.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n selected alarm(s) is gone</source>
        <translation>
            <numerusform>%1 of %n selected alarm is gone</numerusform>
            <numerusform>%1 of %n selected alarms is gone</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::AppActions</name>
    <message numerus="yes">
        <source>%n app(s) has (have) no owner now.</source>
        <translation>
            <numerusform>%n app has no owner now.</numerusform>
            <numerusform>%n apps have no owner now.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n app(s) now belong(s) to user %1.</source>
        <translation>
            <numerusform>%n app now belongs to user %1.</numerusform>
            <numerusform>%n apps now belong to user %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::AppsPage</name>
    <message numerus="yes">
        <source>%1 of %n selected app(s) is gone</source>
        <translation>
            <numerusform>%1 of %n selected app gone</numerusform>
            <numerusform>%1 of %n selected apps gone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n app(s)</source>
        <translation>
            <numerusform>%n app</numerusform>
            <numerusform>%n apps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n app(s)</source>
        <translation>
            <numerusform>%1 of %n app</numerusform>
            <numerusform>%1 of %n apps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>0 of %n app(s) match.</source>
        <translation>
            <numerusform>0 of %n app matches.</numerusform>
            <numerusform>0 of %n apps match.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::EmbeddedDemoControl</name>
    <message numerus="yes">
        <source>%1 of %n node(s) green</source>
        <translation>
            <numerusform>%1 of %n node green</numerusform>
            <numerusform>%1 of %n nodes green</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::FacetButton</name>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n match</numerusform>
            <numerusform>%n matches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::LiveTable</name>
    <message numerus="yes">
        <source>order held – %n row(s) would move (press .)</source>
        <translation>
            <numerusform>order held – %n row would move (press .)</numerusform>
            <numerusform>order held – %n rows would move (press .)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::MainWindow</name>
    <message numerus="yes">
        <source>%n app(s) unschedulable</source>
        <translation>
            <numerusform>%n app unschedulable</numerusform>
            <numerusform>%n apps unschedulable</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>showing data as of %1 · %n change(s) missed</source>
        <translation>
            <numerusform>showing data as of %1 · %n change missed</numerusform>
            <numerusform>showing data as of %1 · %n changes missed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copied %n row(s).</source>
        <translation>
            <numerusform>Copied %n row.</numerusform>
            <numerusform>Copied %n rows.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Weir: %n alarm(s) fire</source>
        <translation>
            <numerusform>Weir: %n alarm fires</numerusform>
            <numerusform>Weir: %n alarms fire</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::MismatchBanner</name>
    <message numerus="yes">
        <source>%n app(s) fail(s) closed: %1.</source>
        <translation>
            <numerusform>%n app fails closed: %1.</numerusform>
            <numerusform>%n apps fail closed: %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::MoveActions</name>
    <message numerus="yes">
        <source>%n node(s) cut, Esc to cancel</source>
        <translation>
            <numerusform>%n node cut, Esc to cancel</numerusform>
            <numerusform>%n nodes cut, Esc to cancel</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n cut node(s) is gone</source>
        <translation>
            <numerusform>%1 of %n cut node gone</numerusform>
            <numerusform>%1 of %n cut nodes gone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Paste %n node(s) into %1</source>
        <translation>
            <numerusform>&amp;Paste %n node into %1</numerusform>
            <numerusform>&amp;Paste %n nodes into %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::MoveDialog</name>
    <message numerus="yes">
        <source>%1. %n stream(s) are on the moved nodes.</source>
        <comment>a sentence; streams</comment>
        <translation>
            <numerusform>%1. %n stream is on the moved nodes.</numerusform>
            <numerusform>%1. %n streams are on the moved nodes.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::NavButton</name>
    <message numerus="yes">
        <source>%n need(s) action</source>
        <translation>
            <numerusform>%n needs action</numerusform>
            <numerusform>%n need action</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n need(s) attention</source>
        <translation>
            <numerusform>%n needs attention</numerusform>
            <numerusform>%n need attention</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::NodeActions</name>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 is not in quarantine.</source>
        <comment>names of nodes</comment>
        <translation>
            <numerusform>%1 is not in quarantine.</numerusform>
            <numerusform>%1 is not in quarantine.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Check: %1, %n good in a row.</source>
        <translation>
            <numerusform>Check: %1, %n good in a row.</numerusform>
            <numerusform>Check: %1, %n good in a row.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::NodeDrawer</name>
    <message numerus="yes">
        <source>%n flap(s) 1 h</source>
        <translation>
            <numerusform>%n flap 1 h</numerusform>
            <numerusform>%n flaps 1 h</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed probe(s)</source>
        <translation>
            <numerusform>%n failed probe</numerusform>
            <numerusform>%n failed probes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n good probe(s)</source>
        <translation>
            <numerusform>%n good probe</numerusform>
            <numerusform>%n good probes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::NodePickDialog</name>
    <message numerus="yes">
        <source>Add %n node(s) to %1</source>
        <translation>
            <numerusform>Add %n node to %1</numerusform>
            <numerusform>Add %n nodes to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::NodePoolsPage</name>
    <message numerus="yes">
        <source>%1 of %n selected node(s) is gone</source>
        <translation>
            <numerusform>%1 of %n selected node is gone</numerusform>
            <numerusform>%1 of %n selected nodes is gone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n selected pool(s) is gone</source>
        <translation>
            <numerusform>%1 of %n selected pool is gone</numerusform>
            <numerusform>%1 of %n selected pools is gone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pool(s)</source>
        <translation>
            <numerusform>%n pool</numerusform>
            <numerusform>%n pools</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n pool(s)</source>
        <translation>
            <numerusform>%1 of %n pool</numerusform>
            <numerusform>%1 of %n pools</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) in %1</source>
        <translation>
            <numerusform>%n node in %1</numerusform>
            <numerusform>%n nodes in %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) in %1 pools</source>
        <translation>
            <numerusform>%n node in %1 pools</numerusform>
            <numerusform>%n nodes in %1 pools</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n selected</source>
        <comment>nodes in pool; number selected</comment>
        <translation>
            <numerusform>%1 · %n selected</numerusform>
            <numerusform>%1 · %n selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::NodesPage</name>
    <message numerus="yes">
        <source>%1 of %n selected node(s) is gone</source>
        <translation>
            <numerusform>%1 of %n selected node is gone</numerusform>
            <numerusform>%1 of %n selected nodes is gone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n node(s)</source>
        <translation>
            <numerusform>%1 of %n node</numerusform>
            <numerusform>%1 of %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>0 of %n node(s) match.</source>
        <translation>
            <numerusform>0 of %n node match.</numerusform>
            <numerusform>0 of %n nodes match.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::OverviewPage</name>
    <message numerus="yes">
        <source>Show the last %n minute(s)</source>
        <translation>
            <numerusform>Show the last %n minute</numerusform>
            <numerusform>Show the last %n minutes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::OwnerDialog</name>
    <message numerus="yes">
        <source>%n app(s)</source>
        <translation>
            <numerusform>%n app</numerusform>
            <numerusform>%n apps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 %n of them has (have) a binding, which goes on deciding.</source>
        <translation>
            <numerusform>%1 %n of them has a binding, which goes on deciding.</numerusform>
            <numerusform>%1 %n of them have a binding, which goes on deciding.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::PoolPickDialog</name>
    <message numerus="yes">
        <source>Move %n node(s)</source>
        <translation>
            <numerusform>Move %n node</numerusform>
            <numerusform>Move %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n node(s) to %1</source>
        <translation>
            <numerusform>Move %n node to %1</numerusform>
            <numerusform>Move %n nodes to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::StateLane</name>
    <message numerus="yes">
        <source>%n state(s), last %1 since %2 (%3)</source>
        <translation>
            <numerusform>%n state, last %1 since %2 (%3)</numerusform>
            <numerusform>%n states, last %1 since %2 (%3)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::TablePage</name>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
</context>
</TS>
