/** The owner in the demo, who enrolls and approves with an authenticator in software in place of a phone. */
import { softAuthenticator } from './softAuthenticator.ts';

export interface DemoPerson {
  /** Opens an enrollment link and makes a passkey. */
  enroll(url: string): Promise<void>;
  /** Opens an approval link and approves with the passkey. */
  approve(url: string): Promise<void>;
}

/** @param address where the node can be reached; links name its public address */
export function demoPerson(address: string, publicUrl: string): DemoPerson {
  const { origin, hostname } = new URL(publicUrl);
  const phone = softAuthenticator(() => ({ origin, rpId: hostname }));
  const ask = async (path: string, body: object) => {
    const response = await fetch(address + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as AssertionRequest;
  };
  return {
    async enroll(url) {
      const path = url.slice(publicUrl.length);
      const { publicKey } = await ask(`${path}/begin`, { deviceName: 'Phone' });
      await ask(`${path}/complete`, { credential: phone.create(publicKey) });
    },
    async approve(url) {
      const path = url.slice(publicUrl.length);
      const { challengeId, publicKey } = await ask(`${path}/begin`, { decision: 'approve' });
      await ask(`${path}/complete`, { challengeId, credential: phone.get(publicKey) });
    },
  };
}

interface AssertionRequest {
  readonly challengeId: string;
  readonly publicKey: { readonly challenge: string; readonly allowCredentials: readonly { readonly id: string }[] };
}
