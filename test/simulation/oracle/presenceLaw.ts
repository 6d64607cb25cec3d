/**
 * I6 and I2 of people: a proof of presence in the chain stands on one assertion, which an enrolled passkey that was not removed made for
 * exactly this purchase, and which serves once; no denial becomes an approval; and where the policy says how many people approve, so many
 * different ones have. Signatures are checked here with node:crypto, from W3C Web
 * Authentication and docs/guides/presence.md: nothing of the node's own code takes part.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import type { Books, Happening, Violation } from '../history.ts';
import { type Asked, type Calls, doneBody, mayBeDone } from './calls.ts';
import { type Law, UnreadEvents, violated } from './law.ts';
import type { Rules } from './policyModel.ts';
import { type Event, FACTS } from './shapes.ts';
import { Standing } from './standing.ts';
import { thousandthsOf } from './thousandths.ts';
import { Touchers } from './touchers.ts';
import { membersOf } from './trail.ts';

/** Where the pages of the world's nodes are. */
const ORIGIN = 'http://node.example';
const PRESENT_AND_VERIFIED = 0x05;

const Registered = z.object({
  passkeyId: z.string(),
  credentialId: z.string(),
  publicKey: z.string(),
  agentDid: z.string().optional(),
  principalDid: z.string().optional(),
  userDid: z.string().optional(),
});
type Registered = z.output<typeof Registered>;

const Touch = z.object({
  passkeyId: z.string(),
  credentialId: z.string(),
  authenticatorData: z.string(),
  clientDataJSON: z.string(),
  signature: z.string(),
  challenge: z.object({ random: z.string(), binding: z.record(z.string(), z.unknown()) }),
  approvalId: z.string().optional(),
  presenceId: z.string().optional(),
  expiresAt: z.string().optional(),
});
type Touch = z.output<typeof Touch>;

/** What of a purchase says how many people it takes, and who they were: the touches of all of them. */
const Approved = z.object({
  amount: z.number(),
  currency: z.string(),
  presenceId: z.string().optional(),
  approvals: z.array(z.object({ hpId: z.string() })).optional(),
});
type Approved = z.output<typeof Approved>;

const Approval = z.object({ approvalId: z.string(), intentId: z.string(), cartHash: z.string() });

/** What of a purchase an assertion is bound to, as far as it says. */
const BOUND = ['agentDid', 'intentId', 'cartHash', 'amount', 'currency', 'merchant'] as const;

export class PresenceLaw implements Law {
  readonly #calls: Calls;
  readonly #standing = new Standing();
  readonly #touchers = new Touchers();
  readonly #passkeys = new Map<string, Registered & { isRemoved: boolean }>();
  readonly #touches = new Map<string, Touch>();
  /** Which event a challenge was answered for. */
  readonly #answered = new Map<string, number>();
  readonly #approvals = new Map<string, string>();
  /** Those that people were reminded of. */
  readonly #reminded = new Set<string>();
  /** Those that an assertion decided. */
  readonly #taken = new Set<string>();
  /** Intents that a person said no to, and carts with their principal: by which approval. */
  readonly #denied = new Map<string, string>();
  readonly #deniedCarts = new Map<string, string>();
  /** Intents that were paid or have ended. */
  readonly #over = new Set<string>();
  readonly #used = new Set<string>();
  readonly #intents = new Map<string, { readonly agentDid: string; readonly principalDid: string }>();
  /** Proofs of the sandbox's demo person, as they were given out. */
  readonly #demo = new Set<string>();
  /** By intent, who approved the cart that was validated last. */
  readonly #approvers = new Map<string, Approved>();
  readonly #rulesOf: (hash: string) => Rules | undefined;
  /** The last event that was read. */
  readonly #unread = new UnreadEvents();

  /** @param rulesOf the rules with a hash, where an outsider of the node knows them */
  constructor(calls: Calls, rulesOf: (hash: string) => Rules | undefined) {
    this.#calls = calls;
    this.#rulesOf = rulesOf;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'answered') {
      const asked = this.#calls.find(happening.id);
      const { hpProof } = membersOf(asked?.call === 'demoPresenceProof' ? doneBody(asked) : undefined);
      if (hpProof !== undefined) this.#demo.add(String(membersOf(hpProof)['id']));
    }
    return happening.kind === 'quiet' ? this.#judge(happening.books, place) : [];
  }

  #judge(books: Books, place: number): readonly Violation[] {
    const found: Violation[] = [];
    for (const event of this.#unread.in(books)) {
      this.#standing.follow(event);
      for (const sentence of [...this.#touchers.follow(event), ...this.#follow(event)]) {
        const invariant = sentence.includes(' twice') ? 'I2' : 'I6';
        found.push(violated(invariant, `${sentence} (event ${event.seq}).`, place));
      }
    }
    return [...found, ...this.#unended(place), ...this.#refusedAndTaken(place)];
  }

  /** A no frees the amount of its intent, of which nothing is bought any more. */
  #unended(place: number): readonly Violation[] {
    return [...this.#denied]
      .filter(([intentId]) => !this.#over.has(intentId))
      .map(([intentId, no]) => violated('I1', `Intent ${intentId} goes on, though approval ${no} was denied.`, place));
  }

  /** A person whose assertion counted was told so, or was not answered. */
  #refusedAndTaken(place: number): readonly Violation[] {
    const sent = new Map<string, Asked[]>();
    for (const each of this.#calls.all()) {
      if (each.call !== 'completeDecision') continue;
      const approval = String(membersOf(each.input)['approvalId']);
      sent.set(approval, [...(sent.get(approval) ?? []), each]);
    }
    return [...this.#taken].flatMap((approval) => {
      const attempts = sent.get(approval) ?? [];
      if (attempts.some((each) => mayBeDone(each) || doneBody(each) !== undefined)) return [];
      const sentence = `Approval ${approval} was decided by a passkey, and everybody who sent an assertion was refused.`;
      return [violated('I5', sentence, ...attempts.map((each) => each.place), place)];
    });
  }

  /** @returns what of the event is wrong, subject first and without a full stop */
  #follow(event: Event): readonly string[] {
    const { eventType, data, seq } = event;
    switch (eventType) {
      case 'HP_REGISTERED': {
        const passkey = Registered.parse(data);
        this.#passkeys.set(passkey.passkeyId, { ...passkey, isRemoved: false });
        return [];
      }
      case 'HP_REMOVED': {
        const removed = this.#passkeys.get(String(data['passkeyId']));
        if (removed !== undefined) removed.isRemoved = true;
        return [];
      }
      case 'INTENT_ISSUED':
        this.#intents.set(FACTS.INTENT.parse(data).mandateId, FACTS.INTENT.parse(data));
        return [];
      case 'HP_VERIFIED':
        return this.#touch(data, seq, 'approve');
      case 'INTENT_EXPIRED':
        this.#over.add(FACTS.ENDED.parse(data).mandateId);
        return [];
      case 'CART_VALIDATED': {
        const { intentId } = FACTS.CART.parse(data);
        this.#approvers.set(intentId, Approved.parse(data));
        const few = this.#tooFew(`The cart of intent ${intentId} was validated`, Approved.parse(data));
        return [...this.#afterNo(data, eventType), ...this.#proof(event), ...few];
      }
      case 'PM_ISSUED': {
        const { intentId, mandateId } = FACTS.PAYMENT.parse(data);
        this.#over.add(intentId);
        const approved = this.#approvers.get(intentId);
        const few = approved === undefined ? [] : this.#tooFew(`Payment ${mandateId} was mandated`, approved);
        return [...this.#afterNo(data, eventType), ...few];
      }
      default:
        return eventType.startsWith('APPROVAL_') ? this.#approval(event) : [];
    }
  }

  /** @param decision what it has to be made for, where it is about a request */
  #touch(data: Readonly<Record<string, unknown>>, seq: number, decision: string): readonly string[] {
    const touch = Touch.parse(data);
    const { passkeyId, challenge, approvalId, presenceId } = touch;
    if (presenceId !== undefined) this.#touches.set(presenceId, touch);
    if (approvalId !== undefined) this.#taken.add(approvalId);
    const what = `The assertion of passkey ${passkeyId}`;
    const found: string[] = [];
    const passkey = this.#passkeys.get(passkeyId);
    if (passkey === undefined) return [`${what} was taken, and it was never enrolled`];
    if (passkey.isRemoved) found.push(`${what} was taken after it was removed`);
    const fault = faultOf(touch, passkey);
    if (fault !== undefined) found.push(`${what} was taken, though ${fault}`);
    const { binding } = challenge;
    for (const name of BOUND) {
      if (binding[name] === undefined || data[name] === undefined || binding[name] === data[name]) continue;
      found.push(`${what} for ${name} ${binding[name]} was taken for ${data[name]}`);
    }
    if (approvalId !== undefined && binding['decision'] !== decision)
      found.push(`${what} to ${binding['decision']} was taken to ${decision}`);
    const before = this.#answered.get(challenge.random);
    if (before !== undefined) found.push(`${what} was taken twice, for event ${before} too`);
    this.#answered.set(challenge.random, seq);
    const status = this.#approvals.get(String(approvalId));
    if (approvalId !== undefined && decision === 'approve' && status !== 'REQUESTED')
      found.push(`${what} was taken for approval ${approvalId}, which was ${status}`);
    return found;
  }

  #approval({ eventType, data, seq }: Event): readonly string[] {
    const { approvalId, intentId, cartHash } = Approval.parse(data);
    const status = eventType.slice('APPROVAL_'.length);
    const before = this.#approvals.get(approvalId);
    if (status === 'REQUESTED' && data['reminder'] === true) return this.#remind(approvalId, before);
    this.#approvals.set(approvalId, status);
    const found: string[] = [];
    const expected = status === 'REQUESTED' ? undefined : 'REQUESTED';
    if (before !== expected) found.push(`Approval ${approvalId} was ${status} after it was ${before ?? 'nothing'}`);
    const cart = `${cartHash} ${this.#intents.get(intentId)?.principalDid}`;
    const no = this.#deniedCarts.get(cart);
    if (status === 'REQUESTED' && no !== undefined)
      found.push(`Approval ${approvalId} was asked for, though its cart was denied by ${no}`);
    if (status === 'GRANTED') found.push(...this.#tooFew(`Approval ${approvalId} was given`, Approved.parse(data)));
    if (status !== 'DENIED') return found;
    this.#deniedCarts.set(cart, approvalId);
    this.#denied.set(intentId, approvalId);
    return data['signature'] === undefined ? found : [...found, ...this.#touch(data, seq, 'deny')];
  }

  /** By the policy of this moment: the step with the highest amount that the purchase lies above decides. */
  #tooFew(what: string, { amount, currency, presenceId, approvals }: Approved): readonly string[] {
    const rules = this.#standing.policy && this.#rulesOf(this.#standing.policy.hash);
    const { approval = [] } = rules?.context ?? {};
    const isOther = rules?.spend.currency !== undefined && rules.spend.currency !== currency;
    const above = (step: { above?: number | undefined }) => thousandthsOf(step.above ?? 0) ?? 0;
    const [step] = approval
      .filter((each) => (thousandthsOf(amount) ?? 0) > above(each))
      .sort((one, other) => above(other) - above(one));
    if (step === undefined || isOther) return [];
    const ids = approvals?.map(({ hpId }) => hpId) ?? [presenceId ?? ''];
    const usersAlone = step.roles !== undefined;
    const passkeys = ids.flatMap((id) => this.#passkeyOf(id));
    const isDemo = ids.some((id) => this.#demo.has(id));
    const people = new Set([...this.#touchers.peopleOf(passkeys, usersAlone), ...(isDemo ? ['the demo person'] : [])]);
    if (people.size >= step.people) return [];
    return [`${what} with ${people.size} people, though the policy asks for ${step.people}`];
  }

  #asksPeople(): boolean {
    const { policy } = this.#standing;
    return policy !== undefined && this.#rulesOf(policy.hash)?.context.approval !== undefined;
  }

  /** The passkey of a touch, where it was not removed. */
  #passkeyOf(presenceId: string): readonly string[] {
    const passkey = this.#passkeys.get(this.#touches.get(presenceId)?.passkeyId ?? '');
    return passkey === undefined || passkey.isRemoved ? [] : [passkey.passkeyId];
  }

  /** People are told of what waits for them once more, and no more. */
  #remind(approvalId: string, status: string | undefined): readonly string[] {
    if (status !== 'REQUESTED') return [`People were reminded of approval ${approvalId}, which was ${status}`];
    if (this.#reminded.has(approvalId)) return [`People were reminded of approval ${approvalId} twice`];
    this.#reminded.add(approvalId);
    return [];
  }

  #afterNo(data: Readonly<Record<string, unknown>>, eventType: string): readonly string[] {
    const intentId = String(data['intentId']);
    const no = this.#denied.get(intentId);
    if (no === undefined) return [];
    return [`Intent ${intentId} has ${eventType}, though approval ${no} for it had been denied`];
  }

  /** What a validated cart shows as the proof of a person. */
  #proof({ data, createdAt }: Event): readonly string[] {
    const { presenceId, intentId, cartHash } = FACTS.CART.parse(data);
    if (presenceId === undefined || this.#demo.has(presenceId)) return [];
    const what = `The presence proof ${presenceId}`;
    const touch = this.#touches.get(presenceId);
    const intent = this.#intents.get(intentId);
    if (touch === undefined) return [`${what} was taken, and no assertion had been made for it`];
    const found: string[] = [];
    if (this.#used.has(presenceId)) found.push(`${what} was taken twice`);
    this.#used.add(presenceId);
    const { binding } = touch.challenge;
    const is: Readonly<Record<string, unknown>> = { ...data, agentDid: intent?.agentDid, intentId, cartHash };
    // Where it names no cart, the amount is the most that the intent allows.
    const names = binding['cartHash'] === undefined || binding['decision'] === undefined ? BOUND.slice(0, 3) : BOUND;
    for (const name of names) {
      if (binding[name] === undefined || binding[name] === is[name]) continue;
      found.push(`${what} is for ${name} ${binding[name]}, and was taken for ${is[name]}`);
    }
    if (Date.parse(touch.expiresAt ?? '') <= Date.parse(createdAt)) found.push(`${what} was taken after its time`);
    const holder = this.#passkeys.get(touch.passkeyId);
    if (intent !== undefined && holder !== undefined && !this.#answersFor(holder, intent))
      found.push(`${what} was made by the passkey of ${holder.userDid ?? holder.principalDid ?? holder.agentDid}`);
    return found;
  }

  /** The principal's passkeys alone where it is governed, else the agent's; where several people approve, those of users too. */
  #answersFor(holder: Registered, { agentDid, principalDid }: { agentDid: string; principalDid: string }): boolean {
    if (holder.userDid !== undefined) return this.#asksPeople();
    return this.#standing.isGoverned(principalDid)
      ? holder.principalDid === principalDid
      : holder.agentDid === agentDid;
  }
}

/** @returns why the passkey did not sign this, undefined where it did */
function faultOf(touch: Touch, { publicKey, credentialId }: Registered): string | undefined {
  return touch.credentialId === credentialId ? signedFault(touch, keyOf(publicKey)) : 'it is another passkey';
}

type Signed = Pick<Touch, 'authenticatorData' | 'clientDataJSON' | 'signature' | 'challenge'>;

/** @returns why the key did not sign this at the nodes of the world, undefined where it did */
export function signedFault(touch: Signed, key: KeyObject): string | undefined {
  const [client, data] = [touch.clientDataJSON, touch.authenticatorData].map((text) => Buffer.from(text, 'base64url'));
  const { type, challenge, origin } = JSON.parse(String(client)) as Readonly<Record<string, unknown>>;
  if (type !== 'webauthn.get' || origin !== ORIGIN) return `it was made for ${type} on ${origin}`;
  const { random, binding } = touch.challenge;
  const bound = sha256(Buffer.from(String(canonicalize(binding))));
  const expected = sha256(Buffer.concat([Buffer.from(random, 'base64url'), bound])).toString('base64url');
  if (challenge !== expected) return 'it is for another challenge';
  const signed = data as Buffer;
  if (!signed.subarray(0, 32).equals(sha256(Buffer.from(new URL(ORIGIN).hostname)))) return 'it is for another host';
  if (((signed[32] as number) & PRESENT_AND_VERIFIED) !== PRESENT_AND_VERIFIED) return 'its user was not verified';
  const message = Buffer.concat([signed, sha256(client as Buffer)]);
  if (verify('sha256', message, key, Buffer.from(touch.signature, 'base64url'))) return undefined;
  return 'its signature does not hold';
}

/** An EC2 key (RFC 9053) whose coordinates end the CBOR map: -2 and x, -3 and y. */
function keyOf(cose: string) {
  const bytes = Buffer.from(cose, 'base64url');
  const point = { x: bytes.subarray(-67, -35).toString('base64url'), y: bytes.subarray(-32).toString('base64url') };
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', ...point }, format: 'jwk' });
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
