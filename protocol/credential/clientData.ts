/** Reads the client data that a browser signs over (W3C Web Authentication, CollectedClientData). */
import { fromBase64url } from './encodings.ts';

export interface ClientData {
  readonly type: string | undefined;
  readonly challenge: string | undefined;
  readonly origin: string | undefined;
  readonly crossOrigin: boolean;
}

/** @param clientDataJSON base64url, not trusted; without a challenge when it cannot be read */
export function readClientData(clientDataJSON: string): ClientData {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(fromBase64url(clientDataJSON));
    const { type, challenge, origin, crossOrigin } = JSON.parse(text) as Record<string, unknown>;
    return {
      type: textOf(type),
      challenge: textOf(challenge),
      origin: textOf(origin),
      crossOrigin: crossOrigin === true,
    };
  } catch {
    return { type: undefined, challenge: undefined, origin: undefined, crossOrigin: false };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
