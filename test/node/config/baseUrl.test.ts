/** The public address of a node: as it is set, but for a domain in letters beyond ASCII, which stands as DNS has it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../src/node/config/config.ts';

test('an address beyond ASCII is taken as DNS and URLs write it, any other one as it was set', () => {
  for (const [set, taken] of [
    ['https://Pay.example:443/node/', 'https://Pay.example:443/node'],
    ['https://müller.example', 'https://xn--mller-kva.example'],
    ['https://pay.example/prüfung/', 'https://pay.example/pr%C3%BCfung'],
  ] as const) {
    assert.equal(readConfig({ BASE_URL: set }).baseUrl, taken);
  }
  assert.throws(() => readConfig({ BASE_URL: 'https://ü:port' }), /BASE_URL=.*must be an http or https address/);
});
