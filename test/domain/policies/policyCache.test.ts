/** Compiled policies: kept as long as there is room for their rules. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { policyCache } from '../../../src/domain/policies/loadFacts.ts';
import type { PolicyRow } from '../../../src/store/statements/registry/policies.ts';

const RULES = JSON.stringify({ version: '2.0', spend: { amount_cap: 100, currency: 'USD' } });

const versionOf = (version: number): PolicyRow => ({
  tenant_id: 'tnt_1',
  id: 'pol_1',
  version,
  name: 'Policy',
  rules: RULES,
  hash: `sha256:${version}`,
  is_active: 1,
  created_at: 0,
  place: '',
});

test('a version is compiled once while there is room, and again once others have taken it', () => {
  const cache = policyCache(RULES.length * 2);
  const first = cache.compiled(versionOf(1));
  cache.compiled(versionOf(2));
  assert.equal(cache.compiled(versionOf(1)), first);
  cache.compiled(versionOf(3));
  assert.notEqual(cache.compiled(versionOf(1)), first);
  assert.deepEqual(cache.compiled(versionOf(1)).rules, first.rules);
});

test('rules of another tenant, or with another hash, are not taken for these', () => {
  const cache = policyCache();
  const own = cache.compiled(versionOf(1));
  assert.notEqual(cache.compiled({ ...versionOf(1), tenant_id: 'tnt_2' }), own);
  assert.notEqual(cache.compiled({ ...versionOf(1), hash: 'sha256:other' }), own);
});
