/** A call that its server answers with questions, as MCP has it since 2026-07-28: one purchase, reserved once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStateFile } from '../../../src/extensions/guard/guardState.ts';
import { Purchases } from '../../../src/extensions/guard/pipe/purchases.ts';
import { presets } from '../../../src/extensions/guard/presets/presets.ts';
import { parseGuardText } from '../../../src/extensions/guard/readGuardFile.ts';
import { rulesFor } from '../../../src/extensions/guard/rules/readCall.ts';
import type { McpToolResult } from '../../../src/extensions/guard/rules/readResult.ts';
import { AGENT, guardText, stateFileIn, statusOf } from './doubles/guardedClient.ts';
import { ReservationDouble } from './doubles/reservationDouble.ts';
import { textResult } from './doubles/vendor.ts';

const RULE =
  '[[tool]]\nmatch = "buy"\namount = "$.amount"\nunit = "major"\ncurrency = "USD"\nmerchant = "shop.example"\nreference = "$.id"\n';
const config = parseGuardText(guardText(RULE), 'guard.toml');
const [rule] = rulesFor(config, { name: 'shop' }, presets);
const PAID = textResult({ id: 'o_1' }) as McpToolResult;
const asking = (requestState?: string): McpToolResult => ({
  resultType: 'input_required',
  inputRequests: { size: { method: 'elicitation/create', params: { message: 'Which size?' } } },
  ...(requestState === undefined ? {} : { requestState }),
});

function guardOf(node: ReservationDouble, stateFile = stateFileIn()) {
  let keys = 0;
  const state = openStateFile(stateFile, Date.now);
  const purchases = new Purchases({
    ...{ node, agentDid: AGENT, principalDid: undefined, state, now: Date.now, log: () => {} },
    newKey: () => `key-${Math.random()}-${keys++}`,
  });
  let sent = 0;
  return {
    stateFile,
    sent: () => sent,
    /** @param continues what the client comes back with */
    call(amount: number, answer: McpToolResult, continues?: { readonly requestState: string | undefined }) {
      const call = { upstream: 'shop', tool: undefined, name: 'buy', input: { amount }, continues };
      const forward = async () => {
        sent += 1;
        return answer;
      };
      assert.ok(rule);
      return purchases.call(rule, call, forward, new AbortController().signal);
    },
  };
}

test('an answered question goes on by what was reserved, also by a guard that was started anew', async () => {
  const node = new ReservationDouble();
  const first = guardOf(node);
  const asked = await first.call(30, asking('s1'));
  assert.deepEqual([asked['resultType'], statusOf(asked)], ['input_required', 'reserved']);
  const again = await first.call(30, asking('s2'), { requestState: 's1' });
  assert.equal(statusOf(again), 'reserved');
  const { call } = guardOf(node, first.stateFile);
  assert.equal(statusOf(await call(30, PAID, { requestState: 's2' })), 'paid');
  assert.equal(node.spent, 30);
  assert.equal(node.told.length, 1);
});

test('what a server gave to go on with is good for its arguments alone, and once', async () => {
  const node = new ReservationDouble();
  const { call, sent } = guardOf(node);
  await call(30, asking('s1'));
  const other = await call(1, PAID, { requestState: 's1' });
  assert.match(String(other.content?.[0]?.text), /^This goes on with a call that was not made by way of this guard/);
  assert.equal(statusOf(await call(30, PAID, { requestState: 's1' })), 'paid');
  assert.equal((await call(30, PAID, { requestState: 's1' })).isError, true);
  assert.deepEqual([sent(), node.spent], [2, 30]);
});

test('a question that gives nothing to go on with is known by its arguments', async () => {
  const node = new ReservationDouble();
  const { call } = guardOf(node);
  await call(30, asking());
  assert.equal(statusOf(await call(30, PAID, { requestState: undefined })), 'paid');
  assert.equal(node.spent, 30);
  assert.equal(statusOf(await call(20, PAID, { requestState: undefined })), 'paid');
  assert.equal(node.spent, 50);
});

test('two calls that are asked at the same time are two purchases', async () => {
  const node = new ReservationDouble();
  const { call } = guardOf(node);
  await call(30, asking('one'));
  await call(30, asking('two'));
  assert.equal(statusOf(await call(30, PAID, { requestState: 'one' })), 'paid');
  assert.equal(statusOf(await call(30, textResult({ id: 'o_2' }) as McpToolResult, { requestState: 'two' })), 'paid');
  assert.deepEqual([node.spent, new Set(node.told.map(({ mandateId }) => mandateId)).size], [60, 2]);
});
