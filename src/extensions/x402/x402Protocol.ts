/** How a server asks by x402 version 2, and is answered: offers of the scheme `exact` that a wallet of the node pays. */
import type { ReceivedOffers, SettlementReport } from '../../../protocol/httpPayment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { type PaymentRequired, readPaymentRequired, type X402Refusal } from '../../../protocol/x402/paymentRequired.ts';
import { chooseRequirement, type PaymentRequirement } from '../../../protocol/x402/paymentRequirement.ts';
import { readPaymentResponse, responseMismatch } from '../../../protocol/x402/paymentResponse.ts';
import {
  lengthRefusal,
  PAYMENT_IDENTIFIER,
  paymentHeaderOf,
  paymentPayloadOf,
} from '../../../protocol/x402/transferAuthorization.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { listWalletsFor, type WalletRow } from '../../store/statements/registry/wallets.ts';
import type { Script } from '../../store/store.ts';
import type {
  OfferReading,
  PayingAgent,
  PaymentOffer,
  PaymentProtocol,
  ReportDeps,
  SettlementClaim,
} from '../../usecase/paymentProtocol.ts';
import { assetsOf } from './manageWallets.ts';
import { findSignedReceipt, offersToKeep } from './merchantReceipt.ts';
import { SignedTransfer, type TransferRequest } from './signedTransfer.ts';
import { X402_RAIL } from './transferRail.ts';

/** Where MCP takes the answer. */
const META_KEY = 'x402/payment';
/** Of the server's words, so many are shown. */
const MOST_WORDS = 300;
/** As long as the id of any payment. */
const PAYMENT_ID = `pm_${'0'.repeat(26)}`;

/** What is kept of an offer. */
interface OfferRecord {
  readonly accepted: PaymentRequirement['received'];
  readonly extensions: PaymentRequired['extensions'];
  readonly resourceUrl?: string;
  /** Those that the merchant has signed, as received; empty where there are none, or they are long. */
  readonly signedOffers: readonly unknown[];
  /** The wallet's address, in lower case. */
  readonly from: string;
  /** True where a tool of an MCP server asked. */
  readonly isByMcp: boolean;
}

export const x402Protocol: PaymentProtocol = {
  name: 'x402',
  rail: X402_RAIL,
  attests: 'chain',
  *readOffers(received, payer, now) {
    const { paymentRequired, accepted } = received;
    if (paymentRequired === undefined) return { offers: [], others: [] };
    const read = readPaymentRequired(paymentRequired);
    if ('refused' in read) return unpayable(read.refused, ['x402']);
    const { required } = read;
    const wallets = yield* walletsOf(payer);
    const networks = wallets.map(({ network }) => network);
    const others = required.accepts.map((offer) => nameOf(offer, networks));
    const chosen = chooseRequirement(required, { accepted, networks, assets: wallets.flatMap(assetsOf) });
    if ('refused' in chosen) return unpayable(chosen.refused, others);
    const { requirement } = chosen;
    const tooLong = lengthRefusal(required, requirement, PAYMENT_ID, Math.floor(now / 1000));
    if (tooLong !== undefined) return unpayable(tooLong, others);
    const wallet = wallets.find(({ network }) => network === requirement.asset.network) as WalletRow;
    return { offers: [offerOf(required, requirement, wallet, received, now)], others: [] };
  },
  answer({ received }, credential) {
    const { accepted, isByMcp, ...asked } = received as unknown as OfferRecord;
    const made = SignedTransfer.parse(JSON.parse(credential));
    const required = { resourceUrl: asked.resourceUrl, extensions: asked.extensions };
    const payload = paymentPayloadOf(required, { received: accepted }, made, made.paymentId);
    const header = paymentHeaderOf(payload);
    if ('code' in header) throw new Error('an offer that was too long was signed');
    const paymentPayload = { ...payload };
    return { send: isByMcp ? { meta: { key: META_KEY, value: paymentPayload } } : { header }, paymentPayload };
  },
  readReport,
};

/** @throws Fault BAD_REQUEST for a wallet that is named and is none of the agent's */
function* walletsOf({ tenantId, agentDid, principalDid, instrument }: PayingAgent): Script<readonly WalletRow[]> {
  const wallets = yield* listWalletsFor(tenantId, agentDid, principalDid);
  if (instrument?.startsWith('wal_') !== true) return wallets;
  const named = wallets.filter(({ id }) => id === instrument);
  if (named.length > 0) return named;
  const message = 'is a wallet neither of this agent nor of whose money it is; see POST /ap2/admin/wallets';
  throw new Fault('BAD_REQUEST', `The instrument ${message}.`, [{ path: 'instrument', message }]);
}

/** @throws Fault BAD_REQUEST for what is malformed */
function unpayable({ code, message }: X402Refusal, others: readonly string[]): OfferReading {
  if (code === 'BAD_REQUEST') throw new Fault('BAD_REQUEST', message, [{ path: 'paymentRequired', message }]);
  return { offers: [], others, reason: inertText(message) };
}

function nameOf({ scheme, network }: PaymentRequirement['received'], networks: readonly string[]): string {
  const chain = inertText(String(network)).slice(0, 60);
  const name = `x402/${inertText(String(scheme)).slice(0, 60)} on ${chain}`;
  return networks.includes(String(network)) ? name : `${name} (no wallet on ${chain})`;
}

function offerOf(
  { resourceUrl, extensions }: PaymentRequired,
  requirement: PaymentRequirement,
  wallet: WalletRow,
  { url, paymentRequired, toolName }: ReceivedOffers,
  now: number,
): PaymentOffer {
  const { asset, payTo, amount, amountMinor, exact, validSeconds, received } = requirement;
  const { network, address, name, version, symbol, decimals, currency } = asset;
  const declared = extensions[PAYMENT_IDENTIFIER];
  const kept: OfferRecord = compact({
    accepted: received,
    extensions: declared === undefined ? {} : { [PAYMENT_IDENTIFIER]: declared },
    resourceUrl,
    signedOffers: offersToKeep(extensions),
    from: wallet.address,
    isByMcp: typeof paymentRequired === 'object' && toolName !== undefined,
  });
  const payee = `${network}:${payTo}`;
  const request: TransferRequest = {
    network,
    asset: address,
    name,
    version,
    amount,
    payTo,
    url: url ?? resourceUrl ?? payee,
  };
  return {
    amountMinor,
    currency,
    exact: { amount: exact, asset: symbol, decimals },
    payee,
    expiresAt: (Math.floor(now / 1000) + validSeconds) * 1000,
    facts: compact({
      network,
      token: address,
      payTo,
      urlClaimed: resourceUrl === undefined ? undefined : inertText(resourceUrl).slice(0, MOST_WORDS),
    }),
    request,
    instrument: wallet.id,
    received: kept as unknown as PaymentOffer['received'],
  };
}

/** What a server says is unsigned: that it was paid counts, that it was not proves nothing, since an answer may have been lost. */
async function readReport(
  offer: PaymentOffer,
  { paymentResponse, problem, status }: SettlementReport,
  payment: PaymentRow,
  deps: ReportDeps,
): Promise<SettlementClaim> {
  const { received, request } = offer;
  const words = status === undefined ? 'without an answer' : `with HTTP ${status}`;
  if (paymentResponse === undefined) {
    const title = problem?.['title'];
    const said = typeof title === 'string' ? `: ${inertText(title).slice(0, MOST_WORDS)}` : '';
    return { kind: 'noted', note: `The server ended ${words} and without PAYMENT-RESPONSE${said}.` };
  }
  const read = readPaymentResponse(paymentResponse);
  if ('refused' in read) throw wrongReport(read.refused);
  const { response } = read;
  const { network, amount } = request as TransferRequest;
  const { from } = received as unknown as OfferRecord;
  const mismatch = responseMismatch(response, { asset: { network }, amount }, from);
  if (mismatch !== undefined) throw wrongReport(`${mismatch}.`);
  const { outcome, transaction, reason = 'no reason', document } = response;
  if (outcome === 'settled') {
    const { asset, payTo, url } = request as TransferRequest;
    const { signedOffers: offers } = received as unknown as OfferRecord;
    const expected = { network, asset, payTo, payer: from, amount, url, ...receiptTimes(payment, offer) };
    const signed = await findSignedReceipt(deps, payment, { offers, extensions: response.extensions, expected });
    return compact({ kind: 'paid' as const, reference: transaction, receipt: document, signed });
  }
  const why = inertText(reason).slice(0, MOST_WORDS);
  if (outcome === 'pending')
    return { kind: 'noted', note: `The transfer was sent, and its end is not known: ${transaction}.` };
  return { kind: 'noted', note: `The server says that nothing was settled (${why}), which proves nothing.` };
}

/** When the merchant can have signed a receipt, by a clock that may be a minute apart: seconds since the epoch. */
function receiptTimes({ created_at: at }: PaymentRow, { expiresAt }: PaymentOffer) {
  return { from: Math.floor(at / 1000) - 60, until: Math.floor(expiresAt / 1000) + 60 };
}

function wrongReport(reason: string): Fault {
  const message = `is not of this payment: PAYMENT-RESPONSE ${reason}`;
  return new Fault('BAD_REQUEST', `paymentResponse ${message}`, [{ path: 'paymentResponse', message }]);
}
