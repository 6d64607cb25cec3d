/** What is wrong with an input is said as what would be right, in words of no programming language. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { detailsOf } from '../../../protocol/wire/issue.ts';

const Channel = z.enum(['card', 'wallet']);
const CASES: readonly (readonly [what: string, schema: z.ZodType, given: unknown, message: string])[] = [
  ['a text', z.string(), undefined, 'is missing'],
  ['a text', z.string(), 5, 'must be a text'],
  ['a list', z.array(z.string()), 'x', 'must be a list'],
  ['a list that has an end', z.array(z.string()).max(2), 'too long for it', 'must be a list'],
  ['one of several words', Channel, undefined, 'is missing'],
  ['one of several words', Channel, null, 'must be one of card, wallet'],
  ['one of several words', Channel, 'Card', 'must be one of card, wallet'],
  ['one word', z.literal('usd'), undefined, 'is missing'],
  ['one word', z.literal('usd'), 'eur', 'must be usd'],
  ['a short text', z.string().max(3), 'four', 'must have at most 3 characters'],
  ['a text of a length', z.string().length(3), 'x', 'must have exactly 3 characters'],
  ['a text', z.string().min(1), '', 'must have at least 1 character'],
  ['a list', z.array(z.string()).min(1), [], 'must have at least 1 element'],
  ['a list', z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 elements'],
  ['a number', z.number().min(60), -5, 'must be at least 60'],
  ['a number', z.number().max(60), 61, 'must be at most 60'],
  ['a number', z.int().positive(), 0, 'must be more than 0'],
  ['a number', z.number().lt(1), 1, 'must be less than 1'],
  [
    'a moment',
    z.iso.datetime({ offset: true }),
    'soon',
    'must be a time with its offset, such as 2026-11-01T12:00:00Z',
  ],
  ['a day', z.iso.date(), 'soon', 'must be a day, such as 2026-11-01'],
  ['a text or a number', z.union([z.string(), z.number()]), undefined, 'is missing'],
  ['a text or a number', z.union([z.string(), z.number()]), [], 'must be a text or a number'],
  ['words of its own', z.string().regex(/^pm_/, 'must be the id of a payment'), 'x', 'must be the id of a payment'],
  ['words of its own', z.enum(['a', 'b'], 'must be a vowel or not'), 'c', 'must be a vowel or not'],
];

describe('what is wrong with an input', () => {
  for (const [what, schema, given, message] of CASES) {
    test(`${what}, given ${JSON.stringify(given)}: ${message}`, () => {
      const parsed = z.object({ member: schema }).safeParse({ member: given });
      assert.ok(parsed.error);
      assert.deepEqual(detailsOf(parsed.error, { member: given }), [{ path: 'member', message }]);
    });
  }

  test('a member within a list, an object and a union is named by its whole path', () => {
    const schema = z.object({ tools: z.array(z.union([z.string(), z.object({ unit: Channel })])) });
    const given = { tools: ['a', {}, { unit: 'x' }] };
    const parsed = schema.safeParse(given);
    assert.ok(parsed.error);
    assert.deepEqual(detailsOf(parsed.error, given), [
      { path: 'tools.1.unit', message: 'is missing' },
      { path: 'tools.2.unit', message: 'must be one of card, wallet' },
    ]);
  });

  test('an object whose kind is told by a member names the kinds that there are', () => {
    const schema = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('folder') }),
      z.object({ kind: z.literal('bucket') }),
    ]);
    const faultsOf = (given: unknown) => detailsOf(schema.safeParse(given).error ?? { issues: [] }, given);
    assert.deepEqual(faultsOf({ kind: 'tape' }), [{ path: 'kind', message: 'must be one of folder, bucket' }]);
    assert.deepEqual(faultsOf({}), [{ path: 'kind', message: 'is missing' }]);
  });
});
