/** `countersign spend` and what else people look at first, with a node running. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { purchase } from '../../support/purchase.ts';
import { ADMIN_KEY, makeWorld, SHOP, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const [engine] = everyEngine();

describe('a first look by the command line', () => {
  let world: World;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    await purchase(world, 12);
  });
  after(() => world.close());

  const shown = async (...words: string[]): Promise<string> => {
    const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
    const { code, stdout, stderr } = await runHere(words, env);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  test('attention says what needs a person, or that nothing does', async () => {
    assert.equal(await shown('attention'), 'Nothing needs you.\n');
    await world.rest('POST', `/ap2/admin/agents/${world.agent.did}/suspend`, { reason: 'Odd purchases' });
    assert.match(await shown('attention'), /^WHAT.*\nagent .* is frozen: Odd purchases\.\n$/);
    await world.rest('POST', `/ap2/admin/agents/${world.agent.did}/reactivate`, {});
    const { items, counts } = JSON.parse(await shown('attention', '--json'));
    assert.deepEqual([items, counts.agent], [[], 0]);
  });

  test('search finds by a name, a domain and an amount', async () => {
    assert.match(await shown('search', SHOP.slice(0, 4)), new RegExp(`merchant .* ${SHOP}`));
    assert.match(await shown('search', '12.00 USD'), /payment .* 12\.00 USD to /);
    assert.match(await shown('search', 'nothing of that name'), /There are none/);
    assert.equal(JSON.parse(await shown('search', world.agent.did, '--json')).hits[0].id, world.agent.did);
  });

  test('spend shows a table, and JSON with --json', async () => {
    assert.match(
      await shown('spend'),
      /^PAYMENTS +PAID.*\n1 +0\.00 USD +0\.00 USD +0\.00 USD +12\.00 USD +0\.00 USD\n$/,
    );
    assert.match(await shown('spend', '--by', 'merchant'), new RegExp(`^MERCHANT.*\n${SHOP} +1 .*\nall +1 `));
    assert.match(await shown('spend', '--by', 'agent'), /^AGENT.*\n(?!did:).* 12\.00 USD /);
    assert.match(await shown('spend', '--by', 'day'), /^DAY.*\n\d{4}-\d\d-\d\d +1 .*\nall +1 /);
    assert.match(await shown('spend', '--by', 'month'), /^MONTH.*\n\d{4}-\d\d +1 .*\nall +1 /);
    assert.match(await shown('spend', '--to', '2026-01-01'), /There are none/);
    const { totals } = JSON.parse(await shown('spend', '--json', '--currency', 'USD'));
    assert.deepEqual(totals[0].held, { minor: 1200, text: '12.00' });
  });
});
