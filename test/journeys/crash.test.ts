/** kill -9 under load: what was acknowledged is there, the chain holds, nothing is paid twice. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { buyUntilDead, judge, nothingYet, setUp, someAcknowledged } from '../support/buyers.ts';
import { startChild } from '../support/child.ts';
import { type Engine, everyEngine } from '../support/engines.ts';
import { noteFigure } from '../support/figures.ts';
import { makePeer } from '../support/peer.ts';
import { rounds } from '../support/rounds.ts';
import { ADMIN_KEY } from '../support/world.ts';

const CLIENTS = 16;
/** Kills in all; the cheaper engine takes more. */
const KILLS = { sqlite: rounds(1200), postgres: rounds(800) } as const;
/** After so many kills their chain is read from its first event to its last, and a new database begins. */
const KILLS_A_DATABASE = 50;

describe('kill -9', { concurrency: true }, () => {
  for (const engine of everyEngine()) {
    const kills = KILLS[engine.name];
    test(`on ${engine.name} ${kills} times under ${CLIENTS} buying clients loses nothing and pays nothing twice`, async () => {
      const startedAt = performance.now();
      let payments = 0;
      for (let done = 0; done < kills; ) {
        const more = Math.min(KILLS_A_DATABASE, kills - done);
        payments += await killUnderLoad(engine, more);
        done += more;
        const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
        // Noted each time, so that a run that is cut off has told how far it came.
        noteFigure(
          `kill -9 of a buying node on ${engine.name}`,
          `${done} kills, ${CLIENTS} clients, ${payments} acknowledged payments: none lost, none paid twice, ` +
            `every chain holds; ${minutes} min`,
        );
      }
    });
  }
});

/** @returns how many payments were acknowledged */
async function killUnderLoad(engine: Engine, kills: number): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-crash-'));
  const database = await engine.open();
  await database.store.close();
  const env = {
    DATA_DIR: dataDir,
    BOOTSTRAP_API_KEY: ADMIN_KEY,
    SANDBOX_RATE_PER_MINUTE: '1000000',
    SANDBOX_BURST: '1000000',
    ...(database.url === undefined ? {} : { DATABASE_URL: database.url }),
  };
  const seen = nothingYet();
  const merchant = makePeer();
  const agents = Array.from({ length: CLIENTS }, () => makePeer());
  try {
    for (let cycle = 0; cycle < kills; cycle++) {
      const node = await startChild(env);
      if (cycle === 0) await setUp(node, merchant, agents);
      const clients = agents.map((agent) => buyUntilDead(node, agent, merchant, seen));
      await someAcknowledged(seen, 4);
      await new Promise((resolve) => setTimeout(resolve, (cycle * 37) % 250));
      await node.kill();
      await Promise.all(clients);
    }
    assert.ok(seen.payments.size >= 4 * kills, `only ${seen.payments.size} payments were acknowledged`);
    await judge(env, seen);
    return seen.payments.size;
  } finally {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
