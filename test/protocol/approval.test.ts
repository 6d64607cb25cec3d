/** Text of strangers, and a request's state over time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { approvalStatusAt } from '../../protocol/approval.ts';
import { inertText } from '../../protocol/wire/plainText.ts';

test('text of strangers keeps its words and loses what could move or hide them', () => {
  assert.equal(inertText('Kopfhörer  “Größe M”\n'), 'Kopfhörer “Größe M”');
  assert.equal(inertText('safe\u202Eexe.gpj\u2066 \u0000 \u200B x\u2028y'), 'safe exe.gpj x y');
  assert.equal(inertText('<b>&amp;'), '<b>&amp;');
});

test('no character that is invisible or turns text around is left, whatever comes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const inert = inertText(text);
      assert.doesNotMatch(inert, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      assert.equal(inertText(inert), inert);
    }),
  );
});

test('a request past its time has expired, a decided one stays as it was decided', () => {
  assert.equal(approvalStatusAt({ status: 'pending', expiresAt: 10 }, 9), 'pending');
  assert.equal(approvalStatusAt({ status: 'pending', expiresAt: 10 }, 10), 'expired');
  assert.equal(approvalStatusAt({ status: 'approved', expiresAt: 10 }, 11), 'approved');
});
