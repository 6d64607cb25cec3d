/** An intent as it is judged: its row before it is signed, and the credential that is made of the row. */
import type { SignedDocument } from '../../../protocol/credential/canonical.ts';
import { type Credential, issueCredential } from '../../../protocol/credential/vc.ts';
import { fromMinor } from '../../../protocol/money.ts';
import type { StoredShopping } from '../../../protocol/shopping.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';
import type { PolicyRow } from '../../store/statements/registry/policies.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { CommitContext } from '../../usecase/useCase.ts';
import type { Terms } from '../merchants/merchantTerms.ts';
import { type IntentDraft, shoppingOf } from '../purchases/purchaseFacts.ts';

/** What an intent is to allow, to whom, and by which policy. */
interface IntentTerms {
  readonly agent: AgentRow;
  readonly principalDid: string;
  readonly governedDid: string | null;
  readonly policy: PolicyRow;
  readonly maxMinor: number;
  readonly currency: string;
  readonly merchantDomain: string | undefined;
  readonly terms: Terms;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly shopping?: StoredShopping | undefined;
  /** Whether a chain of mandates stands behind it. */
  readonly isMandated?: boolean;
  /** The registered open mandate that it names. */
  readonly delegationId?: string | undefined;
}

/** The intent's row without its credential. A refusal is recorded with the same facts, and stores no row. */
export function draftIntent(
  deps: Pick<Deps, 'newId'>,
  from: IntentTerms,
  { now, contextId }: Pick<CommitContext, 'now' | 'contextId'>,
): IntentDraft {
  const { agent, policy, maxMinor, terms, merchantDomain = null, shopping } = from;
  return {
    tenant_id: agent.tenant_id,
    mandate_id: deps.newId('intent_'),
    transaction_id: deps.newId('txn_'),
    context_id: contextId ?? null,
    agent_did: agent.did,
    principal_did: from.principalDid,
    status: 'ACTIVE',
    max_minor: maxMinor,
    reserved_minor: maxMinor,
    currency: from.currency,
    merchant_domain: merchantDomain,
    mcc: terms.mcc ?? null,
    country: terms.country ?? null,
    policy_id: policy.id,
    policy_version: policy.version,
    policy_hash: policy.hash,
    created_at: now,
    expires_at: from.expiresAt,
    shopping: shopping === undefined ? null : JSON.stringify(shopping),
    governed_did: from.governedDid,
    held_minor: maxMinor,
    held_merchant: merchantDomain,
    held_mcc: terms.mcc ?? null,
    over_limits: null,
    by_mandate: from.isMandated === true ? 1 : null,
    delegation_id: from.delegationId ?? null,
  };
}

export function signIntent(deps: Pick<Deps, 'issuer' | 'suite'>, intent: IntentDraft): SignedDocument<Credential> {
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
