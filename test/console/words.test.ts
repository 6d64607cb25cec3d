/** Codes as a person reads them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evidenceText } from '../../console/parts/values/evidenceText.ts';
import { happenedText } from '../../console/parts/values/happenedText.ts';
import { permissionText } from '../../console/parts/values/permissionText.ts';
import { reasonText } from '../../console/parts/values/reasonText.ts';
import { roleText } from '../../console/screens/settings/roles.ts';
import { EVIDENCE_TYPES } from '../../protocol/evidence/eventTypes.ts';
import { REASON_CODES } from '../../protocol/reason.ts';
import { Role } from '../../src/access/role.ts';

const WORDS = /^[A-Z][a-z]*( (API|[a-z’]+))*$/;

test('every reason, type of evidence and role is said in words, and no two of them in the same', () => {
  for (const texts of [REASON_CODES.map(reasonText), EVIDENCE_TYPES.map(evidenceText), Role.options.map(roleText)]) {
    for (const text of texts) assert.match(text, WORDS);
    assert.equal(new Set(texts).size, texts.length);
  }
  assert.equal(reasonText('HP_REQUIRED'), 'Needs a person');
  assert.equal(evidenceText('AGENT_SUSPENDED'), 'An agent was frozen');
  assert.deepEqual(
    [reasonText, evidenceText].map((textOf) => textOf('OF_A_NEWER_NODE')),
    Array(2).fill('Of a newer node'),
  );
});

test('evidence says refused, frozen and limit over time, as the screens of agents and decisions do', () => {
  for (const text of EVIDENCE_TYPES.map(evidenceText)) {
    assert.doesNotMatch(text, /intent|suspended|velocity|authorized|captured|rejected|updated/i);
  }
});

test('an event of a cart that only lacks a person says so, and is no refusal', () => {
  const rejected = (reasonCodes: string[]) => happenedText({ eventType: 'CART_REJECTED', data: { reasonCodes } });
  assert.deepEqual(
    [rejected(['HP_REQUIRED']), rejected(['HP_REQUIRED', 'AMOUNT_OVER_CAP'])],
    ['The shop’s cart needs a person', 'The shop’s cart was not accepted'],
  );
});

test('what a key may do is said in words', () => {
  assert.deepEqual(
    ([['read'], ['read', 'write'], ['read', 'write', 'admin'], ['write']] as const).map((each) => permissionText(each)),
    ['Reads', 'Reads and writes', 'Administers', 'May write only'],
  );
});
