/** A chain of mandates names what is paid with, and who presents it wants something else to be charged. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { makeAgent } from '../../client/index.ts';
import { IntentParties } from '../support/intents.ts';
import { MandateParties } from '../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';
import type { Loose } from '../support/world.ts';

const { did: ALICE } = makeAgent();

describe('a chain that names one instrument', () => {
  let node: MemoryNode;
  let parties: MandateParties;
  let agentDid: string;
  beforeEach(async () => {
    node = await memoryNode();
    parties = new MandateParties(() => node.clock.now);
    agentDid = (await node.agent()).did;
  });
  const trust = (more: object = {}) =>
    node.run('addMandateIssuer', { name: 'P', kind: 'agent-provider', jwk: parties.provider.jwk, ...more });
  const add = (paymentMethod: string, holder: object = { agentDid }) =>
    node.run('addInstrument', { paymentMethod, ...holder });
  const present = (body: Loose, more: object = {}): Promise<Loose> =>
    node.run('issuePaymentCredential', { agentDid, ...body, ...more });
  const pay = (approvalToken: string, more: object = {}): Promise<Loose> =>
    node.run('mandatePayment', { approvalToken, ...more });
  const charged = async () => {
    const { data } = await node.run('searchEvidence', { eventType: 'PM_ISSUED', limit: 1 });
    return data[0].data.instrument;
  };
  const closed = (instrument: string) => parties.close(parties.open(), { instrument });

  test('is paid with that one, and not with the newest of its payer', async () => {
    await trust();
    for (const method of ['card-alpha', 'card-beta']) await add(method);
    let asked: Loose;
    const { approvalToken } = await present(closed('card-alpha'));
    node.railAnswers(undefined);
    const [rail] = node.deps.rails.values() as Iterable<Loose>;
    const { authorize } = rail;
    rail.authorize = (key: string, request: Loose) => {
      asked = request;
      return authorize(key, request);
    };
    await pay(approvalToken);
    assert.equal(asked.instrument, 'card-alpha');
    assert.equal(await charged(), 'card-alpha');
  });

  test('is paid with it by its id in the registry, too', async () => {
    await trust();
    const { id } = await add('card-alpha');
    await add('card-beta');
    const { approvalToken } = await present(closed(id));
    await pay(approvalToken, { instrument: 'card-alpha' });
    assert.equal(await charged(), 'card-alpha');
  });

  test('is not paid with another one that is named at payment', async () => {
    await trust();
    for (const method of ['card-alpha', 'card-beta']) await add(method);
    const { approvalToken } = await present(closed('card-alpha'));
    await assert.rejects(pay(approvalToken, { instrument: 'card-beta' }), /not what the mandate names, card-alpha/);
    await assert.rejects(pay(approvalToken, { instrument: 'pm_card_visa' }), /not what the mandate names, card-alpha/);
    await pay(approvalToken, { instrument: 'card-alpha' });
  });

  test('is refused where that is not the payer’s, and may be brought again when it is', async () => {
    await trust();
    await add('card-beta');
    await add('card-alpha', { agentDid: (await node.agent()).did });
    const open = parties.open();
    const body = parties.close(open, { instrument: 'card-alpha' });
    const { reasonCodes, details } = await present(body);
    assert.deepEqual(reasonCodes, ['CONSTRAINT_VIOLATED']);
    assert.match(details.CONSTRAINT_VIOLATED.message, /card-alpha/);
    await add('card-alpha');
    assert.equal((await present(body)).allowed, true);
  });

  test('is not paid by the agent’s own card where the money is a principal’s', async () => {
    await trust();
    await node.run('registerPrincipal', { did: ALICE, name: 'Alice', agents: [agentDid] });
    await add('card-of-the-agent');
    const { reasonCodes } = await present(closed('card-of-the-agent'), { principalDid: ALICE });
    assert.deepEqual(reasonCodes, ['CONSTRAINT_VIOLATED']);
  });

  test('with the person’s own signature is shown, proven and paid with that one', async () => {
    await node.run('registerPrincipal', { did: ALICE, name: 'Alice', agents: [agentDid] });
    for (const method of ['card-alpha', 'card-beta']) await add(method, { principalDid: ALICE });
    await trust({ kind: 'user-credential', principalDid: ALICE });
    await node.run('createPolicy', {
      name: 'P',
      rules: { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context: { presence: 'required' } },
      activate: true,
    });
    const { approvalToken, allowed } = await present(parties.direct({ instrument: 'card-alpha' }));
    assert.equal(allowed, true);
    await assert.rejects(pay(approvalToken, { instrument: 'card-beta' }), /card-alpha/);
    await pay(approvalToken);
    assert.equal(await charged(), 'card-alpha');
  });

  test('that was removed in between is refused at payment', async () => {
    await trust();
    const { id } = await add('card-alpha');
    await add('card-beta');
    const { approvalToken } = await present(closed('card-alpha'));
    await node.run('removeInstrument', { id });
    assert.deepEqual((await pay(approvalToken)).reasonCodes, ['CONSTRAINT_VIOLATED']);
  });

  test('of a card that a bank names in layer 1 is charged to that card', async () => {
    const intents = new IntentParties(() => node.clock.now);
    await node.run('addMandateIssuer', intents.issuerKey);
    const instrument = { type: 'network.card', id: 'card-of-the-bank' };
    const l1 = intents.credential({ card_id: instrument.id });
    assert.deepEqual((await present(intents.immediate({ instrument }, l1))).reasonCodes, ['CONSTRAINT_VIOLATED']);
    await add(instrument.id);
    const { approvalToken } = await present(intents.immediate({ instrument }, l1));
    await pay(approvalToken);
    assert.equal(await charged(), instrument.id);
  });
});
