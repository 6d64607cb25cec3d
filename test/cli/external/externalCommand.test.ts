/** `countersign external`: a payment elsewhere from its reservation to the statement that shows it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

describe('countersign external', () => {
  let world: World;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-external-'));
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (...args: string[]) =>
    runHere(['external', ...args], { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });
  const reserve = (merchant: string, amount: string, ...more: string[]) =>
    run(
      'reserve',
      '--agent',
      world.agent.did,
      '--merchant',
      merchant,
      '--amount',
      amount,
      '--currency',
      'USD',
      '--channel',
      'card',
      ...more,
    );

  test('reserves once for a repeated command, and commits with the hash of a receipt', async () => {
    const first = await reserve('tea.example', '24.50', '--json');
    assert.equal(first.code, 0, first.stderr);
    const again = await reserve('tea.example', '24.50', '--json');
    assert.equal(again.json().mandateId, first.json().mandateId);
    const receipt = join(folder, 'receipt.txt');
    await writeFile(receipt, 'Paid 20.00 USD\n');
    const { mandateId, transactionId } = first.json();
    const paid = await run('commit', mandateId, '--amount', '20', '--receipt', receipt);
    assert.match(paid.stdout, /^Payment +pm_\w+\nStatus +CAPTURED\nPaid +20\.00 USD\n/);
    const { body } = await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`);
    const captured = body.events.find(({ eventType }: Loose) => eventType === 'PAYMENT_CAPTURED');
    const hash = createHash('sha256').update('Paid 20.00 USD\n').digest('hex');
    assert.deepEqual(captured.data.evidence, { kind: 'receipt', sha256: `sha256:${hash}` });
  });

  test('tells a refusal with its reason, and where a person can approve it', async () => {
    const refused = await reserve('tea.example', '5000');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /over the cap/);
  });

  test('releases, and compares a statement line by line', async () => {
    const released = (await reserve('one.example', '3', '--json')).json();
    assert.match((await run('release', released.mandateId)).stdout, /Status +CANCELED/);
    await reserve('coffee.example', '4');
    const file = join(folder, 'statement.json');
    const line = { occurredAt: new Date().toISOString(), amount: 4, currency: 'USD', descriptor: 'COFFEE 12' };
    await writeFile(file, JSON.stringify([line, { ...line, descriptor: 'UNKNOWN' }]));
    const read = await run('statement', file);
    assert.match(read.stdout, /settled +4\.00 USD +COFFEE 12 +pm_\w+\nunmatched +4\.00 USD +UNKNOWN/);
    await writeFile(file, '{}');
    assert.match((await run('statement', file)).stderr, /has no lines; give a list of/);
  });
});
