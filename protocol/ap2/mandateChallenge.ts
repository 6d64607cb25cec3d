/** Challenges: a node gives the nonce and names itself, and the agent signs both into the last mandate of a chain. */
import { z } from 'zod';
import { Did } from '../credential/did.ts';

export const MANDATE_CHALLENGE_SECONDS = 300;

/** Most that an agent has open. */
export const MOST_MANDATE_CHALLENGES = 100;

/** What each nonce of a node begins with: one that it does not know any more is not taken for the agent's own. */
export const MANDATE_NONCE = 'mnc_';

export const MandateChallengeRequest = z.object({ agentDid: Did });
export type MandateChallengeRequest = z.infer<typeof MandateChallengeRequest>;

export const MandateChallenge = z.object({
  nonce: z.string().describe('The `nonce` of the last mandate. It serves one payment.'),
  aud: z.string().describe('The `aud` of the last mandate.'),
  expiresAt: z.string(),
});
export type MandateChallenge = z.infer<typeof MandateChallenge>;
