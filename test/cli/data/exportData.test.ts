/** `countersign data export`: every record and event as a line of JSON, and nothing that opens anything. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { makeLives } from '../../support/lives.ts';
import { makePeer } from '../../support/peer.ts';
import { ADMIN_KEY } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const OPENING = /hash"|secret|token_hash|ak_test_|refresh/i;
const MEMBERS_THAT_MAY = new Set(['hash', 'cart_hash', 'hash_prev', 'hash_curr', 'policy_hash']);

for (const engine of everyEngine()) {
  test(`data export writes what was registered and proven, and no secret, on ${engine.name}`, async () => {
    const lives = await makeLives(engine);
    try {
      const agent = makePeer();
      await lives.ask('POST', '/ap2/agents', { name: 'buyer', publicKey: agent.publicKey });
      await lives.ask('POST', '/ap2/webhooks', { url: 'https://example.com/hook', events: ['*'] });
      const file = join(lives.folder, 'records.ndjson');
      const { code, stdout, stderr } = await runHere(['data', 'export', file, '--json'], lives.env);
      assert.equal(code, 0, stderr);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.deepEqual(
        (await readdir(lives.folder)).filter((name) => name.endsWith('.draft')),
        [],
      );
      const text = readFileSync(file, 'utf8');
      const [first, ...lines] = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(Object.keys(first), ['export']);
      const { tables } = JSON.parse(stdout);
      assert.deepEqual(lines.at(-1), { end: { rows: tables } });
      const rows = lines.slice(0, -1) as { table: string; row: Record<string, unknown> }[];
      assert.equal(
        rows.length,
        Object.values(tables as Record<string, number>).reduce((sum, each) => sum + each, 0),
      );
      assert.ok(rows.some(({ table, row }) => table === 'agents' && row['did'] === agent.did));
      assert.ok(rows.some(({ table, row }) => table === 'evidence' && row['actor_did'] !== undefined));
      assert.equal(text.includes(ADMIN_KEY), false);
      for (const { table, row } of rows) {
        for (const name of Object.keys(row)) {
          assert.ok(MEMBERS_THAT_MAY.has(name) || !OPENING.test(`${name}"`), `${table}.${name}`);
        }
      }
    } finally {
      await lives.close();
    }
  });
}

test('data export says what is wrong where there is no such folder, and leaves no file', async () => {
  const { code, stderr } = await runHere(['data', 'export', '/nowhere/records.ndjson'], {});
  assert.notEqual(code, 0);
  assert.match(stderr, /nowhere/);
});
