/** The OpenAPI document: valid, complete, and true: every example is sent, and every answer is as it says. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { validate } from '@readme/openapi-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Example } from '../../src/documents/examples/example.ts';
import { CANCELED_PAYMENT } from '../../src/documents/examples/paymentExamples.ts';
import { templated } from '../../src/documents/openapi/split.ts';
import { allOperations, allRoutes, loadApi } from '../../src/extensions/nodeOperations.ts';
import { taskMethods } from '../../src/extensions/standard-a2a/operations/taskOperations.ts';
import type { Route } from '../../src/gates/rest/routes.ts';
import { readConfig } from '../../src/node/config/config.ts';
import { describeRoutes } from '../../src/node/describeNode.ts';
import { insertUser } from '../../src/store/statements/people/users.ts';
import { type UseCase, useCaseIn } from '../../src/usecase/useCase.ts';
import { type Contract, contractOf } from '../support/contract.ts';
import { person } from '../support/credentials.ts';
import { everyEngine } from '../support/engines.ts';
import { requestOf } from '../support/exampleRequest.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { casesOf, replay } from '../support/replay.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

/** Only a person who has logged in decides on people. */
const OWNERS_ONLY: ReadonlySet<string> = new Set(['setUserRole', 'removeUser', 'acceptTools']);
const { examples } = await loadApi();
const NO_REQUEST = { method: 'GET', path: '/', body: '' };

describe('the OpenAPI document', () => {
  let world: World;
  let documented: Loose;
  let contract: Contract;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    documented = (await world.rest('GET', '/openapi.json', undefined, {})).body;
    contract = contractOf(documented);
  });
  after(() => world.close());

  test('a validator finds no error in it', async () => {
    const result = await validate(structuredClone(documented));
    assert.equal(result.valid, true, JSON.stringify(result));
    assert.equal(documented.openapi, '3.1.0');
    assert.equal(JSON.stringify(documented).includes('#/components/schemas/own'), false);
  });

  test('it has every route of the node, and the node every operation of it', () => {
    const open = describeRoutes(readConfig({})).filter(({ path }) => !PAGE_FILES.test(path));
    const served = [...allRoutes, ...open].map(({ method, path }) => `${method} ${templated(path)}`);
    const described = Object.entries<object>(documented.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(described.sort(), served.sort());
    assert.equal(new Set(served).size, served.length);
    assert.deepEqual(
      new Set(allRoutes.map(({ useCase }) => useCase)),
      new Set(Object.keys(allOperations).filter((name) => !Object.hasOwn(taskMethods, name))),
    );
  });

  test('each operation names its permission, and none has a name twice', () => {
    const names = new Set<string>();
    for (const item of Object.values<Record<string, Loose>>(documented.paths)) {
      for (const operation of Object.values(item)) {
        assert.ok(!names.has(operation.operationId), operation.operationId);
        names.add(operation.operationId);
        const useCase = (allOperations as Record<string, UseCase>)[operation.operationId];
        if (useCase === undefined) continue;
        if (!['any', 'self'].includes(useCase.permission))
          assert.match(operation.description, new RegExp(`\`${useCase.permission}\``));
        const idempotent = operation.parameters.some((each: Loose) => each.$ref?.endsWith('/IdempotencyKey'));
        assert.equal(idempotent, useCase.idempotent === true, operation.operationId);
      }
    }
  });

  test('what an operation asks of its caller is said, where that is no permission too', () => {
    const of = (method: string, path: string) => documented.paths[path][method];
    const refresh = of('post', '/ap2/auth/refresh');
    assert.deepEqual(refresh.security, [{ refreshCookie: [] }]);
    assert.match(refresh.description, /refresh cookie/);
    assert.equal(documented.components.securitySchemes.refreshCookie.in, 'cookie');
    assert.match(of('get', '/ap2/auth/callback').description, /cookie that `\/ap2\/auth\/login` set/);
    assert.match(of('post', '/ap2/rails/stripe/events').description, /Stripe-Signature/);
    assert.equal(of('get', '/healthz').description, 'Public.');
    for (const route of allRoutes) {
      const { permission, showsOwn } = allOperations[route.useCase] as UseCase;
      if (permission !== 'read') continue;
      const { description, security } = of(route.method.toLowerCase(), templated(route.path));
      assert.equal(/an agent sees what is its own/.test(description), showsOwn === true, route.useCase);
      assert.equal(
        security.some((each: Loose) => 'didProof' in each),
        showsOwn === true,
      );
    }
  });

  test('what is served in forms says that another one is refused', () => {
    assert.ok('406' in documented.paths['/ap2/credentials/{id}'].get.responses);
  });

  test('each example is an input that its use case takes', () => {
    for (const [name, example] of Object.entries<Example>(examples)) {
      for (const { input } of casesOf(example)) {
        const parsed = useCaseIn(allOperations, name).input.safeParse(input);
        assert.ok(parsed.success, `${name}: ${parsed.error?.message}`);
      }
    }
  });

  test('an input of alternatives is the body of its operation', () => {
    const { schema } = documented.paths['/ap2/auth/notifications'].post.requestBody.content['application/json'];
    assert.equal((schema.anyOf ?? schema.oneOf).length, 7);
  });

  test('each example of an answer is one that its schema allows', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addSchema(documented, 'openapi');
    let seen = 0;
    for (const [path, item] of Object.entries<Record<string, Loose>>(documented.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        for (const [status, response] of Object.entries<Loose>(operation.responses)) {
          const json = response.content?.['application/json'];
          if (json === undefined) continue;
          const given =
            json.example === undefined ? Object.values<Loose>(json.examples ?? {}) : [{ value: json.example }];
          const pointer = [path, method, 'responses', status, 'content', 'application/json', 'schema']
            .map((step) => encodeURIComponent(step.replaceAll('/', '~1')))
            .join('/');
          for (const { value } of given) {
            const valid = ajv.compile({ $ref: `openapi#/paths/${pointer}` });
            assert.ok(valid(value), `${method} ${path} ${status}: ${ajv.errorsText(valid.errors)}`);
            seen += 1;
          }
        }
      }
    }
    assert.ok(seen >= allRoutes.filter(({ status }) => status !== 204).length, `only ${seen} were looked at`);
  });

  test('each example can be sent as it stands, ids aside, and is answered as the document says', async () => {
    const other = await purchase(world, 20);
    const user = userRow(world);
    await world.node.deps.store.write(world.node.tenantId, () => insertUser(user));
    const story = replay(
      new Map<string, unknown>([
        [CANCELED_PAYMENT, mandateIdOf(other)],
        [String((examples['setUserRole'] as Example).input['id']), user.id],
      ]),
    );
    const wrong: string[] = [];
    const left = new Set(allRoutes.map(({ useCase }) => useCase));
    for (const [name, example] of Object.entries<Example>(examples)) {
      left.delete(name);
      if (example.notPlayed !== undefined) continue;
      const route = allRoutes.find(({ useCase }) => useCase === name) as Route;
      for (const { input, output } of casesOf(example)) {
        const [path, body] = requestOf(route, story.fill(input));
        const headers = OWNERS_ONLY.has(name) ? await person(world, 'OWNER', 0).headers(NO_REQUEST) : undefined;
        const reply = await world.rest(route.method, path, body, headers);
        if (reply.status !== route.status) {
          wrong.push(`${name}: ${reply.text}`);
          continue;
        }
        contract.check(route.method, path, { ...reply, contentType: reply.headers.get('content-type') });
        const promised = (output as Loose)?.allowed;
        if (promised !== undefined) assert.equal(reply.body.allowed, promised, `${name}: ${reply.text}`);
        story.learn(output, reply.body);
      }
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual([...left], [], 'every operation has an example');
  });
});

/** What the node's own pages are made of; the document is about what programs call. */
const PAGE_FILES = /^\/(docs|pages|console)\/./;

function userRow(world: World) {
  const now = Date.now();
  const id = world.node.deps.newId('usr_');
  const person = {
    issuer: 'https://people.example',
    subject: 'ada',
    email: 'ada@people.example',
    role: 'VIEWER',
    name: null,
  };
  const did = world.node.deps.people.didOf(id);
  return { id, tenant_id: world.node.tenantId, did, created_at: now, last_login_at: now, ...person };
}
