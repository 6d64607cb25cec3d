/** Checks an assertion that evidence keeps: that the passkey itself signed this binding, without a word of the node. */
import { z } from 'zod';
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { fromBase64url, toBase64url } from '../../protocol/credential/encodings.ts';
import { presenceChallenge } from '../../protocol/presence.ts';
import { readClientData } from './clientData.ts';

/** The members of HP_VERIFIED and APPROVAL_DENIED that tell of the touch. */
const KeptAssertion = z.object({
  credentialId: z.string(),
  publicKey: z.string(),
  authenticatorData: z.string(),
  clientDataJSON: z.string(),
  signature: z.string(),
  challenge: z.object({ random: z.string(), binding: z.record(z.string(), z.unknown()) }),
});

/**
 * @param data of the event, not trusted
 * @returns what the passkey signed, or one sentence that says which check failed
 */
export async function checkKeptAssertion(
  suite: Suite,
  data: unknown,
): Promise<
  { readonly binding: Readonly<Record<string, unknown>>; readonly origin: string } | { readonly fault: string }
> {
  const parsed = KeptAssertion.safeParse(data);
  if (!parsed.success) return { fault: 'the event keeps no assertion of a passkey' };
  const { credentialId, publicKey, authenticatorData, clientDataJSON, signature, challenge } = parsed.data;
  const { origin } = readClientData(clientDataJSON);
  if (origin === undefined) return { fault: 'the client data cannot be read' };
  const random = fromBase64url(challenge.random) ?? new Uint8Array();
  // Loaded with the first passkey: a node that has none does without its memory.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: toBase64url(presenceChallenge(suite, random, challenge.binding)),
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: true,
      credential: { id: credentialId, publicKey: Uint8Array.from(fromBase64url(publicKey) ?? []), counter: 0 },
    });
    return verified ? { binding: challenge.binding, origin } : { fault: 'the passkey’s signature does not hold' };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'the assertion cannot be read' };
  }
}
