/** When a mandate that was handed out no longer holds: its place in a status list is set by what ends it, in the same commit. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { STATUS_PLACES } from '../../../protocol/credential/statusList.ts';
import { signRotation } from '../../../protocol/evidence/rotation.ts';
import { readStatusList } from '../../../src/domain/credentials/readStatusList.ts';
import { placeOf } from '../../../src/domain/credentials/statusPlaces.ts';
import { keepListSigner } from '../../../src/domain/operator/keepListSigner.ts';
import { adoptRotations } from '../../../src/domain/operator/rotateIssuer.ts';
import { allOperations } from '../../../src/extensions/nodeOperations.ts';
import { all, run } from '../../../src/store/store.ts';
import type { Deps } from '../../../src/usecase/deps.ts';
import { call, type UseCase } from '../../../src/usecase/useCase.ts';
import { expireIntents } from '../../../src/workers/expireIntents.ts';
import { keepHouse } from '../../../src/workers/housekeeping.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Whether a mandate's bit is set in its list, as the list is served a moment later. */
async function isEnded({ deps, clock }: Pick<MemoryNode, 'clock'> & { deps: Deps }, form: Loose): Promise<boolean> {
  clock.now += 5000;
  const { statusListIndex, statusListCredential } = form.credentialStatus;
  const list = JSON.parse((await readStatusList(deps, Number(statusListCredential.split('/').at(-1)))).vc);
  assert.equal(list.id, statusListCredential);
  return isSet(list.credentialSubject.encodedList, Number(statusListIndex));
}

/** A mandate's bit in a list as a token. */
function isSetIn(token: string, { credentialStatus }: Loose): boolean {
  const { encodedList } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).credentialSubject;
  return isSet(encodedList, Number(credentialStatus.statusListIndex));
}

function isSet(encodedList: string, index: number): boolean {
  const bits = gunzipSync(Buffer.from(encodedList.slice(1), 'base64url'));
  return ((bits[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0;
}

const shown = (node: MemoryNode, id: string): Promise<Loose> => node.run('showCredential', { id, as: 'vc' });

/** An agent with an intent, in the form of strangers. */
async function stage(more: object = {}): Promise<{ node: MemoryNode; did: string; intent: Loose; form: Loose }> {
  const node = await memoryNode();
  const { did } = await node.agent();
  const request = { maxAmount: 10, currency: 'USD' };
  const asked = { agentDid: did, principalDid: did, request, credentialFormats: ['vc'], ...more };
  const intent = await node.run('issueIntent', asked);
  return { node, did, intent, form: intent.credentials?.vc };
}

describe('an intent that was handed out', () => {
  test('holds until it is paid', async () => {
    const { node, did, intent, form } = await stage();
    assert.equal(await isEnded(node, form), false);
    const { cartVc } = await node.run('demoCart', {
      payerDid: did,
      domain: 'shop.example',
      amount: 10,
      currency: 'USD',
    });
    const { approvalToken } = await node.run('validateCart', { intentVc: intent.intentVc, cartVc });
    assert.equal(await isEnded(node, form), false);
    await node.run('mandatePayment', { approvalToken });
    assert.equal(await isEnded(node, form), true);
  });

  test('ends with its agent', async () => {
    const { node, did, form } = await stage();
    await node.run('revokeAgent', { did, reason: 'lost' });
    assert.equal(await isEnded(node, form), true);
  });

  test('stays as it is while its agent is suspended, and when its time is over', async () => {
    const { node, did, form } = await stage();
    await node.run('suspendAgent', { did });
    assert.equal(await isEnded(node, form), false);
    node.clock.now += DAY_MS;
    await expireIntents(node.deps);
    assert.equal(await isEnded(node, form), false);
  });

  test('ends with the delegation of its principal to its agent, and with no other', async () => {
    const node = await memoryNode();
    const [one, two] = [await node.agent(), await node.agent()];
    const principalDid = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK';
    await node.run('registerPrincipal', { did: principalDid, name: 'Ada', agents: [one.did, two.did] });
    const asked = { principalDid, request: { maxAmount: 10, currency: 'USD' }, credentialFormats: ['vc'] };
    const of = async (agentDid: string) => (await node.run('issueIntent', { ...asked, agentDid })).credentials.vc;
    const [first, second] = [await of(one.did), await of(two.did)];
    await node.run('changePrincipal', { did: principalDid, agents: [two.did] });
    assert.deepEqual([await isEnded(node, first), await isEnded(node, second)], [true, false]);
  });

  test('has ended where its delegation was taken back before it is handed out', async () => {
    const node = await memoryNode();
    const { did: agentDid } = await node.agent();
    const principalDid = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK';
    await node.run('registerPrincipal', { did: principalDid, name: 'Ada', agents: [agentDid] });
    const request = { maxAmount: 10, currency: 'USD' };
    const { intentVc } = await node.run('issueIntent', { agentDid, principalDid, request });
    await node.run('changePrincipal', { did: principalDid, agents: [] });
    assert.equal(await isEnded(node, await shown(node, intentVc.credentialSubject.mandateId)), true);
  });

  test('ends with the test data that it belongs to', async () => {
    const { node, form } = await stage();
    await node.run('resetTestData', {});
    assert.equal(await isEnded(node, form), true);
  });
});

describe('a payment’s mandate that was handed out', () => {
  const ends: Readonly<Record<string, readonly [string, boolean]>> = {
    'its cancellation': ['cancelPayment', true],
    'its capture': ['capturePayment', false],
  };
  for (const [what, [operation, isEnd]] of Object.entries(ends)) {
    test(`${isEnd ? 'ends with' : 'outlives'} ${what}`, async () => {
      const { node, did } = await stage();
      const mandateId = await node.pay(did);
      const form = await shown(node, mandateId);
      assert.equal(await isEnded(node, form), false);
      await node.run(operation as 'cancelPayment', { mandateId });
      assert.equal(await isEnded(node, form), isEnd);
    });
  }

  test('outlives its agent once a rail has authorized it', async () => {
    const { node, did } = await stage();
    const form = await shown(node, await node.pay(did));
    await node.run('revokeAgent', { did, reason: 'lost' });
    assert.equal(await isEnded(node, form), false);
  });

  test('has ended where the rail declined, from the moment that it is handed out', async () => {
    const { node, did } = await stage();
    node.railAnswers(async () => ({ kind: 'declined', code: 'card_declined', message: 'No.' }));
    const form = await shown(node, await node.pay(did));
    assert.equal(await isEnded(node, form), true);
  });

  test('has ended in the list that comes with it where the rail declined, though the list was read a moment before', async () => {
    const { node, did } = await stage();
    await readStatusList(node.deps, 1);
    node.railAnswers(async () => ({ kind: 'declined', code: 'card_declined', message: 'No.' }));
    const { credentials } = await node.run('mandatePayment', {
      approvalToken: await node.approve(did),
      credentialFormats: ['vc', 'status'],
    });
    assert.equal(isSetIn(credentials.status, credentials.vc), true);
  });

  test('ends with its agent while no rail has answered', async () => {
    const { node, did } = await stage();
    node.railAnswers(async () => ({ kind: 'unknown', message: 'time-out' }) as never);
    const form = await shown(node, await node.pay(did));
    assert.equal(await isEnded(node, form), false);
    await node.run('revokeAgent', { did, reason: 'lost' });
    assert.equal(await isEnded(node, form), true);
  });

  test('keeps its place however often it is shown', async () => {
    const { node, did } = await stage();
    const id = await node.pay(did);
    const { credentialStatus } = await shown(node, id);
    assert.deepEqual((await shown(node, id)).credentialStatus, credentialStatus);
    const both = await Promise.all([shown(node, id), shown(node, id)]);
    assert.deepEqual(
      both.map((form) => form.credentialStatus),
      [credentialStatus, credentialStatus],
    );
  });
});

describe('the forms of an answer', () => {
  test('are in it when they are asked for, and nothing is when they are not', async () => {
    const { node, did, intent } = await stage({ credentialFormats: ['vc', 'vc+jwt', 'status'] });
    assert.deepEqual(Object.keys(intent.credentials), ['vc', 'vc+jwt', 'status']);
    const id = intent.intentVc.credentialSubject.mandateId;
    assert.deepEqual(await shown(node, id), intent.credentials.vc);
    assert.equal(await node.run('showCredential', { id, as: 'vc+jwt' }), intent.credentials['vc+jwt']);
    const plain = await node.run('issueIntent', {
      agentDid: did,
      principalDid: did,
      request: { maxAmount: 1, currency: 'USD' },
    });
    assert.deepEqual(Object.keys(plain).sort(), ['allowed', 'attestation', 'hpRequired', 'intentVc']);
    const rows = await node.deps.store.read(() => all('SELECT * FROM credential_status'));
    assert.equal(rows.length, 1, 'what was not asked for in a form has no place');
  });

  test('are those whose hashes the evidence has', async () => {
    const { node, did, intent } = await stage();
    const { cartVc } = await node.run('demoCart', {
      payerDid: did,
      domain: 'shop.example',
      amount: 10,
      currency: 'USD',
    });
    const { approvalToken } = await node.run('validateCart', { intentVc: intent.intentVc, cartVc });
    const paid = await node.run('mandatePayment', { approvalToken, credentialFormats: ['vc+jwt', 'status'] });
    const { data } = await node.run('searchEvidence', { limit: 200 });
    const facts = data.find((event: Loose) => event.eventType === 'PM_ISSUED').data;
    assert.equal(facts.formats['vc+jwt'], `sha256:${node.deps.suite.sha256Hex(paid.credentials['vc+jwt'])}`);
    assert.deepEqual(Object.keys(facts.formats), ['vc+jwt']);
    const [, body = ''] = paid.credentials['vc+jwt'].split('.');
    const { statusListIndex } = JSON.parse(Buffer.from(body, 'base64url').toString()).credentialStatus;
    assert.equal(statusListIndex, String(facts.status.idx));
  });
});

describe('status lists', () => {
  test('open a second one beyond half of their places', async () => {
    const { node, did } = await stage();
    await node.deps.store.write(node.owner.tenantId, () =>
      run('UPDATE status_lists SET entries = ?', STATUS_PLACES / 2 - 1),
    );
    const next = async () => (await shown(node, await node.pay(did))).credentialStatus.statusListCredential;
    assert.match(await next(), /\/1$/);
    assert.match(await next(), /\/2$/);
    assert.match(await next(), /\/2$/);
  });

  test('give no place away again whose row is gone', async () => {
    const { node, did, form } = await stage();
    node.clock.now += 40 * DAY_MS;
    await keepHouse(node.deps);
    assert.deepEqual(await node.deps.store.read(() => all('SELECT * FROM credential_status')), []);
    const { credentialStatus } = await shown(node, await node.pay(did));
    assert.match(form.credentialStatus.statusListCredential, /\/1$/);
    assert.match(credentialStatus.statusListCredential, /\/2$/);
  });

  test('keep the place of a mandate that is shown for the first time long after its end', async () => {
    const { node, did } = await stage();
    const id = await node.pay(did);
    node.clock.now += 400 * DAY_MS;
    const { credentialStatus } = await shown(node, id);
    await keepHouse(node.deps);
    assert.deepEqual((await shown(node, id)).credentialStatus, credentialStatus);
  });

  test('have 70,000 mandates in two lists, each in a place of its own', async () => {
    const node = await memoryNode();
    const { tenantId } = node.owner;
    const expiresAt = node.clock.now + DAY_MS;
    await node.deps.store.write(tenantId, function* (now) {
      for (let n = 0; n < 70_000; n++) {
        const mandate = {
          tenantId,
          transactionId: 'txn_',
          id: `intent_${n}`,
          agentDid: 'did:key:z',
          expiresAt,
          isOver: false,
        };
        yield* placeOf(node.deps, mandate, now);
      }
    });
    const counted = await node.deps.store.read(() =>
      all('SELECT list, COUNT(*) AS count FROM credential_status GROUP BY list ORDER BY list'),
    );
    assert.deepEqual(counted, [
      { list: 1, count: 65_536 },
      { list: 2, count: 4464 },
    ]);
  });

  test('of a former key are signed by it until the last mandate ends, unless it was given up', async () => {
    const { node, did, form } = await stage();
    const { issuer, suite, store } = node.deps;
    const id = await node.pay(did);
    const former = await shown(node, id);
    const next = suite.signer(new Uint8Array(32).fill(9));
    const rotation = signRotation(suite, issuer, { to: next.did, at: node.clock.now });
    const deps: Deps = {
      ...node.deps,
      issuer: next,
      evidence: { ...node.deps.evidence, rotations: [rotation] },
      memory: { ...node.deps.memory, statusLists: { built: new Map(), reads: new Map() } },
    };
    await adoptRotations(deps);
    const later = { deps, clock: node.clock };
    await assert.rejects(isEnded(later, form), { code: 'GONE' });
    await store.write('bootstrap', () => keepListSigner(node.deps, new Uint8Array(32).fill(7)));
    assert.equal(await isEnded(later, former), false);
    assert.equal(JSON.parse((await readStatusList(deps, 1)).vc).issuer, issuer.did);

    const useCase = allOperations.showCredential as UseCase;
    const anew = (await call(useCase.run, deps, node.owner, { id, as: 'vc' })) as Loose;
    assert.equal(anew.issuer, next.did);
    assert.notEqual(anew.credentialStatus.statusListCredential, former.credentialStatus.statusListCredential);
    assert.deepEqual([await isEnded(later, former), await isEnded(later, anew)], [true, false]);
    await call((allOperations.cancelPayment as UseCase).run, deps, node.owner, { mandateId: id });
    assert.equal(await isEnded(later, anew), true);

    node.clock.now += 8 * DAY_MS;
    await keepHouse(deps);
    await assert.rejects(isEnded(later, form), { code: 'GONE' });
    assert.equal((await store.read(() => all('SELECT * FROM credential_status'))).length, 3);
    node.clock.now += 31 * DAY_MS;
    await keepHouse(deps);
    assert.equal((await store.read(() => all('SELECT * FROM credential_status'))).length, 0);
  });

  test('are read once for all that ask at the same time, and once in a while for those after them', async () => {
    const { node } = await stage();
    let reads = 0;
    const store = Object.assign(Object.create(node.deps.store), {
      readApart: (script: Parameters<Deps['store']['readApart']>[0]) => {
        reads += 1;
        return node.deps.store.readApart(script);
      },
    });
    const deps: Deps = { ...node.deps, store };
    const ask = () => readStatusList(deps, 1);
    const lists = await Promise.all(Array.from({ length: 50 }, ask));
    assert.equal(new Set(lists.map(({ vc }) => vc)).size, 1);
    await ask();
    assert.equal(reads, 1);
    node.clock.now += 4000;
    await Promise.all([ask(), ask()]);
    assert.equal(reads, 2);
  });

  test('that there are none of are not found', async () => {
    const { deps } = await memoryNode();
    await assert.rejects(readStatusList(deps, 7), { code: 'NOT_FOUND' });
  });
});

test('a list that goes with a mandate is derived before the commit, which other purchases wait for', async () => {
  const node = await memoryNode();
  const { did: agentDid } = await node.agent();
  const request = { maxAmount: 10, currency: 'USD' };
  const ask = (credentialFormats: readonly string[]) =>
    node.run('issueIntent', { agentDid, principalDid: agentDid, request, credentialFormats });
  await ask(['vc']);
  const { built } = node.deps.memory.statusLists;
  assert.equal(built.size, 0);
  const { credentials } = await ask(['vc', 'status']);
  assert.equal(credentials.status, built.get(1)?.['vc+jwt']);
  assert.equal(isSetIn(credentials.status, credentials.vc), false);
});
