/** Counts the uses of open mandates: in the commit that allows a payment, and back where nothing is paid. */
import { ledgerKeyOf, type MandateUse, refuseUse } from '../../../protocol/ap2/mandateUse.ts';
import type { ReasonDetails } from '../../../protocol/reason.ts';
import type { MandateChain, UseLimit } from '../../../protocol/sdjwt/mandateChain.ts';
import {
  findMandateLimit,
  findMandateUseOfIntent,
  type MandateLimitRow,
  type MandateUseRow,
  putMandateLimit,
  saveMandateUse,
} from '../../store/statements/purchases/mandateUses.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import { type ReceiptDeps, receiptOfPayment } from './paymentReceipts.ts';

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
export function* loadCounted(tenantId: string, chain: MandateChain, now: number): Script<CountedMandate[]> {
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
  return Object.assign({}, ...each.reverse());
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
    });
  }
  return JSON.stringify(kept);
}

/** Takes a use back where nothing is paid with it. Its checkout stays used: another one may be paid instead. */
function* releaseUse(use: MandateUseRow): Script<void> {
  if (use.status !== 'USED') return;
  for (const { jwtHash, at, before } of JSON.parse(use.counted) as CountedUse[]) {
    const row = yield* findMandateLimit(use.tenant_id, jwtHash);
    if (row === undefined) continue;
    yield* putMandateLimit({
      ...row,
      uses: Math.max(row.uses - 1, 0),
      spent_minor: Math.max(row.spent_minor - use.amount_minor, 0),
      // A later use counts by itself.
      last_use_at: row.last_use_at === at ? before : row.last_use_at,
    });
  }
  yield* saveMandateUse({ ...use, status: 'RELEASED' });
}

/** An intent ended without a payment. */
export function* releaseUseOfIntent(tenantId: string, intentId: string): Script<void> {
  const use = yield* findMandateUseOfIntent(tenantId, intentId);
  if (use !== undefined) yield* releaseUse(use);
}

/** A payment has changed its state: the first decision of the rail gets a receipt, and what fails is taken back. */
export function* settleMandateOfPayment(deps: ReceiptDeps, payment: PaymentRow, now: number): Script<void> {
  if (payment.by_mandate === null) return;
  const use = yield* findMandateUseOfIntent(payment.tenant_id, payment.intent_id);
  if (use === undefined) return;
  const { status } = payment;
  if (status === 'FAILED' || status === 'CANCELED') yield* releaseUse(use);
  const isDecided = status === 'AUTHORIZED' || status === 'FAILED';
  if (isDecided && use.receipt === null) yield* receiptOfPayment(deps, payment, use, now);
}
