/** What the ceremonies of passkeys look like in examples; nothing in it is signed. */

export const CREDENTIAL = 'mQwzM8hXn2cV4kRt7yPdBg';
export const CHALLENGE = 'o5Yt3UuA1Q0c2m8S6kR4xVfPzJbLhNdGqWeTiYoXsCE';

const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0';
const credential = { id: CREDENTIAL, rawId: CREDENTIAL, type: 'public-key' } as const;

/** A new passkey. */
export const ATTESTATION = { ...credential, response: { clientDataJSON, attestationObject: 'o2NmbXRkbm9uZQ' } };

/** A touch. */
export const ASSERTION = {
  ...credential,
  response: { clientDataJSON, authenticatorData: 'SZYN5YgOjGh0NBcP', signature: 'MEUCIQDx' },
};
