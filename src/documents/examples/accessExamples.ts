/** Examples: API keys, users, how they get in, and who is calling. */

import type { Permission } from '../../access/caller.ts';
import { ASSERTION, ATTESTATION, CHALLENGE, CREDENTIAL } from './story/ceremony.ts';
import { AT, ISSUER, PRINCIPAL, TENANT, UNTIL } from './story/story.ts';

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

const NEEDS_LOGIN = 'It takes a user who has logged in.';
const withoutUrl = {
  id: 'inv_01m7yh6hq4s7v0x3a6d9g2k5n8',
  role: 'MEMBER',
  name: 'Grace',
  userId: 'usr_01m7yh6hr8v1y4b7e0h3m6q9t2',
  createdAt: AT,
  expiresAt: UNTIL,
};
const invitation = {
  ...withoutUrl,
  url: 'http://localhost:8402/console/#/welcome/Vq3nT8xYb1KcM5rJ7wZ0fS4hLpG9uD2eA6iQoXtRkNs',
};
const passkey = {
  id: 'psk_01m7yh6hs2w5z8c1f4j7n0r3v6',
  name: 'Ada’s phone',
  credentialId: CREDENTIAL,
  synced: true,
  createdAt: AT,
  lastUsedAt: null,
};
const login = {
  id: 'login_01m7yh6ht6x9a2d5g8k1p4s7w0',
  way: 'passkey',
  device: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)',
  createdAt: AT,
  lastUsedAt: AT,
  expiresAt: UNTIL,
  current: true,
};

const ESCALATED: string[] = [user.id];

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
  createInvitation: { input: { role: 'MEMBER', name: 'Grace' }, output: invitation },
  listInvitations: { input: { limit: 20 }, output: { data: [withoutUrl], hasMore: false, cursor: null } },
  revokeInvitation: { notPlayed: 'It takes an invitation that is open.', input: { id: invitation.id } },
  listUserPasskeys: {
    notPlayed: NEEDS_LOGIN,
    input: { id: user.id },
    output: { data: [passkey], hasMore: false, cursor: null },
  },
  removeUserPasskey: { notPlayed: NEEDS_LOGIN, input: { id: user.id, passkeyId: passkey.id } },
  listUserLogins: {
    notPlayed: NEEDS_LOGIN,
    input: { id: user.id },
    output: { data: [{ ...login, current: false }], hasMore: false, cursor: null },
  },
  endUserLogin: { notPlayed: NEEDS_LOGIN, input: { id: user.id, loginId: login.id } },
  endUserLogins: { notPlayed: NEEDS_LOGIN, input: { id: user.id } },
  beginStepUp: {
    notPlayed: NEEDS_LOGIN,
    input: {},
    output: {
      publicKey: {
        challenge: CHALLENGE,
        rpId: 'localhost',
        allowCredentials: [{ id: CREDENTIAL, type: 'public-key', transports: ['internal'] }],
        userVerification: 'required',
        timeout: 300_000,
      },
    },
  },
  completeStepUp: { notPlayed: NEEDS_LOGIN, input: { credential: ASSERTION }, output: { touchedUntil: UNTIL } },
  allowProgram: {
    notPlayed: NEEDS_LOGIN,
    input: { challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' },
    output: { code: 'c2VhbGVk', expiresAt: UNTIL },
  },
  listOwnPasskeys: { notPlayed: NEEDS_LOGIN, input: {}, output: { data: [passkey], hasMore: false, cursor: null } },
  beginOwnPasskey: {
    notPlayed: NEEDS_LOGIN,
    input: { name: passkey.name },
    output: {
      publicKey: {
        challenge: CHALLENGE,
        rp: { name: 'Countersign', id: 'localhost' },
        user: { id: 'c2hhMjU2IG9mIHRoZSB1c2Vy', name: 'Ada', displayName: 'Ada' },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
    },
  },
  completeOwnPasskey: { notPlayed: NEEDS_LOGIN, input: { credential: ATTESTATION }, output: passkey },
  renameOwnPasskey: {
    notPlayed: NEEDS_LOGIN,
    input: { id: passkey.id, name: 'Old phone' },
    output: { ...passkey, name: 'Old phone' },
  },
  removeOwnPasskey: { notPlayed: NEEDS_LOGIN, input: { id: passkey.id } },
  listLogins: { notPlayed: NEEDS_LOGIN, input: {}, output: { data: [login], hasMore: false, cursor: null } },
  endOwnLogin: { notPlayed: NEEDS_LOGIN, input: { id: login.id } },
  endOwnLogins: { notPlayed: NEEDS_LOGIN, input: { others: true } },
  getEscalation: {
    notPlayed: NEEDS_LOGIN,
    input: {},
    output: { people: [{ userId: user.id, name: 'Grace', places: 2 }], afterMinutes: 10 },
  },
  setEscalation: {
    notPlayed: NEEDS_LOGIN,
    input: { userIds: ESCALATED, afterMinutes: 10 },
    output: { people: [{ userId: user.id, name: 'Grace', places: 2 }], afterMinutes: 10 },
  },
  currentUser: {
    input: {},
    output: { did: ISSUER, email: null, role: 'ADMIN', permissions: ['read', 'write', 'admin'], tenantId: TENANT },
  },
  logout: { input: {} },
} as const;
