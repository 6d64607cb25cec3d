/** What a decision of the past rested on: the policy version that judged it, and the history of that moment as recorded. */
import { type Decision, decisionOf } from '../../../protocol/decision.ts';
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { toMinor } from '../../../protocol/money.ts';
import type { PolicyFacts, PolicyRequest } from '../../../protocol/policy/check.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import type { RegisteredTerms } from '../../../protocol/policy/counterfactual.ts';
import { type HeldWindow, type LaterUse, laterUse } from '../../../protocol/policy/laterUse.ts';
import { type LimitUse, limitUseIn } from '../../../protocol/policy/limitUse.ts';
import { COUNTED_EVENTS, recordedUse } from '../../../protocol/policy/recordedUse.ts';
import { sameBeforeIn } from '../../../protocol/policy/values/samePurchase.ts';
import { type CompiledLimit, limitsFor, VelocityLimit } from '../../../protocol/policy/values/spendingLimit.ts';
import type { ReasonDetails } from '../../../protocol/reason.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { firstIdAt } from '../../../protocol/wire/id.ts';
import { type EvidenceFilter, findAmong, listEvidence, type Texts } from '../../store/statements/evidence/search.ts';
import { hasPaidMerchant } from '../../store/statements/purchases/agentMerchants.ts';
import { listPaidAmounts } from '../../store/statements/purchases/payments.ts';
import { findPolicyVersion } from '../../store/statements/registry/policies.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { showEvent } from '../evidence/showEvidence.ts';
import { registeredOf } from '../policies/judgeTried.ts';
import { HISTORY_LENGTH } from '../policies/loadFacts.ts';

/** Of the events in a window so many are looked through, and so many of the agent's are read. */
const MOST_LOOKED_THROUGH = 5000;
const MOST_COUNTED = 2000;
/** So many changes of limits are looked through for one of the agent. */
const MOST_LIMITS = 200;

export interface RecordedFacts {
  readonly decision: Decision;
  readonly policy: CompiledPolicy;
  readonly request: PolicyRequest;
  readonly facts: PolicyFacts;
  readonly later: LaterUse;
  /** What is known of a merchant besides what the request says. */
  readonly registered: (merchantDomain: string | undefined) => RegisteredTerms;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** False where the windows reach further back than what was read. */
  readonly complete: boolean;
}

/**
 * @param event a decision @param intent the event that issued its intent, which knows the merchant's terms
 * @returns undefined where no policy judged it, or that version is not there
 */
export function* loadRecorded(
  deps: Deps,
  tenantId: string,
  event: EvidenceEvent,
  intent: EvidenceEvent | undefined,
): Script<RecordedFacts | undefined> {
  const decision = decisionOf(event);
  const { agentDid, currency, merchant, policy: judgedBy } = decision;
  const row = judgedBy && (yield* findPolicyVersion(tenantId, judgedBy.policyId, judgedBy.policyVersion));
  if (row === undefined) return undefined;
  const policy = deps.policies.compiled(row);
  const at = Date.parse(event.createdAt);
  const own = yield* loadOwnLimit(tenantId, agentDid, event.seq);
  const all = limitsFor(policy, own.limit);
  const limits = all.filter((limit) => limit.counts === 'issued' && holdsFor(limit, decision, intent, at));
  const counted = yield* loadCounted(tenantId, limits, event);
  const judged = {
    agentDid,
    at,
    intentId: decision.kind === 'intent' ? undefined : decision.intentId,
    counts: decision.kind === 'payment' ? ('payments' as const) : ('intents' as const),
  };
  const held = limitUseIn(event.data, all, currency).map((use) => heldAt(use, currency, at));
  const later = laterUse(currency, [...recordedUse(limits, counted.events, judged), ...held]);
  const said = termsIn((intent ?? event).data);
  const { mcc, country } = { ...said, ...termsIn(event.data) };
  const request = { amountMinor: toMinor(decision.amount, currency), currency, merchantDomain: merchant, mcc, country };
  const sameBefore = sameBeforeIn(event.data);
  const facts = { ...(yield* loadPaidBefore(policy, tenantId, decision, at)), limits: later.at(at), sameBefore };
  const registered = yield* loadRegistry(policy, tenantId, request, { decision, said });
  return { decision, policy, request, facts, later, registered, at, complete: own.complete && counted.complete };
}

/**
 * The request has what was known of the merchant that was judged. A later request can say something else where the registry says
 * nothing; a cart cannot, since its intent has said it.
 */
function* loadRegistry(
  policy: CompiledPolicy,
  tenantId: string,
  request: PolicyRequest,
  { decision: { kind, details }, said }: { readonly decision: Decision; readonly said: RegisteredTerms },
): Script<RecordedFacts['registered']> {
  const registry = yield* registeredOf(policy, tenantId, request, details as ReasonDetails);
  const { mcc, country, merchantDomain } = request;
  const judged = { mcc, country };
  if (kind !== 'intent') {
    return (domain) => (domain === merchantDomain ? judged : { ...NOT_RECORDED, ...said, ...registry(domain) });
  }
  const known = registry(merchantDomain);
  const asKnown = (terms: Required<RegisteredTerms>): RegisteredTerms => ({
    ...('mcc' in known && { mcc: terms.mcc }),
    ...('country' in known && { country: terms.country }),
  });
  return (domain) => {
    if (domain === merchantDomain) return asKnown(judged);
    // Where the registry spoke of this merchant, what the agent would have said of another one was not recorded.
    return { ...asKnown(NOT_RECORDED), ...registry(domain) };
  };
}

const NOT_RECORDED = { mcc: undefined, country: undefined };

/** A cart has what the registry said of its merchant, where its intent has not. */
function termsIn({ mcc, country }: EvidenceEvent['data']): RegisteredTerms {
  return compact({
    mcc: typeof mcc === 'string' ? mcc : undefined,
    country: typeof country === 'string' ? country : undefined,
  });
}

/**
 * What a limit of risk.limits counted at a decision, as its event says. A period of the calendar ends; what leaves a window that
 * slides is not known from the event.
 */
function heldAt({ limit, count, amountMinor }: LimitUse, currency: string, at: number): HeldWindow {
  const ends = limit.window.endsAt(at) !== undefined;
  return {
    limit,
    count,
    amounts: { [currency]: amountMinor },
    leaving: ends ? [{ at, count, currency, amountMinor }] : [],
  };
}

/** A cart's intent that has left a window counted there in its time, and the limit is not asked again. */
function holdsFor(limit: CompiledLimit, { kind }: Decision, intent: EvidenceEvent | undefined, at: number): boolean {
  return kind !== 'cart' || intent === undefined || Date.parse(intent.createdAt) >= limit.window.beginsAt(at);
}

function* loadOwnLimit(tenantId: string, agentDid: string, before: number) {
  const filter: EvidenceFilter = { eventTypes: ['AGENT_VELOCITY_UPDATED'] };
  const rows = yield* listEvidence(tenantId, filter, before, MOST_LIMITS);
  const newest = rows.map(showEvent).find(({ data }) => data['agentDid'] === agentDid);
  const parsed = VelocityLimit.safeParse(newest?.data['velocity']);
  const complete = newest !== undefined || rows.length < MOST_LIMITS;
  return { limit: parsed.success ? parsed.data : undefined, complete };
}

/** What counted in the windows, oldest first. */
function* loadCounted(tenantId: string, limits: readonly CompiledLimit[], { seq, createdAt, data }: EvidenceEvent) {
  if (limits.length === 0) return { events: [], complete: true };
  const at = Date.parse(createdAt);
  const isShared = limits.some(({ scope }) => scope === 'policy');
  const from = Math.min(...limits.map(({ window }) => window.beginsAt(at)));
  const texts: Texts = isShared ? [] : [[`"agentDid":${JSON.stringify(data.agentDid)}`]];
  const bounds = { order: 'DESC' as const, after: seq, most: MOST_LOOKED_THROUGH, wanted: MOST_COUNTED };
  const { rows, upTo } = yield* findAmong(tenantId, { eventTypes: COUNTED_EVENTS, from }, texts, bounds);
  return { events: rows.map(showEvent).reverse(), complete: upTo === undefined };
}

/** What the agent had paid, as far as a rule asks for it. */
function* loadPaidBefore(
  { rules: { context, risk } }: CompiledPolicy,
  tenantId: string,
  { agentDid, currency, merchant }: Decision,
  at: number,
): Script<Omit<PolicyFacts, 'limits'>> {
  const before = firstIdAt('pm_', at);
  const asksMerchant = context?.presence_new_merchant === true && merchant !== undefined;
  return {
    newMerchant: asksMerchant && !(yield* hasPaidMerchant(tenantId, agentDid, merchant, before)),
    paidAmountsMinor:
      risk?.anomaly === undefined ? [] : yield* listPaidAmounts(tenantId, agentDid, currency, HISTORY_LENGTH, before),
  };
}
