/** Who the identity provider's accounts are to a node in production: no user, unless its settings or an OWNER say so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Person } from '../../../src/access/loginProvider.ts';
import { openLogin } from '../../../src/domain/access/startLogin.ts';
import { memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

const SETTINGS = {
  AP2_ENV: 'production',
  OIDC_OWNER_EMAIL: 'Ada@firm.example',
  OIDC_ALLOWED_EMAILS: 'guest@elsewhere.example',
  OIDC_ALLOWED_DOMAINS: 'firm.example',
};

function person(email: string | null, emailVerified = true): Person {
  return { issuer: 'https://people.example', subject: String(email), email, emailVerified };
}

test('in production an account of the provider alone may do nothing, and hears whom to ask', async () => {
  const node = await memoryNode(SETTINGS);
  const roleOf = async (someone: Person) => {
    await openLogin(node.deps, someone);
    const { data } = await node.run('listUsers', { limit: 200 });
    return data.find(({ email }: Person) => email === someone.email)?.role;
  };
  assert.equal(await roleOf(person('stranger@elsewhere.example')), 'PENDING', 'the first one, too');
  assert.equal(await roleOf(person('ada@FIRM.example')), 'OWNER');
  assert.equal(await roleOf(person('clerk@firm.example')), 'VIEWER');
  assert.equal(await roleOf(person('guest@elsewhere.example')), 'VIEWER');
  assert.equal(await roleOf(person('x@notfirm.example')), 'PENDING', 'a domain is compared whole');
  assert.equal(await roleOf(person('x@sub.firm.example')), 'PENDING');
  assert.equal(await roleOf(person('firm.example@evil.example')), 'PENDING');
  assert.equal(await roleOf(person('late@firm.example', false)), 'PENDING', 'an address must be verified');
  assert.equal(await roleOf(person('late@firm.example')), 'VIEWER', 'and once it is, it counts');
});

test('an address that only looks like the one of the settings is another one', async () => {
  const node = await memoryNode({ ...SETTINGS, OIDC_OWNER_EMAIL: 'kate@firm.example', OIDC_ALLOWED_DOMAINS: '' });
  // U+212A, the sign of Kelvin, is a k in lower case, and a mailbox of its own.
  await openLogin(node.deps, person('\u212Aate@firm.example'));
  await openLogin(node.deps, person('KATE@firm.example'));
  const { data } = await node.run('listUsers', { limit: 200 });
  assert.deepEqual(
    data.map(({ email, role }: Loose) => [email, role]),
    [
      ['KATE@firm.example', 'OWNER'],
      ['\u212Aate@firm.example', 'PENDING'],
    ],
  );
});

test('an OWNER in production lets in who waits, and their settings cannot bring back who was removed', async () => {
  const node = await memoryNode(SETTINGS);
  await openLogin(node.deps, person('ada@firm.example'));
  await openLogin(node.deps, person('clerk@firm.example'));
  const { data } = await node.run('listUsers', { limit: 200 });
  const idOf = (name: string) => data.find(({ email }: Person) => email?.startsWith(name)).id;
  const ada = { ...node.owner, kind: 'session' as const, id: idOf('ada'), userId: idOf('ada') };
  await node.run('removeUser', { id: idOf('clerk') }, ada);
  await assert.rejects(openLogin(node.deps, person('clerk@firm.example')), /You were removed.*ask ada@firm\.example/);
  const back = await node.run('setUserRole', { id: idOf('clerk'), role: 'MEMBER' }, ada);
  assert.equal(back.role, 'MEMBER');
  await openLogin(node.deps, person('clerk@firm.example'));
  await assert.rejects(
    node.run('setUserRole', { id: idOf('clerk'), role: 'OWNER' }),
    /Only an OWNER who has logged in/,
  );
});
