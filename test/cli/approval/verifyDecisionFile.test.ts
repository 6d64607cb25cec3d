/** `countersign approvals verify`: a decision goes into a file, and is verified there without the node. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { askForApproval, makePerson } from '../../support/person.ts';
import { ADMIN_KEY, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const [engine] = everyEngine();

describe('countersign approvals verify', () => {
  let world: World;
  let folder: string;
  let file: string;
  let cart: string;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    folder = await mkdtemp(join(tmpdir(), 'countersign-decision-'));
    const person = makePerson(world);
    await person.enroll();
    const { approval, cartVc } = await askForApproval(world);
    cart = kept('cart', cartVc);
    const early = await runHere(['approvals', 'show', approval.id, '--decision'], env());
    assert.deepEqual([early.code, early.stdout], [1, '']);
    assert.match(early.stderr, /no decision to show: the request is pending/);
    await person.decide(approval.id);
    const shown = await runHere(['approvals', 'show', approval.id, '--decision'], env());
    assert.equal(shown.code, 0, shown.stderr);
    file = kept('decision', JSON.parse(shown.stdout));
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const env = () => ({ COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });
  const kept = (name: string, content: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const verify = (...args: string[]) => runHere(['approvals', 'verify', ...args]);

  test('holds for the cart that was approved, by the word of the node or by a key', async () => {
    const issuer = world.node.deps.issuer.did;
    const found = await verify(file, '--cart', cart, '--amount', '150', '--currency', 'USD', '--issuer', issuer);
    assert.equal(found.code, 0, found.stdout + found.stderr);
    assert.equal(found.stdout.match(/✓/g)?.length, 9);
    const { key } = JSON.parse(readFileSync(file, 'utf8'));
    const byKey = await verify(file, '--cart', cart, '--key', kept('key', key), '--json');
    assert.deepEqual([byKey.code, byKey.json().valid], [0, true]);
  });

  test('does not hold for another amount, or where nothing says whose key it is', async () => {
    const other = await verify(file, '--cart', cart, '--amount', '151', '--issuer', world.node.deps.issuer.did);
    assert.equal(other.code, 1);
    assert.match(
      other.stdout,
      /not shown that a person approved it\.\n✗ It is about this very purchase\.[\s\S]*It is of another amount\./,
    );
    const strange = await verify(file, '--cart', cart);
    assert.equal(strange.code, 1);
    assert.match(strange.stdout, /Nothing says whose key it is\./);
  });

  test('one person who decides twice is not two people', async () => {
    const decision = JSON.parse(readFileSync(file, 'utf8'));
    for (const again of [decision, { ...decision, key: { ...decision.key, kid: 'another name of the same key' } }]) {
      const twice = kept('twice', [decision, again]);
      const found = await verify(twice, '--cart', cart, '--issuer', world.node.deps.issuer.did, '--json');
      assert.deepEqual([found.code, found.json().people, found.json().valid], [1, 1, false]);
      const told = await verify(twice, '--cart', cart, '--issuer', world.node.deps.issuer.did);
      assert.match(told.stdout, /Decisions by one passkey are one person’s/);
    }
  });

  test('the place is the one of the card, where that is given', async () => {
    const at = (origin: string) =>
      verify(file, '--cart', cart, '--issuer', world.node.deps.issuer.did, '--origin', origin);
    assert.equal((await at(world.node.baseUrl)).code, 0);
    const other = await at('https://pay.example');
    assert.equal(other.code, 1);
    assert.match(other.stdout, /✗ The person decided on the page of the node\./);
  });

  test('a file without a decision, and no word of what was to be approved, are wrong use', async () => {
    const none = await verify(cart, '--cart', cart);
    assert.deepEqual([none.code, /holds no decision: "outcome"/.test(none.stderr)], [2, true], none.stderr);
    const unsaid = await verify(file);
    assert.equal(unsaid.code, 2);
    assert.match(unsaid.stderr, /--cart with the file of the cart, or --document-hash/);
    const [hash, wrong] = [`sha256:${'0'.repeat(64)}`, kept('wrong', null)];
    for (const [args, sentence] of [
      [['--cart', wrong], /holds no cart: it must be a JSON object/],
      [['--document-hash', 'abc'], /must be sha256: and 64 hexadecimal digits/],
      [['--cart', cart, '--document-hash', hash], /cannot be used with option/],
    ] as const) {
      const refused = await verify(file, ...args);
      assert.deepEqual([refused.code, sentence.test(refused.stderr)], [2, true], refused.stderr);
    }
  });
});
