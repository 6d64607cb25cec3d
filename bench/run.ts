/**
 * `npm run bench -- [--seconds N] [--rounds N] [--intents N] [--engine name] [--against folder] [--only name]`: measures, and says which targets are met. The exit code
 * is 1 only when something failed, since being slow is a result; for `--only guard` also where a purchase has become dearer.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureAgainst } from './against.ts';
import { measureCommits } from './commits.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureFastPaths } from './fastPaths.ts';
import { measureGuard } from './guard.ts';
import { measureGuardProxy } from './guardProxy.ts';
import { measureHistory } from './history/measureHistory.ts';
import { measureHttpPayments } from './httpPayments.ts';
import { measureIntents } from './intents.ts';
import { measureLargest } from './largest/measureLargest.ts';
import { measureLatency } from './latency.ts';
import { measureLists } from './lists.ts';
import { generator } from './load.ts';
import { measureMemory } from './memory.ts';
import { type Options, readOptions } from './options.ts';
import { measurePurchases } from './purchases.ts';
import { measureReplay } from './replay.ts';
import { lineOf, type Target } from './report.ts';
import { measureScale } from './scale.ts';
import { canPin, pinSelf } from './server.ts';
import { measureSpend } from './spend.ts';
import { measureStart } from './start.ts';
import { measureVerify } from './verify.ts';
import { measureWork } from './work.ts';
import { measureYearLimit } from './yearLimit.ts';

const BENCHES: Readonly<Record<string, (options: Options, folder: string) => Promise<Target[]>>> = {
  intents: measureIntents,
  purchases: measurePurchases,
  latency: measureLatency,
  replay: measureReplay,
  deliveries: measureDeliveries,
  start: measureStart,
  fastpaths: measureFastPaths,
  history: measureHistory,
  work: measureWork,
  scale: measureScale,
  commits: measureCommits,
  memory: measureMemory,
  verify: measureVerify,
  spend: measureSpend,
  largest: measureLargest,
  lists: measureLists,
  http: measureHttpPayments,
  limits: measureYearLimit,
  guard: measureGuard,
  'guard-proxy': measureGuardProxy,
  against: measureAgainst,
};

const options = readOptions(process.argv.slice(2));
const all = Object.keys(BENCHES).filter((name) => name !== 'against' || options.against !== undefined);
const names = options.only === undefined ? all : [options.only];
pinSelf();
console.log(`load by ${generator}; ${canPin ? 'servers on core 0, load on core 1' : 'no pinning to cores here'}`);
const targets: Target[] = [];
for (const name of names) {
  const bench = BENCHES[name];
  if (bench === undefined) throw new Error(`--only takes ${Object.keys(BENCHES).join(', ')}.`);
  // On the disk of the machine, not in memory: a commit that is not synced to a disk proves nothing.
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-bench-'));
  console.log(`\n== ${name} ==`);
  try {
    targets.push(...(await bench(options, folder)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(`\n${targets.map(lineOf).join('\n')}`);
