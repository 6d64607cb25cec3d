/**
 * The power is cut under a buying node, at any moment: what clients were told is on the disk, and the node starts on it. While
 * a disk takes no sync, the node acknowledges nothing.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type Acknowledged,
  buyUntil,
  buyUntilDead,
  judge,
  nothingYet,
  setUp,
  someAcknowledged,
} from '../support/buyers.ts';
import { startChild } from '../support/child.ts';
import { dice } from '../support/dice.ts';
import { noteFigure } from '../support/figures.ts';
import { makePeer } from '../support/peer.ts';
import { Disk, readJournal } from '../support/powerCut/disk.ts';
import { buildPreload, missingPreload, powered } from '../support/powerCut/preload.ts';
import { rounds } from '../support/rounds.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY } from '../support/world.ts';

const CUTS = rounds(40, 3);
const CLIENTS = 8;
/** Acknowledged before the power is cut at the latest. */
const PAYMENTS = rounds(300, 30);

/** What was acknowledged when the journal was so long. */
interface Seen extends Acknowledged {
  readonly moment: number;
}

describe('a buying node', { skip: missingPreload() ?? false }, () => {
  let root: string;
  let library: string;
  before(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-power-node-')));
    library = buildPreload(root);
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  test(`loses nothing by ${CUTS} cuts of the power, pays nothing twice, and starts again`, async () => {
    const { folder, env, merchant, agents } = await prepare('cut');
    const journal = join(root, 'cut.journal');
    const disk = new Disk(folder);
    const node = await startChild({ ...env, ...powered(library, { folder, journal, delayMicroseconds: 1000 }) });
    const seen = nothingYet();
    const states: Seen[] = [];
    const watch = setInterval(() => states.push(copyOf(seen, journal)), 20);
    const clients = agents.map((agent) => buyUntilDead(node, agent, merchant, seen));
    await someAcknowledged(seen, PAYMENTS);
    await node.kill();
    await Promise.all(clients);
    clearInterval(watch);
    states.push(copyOf(seen, journal));

    const entries = readJournal(journal);
    const chance = dice(`power cuts of a node ${entries.length}`);
    const last = entries.length - 1;
    const moments = new Set([last, ...Array.from({ length: CUTS - 1 }, () => chance.below(last))]);
    for (const [number, entry] of entries.entries()) {
      disk.apply(entry);
      if (!moments.has(number)) continue;
      const left = join(root, 'left');
      disk.writeTo(left, chance.below(3) === 0 ? 'nothing' : 'pieces', chance);
      const told = states.findLast(({ moment }) => moment <= entry.moment);
      await judge({ ...env, DATA_DIR: left }, told ?? nothingYet());
      rmSync(left, { recursive: true });
    }
    noteFigure(
      'The power cut of a buying node on sqlite',
      `${moments.size} cuts, ${CLIENTS} clients, ${seen.payments.size} acknowledged payments: none lost, none paid twice`,
    );
  });

  test('says that an outcome is unknown while its log cannot be synced, and goes on once it can', async () => {
    const { folder, env, merchant, agents } = await prepare('failing');
    const journal = join(root, 'failing.journal');
    const node = await startChild({
      ...env,
      ...powered(library, { folder, journal, failsFrom: 120, failures: 60 }),
    });
    const seen = nothingYet();
    const end = new AbortController();
    const clients = agents.map((agent) => buyUntil(end.signal, node, agent, merchant, seen));
    await until('a failing sync', async () => seen.refusals.length >= 40);
    await someAcknowledged(seen, PAYMENTS);
    end.abort();
    await Promise.all(clients);
    assert.match(seen.refusals.join(), /The outcome of this request is unknown; ask again/);
    await node.kill();
    await judge(env, seen);
  });

  /** A node that was started and stopped in order, so that all of its folder is on disk. */
  async function prepare(name: string) {
    const folder = join(root, name);
    mkdirSync(folder);
    const env = {
      DATA_DIR: folder,
      BOOTSTRAP_API_KEY: ADMIN_KEY,
      SANDBOX_RATE_PER_MINUTE: '1000000',
      SANDBOX_BURST: '1000000',
    };
    const merchant = makePeer();
    const agents = Array.from({ length: CLIENTS }, () => makePeer());
    const node = await startChild(env);
    await setUp(node, merchant, agents);
    await node.stop();
    return { folder, env, merchant, agents };
  }
});

/** The journal is measured last: what is copied before was acknowledged before. */
function copyOf({ intents, approvals, payments }: Acknowledged, journal: string): Seen {
  const copy = { intents: new Set(intents), approvals: new Set(approvals), payments: new Map(payments), refusals: [] };
  return { ...copy, moment: statSync(journal).size };
}
