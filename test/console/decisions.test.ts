/** The filters of decisions, as the address has them, and a request that becomes a case. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupDecisions, type ListedDecision } from '../../console/parts/table/groupDecisions.ts';
import { decisionFiltersIn, decisionInputOf } from '../../console/screens/decisions/decisionFilters.ts';
import { withCase } from '../../console/screens/policy/draft/tools/caseText.ts';

const inputFor = (query: string) => decisionInputOf(decisionFiltersIn(new URLSearchParams(query)));

test('what an address says that is no filter of decisions is left out, and an amount may stand without a currency', () => {
  assert.deepEqual(inputFor('outcome=maybe&reason=NOTHING&merchant=sho&from=soon&min=1&max=2&x=1'), { min: 1, max: 2 });
  assert.deepEqual(inputFor('currency=us&min=1'), { min: 1 });
  assert.deepEqual(inputFor('currency=usd&min=1&max=2.50'), { currency: 'USD', min: 1, max: 2.5 });
  assert.deepEqual(inputFor('currency=USD&min=-1&max=1e9'), { currency: 'USD' });
});

test('a decision is found by its outcome, its reason, its agent and its merchant', () => {
  const input = inputFor('outcome=refused&reason=AMOUNT_OVER_CAP&agent=did:key:z6Mk&merchant=shop.example');
  assert.deepEqual(input, {
    outcome: 'refused',
    reasonCode: 'AMOUNT_OVER_CAP',
    agentDid: 'did:key:z6Mk',
    merchant: 'shop.example',
  });
});

test('the decisions of one purchase stand together where its newest is, and a refusal leads what followed it', () => {
  const decided = (
    transactionId: string,
    kind: ListedDecision['kind'],
    outcome: ListedDecision['outcome'],
    seq: number,
  ) => ({ transactionId, kind, outcome, seq }) as ListedDecision;
  const grouped = groupDecisions([
    decided('one', 'cart', 'allowed', 6),
    decided('two', 'intent', 'allowed', 5),
    decided('one', 'cart', 'refused', 4),
    decided('three', 'payment', 'refused', 3),
    decided('one', 'cart', 'refused', 2),
    decided('one', 'intent', 'allowed', 1),
  ]);
  assert.deepEqual(
    grouped.map((purchase) => [purchase.lead.seq, purchase.newest.seq, purchase.all.length]),
    [
      [4, 6, 4],
      [5, 5, 1],
      [3, 3, 1],
    ],
  );
});

test('a case is added to those that there are, and a file that cannot be read stays as it is', () => {
  const request = { amount: 80, currency: 'USD', merchantDomain: 'shop.example' };
  const said = { allowed: false, hpRequired: false, reasonCodes: ['AMOUNT_OVER_CAP'] } as never;
  const one = withCase('', request, said);
  assert.deepEqual(JSON.parse(one), [
    { name: '80.00 USD at shop.example', request, expect: { allowed: false, reasonCodes: ['AMOUNT_OVER_CAP'] } },
  ]);
  assert.equal(JSON.parse(withCase(one, request, said)).length, 2);
  for (const text of ['[', '{}', '7']) assert.equal(withCase(text, request, said), text);
});
