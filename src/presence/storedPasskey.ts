/** A passkey as the ceremonies need it. */
import type { Transport } from '../../protocol/passkey.ts';

export interface KnownPasskey {
  /** base64url */
  readonly credentialId: string;
  /** COSE key (RFC 9052), base64url */
  readonly publicKey: string;
  /** How often it was used, as it last said; 0 for good where it does not count. */
  readonly counter: number;
  readonly transports: readonly Transport[];
}

/** As options for a browser name it (PublicKeyCredentialDescriptorJSON). */
export function describePasskey(passkey: KnownPasskey) {
  return { id: passkey.credentialId, type: 'public-key', transports: [...passkey.transports] };
}
