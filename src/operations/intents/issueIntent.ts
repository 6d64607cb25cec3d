/** An agent asks to spend up to an amount; what the policy allows is signed. */

import type { Signed } from '../../../protocol/credential/canonical.ts';
import { type Credential, issueCredential } from '../../../protocol/credential/vc.ts';
import {
  decideIntent,
  type IntentDecision,
  IntentRequest,
  IntentResult,
  MAX_INTENT_TTL_SECONDS,
} from '../../../protocol/intent.ts';
import { fromMinor } from '../../../protocol/money.ts';
import { limitUseFacts } from '../../../protocol/policy/limitUse.ts';
import type { Refusal } from '../../../protocol/reason.ts';
import { keepShopping } from '../../../protocol/shopping.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { type Caller, requireActsFor } from '../../access/caller.ts';
import { requireAgent } from '../../domain/agents/loadAgent.ts';
import { type FormDeps, issueForms } from '../../domain/credentials/handOut.ts';
import { type DecisionDeps, recordDecision } from '../../domain/decisions/recordDecision.ts';
import { loadTerms, type Terms } from '../../domain/merchants/merchantTerms.ts';
import { loadUse, requirePolicy } from '../../domain/policies/loadFacts.ts';
import { governedDidOf, loadGovernance } from '../../domain/principals/governance.ts';
import { minorAt } from '../../domain/purchases/minorAmount.ts';
import { type IntentDraft, intentFacts, policyFacts, shoppingOf } from '../../domain/purchases/purchaseFacts.ts';
import { insertIntent } from '../../store/statements/purchases/intents.ts';
import { listNarrowings } from '../../store/statements/purchases/limitNarrowings.ts';
import { countIntent } from '../../store/statements/purchases/spending.ts';
import { type AgentRow, findAgent } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy, type PolicyRow } from '../../store/statements/registry/policies.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { loadedInOneCommit, type Moment, useCase } from '../../usecase/useCase.ts';

export const issueIntent = useCase({
  summary: 'Asks permission to spend up to an amount. A refusal is an answer too, with every reason.',
  input: IntentRequest,
  output: IntentResult,
  permission: 'write',
  faults: ['NOT_FOUND'],
  idempotent: true,
  decides: true,
  run: loadedInOneCommit(
    loadIntent,
    function* (
      deps: IssueDeps & Pick<Deps, 'policies'>,
      caller,
      input: IntentRequest,
      moment,
      { agent: found, policy: current, principal },
    ): Script<IntentResult> {
      const { currency, maxAmount, vendorHints = {} } = input.request;
      requireActsFor(caller, input.agentDid);
      const maxMinor = minorAt('request.maxAmount', maxAmount, currency);
      const expiresAt = expiryOf(deps, input.expiresAt, moment.now);

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
      const decision = decideIntent(request, decided, moment.now);

      const drafted = draft(deps, { agent, policy, input, governedDid, terms, maxMinor, expiresAt }, moment);
      const recorded = Object.assign(intentFacts(drafted), limitUseFacts(facts.limits, currency));
      const formats = input.credentialFormats;
      if (!decision.allowed) return yield* refuse(deps, drafted, recorded, decision, formats);
      const over = decision.overLimits.length === 0 ? null : JSON.stringify(decision.overLimits);
      const asked = { decision, formats, signed: moment.signed };
      return yield* issue(deps, { ...drafted, over_limits: over }, recorded, asked);
    },
  ),
});

function loadIntent(_deps: unknown, { tenantId }: Caller, { agentDid, principalDid }: IntentRequest) {
  return {
    agent: findAgent(tenantId, agentDid),
    policy: findCurrentPolicy(tenantId),
    principal: loadGovernance(tenantId, { agent_did: agentDid, principal_did: principalDid }),
    narrowings: listNarrowings(tenantId),
  };
}

type IssueDeps = DecisionDeps & FormDeps;
type Issuable = Extract<IntentDecision, { readonly allowed: true }>;

/** The intent's row without its credential. A refusal is recorded with the same facts, and stores no row. */
function draft(
  deps: Pick<Deps, 'newId'>,
  from: {
    readonly agent: AgentRow;
    readonly policy: PolicyRow;
    readonly input: IntentRequest;
    readonly governedDid: string | null;
    readonly terms: Terms;
    readonly maxMinor: number;
    readonly expiresAt: number;
  },
  { now, contextId }: Moment,
): IntentDraft {
  const { agent, policy, input, governedDid, terms, maxMinor, expiresAt } = from;
  const { currency, vendorHints, shopping } = input.request;
  const kept = keepShopping(vendorHints?.merchants, shopping);
  return {
    tenant_id: agent.tenant_id,
    mandate_id: deps.newId('intent_'),
    transaction_id: deps.newId('txn_'),
    context_id: contextId ?? null,
    agent_did: agent.did,
    principal_did: input.principalDid,
    status: 'ACTIVE',
    max_minor: maxMinor,
    reserved_minor: maxMinor,
    currency,
    merchant_domain: vendorHints?.domain ?? null,
    mcc: terms.mcc ?? null,
    country: terms.country ?? null,
    policy_id: policy.id,
    policy_version: policy.version,
    policy_hash: policy.hash,
    created_at: now,
    expires_at: expiresAt,
    shopping: kept === undefined ? null : JSON.stringify(kept),
    governed_did: governedDid,
    held_minor: maxMinor,
    held_merchant: vendorHints?.domain ?? null,
    held_mcc: terms.mcc ?? null,
    over_limits: null,
    by_mandate: null,
  };
}

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
  const verdict = yield* recordDecision(deps, intent.tenant_id, event, formats, intent.created_at);
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
  }: {
    readonly decision: Issuable;
    readonly formats: IntentRequest['credentialFormats'];
    readonly signed: Signed[];
  },
): Script<IntentResult> {
  const { tenant_id: tenantId } = intent;
  const credential = sign(deps, intent);
  signed.push(credential);
  yield* insertIntent(Object.assign(intent, { credential: credential.text }));
  yield* countIntent(intent);
  const data = Object.assign(recorded, { hpRequired, expiresAt: isoTime(intent.expires_at) });
  const forms = formats?.filter((format) => format !== 'verdict') ?? [];
  const secured = { credential: credential.document, expiresAt: intent.expires_at, formats: forms };
  const credentials =
    forms.length === 0 ? undefined : yield* issueForms(deps, intent, secured, data, intent.created_at);
  const event = { eventType: 'INTENT_ISSUED', actorDid: intent.agent_did, data } as const;
  const verdict = yield* recordDecision(deps, tenantId, event, formats, intent.created_at);
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

function sign(deps: Pick<Deps, 'issuer' | 'suite'>, intent: IntentDraft): Signed<Credential> {
  return issueCredential(deps.suite, deps.issuer, {
    id: `urn:uuid:${intent.mandate_id}`,
    type: 'IntentMandate',
    subject: compact({
      mandateId: intent.mandate_id,
      agentDid: intent.agent_did,
      principalDid: intent.principal_did,
      maxAmount: fromMinor(intent.max_minor, intent.currency),
      currency: intent.currency,
      merchantDomain: intent.merchant_domain ?? undefined,
      ...shoppingOf(intent),
    }),
    issuedAt: intent.created_at,
    expiresAt: intent.expires_at,
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
