/** The nine checks of a decision: their names, what they compare with, what they say, and their words for people. */

import type { TouchPerson } from './personText.ts';

/** The checks in their order. */
export const APPROVAL_CHECKS = [
  'action',
  'approved',
  'challenge',
  'place',
  'authenticator',
  'signature',
  'person',
  'time',
  'unused',
] as const;
export type ApprovalCheck = (typeof APPROVAL_CHECKS)[number];

/** The action in the reader's hand, computed or known by the reader and taken from nowhere else. */
export interface ApprovalExpectation {
  /** `sha256:` and the hash of the canonical JSON of the action's document. */
  readonly documentHash: string;
  readonly agentDid?: string | undefined;
  readonly principalDid?: string | undefined;
  /** In units of the currency. */
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  readonly merchant?: string | undefined;
  /** Of the request that was to be answered. */
  readonly id?: string | undefined;
  /** Of that request (ISO 8601). */
  readonly expiresAt?: string | undefined;
  /** Where people decide, as the node's card says. */
  readonly rpId?: string | undefined;
  readonly origin?: string | undefined;
}

export interface ApprovalVerdict {
  readonly valid: boolean;
  /** Of the first check that failed, in a sentence. */
  readonly reason?: string;
  /** Whose touch it was, where a node that is trusted says it: a user's, or that of the passkey holder of an agent or a principal. */
  readonly approvedBy?: TouchPerson;
  readonly checks: readonly { readonly name: ApprovalCheck; readonly ok: boolean }[];
}

/** What each check shows where it holds. */
export const CHECK_WORDS: Readonly<Record<ApprovalCheck, string>> = {
  action: 'It is about this very purchase.',
  approved: 'The person said yes.',
  challenge: 'The passkey signed all of it, and nothing was changed since.',
  place: 'The person decided on the page of the node.',
  authenticator: 'The device made sure who holds it.',
  signature: 'The signature of the passkey holds.',
  person: 'The passkey belongs to a person who may approve it.',
  time: 'It was decided in time, by the clock of the node.',
  unused: 'It was not used before, as far as is known here.',
};

/** "A person approved it", and who, as far as the verdict says it. */
export function approverText({ approvedBy }: Pick<ApprovalVerdict, 'approvedBy'>): string {
  if (approvedBy === undefined) return 'A person';
  return approvedBy.passkeyOf === 'user'
    ? `The user ${approvedBy.did}`
    : `The passkey holder of the ${approvedBy.passkeyOf} ${approvedBy.did}`;
}
