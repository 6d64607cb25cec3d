/** The disk of the database fills under load, stays full, and gets room again: the node goes on, and lost nothing it acknowledged. */
import assert from 'node:assert/strict';
import { chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import pg from 'pg';
import { type Acknowledged, buyUntil, judge, nothingYet, setUp, someAcknowledged } from '../support/buyers.ts';
import { type ChildNode, startChild } from '../support/child.ts';
import { noteFigure } from '../support/figures.ts';
import { makePeer } from '../support/peer.ts';
import { startPostgres } from '../support/postgresServer.ts';
import { missingMount, mountSmallDisk, type SmallDisk } from '../support/smallDisk.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY } from '../support/world.ts';

const MIB = 1024 * 1024;
const TIMES = 3;
const CLIENTS = 4;
/** How soon the node stores again once there is room. */
const HEALED_MS = 5000;

type Env = Record<string, string>;

describe('a disk that fills under load', { skip: missingMount() ?? false }, () => {
  test('holds a node on SQLite up until it has room again, three times, and takes nothing it acknowledged', async (t) => {
    const disk = mountSmallDisk(48 * MIB);
    t.after(() => disk.remove());
    await playFull(t, disk, { DATA_DIR: disk.folder });
  });

  test('holds a node on PostgreSQL up until it has room again, three times, and takes nothing it acknowledged', async (t) => {
    const server = await startPostgres();
    const disk = mountSmallDisk(96 * MIB);
    const dataDir = await mkdtemp(join(tmpdir(), 'countersign-full-'));
    t.after(async () => {
      await server.stop();
      disk.remove();
      await rm(dataDir, { recursive: true, force: true });
    });
    const { uid, gid } = await stat(server.dataFolder);
    for (const folder of [dirname(disk.folder), disk.folder]) await chown(folder, uid, gid);
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(`CREATE TABLESPACE small LOCATION '${disk.folder}'`);
    await admin.query('CREATE DATABASE full_disk TABLESPACE small');
    await admin.end();
    const url = new URL(server.url);
    url.pathname = '/full_disk';
    await playFull(t, disk, { DATA_DIR: dataDir, DATABASE_URL: url.href });
  });
});

async function playFull(t: TestContext, disk: SmallDisk, given: Env): Promise<void> {
  const env = {
    ...given,
    BOOTSTRAP_API_KEY: ADMIN_KEY,
    SANDBOX_RATE_PER_MINUTE: '1000000',
    SANDBOX_BURST: '1000000',
  };
  const merchant = makePeer();
  const agents = Array.from({ length: CLIENTS }, () => makePeer());
  const node = await startChild(env);
  t.after(() => node.kill());
  await setUp(node, merchant, agents);
  const seen = nothingYet();
  const end = new AbortController();
  const clients = agents.map((agent) => buyUntil(end.signal, node, agent, merchant, seen));
  const healed: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    await someAcknowledged(seen, 20);
    healed.push(await fillAndEmpty(disk, node, seen));
  }
  end.abort();
  await Promise.all(clients);
  await node.kill();
  await judge(env, seen);
  const engine = given['DATABASE_URL'] === undefined ? 'sqlite' : 'postgres';
  noteFigure(
    `A full disk under load on ${engine}`,
    `${TIMES} times, ${CLIENTS} clients, ${seen.refusals.length} answers 503, ${seen.payments.size} acknowledged payments: none ` +
      `lost, payments again within ${Math.max(...healed)} ms of room`,
  );
}

/** @returns after how many milliseconds a payment was acknowledged again */
async function fillAndEmpty(disk: SmallDisk, node: ChildNode, seen: Acknowledged): Promise<number> {
  disk.fill();
  const before = seen.refusals.length;
  // Every client is refused, again and again: what pages had free room in them is used up.
  await until('refusals of a full disk', async () => seen.refusals.length >= before + 20 * CLIENTS);
  assert.equal((await fetch(`${node.address}/healthz`)).status, 200);
  assert.match(String(seen.refusals.at(-1)), /UNAVAILABLE/);
  const paid = seen.payments.size;
  disk.empty();
  const started = performance.now();
  await until('a payment once there is room', async () => seen.payments.size > paid, HEALED_MS, 5);
  return Math.ceil(performance.now() - started);
}
