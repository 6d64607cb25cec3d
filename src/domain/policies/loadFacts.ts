/** Loads what a decision about a purchase needs: the current policy, the agent, and what it bought before. */
import type { PolicyFacts, VelocityUse } from '../../../protocol/policy/check.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import {
  type CompiledLimit,
  limitsFor,
  spentIn,
  VelocityLimit,
} from '../../../protocol/policy/values/velocityLimit.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import { hasPaidMerchant, listPaidAmounts } from '../../store/statements/purchases/payments.ts';
import { advancePaid, loadPaidWindows, type PaidWindows } from '../../store/statements/purchases/paymentWindows.ts';
import { POLICY_SCOPE } from '../../store/statements/purchases/spendingSums.ts';
import {
  advanceWindow,
  countInWindow,
  listWindowsOf,
  type SummedIntent,
  saveWindow,
  sumIntent,
  type WindowUse,
} from '../../store/statements/purchases/velocityWindows.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy, type PolicyRow } from '../../store/statements/registry/policies.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';

/** The anomaly rule looks at this many payments back. */
export const HISTORY_LENGTH = 50;

export interface CurrentPolicy {
  readonly row: PolicyRow;
  readonly compiled: CompiledPolicy;
}

/** @throws Fault CONFLICT when the tenant has no current policy: nothing may be spent without one */
export function* loadPolicy(deps: Pick<Deps, 'policies'>, tenantId: string): Script<CurrentPolicy> {
  return requirePolicy(deps, yield* findCurrentPolicy(tenantId));
}

/** @param row the current policy as it was loaded @throws as loadPolicy */
export function requirePolicy(deps: Pick<Deps, 'policies'>, row: PolicyRow | undefined): CurrentPolicy {
  if (row === undefined) {
    throw new Fault('CONFLICT', 'No policy is current; create one with POST /ap2/admin/policies.');
  }
  return { row, compiled: deps.policies.compiled(row) };
}

export interface LoadedWindow {
  readonly limit: CompiledLimit;
  readonly scope: string;
  readonly use: WindowUse;
}

interface LoadedUse {
  readonly facts: PolicyFacts;
  readonly windows: readonly LoadedWindow[];
}

/**
 * What the agent (or the tenant, where the policy counts together) did in the policy's windows, without this
 * purchase itself.
 * @param own the purchase's intent, once there is one; when it has left a window it was counted there in its time
 */
export function* loadUse(
  policy: CompiledPolicy,
  agent: AgentRow,
  purchase: { readonly currency: string; readonly merchant: string | undefined },
  own: IntentRow | undefined,
  now: number,
): Script<LoadedUse> {
  const windows: LoadedWindow[] = [];
  const limits = limitsOf(policy, agent);
  const known = limits.length === 0 ? [] : yield* listWindowsOf(agent.tenant_id, agent.did);
  for (const limit of limits) {
    const scope = limit.scope === 'policy' ? POLICY_SCOPE : agent.did;
    const window = { tenantId: agent.tenant_id, scope, windowMs: limit.windowMs };
    const use = yield* advanceWindow(known, window, now);
    if (own === undefined || own.mandate_id >= use.leftThrough) windows.push({ limit, scope, use });
  }
  const facts: PolicyFacts = {
    ...(yield* loadHistory(policy, agent, purchase)),
    velocity: windows.map(({ limit, use }) => ({
      limit,
      count: use.transactions - (own === undefined ? 0 : 1),
      amountMinor: spentIn(
        policy.rules,
        own === undefined ? use.amounts : without(use.amounts, own),
        purchase.currency,
      ),
    })),
  };
  return { facts, windows };
}

/**
 * As loadUse, just before a payment: the limits hold over the payments themselves, by the time at which they were
 * authorized, so that intents issued over several windows cannot all be paid in one, and a limit that was lowered since
 * holds for open intents.
 */
export function* loadPaidUse(
  policy: CompiledPolicy,
  agent: AgentRow,
  purchase: { readonly currency: string; readonly merchant: string },
  now: number,
): Script<{ readonly facts: PolicyFacts; readonly windows: PaidWindows }> {
  const windows = yield* loadPaidWindows(agent.tenant_id, agent.did);
  const velocity: VelocityUse[] = [];
  for (const limit of limitsOf(policy, agent)) {
    const scope = limit.scope === 'policy' ? POLICY_SCOPE : agent.did;
    const window = { tenant_id: agent.tenant_id, scope, window_ms: limit.windowMs };
    const { transactions, amounts } = yield* advancePaid(windows, window, now);
    velocity.push({ limit, count: transactions, amountMinor: spentIn(policy.rules, amounts, purchase.currency) });
  }
  return { facts: { ...(yield* loadHistory(policy, agent, purchase)), velocity }, windows };
}

function without(amounts: Readonly<Record<string, number>>, own: IntentRow): Record<string, number> {
  return { ...amounts, [own.currency]: (amounts[own.currency] ?? 0) - own.reserved_minor };
}

export function limitsOf(policy: CompiledPolicy, { velocity }: AgentRow): CompiledLimit[] {
  return limitsFor(policy, velocity === null ? undefined : VelocityLimit.parse(JSON.parse(velocity)));
}

/** What the agent paid before, as far as a rule asks for it. */
function* loadHistory(
  { rules: { context, risk } }: CompiledPolicy,
  agent: AgentRow,
  { currency, merchant }: { readonly currency: string; readonly merchant: string | undefined },
): Script<Omit<PolicyFacts, 'velocity'>> {
  const { tenant_id: tenantId, did } = agent;
  const asksMerchant = context?.presence_new_merchant === true && merchant !== undefined;
  return {
    newMerchant: asksMerchant && !(yield* hasPaidMerchant(tenantId, did, merchant)),
    paidAmountsMinor:
      risk?.anomaly === undefined ? [] : yield* listPaidAmounts(tenantId, did, currency, HISTORY_LENGTH),
  };
}

/** Counts an allowed intent in the sums, and in the windows it was judged by. */
export function* countIntent(
  tenantId: string,
  windows: readonly LoadedWindow[],
  intent: SummedIntent & { readonly reservedMinor: number },
): Script<void> {
  yield* sumIntent(tenantId, intent, intent.reservedMinor);
  for (const { limit, scope, use } of windows) {
    yield* countInWindow(tenantId, { scope, windowMs: limit.windowMs, use }, intent, intent.reservedMinor);
  }
}

/** Writes windows down that were counted anew, so that a refusal does not leave the counting to the next request. */
export function* keepRecounts(tenantId: string, windows: readonly LoadedWindow[]): Script<void> {
  for (const { limit, scope, use } of windows) {
    if (use.recounted === true) yield* saveWindow(tenantId, scope, limit.windowMs, use);
  }
}
