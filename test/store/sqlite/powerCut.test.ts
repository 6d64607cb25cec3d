/**
 * Power cuts: the disk as it is at any moment, without what was not synced or with pieces of it, holds everything that
 * was acknowledged before that moment.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NO_CLOCK, openSqlite } from '../../../src/store/sqlite/sqliteStore.ts';
import { all, type Store } from '../../../src/store/store.ts';
import { dice } from '../../support/dice.ts';
import { noteFigure } from '../../support/figures.ts';
import { Disk, type Kept, readJournal } from '../../support/powerCut/disk.ts';
import { buildPreload, missingPreload, powered } from '../../support/powerCut/preload.ts';
import { rounds } from '../../support/rounds.ts';
import { CONTRACT_SCHEMA } from '../notes.ts';

const CUTS = rounds(3000, 120);
const PROGRAM = fileURLToPath(new URL('./writeAndRead.ts', import.meta.url));
const NAME = 'store.db';

/** What a process was told of a tenant's row, and how long the journal was then. */
interface Told {
  readonly tenantId: string;
  readonly seq: number;
  readonly moment: number;
}

interface Life {
  readonly tenantIds: readonly string[];
  readonly milliseconds: number;
  readonly killedAfter?: number;
  /** With how many frames the log is copied into the database. */
  readonly checkpointAt?: number;
}

/** The log begins anew every few commits. */
const OFTEN = 40;

/** On one file: one that is killed, one of two processes of which one is killed, and one that ends in order. */
const LIVES: readonly Life[] = [
  { tenantIds: ['a'], milliseconds: 30_000, killedAfter: 300, checkpointAt: OFTEN },
  { tenantIds: ['a', 'b'], milliseconds: 1200, killedAfter: 600, checkpointAt: OFTEN },
  { tenantIds: ['b'], milliseconds: 300, checkpointAt: OFTEN },
];

interface Place {
  readonly folder: string;
  readonly journal: string;
  /** As it is before the first life. */
  readonly disk: Disk;
}

describe('a power cut', { skip: missingPreload() ?? false }, () => {
  let root: string;
  let library: string;
  let cuts: string;
  before(() => {
    // In memory, where there is such a place: what is examined after a cut needs no disk.
    cuts = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'countersign-cuts-'));
    root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-power-')));
    library = buildPreload(root);
  });
  after(() => {
    for (const folder of [root, cuts]) rmSync(folder, { recursive: true, force: true });
  });

  test('at any moment takes nothing that was acknowledged or read, and leaves a whole file', async () => {
    const place = makePlace('honest');
    const told = await liveAll(place, { delayMicroseconds: 1500 });
    const { count, lost, damaged } = await cutOften(place, told, CUTS);
    assert.deepEqual(damaged, []);
    assert.deepEqual(lost, []);
    noteFigure(
      'A power cut at any moment on sqlite',
      `${count} cuts, ${told.length} rows told of by two processes: none lost, no file damaged`,
    );
  });

  test('takes rows that were acknowledged before their sync, which this test finds', async () => {
    const place = makePlace('lying');
    const told = await liveAll(place, { lies: true }, LIVES.slice(0, 1));
    const { lost } = await cutOften(place, told, 40);
    assert.ok(lost.length > 0, 'the disk lied, and no loss was noticed');
  });

  test('loses nothing that was told where syncs of the log fail for a while, and the store goes on after that', async () => {
    const place = makePlace('failing');
    const env = powered(library, { ...place, failsFrom: 12, failures: 20 });
    // Long enough for a busy machine, which syncs less often.
    const lines = await live(join(place.folder, NAME), env, { tenantIds: ['a'], milliseconds: 3000 });
    const whats = lines.map(([what]) => what);
    const failed = lines.filter(([what]) => what === 'failed').map(([, , reason]) => String(reason));
    assert.ok(failed.length > 0);
    assert.match(String(failed[0]), /The outcome of this request is unknown; ask again/);
    assert.ok(whats.slice(whats.lastIndexOf('failed')).includes('told'), 'rows are stored once syncs succeed again');
    const { rows, damage } = await open(join(place.folder, NAME));
    assert.equal(damage, undefined);
    const told = lines.filter(([what]) => what === 'told').flatMap(([, , seqs]) => seqs as number[]);
    assert.deepEqual(
      told.filter((seq) => !rows.has(`a ${seq}`)),
      [],
    );
  });

  function makePlace(name: string): Place {
    const folder = join(root, name);
    mkdirSync(folder);
    return { folder, journal: join(root, `${name}.journal`), disk: new Disk(folder) };
  }

  async function liveAll(
    place: Place,
    given: { readonly delayMicroseconds?: number; readonly lies?: boolean },
    lives: readonly Life[] = LIVES,
  ): Promise<Told[]> {
    const env = powered(library, { ...place, ...given });
    const told: Told[] = [];
    for (const life of lives) {
      for (const [what, tenantId, value, moment] of await live(join(place.folder, NAME), env, life)) {
        assert.equal(what, 'told', String(value));
        for (const seq of value as number[]) told.push({ tenantId: String(tenantId), seq, moment: Number(moment) });
      }
    }
    return told;
  }

  /** @returns the rows that the cuts took, and what was wrong with the files they left */
  async function cutOften(place: Place, told: readonly Told[], wanted: number) {
    const entries = readJournal(place.journal);
    const chance = dice(`power cuts ${entries.length}`);
    const moments = new Set(Array.from({ length: wanted }, () => chance.below(entries.length)));
    const lost: string[] = [];
    const damaged: string[] = [];
    for (const [number, entry] of entries.entries()) {
      place.disk.apply(entry);
      if (!moments.has(number)) continue;
      const kept: Kept = (['nothing', 'pieces', 'pieces', 'everything'] as const)[chance.below(4)] ?? 'pieces';
      const folder = join(cuts, 'now');
      place.disk.writeTo(folder, kept, chance);
      const { rows, damage } = await open(join(folder, NAME));
      if (damage !== undefined) damaged.push(`after ${number} with ${kept}: ${damage}`);
      for (const { tenantId, seq, moment } of told) {
        if (moment > entry.moment || rows.has(`${tenantId} ${seq}`)) continue;
        lost.push(`${tenantId} ${seq} after ${number} with ${kept}`);
      }
      rmSync(folder, { recursive: true });
    }
    return { count: moments.size, lost, damaged };
  }
});

/** Opens what a power cut left, as a node does that starts. */
async function open(
  file: string,
): Promise<{ readonly rows: ReadonlySet<string>; readonly damage: string | undefined }> {
  const none: ReadonlySet<string> = new Set();
  if (!existsSync(file)) return { rows: none, damage: undefined };
  let store: Store | undefined;
  try {
    store = openSqlite(file, NO_CLOCK);
    const tables = await store.read(() => all("SELECT name FROM sqlite_master WHERE name = 'notes'"));
    const rows =
      tables.length === 0
        ? []
        : await store.read(() => all<{ tenant_id: string; seq: number }>('SELECT tenant_id, seq FROM notes'));
    const found = await store.read(() => all<{ integrity_check: string }>('PRAGMA integrity_check'));
    const damage = found.map((each) => each.integrity_check).find((each) => each !== 'ok');
    return { rows: new Set(rows.map((row) => `${row.tenant_id} ${row.seq}`)), damage };
  } catch (error) {
    return { rows: none, damage: String(error) };
  } finally {
    await store?.close();
  }
}

/** @returns what the processes printed, once all have ended */
async function live(
  file: string,
  env: Record<string, string>,
  { tenantIds, milliseconds, killedAfter, checkpointAt }: Life,
) {
  const lines: (readonly unknown[])[] = [];
  const ends = tenantIds.map(async (tenantId, index) => {
    const args = ['--import', 'tsx', PROGRAM, file, CONTRACT_SCHEMA, tenantId, String(milliseconds)];
    if (checkpointAt !== undefined) args.push(String(checkpointAt));
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const isKilled = killedAfter !== undefined && index === 0;
    const code = new Promise<number | null>((resolve) => child.on('exit', resolve));
    let count = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(JSON.parse(line));
      // As soon as it works, so that a slow start does not matter.
      if (count++ === 0 && isKilled) setTimeout(() => child.kill('SIGKILL'), killedAfter);
    }
    assert.equal(await code, isKilled ? null : 0);
  });
  await Promise.all(ends);
  return lines;
}
