/** Proves human presence over the API: a challenge, bound to a purchase where one is named, and the proof for its assertion. */

import { fromMinor } from '../../../protocol/money.ts';
import { BeginPresence, CompletePresence, PresenceOptions, PresenceResult } from '../../../protocol/passkey.ts';
import type { PresenceBinding } from '../../../protocol/presence.ts';
import type { Governance } from '../../../protocol/principal.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { requireActsFor } from '../../access/caller.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import { recordNodeEvent } from '../../domain/evidence/recordEvent.ts';
import {
  chooseInstrument,
  findNamed,
  holdersOf,
  type PaymentMethod,
} from '../../domain/instruments/chooseInstrument.ts';
import { consumeChallenge } from '../../domain/passkeys/presenceChallenge.ts';
import { namedPerson, personOf } from '../../domain/passkeys/touchPerson.ts';
import {
  beginAssertion,
  issuePresence,
  recordAssertion,
  verifyAssertion,
} from '../../domain/passkeys/verifyPresence.ts';
import { approverOf, loadGovernance } from '../../domain/principals/governance.ts';
import { requiredInstrument } from '../../domain/purchases/authorize.ts';
import { type ApprovalRequestRow, findLastApprovalRequest } from '../../store/statements/people/approvals.ts';
import type { Holder } from '../../store/statements/people/passkeys.ts';
import { consumePresenceChallenge } from '../../store/statements/people/presenceChallenges.ts';
import { findIntent, type IntentRow } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { inOneCommit, inSteps, useCase } from '../../usecase/useCase.ts';

export const beginPresence = useCase({
  summary: 'Begins a proof of human presence: options for the browser, bound to what is named of the purchase.',
  input: BeginPresence,
  output: PresenceOptions,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<BeginPresence, PresenceOptions>(function* (
    deps: Pick<Deps, 'newId' | 'newToken' | 'operations' | 'rails' | 'settings' | 'suite'>,
    caller,
    input,
    { now },
  ) {
    const { tenantId } = caller;
    const { agentDid, mandateId, cartHash } = input;
    requireActsFor(caller, agentDid);
    yield* loadAgent(tenantId, agentDid);
    const intent = mandateId === undefined ? undefined : yield* findIntent(tenantId, mandateId);
    if (mandateId !== undefined && intent?.agent_did !== agentDid) {
      throw new Fault('NOT_FOUND', `There is no intent ${mandateId} of this agent.`);
    }
    const principal = intent && (yield* loadGovernance(tenantId, intent));
    const holder: Holder =
      intent === undefined || principal === undefined
        ? { kind: 'agent', did: agentDid }
        : approverOf(intent, principal);
    const bound = intent && principal && boundTo(intent, yield* payingOf(deps, intent, principal));
    const asked =
      mandateId === undefined || cartHash === undefined
        ? undefined
        : yield* findLastApprovalRequest(tenantId, mandateId, cartHash);
    const binding = compact({ agentDid, ...bound, cartHash, ...(asked && decidedOn(asked)) });
    return yield* beginAssertion(deps, { tenantId, purpose: 'prove', holder, binding }, now);
  }),
});

/** What a purchase would be paid with: of a chain of mandates what that names. */
function* payingOf(
  deps: Pick<Deps, 'operations' | 'rails'>,
  intent: IntentRow,
  principal: Governance,
): Script<PaymentMethod> {
  const holders = holdersOf(intent, principal);
  const named = yield* requiredInstrument(deps, intent);
  // One that is registered is known by the rail's name of it; another one by the rail alone, which is not chosen yet.
  const found = named === undefined ? undefined : yield* findNamed(deps, intent.tenant_id, undefined, holders, named);
  if (named !== undefined) return found ?? { instrument: named };
  return yield* chooseInstrument(deps, intent.tenant_id, undefined, holders, undefined);
}

function boundTo(intent: IntentRow, { instrument }: PaymentMethod): Omit<PresenceBinding, 'agentDid'> {
  return compact({
    principalDid: intent.principal_did,
    intentId: intent.mandate_id,
    amount: fromMinor(intent.max_minor, intent.currency),
    currency: intent.currency,
    merchant: intent.merchant_domain ?? undefined,
    instrument,
  });
}

/** A cart that a person was asked about: what it takes to show later that this touch approved it. */
function decidedOn(asked: ApprovalRequestRow): Pick<PresenceBinding, 'amount' | 'currency' | 'merchant' | 'decision'> {
  const { currency, merchant } = asked;
  return { amount: fromMinor(asked.amount_minor, currency), currency, merchant, decision: 'approve' };
}

export const completePresence = useCase({
  summary: 'Verifies a passkey assertion and answers with the signed proof of human presence.',
  input: CompletePresence,
  output: PresenceResult,
  permission: 'write',
  run: inSteps<CompletePresence, PresenceResult>(async (deps: EventDeps & Pick<Deps, 'store'>, caller, input) => {
    const { tenantId } = caller;
    const challenge = await consumeChallenge(
      deps,
      tenantId,
      () => consumePresenceChallenge(tenantId, input.challengeId),
      (taken) => taken.purpose === 'prove',
    );
    const { agentDid, principalDid, intentId, cartHash, instrument } = JSON.parse(challenge.binding) as PresenceBinding;
    requireActsFor(caller, agentDid);
    const assertion = await verifyAssertion(deps, challenge, input.credential);
    return deps.store.write(tenantId, function* (now): Script<PresenceResult> {
      yield* recordAssertion(assertion, now);
      const holder = challenge.holder_kind === 'principal' ? { principalDid } : {};
      const person = namedPerson(yield* personOf(assertion.passkey));
      const subject = compact({ agentDid, ...holder, intentId, cartHash, instrument, ...person });
      const hpProof = yield* issuePresence(deps, tenantId, subject, assertion.passkey.credential_id, now);
      const intent = intentId === undefined ? undefined : yield* findIntent(tenantId, intentId);
      const data = compact({
        transactionId: intent?.transaction_id,
        contextId: intent?.context_id ?? undefined,
        ...subject,
        presenceId: hpProof.id,
        expiresAt: hpProof.expiresAt,
        ...assertion.facts,
      });
      yield* recordNodeEvent(deps, tenantId, 'HP_VERIFIED', data, now);
      return { verified: true, hpProof };
    });
  }),
});
