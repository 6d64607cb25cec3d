/** Link's wallet as the guide has it, with a double of its command: reserved before, and told of by what Link says. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Block, blocksOfPage, playPage } from '../../support/docsPage.ts';
import { everyEngine } from '../../support/engines.ts';
import { ADMIN_KEY, makeWorld, type World } from '../../support/world.ts';

const PAGE = 'docs/guides/external-payments.md';

/** As Link's command answers, in the order of the calls; what it was asked is kept in a file. */
const DOUBLE = `#!/usr/bin/env node
const { appendFileSync, readFileSync, existsSync } = require('node:fs');
const asked = process.argv.slice(2);
const said = __dirname + '/asked';
const calls = existsSync(said) ? readFileSync(said, 'utf8').split('\\n').length - 1 : 0;
appendFileSync(said, JSON.stringify(asked) + '\\n');
const answer = JSON.parse(readFileSync(__dirname + '/answers', 'utf8'))[calls];
console.log(JSON.stringify(answer));
`;

describe('Link’s wallet, as the guide has it', () => {
  let world: World;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  });
  after(() => world.close());

  const play = async (answers: object[]) => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-link-'));
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'link-cli'), DOUBLE);
    await chmod(join(folder, 'link-cli'), 0o755);
    await writeFile(join(folder, 'answers'), JSON.stringify(answers));
    const blocks = (await blocksOfPage(PAGE)).filter(({ text }) => text.includes("execFile)('link-cli'"));
    assert.equal(blocks.length, 1);
    const key = `link-${Math.random()}`;
    const client = pathToFileURL(resolve('client/index.ts')).href;
    const texts = ({ text }: Block) => text.replace('working-in-public', key).replace('countersign-client', client);
    const own = blocks.map((block) => ({ ...block, text: texts(block) }));
    const env = {
      ...{ PATH: `${folder}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: folder },
      ...{ KEY: ADMIN_KEY, AGENT: world.agent.did, npm_config_offline: 'true' },
    };
    const played = playPage(PAGE, own, { folder, env, fillIns: {}, address: world.node.address });
    const printed = await played.catch((error: Error) => error.message);
    const [payment] = (await world.rest('GET', '/ap2/payments?limit=1')).body.data;
    const asked = (await readFile(join(folder, 'asked'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    await rm(folder, { recursive: true, force: true });
    return { printed, payment, asked };
  };

  test('what Link has paid is committed with its transaction, under one key', async () => {
    const { printed, payment, asked } = await play([
      { id: 'lsrq_1', status: 'pending_approval' },
      { id: 'lsrq_1', status: 'approved' },
      { id: 'lsrq_1', status: 'succeeded', link_transaction_id: 'ltx_1' },
    ]);
    assert.match(printed, /CAPTURED/);
    assert.deepEqual([payment.status, payment.captured], ['CAPTURED', 35]);
    const create = asked[0] as string[];
    assert.equal(create[create.indexOf('--idempotency-key') + 1], payment.mandateId);
    assert.equal(create[create.indexOf('--amount') + 1], '3500');
  });

  test('what the person denied in Link is released', async () => {
    const { payment } = await play([
      { id: 'lsrq_2', status: 'pending_approval' },
      { id: 'lsrq_2', status: 'denied' },
    ]);
    assert.equal(payment.status, 'CANCELED');
  });

  test('what Link does not say is left held', async () => {
    const { payment } = await play([
      { id: 'lsrq_3', status: 'requires_action' },
      { id: 'lsrq_3', status: 'approved' },
      { id: 'lsrq_3', status: 'approved' },
    ]);
    assert.equal(payment.status, 'AUTHORIZED');
  });
});
