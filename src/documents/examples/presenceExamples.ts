/** Examples: passkeys, proofs of presence, and requests for approval. */
import { APPROVAL_CHECKS } from '../../../protocol/approvals/approvalChecks.ts';
import { ASSERTION, ATTESTATION, CHALLENGE, CREDENTIAL } from './story/ceremony.ts';
import { AGENT, AT, INTENT, ISSUER, PRINCIPAL, TRANSACTION, UNTIL } from './story/story.ts';

const CART_HASH = 'sha256:931a7e932fb76a63bd47d90cad596a535aca760b7e1b1e1bc5113250a2a51f05';

const passkey = {
  id: 'psk_01m7yh6hw4c8g2k6n0r4v8z2d6',
  agentDid: AGENT,
  credentialId: CREDENTIAL,
  deviceName: 'Ada’s phone',
  synced: true,
  createdAt: AT,
  lastUsedAt: null,
  madeBy: { kind: 'user', id: 'usr_01m7yh6hv3b7f1j5n9q3t7x1c5' },
} as const;

export const approval = {
  id: 'apr_01m7yh6hx7f1j5m9q3t7x1b5f9',
  url: 'http://localhost:8402/approve/apr_01m7yh6hx7f1j5m9q3t7x1b5f9',
  expiresAt: UNTIL,
};

const request = {
  ...approval,
  status: 'pending',
  agentDid: AGENT,
  principalDid: PRINCIPAL,
  intentId: INTENT,
  transactionId: TRANSACTION,
  cartHash: CART_HASH,
  merchant: 'shop.example',
  amount: 129.5,
  currency: 'USD',
  causes: [
    { cause: 'threshold', message: '129.50 USD is 29.50 over what the agent may spend alone, which is 100.00.' },
  ],
  createdAt: AT,
} as const;

const hpProof = {
  type: 'HumanPresenceProof',
  id: 'hp_01m7yh6hs6va3h8zdggxsxp6vn',
  issuer: ISSUER,
  agentDid: AGENT,
  intentId: INTENT,
  cartHash: CART_HASH,
  credentialId: CREDENTIAL,
  approvedBy: AGENT,
  passkeyOf: 'agent',
  verifiedAt: AT,
  expiresAt: '2026-11-21T07:52:41.449Z',
  proof: {
    type: 'Ed25519Signature2020',
    created: AT,
    verificationMethod: `${ISSUER}#${ISSUER.slice('did:key:'.length)}`,
    proofPurpose: 'assertionMethod',
    jws: 'eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..c2lnbmF0dXJlIG9mIHRoZSBub2Rl',
  },
};

/** Signed by a passkey whose key is that of RFC 6979, A.2.5. */
const decision = {
  id: 'apr_01m87fhgse96s8davb07ffwzja',
  outcome: 'approved',
  decidedAt: '2026-03-01T14:00:00.000Z',
  binding: {
    agentDid: 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
    principalDid: 'did:key:z6MkiaMbhXHNA4eJVCCj8dbzKzTgYDKf6crKgHVHid1F1WCT',
    intentId: 'intent_01m87fhgse96s8davb07ffwzja',
    cartHash: 'sha256:064c4ccce8fd1cf69261044bcd258e579e436738070f5311da429538aa74c2d6',
    amount: 29.9,
    currency: 'USD',
    merchant: 'shop.example',
    decision: 'approve',
  },
  random: '6No-4ly4c0kuznew8qWXx7LpMOmJdHjUKpmPsZOsqF0',
  key: {
    kty: 'EC',
    crv: 'P-256',
    x: 'YP7UuiVanTHJYet0xjVtaMBJuJI7Yfps5mliLmDyn7Y',
    y: 'eQP-EAi4vJmkGunpVii8ZPLxsgwtfp9Rd6PClNRGIpk',
  },
  rpId: 'pay.example',
  origin: 'https://pay.example',
  assertion: {
    credentialId: 'Y3JlZC0x',
    authenticatorData: 'mAKhcxWvWQ19jLkspcvkJ5gGGnccnZbOTJTZ0HzRSQ4FAAAAAA',
    clientDataJSON:
      'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiTDhMdVU5Tnhyc1hVYTBzM21zbElYRmN5ME1SYkNpc0ZzQkJYQ000Y0ZPTSIsIm9yaWdpbiI6Imh0dHBzOi8vcGF5LmV4YW1wbGUiLCJjcm9zc09yaWdpbiI6ZmFsc2V9',
    signature: 'MEQCIFyrZbLIgZnDgoPnQzFfcacz952xu54nlk4q-bGLRMcaAiAQghi7yblu82JNqt5eSLui1a8Bno0uoRN_uALmQPN5RQ',
  },
} as const;

export const presenceExamples = {
  createEnrollment: {
    input: { agentDid: AGENT, deviceName: passkey.deviceName, ttlSeconds: 900 },
    output: {
      id: 'enr_01m7yh6hy0h4n8s2w6z0d4h8m2',
      agentDid: AGENT,
      url: 'http://localhost:8402/enroll/Vq3nT8xYb1KcM5rJ7wZ0fS4hLpG9uD2eA6iQoXtRkNs',
      expiresAt: UNTIL,
    },
  },
  beginPasskeyRegistration: {
    input: { agentDid: AGENT, deviceName: passkey.deviceName },
    output: {
      publicKey: {
        challenge: CHALLENGE,
        rp: { name: 'Countersign', id: 'localhost' },
        user: { id: 'c2hhMjU2IG9mIHRoZSBhZ2VudA', name: 'Shopping agent', displayName: 'Shopping agent' },
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -8 },
          { type: 'public-key', alg: -257 },
        ],
        timeout: 300_000,
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      },
    },
  },
  completePasskeyRegistration: {
    notPlayed: 'It takes an authenticator.',
    input: { agentDid: AGENT, credential: ATTESTATION },
    output: { verified: true, passkey },
  },
  listPasskeys: { input: { limit: 20 }, output: { data: [passkey], hasMore: false, cursor: null } },
  listPrincipalPasskeys: {
    notPlayed: 'It takes an authenticator.',
    input: { did: PRINCIPAL },
    output: { data: [{ ...passkey, agentDid: undefined, principalDid: PRINCIPAL }], hasMore: false, cursor: null },
  },
  removePasskey: { notPlayed: 'It takes an authenticator.', input: { id: passkey.id } },
  beginPresence: {
    notPlayed: 'It takes an authenticator.',
    input: { agentDid: AGENT, mandateId: INTENT, cartHash: CART_HASH },
    output: {
      challengeId: 'hpc_01m7yh6hz3k7r1v5y9c3g7k1p5',
      publicKey: {
        challenge: CHALLENGE,
        rpId: 'localhost',
        allowCredentials: [{ id: CREDENTIAL, type: 'public-key', transports: ['internal'] }],
        userVerification: 'required',
        timeout: 300_000,
      },
    },
  },
  completePresence: {
    notPlayed: 'It takes an authenticator.',
    input: {
      challengeId: 'hpc_01m7yh6hz3k7r1v5y9c3g7k1p5',
      credential: ASSERTION,
    },
    output: { verified: true, hpProof },
  },
  getApproval: {
    input: { id: approval.id, wait: 30 },
    output: { ...request, status: 'approved', decidedAt: AT, hpProof },
  },
  checkApproval: {
    input: {
      decision,
      expect: { documentHash: decision.binding.cartHash, amount: 29.9, currency: 'USD' },
      keys: [decision.key],
      at: '2026-03-01T14:05:00.000Z',
    },
    output: {
      valid: true,
      checks: APPROVAL_CHECKS.map((name) => ({ name, ok: true })),
      notCompared: ['agentDid', 'principalDid', 'merchant', 'id', 'expiresAt', 'rpId', 'origin', 'used'],
    },
  },
  listApprovals: {
    input: { status: 'pending', limit: 20 },
    output: { data: [request], hasMore: false, cursor: null },
  },
  remindApprovers: { input: { id: approval.id }, output: request },
  denyApproval: { input: { id: approval.id }, output: { ...request, status: 'denied', decidedAt: AT } },
} as const;
