/** Whether the same was bought before, as far as the policy asks for it, and how a caller is told of it. */
import type { PurchaseRefusal } from '../../../protocol/cart.ts';
import type { RefusalResult } from '../../../protocol/intent.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import { asksForSame } from '../../../protocol/policy/rules/duplicate.ts';
import { type DuplicateOf, type SameBefore, sameSentence } from '../../../protocol/policy/values/samePurchase.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { actsFor, type Caller } from '../../access/caller.ts';
import { listSameApproved, listSamePaid, type SamePurchase } from '../../store/statements/purchases/samePurchases.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';

/** The purchase that is judged. */
interface JudgedPurchase {
  readonly tenantId: string;
  /** Null where it was not recorded: an approval of an earlier version. */
  readonly print: string | null;
  readonly cartHash: string;
  readonly amountMinor: number;
  readonly currency: string;
}

export interface LoadedSame {
  readonly fact: SameBefore;
  /** Whether that is as often as the policy allows. */
  readonly isSuspected: boolean;
  /** The one that a caller is told of. */
  readonly told: SamePurchase | undefined;
}

/**
 * At a cart, approved carts count too: of twelve equal carts at once one is approved.
 * @param intentId whose own token is no other purchase
 * @returns undefined where the policy does not ask
 */
export function* loadSameForCart(
  policy: CompiledPolicy,
  purchase: JudgedPurchase,
  intentId: string,
  now: number,
): Script<LoadedSame | undefined> {
  const looked = lookedFor(policy, purchase, now);
  if (looked === undefined) return undefined;
  const { tenantId } = purchase;
  const [paid, approved] = yield* together(
    listSamePaid(tenantId, looked),
    listSameApproved(tenantId, looked, intentId, now),
  );
  return summaryOf(policy, [...paid, ...approved]);
}

/** At the payment, payments alone count: of two equal approved carts the first to be paid is paid. @returns as for a cart */
export function* loadSamePaid(
  policy: CompiledPolicy,
  purchase: JudgedPurchase,
  now: number,
): Script<LoadedSame | undefined> {
  const looked = lookedFor(policy, purchase, now);
  return looked === undefined ? undefined : summaryOf(policy, yield* listSamePaid(purchase.tenantId, looked));
}

function lookedFor(
  policy: CompiledPolicy,
  { print, cartHash, amountMinor, currency }: JudgedPurchase,
  now: number,
): Parameters<typeof listSamePaid>[1] | undefined {
  const { duplicate } = policy;
  if (duplicate === undefined || print === null || !asksForSame(policy, amountMinor, currency)) return undefined;
  return { print, after: now - duplicate.windowMs, cartHash };
}

/** @param same payments before approved carts, those of unknown outcome first, then the newest first */
function summaryOf({ duplicate }: CompiledPolicy, same: readonly SamePurchase[]): LoadedSame {
  const [told] = same;
  const isSuspected = duplicate !== undefined && same.length >= duplicate.max;
  if (told === undefined) return { fact: { count: 0 }, isSuspected, told };
  const latestAt = Math.max(...same.map(({ created_at: at }) => at));
  return { fact: { count: same.length, latestAt, status: told.status }, isSuspected, told };
}

/**
 * What a caller is answered of a refusal: the payment that was made before is named to a caller who may read it. What is recorded
 * does not name it, since others read that.
 */
export function tellSame(
  deps: Pick<Deps, 'settings'>,
  caller: Caller,
  refused: RefusalResult,
  same: LoadedSame | undefined,
  now: number,
): PurchaseRefusal {
  const duplicateOf = duplicateFor(deps, caller, same);
  if (same === undefined || duplicateOf === undefined) return refused;
  const { details } = refused;
  const suspected = details['DUPLICATE_SUSPECTED'];
  if (suspected === undefined) return { ...refused, duplicateOf };
  const named = { ...suspected, message: sameSentence(same.fact, now, duplicateOf) };
  return { ...refused, details: { ...details, DUPLICATE_SUSPECTED: named }, duplicateOf };
}

function duplicateFor(
  { settings }: Pick<Deps, 'settings'>,
  caller: Caller,
  same: LoadedSame | undefined,
): DuplicateOf | undefined {
  const told = same?.isSuspected === true ? same.told : undefined;
  if (told === undefined || told.status === 'APPROVED') return undefined;
  if (!caller.permissions.has('read') || !actsFor(caller, told.agent_did)) return undefined;
  return {
    mandateId: told.mandate_id,
    transactionId: told.transaction_id,
    status: told.status,
    createdAt: isoTime(told.created_at),
    resultUrl: `${settings.baseUrl}/ap2/payments/${told.mandate_id}`,
  };
}
