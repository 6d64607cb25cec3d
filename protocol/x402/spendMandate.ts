/**
 * The mandate of one payment, and how a settled transfer shows that it was made under it (x402 extension `authority`, x402-mandate/1).
 * The nonce of the transfer is made of the mandate and the payment. It bounds neither sum nor payee: those are read out of the
 * transfer and compared.
 */
import { canonical } from '../credential/canonical.ts';
import type { Suite } from '../credential/ed25519.ts';
import { fromBase64url, toBase64url, toHex } from '../credential/encodings.ts';
import { isObject, type JsonObject } from '../sdjwt/sdJwt.ts';
import { Fault } from '../wire/fault.ts';
import { checksumAddress } from './evmAddress.ts';
import type { PaymentRequirement } from './paymentRequirement.ts';
import type { TransferAuthorization } from './transferAuthorization.ts';

const VERSION = 'x402-mandate/1';
const BINDING = 'x402-mandate-binding/1';

/** A closed object: one with any other member is invalid (section 3). */
interface SpendMandate {
  readonly v: typeof VERSION;
  /** A raw Ed25519 public key, base64url. */
  readonly issuer: string;
  /** Who may pay: CAIP-10 here. */
  readonly subject: string;
  /** CAIP-19 here. */
  readonly asset: string;
  /** Digits, in the asset’s smallest unit: of all payments, and of each. */
  readonly cap: string;
  readonly perPayment?: string;
  readonly recipients: readonly string[];
  readonly accountant: string;
  readonly purpose: string;
  /** RFC 3339, UTC. */
  readonly notAfter: string;
  readonly nonce: string;
  /** The digest of the mandate that it was made under. */
  readonly parent?: string;
}

type NamedAsset = Pick<PaymentRequirement['asset'], 'network' | 'address'>;

interface PaymentTerms {
  /** The issuer’s raw public key, 32 bytes. */
  readonly issuerKey: Uint8Array;
  /** The wallet, in lower case. */
  readonly wallet: string;
  readonly requirement: Pick<PaymentRequirement, 'payTo' | 'amount'> & { readonly asset: NamedAsset };
  /** Of the resource that is bought; its query is left out. */
  readonly url: string;
  /** Seconds since the epoch. */
  readonly validBefore: number;
  readonly intentId: string;
}

/** The mandate of one payment: exactly its sum, to exactly its payee, until the transfer can no longer be settled. */
export function mandateOf({ issuerKey, wallet, requirement, url, validBefore, intentId }: PaymentTerms): SpendMandate {
  const { asset, payTo, amount } = requirement;
  const issuer = toBase64url(issuerKey);
  return {
    v: VERSION,
    issuer,
    subject: `${asset.network}:${checksumAddress(wallet)}`,
    asset: assetName(asset),
    cap: amount,
    perPayment: amount,
    recipients: [checksumAddress(payTo)],
    accountant: issuer,
    purpose: url.split(/[?#]/, 1)[0] as string,
    notAfter: new Date(validBefore * 1000).toISOString().replace('.000Z', 'Z'),
    nonce: intentId,
  };
}

/** CAIP-19. */
function assetName({ network, address }: NamedAsset): string {
  return `${network}/erc20:${checksumAddress(address)}`;
}

/** What the issuer signs, and what the digest is of: UTF-8. */
export function mandateText(mandate: SpendMandate): string {
  return `${VERSION}\n${canonical(mandate)}`;
}

/** @returns `sha256:…`, by which a mandate is known everywhere */
export function mandateDigest(suite: Suite, mandate: SpendMandate): string {
  return `sha256:${suite.sha256Hex(mandateText(mandate))}`;
}

/**
 * The nonce of a transfer (section 7): a chain takes each once, so a payment under a mandate settles once.
 * @param digest with its prefix, `sha256:…`
 * @param paymentId `pm_…`
 * @returns 32 bytes, `0x…`
 * @throws Fault BAD_REQUEST for another digest, or an id with other characters than letters, digits and `._~-`
 */
export function bindingNonce(suite: Suite, digest: string, paymentId: string): string {
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Fault('BAD_REQUEST', 'The digest of a mandate is sha256:… .');
  if (!/^[A-Za-z0-9._~-]{1,64}$/.test(paymentId)) {
    throw new Fault(
      'BAD_REQUEST',
      'The id of a payment has 1 to 64 letters, digits, dots, tildes, dashes and underscores.',
    );
  }
  return `0x${toHex(suite.sha256(`${BINDING}\n${digest}\n${paymentId}`))}`;
}

const KEY = /^[A-Za-z0-9_-]{43}$/;
const WHOLE = /^(?:0|[1-9][0-9]*)$/;
const ANYONE = '*';

/** Members and the rule of each; those that may be absent have a question mark. */
const MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  v: (value) => value === VERSION,
  issuer: matches(KEY),
  subject: matches(/^/),
  asset: matches(/^/),
  cap: matches(WHOLE),
  'perPayment?': matches(WHOLE),
  recipients: isListOfPayees,
  accountant: (value) => value === 'payees' || matches(KEY)(value),
  purpose: matches(/^/),
  notAfter: isMoment,
  nonce: matches(/^/),
  'parent?': matches(/^sha256:[0-9a-f]{64}$/),
};

/**
 * A mandate by the rules of section 3. It never throws.
 * @returns the mandate, or why it is none, as the end of a sentence that begins with the mandate
 */
export function readMandate(value: unknown): { readonly mandate: SpendMandate } | { readonly refused: string } {
  if (!isObject(value)) return { refused: 'is no object' };
  const names = Object.keys(MEMBERS).map((each) => each.replace('?', ''));
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) return { refused: `has a member that is not known: ${unknown}` };
  for (const [member, holds] of Object.entries(MEMBERS)) {
    const name = member.replace('?', '');
    if (name !== member && value[name] === undefined) continue;
    if (!holds(value[name])) return { refused: `has no valid ${name}` };
  }
  const mandate = value as unknown as SpendMandate;
  const { cap, perPayment = cap, accountant, recipients } = mandate;
  if (BigInt(perPayment) > BigInt(cap)) return { refused: 'allows more for one payment than for all' };
  const isOpen = recipients[0] === ANYONE;
  if (accountant === 'payees' && !isOpen && !recipients.every((each) => KEY.test(each))) {
    return { refused: 'names payees that are no keys, and they are to account for it' };
  }
  return { mandate };
}

function matches(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && value.isWellFormed() && pattern.test(value);
}

/** Payees, or one that stands for all of them. */
function isListOfPayees(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || !value.every(matches(/^/))) return false;
  return value.length === 1 || !value.includes(ANYONE);
}

/** A time that a strict reader and a lenient one read alike: there is no 30 February. */
function isMoment(value: unknown): boolean {
  const [, seconds] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d{1,3})?Z$/.exec(String(value)) ?? [];
  const at = Date.parse(String(value));
  return (
    typeof value === 'string' &&
    seconds !== undefined &&
    !Number.isNaN(at) &&
    new Date(at).toISOString().startsWith(seconds)
  );
}

/** A transfer that a wallet signed or a chain settled, with where it was. */
export interface TransferFacts extends Omit<TransferAuthorization, 'validAfter' | 'validBefore'> {
  /** CAIP-2. */
  readonly network: string;
  /** Of the contract, in lower case. */
  readonly asset: string;
}

/**
 * Why a transfer was not made under a mandate and for a payment (sections 6 and 7), as one sentence; undefined where it was. It
 * never throws.
 * @param signed the mandate as it was handed on, `{mandate, alg, sig}`
 * @param issuerKey the raw public key that the mandate must be signed by
 */
export function transferMismatch(
  suite: Suite,
  signed: unknown,
  {
    issuerKey,
    paymentId,
    transfer,
  }: {
    readonly issuerKey: Uint8Array;
    readonly paymentId: string;
    readonly transfer: TransferFacts;
  },
): string | undefined {
  const { mandate: document, alg, sig } = (isObject(signed) ? signed : {}) as JsonObject;
  const read = readMandate(document);
  if ('refused' in read) return `The mandate ${read.refused}.`;
  const { mandate } = read;
  const signature = typeof sig === 'string' ? fromBase64url(sig) : undefined;
  if (mandate.issuer !== toBase64url(issuerKey)) return 'The mandate is of another issuer.';
  const content = new TextEncoder().encode(mandateText(mandate));
  if (alg !== 'Ed25519' || signature === undefined || !suite.verify(issuerKey, content, signature)) {
    return 'The mandate is not signed by its issuer.';
  }
  if (!/^[A-Za-z0-9._~-]{1,64}$/.test(paymentId))
    return 'The id of the payment is none that a transfer can be bound to.';
  if (bindingNonce(suite, mandateDigest(suite, mandate), paymentId) !== transfer.nonce.toLowerCase()) {
    return 'The transfer is bound to another mandate or another payment.';
  }
  return termsMismatch(mandate, transfer);
}

/** What the transfer says itself, and not what is said of it. */
function termsMismatch(mandate: SpendMandate, { network, asset, from, to, value }: TransferFacts): string | undefined {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  if (!same(mandate.subject, `${network}:${from}`)) return 'The transfer is from another wallet than the mandate’s.';
  if (!same(mandate.asset, `${network}/erc20:${asset}`)) return 'The transfer is of another token than the mandate’s.';
  if (mandate.recipients[0] !== ANYONE && !mandate.recipients.some((each) => same(each, to))) {
    return 'The transfer is to another payee than the mandate’s.';
  }
  const { cap, perPayment = cap } = mandate;
  if (!WHOLE.test(value) || BigInt(value) > BigInt(perPayment))
    return 'The transfer is of more than the mandate allows.';
  return undefined;
}
