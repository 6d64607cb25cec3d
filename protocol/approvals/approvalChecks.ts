/** The nine checks of a decision: their names, what they compare with, what they say, and their words for people. */

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
  readonly checks: readonly { readonly name: ApprovalCheck; readonly ok: boolean }[];
}

/** What each check shows where it holds. */
export const CHECK_WORDS: Readonly<Record<ApprovalCheck, string>> = {
  action: 'It is of this action.',
  approved: 'The person said yes.',
  challenge: 'The passkey signed every member of it.',
  place: 'The person decided on the page of the node.',
  authenticator: 'The device made sure of its user.',
  signature: 'The signature of the passkey holds.',
  person: 'The passkey is that of a person who may approve it.',
  time: 'It was decided in time, by the word of the node.',
  unused: 'It was not used before.',
};
