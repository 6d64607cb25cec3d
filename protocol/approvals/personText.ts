/** Whose touch it was: a user's, or that of the passkey holder of an agent or a principal, whom no user is said to be. */

/** Who touched a passkey. */
export interface TouchPerson {
  readonly did: string;
  readonly passkeyOf: 'user' | 'agent' | 'principal';
}

/** One text for each person: the passkey holder of a principal is not the user who has that principal's DID. */
export function personKey({ did, passkeyOf }: TouchPerson): string {
  return `${passkeyOf} ${did}`;
}

/** @param name what people call the user, agent or principal; its DID where there is none */
export function personText({ did, passkeyOf }: TouchPerson, name = did): string {
  return passkeyOf === 'user' ? name : `the passkey holder of ${name}`;
}
