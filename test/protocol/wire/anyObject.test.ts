/** Objects that are taken as they came. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { anyObject } from '../../../protocol/wire/json.ts';

const RECORD = z.record(z.string(), z.unknown());

test('an object is given back as it came, whatever its members are', () => {
  for (const text of ['{}', '{"b":1,"a":{"c":[null]}}', '{"constructor":1,"toString":"x"}']) {
    const value = JSON.parse(text);
    assert.equal(anyObject().parse(value), value);
    assert.deepEqual(RECORD.parse(value), value);
  }
});

test('everything else is refused in the words that a record is refused in, alone and as a member', () => {
  for (const value of [null, undefined, 1, 'text', true, [], [1], new Date(0), new Map()]) {
    assert.deepEqual(anyObject().safeParse(value).error?.issues, RECORD.safeParse(value).error?.issues);
    const [own, plain] = [anyObject(), RECORD].map((body) => z.object({ body, more: body.optional() }));
    assert.deepEqual(own?.safeParse({ body: value }).error?.issues, plain?.safeParse({ body: value }).error?.issues);
  }
});

test('it is described as a record', () => {
  assert.deepEqual(z.toJSONSchema(anyObject()), z.toJSONSchema(RECORD));
});
