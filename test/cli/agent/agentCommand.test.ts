/** Agents and principals by name, lists with names and links, and every agent suspended at once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { makePeer, type Peer } from '../../support/peer.ts';
import { askForApproval, makePerson } from '../../support/person.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

for (const engine of everyEngine()) {
  describe(`names on the command line, on ${engine.name}`, () => {
    let world: World;
    let buyer: Peer;
    before(async () => {
      world = await makeWorld(engine);
      buyer = await world.newAgent('Tea buyer');
      await world.newAgent('Twin');
      await world.newAgent('Twin');
    });
    after(() => world.close());

    const run = (...args: string[]) =>
      runHere(args, { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });
    const json = async (...args: string[]): Promise<Loose> => {
      const { code, stderr, json: read } = await run(...args, '--json');
      assert.equal(code, 0, stderr);
      return read();
    };

    test('the limits of agents are shown with what is used of them', async () => {
      const { code, stdout, stderr } = await run('agent', 'limits');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /Tea buyer +ACTIVE +never +0 of 10 purchases in 1 hour/);
      const [newest] = await json('agent', 'limits', '--limit', '1');
      assert.equal(newest.displayName, 'Twin');
    });

    test('a name does wherever a DID does, when one alone has it', async () => {
      assert.equal((await json('agent', 'show', 'Tea buyer')).did, buyer.did);
      assert.equal((await json('agent', 'suspend', 'Tea buyer')).status, 'SUSPENDED');
      assert.equal((await json('agent', 'reactivate', 'Tea buyer')).status, 'ACTIVE');
      const { stdout: shown } = await run('agent', 'show', 'Tea buyer');
      const [members = '', limits = ''] = shown.trimEnd().split('\n\n');
      assert.match(members, /^Owner +none\nLast seen +never$/m);
      assert.match(
        limits,
        /^LIMIT .*\nvelocity_limit +0 of 10 purchases +10 +within 1 hour +one agent +anywhere +denied$/m,
      );
      // All values stand below each other.
      const starts = members.split('\n').map((line) => /^\w+(?: \w+)* {2,}/.exec(line)?.[0].length);
      assert.equal(new Set(starts).size, 1, shown);
      const own = await json('agent', 'limit', 'Tea buyer', '--transactions', '9', '--window', '1h');
      assert.equal(own.velocity.maxTransactions, 9);
      assert.match((await json('agent', 'enroll-link', 'Tea buyer')).url, /\/enroll\//);
      const { did } = world.principal;
      const made = await json('principal', 'add', did, '--name', 'Household', '--agent', 'Tea buyer');
      assert.deepEqual(made.agents, [buyer.did]);
      const more = await json('principal', 'delegate', 'Household', '--agent', 'test agent');
      assert.deepEqual(more.agents, [buyer.did, world.agent.did].sort());
      assert.equal((await json('principal', 'show', 'Household')).did, did);
      const asked = ['policy', 'simulate', '--amount', '5', '--currency', 'USD', '--agent', 'Tea buyer'];
      assert.equal((await json(...asked)).allowed, true);
      const key = await json('key', 'create', '--name', 'for one', '--agent', 'Tea buyer');
      assert.deepEqual(key.agents, [buyer.did]);
      const both = await json('key', 'create', '--name', 'two', '--agents', 'Tea buyer', 'test agent');
      assert.deepEqual(both.agents.sort(), [buyer.did, world.agent.did].sort());
      assert.deepEqual(await json('evidence', 'search', '--actor', 'Tea buyer'), []);
    });

    test('an unknown name or one of several is refused, with what to do', async () => {
      const [unknown, several, principal] = await Promise.all([
        run('agent', 'show', 'Missing'),
        run('agent', 'revoke', 'Twin', '--reason', 'which?'),
        run('principal', 'show', 'Missing'),
      ]);
      assert.deepEqual(
        [unknown.code, unknown.stderr],
        [1, 'NOT_FOUND: No agent is called "Missing"; "countersign agent list" shows all.\n'],
      );
      assert.equal(several.code, 2);
      assert.match(
        several.stderr,
        /^2 agents are called "Twin"; give the DID of one:\n( {2}did:key:z6Mk\w+ {2}ACTIVE\n){2}$/,
      );
      assert.match(
        principal.stderr,
        /^NOT_FOUND: No person or company is called "Missing"; "countersign principal list" /,
      );
    });

    test('programs are told of which DIDs several have the name', async () => {
      const several = await run('agent', 'show', 'Twin', '--json');
      const { error } = JSON.parse(several.stderr);
      assert.equal(several.code, 2);
      const twins = (await json('agent', 'list')).filter(({ displayName }: Loose) => displayName === 'Twin');
      assert.deepEqual(error.details.map(({ path }: Loose) => path).sort(), twins.map(({ did }: Loose) => did).sort());
    });

    test('a name is shown without what would move the terminal, and is found as it is shown', async () => {
      const peer = await world.newAgent('Red\u001b[31m\u202Eagent');
      for (const [args, seen] of [
        [['agent', 'list'], /Red \[31m agent\n/],
        [['agent', 'show', 'Red [31m agent'], new RegExp(`^DID +${peer.did}\n`)],
      ] as const) {
        const { stdout, stderr } = await run(...args);
        assert.match(stdout, seen, stderr);
        assert.ok(!stdout.includes('\u001b') && !stdout.includes('\u202e'));
      }
      await json('agent', 'revoke', peer.did, '--reason', 'a test');
    });

    test('agents of a principal and of a key are shown by name, and those of one name are told apart', async () => {
      const twins = (await json('agent', 'list')).filter(({ displayName }: Loose) => displayName === 'Twin');
      const dids = twins.map(({ did }: Loose) => did).sort();
      await json('principal', 'delegate', 'Household', '--agent', ...dids);
      const { stdout } = await run('principal', 'show', 'Household');
      assert.match(stdout, /^Passkeys +none; enroll-link makes a link for one$/m);
      assert.match(stdout, /^Payment methods +none of its own$/m);
      assert.deepEqual((await json('spend', '--principal', 'Household')).totals, []);
      for (const did of dids) assert.ok(stdout.includes(`Twin (…${did.slice(-6)})`), stdout);
      assert.match(stdout, /Tea buyer, |, Tea buyer/);
      const { key } = await json('key', 'create', '--name', 'admin alone', '--permissions', 'admin');
      const admin = await run('principal', 'show', world.principal.did, '--key', key);
      assert.ok(admin.stdout.includes(buyer.did), 'a key that reads no agents sees their DIDs');
      const keys = await run('key', 'list');
      assert.match(keys.stdout, /^KEY +MAY +TIER +LAST USED +REVOKED +ACTS FOR +NAME\n/);
      assert.match(keys.stdout, / Tea buyer +for one\n/);
      const ones = await json('principal', 'add', makePeer().did, '--name', 'Bachelor', '--agent', 'Tea buyer');
      await json('principal', 'add', makePeer().did, '--name', 'Bachelor');
      assert.equal(ones.name, 'Bachelor');
      assert.match((await run('principal', 'show', 'Bachelor')).stderr, / 1 agent\n/);
      await json('principal', 'withdraw', 'Household', '--agent', ...dids);
    });

    test('lists show names and links, and are narrowed by an agent’s name', async () => {
      await makePerson(world).enroll({ principalDid: world.principal.did });
      const first = mandateIdOf(await purchase(world, 20, { agent: buyer })) as string;
      await purchase(world, 21);
      const { approval } = await askForApproval(world, 150, buyer);
      const payments = await run('payment', 'list');
      assert.match(payments.stdout, /^PAYMENT +STATUS +WHEN +AMOUNT +MERCHANT +AGENT\n/);
      assert.match(payments.stdout, new RegExp(`${first} .* 20\\.00 USD +shop\\.example +Tea buyer\n`));
      assert.match((await run('payment', 'show', first)).stdout, /Agent +Tea buyer \(did:key:z6Mk\w+\)\n/);
      const approvals = await run('approvals', 'list', '--status', 'pending', '--agent', 'Tea buyer');
      assert.match(approvals.stdout, /^REQUEST +STATUS +WHEN +AMOUNT +MERCHANT +AGENT +LINK\n/);
      assert.match(approvals.stdout, new RegExp(`shop\\.example +Tea buyer +${approval.url}\n`));
      const ids = async (...args: string[]) =>
        (await json('payment', 'list', ...args)).map(({ mandateId }: Loose) => mandateId);
      assert.deepEqual(await ids('--agent', 'Tea buyer'), [first]);
      assert.deepEqual(await ids('--agent', 'Tea buyer', '--status', 'CAPTURED'), []);
    });

    test('all active agents are suspended at once', async () => {
      const neither = await run('agent', 'suspend');
      assert.deepEqual([neither.code, neither.stderr], [2, 'Give an agent, or --all for every active one.\n']);
      assert.equal((await run('agent', 'suspend', 'Twin', '--all')).code, 2);
      const frozen = await run('agent', 'freeze', 'Tea buyer');
      assert.equal(frozen.code, 0, frozen.stderr);
      assert.match(frozen.stdout, /Status +SUSPENDED/);
      const ended = await run('agent', 'suspend', '--all', '--reason', 'a leak');
      assert.deepEqual([ended.code, ended.stdout], [0, '3 agents are suspended.\n'], ended.stderr);
      assert.deepEqual(await json('agent', 'list', '--status', 'ACTIVE'), []);
      assert.deepEqual(await json('agent', 'suspend', '--all'), []);
      const refused = await world.rest('POST', '/ap2/intents', world.intentBody(5, { agent: buyer }));
      assert.deepEqual(refused.body.reasonCodes, ['AGENT_SUSPENDED']);
    });
  });
}
