/** A person with a phone: enrolls by link, opens approval links, touches a passkey. Settings can be turned wrong. */
import assert from 'node:assert/strict';
import { type SoftSettings, softAuthenticator } from '../../src/cli/demo/softAuthenticator.ts';
import type { Peer } from './peer.ts';
import type { Loose, Reply, World } from './world.ts';

export interface Person {
  /** What the authenticator does from now on; {} for what is right. */
  misbehave(wrong: Partial<SoftSettings>): void;
  readonly phone: ReturnType<typeof softAuthenticator>;
  /** Makes a link as the admin would, and enrolls by it. */
  enroll(holder?: Peer | { readonly principalDid: string }): Promise<Loose>;
  /** Begins a proof of presence that is bound to nothing but the agent. */
  prove(agent: Peer): Promise<Loose>;
  begin(approvalId: string, decision?: 'approve' | 'deny'): Promise<Loose>;
  complete(approvalId: string, begun: Loose): Promise<Reply>;
  /** Both halves at once. */
  decide(approvalId: string, decision?: 'approve' | 'deny'): Promise<Reply>;
}

/** Headers without a credential: what every holder of a link may send. */
export const NO_CREDENTIAL = {};

export function makePerson(world: World): Person {
  const { origin, hostname } = new URL(world.node.baseUrl);
  let wrong: Partial<SoftSettings> = {};
  const phone = softAuthenticator(() => ({ origin, rpId: hostname, ...wrong }));
  const person: Person = {
    phone,
    misbehave(settings) {
      wrong = settings;
    },
    async enroll(holder = world.agent) {
      const named = 'principalDid' in holder ? holder : { agentDid: holder.did };
      const link = await world.rest('POST', '/ap2/admin/enrollments', named);
      assert.equal(link.status, 201, link.text);
      const path = new URL(link.body.url).pathname;
      const begun = await world.rest('POST', `${path}/begin`, { deviceName: 'phone' }, NO_CREDENTIAL);
      assert.equal(begun.status, 200, begun.text);
      const credential = phone.create(begun.body.publicKey);
      const enrolled = await world.rest('POST', `${path}/complete`, { credential }, NO_CREDENTIAL);
      assert.equal(enrolled.status, 200, enrolled.text);
      return enrolled.body;
    },
    async prove(agent) {
      const begun = await world.rest('POST', '/ap2/hp/webauthn/auth/begin', { agentDid: agent.did });
      assert.equal(begun.status, 200, begun.text);
      return begun.body;
    },
    async begin(approvalId, decision = 'approve') {
      const begun = await world.rest('POST', `/approve/${approvalId}/begin`, { decision }, NO_CREDENTIAL);
      assert.equal(begun.status, 200, begun.text);
      return begun.body;
    },
    complete: (approvalId, { challengeId, publicKey }) =>
      world.rest(
        'POST',
        `/approve/${approvalId}/complete`,
        { challengeId, credential: phone.get(publicKey) },
        NO_CREDENTIAL,
      ),
    decide: async (approvalId, decision) => person.complete(approvalId, await person.begin(approvalId, decision)),
  };
  return person;
}

/** A purchase that only a touch is missing for: its intent and cart, and the request that its rejection made. */
export async function askForApproval(
  world: World,
  amount = 150,
  agent: Peer = world.agent,
): Promise<{ readonly intentVc: Loose; readonly cartVc: Loose; readonly approval: Loose; readonly agent: Peer }> {
  const intent = await world.rest('POST', '/ap2/intents', world.intentBody(amount + 10, { agent }));
  assert.equal(intent.body.allowed, true, intent.text);
  const { intentVc } = intent.body;
  const cartVc = world.cart(amount);
  const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc });
  assert.deepEqual(cart.body.reasonCodes, ['HP_REQUIRED'], cart.text);
  return { intentVc, cartVc, approval: cart.body.approval, agent };
}

/** Sets the node's clock ahead. @returns puts it back */
export function leap(world: World, seconds: number): () => void {
  world.clock.aheadMs += seconds * 1000;
  return () => {
    world.clock.aheadMs -= seconds * 1000;
  };
}
