/** Enrolling a passkey: the options a browser gets, and the check of what it returned (W3C Web Authentication §7.1). */
import { readClientData } from '../../../protocol/credential/clientData.ts';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import { isTransport, type RegistrationCredential, type RegistrationOptions } from '../../../protocol/passkey.ts';
import { CHALLENGE_SECONDS } from '../../../protocol/presence.ts';
import { describePasskey, type KnownPasskey } from './assertion.ts';
import { ceremonyFault } from './ceremonyFault.ts';
import type { RelyingParty } from './relyingParty.ts';

/** COSE algorithms (IANA registry): ES256, EdDSA, RS256. */
const ALGORITHMS = [-7, -8, -257];

/** @param userHandle up to 64 bytes, base64url, the same for every passkey of one account */
export function registrationOptions(
  party: RelyingParty,
  facts: {
    readonly challenge: string;
    readonly userHandle: string;
    readonly accountName: string;
    readonly enrolled: readonly KnownPasskey[];
    /** True where it is to be found by the device without being named. */
    readonly discoverable: boolean;
  },
): RegistrationOptions {
  return {
    publicKey: {
      challenge: facts.challenge,
      rp: { name: party.name, id: party.id },
      user: { id: facts.userHandle, name: facts.accountName, displayName: facts.accountName },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: CHALLENGE_SECONDS * 1000,
      attestation: 'none',
      excludeCredentials: facts.enrolled.map(describePasskey),
      authenticatorSelection: {
        residentKey: facts.discoverable ? 'required' : 'preferred',
        userVerification: 'required',
      },
    },
  };
}

type RegistrationCheck =
  | { readonly ok: false; readonly reason: string }
  | { readonly ok: true; readonly passkey: KnownPasskey & { readonly synced: boolean } };

export async function checkRegistration(
  party: RelyingParty,
  credential: RegistrationCredential,
  challenge: string,
): Promise<RegistrationCheck> {
  const { id, rawId, type, response } = credential;
  const { clientDataJSON, attestationObject, transports = [] } = response;
  if (readClientData(clientDataJSON).crossOrigin) return { ok: false, reason: 'it was made inside another site' };
  // Loaded with the first passkey: a node that has none does without its memory.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return { ok: false, reason: 'its attestation does not hold' };
    const { credential: made, credentialBackedUp } = registrationInfo;
    if (made.id !== id) return { ok: false, reason: 'it names another passkey than it made' };
    return {
      ok: true,
      passkey: {
        credentialId: made.id,
        publicKey: toBase64url(made.publicKey),
        counter: made.counter,
        transports: transports.filter(isTransport),
        synced: credentialBackedUp,
      },
    };
  } catch (error) {
    return { ok: false, reason: ceremonyFault(error) };
  }
}
