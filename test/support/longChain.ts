/** A verification of a long chain, and purchases at the same time: how long each of them waits. */
import assert from 'node:assert/strict';
import type { Caller } from '../../src/access/caller.ts';
import { allOperations } from '../../src/extensions/nodeOperations.ts';
import { run } from '../../src/store/store.ts';
import { fillPurchases } from './fillPurchases.ts';
import type { Loose, World } from './world.ts';

const TENANT = 'tnt_long';

interface Beside {
  /** How long each purchase took while the verification ran, in milliseconds. */
  readonly during: readonly number[];
  readonly verification: Loose;
}

/** Fills the chain of another tenant. @param events a multiple of three */
export async function fillChain(world: World, events: number): Promise<void> {
  const { store, issuer } = world.node.deps;
  const sql = 'INSERT INTO tenants (id, name, created_at) VALUES (?, ?, ?)';
  await store.write(TENANT, () => run(sql, TENANT, 'long', 1));
  await fillPurchases(store, { tenantId: TENANT, issuer: issuer.did, agentDid: world.agent.did }, events / 3);
}

/** Buys one thing after the other until the chain is verified. */
export async function buyBesideVerification(world: World): Promise<Beside> {
  const caller: Caller = { id: 'auditor', kind: 'apiKey', tenantId: TENANT, permissions: new Set(['read']) };
  let verification: Loose;
  const verified = allOperations.verifyEvidence
    .run(world.node.deps, { caller, reply: { kind: 'json' } }, {})
    .then((answer) => {
      verification = JSON.parse(String(answer.text));
    });
  const during: number[] = [];
  while (verification === undefined) {
    const started = performance.now();
    const bought = await world.rest('POST', '/ap2/intents', world.intentBody(10));
    assert.equal(bought.status, 200, bought.text);
    if (verification === undefined) during.push(performance.now() - started);
    await Promise.race([verified, new Promise((resolve) => setImmediate(resolve))]);
  }
  await verified;
  return { during, verification };
}
