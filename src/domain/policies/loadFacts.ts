/** Loads what a decision about a purchase needs: the current policy, the agent, and what it bought before. */
import type { PolicyFacts } from '../../../protocol/policy/check.ts';
import { type CompiledPolicy, compilePolicy } from '../../../protocol/policy/compile.ts';
import type { LimitUse } from '../../../protocol/policy/limitUse.ts';
import { StoredRules } from '../../../protocol/policy/rules.ts';
import {
  amountOf,
  type CompiledLimit,
  isWithin,
  limitsFor,
  VelocityLimit,
} from '../../../protocol/policy/values/spendingLimit.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { timeOfId } from '../../../protocol/wire/id.ts';
import {
  type HeldUse,
  useByHolds,
  useByIntents,
  useByPayments,
  type WindowUse,
  withoutOne,
} from '../../store/statements/limits/windowUse.ts';
import { hasPaidMerchant } from '../../store/statements/purchases/agentMerchants.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import { listPaidAmounts } from '../../store/statements/purchases/payments.ts';
import { addMinor } from '../../store/statements/queries.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy, type PolicyRow } from '../../store/statements/registry/policies.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { PolicyCache } from '../../usecase/services.ts';

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

/** A limit that holds for a purchase, and the window that it counts. */
export interface LimitWindowFrom {
  readonly limit: CompiledLimit;
  readonly tenantId: string;
  readonly scope: CompiledLimit['scope'];
  readonly agentDid: string;
  /** The principal whose money it is, where it is governed. */
  readonly governedDid: string | null;
  readonly narrowing: CompiledLimit['narrowing'];
  /** The first millisecond in it. */
  readonly from: number;
}

/** What a limit counts at a time. */
export interface LoadedLimit extends LimitWindowFrom {
  readonly use: WindowUse;
}

/** Who buys, and for whom. */
interface Buyer {
  readonly agent: AgentRow;
  /** The principal whose money it is; null for a mere name. */
  readonly governedDid: string | null;
}

/** What is bought, as far as it is known. */
interface LimitQuery {
  readonly currency: string;
  readonly merchant: string | undefined;
}

interface LoadedUse {
  readonly facts: PolicyFacts;
  readonly limits: readonly LoadedLimit[];
}

/** What the limits count before an intent is issued: what others hold and what is paid; intents, for the velocity limit. */
export function* loadUse(policy: CompiledPolicy, buyer: Buyer, bought: LimitQuery, now: number): Script<LoadedUse> {
  const windows = windowsOf(policy, buyer, now);
  const [history, ...uses] = yield* together(
    loadHistory(policy, buyer.agent, bought),
    ...windows.map((window) => countedIn(window)),
  );
  const limits = windows.map((window, index) => ({ ...window, use: uses[index] as WindowUse }));
  return { facts: { ...history, limits: limits.map((limit) => limitUseOf(limit, bought.currency)) }, limits };
}

/** What a limit counts of a window now. */
export function* countedIn(window: LimitWindowFrom): Script<WindowUse> {
  return window.limit.counts === 'issued' ? yield* useByIntents(window) : sumOf(yield* useByHolds(window));
}

function sumOf({ held, spent }: HeldUse): WindowUse {
  const add = (one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      [...new Set([...Object.keys(one), ...Object.keys(other)])].map((currency) => [
        currency,
        addMinor(one[currency] ?? 0, other[currency] ?? 0),
      ]),
    );
  return {
    transactions: held.transactions + spent.transactions,
    counts: add(held.counts, spent.counts),
    amounts: add(held.amounts, spent.amounts),
  };
}

/** A purchase that has an intent already. */
interface Purchase extends LimitQuery {
  readonly amountMinor: number;
  readonly intent: IntentRow;
}

/**
 * As loadUse, at a cart. An intent that has left the velocity limit's window was counted there in its time, and the limit is not
 * asked again.
 */
export function* loadUseAtCart(
  policy: CompiledPolicy,
  buyer: Buyer,
  purchase: Purchase,
  now: number,
): Script<PolicyFacts> {
  const { intent } = purchase;
  const windows = windowsOf(policy, buyer, now).filter(
    ({ limit, from }) => limit.counts === 'held' || timeOfId(intent.mandate_id) >= from,
  );
  return yield* loadUseOf(policy, buyer, purchase, windows, function* (window) {
    return withoutOne(yield* useByIntents(window), intent.currency, intent.reserved_minor);
  });
}

/**
 * As loadUse, just before a payment: the velocity limit holds over the payments themselves, by the time at which they were
 * authorized, so that intents issued over several windows cannot all be paid in one, and a limit that was lowered since
 * holds for open intents.
 */
export function* loadPaidUse(
  policy: CompiledPolicy,
  buyer: Buyer,
  purchase: Purchase,
  now: number,
): Script<PolicyFacts> {
  return yield* loadUseOf(policy, buyer, purchase, windowsOf(policy, buyer, now), useByPayments);
}

/** @param useOfIssued what a velocity limit counts */
function* loadUseOf(
  policy: CompiledPolicy,
  buyer: Buyer,
  purchase: Purchase,
  windows: readonly LimitWindowFrom[],
  useOfIssued: (window: LimitWindowFrom) => Script<WindowUse>,
): Script<PolicyFacts> {
  const [history, ...uses] = yield* together(
    loadHistory(policy, buyer.agent, purchase),
    ...windows.map((window) =>
      window.limit.counts === 'issued' ? useOfIssued(window) : heldByOthers(window, purchase),
    ),
  );
  const limits = windows.map((window, index) => ({ ...window, use: uses[index] as WindowUse }));
  return { ...history, limits: limits.map((limit) => limitUseOf(limit, purchase.currency)) };
}

/**
 * What a limit counts besides a purchase that has an intent. One that holds its room in the limit already is measured against
 * payments alone: it was judged when it took that room, and what others hold since is measured against it.
 */
function* heldByOthers(window: LimitWindowFrom, { intent, amountMinor }: Purchase): Script<WindowUse> {
  const use = yield* useByHolds(window);
  if (!isHeldIn(window, intent)) return sumOf(use);
  const isOver = intent.over_limits !== null && namesIn(intent.over_limits).includes(window.limit.name);
  if (!isOver && intent.held_minor >= amountMinor) return use.spent;
  return withoutOne(sumOf(use), intent.currency, intent.held_minor);
}

function namesIn(overLimits: string): readonly string[] {
  return JSON.parse(overLimits) as string[];
}

/** Whether what an intent holds is counted in a window. */
function isHeldIn(window: LimitWindowFrom, intent: IntentRow): boolean {
  if (intent.held_minor === 0 || timeOfId(intent.mandate_id) < window.from) return false;
  const { held_merchant: merchant, held_mcc: mcc } = intent;
  const { scope, agentDid, governedDid, narrowing } = window;
  // Where the agent stands for a principal, all that it buys counts, for whomever it was.
  const isPrincipals = scope === 'principal' && governedDid !== null;
  const isOfScope = isPrincipals ? intent.governed_did === governedDid : intent.agent_did === agentDid;
  if (scope !== 'policy' && !isOfScope) return false;
  return narrowing === undefined || isWithin(narrowing, { merchant, mcc });
}

/** The windows of the limits that hold for a purchase. @param now milliseconds since the epoch */
export function windowsOf(policy: CompiledPolicy, { agent, governedDid }: Buyer, now: number): LimitWindowFrom[] {
  const { tenant_id: tenantId, did: agentDid } = agent;
  return limitsOf(policy, agent).map((limit) => windowOf(limit, { tenantId, agentDid, governedDid }, now));
}

export function windowOf(
  limit: CompiledLimit,
  whose: Pick<LimitWindowFrom, 'tenantId' | 'agentDid' | 'governedDid'>,
  now: number,
): LimitWindowFrom {
  return { limit, ...whose, scope: limit.scope, narrowing: limit.narrowing, from: limit.window.beginsAt(now) };
}

/** @param currency of the purchase */
export function limitUseOf({ limit, use }: LoadedLimit, currency: string): LimitUse {
  const count = limit.currency === undefined ? use.transactions : (use.counts[limit.currency] ?? 0);
  return { limit, count, amountMinor: amountOf(use.amounts, currency) };
}

export function limitsOf(policy: CompiledPolicy, { velocity }: AgentRow): CompiledLimit[] {
  return limitsFor(policy, velocity === null ? undefined : VelocityLimit.parse(JSON.parse(velocity)));
}

/** What the agent paid before, as far as a rule asks for it. */
function* loadHistory(
  { rules: { context, risk } }: CompiledPolicy,
  agent: AgentRow,
  { currency, merchant }: LimitQuery,
): Script<Omit<PolicyFacts, 'limits'>> {
  const { tenant_id: tenantId, did } = agent;
  const asksMerchant = context?.presence_new_merchant === true && merchant !== undefined;
  return {
    newMerchant: asksMerchant && !(yield* hasPaidMerchant(tenantId, did, merchant)),
    paidAmountsMinor:
      risk?.anomaly === undefined ? [] : yield* listPaidAmounts(tenantId, did, currency, HISTORY_LENGTH),
  };
}

/** In production a touch that names no cart would let an agent choose the cart afterwards, so the policy has to say so. */
export function mustNameCart(deps: Pick<Deps, 'settings'>, { rules }: CompiledPolicy): boolean {
  const byDefault = deps.settings.environment === 'production' ? 'cart' : 'any';
  return (rules.context?.presence_binding ?? byDefault) === 'cart';
}

/** In production a chain that others have seen could otherwise be brought before its agent brings it. */
export function mustHaveNonce(deps: Pick<Deps, 'settings'>, { rules }: CompiledPolicy): boolean {
  return rules.mandates?.require_nonce ?? deps.settings.environment === 'production';
}

/** Of the rules' texts, all together: what is made of them takes some 8 bytes for each. Beyond it all of them are dropped. */
const MOST_CHARACTERS = 1024 ** 2;

/** A policy's rules are parsed and compiled once for a version, and not at each request. @param mostCharacters of all rules that are kept */
export function policyCache(mostCharacters: number = MOST_CHARACTERS): PolicyCache {
  const byVersion = new Map<string, CompiledPolicy>();
  let characters = 0;
  return {
    compiled(row) {
      const key = `${row.tenant_id} ${row.id} ${row.version} ${row.hash}`;
      let policy = byVersion.get(key);
      if (policy === undefined) {
        policy = compilePolicy(StoredRules.parse(JSON.parse(row.rules)));
        if (characters + row.rules.length > mostCharacters) {
          byVersion.clear();
          characters = 0;
        }
        characters += row.rules.length;
        byVersion.set(key, policy);
      }
      return policy;
    },
  };
}
