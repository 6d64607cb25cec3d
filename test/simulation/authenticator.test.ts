/** The authenticator of the simulation: node:crypto takes its signatures, and chance alone decides its bytes. */
import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { Authenticator } from './actors/authenticator.ts';
import { chance } from './machine/chance.ts';

const ORIGIN = 'https://pay.example';

test('what an authenticator signs is a signature of its passkey by ES256, and a forged one is not', () => {
  const device = new Authenticator(chance('keys'), ORIGIN);
  for (let time = 0; time < 40; time++) {
    const made = device.create(`challenge-${time}`);
    const { attestationObject } = made['response'] as { readonly attestationObject: string };
    const data = Buffer.from(attestationObject, 'base64url');
    const point = { x: data.subarray(-67, -35).toString('base64url'), y: data.subarray(-32).toString('base64url') };
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', ...point }, format: 'jwk' });
    for (const forged of [false, true]) {
      const { response } = device.assert(`again-${time}`, made.id, { forged }) as {
        readonly response: Record<string, string>;
      };
      const part = (name: string) => Buffer.from(String(response[name]), 'base64url');
      const client = createHash('sha256').update(part('clientDataJSON')).digest();
      const message = Buffer.concat([part('authenticatorData'), client]);
      assert.equal(verify('sha256', message, key, part('signature')), !forged);
    }
  }
});

test('the same chance makes the same passkeys and the same signatures', () => {
  const lives = [1, 2].map(() => {
    const device = new Authenticator(chance('same'), ORIGIN);
    const made = device.create('one');
    return [made, device.assert('two', made.id), device.assert('two', made.id)];
  });
  assert.deepEqual(lives[0], lives[1]);
  assert.notDeepEqual(lives[0]?.[1], lives[0]?.[2], 'its count goes on');
});
