<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Chip</name>
    <message>
        <source>Online</source>
        <translation>在线</translation>
    </message>
    <message>
        <source>Failing %1/%2</source>
        <translation>探测失败 %1/%2</translation>
    </message>
    <message>
        <source>Failing</source>
        <translation>探测失败</translation>
    </message>
    <message>
        <source>Quarantined %1 s</source>
        <translation>隔离中 %1 秒</translation>
    </message>
    <message>
        <source>Quarantined</source>
        <translation>隔离中</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>Draining</source>
        <translation>排空中</translation>
    </message>
    <message>
        <source>No data</source>
        <translation>无数据</translation>
    </message>
    <message>
        <source>Awaits a probe</source>
        <translation>等待探测</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>At risk (%1 available)</source>
        <translation>有风险（剩 %1 可用）</translation>
    </message>
    <message>
        <source>Exhausted</source>
        <translation>已耗尽</translation>
    </message>
    <message>
        <source>Unused</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>Out of scheduling</source>
        <translation>不参与调度</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Degraded %1&#xa0;%</source>
        <translation>降级 %1&#xa0;%</translation>
    </message>
    <message>
        <source>Failing %1&#xa0;%</source>
        <translation>失败 %1&#xa0;%</translation>
    </message>
    <message>
        <source>No effect</source>
        <translation>无影响</translation>
    </message>
    <message>
        <source>For %n app(s)</source>
        <translation>可用于 %n 个应用</translation>
    </message>
    <message>
        <source>No app resolves here</source>
        <translation>没有应用解析到此</translation>
    </message>
    <message>
        <source>Blocked: %1</source>
        <translation>受阻：%1</translation>
    </message>
    <message>
        <source>Falls back</source>
        <translation>回退</translation>
    </message>
    <message>
        <source>Fails closed</source>
        <translation>失败关闭</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Critical</source>
        <translation>严重</translation>
    </message>
    <message>
        <source>Met</source>
        <translation>达标</translation>
    </message>
    <message>
        <source>At risk</source>
        <translation>有风险</translation>
    </message>
    <message>
        <source>Missed</source>
        <translation>未达标</translation>
    </message>
    <message>
        <source>unhealthy</source>
        <translation>不健康</translation>
    </message>
    <message>
        <source>quarantined</source>
        <translation>隔离中</translation>
    </message>
    <message>
        <source>draining</source>
        <translation>排空中</translation>
    </message>
    <message>
        <source>unchecked</source>
        <translation>未探测</translation>
    </message>
    <message>
        <source>disconnected</source>
        <translation>已断开</translation>
    </message>
    <message>
        <source>no capacity</source>
        <translation>无余量</translation>
    </message>
    <message>
        <source>other role</source>
        <translation>角色不符</translation>
    </message>
    <message>
        <source>no endpoint</source>
        <translation>缺少端点</translation>
    </message>
</context>
<context>
    <name>ExplanationText</name>
    <message>
        <source>%1 → %2, because a binding names it.</source>
        <translation>%1 → %2，因为绑定指定了它。</translation>
    </message>
    <message>
        <source>%1 → %2, because its owner is %3.</source>
        <translation>%1 → %2，因为其所有者是 %3。</translation>
    </message>
    <message>
        <source>%1 → %2, because it has neither a binding nor a known owner.</source>
        <translation>%1 → %2，因为它既无绑定也无已知所有者。</translation>
    </message>
    <message>
        <source>Fallback to default: allowed</source>
        <translation>回退到 default：允许</translation>
    </message>
    <message>
        <source>Fallback to default: off</source>
        <translation>回退到 default：关闭</translation>
    </message>
    <message>
        <source>%1 %2.</source>
        <comment>resolution, fallback</comment>
        <translation>%1%2。</translation>
    </message>
    <message>
        <source>%1 %2 (%3).</source>
        <comment>resolution, fallback, why</comment>
        <translation>%1%2（%3）。</translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 considered = %n candidate(s)</source>
        <translation>
            <numerusform>%1：考察 %2 个 = %n 个候选</numerusform>
        </translation>
    </message>
    <message>
        <source> + %1 %2</source>
        <comment>one term of a sum: count, what they are</comment>
        <translation> + %1 个%2</translation>
    </message>
    <message>
        <source>%1 (the figures of the control plane do not add up)</source>
        <translation>%1（控制面给出的数字对不上）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>pool: healthy nodes</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source># Why (not) chosen: %1, role %2, needs %3</source>
        <translation># 为何（未）选中：%1，角色 %2，需要 %3</translation>
    </message>
    <message>
        <source>Dry run at %1: nothing sent, no alarm, no counter.</source>
        <translation>%1 的试运行：未发送任何内容，不告警，不计数。</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>解析</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Also</source>
        <translation>另有</translation>
    </message>
    <message>
        <source>Ranking</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Pending</source>
        <translation>待定</translation>
    </message>
    <message>
        <source>Healthy nodes of the role elsewhere</source>
        <translation>其他池中该角色的健康节点</translation>
    </message>
    <message>
        <source>Single changes that would help</source>
        <translation>单项改动即可解决</translation>
    </message>
</context>
<context>
    <name>FleetVerdict</name>
    <message>
        <source>Events are not being written; the history may be incomplete.</source>
        <translation>事件未能写入；历史可能不完整。</translation>
    </message>
    <message numerus="yes">
        <source>All %n app(s) schedulable; %1 of %2 workers serving.</source>
        <translation>
            <numerusform>全部 %n 个应用可调度；%2 个 worker 中 %1 个在服务。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 workers serving.</source>
        <translation>%2 个 worker 中 %1 个在服务。</translation>
    </message>
    <message>
        <source>Connecting to the control plane…</source>
        <translation>正在连接控制面…</translation>
    </message>
    <message>
        <source>What is shown may be out of date.</source>
        <translation>所示内容可能已过期。</translation>
    </message>
    <message>
        <source>Nothing is known about the fleet yet.</source>
        <translation>尚不了解集群状况。</translation>
    </message>
    <message>
        <source>Collecting the state of the fleet…</source>
        <translation>正在收集集群状态…</translation>
    </message>
    <message>
        <source>Disconnected since %1 (%2).</source>
        <translation>自 %1（%2）起断开。</translation>
    </message>
    <message>
        <source>Disconnected.</source>
        <translation>已断开。</translation>
    </message>
    <message>
        <source>What is shown is the state of then; the fleet may look different now.</source>
        <translation>所示为当时的状态；集群现在可能已不同。</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n app(s) cannot be scheduled (fail-closed).</source>
        <translation>
            <numerusform>%n 个应用中有 %1 个无法调度（失败关闭）。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s) fail traffic while the check is green.</source>
        <translation>
            <numerusform>%n 个 worker 探测正常但流量失败。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n healthy node(s) are where no app can reach them.</source>
        <translation>
            <numerusform>%n 个健康节点没有应用可以到达。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 workers serving; the minimum is %3.</source>
        <translation>%2 个 worker 中 %1 个在服务；最低要求 %3 个。</translation>
    </message>
    <message numerus="yes">
        <source>None of %n worker(s) is serving.</source>
        <translation>
            <numerusform>%n 个 worker 均未在服务。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n worker(s) out of rotation.</source>
        <translation>
            <numerusform>%n 个 worker 中有 %1 个已移出轮转。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s) fail the check and are still in rotation.</source>
        <translation>
            <numerusform>%n 个 worker 探测失败但仍在轮转中。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Some requests fail on %n worker(s).</source>
        <translation>
            <numerusform>%n 个 worker 上有部分请求失败。</numerusform>
        </translation>
    </message>
    <message>
        <source>No worker is registered yet.</source>
        <translation>尚未注册 worker。</translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s) not checked yet.</source>
        <translation>
            <numerusform>%n 个 worker 尚未探测。</numerusform>
        </translation>
    </message>
    <message>
        <source>No app is known yet.</source>
        <translation>尚无已知应用。</translation>
    </message>
</context>
<context>
    <name>NodeFilter</name>
    <message>
        <source>unknown key %1, did you mean %2? Previous result stays.</source>
        <translation>未知的键 %1，是否指 %2？保留之前的结果。</translation>
    </message>
</context>
<context>
    <name>OverviewFigures</name>
    <message>
        <source>%1&#xa0;%</source>
        <translation>%1&#xa0;%</translation>
    </message>
    <message>
        <source>No app is known yet.</source>
        <translation>尚无已知应用。</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>target %1</source>
        <translation>目标 %1</translation>
    </message>
    <message>
        <source>No worker is registered yet.</source>
        <translation>尚未注册 worker。</translation>
    </message>
    <message>
        <source>no minimum set</source>
        <translation>未设最低数</translation>
    </message>
    <message>
        <source>target ≥ %1</source>
        <translation>目标 ≥ %1</translation>
    </message>
    <message>
        <source>No request in the last 5 minutes.</source>
        <translation>最近 5 分钟没有请求。</translation>
    </message>
    <message>
        <source>No request has been seen yet.</source>
        <translation>尚未见到请求。</translation>
    </message>
    <message>
        <source>No node was asked for in the last hour.</source>
        <translation>最近 1 小时没有节点请求。</translation>
    </message>
    <message>
        <source>target ≤ %1</source>
        <translation>目标 ≤ %1</translation>
    </message>
    <message numerus="yes">
        <source>%n flap(s)</source>
        <translation>
            <numerusform>抖动 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>The state of the fleet has not come yet.</source>
        <translation>集群状态尚未到达。</translation>
    </message>
</context>
<context>
    <name>OverviewState</name>
    <message>
        <source>move</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>config</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>drain</source>
        <translation>排空</translation>
    </message>
    <message>
        <source>exhausted</source>
        <translation>耗尽</translation>
    </message>
    <message>
        <source>fallback</source>
        <translation>回退</translation>
    </message>
    <message>
        <source>offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>quarantine</source>
        <translation>隔离</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>waits for probe</source>
        <translation>等待探测</translation>
    </message>
    <message>
        <source>No requests are routed to the role %1.</source>
        <translation>请求不会路由到角色 %1。</translation>
    </message>
    <message>
        <source>No request has been seen through this control plane.</source>
        <translation>经由此控制面尚未见到请求。</translation>
    </message>
    <message>
        <source>semantic: not measured</source>
        <translation>semantic：未测量</translation>
    </message>
    <message>
        <source>semantic %1</source>
        <translation>semantic %1</translation>
    </message>
    <message>
        <source>transport %1 · status %2 · %3</source>
        <translation>transport %1 · status %2 · %3</translation>
    </message>
    <message numerus="yes">
        <source>%n app(s)</source>
        <translation>
            <numerusform>%n 个应用</numerusform>
        </translation>
    </message>
    <message>
        <source>no app resolves here</source>
        <translation>没有应用解析到此</translation>
    </message>
    <message>
        <source>out of scheduling</source>
        <translation>不参与调度</translation>
    </message>
    <message>
        <source>no effect</source>
        <translation>无影响</translation>
    </message>
    <message>
        <source>Blocked: %1</source>
        <translation>受阻：%1</translation>
    </message>
    <message numerus="yes">
        <source>The scheduler may choose it for %n app(s).</source>
        <translation>
            <numerusform>调度器可为 %n 个应用选择它。</numerusform>
        </translation>
    </message>
    <message>
        <source>No app resolves to %1, so it is never chosen.</source>
        <translation>没有应用解析到 %1，因此从不被选中。</translation>
    </message>
    <message>
        <source>Out of scheduling: the process keeps running, no app is sent here.</source>
        <translation>不参与调度：进程继续运行，不会向此处派发应用。</translation>
    </message>
    <message>
        <source>Pool scheduling never reads the role %1; its pool has no effect.</source>
        <translation>池调度不读取角色 %1；其所在的池没有影响。</translation>
    </message>
    <message>
        <source>Not chosen now; the first filter that stops it: %1 (%2).</source>
        <translation>当前不会被选中；首个拦下它的条件：%1（%2）。</translation>
    </message>
    <message>
        <source>timeout</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>reset</source>
        <translation>被重置</translation>
    </message>
    <message>
        <source>malformed</source>
        <translation>格式错误</translation>
    </message>
    <message>
        <source>– · starting</source>
        <translation>– · 启动中</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 ms</source>
        <translation>%1 · %2 · %3 毫秒</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>%n origin(s)</source>
        <translation>
            <numerusform>%n 个 origin</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edge(s)</source>
        <translation>
            <numerusform>%n 个 edge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n 个 worker</numerusform>
        </translation>
    </message>
    <message>
        <source>draining</source>
        <translation>排空中</translation>
    </message>
    <message>
        <source>disconnected</source>
        <translation>已断开</translation>
    </message>
    <message>
        <source>not yet checked</source>
        <translation>未探测</translation>
    </message>
    <message>
        <source>quarantined</source>
        <translation>隔离中</translation>
    </message>
    <message>
        <source>unhealthy</source>
        <translation>不健康</translation>
    </message>
    <message>
        <source>full</source>
        <translation>已满</translation>
    </message>
    <message>
        <source> − %1 %2</source>
        <comment>one term of a subtraction: count, what they are</comment>
        <translation> − %1 个%2</translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <comment>subtraction = result</comment>
        <translation>%1 = %2</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message numerus="yes">
        <source>schedulable for %n app(s)</source>
        <translation>
            <numerusform>可调度 %n 个应用</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2, probe %3, traffic %4, quarantined: %5, %6</source>
        <translation>%1，%2，探测%3，流量%4，隔离：%5，%6</translation>
    </message>
    <message>
        <source>%1, %2, probe %3, traffic %4, %5</source>
        <translation>%1，%2，探测%3，流量%4，%5</translation>
    </message>
    <message>
        <source>%1, available: %2 origins, %3 edges, %4 workers, %5 nodes, %6 apps, %7</source>
        <translation>%1，可用：origin %2，edge %3，worker %4，节点 %5，应用 %6，%7</translation>
    </message>
</context>
<context>
    <name>weir::ui::ExplainedNodeModel</name>
    <message>
        <source>chosen</source>
        <translation>已选中</translation>
    </message>
    <message>
        <source>candidate</source>
        <translation>候选</translation>
    </message>
    <message>
        <source>free %1 of %2, pending %3</source>
        <translation>空闲 %1/%2，待定 %3</translation>
    </message>
    <message>
        <source>%1, %2, %3, %4</source>
        <comment>node, pool, reason, detail</comment>
        <translation>%1，%2，%3，%4</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Also</source>
        <translation>另有</translation>
    </message>
</context>
<context>
    <name>weir::ui::Facet</name>
    <message>
        <source>%1  (%2)</source>
        <comment>value, number of rows</comment>
        <translation>%1  （%2）</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
</context>
<context>
    <name>weir::ui::FacetButton</name>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n 个匹配</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::LiveChart</name>
    <message>
        <source>total %1</source>
        <translation>总数 %1</translation>
    </message>
    <message>
        <source>Healthy workers over time</source>
        <translation>健康 worker 走势</translation>
    </message>
    <message>
        <source>The current number of healthy workers is not known.</source>
        <translation>当前健康 worker 数未知。</translation>
    </message>
    <message>
        <source>%1 of %2 workers healthy since %3; shown from %4 to %5 (%6)</source>
        <translation>自 %3 起 %2 个 worker 中 %1 个健康；显示 %4 至 %5（%6）</translation>
    </message>
    <message>
        <source>no data %1–%2</source>
        <translation>无数据 %1–%2</translation>
    </message>
    <message>
        <source>min %1</source>
        <translation>最低 %1</translation>
    </message>
</context>
<context>
    <name>weir::ui::LiveTable</name>
    <message numerus="yes">
        <source>order held – %n row(s) would move (press .)</source>
        <translation>
            <numerusform>顺序已保持 – %n 行将移动（按 .）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::MainWindow</name>
    <message>
        <source>Disconnected %1</source>
        <translation>已断开 %1</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>Live · %1 s behind</source>
        <translation>实时 · 滞后 %1 秒</translation>
    </message>
    <message>
        <source>%1/%2 healthy</source>
        <translation>%1/%2 健康</translation>
    </message>
    <message numerus="yes">
        <source>%n app(s) unschedulable</source>
        <translation>
            <numerusform>%n 个应用无法调度</numerusform>
        </translation>
    </message>
    <message>
        <source>cfg v%1</source>
        <translation>cfg v%1</translation>
    </message>
    <message>
        <source>as of %1</source>
        <translation>截至 %1</translation>
    </message>
    <message>
        <source>storage is behind; events may be missing</source>
        <translation>存储滞后；可能缺少事件</translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>已选 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>simulated fleet on this computer · nothing is saved</source>
        <translation>本机模拟集群 · 不保存任何内容</translation>
    </message>
    <message>
        <source>Disconnected %1 — showing data as of then</source>
        <translation>%1 断开连接 — 显示当时的数据</translation>
    </message>
    <message>
        <source>Re-sync (F5)</source>
        <translation>重新同步 (F5)</translation>
    </message>
    <message>
        <source>PAUSED</source>
        <translation>已暂停</translation>
    </message>
    <message numerus="yes">
        <source>showing data as of %1 · %n change(s) missed</source>
        <translation>
            <numerusform>显示截至 %1 的数据 · 错过 %n 项变化</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume (Pause)</source>
        <translation>继续 (Pause)</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Node pools</source>
        <translation>节点池</translation>
    </message>
    <message>
        <source>Nodes/Workers</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Copy rows</source>
        <translation>复制行(&amp;C)</translation>
    </message>
    <message>
        <source>Copy rows as &amp;Markdown</source>
        <translation>复制行为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Pause live data</source>
        <translation>暂停实时数据(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Re-sync</source>
        <translation>重新同步(&amp;R)</translation>
    </message>
    <message>
        <source>Times in &amp;UTC</source>
        <translation>以 UTC 显示时间(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Detail drawer</source>
        <translation>详情面板(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Navigation as icons</source>
        <translation>导航仅显示图标(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>De&amp;nsity</source>
        <translation>密度(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Compact</source>
        <translation>紧凑(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Normal</source>
        <translation>正常(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Large</source>
        <translation>宽大(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;English</source>
        <translation>English(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Overview</source>
        <translation>概览(&amp;O)</translation>
    </message>
    <message>
        <source>Node &amp;pools</source>
        <translation>节点池(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Nodes/Workers</source>
        <translation>节点(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>No row here needs attention.</source>
        <translation>此处没有需要关注的行。</translation>
    </message>
    <message>
        <source>Next p&amp;roblem</source>
        <translation>下一个问题(&amp;R)</translation>
    </message>
    <message>
        <source>Pre&amp;vious problem</source>
        <translation>上一个问题(&amp;V)</translation>
    </message>
    <message>
        <source>F&amp;ilter</source>
        <translation>筛选(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Clear filter</source>
        <translation>清除筛选(&amp;C)</translation>
    </message>
    <message>
        <source>Next p&amp;ane</source>
        <translation>下一窗格(&amp;A)</translation>
    </message>
    <message>
        <source>Previo&amp;us pane</source>
        <translation>上一窗格(&amp;U)</translation>
    </message>
    <message>
        <source>N&amp;ode</source>
        <translation>节点(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Weir</source>
        <translation>关于 Weir(&amp;A)</translation>
    </message>
    <message>
        <source>This page has no table.</source>
        <translation>此页没有表格。</translation>
    </message>
    <message>
        <source>There is nothing before this.</source>
        <translation>前面没有页面了。</translation>
    </message>
    <message>
        <source>There is nothing after this.</source>
        <translation>后面没有页面了。</translation>
    </message>
    <message>
        <source>Times are in UTC; click for local time (Ctrl+Shift+U)</source>
        <translation>时间为 UTC；单击切换为本地时间 (Ctrl+Shift+U)</translation>
    </message>
    <message>
        <source>Times are local; click for UTC (Ctrl+Shift+U)</source>
        <translation>时间为本地时间；单击切换为 UTC (Ctrl+Shift+U)</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Go on with live data (Pause)</source>
        <translation>恢复实时数据 (Pause)</translation>
    </message>
    <message>
        <source>Pause live data (Pause)</source>
        <translation>暂停实时数据 (Pause)</translation>
    </message>
    <message>
        <source>Select rows of a table first.</source>
        <translation>请先选中表格中的行。</translation>
    </message>
    <message numerus="yes">
        <source>Copied %n row(s).</source>
        <translation>
            <numerusform>已复制 %n 行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Filter, from a table</source>
        <translation>从表格进入筛选</translation>
    </message>
    <message>
        <source>Apply the held order, in a table</source>
        <translation>在表格中应用被保持的顺序</translation>
    </message>
    <message>
        <source>Open the details of a row</source>
        <translation>打开行的详情</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>About Weir</source>
        <translation>关于 Weir</translation>
    </message>
    <message>
        <source>Control plane and console for a fleet of media nodes.
Licence: GPL-3.0-or-later. Built with Qt %1.</source>
        <translation>媒体节点集群的控制面与控制台。
许可：GPL-3.0-or-later。基于 Qt %1 构建。</translation>
    </message>
</context>
<context>
    <name>weir::ui::MessageBar</name>
    <message>
        <source>Undo (%1)</source>
        <translation>撤销 (%1)</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Dismiss this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>weir::ui::NavButton</name>
    <message numerus="yes">
        <source>%n need(s) action</source>
        <translation>
            <numerusform>%n 个需要处理</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n need(s) attention</source>
        <translation>
            <numerusform>%n 个需要关注</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>page, how much needs attention</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>page, shortcut</comment>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>weir::ui::NodeActions</name>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Disconnected since %1; actions are off until data is live.</source>
        <translation>自 %1 起断开；数据恢复实时前操作不可用。</translation>
    </message>
    <message>
        <source>viewer</source>
        <translation>viewer</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>operator</translation>
    </message>
    <message>
        <source>You are %1; this needs %2.</source>
        <translation>您是 %1；此操作需要 %2。</translation>
    </message>
    <message>
        <source>superadmin</source>
        <translation>superadmin</translation>
    </message>
    <message>
        <source>Select a node first.</source>
        <translation>请先选择节点。</translation>
    </message>
    <message>
        <source>Un&amp;drain</source>
        <translation>取消排空(&amp;D)</translation>
    </message>
    <message>
        <source>Let the scheduler choose %1 again</source>
        <translation>让调度器重新选择 %1</translation>
    </message>
    <message>
        <source>&amp;Drain…</source>
        <translation>排空(&amp;D)…</translation>
    </message>
    <message>
        <source>Keep what runs, send nothing new</source>
        <translation>保留在途请求，不再发送新请求</translation>
    </message>
    <message numerus="yes">
        <source>%1 is not in quarantine.</source>
        <comment>names of nodes</comment>
        <translation>
            <numerusform>%1 未被隔离。</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;End quarantine early…</source>
        <translation>提前结束隔离(&amp;E)…</translation>
    </message>
    <message>
        <source>Ends the quarantine and probes at once; asks for a reason</source>
        <translation>结束隔离并立即探测；需要填写原因</translation>
    </message>
    <message>
        <source>&amp;Probe now</source>
        <translation>立即探测(&amp;P)</translation>
    </message>
    <message>
        <source>Sends one health check now</source>
        <translation>立即发送一次健康检查</translation>
    </message>
    <message>
        <source>&amp;Why (not) chosen?</source>
        <translation>为何（未）选中？(&amp;W)</translation>
    </message>
    <message>
        <source>Dry run of the scheduler: nothing sent, no alarm, no counter</source>
        <translation>调度器试运行：未发送任何内容，不告警，不计数</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>node: refusal</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Drain %1</source>
        <translation>排空 %1</translation>
    </message>
    <message>
        <source>Nothing new is sent to %1; what runs goes on.</source>
        <translation>不再向 %1 发送新请求；在途请求继续。</translation>
    </message>
    <message>
        <source>In flight now: %1</source>
        <translation>当前在途：%1</translation>
    </message>
    <message>
        <source>Draining: %1.</source>
        <translation>正在排空：%1。</translation>
    </message>
    <message>
        <source>No longer draining: %1.</source>
        <translation>已取消排空：%1。</translation>
    </message>
    <message numerus="yes">
        <source>Check: %1, %n good in a row.</source>
        <translation>
            <numerusform>探测：%1，连续成功 %n 次。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 Traffic: %2 (%3).</source>
        <comment>check; traffic word; failures by bucket</comment>
        <translation>%1流量：%2（%3）。</translation>
    </message>
    <message>
        <source>End quarantine of %1</source>
        <translation>结束 %1 的隔离</translation>
    </message>
    <message>
        <source>%1 is probed at once and comes back when the check is good.</source>
        <translation>立即探测 %1，探测成功即恢复。</translation>
    </message>
    <message>
        <source>Quarantine ended: %1.</source>
        <translation>已结束隔离：%1。</translation>
    </message>
    <message>
        <source>%1 probed: %2 in %3 ms.</source>
        <translation>%1 已探测：%2，%3 毫秒。</translation>
    </message>
    <message>
        <source>Probed: %1.</source>
        <translation>已探测：%1。</translation>
    </message>
</context>
<context>
    <name>weir::ui::NodeDrawer</name>
    <message>
        <source>Settings in force</source>
        <translation>生效的设置</translation>
    </message>
    <message>
        <source>Close the drawer (F4)</source>
        <translation>关闭详情面板 (F4)</translation>
    </message>
    <message>
        <source>Close the drawer</source>
        <translation>关闭详情面板</translation>
    </message>
    <message>
        <source>Parts of the drawer</source>
        <translation>详情面板的各部分</translation>
    </message>
    <message>
        <source>Last probes</source>
        <translation>最近的探测</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>No probe has ended yet.</source>
        <translation>尚无探测完成。</translation>
    </message>
    <message>
        <source>No node selected</source>
        <translation>未选择节点</translation>
    </message>
    <message>
        <source>Select a row to see its probes, traffic and settings.</source>
        <translation>选择一行以查看其探测、流量和设置。</translation>
    </message>
    <message>
        <source>This node exists no more.</source>
        <translation>此节点已不存在。</translation>
    </message>
    <message>
        <source>user %1</source>
        <translation>user %1</translation>
    </message>
    <message numerus="yes">
        <source>%n flap(s) 1 h</source>
        <translation>
            <numerusform>1 小时抖动 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · disk free %2 GB</source>
        <comment>flaps, gigabytes</comment>
        <translation>%1 · 磁盘剩余 %2 GB</translation>
    </message>
    <message>
        <source>Probe log (%1)</source>
        <translation>探测日志 (%1)</translation>
    </message>
    <message>
        <source>probe ok but held until %1</source>
        <translation>探测正常，但隔离至 %1</translation>
    </message>
    <message>
        <source>Health check</source>
        <translation>健康检查</translation>
    </message>
    <message>
        <source>Offline after</source>
        <translation>离线条件</translation>
    </message>
    <message numerus="yes">
        <source>%n failed probe(s)</source>
        <translation>
            <numerusform>连续失败 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Back after</source>
        <translation>恢复条件</translation>
    </message>
    <message numerus="yes">
        <source>%n good probe(s)</source>
        <translation>
            <numerusform>连续成功 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Quarantine</source>
        <translation>隔离</translation>
    </message>
    <message>
        <source>none so far</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>%1, used %2, reserved %3, in flight %4</source>
        <translation>%1，已用 %2，预留 %3，在途 %4</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>static (from the configuration)</source>
        <translation>静态（来自配置）</translation>
    </message>
    <message>
        <source>registered</source>
        <translation>已注册</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>In pool since</source>
        <translation>入池时间</translation>
    </message>
    <message>
        <source>Moved by</source>
        <translation>移动者</translation>
    </message>
    <message>
        <source>Last ejection</source>
        <translation>最近一次摘除</translation>
    </message>
</context>
<context>
    <name>weir::ui::NodePoolsPage</name>
    <message numerus="yes">
        <source>%1 of %n selected node(s) is gone</source>
        <translation>
            <numerusform>所选 %n 个节点中有 %1 个已不存在</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n selected pool(s) is gone</source>
        <translation>
            <numerusform>所选 %n 个池中有 %1 个已不存在</numerusform>
        </translation>
    </message>
    <message>
        <source>Node pools</source>
        <translation>节点池</translation>
    </message>
    <message numerus="yes">
        <source>%n pool(s)</source>
        <translation>
            <numerusform>%n 个池</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n pool(s)</source>
        <translation>
            <numerusform>%n 个池中的 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · default stays first, unassigned last</source>
        <comment>count of pools</comment>
        <translation>%1 · default 始终在最前，unassigned 始终在最后</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) in %1</source>
        <translation>
            <numerusform>%1 共 %n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) in %1 pools</source>
        <translation>
            <numerusform>%1 个池共 %n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n selected</source>
        <comment>nodes in pool; number selected</comment>
        <translation>
            <numerusform>%1 · 已选 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>No pools.</source>
        <translation>没有池。</translation>
    </message>
    <message>
        <source>Waiting for the control plane.</source>
        <translation>正在等待控制面。</translation>
    </message>
    <message>
        <source>No node of the selection matches %1.</source>
        <translation>所选池中没有匹配 %1 的节点。</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Select a pool to see its nodes.</source>
        <translation>选择一个池以查看其节点。</translation>
    </message>
    <message>
        <source>No node is in this pool.</source>
        <translation>此池中没有节点。</translation>
    </message>
    <message>
        <source>Pools</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Nodes of the selected pools</source>
        <translation>所选池的节点</translation>
    </message>
    <message>
        <source>Filter pools and nodes</source>
        <translation>筛选节点池和节点</translation>
    </message>
    <message>
        <source>Available</source>
        <translation>可用</translation>
    </message>
</context>
<context>
    <name>weir::ui::NodeTableModel</name>
    <message>
        <source>%1 · cause: %2</source>
        <translation>%1 · 原因：%2</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
    <message>
        <source>Quarantine</source>
        <translation>隔离</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>流量</translation>
    </message>
    <message>
        <source>Traffic 5 m</source>
        <translation>流量 5 分钟</translation>
    </message>
    <message>
        <source>ok/err</source>
        <translation>成功/失败</translation>
    </message>
    <message>
        <source>Schedulable for</source>
        <translation>可调度</translation>
    </message>
    <message>
        <source>Free/Cap</source>
        <translation>空闲/容量</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Last probe</source>
        <translation>最近探测</translation>
    </message>
    <message>
        <source>Flaps 1 h</source>
        <translation>抖动 1 小时</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>In pool since</source>
        <translation>入池时间</translation>
    </message>
    <message>
        <source>Moved by</source>
        <translation>移动者</translation>
    </message>
</context>
<context>
    <name>weir::ui::NodeVerdicts</name>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>流量</translation>
    </message>
    <message>
        <source>Schedulable</source>
        <translation>可调度</translation>
    </message>
    <message>
        <source>no probe has ended yet</source>
        <translation>尚无探测完成</translation>
    </message>
    <message>
        <source>%1 in %2 ms</source>
        <translation>%1，%2 毫秒</translation>
    </message>
    <message>
        <source>%1, next in %2</source>
        <translation>%1，%2后再次探测</translation>
    </message>
    <message>
        <source>The check is good while requests fail.</source>
        <translation>探测正常，但请求失败。</translation>
    </message>
    <message>
        <source>Draining by %1, %2 in flight.</source>
        <translation>由 %1 排空，%2 个在途。</translation>
    </message>
    <message>
        <source>Draining by %1: %2; %3 in flight.</source>
        <translation>由 %1 排空：%2；%3 个在途。</translation>
    </message>
    <message>
        <source>%1 failed in a row, out at %2.</source>
        <translation>连续失败 %1 次，达到 %2 次即离线。</translation>
    </message>
    <message>
        <source>%1 good in a row.</source>
        <translation>连续成功 %1 次。</translation>
    </message>
    <message>
        <source>left in quarantine, until %1</source>
        <translation>隔离剩余时间，至 %1</translation>
    </message>
    <message>
        <source>The quarantine is over; only a good probe is missing.</source>
        <translation>隔离已结束；只差一次成功的探测。</translation>
    </message>
    <message>
        <source>cause: %1</source>
        <translation>原因：%1</translation>
    </message>
    <message>
        <source>%1 ok / %2 err</source>
        <translation>%1 成功 / %2 失败</translation>
    </message>
</context>
<context>
    <name>weir::ui::NodesPage</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n selected node(s) is gone</source>
        <translation>
            <numerusform>所选 %n 个节点中有 %1 个已不存在</numerusform>
        </translation>
    </message>
    <message>
        <source>Nodes/Workers</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n node(s)</source>
        <translation>
            <numerusform>%n 个节点中的 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>sorted by severity, then name</source>
        <translation>按严重程度、名称排序</translation>
    </message>
    <message>
        <source>sorted by %1, then name</source>
        <translation>按%1、名称排序</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>count of nodes, sort order</comment>
        <translation>%1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>已选 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>selection, order held</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Waiting for the control plane.</source>
        <translation>正在等待控制面。</translation>
    </message>
    <message>
        <source>No nodes registered.</source>
        <translation>没有已注册的节点。</translation>
    </message>
    <message numerus="yes">
        <source>0 of %n node(s) match.</source>
        <translation>
            <numerusform>%n 个节点中没有匹配项。</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter nodes</source>
        <translation>筛选节点</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Filter by: %1</source>
        <translation>按%1筛选</translation>
    </message>
    <message>
        <source>Problems only</source>
        <translation>仅问题</translation>
    </message>
    <message>
        <source>Disagreement only</source>
        <translation>仅不一致</translation>
    </message>
    <message>
        <source>Requests fail while the check is good</source>
        <translation>探测正常但请求失败</translation>
    </message>
</context>
<context>
    <name>weir::ui::OverviewPage</name>
    <message>
        <source>Schedulable apps</source>
        <translation>可调度应用</translation>
    </message>
    <message>
        <source>Workers healthy</source>
        <translation>健康 worker</translation>
    </message>
    <message>
        <source>Request success 5 m</source>
        <translation>请求成功率 5 分钟</translation>
    </message>
    <message>
        <source>Fallback share</source>
        <translation>回退占比</translation>
    </message>
    <message>
        <source>Ejections/h</source>
        <translation>每小时摘除</translation>
    </message>
    <message>
        <source>Healthy workers</source>
        <translation>健康 worker</translation>
    </message>
    <message>
        <source>1 h</source>
        <translation>1 小时</translation>
    </message>
    <message>
        <source>%1 m</source>
        <translation>%1 分</translation>
    </message>
    <message numerus="yes">
        <source>Show the last %n minute(s)</source>
        <translation>
            <numerusform>显示最近 %n 分钟</numerusform>
        </translation>
    </message>
    <message>
        <source>Starved apps</source>
        <translation>无法调度的应用</translation>
    </message>
    <message>
        <source>Pools</source>
        <translation>池</translation>
    </message>
    <message>
        <source>App</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>起始</translation>
    </message>
    <message>
        <source>Green but failing</source>
        <translation>探测正常但失败</translation>
    </message>
    <message>
        <source>All workers</source>
        <translation>所有 worker</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>worker</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>流量</translation>
    </message>
    <message>
        <source>Failed/all</source>
        <translation>失败/全部</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>需要关注</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Recent changes</source>
        <translation>最近变更</translation>
    </message>
    <message>
        <source>24 h</source>
        <translation>24 小时</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变更</translation>
    </message>
    <message>
        <source>Collecting since %1 (%2).</source>
        <translation>自 %1（%2）起收集。</translation>
    </message>
    <message>
        <source>Not known while no live state has come.</source>
        <translation>实时状态未到达前未知。</translation>
    </message>
    <message>
        <source>No worker is registered yet.</source>
        <translation>尚未注册 worker。</translation>
    </message>
    <message>
        <source>No app is known yet.</source>
        <translation>尚无已知应用。</translation>
    </message>
    <message>
        <source>Every known app has a place to go.</source>
        <translation>每个已知应用都有去处。</translation>
    </message>
    <message>
        <source>No worker fails traffic while its check is green.</source>
        <translation>没有探测正常但流量失败的 worker。</translation>
    </message>
    <message>
        <source>Traffic is not measured until requests pass.</source>
        <translation>有请求经过后才测量流量。</translation>
    </message>
    <message>
        <source>No worker is out, held or failing.</source>
        <translation>没有 worker 离线、隔离或失败。</translation>
    </message>
    <message>
        <source>Nobody moved, drained or bound anything in 24&#xa0;h.</source>
        <translation>24&#xa0;小时内没有移动、排空或绑定操作。</translation>
    </message>
</context>
<context>
    <name>weir::ui::PoolDrawer</name>
    <message>
        <source>No pool selected</source>
        <translation>未选择池</translation>
    </message>
    <message>
        <source>%1 exists no more.</source>
        <translation>%1 已不存在。</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>user %1</source>
        <translation>user %1</translation>
    </message>
    <message>
        <source>Available origins</source>
        <translation>可用 origin</translation>
    </message>
    <message>
        <source>Available edges</source>
        <translation>可用 edge</translation>
    </message>
    <message>
        <source>Available workers</source>
        <translation>可用 worker</translation>
    </message>
    <message>
        <source>none: out of scheduling</source>
        <translation>无：不参与调度</translation>
    </message>
    <message>
        <source>origins %1</source>
        <translation>origin %1</translation>
    </message>
    <message>
        <source>edges %1</source>
        <translation>edge %1</translation>
    </message>
    <message>
        <source>workers %1</source>
        <translation>worker %1</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Free capacity</source>
        <translation>空闲容量</translation>
    </message>
    <message>
        <source>Last change</source>
        <translation>最近变更</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <comment>time, what happened</comment>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>Apps resolving here</source>
        <translation>解析到此池的应用</translation>
    </message>
    <message>
        <source>Apps</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Why (not) chosen: %1</source>
        <translation>为何（未）选中：%1</translation>
    </message>
    <message>
        <source>Dry run for %1</source>
        <translation>对 %1 试运行</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>Fallback rule</source>
        <translation>回退规则</translation>
    </message>
    <message>
        <source>%1 allow / %2 fail-closed</source>
        <translation>%1 个允许 / %2 个失败关闭</translation>
    </message>
    <message>
        <source>Exhausted 1 h</source>
        <translation>1 小时内耗尽</translation>
    </message>
    <message>
        <source>Minimum available</source>
        <translation>最低可用数</translation>
    </message>
    <message>
        <source>none set</source>
        <translation>未设置</translation>
    </message>
</context>
<context>
    <name>weir::ui::PoolTableModel</name>
    <message>
        <source>%1 allow / %2 fail-closed</source>
        <translation>%1 个允许 / %2 个失败关闭</translation>
    </message>
    <message>
        <source>Processes keep running and heartbeats continue; no app is sent here.</source>
        <translation>进程继续运行，心跳继续；不会向此处派发应用。</translation>
    </message>
    <message>
        <source>0 of %1 match</source>
        <translation>%1 个中 0 个匹配</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>user %1</source>
        <translation>user %1</translation>
    </message>
    <message>
        <source>Role matches, online, not quarantined, not draining, with room</source>
        <translation>角色相符、在线、未隔离、未排空且有余量</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>origins</source>
        <translation>origin</translation>
    </message>
    <message>
        <source>edges</source>
        <translation>edge</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>worker</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Apps</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Free capacity</source>
        <translation>空闲容量</translation>
    </message>
    <message>
        <source>Fallback rule</source>
        <translation>回退规则</translation>
    </message>
    <message>
        <source>Exhausted 1 h</source>
        <translation>1 小时内耗尽</translation>
    </message>
    <message>
        <source>Last change</source>
        <translation>最近变更</translation>
    </message>
</context>
<context>
    <name>weir::ui::ProbeLogModel</name>
    <message>
        <source>Held</source>
        <translation>保持隔离</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Time (%1)</source>
        <translation>时间 (%1)</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Body fields</source>
        <translation>响应字段</translation>
    </message>
</context>
<context>
    <name>weir::ui::ReasonDialog</name>
    <message>
        <source>&amp;Reason (required)</source>
        <translation>原因（必填）(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Reason (optional)</source>
        <translation>原因（可选）(&amp;R)</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>A reason is required</source>
        <translation>必须填写原因</translation>
    </message>
</context>
<context>
    <name>weir::ui::StateLane</name>
    <message>
        <source>%1 from %2 to %3 (%4)</source>
        <translation>%1，%2 至 %3（%4）</translation>
    </message>
    <message>
        <source>States over time</source>
        <translation>状态走势</translation>
    </message>
    <message>
        <source>Nothing is recorded for this time.</source>
        <translation>此时段没有记录。</translation>
    </message>
    <message numerus="yes">
        <source>%n state(s), last %1 since %2 (%3)</source>
        <translation>
            <numerusform>%n 个状态，最近 %1，自 %2（%3）起</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::TableColumns</name>
    <message>
        <source>Reset this table</source>
        <translation>重置此表</translation>
    </message>
</context>
<context>
    <name>weir::ui::WhyDialog</name>
    <message>
        <source>Why (not) chosen?</source>
        <translation>为何（未）选中？</translation>
    </message>
    <message>
        <source>&amp;App</source>
        <translation>应用(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Role</source>
        <translation>角色(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Needs</source>
        <translation>需要(&amp;N)</translation>
    </message>
    <message>
        <source>App</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Capacity needed</source>
        <translation>所需容量</translation>
    </message>
    <message>
        <source>As&amp;k</source>
        <translation>询问(&amp;K)</translation>
    </message>
    <message>
        <source>Ask the scheduler</source>
        <translation>询问调度器</translation>
    </message>
    <message>
        <source>&amp;Copy as Markdown</source>
        <translation>复制为 Markdown(&amp;C)</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Dry run: nothing sent, no alarm, no counter</source>
        <translation>试运行：未发送任何内容，不告警，不计数</translation>
    </message>
    <message>
        <source>Nodes: candidates in their order, then who was excluded and why</source>
        <translation>节点：先按顺序列出候选，再列出被排除者及原因</translation>
    </message>
    <message>
        <source>Nodes of this decision</source>
        <translation>此次决策的节点</translation>
    </message>
    <message>
        <source>The answer names no node.</source>
        <translation>答复中没有节点。</translation>
    </message>
    <message>
        <source>Choose an app and a role, then ask.</source>
        <translation>选择应用和角色，然后询问。</translation>
    </message>
    <message>
        <source>Disconnected; nobody can be asked until data is live.</source>
        <translation>已断开；数据恢复实时前无法询问。</translation>
    </message>
    <message>
        <source>Name an app first.</source>
        <translation>请先填写应用。</translation>
    </message>
    <message>
        <source>There is no answer to copy yet.</source>
        <translation>尚无可复制的答复。</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>解析</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>nothing (%1)</source>
        <translation>无 (%1)</translation>
    </message>
    <message>
        <source>%1, by fallback to default</source>
        <translation>%1，经由回退到 default</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>选中</translation>
    </message>
    <message>
        <source>Healthy elsewhere</source>
        <translation>其他池健康数</translation>
    </message>
    <message>
        <source>Would help</source>
        <translation>可解决</translation>
    </message>
</context>
</TS>
