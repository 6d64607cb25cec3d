/** Whose word on whose key it is counts at a node whose own key was rotated. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { signEnrolment } from '../../../protocol/approvals/passkeyEnrolment.ts';
import { type IssuerRotation, signRotation } from '../../../protocol/evidence/rotation.ts';
import { memoryNode } from '../../support/memoryNode.ts';

const { rows, thumbprint: jwkThumbprint } = JSON.parse(
  readFileSync('docs/reference/extensions/approval-vectors.json', 'utf8'),
);
const [{ decision, expect }] = rows;
const DECIDED = Date.parse(decision.decidedAt);

test('a retired key vouches for decisions before its end alone, and a stolen one for none', async () => {
  for (const [at, compromised, valid] of [
    [DECIDED + 1000, false, true],
    [DECIDED - 1000, false, false],
    [DECIDED + 1000, true, false],
  ] as const) {
    const { deps, run } = await memoryNode();
    const former = deps.suite.signer(new Uint8Array(32).fill(9));
    const rotation = signRotation(deps.suite, former, { to: deps.issuer.did, at, compromised });
    (deps.evidence.rotations as IssuerRotation[]).push(rotation);
    const { principalDid, agentDid } = decision.binding;
    const enrolledAt = '2026-01-01T00:00:00.000Z';
    const subject = { principalDid, agentDid, jwkThumbprint, enrolledAt };
    const enrolment = signEnrolment(deps.suite, former, subject, deps.settings.baseUrl);
    const verdict = await run('checkApproval', { decision: { ...decision, enrolment }, expect });
    assert.equal(verdict['valid'], valid, verdict['reason']);
  }
});
