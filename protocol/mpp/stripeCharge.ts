/** Which challenge can be paid by a shared payment token of Stripe (MPP: draft-stripe-charge-00), and what it costs. */

import { fromBase64, toHex } from '../credential/encodings.ts';
import { Currency, formatMoney, requireExact } from '../money.ts';
import { isObject, type JsonObject } from '../sdjwt/sdJwt.ts';
import { Fault } from '../wire/fault.ts';
import type { ChallengeList, PaymentChallenge } from './challengeList.ts';
import { fromStripeAmount, toStripeAmount } from './stripeAmount.ts';

/** The kinds of means that a shared payment token can be made of here. */
const METHOD_TYPES = ['card', 'link'];

export interface StripeCharge {
  readonly challenge: PaymentChallenge;
  /** ISO 4217 minor units. */
  readonly amountMinor: number;
  /** ISO 4217, in capitals. */
  readonly currency: string;
  /** What the token must be good for, in Stripe’s own smallest units. */
  readonly stripeAmount: number;
  /** The Stripe profile that is paid (`methodDetails.networkId`). */
  readonly payee: string;
  /** The merchant’s name for what is bought: the answer must repeat it. */
  readonly externalId: string | undefined;
  /** Those of them that this node can pay with. */
  readonly paymentMethodTypes: readonly string[];
  readonly metadata: JsonObject | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface ChargeRefusal {
  /** A fault of the request, or a reason that an agent is refused for. */
  readonly code: 'BAD_REQUEST' | 'RAIL_UNAVAILABLE' | 'CART_EXPIRED';
  /** One sentence or two for the agent. */
  readonly message: string;
}

export interface ChargeCircumstances {
  /** Of the body that the agent sent, `sha-256=…`; undefined where it has not said. */
  readonly bodyDigest: string | undefined;
  /** Milliseconds since the epoch, by this node’s clock. */
  readonly now: number;
  /** The same by the shop’s clock (`Date` of the answer that asked for payment), where the agent has said. */
  readonly shopTime?: number | undefined;
}

/**
 * The first challenge that can be paid: of stripe/charge, not expired, of the body that was sent, in money that Stripe can move.
 * Where none can, the refusal is of the first one that has not expired.
 */
export function chooseCharge(
  list: ChallengeList,
  circumstances: ChargeCircumstances,
): { readonly charge: StripeCharge } | { readonly refused: ChargeRefusal } {
  const offers = list.usable.filter(({ method, intent }) => method === 'stripe' && intent === 'charge');
  const refusals: ChargeRefusal[] = [];
  for (const challenge of offers) {
    const found = chargeOf(challenge, circumstances);
    if (!('code' in found)) return { charge: found };
    refusals.push(found);
  }
  return { refused: refusals.find(({ code }) => code !== 'CART_EXPIRED') ?? refusals[0] ?? nothingOffered(list) };
}

/** How many offers one sentence names. */
const MOST_NAMED = 10;

/** Why no challenge is one of stripe/charge that can be used. */
function nothingOffered({ unusable, offered, otherSchemes }: ChallengeList): ChargeRefusal {
  const broken = unusable.find(({ offer }) => offer === 'stripe/charge' || offer === 'Payment');
  const beside = otherSchemes.map((scheme) => `the scheme ${scheme}`);
  const all = [...offered, ...beside].slice(0, MOST_NAMED);
  const offer =
    all.length === 0 ? 'No payment is asked for.' : `Offered: ${all.join(', ')}; this node pays stripe/charge.`;
  const reason = broken === undefined ? '' : ` The challenge of ${broken.offer} ${broken.reason}.`;
  return { code: 'RAIL_UNAVAILABLE', message: `${offer}${reason}` };
}

function chargeOf(challenge: PaymentChallenge, circumstances: ChargeCircumstances): StripeCharge | ChargeRefusal {
  const { expiresAt, request } = challenge;
  if (expiresAt === undefined) {
    return unavailable('says not when it expires; servers take no answer to such a challenge.');
  }
  const late = expiryRefusal(expiresAt, circumstances) ?? digestRefusal(challenge.digest, circumstances.bodyDigest);
  if (late !== undefined) return late;
  const details = isObject(request['methodDetails']) ? request['methodDetails'] : {};
  const { networkId, paymentMethodTypes: types, metadata } = details;
  if (!isIdentifier(networkId)) return unavailable('names no Stripe profile to pay (methodDetails.networkId).');
  const paymentMethodTypes = METHOD_TYPES.filter((type) => Array.isArray(types) && types.includes(type));
  if (paymentMethodTypes.length === 0) {
    return unavailable(`takes neither of ${METHOD_TYPES.join(' and ')} (methodDetails.paymentMethodTypes).`);
  }
  const { externalId } = request;
  if (externalId !== undefined && !isIdentifier(externalId))
    return malformed('has an externalId that is no short text.');
  const money = moneyOf(request);
  if ('code' in money) return money;
  const purchase = {
    payee: networkId,
    externalId,
    paymentMethodTypes,
    metadata: isObject(metadata) ? metadata : undefined,
  };
  return { challenge, ...money, ...purchase, expiresAt };
}

function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 500;
}

/** An expired challenge cannot be paid; where the shop’s own clock is behind, a fresh one would have expired too. */
function expiryRefusal(expiresAt: number, { now, shopTime }: ChargeCircumstances): ChargeRefusal | undefined {
  if (expiresAt > now) return undefined;
  const ago = span(now - expiresAt);
  if (shopTime !== undefined && shopTime < expiresAt) {
    const behind = `The shop’s clock is ${span(now - shopTime)} behind this node’s`;
    return { code: 'CART_EXPIRED', message: `${behind}: when it made its challenge, that had expired (${ago} ago).` };
  }
  const hint = shopTime === undefined ? ' If it had just been made, the shop’s clock is behind by more than that.' : '';
  return { code: 'CART_EXPIRED', message: `The challenge expired ${ago} ago.${hint}` };
}

function span(ms: number): string {
  const [amount, unit] = ms < 120_000 ? [Math.ceil(ms / 1000), 'second'] : [Math.round(ms / 60_000), 'minute'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

/** A challenge with a digest pays for one body alone. */
function digestRefusal(digest: string | undefined, bodyDigest: string | undefined): ChargeRefusal | undefined {
  if (digest === undefined) return undefined;
  if (bodyDigest === undefined) return malformed('is for one body alone: give its bodyDigest (sha-256=…).');
  const [asked, sent] = [sha256Of(digest), sha256Of(bodyDigest)];
  if (asked === undefined) return unavailable('has a digest of another kind than SHA-256.');
  return asked === sent ? undefined : malformed('is for another body than the one with this bodyDigest.');
}

/** In hexadecimal, of `sha-256=:…:` (RFC 9530) and of `sha-256=…`, as mppx writes it; undefined for any other digest. */
function sha256Of(digest: string): string | undefined {
  const [, text] = /^sha-256=:?([A-Za-z0-9+/_-]{43})=?:?$/i.exec(digest) ?? [];
  if (text === undefined) return undefined;
  const bytes = fromBase64(`${text.replaceAll('-', '+').replaceAll('_', '/')}=`);
  return bytes === undefined ? undefined : toHex(bytes);
}

/** The wire counts, not what was meant: an amount is in Stripe’s smallest unit, and exact in both directions. */
function moneyOf(request: JsonObject): ChargeRefusal | Pick<StripeCharge, 'amountMinor' | 'currency' | 'stripeAmount'> {
  const { amount, currency: name } = request;
  // mppx takes a number too.
  const digits = typeof amount === 'number' ? String(amount) : amount;
  if (typeof digits !== 'string' || !/^\d{1,15}$/.test(digits))
    return malformed('has an amount that is no whole number.');
  const stripeAmount = Number(digits);
  if (stripeAmount === 0) return malformed('asks for 0.');
  const currency = Currency.safeParse(typeof name === 'string' ? name.toUpperCase() : name).data;
  if (currency === undefined) return malformed('names no currency of ISO 4217.');
  const amountMinor = fromStripeAmount(stripeAmount, currency);
  const back = toStripeAmount(amountMinor, currency);
  if ('refused' in back) return malformed(`cannot be charged: ${back.refused}`);
  if (back.amount !== stripeAmount) {
    const near = formatMoney(amountMinor, currency);
    return malformed(
      `asks for ${digits} of Stripe’s units of ${currency}, which is not exactly ${near} or any other sum.`,
    );
  }
  try {
    return { amountMinor: requireExact(amountMinor, currency), currency, stripeAmount };
  } catch (error) {
    if (error instanceof Fault) return malformed(`asks for too much. ${error.message}`);
    throw error;
  }
}

function malformed(reason: string): ChargeRefusal {
  return { code: 'BAD_REQUEST', message: `The challenge ${reason}` };
}

function unavailable(reason: string): ChargeRefusal {
  return { code: 'RAIL_UNAVAILABLE', message: `The challenge ${reason}` };
}
