/** The registry of mandate issuers: what may be trusted, and that the evidence says by whom. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { makeAgent } from '../../../client/index.ts';
import { MOST_MANDATE_ISSUERS } from '../../../protocol/ap2/mandateIssuer.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { certify, makeP256 } from '../../support/p256.ts';

describe('mandate issuers', () => {
  let node: MemoryNode;
  before(async () => {
    node = await memoryNode();
  });

  const add = (more: object) => node.run('addMandateIssuer', { name: 'Wallet', kind: 'user-credential', ...more });
  const rootAt = (now: number, ca = true) => {
    const authority = { name: 'Bank', key: makeP256() };
    return certify(authority, authority, { ca, from: now - 1000, until: now + 3_600_000 });
  };

  test('are added by a key or by a root, listed newest first, removed, and in the evidence', async () => {
    const { jwk } = makeP256();
    const wallet = await add({ jwk: { ...jwk, kid: 'one' } });
    assert.match(wallet.id, /^mis_[0-9a-z]{26}$/);
    assert.deepEqual(wallet.jwk, { ...jwk, kid: 'one' });
    const bank = await add({ name: 'Bank', kind: 'card-issuer', x5cRoot: rootAt(node.clock.now) });
    assert.equal(bank.x5cRoot.subject, 'CN=Bank');
    const { data } = await node.run('listMandateIssuers', { limit: 10 });
    assert.deepEqual(data, [bank, wallet]);
    await node.run('removeMandateIssuer', { id: wallet.id });
    assert.deepEqual((await node.run('listMandateIssuers', { limit: 10 })).data, [bank]);
    await assert.rejects(node.run('removeMandateIssuer', { id: wallet.id }), /There is no mandate issuer mis_/);
    const events = (await node.events()).filter((type) => type.startsWith('MANDATE_ISSUER'));
    assert.deepEqual(events, ['MANDATE_ISSUER_ADDED', 'MANDATE_ISSUER_ADDED', 'MANDATE_ISSUER_REMOVED']);
  });

  test('are trusted by their key: the same key under another name is the same issuer', async () => {
    const { jwk } = makeP256();
    await add({ jwk });
    await assert.rejects(add({ name: 'Other', kind: 'agent-provider', jwk: { ...jwk, kid: 'x' } }), /trusted already/);
  });

  const { jwk, privateKey } = makeP256();
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' });
  const ed25519 = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(makeAgent().signer.publicKey).toString('base64url') };
  for (const [what, more, fault] of [
    ['neither key nor root', {}, /exactly one of the two/],
    ['both', { jwk, x5cRoot: rootAt(Date.UTC(2026, 5, 1)) }, /exactly one of the two/],
    ['a private key', { jwk: privateKey.export({ format: 'jwk' }) }, /without its private part/],
    ['a key of another kind', { jwk: ed25519 }, /P-256/],
    ['a key of another curve', { jwk: p384 }, /P-256/],
    ['no point of the curve', { jwk: { ...jwk, x: jwk.y } }, /point of the curve/],
    ['no certificate', { x5cRoot: 'hello' }, /one certificate/],
    ['the certificate of no authority', { x5cRoot: rootAt(Date.UTC(2026, 5, 1, 12), false) }, /certificate authority/],
    ['an invisible name', { name: '\u200b', jwk }, /can be seen/],
    ['an unknown kind', { kind: 'friend', jwk }, /kind/],
  ] as const) {
    test(`are not ${what}`, async () => {
      await assert.rejects(add(more), (error: Error & { details?: unknown }) =>
        fault.test(error.message + JSON.stringify(error.details)),
      );
    });
  }

  test('are as many as a chain can be tried with, and no more', async () => {
    const { length } = (await node.run('listMandateIssuers', { limit: 200 })).data;
    for (let count = length; count < MOST_MANDATE_ISSUERS; count += 1) await add({ jwk: makeP256().jwk });
    await assert.rejects(add({ jwk: makeP256().jwk }), /the most there may be/);
  });
});
