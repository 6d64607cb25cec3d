/** What a merchant signed in a cart besides shop, items and total, as names and values for the person who approves it. */
import { inertText } from '../../../protocol/wire/plainText.ts';

/** A cart credential as the merchant signed it. */
export interface SignedCart {
  readonly credentialSubject?: Readonly<Record<string, unknown>>;
}

interface Detail {
  readonly name: string;
  readonly value: string;
}

/** What every cart credential has (Verifiable Credentials Data Model 1.1), and says nothing about the purchase. */
const ENVELOPE = ['@context', 'id', 'type', 'issuer', 'issuanceDate', 'expirationDate', 'credentialSubject', 'proof'];
/** What the page shows at a place of its own. */
const SHOWN = ['merchant', 'total', 'currency', 'items'];
const SHOWN_OF_ITEM = ['name', 'price', 'quantity'];

/** Members that shops use, in words. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['shipTo', 'Deliver to'],
  ['payTo', 'Paid to'],
  ['payer', 'Paid by'],
  ['subscription', 'Subscription'],
  ['description', 'Description'],
]);

/** @returns every other signed member, in the order of the credential; a member within members gets a path for a name */
export function signedDetails(cart: SignedCart): Detail[] {
  const { credentialSubject: subject = {}, ...credential } = cart;
  const items = Array.isArray(subject.items) ? subject.items : [];
  return [
    ...membersOf(subject, SHOWN).flatMap(([name, value]) => flatten(WORDS.get(name) ?? name, value)),
    ...items.flatMap((item: unknown, at) =>
      membersOf(item, SHOWN_OF_ITEM).flatMap(([name, value]) => flatten(`Item ${at + 1}, ${name}`, value)),
    ),
    ...membersOf(credential, ENVELOPE).flatMap(([name, value]) => flatten(name, value)),
  ];
}

function membersOf(value: unknown, without: readonly string[]): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).filter(([name]) => !without.includes(name));
}

function flatten(name: string, value: unknown): Detail[] {
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    if (members.length > 0) return members.flatMap(([member, inner]) => flatten(`${name}, ${member}`, inner));
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [{ name: inertText(name) || '(no name)', value: inertText(text) || '(blank)' }];
}
