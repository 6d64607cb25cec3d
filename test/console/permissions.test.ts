/** What the console shows a role is what the node lets it do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERMISSIONS } from '../../console/login/permissions.ts';
import { permissionsOf, Role } from '../../src/access/role.ts';

test('each role has the permissions that the node gives it', () => {
  assert.deepEqual(Object.keys(PERMISSIONS), Role.options);
  for (const role of Role.options) assert.deepEqual(new Set(PERMISSIONS[role]), permissionsOf(role), role);
});
