/**
 * The agent lane of the UCP conformance suite, with a node as the platform's signer. The suite is none of this project's packages:
 * UCP_CONFORMANCE names its folder `conformance` (vishkaty/ucp-conformance), and without it nothing is played.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { everyEngine } from '../support/engines.ts';
import { ADMIN_KEY, makeWorld, type World } from '../support/world.ts';

const SUITE = process.env['UCP_CONFORMANCE'];

interface Played {
  readonly checks: readonly { readonly id: string; readonly clean: string; readonly mutant: string }[];
  readonly verdicts: Readonly<Record<string, string | boolean | null>>;
  readonly refusals: readonly string[];
}

describe('the agent lane of the UCP conformance suite', {
  skip: SUITE === undefined ? 'UCP_CONFORMANCE names no UCP conformance suite' : false,
}, () => {
  let world: World;
  let played: Played;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    const rules = { version: '2.0', spend: { currency: 'USD', amount_cap: 100, presence_cap: 200 } };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'lane', rules })).status, 201);
    const { stdout } = await promisify(execFile)('python3', ['test/python/ucp_agent_lane.py'], {
      env: {
        ...process.env,
        COUNTERSIGN_URL: world.node.address,
        COUNTERSIGN_API_KEY: ADMIN_KEY,
        AGENT: world.agent.did,
      },
      maxBuffer: 16 * 1024 * 1024,
    });
    played = JSON.parse(stdout);
  });
  after(() => world.close());

  test('finds nothing, and finds each planted defect', () => {
    const found = played.checks.filter(({ clean, mutant }) => clean !== 'CLEAN' || mutant !== 'DEVIATION');
    assert.deepEqual(found, []);
    // Of the business whose totals are wrong, and of one that was asked for nothing.
    assert.deepEqual(played.refusals, [
      'checkout.line_items: must have at least 1 element',
      'checkout.totals: say 9999 minor units, but come to 1100',
    ]);
    assert.ok(played.checks.length >= 44, `${played.checks.length} checks`);
  });

  test('has a merchant that takes the node’s mandates for that checkout, and for nothing else', () => {
    const { verdicts } = played;
    assert.deepEqual(Object.fromEntries(Object.entries(verdicts).filter(([name]) => !name.startsWith('mut_'))), {
      'as the node made it': null,
      'for another session': 'mandate_scope_mismatch',
      'for other totals': 'mandate_scope_mismatch',
      'a quarter of an hour later': 'mandate_expired',
      'by another platform': 'mandate_invalid_signature',
      'of another merchant': 'mandate_invalid_signature',
      'the payment mandate in its place': 'mandate_invalid_signature',
      'its payment’s own checkout': true,
      'its payment’s with another checkout': false,
    });
    const altered = Object.entries(verdicts).filter(([name]) => name.startsWith('mut_'));
    assert.ok(altered.length >= 8);
    for (const [name, verdict] of altered) assert.equal(verdict, 'mandate_invalid_signature', name);
  });
});
