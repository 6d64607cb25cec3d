/** What every intent is judged by: its agent and principal, the policy, and what may authorize it. What is allowed is signed, in the same commit. */

import type { SignedDocument } from '../../../protocol/credential/canonical.ts';
import {
  decideIntent,
  type IntentDecision,
  type IntentRequest,
  type IntentResult,
  keepShopping,
  MAX_INTENT_TTL_SECONDS,
} from '../../../protocol/intent.ts';
import { limitUseFacts } from '../../../protocol/policy/limitUse.ts';
import type { Governance } from '../../../protocol/principal.ts';
import { type Refusal, withReasons } from '../../../protocol/reason.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { type Caller, requireActsFor } from '../../access/caller.ts';
import { countIntent } from '../../store/statements/limits/limitBuckets.ts';
import { listNarrowings } from '../../store/statements/limits/limitNarrowings.ts';
import { insertIntent } from '../../store/statements/purchases/intents.ts';
import { type AgentRow, findAgent } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy, type PolicyRow } from '../../store/statements/registry/policies.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { AskedAuthorization, IntentAuthorization } from '../../usecase/hooks.ts';
import type { CommitContext, DecidingDeps } from '../../usecase/useCase.ts';
import { requireAgent } from '../agents/loadAgent.ts';
import { type FormDeps, issueForms } from '../credentials/handOut.ts';
import { type DecisionDeps, recordVerdict } from '../evidence/recordEvent.ts';
import { loadTerms } from '../merchants/merchantTerms.ts';
import { loadUse, requirePolicy } from '../policies/loadFacts.ts';
import { governedDidOf, loadGovernance } from '../principals/governance.ts';
import { authorizeIntent, loadAuthorizers, reasonsOutsidePolicy } from '../purchases/authorize.ts';
import { type IntentDraft, intentFacts, minorAt, policyFacts } from '../purchases/purchaseFacts.ts';
import { draftIntent, signIntent } from './draftIntent.ts';

/** What an intent is judged by. */
export function loadIntent(
  deps: Pick<Deps, 'operations'>,
  { tenantId }: Caller,
  { agentDid, principalDid, delegationId }: IntentRequest,
) {
  return {
    agent: findAgent(tenantId, agentDid),
    policy: findCurrentPolicy(tenantId),
    principal: loadGovernance(tenantId, { agent_did: agentDid, principal_did: principalDid }),
    narrowings: listNarrowings(tenantId),
    authorizers: loadAuthorizers(deps, tenantId, delegationId),
  };
}

/** What loadIntent gave. */
interface FactsOfIntent {
  readonly agent: AgentRow | undefined;
  readonly policy: PolicyRow | undefined;
  readonly principal: Governance;
  readonly authorizers: readonly unknown[];
}

/** @throws Fault NOT_FOUND for an agent or a delegation that is not known, FORBIDDEN for another one's agent, BAD_REQUEST for what no intent can have */
export function* judgeIntent(
  deps: DecidingDeps,
  caller: Caller,
  input: IntentRequest,
  moment: CommitContext,
  { agent: found, policy: current, principal, authorizers }: FactsOfIntent,
): Script<IntentResult> {
  const { currency, maxAmount, vendorHints = {} } = input.request;
  requireActsFor(caller, input.agentDid);
  const maxMinor = minorAt('request.maxAmount', maxAmount, currency);
  const { now } = moment;
  const asked = expiryOf(deps, input.expiresAt, now);

  const agent = requireAgent(found, input.agentDid);
  const { row: policy, compiled } = requirePolicy(deps, current);
  const { domain: merchantDomain } = vendorHints;
  const governedDid = governedDidOf(input.principalDid, principal);
  const [{ facts }, terms] = yield* together(
    loadUse(compiled, { agent, governedDid }, { currency, merchant: merchantDomain }, moment.now),
    loadTerms(caller.tenantId, merchantDomain, vendorHints),
  );
  const request = { amountMinor: maxMinor, currency, merchantDomain, ...terms };
  const confirmed = input.request.shopping?.confirmCart === true;
  const decided = { agentStatus: agent.status, principal, policy: compiled, use: facts, confirmed };
  const { delegationId } = input;
  const asksFor = { ...input, amountMinor: maxMinor, currency, merchant: merchantDomain, at: now };
  const authorization =
    delegationId === undefined
      ? undefined
      : yield* requireAuthorization(deps, authorizers, { ...asksFor, delegationId });
  const decision = withReasons(decideIntent(request, decided, now), authorization?.reasons ?? {});

  const shopping = keepShopping(vendorHints.merchants, input.request.shopping);
  const parties = {
    agent,
    principalDid: input.principalDid,
    governedDid,
    policy,
    delegationId,
    isMandated: delegationId !== undefined,
  };
  const expiresAt = Math.min(asked, authorization?.expiresAt ?? asked);
  const allows = { maxMinor, currency, merchantDomain, terms, expiresAt, shopping };
  const drafted = draftIntent(deps, { ...parties, ...allows }, moment);
  const recorded = Object.assign(intentFacts(drafted), limitUseFacts(facts.limits, currency));
  const formats = input.credentialFormats;
  if (!decision.allowed) {
    if (authorization !== undefined) Object.assign(recorded, reasonsOutsidePolicy(authorization));
    return yield* refuse(deps, drafted, recorded, decision, formats);
  }
  const over = decision.overLimits.length === 0 ? null : JSON.stringify(decision.overLimits);
  const answer = { decision, formats, signed: moment.signed, authorization };
  return yield* issue(deps, { ...drafted, over_limits: over }, recorded, answer);
}

/** @throws Fault NOT_FOUND for a delegation that no authorizer of the node has */
function* requireAuthorization(
  deps: Pick<Deps, 'operations'>,
  loaded: readonly unknown[],
  asked: AskedAuthorization,
): Script<IntentAuthorization> {
  const found = yield* authorizeIntent(deps, loaded, asked);
  if (found === undefined) throw new Fault('NOT_FOUND', `There is no delegation ${asked.delegationId}.`);
  return found;
}

type IssueDeps = DecisionDeps & FormDeps;
type Issuable = Extract<IntentDecision, { readonly allowed: true }>;

type Facts = Readonly<Record<string, unknown>>;

function* refuse(
  deps: DecisionDeps,
  intent: IntentDraft,
  recorded: Facts,
  { reasonCodes, details, limits }: Refusal,
  formats: IntentRequest['credentialFormats'],
): Script<IntentResult> {
  const refused = compact({ reasonCodes, details, limits });
  const data = { ...recorded, ...refused };
  const event = { eventType: 'INTENT_DENIED', actorDid: intent.agent_did, data } as const;
  const verdict = yield* recordVerdict(deps, intent.tenant_id, event, formats, intent.created_at);
  return compact({ allowed: false, ...refused, verdict }) as Extract<IntentResult, { allowed: false }>;
}

function* issue(
  deps: IssueDeps,
  intent: IntentDraft,
  recorded: Facts,
  {
    decision: { hpRequired, remaining },
    formats,
    signed,
    authorization,
  }: {
    readonly decision: Issuable;
    readonly formats: IntentRequest['credentialFormats'];
    readonly signed: SignedDocument[];
    readonly authorization: IntentAuthorization | undefined;
  },
): Script<IntentResult> {
  const { tenant_id: tenantId } = intent;
  const credential = signIntent(deps, intent);
  signed.push(credential);
  yield* insertIntent(Object.assign(intent, { credential: credential.text }));
  yield* countIntent(intent);
  if (authorization !== undefined) {
    yield* authorization.afterAllowed(intent);
    Object.assign(recorded, authorization.evidence);
  }
  const data = Object.assign(recorded, { hpRequired, expiresAt: isoTime(intent.expires_at) });
  const forms = formats?.filter((format) => format !== 'verdict') ?? [];
  const secured = { credential: credential.text, expiresAt: intent.expires_at, formats: forms };
  const credentials =
    forms.length === 0 ? undefined : yield* issueForms(deps, intent, secured, data, intent.created_at);
  const event = { eventType: 'INTENT_ISSUED', actorDid: intent.agent_did, data } as const;
  const verdict = yield* recordVerdict(deps, tenantId, event, formats, intent.created_at);
  const attestation = policyFacts({ id: intent.policy_id, version: intent.policy_version, hash: intent.policy_hash });
  return compact({
    allowed: true as const,
    intentVc: credential.document,
    attestation,
    hpRequired,
    remaining,
    credentials,
    verdict,
  });
}

/** @throws Fault BAD_REQUEST for a time that is past, or further ahead than an intent may live */
function expiryOf(deps: Pick<Deps, 'settings'>, asked: string | undefined, now: number): number {
  if (asked === undefined) return now + deps.settings.intentTtlSeconds * 1000;
  const at = Date.parse(asked);
  const tooLate = at > now + MAX_INTENT_TTL_SECONDS * 1000;
  if (at > now && !tooLate) return at;
  const message = tooLate ? `lies more than ${MAX_INTENT_TTL_SECONDS / 3600} hours ahead` : 'lies in the past';
  throw new Fault('BAD_REQUEST', `expiresAt ${message}.`, [{ path: 'expiresAt', message }]);
}
