/** The stock Python client lists the tools and buys, with a touch in between. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { everyEngine } from '../../support/engines.ts';
import { makePerson } from '../../support/person.ts';
import { ADMIN_KEY, type Loose, makeWorld } from '../../support/world.ts';

const run = promisify(execFile);
const [sqlite] = everyEngine();

/** A Python with the package, or why there is none. */
async function pythonWithMcp(folder: string): Promise<{ readonly python: string } | { readonly lacking: string }> {
  try {
    await run('python3', ['-m', 'venv', folder]);
    const python = join(folder, 'bin', 'python');
    await run(python, ['-m', 'pip', 'install', '--quiet', '--retries', '0', 'mcp==2.3.0'], { timeout: 120_000 });
    return { python };
  } catch (error) {
    return { lacking: String(error).slice(0, 300) };
  }
}

test('the stock Python client buys with a touch in between', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-python-'));
  try {
    const found = await pythonWithMcp(folder);
    if ('lacking' in found) return context.skip(`pip does not find the package mcp here: ${found.lacking}`);
    const world = await makeWorld(sqlite as NonNullable<typeof sqlite>);
    try {
      const person = makePerson(world);
      await person.enroll();
      const args = ['test/extensions/mcp/client.py', world.node.address, ADMIN_KEY, world.agent.did];
      const child = spawn(found.python, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      let said: Loose = {};
      for await (const line of createInterface({ input: child.stdout })) {
        const word = JSON.parse(line) as Loose;
        said = { ...said, ...word };
        if ('touch' in word) await person.decide(word.touch.slice(word.touch.lastIndexOf('/') + 1));
        const answer = 'tools' in word ? world.cart(150) : null;
        if (!('paid' in word)) child.stdin.write(`${JSON.stringify(answer)}\n`);
      }
      assert.equal(said.tools[0], 'request_intent');
      assert.match(said.touch, /\/approve\/apr_/);
      assert.equal(said.paid?.allowed, true, JSON.stringify(said));
    } finally {
      await world.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
