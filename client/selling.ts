/** A merchant's part: it signs offers, and checks the payment mandates that come for them. */
import { z } from 'zod';
import { CartSubject, cartTotalMinor, minorOfItems } from '../protocol/cart.ts';
import { hashOf } from '../protocol/credential/canonical.ts';
import { checkCart } from '../protocol/credential/cartCredential.ts';
import { checkForms } from '../protocol/credential/checkForms.ts';
import { checkStatus } from '../protocol/credential/statusList.ts';
import { issueCredential } from '../protocol/credential/vc.ts';
import { fromMinor } from '../protocol/money.ts';
import { Fault } from '../protocol/wire/fault.ts';
import { detailsOf } from '../protocol/wire/issue.ts';
import { CountersignError, refusedHere } from './error.ts';
import { gunzip } from './gunzip.ts';
import type { Agent } from './identity.ts';
import { readNodeDid } from './identity.ts';
import type { CartItem, Credential } from './operations.ts';

/** What is offered. Further members are signed as they are, and shown to the person who approves. */
export interface Offer {
  /** The merchant's domain, to which the owner of the node has bound the merchant's key. */
  readonly domain: string;
  /** Tax and shipping are items, too. */
  readonly items: readonly CartItem[];
  /** ISO 4217. */
  readonly currency: string;
  readonly [member: string]: unknown;
}

export interface CartOptions {
  /** A URI, unique among the merchant's carts: a cart is paid once. A new one by default. */
  readonly id?: string;
  /** How long the offer holds; an hour by default. */
  readonly validSeconds?: number;
  /** `did:web:` and the domain, where the merchant's site lists the key; the key's own did:key by default. */
  readonly issuer?: string;
  readonly now?: Date;
}

/**
 * Signs an offer as a cart, which an agent takes to its node.
 * @param merchant the merchant's key, made and kept as an agent's
 * @throws CountersignError BAD_REQUEST for what no node would take
 */
export function signCart(merchant: Agent, offer: Offer, options: CartOptions = {}): Credential {
  const { domain, ...members } = offer;
  const issuedAt = (options.now ?? new Date()).getTime();
  try {
    const subject = parsed(CartSubject, { total: totalOf(members), ...members, merchant: domain });
    cartTotalMinor(subject);
    requireOwn(options.issuer, subject.merchant);
    return issueCredential(merchant.suite, merchant.signer, {
      id: options.id ?? `urn:uuid:${crypto.randomUUID()}`,
      type: 'CartMandate',
      issuer: options.issuer,
      subject,
      issuedAt,
      expiresAt: issuedAt + (options.validSeconds ?? 3600) * 1000,
    }).document as Credential;
  } catch (error) {
    throw refusedHere(error);
  }
}

const Priced = CartSubject.pick({ items: true, currency: true });

/** @throws Fault BAD_REQUEST for a did:web of another domain, which no node would take for this merchant's */
function requireOwn(issuer: string | undefined, domain: string): void {
  const own = `did:web:${domain}`;
  if (issuer === undefined || issuer === own) return;
  const message = `must be ${own}, or left out for the key’s own DID`;
  throw new Fault('BAD_REQUEST', `The issuer ${message}.`, [{ path: 'issuer', message }]);
}

/** The least that a JSON number does not carry to the minor unit. */
const TOO_MUCH = 10n ** 15n;

function totalOf(members: object): number {
  const priced = parsed(Priced, members);
  const sum = minorOfItems(priced);
  if (sum >= TOO_MUCH) throw new Fault('BAD_REQUEST', 'The items come to more than one cart can carry.');
  return fromMinor(Number(sum), priced.currency);
}

const StatedPayment = z.looseObject({
  mandateId: z.string(),
  intentId: z.string(),
  amount: z.number(),
  currency: z.string(),
  merchant: z.string(),
  rail: z.string(),
  cartHash: z.string(),
  agentDid: z.string().optional(),
  principalDid: z.string().optional(),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
});

/** What a payment mandate states. Written out, so that the package's types need no library. */
export interface PaymentSubject {
  readonly mandateId: string;
  readonly intentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly merchant: string;
  readonly rail: string;
  readonly cartHash: string;
  /** Who bought, and whose money it is; absent in mandates from before they said so. */
  readonly agentDid?: string | undefined;
  readonly principalDid?: string | undefined;
  /** Until when the amount may be captured. */
  readonly expiresAt?: string | undefined;
  readonly [member: string]: unknown;
}

export interface MandateExpectation {
  /** The DID of the buyer's node, as the merchant knows it already; not from the buyer that brings the mandate. */
  readonly nodeDid: string;
  /** The cart that is paid, as the merchant signed it. */
  readonly cart: Readonly<Record<string, unknown>>;
  readonly now?: Date;
  /**
   * The status list that a document or a token names (`credentialStatus.statusListCredential`), as it was fetched, or as the buyer
   * brought it: a document or a token. Without it, a mandate that was ended before its time is not told from one that holds.
   */
  readonly statusList?: unknown;
  /** How old that list may be; 300 when absent. */
  readonly maxAgeSeconds?: number;
}

/**
 * Checks that a node allowed the payment of one cart of this merchant. The mandate may have any of its forms: as the node answers a
 * payment, or as `GET /ap2/credentials/:id` gives it, a document or a token. Whether the money is held is for the rail to say.
 * @param merchant the key that signed the cart
 * @returns what the mandate states
 * @throws CountersignError INVALID_MANDATE that names the check which failed, BAD_REQUEST for a nodeDid that is no DID
 */
export function verifyPaymentMandate(
  merchant: Agent,
  mandate: unknown,
  { nodeDid, cart, now = new Date(), statusList, maxAgeSeconds = 300 }: MandateExpectation,
): PaymentSubject {
  const node = readNodeDid(nodeDid);
  const { subject, hash } = ownCart(merchant, cart);
  const check = checkForms(merchant.suite, mandate, { type: 'PaymentMandate', now: now.getTime() });
  if (!check.ok) throw invalid(check.reason);
  if (check.issuer !== node) throw invalid(`It was issued by ${check.issuer} and not by ${node}.`);
  if (check.expired) throw invalid('It has expired.');
  if (statusList !== undefined) {
    const expected = { issuer: node, now: now.getTime(), maxAgeSeconds, gunzip };
    const status = checkStatus(merchant.suite, check.status, statusList, expected);
    if (!status.ok) throw invalid(status.reason);
    if (status.revoked) throw invalid('It was revoked.');
  }
  const paid = StatedPayment.safeParse(check.subject);
  if (!paid.success) throw invalid(`It is malformed at "${paid.error.issues[0]?.path.join('.')}".`);
  const { expiresAt } = paid.data;
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime()) {
    throw invalid(`The amount could be captured until ${expiresAt}.`);
  }
  const { total, currency, merchant: domain } = subject;
  const stated = { cartHash: hash, merchant: domain, currency, amount: total } as const;
  for (const [name, value] of Object.entries(stated)) {
    if (paid.data[name] !== value) throw invalid(`Its ${name} is ${paid.data[name]}, and that of the cart ${value}.`);
  }
  return paid.data;
}

/** @throws CountersignError INVALID_MANDATE where the merchant did not sign the cart */
function ownCart(merchant: Agent, cart: Readonly<Record<string, unknown>>) {
  const check = checkCart(merchant.suite, cart, {
    now: Number.MAX_SAFE_INTEGER,
    resolveKey: () => merchant.did,
  });
  if (!check.ok) throw invalid(`The cart does not hold: ${check.reason}`);
  if (check.issuer.startsWith('did:key:') && check.issuer !== merchant.did) {
    throw invalid(`The cart was signed by ${check.issuer} and not by ${merchant.did}.`);
  }
  const subject = CartSubject.safeParse(cart['credentialSubject']);
  if (!subject.success) throw invalid('The cart is malformed.');
  const { proof: _proof, ...content } = cart;
  return { subject: subject.data, hash: hashOf(merchant.suite, content) };
}

/** @throws CountersignError BAD_REQUEST that names each member at fault */
function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const details = detailsOf(read.error, value);
  const [first] = details;
  throw new CountersignError('BAD_REQUEST', `The cart cannot be signed: "${first?.path}" ${first?.message}.`, {
    status: 0,
    details,
  });
}

function invalid(reason: string): CountersignError {
  return new CountersignError('INVALID_MANDATE', `The payment mandate does not hold: ${reason}`, { status: 0 });
}
