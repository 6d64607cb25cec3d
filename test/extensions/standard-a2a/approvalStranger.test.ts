/** A stranger's program, by stock libraries alone, buys with a person's touch and verifies the decision; altered ones it refuses. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { makePerson, type Person } from '../../support/person.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';

const PROGRAM = 'test/extensions/standard-a2a/approvalStranger.mjs';

for (const engine of everyEngine()) {
  describe(`a stranger who implements the approval extension, ${engine.name}`, () => {
    let world: World;
    let person: Person;
    before(async () => {
      world = await makeWorld(engine);
      person = makePerson(world);
      await person.enroll();
    });
    after(() => world.close());

    test('has at most 80 lines and imports nothing of this project', () => {
      const lines = readFileSync(PROGRAM, 'utf8').trimEnd().split('\n');
      assert.ok(lines.length <= 80, `${lines.length} lines`);
      assert.equal(lines.filter((line) => /from '\./.test(line)).length, 0);
    });

    test('buys, verifies the decision, and refuses nine altered ones', async () => {
      const [intent, cart] = [world.intentBody(170), world.cart(150)];
      const env = { ...process.env, NODE: world.node.address, KEY: ADMIN_KEY };
      const stranger = spawn(process.execPath, [PROGRAM], {
        env: { ...env, INTENT: JSON.stringify(intent), CART: JSON.stringify(cart) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(stranger, 'exit');
      const lines: Loose[] = [];
      for await (const line of createInterface({ input: stranger.stdout })) {
        lines.push(JSON.parse(line));
        const [{ url }] = lines;
        if (lines.length === 1) assert.equal((await person.decide(url.split('/').at(-1))).status, 200);
      }
      assert.deepEqual(await ended, [0, null]);
      assert.deepEqual(lines[1], { state: 'TASK_STATE_COMPLETED', approved: true, verdicts: Array(9).fill(false) });
    });
  });
}
