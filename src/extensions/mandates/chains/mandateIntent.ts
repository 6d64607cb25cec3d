/** The intent behind a chain of mandates: judged, signed and counted as one that an agent asks for itself. */
import { decideIntent } from '../../../../protocol/intent.ts';
import { limitUseFacts } from '../../../../protocol/policy/limitUse.ts';
import type { Governance } from '../../../../protocol/principal.ts';
import type { Refusal } from '../../../../protocol/reason.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import { recordDecision } from '../../../domain/evidence/recordEvent.ts';
import { draftIntent, signIntent } from '../../../domain/intents/draftIntent.ts';
import { loadTerms } from '../../../domain/merchants/merchantTerms.ts';
import { type CurrentPolicy, loadUse } from '../../../domain/policies/loadFacts.ts';
import { governedDidOf } from '../../../domain/principals/governance.ts';
import { intentFacts } from '../../../domain/purchases/purchaseFacts.ts';
import { countIntent } from '../../../store/statements/limits/limitBuckets.ts';
import { type IntentRow, insertIntent } from '../../../store/statements/purchases/intents.ts';
import type { AgentRow } from '../../../store/statements/registry/agents.ts';
import { type Script, together } from '../../../store/store.ts';
import type { EventDeps } from '../../../usecase/deps.ts';
import type { DecisionCounter } from '../../../usecase/useCase.ts';

interface MandatedPurchase {
  readonly agent: AgentRow;
  readonly principalDid: string;
  readonly principal: Governance;
  readonly policy: CurrentPolicy;
  readonly amountMinor: number;
  readonly currency: string;
  readonly merchant: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly contextId: string | undefined;
}

/** @returns the intent, or why the policy refuses it; both are in the evidence */
export function* issueMandateIntent(
  deps: EventDeps & DecisionCounter,
  purchase: MandatedPurchase,
  now: number,
): Script<IntentRow | Refusal> {
  const { agent, principal, policy, amountMinor, currency, merchant } = purchase;
  const { tenant_id: tenantId } = agent;
  const governedDid = governedDidOf(purchase.principalDid, principal);
  const [{ facts }, terms] = yield* together(
    loadUse(policy.compiled, { agent, governedDid }, { currency, merchant }, now),
    loadTerms(tenantId, merchant, {}),
  );
  const request = { amountMinor, currency, merchantDomain: merchant, ...terms };
  const decided = { agentStatus: agent.status, principal, policy: policy.compiled, use: facts, confirmed: false };
  const decision = decideIntent(request, decided, now);
  const asked = { agent, principalDid: purchase.principalDid, governedDid, policy: policy.row, currency };
  const { contextId, expiresAt } = purchase;
  const allows = { maxMinor: amountMinor, merchantDomain: merchant, terms, expiresAt, isMandated: true };
  const draft = draftIntent(deps, { ...asked, ...allows }, { now, contextId });
  const recorded = Object.assign(intentFacts(draft), limitUseFacts(facts.limits, currency));
  if (!decision.allowed) {
    const { reasonCodes, details, limits } = decision;
    const data = { ...recorded, ...compact({ reasonCodes, details, limits }) };
    yield* recordDecision(deps, tenantId, { eventType: 'INTENT_DENIED', actorDid: agent.did, data }, now);
    return decision;
  }
  const over = decision.overLimits.length === 0 ? null : JSON.stringify(decision.overLimits);
  const intent: IntentRow = { ...draft, over_limits: over, credential: signIntent(deps, draft).text, held_until: null };
  yield* insertIntent(intent);
  yield* countIntent(intent);
  const data = Object.assign(recorded, { hpRequired: decision.hpRequired, expiresAt: isoTime(intent.expires_at) });
  yield* recordDecision(deps, tenantId, { eventType: 'INTENT_ISSUED', actorDid: agent.did, data }, now);
  return intent;
}
