/** `countersign credential`: a mandate goes into a file in each form, and is verified there without the node. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeAgent, signCart } from '../../../client/index.ts';
import { everyEngine } from '../../support/engines.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { ADMIN_KEY, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const [engine] = everyEngine();

describe('countersign credential', () => {
  let world: World;
  let folder: string;
  let id: string;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    folder = await mkdtemp(join(tmpdir(), 'countersign-credential-'));
    id = mandateIdOf(await purchase(world, 30));
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const env = () => ({ COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });
  const kept = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  for (const as of ['vc', 'vc+jwt', undefined] as const) {
    test(`shows it ${as === undefined ? 'as it was issued' : `as ${as}`}, and verifies it`, async () => {
      const shown = await runHere(['credential', 'show', id, ...(as === undefined ? [] : ['--as', as])], env());
      assert.equal(shown.code, 0, shown.stderr);
      const file = kept('mandate', shown.stdout);
      const verified = await runHere(['credential', 'verify', file, '--issuer', world.node.deps.issuer.did, '--json']);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
      const { valid, type, form, subject } = verified.json();
      assert.deepEqual([valid, type, form, subject.amount], [true, 'PaymentMandate', as ?? 'own', 30]);
      const strange = await runHere(['credential', 'verify', file, '--issuer', world.agent.did]);
      assert.equal(strange.code, 1);
      assert.match(strange.stdout, /It does not hold: It was issued by did:key:/);
    });
  }

  test('verifies a cart, and prints its items', async () => {
    const items = [{ name: 'Tea', price: 12.5, quantity: 2 }];
    const cart = signCart(makeAgent(), { domain: 'shop.example', currency: 'USD', items });
    const { code, stdout } = await runHere(['credential', 'verify', kept('cart', JSON.stringify(cart))]);
    assert.equal(code, 0);
    assert.match(stdout, /items +\[\{"name":"Tea","price":12\.5,"quantity":2\}\]/);
  });

  test('refuses one that was altered, and says why; a file without one is wrong use', async () => {
    const { stdout } = await runHere(['credential', 'show', id, '--as', 'vc'], env());
    const altered = await runHere([
      'credential',
      'verify',
      kept('altered', stdout.replace('"amount": 30', '"amount": 31')),
    ]);
    assert.equal(altered.code, 1);
    assert.match(altered.stdout, /It does not hold: The signature does not match/);
    const broken = await runHere(['credential', 'verify', kept('broken', '{"a":')]);
    assert.equal(broken.code, 2);
    assert.equal((await runHere(['credential', 'verify', kept('words', 'no mandate')])).code, 1);
    const unknown = await runHere(['credential', 'show', 'pm_none'], env());
    assert.match(unknown.stderr, /NOT_FOUND/);
  });
});
