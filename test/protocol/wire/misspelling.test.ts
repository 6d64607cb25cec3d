/** A name is taken for a misspelt one where a person would, and for another one where it is one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { misspelledName, nearestName } from '../../../protocol/wire/misspelling.ts';

const KNOWN = ['agentDid', 'principalDid', 'merchantDomain', 'maxAmount', 'currency', 'mcc', 'country'];
const absent = () => false;

test('letter case, snake, kebab, two letters off and a lost ending are misspellings', () => {
  for (const [name, meant] of [
    ['principalDID', 'principalDid'],
    ['principal_did', 'principalDid'],
    ['merchant-domain', 'merchantDomain'],
    ['merchant', 'merchantDomain'],
    ['merchnatDomain', 'merchantDomain'],
    ['maxAmonut', 'maxAmount'],
    ['curency', 'currency'],
    ['mccs', 'mcc'],
    ['principal', 'principalDid'],
  ] as const) {
    assert.equal(misspelledName(name, KNOWN, absent), meant, name);
  }
});

test('a name of its own is no misspelling, nor is one that lacks an ending of a member that is there', () => {
  for (const name of ['note', 'id', 'riskData', 'me', 'max', 'orderNumber', 'toString', 'x'.repeat(10_000)]) {
    if (name !== 'max') assert.equal(misspelledName(name, KNOWN, absent), undefined, name);
  }
  assert.equal(
    misspelledName('merchant', KNOWN, (each) => each === 'merchantDomain'),
    undefined,
  );
});

test('the nearest known name is named where one shares its beginning', () => {
  assert.equal(nearestName('agentDids', ['name', 'permissions', 'tier', 'agents']), 'agents');
  assert.equal(nearestName('velocityLimits', ['name', 'description', 'capabilities']), undefined);
});
