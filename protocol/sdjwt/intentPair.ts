/** The pair of mandates in a layer 2 of Verifiable Intent: a payment and the checkout that it is for, and nothing alone. */
import { canonical } from '../credential/canonical.ts';
import type { Delegate } from './disclosures.ts';
import { delegatesOf, type Hop } from './hop.ts';
import { sdHash } from './sdHash.ts';
import { isObject, type JsonObject, jsonIn } from './sdJwt.ts';

interface Mandate {
  readonly mandate: JsonObject;
  readonly digest: string | undefined;
}

export interface IntentPair {
  /** As far as the views that were presented disclose them. */
  readonly payment: Mandate | undefined;
  readonly checkout: Mandate | undefined;
  /** The digests of all mandates that the layer delegates. */
  readonly delegated: readonly string[];
}

const REFERENCE = 'mandate.payment.reference';

/** @param views of one layer 2 @returns a sentence where there is no one pair */
export function pairIn(views: readonly Hop[]): IntentPair | { readonly fault: string } {
  const [first] = views as [Hop];
  if (views.some(({ token }) => token.jwt !== first.token.jwt)) return { fault: 'The two views are of two layers 2.' };
  const delegated = digestsIn(first.token.payload['delegate_payload']);
  if (delegated === undefined) return { fault: 'It delegates a mandate that no digest names.' };
  if (delegated.length % 2 === 1)
    return { fault: `It delegates ${delegated.length} mandates, so that one is without its pair.` };
  const payments = mandatesOfKind(views, 'mandate.payment');
  const checkouts = mandatesOfKind(views, 'mandate.checkout');
  if (payments.length > 1 || checkouts.length > 1)
    return { fault: 'It discloses more than one pair; a purchase is one.' };
  const pair = { payment: payments[0], checkout: checkouts[0], delegated };
  const fault = pairFault(pair);
  return fault === undefined ? pair : { fault };
}

function digestsIn(delegate: unknown): readonly string[] | undefined {
  const digests = Array.isArray(delegate)
    ? delegate.map((each: unknown) => (isObject(each) ? each['...'] : undefined))
    : [];
  return digests.every((digest) => typeof digest === 'string') ? digests : undefined;
}

function mandatesOfKind(views: readonly Hop[], vct: string): readonly Mandate[] {
  const named = new Map<string, Mandate>();
  for (const { value, digest } of views.flatMap((view): readonly Delegate[] => delegatesOf(view))) {
    if (isObject(value) && String(value['vct']).startsWith(vct))
      named.set(digest ?? canonical(value), { mandate: value, digest });
  }
  return [...named.values()];
}

function pairFault({ payment, checkout, delegated }: IntentPair): string | undefined {
  if (payment === undefined || payment.mandate['vct'] === 'mandate.payment.1') return undefined;
  const reference = referenceOf(payment.mandate);
  if (reference === undefined) return `The payment has no constraint ${REFERENCE}.`;
  if (reference === payment.digest || !delegated.includes(reference)) {
    return 'The payment refers to no mandate of the same layer, so that it is without its pair.';
  }
  if (
    checkout === undefined ||
    canonical(checkout.mandate['cnf'] ?? null) === canonical(payment.mandate['cnf'] ?? null)
  ) {
    return undefined;
  }
  return 'The payment and the checkout name different keys in cnf.';
}

/** The digest of the checkout mandate that an open payment mandate is for. */
function referenceOf(payment: JsonObject): string | undefined {
  const constraints = Array.isArray(payment['constraints']) ? payment['constraints'] : [];
  const found = constraints.find((each: unknown) => isObject(each) && each['type'] === REFERENCE);
  const digest = isObject(found) ? found['conditional_transaction_id'] : undefined;
  return typeof digest === 'string' ? digest : undefined;
}

/**
 * A mandate with what any view of its token discloses: one recipient's view may name a merchant that another one's withholds.
 * @param mandate of a digest among the disclosures of the views
 */
export function disclosedByAny(views: readonly Hop[], { mandate, digest }: Mandate): JsonObject {
  const texts = views.flatMap(({ token }) => token.disclosures);
  const values = new Map(texts.map((text) => [sdHash('sha-256', text), (jsonIn(text) as readonly unknown[]).at(-1)]));
  const raw = digest === undefined ? undefined : values.get(digest);
  if (!isObject(raw)) return mandate;
  // Its own members are disclosed by name in one view; `_sd` is there where a view withholds one.
  const { _sd: _named, ...elements } = withElements(raw, values) as JsonObject;
  return { ...mandate, ...elements };
}

/** Two views may be made so that they lead from one to the other for long. */
const MOST_DEPTH = 64;

/**
 * @param left the disclosures that have no place yet: each has one (RFC 9901 section 7.1), and goes once it is taken. Where two views
 *   name it in two places, the structure would double with each step from one view to the other.
 */
function withElements(value: unknown, left: Map<string, unknown>, depth = 0): unknown {
  if (depth > MOST_DEPTH) return undefined;
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown) => {
      if (!isObject(each) || typeof each['...'] !== 'string') return [withElements(each, left, depth + 1)];
      const digest = each['...'];
      if (!left.has(digest)) return [];
      const disclosed = left.get(digest);
      left.delete(digest);
      return [withElements(disclosed, left, depth + 1)];
    });
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'constraints' && Array.isArray(each)
        ? each.map((one: unknown) => disclosedOr(one, left, depth + 1))
        : withElements(each, left, depth + 1),
    ]),
  );
}

/** A constraint that both views withhold still binds: its digest stays for the judge of constraints to see. */
function disclosedOr(constraint: unknown, left: Map<string, unknown>, depth: number): unknown {
  const [found] = withElements([constraint], left, depth) as readonly unknown[];
  return found ?? constraint;
}
