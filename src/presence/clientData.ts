/** Reads the client data that a browser signs over (W3C Web Authentication, CollectedClientData). */
import { fromBase64url } from '../../protocol/credential/encodings.ts';

interface ClientData {
  readonly challenge: string | undefined;
  readonly origin: string | undefined;
  readonly crossOrigin: boolean;
}

/** @param clientDataJSON base64url, not trusted; without a challenge when it cannot be read */
export function readClientData(clientDataJSON: string): ClientData {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(fromBase64url(clientDataJSON));
    const { challenge, origin, crossOrigin } = JSON.parse(text) as Record<string, unknown>;
    return {
      challenge: typeof challenge === 'string' ? challenge : undefined,
      origin: typeof origin === 'string' ? origin : undefined,
      crossOrigin: crossOrigin === true,
    };
  } catch {
    return { challenge: undefined, origin: undefined, crossOrigin: false };
  }
}
