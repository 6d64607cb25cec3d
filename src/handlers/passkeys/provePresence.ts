/** Proves a person's presence over the API: a challenge, perhaps bound to a purchase, and the proof for its touch. */

import { fromMinor } from '../../../protocol/money.ts';
import { BeginPresence, CompletePresence, PresenceOptions, PresenceResult } from '../../../protocol/passkey.ts';
import type { PresenceBinding } from '../../../protocol/presence.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { requireActsFor } from '../../access/caller.ts';
import { consumePresenceChallenge } from '../../store/statements/people/presenceChallenges.ts';
import { findIntent, type IntentRow } from '../../store/statements/purchases/intents.ts';
import { inOneCommit, type Run, useCase } from '../core/useCase.ts';
import { recordEvent } from '../evidence/recordEvent.ts';
import { loadAgent } from '../policies/loadFacts.ts';
import { takeChallenge } from './presenceChallenge.ts';
import { checkTouch, noteTouch, openTouch, signPresence } from './verifyPresence.ts';

export const beginPresence = useCase({
  summary: 'Begins a proof of human presence: options for the browser, bound to what is named of the purchase.',
  input: BeginPresence,
  output: PresenceOptions,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<BeginPresence, PresenceOptions>(function* (deps, caller, input, { now }) {
    const { tenantId } = caller;
    const { agentDid, mandateId, cartHash } = input;
    requireActsFor(caller, agentDid);
    yield* loadAgent(tenantId, agentDid);
    const intent = mandateId === undefined ? undefined : yield* findIntent(tenantId, mandateId);
    if (mandateId !== undefined && intent?.agent_did !== agentDid) {
      throw new Fault('NOT_FOUND', `There is no intent ${mandateId} of this agent.`);
    }
    const binding: PresenceBinding = {
      agentDid,
      ...(intent === undefined ? {} : boundTo(intent)),
      ...(cartHash === undefined ? {} : { cartHash }),
    };
    return yield* openTouch(deps, { tenantId, purpose: 'prove', binding }, now);
  }),
});

function boundTo(intent: IntentRow): Omit<PresenceBinding, 'agentDid'> {
  return {
    principalDid: intent.principal_did,
    intentId: intent.mandate_id,
    amount: fromMinor(intent.max_minor, intent.currency),
    currency: intent.currency,
    ...(intent.merchant_domain === null ? {} : { merchant: intent.merchant_domain }),
  };
}

export const completePresence = useCase({
  summary: 'Checks the touch of a passkey and answers with the signed proof of presence.',
  input: CompletePresence,
  output: PresenceResult,
  permission: 'write',
  run: (async (deps, caller, input, envelope) => {
    const { tenantId } = caller;
    const challenge = await takeChallenge(
      deps,
      tenantId,
      () => consumePresenceChallenge(tenantId, input.challengeId),
      (taken) => taken.purpose === 'prove',
    );
    requireActsFor(caller, challenge.agent_did);
    const touch = await checkTouch(deps, challenge, input.credential);
    return deps.store.write(tenantId, function* () {
      const now = deps.clock();
      yield* noteTouch(touch, now);
      const { agentDid, intentId, cartHash } = JSON.parse(challenge.binding) as PresenceBinding;
      const subject = {
        agentDid,
        ...(intentId === undefined ? {} : { intentId }),
        ...(cartHash === undefined ? {} : { cartHash }),
      };
      const hpProof = signPresence(deps, subject, touch.passkey.credential_id, now);
      const intent = intentId === undefined ? undefined : yield* findIntent(tenantId, intentId);
      const data = {
        ...(intent === undefined ? {} : { transactionId: intent.transaction_id }),
        ...(intent?.context_id == null ? {} : { contextId: intent.context_id }),
        ...subject,
        presenceId: hpProof.id,
        passkeyId: touch.passkey.id,
        credentialId: hpProof.credentialId,
        expiresAt: hpProof.expiresAt,
      };
      yield* recordEvent(deps, tenantId, { eventType: 'HP_VERIFIED', actorDid: deps.issuer.did, data }, now);
      const output: PresenceResult = { verified: true, hpProof };
      return { wire: yield* envelope.close(output, now), output };
    });
  }) satisfies Run<CompletePresence, PresenceResult>,
});
