/** Which offer of an x402 resource is paid: of the scheme `exact`, by a signed transfer of a token that is known (EIP-3009). */
import { canonical } from '../credential/canonical.ts';
import { isObject, type JsonObject } from '../sdjwt/sdJwt.ts';
import { exactAmount, minorUnitsOf } from './atomicAmount.ts';
import { readAddress } from './evmAddress.ts';
import type { PaymentRequired, X402Refusal } from './paymentRequired.ts';
import { findAsset, type TokenAsset } from './usdAssets.ts';

/** How long a signature may be used: what the server needs, which includes its own work, and at most this. */
const MOST_SECONDS = 300;
/** The facilitator refuses one that ends in less than 6 seconds. */
const LEAST_SECONDS = 10;

/** An offer that can be paid. */
export interface PaymentRequirement {
  /** As received, member by member: the payment repeats it as `accepted`. */
  readonly received: JsonObject;
  readonly asset: TokenAsset;
  /** Who is paid: an address in lower case. */
  readonly payTo: string;
  /** Digits, in the token’s smallest unit: what is signed. */
  readonly amount: string;
  /** ISO 4217 minor units of the asset’s currency, rounded up: what counts against limits. */
  readonly amountMinor: number;
  /** The exact sum in units of the currency, `0.001`. */
  readonly exact: string;
  readonly validSeconds: number;
}

export interface PaymentMeans {
  /** The offer that the client has chosen, as it is in `accepts`; undefined: the first that can be paid. */
  readonly accepted?: object | undefined;
  /** Chains that there is a wallet on, CAIP-2. */
  readonly networks: readonly string[];
  /** Tokens besides those that are known. */
  readonly assets?: readonly TokenAsset[] | undefined;
}

/** Where several offers can be paid by none of the means, the refusal names them all and says why of the first. */
export function chooseRequirement(
  { accepts }: PaymentRequired,
  means: PaymentMeans,
): { readonly requirement: PaymentRequirement } | { readonly refused: X402Refusal } {
  const { accepted } = means;
  const wanted = accepted === undefined ? undefined : canonical(accepted);
  const offers = wanted === undefined ? accepts : accepts.filter((offer) => canonical(offer) === wanted).slice(0, 1);
  const refusals: X402Refusal[] = [];
  for (const offer of offers) {
    const found = requirementOf(offer, means);
    if (!('code' in found)) return { requirement: found };
    refusals.push(found);
  }
  const [first, ...others] = refusals;
  if (first === undefined) return { refused: malformed('accepted is none of the offers (accepts).') };
  if (others.length === 0) return { refused: first };
  const code = refusals.every((each) => each.code === 'BAD_REQUEST') ? 'BAD_REQUEST' : 'RAIL_UNAVAILABLE';
  return { refused: { code, message: `Offered: ${offers.slice(0, 10).map(nameOf).join('; ')}. ${first.message}` } };
}

/** How a person would name an offer. */
function nameOf({ scheme, network, asset }: JsonObject): string {
  const name = (value: unknown) => (typeof value === 'string' ? value.slice(0, 60) : '?');
  return `${name(scheme)} of ${name(asset)} on ${name(network)}`;
}

/** What an offer says, or the first thing for which it cannot be paid. */
function requirementOf(offer: JsonObject, { networks, assets }: PaymentMeans): PaymentRequirement | X402Refusal {
  const { scheme, network, amount, extra = {} } = offer;
  if (scheme !== 'exact') return unavailable(`Of x402, the scheme exact is paid, and not ${nameOf(offer)}.`);
  if (typeof network !== 'string' || !networks.includes(network))
    return unavailable(`No wallet is on the chain of ${nameOf(offer)}.`);
  const payTo = readAddress(offer['payTo']);
  if (payTo === undefined)
    return malformed(`payTo is no address, or its checksum is wrong (EIP-55): ${String(offer['payTo']).slice(0, 60)}.`);
  const token = readAddress(offer['asset']);
  if (token === undefined)
    return malformed(`asset is no address, or its checksum is wrong (EIP-55): ${String(offer['asset']).slice(0, 60)}.`);
  if (typeof amount !== 'string' || !/^(?:0|[1-9]\d{0,77})$/.test(amount))
    return malformed('amount must be text of digits.');
  if (amount === '0') return malformed('amount is 0: a price below the smallest unit cannot be paid.');
  const asset = findAsset(network, token, assets);
  if (asset === undefined) return unavailable(`The token is not known: ${nameOf(offer)}.`);
  if (!isObject(extra)) return malformed('extra must be an object.');
  const unpayable = extraRefusal(extra, asset);
  if (unpayable !== undefined) return unpayable;
  const { maxTimeoutSeconds: seconds = MOST_SECONDS } = offer;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < LEAST_SECONDS) {
    return malformed(`maxTimeoutSeconds must be a whole number of at least ${LEAST_SECONDS}.`);
  }
  const amountMinor = minorUnitsOf(amount, asset);
  if (amountMinor === undefined)
    return malformed(`amount is too much: ${exactAmount(amount, asset)} ${asset.currency}.`);
  const exact = exactAmount(amount, asset);
  return { received: offer, asset, payTo, amount, amountMinor, exact, validSeconds: Math.min(seconds, MOST_SECONDS) };
}

/**
 * How the money is to move, and what the contract is called: the table is what is signed, so an offer with another name is one that
 * no signature pays.
 */
function extraRefusal(extra: JsonObject, asset: TokenAsset): X402Refusal | undefined {
  const { name, version, assetTransferMethod: transfer = 'eip3009', paymentFlow: flow = 'authorization' } = extra;
  if (transfer !== 'eip3009') return unavailable(`A transfer by ${transfer} is not paid; eip3009 is.`);
  if (flow !== 'authorization' && flow !== 'upfront') return unavailable(`The payment flow ${flow} is not known.`);
  if (name === asset.name && version === asset.version) return undefined;
  const there = `${JSON.stringify(name)} version ${JSON.stringify(version)}`;
  const here = `${JSON.stringify(asset.name)} version ${JSON.stringify(asset.version)}`;
  const where = `the contract ${asset.address} on ${asset.network}`;
  return unavailable(`The offer calls ${where} ${there}; it is ${here}. No wallet can pay such an offer.`);
}

function malformed(message: string): X402Refusal {
  return { code: 'BAD_REQUEST', message: `The offer cannot be paid: ${message}` };
}

function unavailable(message: string): X402Refusal {
  return { code: 'RAIL_UNAVAILABLE', message };
}
