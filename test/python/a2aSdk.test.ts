/**
 * A2A's own library for Python reads and verifies the node's card, and passes messages on. It is none of this project's packages: A2A_SDK_PATH names where Python
 * finds it (src of a2aproject/a2a-python, with what it needs), and without it nothing is played.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { checkMessageProof } from '../../protocol/a2a/proofExtension.ts';
import { everyEngine } from '../support/engines.ts';
import { signedMessage, taskMessage } from '../support/standardPeer.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

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

  test('takes no card that was altered', async () => {
    for (const change of ['name', 'did'] as const) assert.equal((await read(change)).verified, false, change);
  });
});
