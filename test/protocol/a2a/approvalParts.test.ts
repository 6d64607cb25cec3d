/** What lists leave out of a task: the parts of the approval extension, and a proof that would be wrong without them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  APPROVALS,
  decisionParts,
  extensionsOfParts,
  listedStatus,
  listedWhole,
} from '../../../protocol/a2a/approvalParts.ts';
import { DID_PROOF } from '../../../protocol/a2a/normalForm.ts';
import { proveArtifact } from '../../../protocol/a2a/proofExtension.ts';
import type { Artifact } from '../../../protocol/a2a/task.ts';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';

const signer = nobleSuite.signer(new Uint8Array(32).fill(3));
const ended = { id: 'apr_1', outcome: 'expired', decidedAt: '2026-03-01T14:00:00.000Z' } as const;
const timestamp = '2026-03-01T14:00:00.000Z';

function proven(parts: Artifact['parts']): Artifact {
  const artifact: Artifact = { artifactId: 'art_1', name: 'cartResult', parts, ...extensionsOfParts(parts) };
  return proveArtifact(nobleSuite, signer, artifact, { to: signer.did, created: timestamp });
}

function listed(artifact: Artifact): Artifact {
  const task = { id: 'task_1', contextId: 'ctx_1', status: { state: 'TASK_STATE_COMPLETED', timestamp } as const };
  return listedWhole({ ...task, artifacts: [artifact] }).artifacts?.[0] as Artifact;
}

test('an artifact without such a part is listed as it was signed', () => {
  const artifact = proven([{ text: 'done' }]);
  assert.equal(listed(artifact), artifact);
});

test('an artifact loses the part, and with it the proof that is over the part', () => {
  const artifact = proven([{ text: 'done' }, ...decisionParts([ended])]);
  assert.deepEqual(artifact.extensions, [APPROVALS, DID_PROOF]);
  assert.deepEqual(listed(artifact), { artifactId: 'art_1', name: 'cartResult', parts: [{ text: 'done' }] });
});

test('a status that says nothing else says nothing, and what a caller wrote stays', () => {
  const parts = decisionParts([ended]);
  const message = { messageId: 'msg_1', role: 'ROLE_AGENT', parts, extensions: [APPROVALS] } as const;
  assert.deepEqual(listedStatus({ state: 'TASK_STATE_WORKING', message, timestamp }), {
    state: 'TASK_STATE_WORKING',
    timestamp,
  });
  const own = { ...message, role: 'ROLE_USER' };
  const task = { id: 'task_1', contextId: 'ctx_1', status: { state: 'TASK_STATE_WORKING', timestamp } as const };
  assert.deepEqual(listedWhole({ ...task, history: [own] }).history, [own]);
});
