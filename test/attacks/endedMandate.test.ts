/** A chain of mandates that was allowed, and is paid when it holds no more. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { IntentParties, intentBudget } from '../support/intents.ts';
import { budget, MandateParties } from '../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';
import type { Loose } from '../support/world.ts';

describe('an allowed chain is not paid', () => {
  let node: MemoryNode;
  let parties: MandateParties;
  let agentDid: string;
  let issuerId: string;
  beforeEach(async () => {
    node = await memoryNode();
    parties = new MandateParties(() => node.clock.now);
    agentDid = (await node.agent()).did;
    const { jwk } = parties.provider;
    issuerId = (await node.run('addMandateIssuer', { name: 'P', kind: 'agent-provider', jwk })).id;
  });
  const present = async (body: Loose): Promise<string> => {
    const answer = await node.run('issuePaymentCredential', { agentDid, ...body });
    assert.equal(answer.allowed, true, JSON.stringify(answer));
    return answer.approvalToken;
  };
  const codesOf = async (approvalToken: string): Promise<string[]> =>
    (await node.run('mandatePayment', { approvalToken })).reasonCodes;
  /** What was taken back is void, as a token of a denied purchase is. */
  const refusesVoid = (approvalToken: string) =>
    assert.rejects(node.run('mandatePayment', { approvalToken }), {
      code: 'CONFLICT',
      message: /its mandate issuer was removed/,
    });
  const iso = (ms: number) => new Date(ms).toISOString();

  test('after its issuer was removed, also where the same key is trusted anew', async () => {
    const approvalToken = await present(parties.close(parties.open()));
    await node.run('removeMandateIssuer', { id: issuerId });
    await refusesVoid(approvalToken);
    await node.run('addMandateIssuer', { name: 'P', kind: 'agent-provider', jwk: parties.provider.jwk });
    await refusesVoid(approvalToken);
  });

  test('after the credential of the person who signed it was removed', async () => {
    await node.run('removeMandateIssuer', { id: issuerId });
    const { jwk } = parties.provider;
    const { id } = await node.run('addMandateIssuer', { name: 'P', kind: 'user-credential', jwk });
    const approvalToken = await present(parties.direct());
    await node.run('removeMandateIssuer', { id });
    await refusesVoid(approvalToken);
  });

  test('after its execution date has ended', async () => {
    const ends = node.clock.now + 60_000;
    const dated = { type: 'payment.execution_date', not_after: iso(ends) };
    const approvalToken = await present(parties.close(parties.open([dated])));
    node.clock.now = ends;
    const inTime = await present(parties.close(parties.open([dated])));
    assert.equal(await codesOf(inTime), undefined);
    node.clock.now = ends + 1;
    assert.deepEqual(await codesOf(approvalToken), ['TIME_WINDOW_VIOLATED']);
  });

  test('after a Verifiable Intent’s last day', async () => {
    const intents = new IntentParties(() => node.clock.now);
    await node.run('addMandateIssuer', intents.issuerKey);
    const end = node.clock.now + 60_000;
    const delegation = intents.delegate([intentBudget(90_000, 'USD', { end_date: iso(end) })]);
    const approvalToken = await present(intents.close(delegation));
    node.clock.now = end + 1;
    assert.deepEqual(await codesOf(approvalToken), ['TIME_WINDOW_VIOLATED']);
  });

  test('after one of its mandates has expired, with what clocks may differ by', async () => {
    const pairs = [1, 1].map((lasts) => parties.close(parties.open([], lasts)));
    const tokens: string[] = [];
    node.clock.now += 100_000;
    for (const body of pairs) tokens.push(await present(body));
    node.clock.now += 201_000;
    assert.equal(await codesOf(String(tokens[0])), undefined);
    node.clock.now += 1;
    assert.deepEqual(await codesOf(String(tokens[1])), ['MANDATE_INVALID']);
  });

  test('a delegation’s token after the issuer was removed', async () => {
    const token = parties.open(budget(900, 'USD'));
    const { id: delegationId } = await node.run('registerDelegation', { token, agentDid });
    const request = { maxAmount: 10, currency: 'USD' };
    const { intentVc } = await node.run('issueIntent', { agentDid, principalDid: agentDid, request, delegationId });
    const offer = { payerDid: agentDid, domain: 'shop.example', amount: 10, currency: 'USD' };
    const { cartVc } = await node.run('demoCart', offer);
    const { approvalToken } = await node.run('validateCart', { intentVc, cartVc });
    await node.run('removeMandateIssuer', { id: issuerId });
    assert.deepEqual(await codesOf(approvalToken), ['MANDATE_INVALID']);
  });
});
