/** Decisions by the command line: listed, and shown rule by rule. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const [engine] = everyEngine();

describe('decisions by the command line', () => {
  let world: World;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
  });
  after(() => world.close());

  async function countersign(...words: string[]): Promise<string> {
    const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
    const { code, stdout, stderr } = await runHere(words, env);
    assert.equal(code, 0, stderr);
    return stdout;
  }

  test('those that were refused for a reason are listed, and one is shown with what would have passed', async () => {
    await world.rest('POST', '/ap2/intents', world.intentBody(5));
    await world.rest('POST', '/ap2/intents', world.intentBody(500));
    const filters = ['--agent', 'test agent', '--outcome', 'refused', '--reason', 'AMOUNT_OVER_CAP'];
    const listed = await countersign('decisions', 'list', ...filters);
    assert.match(listed, /^TRANSACTION +OUTCOME +WHEN +AMOUNT +MERCHANT +AGENT +WHY\n/);
    assert.match(listed, /txn_\w+ +intent +refused +.* 500\.00 USD +shop\.example +test agent +AMOUNT_OVER_CAP\n$/);
    assert.equal(listed.trim().split('\n').length, 2);
    const small = await countersign('decisions', 'list', '--max', '5', '--currency', 'USD');
    assert.match(small, /^TRANSACTION.*\ntxn_\w+ +intent +allowed +.* 5\.00 USD .*\n$/);
    const [decision] = JSON.parse(await countersign('decisions', 'list', '--limit', '1', '--json')) as Loose[];
    const shown = await countersign('decisions', 'show', decision.transactionId);
    assert.match(
      shown,
      /intent of 500\.00 USD at shop\.example: refused\n✗ AMOUNT_OVER_CAP: .*\nIt would pass with at most/,
    );
    assert.match(shown, /\nAMOUNT_OVER_CAP +failed +500\.00 USD +200\.00 USD +-300\.00 USD\n/);
  });
});
