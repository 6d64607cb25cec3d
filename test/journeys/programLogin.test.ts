/** Logging a program in: who may allow it, and what a code is good for. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { type SignedInUser, signInUser } from '../support/signInUser.ts';
import { makeWorld, type World } from '../support/world.ts';

const ALLOW = '/ap2/auth/programs/allow';
const COMPLETE = '/ap2/auth/programs/complete';

for (const engine of everyEngine()) {
  describe(`a program’s login on ${engine.name}`, () => {
    let world: World;
    let user: SignedInUser;
    before(async () => {
      world = await makeWorld(engine);
      user = await signInUser(world, 'MEMBER');
    });
    after(() => world.close());

    const newVerifier = () => randomBytes(32).toString('base64url');
    const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
    const allow = async (verifier: string) => {
      const allowed = await world.rest('POST', ALLOW, { challenge: challengeOf(verifier) }, user.headers);
      assert.equal(allowed.status, 200, allowed.text);
      return String(allowed.body.code);
    };
    const complete = (code: string, verifier: string) =>
      world.rest('POST', COMPLETE, { code, verifier }, { 'User-Agent': 'a program' });

    test('is its person’s, listed by what it says that it is, and untouched', async () => {
      const verifier = newVerifier();
      const done = await complete(await allow(verifier), verifier);
      assert.equal(done.status, 200, done.text);
      assert.match(String(done.headers.get('set-cookie')), /countersign_refresh=rt_.*HttpOnly/i);
      const headers = { Authorization: `Bearer ${done.body.accessToken}` };
      const me = await world.rest('GET', '/ap2/auth/me', undefined, headers);
      assert.equal(me.body.userId, user.userId);
      const { body } = await world.rest('GET', '/ap2/auth/sessions', undefined, headers);
      const own = body.data.find(({ current }: { current: boolean }) => current);
      assert.equal(own.device, 'a program');
      const again = await world.rest('POST', ALLOW, { challenge: challengeOf(newVerifier()) }, headers);
      assert.equal(again.body.error.code, 'STEP_UP_REQUIRED', 'a program lets no other program in');
    });

    test('needs the code once, the verifier that belongs to it, and a login that is still there', async () => {
      const verifier = newVerifier();
      const code = await allow(verifier);
      assert.equal((await complete(code, newVerifier())).status, 401, 'another verifier');
      assert.equal((await complete(`${code}A`, verifier)).status, 401, 'another code');
      const twice = await Promise.all([complete(code, verifier), complete(code, verifier)]);
      assert.deepEqual(twice.map(({ status }) => status).sort(), [200, 401]);

      const late = newVerifier();
      const lateCode = await allow(late);
      world.clock.aheadMs += 61_000;
      assert.equal((await complete(lateCode, late)).status, 401, 'after a minute');

      const ended = newVerifier();
      const endedCode = await allow(ended);
      assert.equal((await world.rest('POST', '/ap2/auth/sessions/end', {}, user.headers)).status, 204);
      assert.equal((await complete(endedCode, ended)).status, 401, 'after the login that allowed it has ended');
    });

    test('is allowed by no key, and by no person whose touch is old', async () => {
      const challenge = challengeOf(newVerifier());
      assert.equal((await world.rest('POST', ALLOW, { challenge })).status, 403);
      const other = await signInUser(world, 'OWNER');
      world.clock.aheadMs += 301_000;
      const old = await world.rest('POST', ALLOW, { challenge }, other.headers);
      assert.equal(old.body.error.code, 'STEP_UP_REQUIRED', old.text);
      assert.equal((await world.rest('POST', ALLOW, { challenge: 'short' }, other.headers)).status, 400);
    });
  });
}
