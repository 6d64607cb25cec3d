/** Countries: allow, deny, and requests that name none. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { COUNTRIES } from '../../../../protocol/policy/values/country.ts';
import { codesOf, type RulesInput } from '../judge.ts';

type Geo = NonNullable<NonNullable<RulesInput['context']>['geo']>;

test('the table has the 249 countries of ISO 3166-1, and the runtime knows each of them', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  assert.equal(COUNTRIES.size, 249);
  for (const code of COUNTRIES) assert.ok(names.of(code), code);
});

describe('a purchase', () => {
  const cases: [string, Geo, string | undefined, boolean][] = [
    ['in an allowed country is allowed', { allow: ['DE', 'FR'] }, 'FR', true],
    ['in another country is refused', { allow: ['DE', 'FR'] }, 'US', false],
    ['in no named country is refused where only some are allowed', { allow: ['DE'] }, undefined, false],
    ['in a denied country is refused', { deny: ['KP'] }, 'KP', false],
    ['in another country than the denied is allowed', { deny: ['KP'] }, 'DE', true],
    ['in no named country is allowed where only some are denied', { deny: ['KP'] }, undefined, true],
    ['in a country both allowed and denied is refused', { allow: ['DE'], deny: ['DE'] }, 'DE', false],
    ['anywhere is allowed by empty lists', { allow: [], deny: [] }, undefined, true],
  ];
  for (const [name, geo, country, allowed] of cases) {
    test(name, () => assert.deepEqual(codesOf({ context: { geo } }, { country }), allowed ? [] : ['GEO_RESTRICTED']));
  }
});
