/** A node that lies: it states that a person touched a passkey, and its evidence shows no such touch, or one of another purchase. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { checkBundle } from '../../console/proofs/checkBundle.ts';
import { toBase64url } from '../../protocol/credential/encodings.ts';
import { presenceChallenge } from '../../protocol/presence.ts';
import { checkRegistration } from '../../src/access/presence/registration.ts';
import { softAuthenticator } from '../../src/cli/demo/softAuthenticator.ts';
import { recordNodeEvent } from '../../src/domain/evidence/recordEvent.ts';
import { issuePresence } from '../../src/domain/passkeys/verifyPresence.ts';
import { runHere } from '../cli/runHere.ts';
import { everyEngine } from '../support/engines.ts';
import { askForApproval, makePerson, type Person } from '../support/person.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const byHolder = (did: string) => `by a passkey: the passkey holder of the agent ${did}`;
const NOT_SHOWN = /stated by the node, not shown/;

/** What the node records of the touch that it claims; undefined records nothing. */
interface Lie {
  readonly binding?: Loose;
  readonly settings?: Loose;
  readonly event?: ((data: Loose) => Loose | undefined) | undefined;
}

describe('a touch that only the node states', () => {
  let world: World;
  let folder: string;
  let person: Person;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    folder = mkdtempSync(join(tmpdir(), 'countersign-touch-'));
    person = makePerson(world);
    await person.enroll();
    const rules = {
      version: '2.0',
      spend: { amount_cap: 1000, currency: 'USD' },
      context: { presence: 'required', presence_binding: 'any' },
    };
    const policy = await world.rest('POST', '/ap2/admin/policies', { name: 'touch', rules });
    assert.equal(policy.status, 201, policy.text);
  });
  after(async () => {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What an assertion by a passkey that the node made itself looks like, for a binding and a place. */
  const assertion = async (binding: Loose, settings: Loose) => {
    const { origin, hostname } = new URL(world.node.baseUrl);
    const place = { origin, rpId: hostname, ...settings };
    let isMade = false;
    const phone = softAuthenticator(() => ({ ...place, userVerified: !isMade || settings.userVerified !== false }));
    const challenge = toBase64url(new Uint8Array(32).fill(1));
    const party = { id: place.rpId, name: 'x', origin: place.origin };
    const made = await checkRegistration(party, phone.create({ challenge }), challenge);
    assert.ok(made.ok, made.ok ? '' : made.reason);
    isMade = true;
    const random = new Uint8Array(32).fill(2);
    const { credentialId, publicKey } = made.passkey;
    const signed = phone.get({
      challenge: toBase64url(presenceChallenge(world.node.deps.suite, random, binding)),
      allowCredentials: [{ id: credentialId }],
    });
    const { authenticatorData, clientDataJSON, signature } = signed.response;
    const kept = { random: toBase64url(random), binding };
    return { credentialId, publicKey, authenticatorData, clientDataJSON, signature, origin, challenge: kept };
  };

  /** Buys with a presence proof that the node signs without a person. @returns the purchase's portable bundle */
  const buyByLie = async ({ binding = {}, settings = {}, event = (data) => data }: Lie): Promise<string> => {
    const { intentVc, cartVc, approval, agent } = await askForApproval(world);
    const { mandateId: intentId } = intentVc.credentialSubject;
    const { cartHash } = (await world.rest('GET', `/ap2/approvals/${approval.id}`)).body;
    const { transactionId } = (await world.rest('GET', `/ap2/intents/${intentId}`)).body;
    const true_ = { agentDid: agent.did, principalDid: world.principal.did, intentId, cartHash };
    const money = { amount: 150, currency: 'USD', merchant: 'shop.example', decision: 'approve' };
    const facts = await assertion({ ...true_, ...money, ...binding }, settings);
    const { deps, tenantId } = world.node;
    const subject = { agentDid: agent.did, intentId, cartHash };
    const hpProof = await deps.store.write(tenantId, function* (now) {
      const proof = yield* issuePresence(deps, tenantId, subject, facts.credentialId, now);
      const data = event({ transactionId, ...true_, presenceId: proof.id, ...facts });
      if (data !== undefined) yield* recordNodeEvent(deps, tenantId, 'HP_VERIFIED', data, now);
      return proof;
    });
    return bundleOf(intentVc, cartVc, hpProof);
  };

  const bundleOf = async (intentVc: Loose, cartVc: Loose, hpProof: Loose): Promise<string> => {
    const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc, hpProof });
    assert.equal(cart.body.allowed, true, cart.text);
    await world.rest('POST', '/ap2/payments/mandate', { approvalToken: cart.body.approvalToken });
    const intent = await world.rest('GET', `/ap2/intents/${intentVc.credentialSubject.mandateId}`);
    return (await world.rest('GET', `/ap2/evidence/bundle/${intent.body.transactionId}?format=portable`)).text;
  };

  /** The verdicts of the command line and of the browser. */
  const judge = async (text: string, ...more: string[]) => {
    const file = join(folder, 'bundle.json');
    writeFileSync(file, text);
    const { did } = world.node.deps.issuer;
    const { code, stdout, stderr } = await runHere(['evidence', 'verify', file, '--issuer', did, ...more]);
    const checked = checkBundle(text, did, new URL(world.node.baseUrl).origin) as Loose;
    assert.equal(checked.ok, true, checked.reason);
    return { code, output: stdout + stderr, approved: checked.approved, notShown: checked.notShown };
  };

  const requireNotShown = async (text: string, reason: RegExp) => {
    const { code, output, approved, notShown } = await judge(text);
    assert.equal(code, 1, output);
    assert.match(output, NOT_SHOWN);
    assert.match(output, reason);
    assert.match(approved, NOT_SHOWN);
    assert.match(notShown, reason);
    const taken = await judge(text, '--accept-stated');
    assert.equal(taken.code, 0, taken.output);
    assert.match(taken.output, NOT_SHOWN);
    assert.match(taken.output, reason);
  };

  test('is told by a reader from one whose assertion is there, made by the same steps', async () => {
    const { code, output, approved, notShown } = await judge(await buyByLie({}));
    assert.equal(code, 0, output);
    assert.deepEqual([approved, notShown], ['by a passkey', undefined]);
  });

  test('is not shown without its event, nor by an event without an assertion', async () => {
    await requireNotShown(await buyByLie({ event: () => undefined }), /no HP_VERIFIED event/);
    const bare = (data: Loose) => ({ transactionId: data.transactionId, presenceId: data.presenceId });
    await requireNotShown(await buyByLie({ event: bare }), /.*/);
  });

  const others: Readonly<Record<string, unknown>> = {
    cartHash: `sha256:${'0'.repeat(64)}`,
    intentId: 'intent_01m7yh6hp2d5g8k1n4q7t0w3z6',
    agentDid: 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
    principalDid: 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
    amount: 1.5,
    currency: 'EUR',
    merchant: 'other.example',
  };
  for (const [member, value] of Object.entries(others)) {
    test(`is not shown by a passkey that signed another ${member}`, async () => {
      await requireNotShown(await buyByLie({ binding: { [member]: value } }), new RegExp(`another ${member}`));
    });
  }

  test('is not shown by a passkey that signed to deny, or no decision', async () => {
    for (const decision of ['deny', undefined]) {
      await requireNotShown(
        await buyByLie({ binding: JSON.parse(JSON.stringify({ decision: decision ?? null })) }),
        /decision/,
      );
    }
  });

  test('is not shown by an event whose binding is not the one that was signed', async () => {
    const swapped = (data: Loose) => ({
      ...data,
      challenge: { ...data.challenge, binding: { ...data.challenge.binding, amount: 150 } },
    });
    await requireNotShown(await buyByLie({ binding: { amount: 1 }, event: swapped }), /another challenge/);
  });

  test('is not shown at another origin, for another RP id, or without the user', async () => {
    const { hostname, port } = new URL(world.node.baseUrl);
    const origin = `http://evil.${hostname}:${port}`;
    await requireNotShown(await buyByLie({ settings: { origin } }), /used at http:\/\/evil/);
    const claimed = (data: Loose) => ({ ...data, origin });
    const { output } = await judge(await buyByLie({ settings: { origin }, event: claimed }));
    assert.match(output, /another RP id/, 'even where the node claims another origin');
    const silent = ({ origin: _origin, ...data }: Loose) => data;
    const unsaid = await judge(await buyByLie({ event: silent }));
    assert.match(unsaid.output, /does not state the node’s origin/);
    assert.equal((await judge(await buyByLie({ event: silent }), '--origin', world.node.baseUrl)).code, 0);
    const elsewhere = await judge(await buyByLie({}), '--origin', 'https://pay.example/');
    assert.match(elsewhere.output, /the node is at https:\/\/pay\.example/);
    await requireNotShown(await buyByLie({ settings: { rpId: 'evil.example' } }), /another RP id/);
    await requireNotShown(await buyByLie({ settings: { userVerified: false } }), /did not verify its user/);
  });

  test('is not shown by a signature that does not hold, or by an algorithm that is not known, which is named', async () => {
    const changed = (data: Loose) => ({ ...data, signature: data.signature.replace(/.{8}$/, 'AAAAAAAA') });
    await requireNotShown(await buyByLie({ event: changed }), /signature does not hold/);
    const es384 = (data: Loose) => {
      const hex = Buffer.from(data.publicKey, 'base64url').toString('hex').replace('0326', '033822');
      return { ...data, publicKey: Buffer.from(hex, 'hex').toString('base64url') };
    };
    await requireNotShown(await buyByLie({ event: es384 }), /COSE algorithm -35/);
  });

  test('is not shown by the touch of another purchase', async () => {
    const { approval, intentVc, cartVc } = await askForApproval(world);
    await person.decide(approval.id);
    const { hpProof } = (await world.rest('GET', `/ap2/approvals/${approval.id}`)).body;
    const honest = await judge(await bundleOf(intentVc, cartVc, hpProof));
    assert.equal(honest.code, 0, honest.output);
    assert.equal(honest.approved, byHolder(world.agent.did));
    const touched = (await world.rest('GET', '/ap2/evidence/search?eventType=HP_VERIFIED&limit=1')).body.data[0].data;
    const borrowed = ({ transactionId, presenceId, credentialId }: Loose) => ({
      ...touched,
      transactionId,
      presenceId,
      credentialId,
    });
    await requireNotShown(await buyByLie({ event: borrowed }), /another cartHash/);
  });

  test('is shown of a proof that is made over the API for a cart that was asked about, and not of one for the intent alone', async () => {
    for (const [names, isShown] of [
      [true, true],
      [false, false],
    ] as const) {
      const { approval, intentVc, cartVc, agent } = await askForApproval(world);
      const { cartHash } = (await world.rest('GET', `/ap2/approvals/${approval.id}`)).body;
      const { mandateId } = intentVc.credentialSubject;
      const asked = { agentDid: agent.did, mandateId, ...(names ? { cartHash } : {}) };
      const begun = await world.rest('POST', '/ap2/hp/webauthn/auth/begin', asked);
      assert.equal(begun.status, 200, begun.text);
      const { challengeId, publicKey } = begun.body;
      const body = { challengeId, credential: person.phone.get(publicKey) };
      const { hpProof } = (await world.rest('POST', '/ap2/hp/webauthn/auth/complete', body)).body;
      const verdict = await judge(await bundleOf(intentVc, cartVc, hpProof));
      assert.equal(verdict.approved === byHolder(world.agent.did), isShown, verdict.output);
    }
  });
});
