/** Counts the uses of open mandates: in the commit that allows a payment, and back where nothing is paid. */
import { ledgerKeyOf, type MandateUse, refuseUse } from '../../../../protocol/ap2/mandateUse.ts';
import type { ReasonDetails } from '../../../../protocol/reason.ts';
import type { MandateChain, UseLimit } from '../../../../protocol/sdjwt/mandateChain.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import {
  findMandateLimit,
  findMandateUseOfIntent,
  type MandateLimitRow,
  type MandateUseRow,
  putMandateLimit,
  saveMandateUse,
} from '../../../store/statements/purchases/mandateUses.ts';
import type { PaymentRow } from '../../../store/statements/purchases/payments.ts';
import type { Script } from '../../../store/store.ts';
import type { Authorizer } from '../../../usecase/hooks.ts';
import { findReceipt, type ReceiptDeps, receiptOfPayment } from './paymentReceipts.ts';

/** By how much the clocks of signers may differ. */
const LEEWAY_MS = 300_000;
const LEAST_KEPT_MS = 7 * 24 * 3600 * 1000;
/** A mandate that never ends is kept for ever. */
const FOR_EVER = Number.MAX_SAFE_INTEGER;

/**
 * Until when the uses of a chain are kept: as long as a signature made for it could come again.
 * @param ends of its mandates, in seconds since the epoch; undefined for one that never ends
 */
export function keptUntil(ends: readonly unknown[], now: number): number {
  if (!ends.every((end) => typeof end === 'number')) return FOR_EVER;
  return Math.max(now + LEAST_KEPT_MS, ...(ends as number[]).map((end) => end * 1000 + LEEWAY_MS));
}

/** What an open mandate was used for so far, with its limit. */
export interface CountedMandate {
  readonly limit: UseLimit;
  readonly row: MandateLimitRow | undefined;
  readonly keptUntil: number;
}

/** The open mandates of a chain, with what they were used for. */
export function* loadCounted(
  tenantId: string,
  chain: Pick<MandateChain, 'open' | 'limits' | 'endsAt'>,
  now: number,
): Script<CountedMandate[]> {
  const counted: CountedMandate[] = [];
  for (const limit of chain.limits) {
    const mandate = chain.open.find(({ hop }) => hop === limit.hop)?.mandate;
    const row = yield* findMandateLimit(tenantId, ledgerKeyOf(limit));
    counted.push({ limit, row, keptUntil: keptUntil([chain.endsAt ?? mandate?.['exp']], now) });
  }
  return counted;
}

interface Amount {
  readonly amountMinor: number;
  readonly currency: string;
}

export function refuseUses(counted: readonly CountedMandate[], amount: Amount, now: number): ReasonDetails {
  const each = counted.map(({ limit, row }) => refuseUse(limit, useIn(row), amount, now));
  return Object.assign({}, ...each.reverse(), refuseRevoked(counted));
}

/** The refusal where an open mandate was revoked, in each chain that has it, with other disclosures too. */
export function refuseRevoked(counted: readonly Pick<CountedMandate, 'row'>[]): ReasonDetails {
  const revoked = counted.find(({ row }) => row !== undefined && row.revoked_at !== null)?.row;
  if (revoked === undefined) return {};
  return { MANDATE_REVOKED: { message: `The open mandate was revoked at ${isoTime(revoked.revoked_at ?? 0)}.` } };
}

function useIn(row: MandateLimitRow | undefined): MandateUse {
  return { uses: row?.uses ?? 0, spentMinor: row?.spent_minor ?? 0, lastUseAt: row?.last_use_at ?? undefined };
}

/** Where a use is counted, kept with it. */
interface CountedUse {
  /** The ledger's key (see ledgerKeyOf). */
  readonly jwtHash: string;
  readonly at: number;
  /** The time of the use before, which counts again where this one is taken back. */
  readonly before: number | null;
}

/** Counts a use in each open mandate. @returns what is kept of it, as JSON */
export function* countUse(
  tenantId: string,
  counted: readonly CountedMandate[],
  { amountMinor }: Amount,
  now: number,
): Script<string> {
  const kept: CountedUse[] = [];
  for (const { limit, row, keptUntil: until } of counted) {
    const at = Math.max(now, row?.last_use_at ?? 0);
    const jwtHash = ledgerKeyOf(limit);
    kept.push({ jwtHash, at, before: row?.last_use_at ?? null });
    yield* putMandateLimit({
      tenant_id: tenantId,
      jwt_hash: jwtHash,
      uses: (row?.uses ?? 0) + 1,
      spent_minor: (row?.spent_minor ?? 0) + amountMinor,
      last_use_at: at,
      kept_until: Math.max(until, row?.kept_until ?? 0),
      revoked_at: row?.revoked_at ?? null,
    });
  }
  return JSON.stringify(kept);
}

/** What open mandates were used for besides a purchase that was counted before, and is judged once more. */
export function withoutUse(counted: readonly CountedMandate[], use: MandateUseRow | undefined): CountedMandate[] {
  if (use === undefined || use.status !== 'USED') return [...counted];
  const kept = new Map((JSON.parse(use.counted) as CountedUse[]).map((each) => [each.jwtHash, each]));
  return counted.map((each) => {
    const own = kept.get(ledgerKeyOf(each.limit));
    if (own === undefined || each.row === undefined) return each;
    return { ...each, row: { ...each.row, ...taken(each.row, own, use.amount_minor) } };
  });
}

/** A counted intent comes to another amount from now on: what its cart comes to, in place of its maximum. */
export function* resizeUseOfIntent(tenantId: string, intentId: string, amountMinor: number): Script<void> {
  const use = yield* findMandateUseOfIntent(tenantId, intentId);
  if (use === undefined || use.status !== 'USED' || use.amount_minor === amountMinor) return;
  for (const { jwtHash } of JSON.parse(use.counted) as CountedUse[]) {
    const row = yield* findMandateLimit(tenantId, jwtHash);
    if (row === undefined) continue;
    yield* putMandateLimit({ ...row, spent_minor: Math.max(row.spent_minor + amountMinor - use.amount_minor, 0) });
  }
  yield* saveMandateUse({ ...use, amount_minor: amountMinor });
}

/** Why a purchase that was counted is not to be paid: one of its mandates was revoked. */
function* revokedIn({ tenant_id: tenantId, counted }: MandateUseRow): Script<ReasonDetails> {
  const rows: { row: MandateLimitRow | undefined }[] = [];
  for (const { jwtHash } of JSON.parse(counted) as CountedUse[]) {
    rows.push({ row: yield* findMandateLimit(tenantId, jwtHash) });
  }
  return refuseRevoked(rows);
}

/** No chain with a mandate is taken from now on. @param until when its row may go */
export function* revokeMandate(tenantId: string, jwtHash: string, until: number, now: number): Script<void> {
  const row = yield* findMandateLimit(tenantId, jwtHash);
  const unused = { tenant_id: tenantId, jwt_hash: jwtHash, uses: 0, spent_minor: 0, last_use_at: null, kept_until: 0 };
  yield* putMandateLimit({ ...unused, ...row, kept_until: Math.max(until, row?.kept_until ?? 0), revoked_at: now });
}

/** A limit without one of its uses. */
function taken(row: MandateLimitRow, { at, before }: CountedUse, amountMinor: number) {
  return {
    uses: Math.max(row.uses - 1, 0),
    spent_minor: Math.max(row.spent_minor - amountMinor, 0),
    // A later use counts by itself.
    last_use_at: row.last_use_at === at ? before : row.last_use_at,
  };
}

/** Takes a use back where nothing is paid with it. Its checkout stays used: another one may be paid instead. */
function* releaseUse(use: MandateUseRow): Script<void> {
  if (use.status !== 'USED') return;
  for (const own of JSON.parse(use.counted) as CountedUse[]) {
    const row = yield* findMandateLimit(use.tenant_id, own.jwtHash);
    if (row !== undefined) yield* putMandateLimit({ ...row, ...taken(row, own, use.amount_minor) });
  }
  yield* saveMandateUse({ ...use, status: 'RELEASED' });
}

/** What the uses of mandates are told of a purchase, and say of it: by a chain or by a delegation. */
export const useAuthorizer: Authorizer = {
  name: 'mandate uses',
  *judgeEnd({ tenant_id: tenantId, mandate_id: intentId }) {
    const use = yield* findMandateUseOfIntent(tenantId, intentId);
    return use === undefined ? {} : yield* revokedIn(use);
  },
  *afterEnd({ tenant_id: tenantId, mandate_id: intentId }) {
    const use = yield* findMandateUseOfIntent(tenantId, intentId);
    if (use !== undefined) yield* releaseUse(use);
  },
  afterOutcome: settleMandateOfPayment,
  *showPayment(_deps, payment) {
    return compact({ paymentReceipt: yield* findReceipt(payment) });
  },
};

/** A payment has changed its state: the first decision of the rail gets a receipt, and what fails is taken back. */
function* settleMandateOfPayment(deps: ReceiptDeps, payment: PaymentRow, now: number): Script<void> {
  if (payment.by_mandate === null) return;
  const use = yield* findMandateUseOfIntent(payment.tenant_id, payment.intent_id);
  if (use === undefined) return;
  const { status } = payment;
  if (status === 'FAILED' || status === 'CANCELED') yield* releaseUse(use);
  const isDecided = status === 'AUTHORIZED' || status === 'FAILED';
  // Behind a delegation no mandate is closed that a receipt could refer to.
  const isClosed = use.leaf_hash !== null;
  if (isDecided && isClosed && use.receipt === null) yield* receiptOfPayment(deps, payment, use, now);
}
