/** How a request ended, as a decision that others verify: by the node's endpoint, and by libraries that know no node. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { calculateJwkThumbprint } from 'jose';
import { verifyApproval } from '../../protocol/approvals/verifyApproval.ts';
import { canonical } from '../../protocol/credential/canonical.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof } from '../support/peer.ts';
import { askForApproval, leap, makePerson, NO_CREDENTIAL, type Person } from '../support/person.ts';
import { signInUser } from '../support/signInUser.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const suite = nativeSuite();

for (const engine of everyEngine()) {
  describe(`a decision that others verify on ${engine.name}`, () => {
    let world: World;
    let person: Person;
    before(async () => {
      world = await makeWorld(engine);
      await policy({});
      person = makePerson(world);
      await person.enroll();
    });
    after(() => world.close());

    const policy = async (context: Loose) => {
      const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' } };
      const asks = { presence: 'required', ...context };
      const made = await world.rest('POST', '/ap2/admin/policies', {
        name: 'asks',
        rules: { ...rules, context: asks },
      });
      assert.equal(made.status, 201, made.text);
    };
    const read = (id: string) => world.rest('GET', `/ap2/approvals/${id}?include=decision`);
    const check = (body: Loose) => world.rest('POST', '/ap2/approvals/verify', body);
    const decided = async (decision: 'approve' | 'deny' = 'approve') => {
      const asked = await askForApproval(world);
      await person.decide(asked.approval.id, decision);
      return (await read(asked.approval.id)).body as Loose;
    };
    const failed = ({ checks }: Loose) => checks.filter(({ ok }: Loose) => !ok).map(({ name }: Loose) => name);

    test('an approval verifies in the reader’s own libraries, from the decision alone', async () => {
      const { decision, cartHash } = await decided();
      const { binding, random, key, rpId, origin, assertion, enrolment } = decision;
      assert.equal(binding.cartHash, cartHash);
      const bound = suite.sha256(canonical(binding));
      const challenge = suite.sha256Bytes(Buffer.concat([Buffer.from(random, 'base64url'), bound]));
      const cose = new Map<number, number | Uint8Array>([
        ...([
          [1, 2],
          [3, -7],
          [-1, 1],
        ] as const),
        [-2, Buffer.from(key.x, 'base64url')],
        [-3, Buffer.from(key.y, 'base64url')],
      ]);
      const { credentialId: id, ...response } = assertion;
      const { verified } = await verifyAuthenticationResponse({
        response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
        expectedChallenge: Buffer.from(challenge).toString('base64url'),
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: true,
        credential: { id, publicKey: Uint8Array.from(isoCBOR.encode(cose)), counter: 0 },
      });
      assert.equal(verified, true);
      const { jwkThumbprint, principalDid, agentDid } = enrolment.credentialSubject;
      assert.equal(jwkThumbprint, await calculateJwkThumbprint(key));
      assert.deepEqual([principalDid, agentDid], [binding.principalDid, binding.agentDid]);
    });

    test('the enrolment of a passkey is recorded with the thumbprint of its key', async () => {
      const { decision } = await decided();
      const { data } = (await world.rest('GET', '/ap2/evidence/search?eventType=HP_REGISTERED&limit=1')).body;
      assert.equal(data[0].data.jwkThumbprint, await calculateJwkThumbprint(decision.key));
    });

    test('the endpoint makes nine checks, takes the node’s own word on whose key it is, and spends nothing', async () => {
      const { decision, cartHash, agentDid, amount, currency, expiresAt } = await decided();
      const expect = { documentHash: cartHash, agentDid, amount, currency, expiresAt };
      const first = await check({ decision, expect });
      assert.deepEqual([first.status, first.body.valid, first.body.reason], [200, true, undefined], first.text);
      assert.equal(first.body.checks.length, 9);
      assert.deepEqual((await check({ decision, expect })).body, first.body);
      const { approvedBy, notCompared, ...verdict } = first.body;
      assert.deepEqual(approvedBy, { did: agentDid, passkeyOf: 'agent' });
      assert.deepEqual(verdict, verifyApproval(suite, decision, expect, { keys: [decision.key], now: Date.now() }));
      assert.deepEqual(notCompared, ['principalDid', 'merchant', 'id', 'rpId', 'origin', 'used']);
      const { enrolment: _, ...bare } = decision;
      assert.deepEqual(failed((await check({ decision: bare, expect })).body), ['person']);
      assert.equal((await check({ decision: bare, expect, keys: [decision.key] })).body.valid, true);
      assert.deepEqual(failed((await check({ decision, expect, used: [decision.random] })).body), ['unused']);
      assert.deepEqual(failed((await check({ decision, expect, at: '2020-01-01T00:00:00Z' })).body).at(-1), 'time');
    });

    test('keys that the caller names are the only ones, also where the node vouches for another', async () => {
      const { decision, cartHash: documentHash } = await decided();
      const other = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
      const { body } = await check({ decision, expect: { documentHash }, keys: [other] });
      assert.deepEqual([body.valid, failed(body)], [false, ['person']]);
      assert.equal(body.reason, 'Its key is none of those that may approve it.');
    });

    test('what is altered is refused by the check that it fails', async () => {
      const { decision, cartHash: documentHash } = await decided();
      const other = await decided();
      const { binding, assertion } = decision;
      const altered: Record<string, [Loose, ...string[]]> = {
        amount: [{ binding: { ...binding, amount: 1500 } }, 'challenge'],
        merchant: [{ binding: { ...binding, merchant: 'evil.example' } }, 'challenge'],
        member: [{ binding: { ...binding, memo: 'x' } }, 'challenge'],
        random: [{ random: other.decision.random }, 'challenge'],
        assertion: [{ assertion: other.decision.assertion }, 'challenge'],
        origin: [{ origin: 'https://evil.example' }, 'place'],
        rpId: [{ rpId: 'evil.example' }, 'authenticator'],
        signature: [{ assertion: { ...assertion, signature: other.decision.assertion.signature } }, 'signature'],
        key: [
          { key: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } },
          'signature',
          'person',
        ],
        outcome: [{ outcome: 'denied' }, 'approved'],
        enrolment: [{ enrolment: { ...decision.enrolment, issuer: world.agent.did } }, 'person'],
        late: [{ decidedAt: new Date(Date.now() + 120_000).toISOString() }, 'time'],
      };
      for (const [name, [change, ...checks]] of Object.entries(altered)) {
        const { status, body } = await check({ decision: { ...decision, ...change }, expect: { documentHash } });
        assert.deepEqual([status, body.valid, failed(body)], [200, false, checks], name);
        assert.match(body.reason, /^[A-Z].*\.$/, name);
      }
      const foreign = await check({ decision, expect: { documentHash: other.cartHash } });
      assert.deepEqual(failed(foreign.body), ['action']);
    });

    test('what is no decision is a 400 that names the member', async () => {
      const { decision, cartHash: documentHash } = await decided();
      const wrong: Record<string, Loose> = {
        'decision.assertion': { decision: { ...decision, assertion: undefined }, expect: { documentHash } },
        'decision.random': { decision: { ...decision, random: '!' }, expect: { documentHash } },
        'decision.binding.amount': { decision: { ...decision, binding: { ...decision.binding, amount: {} } } },
        'expect.documentHash': { decision, expect: { documentHash: 'sha1:00' } },
        'expect.ammount': { decision, expect: { documentHash, ammount: 1 } },
        decision: { expect: { documentHash } },
      };
      for (const [path, body] of Object.entries(wrong)) {
        const reply = await check({ expect: { documentHash }, ...body });
        assert.equal(reply.status, 400, path);
        assert.ok(
          reply.body.error.details.some((each: Loose) => each.path === path),
          reply.text,
        );
      }
      const { approval } = await askForApproval(world);
      assert.equal((await world.rest('GET', `/ap2/approvals/${approval.id}?include=all`)).status, 400);
    });

    test('each end has its outcome, and only a person’s touch has an assertion', async () => {
      const denied = await decided('deny');
      assert.equal(denied.decision.outcome, 'denied');
      assert.equal(denied.decision.binding.decision, 'deny');
      assert.deepEqual(
        failed((await check({ decision: denied.decision, expect: { documentHash: denied.cartHash } })).body),
        ['approved'],
      );

      await policy({ deny_by_link: true });
      const byLink = await askForApproval(world);
      await world.rest('POST', `/approve/${byLink.approval.id}/deny`, { decision: 'deny' }, NO_CREDENTIAL);
      const { decision } = (await read(byLink.approval.id)).body;
      assert.deepEqual(Object.keys(decision).sort(), ['by', 'decidedAt', 'id', 'outcome']);
      assert.deepEqual([decision.outcome, decision.by], ['denied', 'link']);

      const byOperator = await askForApproval(world);
      await world.rest('POST', `/ap2/approvals/${byOperator.approval.id}/deny`, {});
      assert.equal((await read(byOperator.approval.id)).body.decision.by, 'operator');

      const byAgent = await askForApproval(world);
      const path = `/ap2/approvals/${byAgent.approval.id}/deny`;
      const proof = makeDidProof(world.agent, { baseUrl: world.node.baseUrl, method: 'POST', path, body: '{}' });
      assert.equal((await world.rest('POST', path, {}, { 'X-DID-Proof': proof })).status, 200);
      assert.equal((await read(byAgent.approval.id)).body.decision.outcome, 'withdrawn');

      const forgotten = await askForApproval(world);
      const back = leap(world, 1200);
      const { body } = await read(forgotten.approval.id);
      assert.deepEqual(body.decision, { id: body.id, outcome: 'expired', decidedAt: body.expiresAt });
      back();
    });

    test('a decision is given to those who may see the request, when they ask for it', async () => {
      const asked = await askForApproval(world);
      const { id } = asked.approval;
      assert.equal((await read(id)).body.decision, undefined, 'a pending one has none');
      await person.decide(id);
      assert.equal((await world.rest('GET', `/ap2/approvals/${id}`)).body.decision, undefined);
      const listed = await world.rest('GET', '/ap2/approvals?limit=1');
      assert.equal(listed.body.data[0].decision, undefined);
      const path = `/ap2/approvals/${id}`;
      for (const [peer, status] of [
        [world.agent, 200],
        [await world.newAgent(), 404],
      ] as const) {
        const proof = makeDidProof(peer, { baseUrl: world.node.baseUrl, method: 'GET', path, body: '' });
        const reply = await world.rest('GET', `${path}?include=decision`, undefined, { 'X-DID-Proof': proof });
        assert.equal(reply.status, status, reply.text);
        assert.equal(reply.body.decision?.outcome, status === 200 ? 'approved' : undefined);
      }
      const writer = await world.rest('POST', '/ap2/admin/api-keys', { name: 'writer', permissions: ['write'] });
      const headers = { Authorization: `Bearer ${writer.body.key}` };
      assert.equal((await world.rest('GET', path, undefined, headers)).status, 200);
      assert.equal((await world.rest('GET', `${path}?include=decision`, undefined, headers)).status, 403);
    });

    test('a decision stays what it is, with its enrolment, when the passkey is removed', async () => {
      const { id, decision, cartHash: documentHash } = await decided();
      const path = `/ap2/hp/passkeys?agentDid=${world.agent.did}`;
      for (const passkey of (await world.rest('GET', path)).body.data)
        assert.equal((await world.rest('DELETE', `/ap2/hp/passkeys/${passkey.id}`)).status, 204);
      const later = (await read(id)).body.decision;
      assert.deepEqual(later, decision);
      assert.equal((await check({ decision: later, expect: { documentHash } })).body.valid, true);
      await person.enroll();
    });

    test('several people have a decision each, of the same shape, by keys of their own', async () => {
      await policy({ approval: { people: 2 } });
      const users = [await signInUser(world, 'OWNER', 'ada'), await signInUser(world, 'ADMIN', 'ben')];
      const asked = await askForApproval(world);
      const { id } = asked.approval;
      for (const { phone } of users) {
        const { challengeId, publicKey } = await person.begin(id);
        const credential = phone.get({ ...publicKey, allowCredentials: [] });
        assert.equal(
          (await world.rest('POST', `/approve/${id}/complete`, { challengeId, credential }, NO_CREDENTIAL)).status,
          200,
        );
      }
      const { decision, decisions, cartHash: documentHash } = (await read(id)).body;
      assert.equal(decisions.length, 2);
      assert.deepEqual(decisions[1], decision);
      assert.notEqual(decisions[0].key.x, decisions[1].key.x);
      for (const each of decisions)
        assert.equal((await check({ decision: each, expect: { documentHash } })).body.valid, true);
    });
  });
}
