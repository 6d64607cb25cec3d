/** An intent that comes back is known by its row: the verdict is that of a full verification, for every lie. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { signDocument } from '../../../protocol/credential/proof.ts';
import { issueCredential } from '../../../protocol/credential/vc.ts';
import { signRotation } from '../../../protocol/evidence/rotation.ts';
import type { Caller } from '../../../src/access/caller.ts';
import { readIntent, requireIssued } from '../../../src/domain/intents/issuedIntent.ts';
import { allOperations } from '../../../src/extensions/nodeOperations.ts';
import { findIntent, type IntentRow } from '../../../src/store/statements/purchases/intents.ts';
import type { Deps } from '../../../src/usecase/deps.ts';
import { call, type UseCase } from '../../../src/usecase/useCase.ts';
import { countingSuite } from '../../support/countingSuite.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { everyMutation } from '../../support/mutate.ts';
import type { Loose } from '../../support/world.ts';

const HOUR = 3_600_000;
const PURPOSE = 'assertionMethod' as const;

describe('an intent that comes back', () => {
  let node: MemoryNode;
  let row: IntentRow;
  let stored: Loose;
  let others: readonly IntentRow[];
  let agent: Caller;

  before(async () => {
    node = await memoryNode();
    agent = (await node.agent()).caller;
    const rows: IntentRow[] = [];
    for (const caller of [agent, agent, (await node.agent()).caller]) {
      const request = { maxAmount: 10, currency: 'USD' };
      const { intentVc } = await node.run('issueIntent', { agentDid: caller.id, principalDid: caller.id, request });
      const { mandateId } = intentVc.credentialSubject;
      rows.push((await node.deps.store.read(() => findIntent(agent.tenantId, mandateId))) as IntentRow);
    }
    [row, ...others] = rows as [IntentRow, ...IntentRow[]];
    stored = JSON.parse(row.credential);
  });

  /** What is said of a credential, and how many signatures that took. */
  async function judge(deps: Deps, held: IntentRow | undefined, intentVc: Loose, now: number, caller = agent) {
    const { suite, verified } = countingSuite(deps.suite);
    const own = { ...deps, suite, clock: () => now };
    try {
      const given = readIntent(own, intentVc);
      await own.store.read(() => requireIssued(own, caller, held, given, now));
      return { verdict: 'issued', verified: verified() };
    } catch (error) {
      return { verdict: (error as Error).message, verified: verified() };
    }
  }

  /** The same, by its signature alone: what is dated ahead of the clock is never known by its row. */
  function judgeFully(...[deps, held, ...more]: Parameters<typeof judge>) {
    return judge(deps, held && { ...held, created_at: Number.MAX_SAFE_INTEGER }, ...more);
  }

  const reversed = (value: Loose): Loose =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .map(([name, member]) => [name, reversed(member)])
            .reverse(),
        )
      : value;

  /** What an attacker may send, each with a name. */
  function lies(): readonly (readonly [string, Loose])[] {
    const thief = nobleSuite.signer(new Uint8Array(32).fill(9));
    const { issuer } = node.deps;
    const { proof: _proof, ...unsigned } = stored;
    const options = { created: unsigned.issuanceDate, proofPurpose: PURPOSE };
    const subject = { ...unsigned.credentialSubject, maxAmount: 9999 };
    const content = { type: 'IntentMandate', subject, issuedAt: row.created_at, expiresAt: row.expires_at } as const;
    const byIssuer = (change: object) => signDocument(node.deps.suite, issuer, { ...unsigned, ...change }, options);
    return [
      ...everyMutation(stored).map(({ name, document }) => [name, document] as const),
      ['by the key of another', signDocument(nobleSuite, thief, unsigned, options).document],
      ['by another issuer', issueCredential(nobleSuite, thief, content).document],
      ['another content by our key', issueCredential(node.deps.suite, issuer, content).document],
      ['another type by our key', byIssuer({ type: ['VerifiableCredential', 'CartMandate'] }).document],
      ['our signature for authentication', { ...stored, proof: { ...stored.proof, proofPurpose: 'authentication' } }],
      ['a lone surrogate', { ...stored, note: '\ud800' }],
      ['nested deeply', { ...stored, note: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) }],
      ['names that throw', { ...stored, credentialSubject: { mandateId: { toString: 1 }, agentDid: 1 } }],
      ['a subject that is a text', { ...stored, credentialSubject: 'intent_' }],
      ['no subject', { ...stored, credentialSubject: null }],
      ['nothing', {}],
    ];
  }

  test('gets the verdict of a full verification, by any change of a member and beside any agent’s row', async () => {
    const { deps } = node;
    const rows = [row, ...others, { ...row, status: 'EXPIRED' }, { ...row, status: 'USED' }, undefined] as const;
    const moments = [row.created_at, row.created_at + HOUR, row.expires_at + HOUR, row.created_at - 30_000, 0];
    let compared = 0;
    for (const [name, intentVc] of [
      ['as issued', stored],
      ['in another order', reversed(stored)],
      ...lies(),
    ] as const) {
      for (const held of rows) {
        for (const now of moments) {
          const said = await judge(deps, held, intentVc, now);
          const plain = await judgeFully(deps, held, intentVc, now);
          assert.equal(said.verdict, plain.verdict, `${name}, row ${held?.mandate_id} ${held?.status} at ${now}`);
          assert.ok(said.verdict !== 'issued' || held?.agent_did === agent.id, name);
          compared++;
        }
      }
    }
    assert.ok(compared > 2000, `${compared} compared`);
  });

  test('is verified by no signature where it is what the row has, in any order of members', async () => {
    const now = row.created_at + 1000;
    for (const intentVc of [stored, reversed(stored)]) {
      assert.deepEqual(await judge(node.deps, row, intentVc, now), { verdict: 'issued', verified: 0 });
      assert.deepEqual(await judgeFully(node.deps, row, intentVc, now), { verdict: 'issued', verified: 1 });
    }
  });

  test('that names no intent, agent or principal as this node does is verified before anything is looked up', () => {
    for (const member of ['mandateId', 'agentDid', 'principalDid']) {
      for (const value of ['', 'x', `${stored.credentialSubject[member]}\u0000`, 1, null, undefined]) {
        const credentialSubject = { ...stored.credentialSubject, [member]: value };
        assert.throws(() => readIntent(node.deps, { ...stored, credentialSubject }), /cannot be accepted/);
      }
    }
  });

  test('of a former key is verified by its signature, and refused by what the row and the rotation say', async () => {
    const { deps } = node;
    const next = nobleSuite.signer(new Uint8Array(32).fill(8));
    const now = row.created_at + HOUR;
    for (const compromised of [false, true]) {
      for (const at of [row.created_at - 1, row.created_at + 1]) {
        const rotation = signRotation(deps.suite, deps.issuer, { to: next.did, at, compromised });
        const rotated = { ...deps, issuer: next, evidence: { ...deps.evidence, rotations: [rotation] } };
        for (const [name, intentVc] of [['as issued', stored], ...lies()] as const) {
          const said = await judge(rotated, row, intentVc, now);
          assert.equal(said.verdict, (await judgeFully(rotated, row, intentVc, now)).verdict, name);
          if (name === 'as issued') {
            assert.equal(said.verified, 1);
            assert.match(said.verdict, at < row.created_at ? /was retired$/ : /^issued$/);
          } else assert.notEqual(said.verdict, 'issued', name);
        }
      }
    }
  });

  test('is another agent’s for another agent, and unknown to another tenant', async () => {
    const now = row.created_at;
    const { caller } = await node.agent();
    const stranger = { ...caller, agents: new Set([caller.id]) };
    assert.match((await judge(node.deps, row, stored, now, stranger)).verdict, /cannot act for/);
    const elsewhere = { ...node.owner, tenantId: 'tnt_other' };
    const found = await node.deps.store.read(() => findIntent(elsewhere.tenantId, row.mandate_id));
    assert.match((await judge(node.deps, found, stored, now, elsewhere)).verdict, /There is no intent/);
  });

  test('costs a cart no other signature than its merchant’s', async () => {
    const { suite, verified } = countingSuite(node.deps.suite);
    const offer = { payerDid: agent.id, domain: 'shop.example', amount: 10, currency: 'USD' };
    const { cartVc } = await node.run('demoCart', offer);
    const { run } = allOperations.validateCart as UseCase;
    const answer = await call(run, { ...node.deps, suite }, node.owner, { intentVc: stored, cartVc });
    assert.deepEqual([(answer as Loose).allowed, verified()], [true, 1]);
  });
});
