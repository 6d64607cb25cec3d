/** The mandates of Verifiable Intent as two views disclose them together. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import type { Hop } from '../../../protocol/sdjwt/hop.ts';
import { disclosedByAny } from '../../../protocol/sdjwt/intentPair.ts';
import { sdHash } from '../../../protocol/sdjwt/sdHash.ts';

const disclosure = (salt: string, value: unknown) =>
  toBase64url(new TextEncoder().encode(JSON.stringify([salt, value])));
const named = (text: string) => ({ '...': sdHash('sha-256', text) });
const viewOf = (disclosures: readonly string[]) => ({ token: { disclosures } }) as unknown as Hop;

test('what one view withholds is there from the other', () => {
  const shop = disclosure('a', { name: 'shop.example' });
  const other = disclosure('b', { name: 'other.example' });
  const mandate = disclosure('c', { allowed: [named(shop), named(other)] });
  const views = [viewOf([mandate, shop]), viewOf([mandate, other])];
  const { '...': digest } = named(mandate);
  assert.deepEqual(disclosedByAny(views, { mandate: {}, digest }), {
    allowed: [{ name: 'shop.example' }, { name: 'other.example' }],
  });
});

test('two views that name each other’s disclosures over and over cost no more than their length', () => {
  let [one, two] = [disclosure('p', 'end'), disclosure('q', 'end')];
  const [first, second] = [[one], [two]];
  for (let step = 0; step < 60; step++) {
    const both = [named(one), named(two)];
    [one, two] = [disclosure(`p${step}`, both), disclosure(`q${step}`, both)];
    first.push(one);
    second.push(two);
  }
  const mandate = disclosure('m', { allowed: [named(one), named(two)] });
  const { '...': digest } = named(mandate);
  const whole = disclosedByAny([viewOf([mandate, ...first]), viewOf(second)], { mandate: {}, digest });
  assert.ok(JSON.stringify(whole).length < 2000);
});
