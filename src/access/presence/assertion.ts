/** WebAuthn assertions: the options a browser gets, and the check of what it signed (W3C Web Authentication §7.2). */
import { readClientData } from '../../../protocol/credential/clientData.ts';
import { fromBase64url } from '../../../protocol/credential/encodings.ts';
import type { AssertionCredential, PresenceOptions, Transport } from '../../../protocol/passkey.ts';
import { CHALLENGE_SECONDS } from '../../../protocol/presence.ts';
import { ceremonyFault } from './ceremonyFault.ts';
import type { RelyingParty } from './relyingParty.ts';

/** A passkey as the ceremonies need it. */
export interface KnownPasskey {
  /** base64url */
  readonly credentialId: string;
  /** COSE key (RFC 9052), base64url */
  readonly publicKey: string;
  /** Its signature counter as last reported; always 0 where the authenticator does not count. */
  readonly counter: number;
  readonly transports: readonly Transport[];
}

/** A passkey in the options for a browser (PublicKeyCredentialDescriptorJSON). */
export function describePasskey(passkey: KnownPasskey) {
  return { id: passkey.credentialId, type: 'public-key', transports: [...passkey.transports] };
}

export function assertionOptions(
  party: RelyingParty,
  challenge: string,
  passkeys: readonly KnownPasskey[],
): PresenceOptions['publicKey'] {
  return {
    challenge,
    rpId: party.id,
    allowCredentials: passkeys.map(describePasskey),
    userVerification: 'required',
    timeout: CHALLENGE_SECONDS * 1000,
  };
}

type AssertionCheck = { readonly ok: false; readonly reason: string } | { readonly ok: true; readonly counter: number };

/**
 * Checks that this passkey signed this challenge for this origin, with its user verified and its counter not decreased.
 * @returns the new count, or the reason why the assertion is refused
 */
export async function checkAssertion(
  party: RelyingParty,
  credential: AssertionCredential,
  challenge: string,
  passkey: KnownPasskey,
): Promise<AssertionCheck> {
  const { id, rawId, type, response } = credential;
  const { clientDataJSON, authenticatorData, signature } = response;
  if (readClientData(clientDataJSON).crossOrigin) return { ok: false, reason: 'it was made inside another site' };
  // Loaded with the first passkey: a node that has none does without its memory.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(fromBase64url(passkey.publicKey) ?? []),
        counter: passkey.counter,
        transports: [...passkey.transports],
      },
    });
    if (!verified) return { ok: false, reason: 'its signature does not hold' };
    return { ok: true, counter: authenticationInfo.newCounter };
  } catch (error) {
    return { ok: false, reason: ceremonyFault(error) };
  }
}
