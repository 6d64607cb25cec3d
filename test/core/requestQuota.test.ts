/** Who pays for a request: one that fails before its caller is charged charges its address, and each request is paid for once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../protocol/wire/fault.ts';
import type { Caller } from '../../src/access/caller.ts';
import { type RequestQuota, serveRequest } from '../../src/core/serveRequest.ts';

const ADDRESS = 'address 192.0.2.1';
const CALLER: Caller = { id: 'ak_1', kind: 'apiKey', tenantId: 'ten_1', permissions: new Set() };

const ACTS = {
  know: (quota: RequestQuota) => quota.know(CALLER),
  charge: (quota: RequestQuota) => quota.charge(),
  chargeAddress: (quota: RequestQuota) => quota.chargeAddress(),
  requireCalls: (quota: RequestQuota) => quota.requireCalls(),
  settle: (quota: RequestQuota) => quota.settle(),
  fail() {
    throw new Fault('FORBIDDEN', 'No.');
  },
};
type Act = keyof typeof ACTS;

/** What a request does, and what it charges by that. */
const TABLE: readonly [readonly Act[], readonly string[]][] = [
  [[], []],
  [['fail'], [ADDRESS]],
  [['know', 'fail'], [ADDRESS]],
  [['know', 'charge'], ['apiKey ak_1']],
  [['know', 'charge', 'fail'], ['apiKey ak_1']],
  // A caller that is not known cannot be charged.
  [['charge'], []],
  [['charge', 'fail'], [ADDRESS]],
  [['know', 'requireCalls', 'fail'], []],
  // A replay.
  [['know', 'chargeAddress'], [ADDRESS]],
  [['know', 'settle', 'fail'], []],
];

for (const [acts, charges] of TABLE) {
  test(`a request that does ${acts.join(', ') || 'nothing'}`, async () => {
    const { charged, error } = await serve(acts, true);
    assert.deepEqual(charged, charges);
    assert.equal(error, acts.includes('fail') ? 'FORBIDDEN' : undefined);
  });
}

test('a request that fails where its address has no calls left is told that', async () => {
  const { charged, error } = await serve(['fail'], false);
  assert.deepEqual(charged, [ADDRESS]);
  assert.equal(error, 'RATE_LIMITED');
});

test('a caller without calls is refused, and its address is not charged for that', async () => {
  const { charged, error } = await serve(['know', 'charge'], false);
  assert.deepEqual(charged, ['apiKey ak_1']);
  assert.equal(error, 'RATE_LIMITED');
});

/** @param allowed whether there are calls left */
async function serve(acts: readonly Act[], allowed: boolean) {
  const charged: string[] = [];
  const verdict = { allowed, limit: 1, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 };
  const limits = {
    charge(subject: string) {
      charged.push(subject);
      return verdict;
    },
    peek: () => verdict,
  };
  const deps = { access: { limits, localLimits: limits }, clock: () => 0 } as unknown as Parameters<
    typeof serveRequest
  >[0];
  const { error } = await serveRequest(deps, ADDRESS, async (quota) => {
    for (const act of acts) ACTS[act](quota);
    return { body: '' };
  });
  return { charged, error: error?.kind === 'fault' ? error.code : undefined };
}
