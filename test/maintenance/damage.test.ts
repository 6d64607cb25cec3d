/** Damaged and emptied databases: no backup that a restore would refuse, and no new history where there was one. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runHere } from '../cli/runHere.ts';
import { type ChildNode, startChild } from '../support/child.ts';
import { makePeer } from '../support/peer.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY } from '../support/world.ts';

/** A folder, and the nodes on it, which end before it is removed. */
async function folder(t: TestContext): Promise<{ readonly dataDir: string; readonly nodes: ChildNode[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-damage-'));
  const nodes: ChildNode[] = [];
  t.after(async () => {
    for (const node of nodes) await node.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { dataDir, nodes };
}

/** A folder that a node was started on. */
async function usedFolder(t: TestContext): Promise<string> {
  const { dataDir } = await folder(t);
  const node = await startChild({ DATA_DIR: dataDir });
  await node.stop();
  return dataDir;
}

async function damage(dataDir: string): Promise<void> {
  const file = await open(join(dataDir, 'countersign.db'), 'r+');
  await file.write(Buffer.alloc(8192 * 3, 0x55), 0, 8192 * 3, 8192 * 2);
  await file.close();
}

test('of a damaged database no backup is made, and the way back is named; who must can copy it all the same', async (t) => {
  const dataDir = await usedFolder(t);
  const target = join(dataDir, 'backup.tar');
  assert.equal((await runHere(['backup', target], { DATA_DIR: dataDir })).code, 0);
  await rm(target);
  await damage(dataDir);
  const refused = await runHere(['backup', target], { DATA_DIR: dataDir });
  assert.equal(refused.code, 1, refused.stdout);
  assert.match(refused.stderr, /No backup was made\. .*countersign restore FILE --data-dir .* --no-check/s);
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.includes('backup')),
    // Of the one before.
    ['last-backup'],
  );
});

test('a start on a damaged file names it, its damage and the newest copy, and not another try', async (t) => {
  const dataDir = await usedFolder(t);
  await mkdir(join(dataDir, 'backups'));
  await copyFile(join(dataDir, 'countersign.db'), join(dataDir, 'backups', 'schema-005.db'));
  await damage(dataDir);
  await assert.rejects(startChild({ DATA_DIR: dataDir }), (error: Error) => {
    assert.match(error.message, /countersign\.db cannot be used: database disk image is malformed/);
    assert.match(error.message, /countersign restore \S+schema-005\.db --data-dir/);
    assert.doesNotMatch(error.message, /try again/);
    return true;
  });
});

test('a start on a file that was emptied begins no new history', async (t) => {
  const dataDir = await usedFolder(t);
  await truncate(join(dataDir, 'countersign.db'), 0);
  for (const suffix of ['-wal', '-shm']) await rm(join(dataDir, `countersign.db${suffix}`), { force: true });
  await assert.rejects(startChild({ DATA_DIR: dataDir }), /is empty, and was not: this node has keys\. Restore/);
});

const PAGE = 8192;
const AGENTS = 120;

interface Damaged {
  /** What the start or, where it goes on, the node says. */
  readonly told: RegExp;
  damage(file: string): Promise<void>;
}

/** Writes into a file, from a share of its length on. */
async function overwrite(file: string, share: number, bytes: Buffer): Promise<void> {
  const { size } = await stat(file);
  const opened = await open(file, 'r+');
  await opened.write(bytes, 0, bytes.length, Math.floor((size * share) / PAGE) * PAGE);
  await opened.close();
}

/** Exchanges two pages, each of which is whole. */
async function exchange(file: string): Promise<void> {
  const opened = await open(file, 'r+');
  const { size } = await opened.stat();
  const one = Math.floor(size / PAGE / 3);
  let other = Math.floor(size / PAGE / 2);
  const pages = [Buffer.alloc(PAGE), Buffer.alloc(PAGE)] as const;
  await opened.read(pages[0], 0, PAGE, one * PAGE);
  // Of another kind, since two empty ones are the same.
  do await opened.read(pages[1], 0, PAGE, ++other * PAGE);
  while (pages[1][0] === pages[0][0]);
  await opened.write(pages[0], 0, PAGE, other * PAGE);
  await opened.write(pages[1], 0, PAGE, one * PAGE);
  await opened.close();
}

const DAMAGES: Readonly<Record<string, Damaged>> = {
  'a header that was overwritten': {
    told: /countersign\.db cannot be used: file is not a database/,
    damage: (file) => overwrite(file, 0, Buffer.alloc(100, 0x55)),
  },
  'pages that were overwritten': {
    told: /damaged|malformed/,
    damage: (file) => overwrite(file, 0.4, Buffer.alloc(8 * PAGE, 0x55)),
  },
  'pages that were exchanged': { told: /damaged|malformed/, damage: exchange },
  'a half that is missing': {
    told: /countersign\.db cannot be used: database disk image is malformed/,
    damage: async (file) => truncate(file, Math.floor((await stat(file)).size / 2)),
  },
  'nothing in it': { told: /countersign\.db is empty, and was not/, damage: (file) => truncate(file, 0) },
  'another kind of file': {
    told: /countersign\.db cannot be used: file is not a database/,
    damage: (file) => writeFile(file, 'This is no database.\n'.repeat(1000)),
  },
};

for (const [name, { told, damage }] of Object.entries(DAMAGES)) {
  test(`a node on a file with ${name} refuses to start and names the way back, or has all it acknowledged and says so`, async (t) => {
    const { dataDir, nodes } = await folder(t);
    const limits = { SANDBOX_RATE_PER_MINUTE: '1000000', SANDBOX_BURST: '1000000' };
    const env = { DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMIN_KEY, ...limits };
    const node = await startChild(env);
    nodes.push(node);
    for (let made = 0; made < AGENTS; made++) await register(node);
    await node.stop();
    const file = join(dataDir, 'countersign.db');
    await damage(file);
    const again = await startChild(env).catch((error: Error) => error);
    if (again instanceof Error) {
      assert.match(again.message, told);
      assert.match(again.message, /countersign restore /);
      return;
    }
    nodes.push(again);
    assert.equal(await countAgents(again), AGENTS);
    await until('the node says so', async () => {
      const ready = (await (await fetch(`${again.address}/readyz`)).json()) as { warnings?: string[] };
      return told.test(String(ready.warnings));
    });
  });
}

test('a node that was killed begins with its whole log, and a log that was cut is told by the checkpoint beside the database', async (t) => {
  const { dataDir, nodes } = await folder(t);
  const env = { DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMIN_KEY };
  const node = await startChild(env);
  nodes.push(node);
  for (let made = 0; made < 5; made++) await register(node);
  await node.kill();
  const again = await startChild(env);
  nodes.push(again);
  assert.equal(await countAgents(again), 5);
  for (let made = 0; made < 5; made++) await register(again);
  // The export has a checkpoint, which the node keeps beside the database before it answers.
  const exported = await fetch(`${again.address}/ap2/evidence/export`, {
    headers: { Authorization: `Bearer ${ADMIN_KEY}` },
  });
  assert.equal(typeof ((await exported.json()) as { checkpoint: unknown }).checkpoint, 'string');
  await again.kill();
  await truncate(join(dataDir, 'countersign.db-wal'), 4 * PAGE);
  await rm(join(dataDir, 'countersign.db-shm'), { force: true });
  const cut = await startChild(env);
  nodes.push(cut);
  const ready = (await (await fetch(`${cut.address}/readyz`)).json()) as { warnings?: string[] };
  assert.match(String(ready.warnings), /The evidence does not extend the checkpoint that this node signed last/);
  await cut.stop();
  const doctor = await runHere(['doctor'], { DATA_DIR: dataDir });
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /The chain has \d+ events, and had \d+ at the last checkpoint/);
});

async function register(node: ChildNode): Promise<void> {
  const { status } = await fetch(`${node.address}/ap2/agents`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'agent', publicKey: makePeer().publicKey }),
  });
  assert.equal(status, 201);
}

async function countAgents(node: ChildNode): Promise<number> {
  let count = 0;
  for (let cursor = ''; ; ) {
    const answer = await fetch(`${node.address}/ap2/agents?limit=200${cursor}`, {
      headers: { Authorization: `Bearer ${ADMIN_KEY}` },
    });
    if (!answer.ok) return -answer.status;
    const page = (await answer.json()) as { data: unknown[]; hasMore: boolean; cursor: string };
    count += page.data.length;
    if (!page.hasMore) return count;
    cursor = `&cursor=${page.cursor}`;
  }
}
