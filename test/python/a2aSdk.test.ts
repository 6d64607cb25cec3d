/**
 * A2A's own library for Python reads and verifies the node's card, and passes messages on. It is none of this project's packages: A2A_SDK_PATH names where Python
 * finds it (src of a2aproject/a2a-python, with what it needs), and without it nothing is played.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { checkMessageProof } from '../../protocol/a2a/proofExtension.ts';
import { answersOfFormer } from '../support/answersOfFormer.ts';
import { answersOfStandard } from '../support/answersOfStandard.ts';
import { freePort } from '../support/child.ts';
import { everyEngine } from '../support/engines.ts';
import { makePerson } from '../support/person.ts';
import { blocksOf } from '../support/snippets.ts';
import { signedMessage, taskMessage } from '../support/standardPeer.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../support/world.ts';

const PATH = process.env['A2A_SDK_PATH'];

/** The node answers in this process, so that Python is not waited for as askPython does. */
async function askLibrary(script: string, asked: object): Promise<Loose> {
  const running = promisify(execFile)('python3', [script], { env: { ...process.env, PYTHONPATH: PATH } });
  running.child.stdin?.end(JSON.stringify(asked));
  return JSON.parse((await running).stdout);
}

describe('the A2A library for Python', {
  skip: PATH === undefined ? 'A2A_SDK_PATH names no A2A library for Python' : false,
}, () => {
  let world: World;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  });
  after(() => world.close());

  const read = async (change?: 'name' | 'did') => {
    const { keys } = (await world.rest('GET', '/.well-known/jwks.json', undefined, {})).body;
    const path = '/a2a/v1/.well-known/agent-card.json';
    return askLibrary('test/python/a2a_card.py', { address: world.node.address, path, jwk: keys[0], change });
  };

  test('finds a card that streams and verifies, without naming a version, and its models of v0.3 take the same page', async () => {
    const url = `${world.node.baseUrl}/a2a/v1`;
    assert.deepEqual(await read(), {
      verified: true,
      streaming: true,
      push: true,
      schemes: { bearer: 'http_auth_security_scheme', didProof: 'api_key_security_scheme' },
      interfaces: [
        [url, '1.0'],
        [url, '0.3'],
      ],
      former: { url, streaming: true },
    });
  });

  test('passes a message on whose proof still holds', async () => {
    const contents = [
      { text: '' },
      { data: { a: null, b: [null, {}], n: 1000, é: '…' } },
      { data: null },
      { raw: '-_-_-w' },
    ];
    const more = { parts: contents, contextId: '', metadata: { trace: { none: null } } };
    const message = signedMessage(world, world.agent, taskMessage({}, more));
    const { messages } = await askLibrary('test/python/a2a_hop.py', { messages: [message] });
    assert.notDeepEqual(messages[0], message);
    const { suite, issuer } = world.node.deps;
    assert.ok(checkMessageProof(suite, messages[0], { to: issuer.did })?.ok);
  });

  test('buys by the program of the guide, through the touch and a restart of the node while the person is asked', async () => {
    const own = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number], {
      PORT: String(await freePort()),
    });
    const [guide] = blocksOf(await readFile('docs/guides/a2a.md', 'utf8'), 'python');
    const person = makePerson(own);
    await person.enroll();
    const rules = { version: '2.0', spend: { amount_cap: 20, presence_cap: 100, currency: 'USD' } };
    assert.equal((await own.rest('POST', '/ap2/admin/policies', { name: 'asks', rules })).status, 201);
    const env = {
      ...process.env,
      PYTHONPATH: PATH,
      COUNTERSIGN_URL: own.node.address,
      KEY: ADMIN_KEY,
      AGENT: own.agent.did,
    };
    const running = spawn('python3', ['-c', String(guide)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const lines: string[] = [];
      for await (const line of createInterface(running.stdout)) {
        lines.push(line);
        if (line !== 'AUTH_REQUIRED' || lines.filter((each) => each === line).length > 1) continue;
        await own.restart();
        const { data } = (await own.rest('GET', '/ap2/approvals?status=pending')).body;
        await person.decide(data[0].id);
      }
      assert.equal(lines[0], 'verified: Countersign streams');
      assert.deepEqual(lines.at(-1), 'COMPLETED', lines.join());
    } finally {
      running.kill();
      await own.close();
    }
  });

  test('takes every answer, strictly, by the message that it is', async () => {
    const own = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    const answers = await answersOfStandard(own);
    await own.close();
    const another = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    const former = await answersOfFormer(another);
    await another.close();
    assert.ok(answers.length > 15 && former.length > 15, `${answers.length} and ${former.length}`);
    assert.deepEqual(await askLibrary('test/python/a2a_strict.py', { answers, former }), { refused: [] });
  });

  test('takes no card that was altered', async () => {
    for (const change of ['name', 'did'] as const) assert.equal((await read(change)).verified, false, change);
  });
});
