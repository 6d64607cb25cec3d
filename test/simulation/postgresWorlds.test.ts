/** Simulated worlds on a real PostgreSQL server: they hold, what goes wrong there happens, and the server's time is the world's. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore } from '../../src/store/openStore.ts';
import { databaseTime } from '../../src/store/statements/node/nodes.ts';
import { startPostgres } from '../support/postgresServer.ts';
import { rounds } from '../support/rounds.ts';
import { playApart } from './playApart.ts';
import { MessageReader, withState } from './postgres/protocolMessages.ts';
import { WorldDatabase } from './postgres/worldDatabase.ts';

const FRESH_MINUTES = rounds(8, 0.25);
const MOST_PLAYS = 5;
const OTHER_FAULTS = 'kill,killAtStatement,cutPower,stop,storm,rail,clock,receiver,upgrade';

describe('a simulated world on PostgreSQL', () => {
  test(`holds for ${FRESH_MINUTES} min of fresh seeds`, { timeout: (FRESH_MINUTES + 10) * 60_000 }, async (t) => {
    const fresh = ['--minutes', String(FRESH_MINUTES), '--steps', String(rounds(25_000, 6000))];
    const { output } = await playApart('--engine', 'postgres', ...fresh);
    for (const line of output.split('\n').filter((each) => each.startsWith('seed '))) t.diagnostic(line);
    assert.match(output.trimEnd().split('\n').at(-1) ?? '', /every invariant held$/);
  });

  test('goes through cut connections, locked tables and crashes of the server', async () => {
    const wanted = new Set(['connections cut', 'connection cut at a statement', 'table locked', 'database crash']);
    // No seed says how far a world comes there, so that one may not meet all of them.
    for (let plays = 0; plays < MOST_PLAYS && wanted.size > 0; plays += 1) {
      const world = ['--seed', 'cut9', '--steps', '18000', '--without', OTHER_FAULTS];
      const { played } = await playApart('--engine', 'postgres', '--json', ...world);
      assert.deepEqual(played?.violations, []);
      assert.equal(played?.engine, 'postgres');
      for (const fault of Object.keys(played?.faults ?? {})) wanted.delete(fault);
    }
    assert.deepEqual([...wanted], []);
  });

  test('is refused under the name of an engine that there is not', async () => {
    await assert.rejects(playApart('--engine', 'oracle', '--seed', '1'), /--engine oracle: give sqlite or postgres/);
  });

  test('has a server whose time is the world’s', async (t) => {
    const given = process.env['TEST_DATABASE_URL'] || undefined;
    const server = given === undefined ? await startPostgres() : undefined;
    const database = await WorldDatabase.make(given ?? String(server?.url));
    const store = await openStore({ databaseUrl: database.url, file: '', clock: () => 7 });
    t.after(async () => {
      await store.close();
      await database.drop();
      await server?.stop();
    });
    for (const time of [Date.UTC(2026, 0, 5, 9), Date.UTC(2026, 0, 5, 9) + 1, Date.UTC(2031, 5, 1)]) {
      database.setClock(time);
      assert.equal(await store.read((now) => databaseTime('postgres', now)), time);
    }
  });

  test('reads messages of the driver and of the server however they are cut', () => {
    const startup = Buffer.from('\0\0\0\x09\0\x03\0\0\0', 'latin1');
    const query = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');
    const all = Buffer.concat([startup, query, query]);
    for (let size = 1; size <= all.length; size++) {
      const reader = new MessageReader('node');
      const read = [];
      for (let at = 0; at < all.length; at += size) read.push(...reader.read(all.subarray(at, at + size)));
      assert.deepEqual(
        read.map(({ kind, bytes }) => [kind, bytes.length]),
        [
          ['', 9],
          ['Q', 12],
          ['Q', 12],
        ],
        `in pieces of ${size}`,
      );
    }
  });

  test('gives an error that it has caused the code of the limit that it stands for, and no other error', () => {
    const error = { kind: 'E', bytes: Buffer.from('E\0\0\0\x18SERROR\0C57014\0Mno\0\0', 'latin1') };
    assert.ok(withState(error, '57014', '55P03').bytes.includes('\0C55P03\0'));
    assert.equal(withState(error, '57P01', '25P03'), error);
  });
});
