/**
 * I1, I2 and I6 over the whole chain: every decision in it is judged anew by the model, by the order in which they were committed.
 * What was acknowledged must be in that order too, which answerLaw.ts sees to.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import sandboxPolicy from '../../../data/sandbox-policy.json' with { type: 'json' };
import type { Books, Happening, Violation } from '../history.ts';
import { type Asked, type Calls, doneBody } from './calls.ts';
import { type Law, violated } from './law.ts';
import { Rules } from './policyModel.ts';
import { type Finding, PurchaseModel } from './purchaseModel.ts';
import { contentOf } from './sameModel.ts';
import { type Event, eventOf, PolicyShown } from './shapes.ts';
import { membersOf } from './trail.ts';

const INVARIANT_OF: Readonly<Record<string, Violation['invariant']>> = {
  AMOUNT_OVER_CAP: 'I1',
  VELOCITY_EXCEEDED: 'I1',
  SPENDING_LIMIT_EXCEEDED: 'I1',
  LIMIT_USE: 'I1',
  SAME: 'I2',
  DUPLICATE_SUSPECTED: 'I2',
  CART_EXCEEDS_INTENT: 'I1',
  CAPTURED: 'I1',
  INTENT_USED: 'I2',
  CART_USED: 'I2',
  TOKEN: 'I2',
  CART: 'I2',
  TRANSITION: 'I5',
  NOT_FOUND: 'I5',
  REFUNDED: 'I7',
};

export class PurchaseLaw implements Law {
  readonly model: PurchaseModel;
  readonly #rules = new Map<string, Rules>();
  /** What carts are of, by their hashes. */
  readonly #carts = new Map<string, string>();
  readonly #placesOf: (ids: readonly string[]) => readonly number[];
  #read = 0;

  /** @param placesOf where the history mentions ids */
  constructor(calls: Calls, placesOf: (ids: readonly string[]) => readonly number[]) {
    this.#placesOf = placesOf;
    this.#learn(sandboxPolicy.rules);
    this.model = new PurchaseModel(
      (hash) => this.rulesOf(hash),
      (hash) => this.#carts.get(hash),
    );
    this.#calls = calls;
  }

  readonly #calls: Calls;

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'fault' && happening.what === 'clock jump') this.model.ledger.expectJumps();
    if (happening.kind === 'asked') {
      this.#learnCart(membersOf(happening.input)['cartVc']);
      if (POLICY_CALLS.has(happening.call)) this.#learn((happening.input as { readonly rules?: unknown }).rules);
      return [];
    }
    if (happening.kind === 'answered') {
      const asked = this.#calls.find(happening.id);
      if (asked !== undefined && POLICY_CALLS.has(asked.call)) return this.#learnAnswer(asked, place);
    }
    return happening.kind === 'quiet' ? this.#judge(happening.books, place) : [];
  }

  /** @returns the rules with a hash, where an owner has said or was shown them */
  rulesOf(hash: string): Rules | undefined {
    return this.#rules.get(hash);
  }

  #learn(given: unknown): void {
    const rules = Rules.safeParse(given);
    if (rules.success) this.#rules.set(hashOf(given), rules.data);
  }

  #learnCart(cartVc: unknown): void {
    const content = contentOf(cartVc);
    if (content !== undefined) this.#carts.set(hashOf({ ...(cartVc as object), proof: undefined }), content);
  }

  #learnAnswer(asked: Asked, place: number): readonly Violation[] {
    const shown = PolicyShown.safeParse(doneBody(asked));
    if (!shown.success || shown.data.rules === undefined) return [];
    this.#learn(shown.data.rules);
    if (hashOf(shown.data.rules) === shown.data.hash) return [];
    return [violated('I6', `The policy ${shown.data.id} has another hash than its rules.`, asked.place, place)];
  }

  forget(_place: number, at: number): void {
    this.model.forget(at);
  }

  #judge({ events, sinceSeq = 1 }: Books, place: number): readonly Violation[] {
    const found: Violation[] = [];
    for (const given of events.slice(this.#read - sinceSeq + 1)) {
      const event = eventOf(given);
      const findings = this.model.read(event);
      for (const finding of findings) found.push(this.#violation(finding, event, place));
    }
    this.#read = sinceSeq - 1 + events.length;
    return found;
  }

  #violation({ code, sentence, about }: Finding, { seq }: Event, place: number): Violation {
    return violated(INVARIANT_OF[code] ?? 'I6', `${sentence} (event ${seq}).`, ...this.#placesOf(about), place);
  }
}

const POLICY_CALLS: ReadonlySet<string> = new Set(['createPolicy', 'updatePolicy', 'currentPolicy']);

function hashOf(value: unknown): string {
  return `sha256:${createHash('sha256')
    .update(String(canonicalize(value)))
    .digest('hex')}`;
}
