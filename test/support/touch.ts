/** Touches of people who have logged in, by an authenticator in software for each. */
import assert from 'node:assert/strict';
import { softAuthenticator } from '../../src/cli/demo/softAuthenticator.ts';
import type { World } from './world.ts';

type Headers = Record<string, string>;

/** @returns a function that touches a passkey in a user's login; it adds their first one */
export function touches(world: () => World): (person: string, headers: Headers) => Promise<void> {
  const phones = new Map<string, ReturnType<typeof softAuthenticator>>();
  return async (person, headers) => {
    const post = async (path: string, body: object) => {
      const reply = await world().rest('POST', `/ap2/auth/${path}`, body, headers);
      assert.ok(reply.status < 300, `${path}: ${reply.text}`);
      return reply.body;
    };
    const phone = phones.get(person);
    if (phone !== undefined) {
      const { publicKey } = await post('step-up/begin', {});
      await post('step-up/complete', { credential: phone.get(publicKey) });
      return;
    }
    const { origin, hostname } = new URL(world().node.baseUrl);
    const made = softAuthenticator(() => ({ origin, rpId: hostname }));
    const { publicKey } = await post('passkeys/begin', { name: 'phone' });
    await post('passkeys/complete', { credential: made.create(publicKey) });
    phones.set(person, made);
  };
}
