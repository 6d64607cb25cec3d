/** Every route with every kind of credential: who is let in, and with which words the others are turned away. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Permission } from '../../src/access/caller.ts';
import type { Example } from '../../src/documents/examples/example.ts';
import { intentExamples } from '../../src/documents/examples/intentExamples.ts';
import { allOperations, allRoutes, loadApi, type OperationName } from '../../src/extensions/nodeOperations.ts';
import type { Route } from '../../src/gates/rest/routes.ts';
import { readConfig } from '../../src/node/config/config.ts';
import { describeRoutes } from '../../src/node/describeNode.ts';
import type { UseCase } from '../../src/usecase/useCase.ts';
import { contractAt } from '../support/contract.ts';
import { type Credential, everyCredential } from '../support/credentials.ts';
import { everyEngine } from '../support/engines.ts';
import { requestOf } from '../support/exampleRequest.ts';
import { makePeer } from '../support/peer.ts';
import { casesOf, replay } from '../support/replay.ts';
import { makeWorld, type World } from '../support/world.ts';

type Members = Readonly<Record<string, unknown>>;

/** What no permission says: an agent does not bring in other agents. */
const NEVER_AGENTS: ReadonlySet<OperationName> = new Set([
  'registerAgent',
  'registerDelegation',
  'previewDelegation',
] as const);
/** What no permission says: who may make keys would make one that raises them. */
const OWNERS_ONLY: ReadonlySet<OperationName> = new Set([
  'acceptTools',
  'setUserRole',
  'removeUser',
  'removeUserPasskey',
  'listUserLogins',
  'endUserLogin',
  'endUserLogins',
] as const);
/** What only people have: a login, and passkeys of their own. */
const PEOPLE_ONLY: ReadonlySet<OperationName> = new Set([
  'beginStepUp',
  'completeStepUp',
  'allowProgram',
  'listOwnPasskeys',
  'beginOwnPasskey',
  'completeOwnPasskey',
  'renameOwnPasskey',
  'removeOwnPasskey',
  'listLogins',
  'endOwnLogin',
  'endOwnLogins',
  'showNotifications',
  'addNotifications',
  'confirmNotifications',
  'changeNotifications',
  'removeNotifications',
  'tryNotifications',
] as const);
const NOT_OWNING: ReadonlySet<string> = new Set(['the token of ADMIN', 'a admin key']);
/** What no caller may by a request where there are several tenants, as there are here. */
const WHOLE_NODE: ReadonlySet<OperationName> = new Set([
  'startBackup',
  'downloadBackup',
  'showBackupSchedule',
  'setBackupSchedule',
  'endBackupSchedule',
  'startScheduledBackup',
] as const);
/** What a purchase leaves behind, besides all that is answered with 201. */
const { examples } = await loadApi();
const LEAVES: ReadonlySet<OperationName> = new Set([
  'issueIntent',
  'demoCart',
  'demoAp2Cart',
  'demoPresenceProof',
  'validateAp2Cart',
  'validateCart',
  'mandatePayment',
] as const);

/** The rule: a status and a code, a status alone, or undefined where the caller is let in. */
function refusalOf(route: Route, credential: Credential): string | undefined {
  if (credential.refused !== undefined) return `401 ${credential.refused}`;
  const { permission, showsOwn } = allOperations[route.useCase] as UseCase;
  const mayAsAny = permission === 'self' || (permission === 'any' && credential.name !== 'the token of PENDING');
  if (!mayAsAny && !credential.permissions.includes(permission as Permission)) return '403 FORBIDDEN';
  if (OWNERS_ONLY.has(route.useCase) && credential.name !== 'the token of OWNER') return '403 FORBIDDEN';
  if (PEOPLE_ONLY.has(route.useCase) && !credential.name.startsWith('the token of')) return '403 FORBIDDEN';
  if (WHOLE_NODE.has(route.useCase)) return '403 FORBIDDEN';
  // A person who is no OWNER may not invite, nor may a key that a key made.
  if (route.useCase === 'createInvitation' && NOT_OWNING.has(credential.name)) return '403 FORBIDDEN';
  // The example's key may read and write, which its maker may not.
  if (route.useCase === 'createApiKey' && credential.name === 'a admin key') return '403 FORBIDDEN';
  if (credential.agent !== undefined && permission === 'read' && showsOwn !== true) return '403 FORBIDDEN';
  if (credential.agent !== undefined && NEVER_AGENTS.has(route.useCase)) return '403 FORBIDDEN';
  if (credential.elsewhere === true && route.path.includes(':')) return '404 NOT_FOUND';
  return undefined;
}

for (const engine of everyEngine()) {
  describe(`the matrix on ${engine.name}`, () => {
    let world: World;
    let credentials: Credential[];
    const wrong = new Set<string>();
    /** The inputs of the examples with what really is in this tenant. */
    let real: (input: Members) => Members;
    before(async () => {
      world = await makeWorld(engine);
      // What is turned away before the store is asked need not be asked on every engine.
      const all = await everyCredential(world);
      credentials = engine.name === 'sqlite' ? all : all.filter(({ asksStore }) => asksStore !== false);
      const story = replay();
      for (const [name, example] of Object.entries<Example>(examples)) {
        const route = allRoutes.find(({ useCase }) => useCase === name) as Route;
        if (example.notPlayed !== undefined || (route.status !== 201 && !LEAVES.has(route.useCase))) continue;
        for (const { input, output } of casesOf(example)) {
          const [path, body] = requestOf(route, story.fill(input));
          story.learn(output, (await world.rest(route.method, path, body)).body);
        }
      }
      real = story.fill;
      const { mandateId } = intentExamples.getIntent.input;
      assert.notEqual(real({ mandateId }).mandateId, mandateId, 'there is something real to be asked for');
    });
    after(() => world.close());

    /** Sends an example's input as it stands, so that nothing real is changed by who is let in. */
    async function ask(route: Route, credential: Credential): Promise<string> {
      const { input } = examples[route.useCase] as Example;
      const own = credential.agent === undefined || !('agentDid' in input) ? {} : { agentDid: credential.agent.did };
      const given: Record<string, unknown> = { ...(credential.elsewhere === true ? real(input) : input), ...own };
      // Two tenants may have a principal of the same DID, and this one is not to get one by asking.
      if (credential.elsewhere === true && route.useCase === 'registerPrincipal') given.did = makePeer().did;
      return answerTo(route.method, ...requestOf(route, given), credential);
    }

    async function answerTo(method: string, path: string, body: object | undefined, credential: Credential) {
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = await credential.headers({ method, path: path.split('?')[0] as string, body: text });
      const response = await fetch(world.node.address + path, {
        method,
        redirect: 'manual',
        headers: { ...headers, ...(text === '' ? {} : { 'Content-Type': 'application/json' }) },
        ...(text === '' ? {} : { body: text }),
      });
      const contentType = response.headers.get('content-type');
      // A stream that has no end is let go once it has begun.
      const endless = contentType?.startsWith('text/event-stream') === true;
      const answer = endless ? '' : await response.text();
      if (endless) await response.body?.cancel();
      const contract = await contractAt(world.node.address);
      try {
        contract.check(method, path, { status: response.status, contentType, text: answer });
      } catch (undocumented) {
        wrong.add((undocumented as Error).message);
      }
      const isJson = contentType?.startsWith('application/json') === true;
      const code = response.status < 400 || !isJson ? '' : ` ${JSON.parse(answer).error?.code}`;
      return `${response.status}${code}`;
    }

    test('each credential is let in where the use case’s permission says so, and nowhere else', async (context) => {
      wrong.clear();
      let cells = 0;
      // What is asked for elsewhere goes first, while everything there is still in its place.
      const order = [...credentials].sort((a, b) => Number(b.elsewhere === true) - Number(a.elsewhere === true));
      for (const credential of order) {
        await inParallel(allRoutes, async (route) => {
          const expected = refusalOf(route, credential);
          const answer = await ask(route, credential);
          const right = expected === undefined ? !/^(401|403|5\d\d)/.test(answer) : answer === expected;
          if (!right) wrong.add(`${route.method} ${route.path} by ${credential.name}: ${answer}, not ${expected}`);
          cells += 1;
        });
      }
      assert.deepEqual([...wrong], []);
      assert.equal(cells, allRoutes.length * credentials.length);
      context.diagnostic(
        `${cells} cells on ${engine.name}: ${allRoutes.length} routes × ${credentials.length} credentials`,
      );
    });

    if (engine.name !== 'sqlite') return;
    test('a route that needs no credential answers each of them alike', async (context) => {
      const open = describeRoutes(readConfig({}));
      wrong.clear();
      let cells = 0;
      await inParallel(open, async ({ method, path }) => {
        const filled = path.replace(/:\w+/g, 'unknown');
        const answers = await Promise.all(
          credentials.map((credential) => answerTo(method, filled, undefined, credential)),
        );
        for (const [index, answer] of answers.entries()) {
          if (answer !== answers[0]) wrong.add(`${method} ${path} by ${credentials[index]?.name}: ${answer}`);
          cells += 1;
        }
      });
      assert.deepEqual([...wrong], []);
      context.diagnostic(`${cells} cells on ${engine.name}: ${open.length} open routes`);
    });
  });
}

/** A few at a time, so that the engines can put their commits together. */
async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const take = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 12 }, take));
}
