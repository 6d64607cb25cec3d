/** How a server asks by MPP, and is answered: charges that a shared payment token of Stripe pays (draft-httpauth-payment-00, draft-stripe-charge-00). */
import type { SettlementReport } from '../../../protocol/httpPayment.ts';
import { type PaymentChallenge, readChallenges } from '../../../protocol/mpp/challengeList.ts';
import { chargePayload, credentialOf } from '../../../protocol/mpp/chargeCredential.ts';
import { readProblem, readReceipt, receiptMismatch } from '../../../protocol/mpp/chargeReceipt.ts';
import { chooseCharge, type StripeCharge } from '../../../protocol/mpp/stripeCharge.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import type { Script } from '../../store/store.ts';
import type { OfferReading, PaymentOffer, PaymentProtocol, SettlementClaim } from '../../usecase/paymentProtocol.ts';

/** Where MCP takes the answer. */
const META_KEY = 'org.paymentauth/credential';
/** Of the merchant's words, so many are shown. */
const MOST_WORDS = 300;
const MOST_OF_METADATA = 1000;

/** What is kept of an offer. */
interface ChargeRecord {
  readonly challenge: Pick<PaymentChallenge, 'headerName' | 'id' | 'received'>;
  readonly externalId?: string;
  /** True where it came as an object: a tool of an MCP server asked. */
  readonly isByMcp: boolean;
}

export const mppProtocol: PaymentProtocol = {
  name: 'mpp',
  rail: 'SPT_RAIL',
  attests: 'rail',
  namesOne: true,
  *readOffers({ challenges, bodyDigest }, _payer, now): Script<OfferReading> {
    if (challenges === undefined) return { offers: [], others: [] };
    const list = readChallenges(challenges);
    const chosen = chooseCharge(list, { bodyDigest, now });
    if ('charge' in chosen) return { offers: [offerOf(chosen.charge, typeof challenges[0] !== 'string')], others: [] };
    const { code, message } = chosen.refused;
    if (code === 'BAD_REQUEST') throw new Fault('BAD_REQUEST', message, [{ path: 'challenges', message }]);
    if (code === 'CART_EXPIRED') return { offers: [], others: list.offered, expired: message };
    return { offers: [], others: list.offered, reason: message };
  },
  answer({ received }, credential) {
    const { challenge, externalId, isByMcp } = received as unknown as ChargeRecord;
    const made = credentialOf(challenge, chargePayload({ externalId }, credential));
    const send = isByMcp ? { meta: { key: META_KEY, value: made.credential } } : { header: made.header };
    return { send, credential: made.credential };
  },
  readReport: ({ received }, report) => claimIn(received as unknown as ChargeRecord, report),
};

function offerOf(charge: StripeCharge, isByMcp: boolean): PaymentOffer {
  const { challenge, externalId, metadata } = charge;
  const { id, realm, description, received, headerName } = challenge;
  const kept: ChargeRecord = compact({ challenge: { id, received, headerName }, externalId, isByMcp });
  return {
    amountMinor: charge.amountMinor,
    currency: charge.currency,
    payee: charge.payee,
    challenge: `${realm}\n${id}`,
    challengeId: id,
    expiresAt: charge.expiresAt,
    facts: compact({
      realm: inertText(realm),
      description: description === undefined ? undefined : inertText(description).slice(0, MOST_WORDS),
      externalId,
      metadata: isShort(metadata) ? metadata : undefined,
    }),
    request: {},
    received: kept as unknown as PaymentOffer['received'],
  };
}

/** Whether a person could read it beside the purchase; the server gets no more of it back than it asked with anyway. */
function isShort(metadata: object | undefined): boolean {
  return metadata !== undefined && JSON.stringify(metadata).length <= MOST_OF_METADATA;
}

/** A receipt is unsigned, and its absence says nothing: a server may fail after it was paid. */
function claimIn(
  { challenge, externalId }: ChargeRecord,
  { receipt, problem, status }: SettlementReport,
): SettlementClaim {
  if (receipt !== undefined) {
    const read = readReceipt(receipt);
    if ('refused' in read) return wrongReceipt(read.refused);
    const mismatch = receiptMismatch(read.receipt, { challenge, externalId });
    if (mismatch !== undefined) return wrongReceipt(mismatch);
    return { kind: 'paid', reference: read.receipt.reference, receipt: read.receipt.document };
  }
  const said = problem === undefined ? undefined : readProblem(problem);
  const words = [status === undefined ? 'no answer' : `HTTP ${status}`, said?.name ?? said?.title]
    .filter(Boolean)
    .join(', ');
  const note = `The server answered without a receipt: ${inertText(words)}.`;
  return status === 402 || said !== undefined ? { kind: 'unpaid', note } : { kind: 'noted', note };
}

function wrongReceipt(reason: string): never {
  throw new Fault('BAD_REQUEST', `The receipt ${reason}.`, [{ path: 'receipt', message: reason }]);
}
