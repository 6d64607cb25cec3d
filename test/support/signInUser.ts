/** A user of a node, who was invited and made a passkey a moment ago. */
import assert from 'node:assert/strict';
import { softAuthenticator } from '../../src/cli/demo/softAuthenticator.ts';
import type { World } from './world.ts';

export interface SignedInUser {
  readonly userId: string;
  /** Those of their login. */
  readonly headers: Record<string, string>;
  /** By which the login is renewed, as a browser sends it. */
  readonly cookie: string;
  /** With the passkey that they made. */
  readonly phone: Phone;
}

type Phone = ReturnType<typeof softAuthenticator>;

/** A device without a passkey, at the address of the node. */
function newPhone(world: World): Phone {
  const { origin, hostname } = new URL(world.node.baseUrl);
  return softAuthenticator(() => ({ origin, rpId: hostname }));
}

export async function signInUser(world: World, role: string, name = role): Promise<SignedInUser> {
  const phone = newPhone(world);
  const invited = await world.rest('POST', '/ap2/admin/invitations', { role });
  assert.equal(invited.status, 201, invited.text);
  const given = { token: String(invited.body.url.split('/welcome/')[1]), name };
  const begun = await world.rest('POST', '/ap2/auth/invitations/begin', given, {});
  const accepted = { ...given, credential: phone.create(begun.body.publicKey) };
  const entered = await world.rest('POST', '/ap2/auth/invitations/accept', accepted, {});
  assert.equal(entered.status, 200, entered.text);
  const headers = { Authorization: `Bearer ${entered.body.accessToken}` };
  const cookie = String(entered.headers.get('set-cookie')).split(';')[0] as string;
  return { headers, userId: invited.body.userId, phone, cookie };
}
