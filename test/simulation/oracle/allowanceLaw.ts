/**
 * I6 and I1 at the moment of an answer: what is acknowledged as allowed must be for the caller that asked, for an agent that was not ended
 * before, for a cart that adds up, and by a presence proof of this very agent. Only what is certain from outside counts: what was
 * acknowledged before the question was asked.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Happening, Violation } from '../history.ts';
import { type Asked, type Calls, doneBody, mayBeDone } from './calls.ts';
import { type Law, violated } from './law.ts';
import { sayCall } from './sayHappening.ts';
import { AgentNamed, CartAllowed, CartAsked, IntentAllowed, IntentAsked, Paid } from './shapes.ts';
import { sayMoney, thousandthsOf } from './thousandths.ts';
import { groupOf } from './trail.ts';

/** Clocks of nodes may be wrong by this much before an expiry is certain. */
const CLOCKS_MS = 7 * 86_400_000;

export class AllowanceLaw implements Law {
  readonly #calls: Calls;
  /** Since when an agent may not buy for certain; removed once a caller tries to reactivate it. */
  readonly #ended = new Map<string, { readonly place: number; readonly call: Asked }>();
  readonly #begun = new Map<string, number>();
  readonly #usedProofs = new Map<string, Asked>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'asked') this.#begin(happening.id, place);
    if (happening.kind !== 'answered') return [];
    const asked = this.#calls.find(happening.id);
    if (asked === undefined) return [];
    this.#follow(asked, place);
    if (doneBody(asked) === undefined) return [];
    if (asked.call === 'issueIntent') return this.#intent(asked, place);
    if (asked.call === 'validateCart') return this.#cart(asked, place);
    return asked.call === 'mandatePayment' ? this.#payment(asked, place) : [];
  }

  forget(place: number): void {
    for (const [group, begun] of this.#begun) if (begun < place) this.#begun.delete(group);
    // No proof lives longer than an hour.
    for (const [id, { end }] of this.#usedProofs) if ((end?.place ?? place) < place) this.#usedProofs.delete(id);
  }

  #begin(id: number, place: number): void {
    const asked = this.#calls.find(id) as Asked;
    const group = groupOf(asked);
    if (!this.#begun.has(group)) this.#begun.set(group, place);
    if (asked.call === 'reactivateAgent') {
      const agent = AgentNamed.safeParse(asked.input).data?.did;
      // A revocation is final.
      if (agent !== undefined && this.#ended.get(agent)?.call.call === 'suspendAgent') this.#ended.delete(agent);
    }
  }

  #follow(asked: Asked, place: number): void {
    if (asked.call !== 'revokeAgent' && asked.call !== 'suspendAgent') return;
    const agent = AgentNamed.safeParse(asked.input).data?.did;
    if (agent === undefined || doneBody(asked) === undefined || this.#ended.has(agent)) return;
    if (asked.call === 'suspendAgent' && this.#mayBeReactivated(asked, agent)) return;
    this.#ended.set(agent, { place, call: asked });
  }

  /** Whether a reactivation ran beside the suspension, or may still take effect. */
  #mayBeReactivated(suspension: Asked, agent: string): boolean {
    for (const each of this.#calls.all()) {
      if (each.call !== 'reactivateAgent' || AgentNamed.safeParse(each.input).data?.did !== agent) continue;
      if (mayBeDone(each) || (each.end?.place ?? Infinity) > suspension.place) return true;
    }
    return false;
  }

  /** @param agent whose money was allowed @param since where the request, or the first of its kind, was made */
  #isEnded(asked: Asked, agent: string, place: number): readonly Violation[] {
    const ended = this.#ended.get(agent);
    const since = this.#begun.get(groupOf(asked)) ?? asked.place;
    if (ended === undefined || ended.place > since) return [];
    const sentence = `${sayCall(asked)} was allowed, though ${sayCall(ended.call)} was acknowledged before.`;
    return [violated('I6', sentence, ended.call.place, ended.place, asked.place, place)];
  }

  #isOther(asked: Asked, agent: string, place: number): readonly Violation[] {
    if (asked.did === undefined || asked.did === agent) return [];
    const sentence = `${sayCall(asked)} was answered with what belongs to agent ${agent}.`;
    return [violated('I6', sentence, asked.place, place)];
  }

  #intent(asked: Asked, place: number): readonly Violation[] {
    const allowed = IntentAllowed.safeParse(doneBody(asked)).data?.intentVc.credentialSubject;
    const input = IntentAsked.safeParse(asked.input).data;
    if (allowed === undefined || input === undefined) return [];
    const { agentDid, maxAmount, currency } = allowed;
    const found = [...this.#isEnded(asked, agentDid, place), ...this.#isOther(asked, agentDid, place)];
    if (agentDid !== input.agentDid || currency !== input.request.currency || maxAmount !== input.request.maxAmount) {
      const what = `${sayMoney(thousandthsOf(maxAmount) ?? 0, currency)} for ${agentDid}`;
      found.push(violated('I1', `${sayCall(asked)} was answered with an intent of ${what}.`, asked.place, place));
    }
    return found;
  }

  #cart(asked: Asked, place: number): readonly Violation[] {
    const allowed = CartAllowed.safeParse(doneBody(asked)).data;
    const input = CartAsked.safeParse(asked.input).data;
    if (allowed === undefined || input === undefined) return [];
    const wrong = (invariant: Violation['invariant'], why: string) =>
      violated(invariant, `${sayCall(asked)} was allowed, though ${why}.`, asked.place, place);
    const found: Violation[] = [];
    const { credentialSubject: cart, expirationDate } = input.cartVc;
    const sum = cart.items.reduce(
      (sum, { price, quantity }) => sum + (thousandthsOf(price) ?? Number.NaN) * quantity,
      0,
    );
    if (sum !== thousandthsOf(cart.total)) {
      found.push(wrong('I1', `its items come to ${sayMoney(sum, cart.currency)} and its total is ${cart.total}`));
    }
    if (hashOfCart(asked.input) !== allowed.cartHash)
      found.push(wrong('I2', 'the answer has the hash of another cart'));
    if (expirationDate !== undefined && Date.parse(expirationDate) + CLOCKS_MS < asked.at) {
      found.push(wrong('I6', `the cart had ended on ${expirationDate}`));
    }
    return [...found, ...this.#proof(asked, input, allowed.cartHash, place)];
  }

  #proof(asked: Asked, { hpProof, intentVc }: CartAsked, cartHash: string, place: number): readonly Violation[] {
    if (hpProof === undefined) return [];
    const agent = agentOf(asked.input);
    const wrong = (why: string, ...places: (number | undefined)[]) =>
      violated('I6', `${sayCall(asked)} was allowed, though its presence proof ${why}.`, ...places, asked.place, place);
    const found: Violation[] = [];
    if (agent !== undefined && hpProof.agentDid !== agent) found.push(wrong(`is for agent ${hpProof.agentDid}`));
    const { mandateId } = intentVc.credentialSubject;
    if (hpProof.intentId !== undefined && hpProof.intentId !== mandateId) found.push(wrong('is for another intent'));
    if (hpProof.cartHash !== undefined && hpProof.cartHash !== cartHash) found.push(wrong('is for another cart'));
    if (Date.parse(hpProof.expiresAt) + CLOCKS_MS < asked.at) found.push(wrong(`had ended at ${hpProof.expiresAt}`));
    const former = this.#usedProofs.get(hpProof.id);
    const isRepeated = former !== undefined && groupOf(former) === groupOf(asked);
    if (former !== undefined && !isRepeated) found.push(wrong('was used before', former.place));
    this.#usedProofs.set(hpProof.id, former ?? asked);
    return found;
  }

  #payment(asked: Asked, place: number): readonly Violation[] {
    const paid = Paid.safeParse(doneBody(asked)).data?.pmVc.credentialSubject;
    if (paid === undefined) return [];
    return [...this.#isEnded(asked, paid.agentDid, place), ...this.#isOther(asked, paid.agentDid, place)];
  }
}

/** SHA-256 over the canonical JSON of the cart without its proof. */
function hashOfCart(input: unknown): string {
  const { cartVc } = input as { readonly cartVc: object };
  const text = String(canonicalize({ ...cartVc, proof: undefined }));
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function agentOf(input: unknown): string | undefined {
  const { intentVc } = input as { readonly intentVc?: { readonly credentialSubject?: { readonly agentDid?: string } } };
  return intentVc?.credentialSubject?.agentDid;
}
