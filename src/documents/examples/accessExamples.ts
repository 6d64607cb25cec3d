/** Examples: API keys, users, and who is calling. */
import type { Permission } from '../../access/caller.ts';
import { AT, ISSUER, PRINCIPAL, TENANT } from './story.ts';

const key = { id: 'key_01m7yh6hn8q2s5v8y1b4e7h0k3', name: 'Shop backend', tier: 'pro', createdAt: AT } as const;
const permissions: Permission[] = ['read', 'write'];
const user = {
  id: 'usr_01m7yh6hp3r6t9w2z5c8f1j4m7',
  did: PRINCIPAL,
  email: 'ada@example.com',
  role: 'VIEWER',
  createdAt: AT,
  lastLoginAt: AT,
} as const;

export const accessExamples = {
  createApiKey: {
    input: { name: key.name, permissions, tier: key.tier },
    output: { ...key, permissions, key: 'ak_test_4fJ9sKq2mVx7Lb0RtYw5Zc8NhPd3GaE6' },
  },
  listApiKeys: {
    input: { limit: 20 },
    output: { data: [{ ...key, permissions, lastUsedAt: null }], hasMore: false, cursor: null },
  },
  revokeApiKey: { input: { id: key.id } },
  listUsers: { input: { limit: 20 }, output: { data: [user], hasMore: false, cursor: null } },
  setUserRole: { input: { id: user.id, role: 'MEMBER' }, output: { ...user, role: 'MEMBER' } },
  removeUser: { input: { id: user.id } },
  currentUser: { input: {}, output: { did: ISSUER, email: null, role: 'ADMIN', tenantId: TENANT } },
  logout: { input: {} },
} as const;
