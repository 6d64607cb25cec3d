/** A decision verified offline: each row of the vectors, and each check that can fail. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  APPROVAL_CHECKS,
  type ApprovalCheck,
  type ApprovalExpectation,
} from '../../../protocol/approvals/approvalChecks.ts';
import { ApprovalDecision } from '../../../protocol/approvals/approvalDecision.ts';
import { ApprovalRequest } from '../../../protocol/approvals/approvalRequest.ts';
import {
  ENROLMENTS_CONTEXT,
  FIRST_ENROLMENTS_CONTEXT,
  signEnrolment,
} from '../../../protocol/approvals/passkeyEnrolment.ts';
import { type ApprovalTrust, verifyApproval } from '../../../protocol/approvals/verifyApproval.ts';
import { hashOf } from '../../../protocol/credential/canonical.ts';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import { fromHex } from '../../../protocol/credential/encodings.ts';
import { PublicJwk } from '../../../protocol/jwk/jwk.ts';

interface Row {
  readonly name: string;
  readonly verdict: 'valid' | 'refused';
  readonly fails: readonly ApprovalCheck[];
  readonly expect: ApprovalExpectation;
  readonly decision: Record<string, unknown> & { readonly binding: { readonly cartHash: string } };
}

/** Strangers verify by the same file. */
const VECTORS = JSON.parse(readFileSync('docs/reference/extensions/approval-vectors.json', 'utf8'));
const rows = VECTORS.rows as Row[];
const signed = rows[0]?.decision as Row['decision'];
const AT = Date.parse(VECTORS.at);
const DOCUMENT = signed.binding.cartHash;
const KEY = PublicJwk.parse(signed['key']);
/** SHA-256 of {"crv":"P-256","kty":"EC","x":…,"y":…}, made by another program. */
const THUMBPRINT = VECTORS.thumbprint as string;
/** What the action in the reader's hand is. */
const ACTION = { documentHash: DOCUMENT, amount: 29.9, currency: 'USD', merchant: 'shop.example' };

function verdictOf(
  approval: object,
  expect: ApprovalExpectation = ACTION,
  trust: Partial<ApprovalTrust> = { keys: [KEY] },
) {
  const decision = ApprovalDecision.parse({ decidedAt: signed['decidedAt'], ...approval });
  return verifyApproval(suite, decision, expect, { now: AT, ...trust });
}

function failed({ checks }: ReturnType<typeof verdictOf>): ApprovalCheck[] {
  return checks.filter(({ ok }) => !ok).map(({ name }) => name);
}

test('each vector gets its verdict, by the checks that it is made to fail', () => {
  assert.equal(rows.length, 11);
  for (const { name, verdict: expected, fails, expect, decision } of rows) {
    const until = { ...expect, expiresAt: VECTORS.expiresAt };
    const verdict = verdictOf(decision, until, { thumbprints: [VECTORS.thumbprint] });
    assert.equal(verdict.valid, expected === 'valid', name);
    assert.deepEqual(failed(verdict), fails, name);
    assert.deepEqual(
      verdict.checks.map((check) => check.name),
      APPROVAL_CHECKS,
    );
    assert.equal(verdict.reason === undefined, verdict.valid, name);
  }
});

test('an approval of another cart is none of this one, though all else is equal', () => {
  const verdict = verdictOf(signed, { ...ACTION, documentHash: `sha256:${'0'.repeat(64)}` });
  assert.deepEqual([verdict.valid, verdict.reason, failed(verdict)], [false, 'It is of another document.', ['action']]);
});

test('what the reader expects is compared member by member', () => {
  const others = {
    agentDid: 'did:key:z6Mk',
    principalDid: 'did:key:z6Mk',
    amount: 29.91,
    currency: 'EUR',
    id: 'apr_2',
  };
  for (const [name, value] of Object.entries({ ...others, merchant: 'shop.example.evil' })) {
    assert.deepEqual(failed(verdictOf(signed, { ...ACTION, [name]: value })), ['action'], name);
  }
  assert.deepEqual(failed(verdictOf(signed, { ...ACTION, origin: 'https://other.example' })), ['place']);
  assert.deepEqual(failed(verdictOf(signed, { ...ACTION, rpId: 'example' })), ['authenticator']);
});

test('a second hash in the binding has to be of the same document', () => {
  const binding = { ...signed.binding, documentHash: `sha256:${'0'.repeat(64)}` };
  assert.deepEqual(failed(verdictOf({ ...signed, binding })), ['action', 'challenge']);
});

test('a key is of no person until the reader knows it, by itself or by its thumbprint', () => {
  assert.deepEqual(failed(verdictOf(signed, ACTION, {})), ['person']);
  const other = PublicJwk.parse({ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' });
  assert.deepEqual(failed(verdictOf(signed, ACTION, { keys: [other] })), ['person']);
  assert.equal(verdictOf(signed, ACTION, { thumbprints: [THUMBPRINT] }).valid, true);
});

/** RFC 8032, first test. */
const NODE = suite.signer(fromHex('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60') as Uint8Array);
const STRANGER = suite.signer(new Uint8Array(32).fill(7));
const { agentDid, principalDid } = signed.binding as unknown as { agentDid: string; principalDid: string };
const ENROLLED = { principalDid, agentDid, jwkThumbprint: THUMBPRINT, enrolledAt: '2026-02-01T08:00:00.000Z' };

test('a node that the reader trusts says whose key it is, for this agent and principal alone', () => {
  const verdict = (subject: object, issuer = NODE, trust: Partial<ApprovalTrust> = { issuers: [NODE.did] }) => {
    const enrolment = signEnrolment(suite, issuer, { ...ENROLLED, ...subject }, 'https://pay.example');
    return verdictOf({ ...signed, enrolment }, ACTION, trust);
  };
  assert.equal(verdict({}).valid, true);
  assert.match(String(verdict({}, STRANGER).reason), /not trusted/);
  assert.match(String(verdict({}, NODE, {}).reason), /Nothing says/);
  assert.match(String(verdict({ agentDid: 'did:key:z6Mk' }).reason), /another agentDid/);
  assert.match(String(verdict({ principalDid: agentDid }).reason), /another principalDid/);
  assert.match(String(verdict({ jwkThumbprint: 'AAAA' }).reason), /another jwkThumbprint/);
  assert.match(String(verdict({ enrolledAt: '2026-03-01T14:00:00.001Z' }).reason), /after the decision/);
});

test('an enrolment that was altered says nothing, and one key signs the same bytes again', () => {
  const enrolment = signEnrolment(suite, NODE, ENROLLED, 'https://pay.example');
  assert.deepEqual(signEnrolment(suite, NODE, ENROLLED, 'https://pay.example'), enrolment);
  const altered = { ...enrolment, credentialSubject: { ...ENROLLED, enrolledAt: '2026-01-01T00:00:00.000Z' } };
  for (const each of [altered, { ...enrolment, type: ['VerifiableCredential', 'IntentMandate'] }, {}]) {
    assert.deepEqual(failed(verdictOf({ ...signed, enrolment: each }, ACTION, { issuers: [NODE.did] })), ['person']);
  }
});

test('the context of enrolments has a term for each member that is signed, and never changes', () => {
  const held = { ...ENROLLED, personDid: principalDid, passkeyOf: 'principal' as const };
  const contexts = [
    [ENROLLED, FIRST_ENROLMENTS_CONTEXT, '0bdab9a37a172ce178c88e1dd1be30aeffd5b1ef3185d52cc199b1d2a9603668', 'v1'],
    [held, ENROLMENTS_CONTEXT, '5f3dc2125c8c95d776cf39df19f1525d2bd7b6246a864eb6787957641371a7fb', 'v2'],
  ] as const;
  for (const [subject, context, hash, version] of contexts) {
    const signed = signEnrolment(suite, NODE, subject, 'https://pay.example');
    const { credentialSubject, type } = signed;
    assert.equal(signed['@context'][1], `https://pay.example/contexts/enrolments/${version}.jsonld`);
    const terms = context['@context'] as Readonly<Record<string, unknown>>;
    for (const name of [...Object.keys(credentialSubject), String(type[1])]) assert.ok(name in terms, name);
    assert.equal(hashOf(suite, context), `sha256:${hash}`);
  }
});

test('an enrolment names who holds the passkey, and the verdict with it', () => {
  for (const passkeyOf of ['user', 'principal'] as const) {
    const subject = { ...ENROLLED, personDid: principalDid, passkeyOf };
    const enrolment = signEnrolment(suite, NODE, subject, 'https://pay.example');
    const verdict = verdictOf({ ...signed, enrolment }, ACTION, { issuers: [NODE.did] });
    assert.deepEqual([verdict.valid, verdict.approvedBy], [true, { did: principalDid, passkeyOf }]);
  }
});

test('a decision is in time before its request ends, and not in the reader’s future', () => {
  const until = (expiresAt: string) => failed(verdictOf(signed, { ...ACTION, expiresAt }));
  assert.deepEqual(until('2026-03-01T14:00:00.001Z'), []);
  assert.deepEqual(until('2026-03-01T14:00:00.000Z'), ['time']);
  assert.deepEqual(failed(verdictOf({ ...signed, decidedAt: '2026-03-01T14:06:00.001Z' })), ['time']);
});

test('a decision is used once, also under another id, which the passkey does not sign', () => {
  const used = [String(signed['id']), String(signed['random'])];
  assert.deepEqual(failed(verdictOf(signed, ACTION, { keys: [KEY], used: used.slice(0, 1) })), ['unused']);
  assert.deepEqual(failed(verdictOf({ ...signed, id: 'apr_2' }, ACTION, { keys: [KEY], used })), ['unused']);
});

test('a request that ended otherwise is no approval', () => {
  const id = 'apr_1';
  for (const more of [{ outcome: 'denied', by: 'link' }, { outcome: 'expired' }, { outcome: 'withdrawn' }]) {
    const verdict = verdictOf({ id, ...more });
    const without = ['challenge', 'place', 'authenticator', 'signature', 'person'] as const;
    assert.deepEqual(failed(verdict), ['action', 'approved', ...without]);
    assert.equal(verdict.reason, `The action was not approved: the request is ${more.outcome}.`);
  }
  const denied = verdictOf({ ...signed, outcome: 'denied' });
  assert.deepEqual(
    [failed(denied), denied.reason],
    [['approved'], 'The action was not approved: the request is denied.'],
  );
});

test('an approved decision has every member of the touch, and a request is decided by one person', () => {
  for (const name of ['binding', 'random', 'key', 'rpId', 'origin', 'assertion']) {
    const { success } = ApprovalDecision.safeParse({ ...signed, [name]: undefined });
    assert.equal(success, false, name);
  }
  const request = {
    id: 'apr_1',
    action: { type: 'payment', summary: '29.90 USD at shop.example', documentHash: DOCUMENT },
    binding: signed.binding,
    approvers: [{ id: 'did:key:z6Mk' }],
    url: 'https://pay.example/approve/apr_1',
    createdAt: signed['decidedAt'],
    expiresAt: signed['decidedAt'],
  };
  assert.equal(ApprovalRequest.safeParse({ ...request, quorum: 1 }).success, true);
  assert.equal(ApprovalRequest.safeParse({ ...request, quorum: 2 }).success, false);
});
