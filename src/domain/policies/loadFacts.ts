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
import { timeOfId } from '../../../protocol/wire/id.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import { hasPaidMerchant, listPaidAmounts } from '../../store/statements/purchases/payments.ts';
import {
  POLICY_SCOPE,
  useByIntents,
  useByPayments,
  type WindowUse,
  withoutOne,
} from '../../store/statements/purchases/spending.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy, type PolicyRow } from '../../store/statements/registry/policies.ts';
import { type Script, together } from '../../store/store.ts';
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

/** What a limit counts at a time. */
export interface LoadedWindow {
  readonly limit: CompiledLimit;
  readonly scope: string;
  /** The first millisecond in it. */
  readonly from: number;
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
  const limits = windowsOf(policy, agent, now).filter(
    ({ from }) => own === undefined || timeOfId(own.mandate_id) >= from,
  );
  const [history, ...uses] = yield* together(
    loadHistory(policy, agent, purchase),
    ...limits.map(({ scope, from }) => useByIntents({ tenantId: agent.tenant_id, scope, from })),
  );
  const windows = limits.map((limit, index) => ({ ...limit, use: uses[index] as WindowUse }));
  const velocity = windows.map(({ limit, use }) => {
    const others = own === undefined ? use : withoutOne(use, own.currency, own.reserved_minor);
    return velocityOf(policy, limit, others, purchase.currency);
  });
  return { facts: { ...history, velocity }, windows };
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
): Script<PolicyFacts> {
  const limits = windowsOf(policy, agent, now);
  const [history, ...uses] = yield* together(
    loadHistory(policy, agent, purchase),
    ...limits.map(({ scope, from }) => useByPayments({ tenantId: agent.tenant_id, scope, from })),
  );
  const velocity = limits.map(({ limit }, index) =>
    velocityOf(policy, limit, uses[index] as WindowUse, purchase.currency),
  );
  return { ...history, velocity };
}

/** The windows of the limits that hold for an agent. */
export function windowsOf(policy: CompiledPolicy, agent: AgentRow, now: number): Omit<LoadedWindow, 'use'>[] {
  return limitsOf(policy, agent).map((limit) => ({
    limit,
    scope: limit.scope === 'policy' ? POLICY_SCOPE : agent.did,
    from: now - limit.windowMs + 1,
  }));
}

function velocityOf(
  { rules }: CompiledPolicy,
  limit: CompiledLimit,
  { transactions, amounts }: WindowUse,
  currency: string,
): VelocityUse {
  return { limit, count: transactions, amountMinor: spentIn(rules, amounts, currency) };
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
