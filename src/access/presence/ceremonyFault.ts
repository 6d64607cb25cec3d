/** Why a touch of a passkey is refused, as its person reads it: the library's errors are about its parameters. */

/** The library's words (@simplewebauthn/server 14), and what they mean. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /counter value/,
    'its counter did not go on, so it may be a copy of the passkey; remove the passkey and enroll it anew',
  ],
  [/verification/i, 'it was made without user verification: unlock it by fingerprint, face or PIN'],
  [/not present/, 'no user was present'],
  [/cross-origin|top origin/, 'it was made inside another site'],
  [/origin/, 'it was made at another origin than this node’s address'],
  [/RP ID/, 'it is a passkey of another address (RP ID)'],
  [/challenge/, 'it answers another challenge than the one that was given'],
  [/public key alg|Attestation Format|attestation statement/, 'it is of a kind that is not taken here'],
];

/** @returns a sentence without its subject: "its counter …" */
export function ceremonyFault(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  return MEANINGS.find(([words]) => words.test(text))?.[1] ?? 'it cannot be read';
}
