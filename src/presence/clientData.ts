/** Reads the client data that a browser signs over (W3C Web Authentication, CollectedClientData). */
import { fromBase64url } from '../../protocol/credential/encodings.ts';

interface ClientData {
  readonly challenge: string | undefined;
  readonly crossOrigin: boolean;
}

/** @param clientDataJSON base64url, not trusted; without a challenge when it cannot be read */
export function readClientData(clientDataJSON: string): ClientData {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(fromBase64url(clientDataJSON));
    const { challenge, crossOrigin } = JSON.parse(text) as { challenge?: unknown; crossOrigin?: unknown };
    return { challenge: typeof challenge === 'string' ? challenge : undefined, crossOrigin: crossOrigin === true };
  } catch {
    return { challenge: undefined, crossOrigin: false };
  }
}
