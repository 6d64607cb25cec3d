/** Gives an agent the nonce that its next closed mandate is to have. */
import {
  MANDATE_CHALLENGE_SECONDS,
  MANDATE_NONCE,
  MandateChallenge,
  MandateChallengeRequest,
  MOST_MANDATE_CHALLENGES,
} from '../../../../protocol/ap2/mandateChallenge.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import { requireActsFor } from '../../../access/caller.ts';
import { loadAgent } from '../../../domain/agents/loadAgent.ts';
import { countOpenChallenges, insertMandateChallenge } from '../../../store/statements/purchases/mandateChallenges.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { inOneCommit, useCase } from '../../../usecase/useCase.ts';

export const createMandateChallenge = useCase({
  summary: 'Gives a nonce for the last mandate of a chain; it serves one payment, within five minutes.',
  input: MandateChallengeRequest,
  output: MandateChallenge,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<MandateChallengeRequest, MandateChallenge>(function* (
    deps: Pick<Deps, 'newToken' | 'settings'>,
    caller,
    { agentDid },
    { now },
  ) {
    const { tenantId } = caller;
    requireActsFor(caller, agentDid);
    yield* loadAgent(tenantId, agentDid);
    if ((yield* countOpenChallenges(tenantId, agentDid, now)) >= MOST_MANDATE_CHALLENGES) {
      throw new Fault('CONFLICT', `This agent has ${MOST_MANDATE_CHALLENGES} open challenges; use one, or wait.`);
    }
    const nonce = deps.newToken(MANDATE_NONCE);
    const expiresAt = now + MANDATE_CHALLENGE_SECONDS * 1000;
    yield* insertMandateChallenge({ tenant_id: tenantId, nonce, agent_did: agentDid, expires_at: expiresAt });
    return { nonce, aud: deps.settings.baseUrl, expiresAt: isoTime(expiresAt) };
  }),
});
