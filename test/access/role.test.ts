/** Roles and permissions, and the memory of key use. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyUse } from '../../src/access/apiKey.ts';
import { PERMISSIONS, requirePermission } from '../../src/access/caller.ts';
import { permissionsOf, ROLES, roleLike } from '../../src/access/role.ts';

test('each role permits what it should and nothing more', () => {
  const permitted = Object.fromEntries(ROLES.map((role) => [role, [...permissionsOf(role)].sort().join(' ')]));
  assert.deepEqual(permitted, {
    OWNER: 'admin read write',
    ADMIN: 'admin read write',
    MEMBER: 'read write',
    VIEWER: 'read',
  });
});

test('no permission implies another, and any caller may do what any may', () => {
  for (const held of PERMISSIONS) {
    const caller = { id: 'key', kind: 'apiKey', tenantId: 'tnt', permissions: new Set([held]) } as const;
    for (const needed of PERMISSIONS) {
      if (needed === held) requirePermission(caller, needed);
      else assert.throws(() => requirePermission(caller, needed), /needs the permission/);
    }
    requirePermission(caller, 'any');
  }
});

test('a caller without a role is shown the one that comes nearest', () => {
  assert.equal(roleLike(new Set(['read', 'write', 'admin'])), 'ADMIN');
  assert.equal(roleLike(new Set(['write'])), 'MEMBER');
  assert.equal(roleLike(new Set(['read'])), 'VIEWER');
});

test('a use noted while earlier ones are being written is not forgotten', () => {
  const uses = keyUse();
  uses.note('a', 1);
  uses.note('b', 1);
  const pending = uses.pending();
  uses.note('a', 2);
  uses.written(pending);
  assert.deepEqual([...uses.pending()], [['a', 2]]);
  assert.equal(uses.lastUsedAt('b'), undefined);
});
