import { mkdtempSync } from 'node:fs';
import { applyLoad } from './test/bench/load.ts';
import { intentBody, signedCall, startBenchNode } from './test/bench/node.ts';
import { pinSelf } from './test/bench/server.ts';

pinSelf();
const folder = mkdtempSync('/tmp/perf/h');
const node = await startBenchNode('countersign', folder, Number(process.env.AG ?? 256));
const go = async (n: number, seconds: number) => {
  const bodies = Array.from({ length: n }, (_, i) => {
    const a = node.agents[i % node.agents.length]!;
    return signedCall(node, a, 'IntentMandate', intentBody(node, a));
  });
  const m = async () => {
    const t = await (await fetch(node.server.address + '/metrics')).text();
    const g = (k: string) => Number(new RegExp(k + '(?:\\{[^}]*\\})? ([\\d.e+]+)').exec(t)?.[1]);
    return {
      commits: g('countersign_commits_total'),
      gc: [...t.matchAll(/gc_duration_seconds_sum\{kind="(\w+)"\} ([\d.]+)/g)].map((x) => x[1] + ' ' + x[2]),
    };
  };
  const b = await m(),
    c = node.server.cpuSeconds();
  const r = await applyLoad({
    url: node.server.address + '/a2a/gateway',
    connections: 64,
    seconds,
    bodies,
    headers: {},
    folder,
  });
  const e = await m();
  console.log(
    `${(r.requests / r.seconds).toFixed(0)}/s cpu ${(((node.server.cpuSeconds() - c) * 1e6) / r.requests).toFixed(0)} µs, group ${(r.requests / (e.commits - b.commits)).toFixed(1)}, p50 ${r.p50Ms} gc`,
    e.gc.join(' '),
  );
};
await go(6000, 2);
await go(12000, 4);
await go(12000, 4);
await node.server.stop();
