/** The shop with agents in Python, as their READMEs say: the package alone, function calling, and LangChain. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { everyEngine } from '../support/engines.ts';
import { type Examples, makeExamples } from '../support/examples.ts';
import { fetchWheels } from '../support/pageReaders.ts';
import { installLangchain, makeVenv, pipInstall } from '../support/python.ts';
import { makeWorld, type World } from '../support/world.ts';

/** What the package takes, and what builds its wheel. */
const NEEDS = ['hatchling', 'cryptography', 'httpx', 'pydantic', 'idna', 'typing-extensions'];

describe('at the shop', () => {
  let world: World;
  let examples: Examples;
  let folder: string;
  /** Where pip finds the wheels of all packages, the one of this checkout among them. */
  let wheels: string;
  /** Why pip does not find what it takes. */
  let lacking: string | undefined;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    examples = await makeExamples(world);
    folder = await mkdtemp(join(tmpdir(), 'countersign-wheels-'));
    wheels = join(folder, 'wheels');
    lacking = await fetchWheels(NEEDS, wheels);
    if (lacking !== undefined) return;
    await cp('packages/python', join(folder, 'source'), { recursive: true });
    const args = ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', wheels, join(folder, 'source')];
    await promisify(execFile)('python3', args, { env: { ...process.env, ...fromWheels() } });
  });
  after(async () => {
    await examples.remove();
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });
  const fromWheels = () => ({ PIP_NO_INDEX: '1', PIP_FIND_LINKS: wheels, PIP_DISABLE_PIP_VERSION_CHECK: '1' });

  const REFUSED = /It would pass with at most 200\.00 USD/;

  test('an agent of the package buys, is refused with what would pass, and waits for the person', async (t) => {
    if (lacking !== undefined) return t.skip(lacking);
    const printed = await examples.play(['shop', 'agent-python'], { env: fromWheels() });
    assert.match(printed, /^paid: 42\.40 USD, and the order is shipped$/m);
    assert.match(
      printed,
      /^refused: AMOUNT_OVER_CAP: 464\.90 USD .*\nrefused: SPENDING_LIMIT_EXCEEDED: .*\nIt would pass with at most 200/m,
    );
    assert.match(printed, /^waiting for the person, at http.*\n(?:.*\n)*paid: 142\.90 USD, and the order is shipped$/m);
  });

  test('a model buys by the stock openai package, from a stand-in that speaks its API', async (t) => {
    const missing = lacking ?? (await fetchWheels(['openai'], wheels));
    if (missing !== undefined) return t.skip(missing);
    const printed = await examples.play(['shop', 'openai-tools'], { env: fromWheels() });
    assert.match(printed, /^order: .*\n(?:.*\n)*buy: \{"outcome": "paid", .*\n(?:.*\n)*I bought it for 17\.4 USD\.$/m);
    assert.match(printed, REFUSED);
    assert.match(printed, /^shipped: Sencha, 100 g, Shipping$/m);
  });

  test('a LangChain agent buys by the tools of the package', async (t) => {
    if (lacking !== undefined) return t.skip(lacking);
    let missing: string | undefined;
    // Not every index has all that its models take, without which its tools work: then its README's pip is not run.
    const prepare = async (own: string) => {
      const python = await makeVenv(join(own, 'langchain', 'venv'));
      missing =
        (await installLangchain(python)) ?? (await pipInstall(python, ['--find-links', wheels, 'countersign-client']));
      if (missing !== undefined) throw new Error(missing);
    };
    const leavesOut = (text: string) => text.includes('countersign-client[langchain]');
    const played = examples.play(['shop', 'langchain'], { env: fromWheels(), leavesOut, prepare });
    const printed = await played.catch((error: unknown) => {
      if (missing === undefined) throw error;
    });
    if (printed === undefined) return t.skip(missing);
    assert.match(
      printed,
      /^deliver: \{"id":.*"status":"\w+"\}\n(?:.*\n)*I bought it; the order is (accepted|shipped)\.$/m,
    );
    assert.match(printed, REFUSED);
    assert.match(printed, /^waiting for the person, at http.*\n(?:.*\n)*shipped: Cast iron teapot, Shipping$/m);
  });
});
