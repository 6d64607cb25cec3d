/** The agent cards: which one a caller gets, how long it may be kept, and that stock clients of A2A read and verify them. */
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import * as current from '@a2a-js/sdk/client';
import * as former from 'a2a-js-sdk-v03/client';
import { Ajv } from 'ajv';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { createLocalJWKSet, decodeProtectedHeader, type FlattenedJWSInput } from 'jose';
import { APPROVALS } from '../../protocol/a2a/approvalParts.ts';
import { MANDATES } from '../../protocol/a2a/extensionUris.ts';
import { DID_PROOF } from '../../protocol/a2a/normalForm.ts';
import { canonical } from '../../protocol/credential/canonical.ts';
import { keyId } from '../../protocol/credential/did.ts';
import { everyEngine } from '../support/engines.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const SITE = '/.well-known/agent-card.json';
const ENDPOINT = '/a2a/v1/.well-known/agent-card.json';
/** What the card of the node's own dialect was made of before it named the standard's endpoint. */
const OWN_MEMBERS =
  '@context @type did name version description url provider capabilities protocols endpoints authentication'.split(' ');

/** The standard's own schemas; they are not copied into this project. */
const SCHEMAS = process.env['A2A_SCHEMAS'] ?? '/work/shared/vectors/a2a';
const skip = existsSync(SCHEMAS) ? false : `there are no schemas of A2A at ${SCHEMAS} (A2A_SCHEMAS)`;

describe('the agent card', () => {
  let world: World;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  });
  after(() => world.close());

  const ask = (path: string, headers: Record<string, string> = {}) => world.rest('GET', path, undefined, headers);
  const cardOf = async (version: string, path = SITE): Promise<Loose> => {
    const { status, text, body } = await ask(path, { 'A2A-Version': version });
    assert.equal(status, 200, text);
    return body;
  };

  test('who names no version gets the node’s own card, with every member it had and the endpoint of the standard', async () => {
    const { body } = await ask(SITE);
    for (const name of OWN_MEMBERS) assert.ok(name in body, name);
    assert.ok(Array.isArray(body.capabilities));
    assert.equal(body.url, world.node.baseUrl);
    assert.equal(body.did, world.node.deps.issuer.did);
    const url = `${world.node.baseUrl}/a2a/v1`;
    assert.deepEqual([body.protocolVersion, body.preferredTransport], ['0.3.0', 'JSONRPC']);
    assert.deepEqual(body.additionalInterfaces, [{ transport: 'JSONRPC', url }]);
    const versions = ['1.0', '0.3'].map((protocolVersion) => ({ url, protocolBinding: 'JSONRPC', protocolVersion }));
    assert.deepEqual(body.supportedInterfaces, versions);
  });

  test('a version is named by the header or by the query, the header first, and an empty one does not count', async () => {
    const [own, first, second] = [(await ask(SITE)).body, await cardOf('1.0'), await cardOf('0.3')];
    for (const named of ['1.0', '1.7', '1.0.3']) assert.deepEqual(await cardOf(named), first, named);
    for (const named of ['0.3', '0.3.0']) assert.deepEqual(await cardOf(named), second, named);
    assert.deepEqual((await ask(`${SITE}?A2A-Version=1.0`)).body, first);
    assert.deepEqual((await ask(`${SITE}?A2A-Version=0.3`, { 'A2A-Version': '1.0' })).body, first);
    assert.deepEqual((await ask(`${SITE}?A2A-Version=`, { 'A2A-Version': '' })).body, own);
    assert.ok(first.securityRequirements && second.security);
  });

  test('at the endpoint who names no version gets the signed card of v1.0, with the members of v0.3 beside it', async () => {
    const [shared, first, second] = [(await ask(ENDPOINT)).body, await cardOf('1.0'), await cardOf('0.3')];
    for (const name of Object.keys(first).filter((each) => each !== 'securitySchemes')) {
      assert.deepEqual(shared[name], first[name], name);
    }
    for (const name of ['url', 'protocolVersion', 'preferredTransport', 'additionalInterfaces', 'security']) {
      assert.deepEqual(shared[name], second[name], name);
    }
    for (const [name, scheme] of Object.entries<object>(shared.securitySchemes)) {
      assert.deepEqual(scheme, { ...second.securitySchemes[name], ...first.securitySchemes[name] });
    }
    for (const version of ['1.0', '0.3']) {
      assert.equal(
        (await ask(ENDPOINT, { 'A2A-Version': version })).text,
        (await ask(SITE, { 'A2A-Version': version })).text,
      );
    }
  });

  test('another version is refused with those that there are', async () => {
    for (const path of [SITE, ENDPOINT]) {
      for (const named of ['2.0', '0.2.5', '1', '1.', '1.0.0.0', 'latest', '1.0, 0.3']) {
        const { status, body } = await ask(path, { 'A2A-Version': named });
        assert.equal(status, 400, named);
        assert.match(body.error.message, /1\.0 and 0\.3\.$/);
      }
      assert.equal((await ask(`${path}?A2A-Version=1.0&A2A-Version=0.3`)).status, 400);
    }
  });

  test('a card may be kept for five minutes by a client that asked for that version, and 304 answers one that has it', async () => {
    const tags = new Set<string>();
    for (const path of [SITE, ENDPOINT]) {
      for (const headers of [{}, { 'A2A-Version': '0.3' }, { 'A2A-Version': '1.0' }] as Record<string, string>[]) {
        const given = await ask(path, headers);
        const etag = given.headers.get('etag') ?? '';
        const again = await ask(path, { ...headers, 'If-None-Match': etag });
        assert.deepEqual([given.status, again.status, again.text], [200, 304, '']);
        for (const answer of [given, again]) {
          const of = (name: string) => answer.headers.get(name);
          assert.equal(of('cache-control'), 'public, max-age=300');
          assert.match(of('vary') ?? '', /A2A-Version/);
          assert.equal(of('access-control-allow-origin'), '*');
          assert.equal(of('cross-origin-resource-policy'), 'cross-origin');
          assert.equal(of('etag'), etag);
          const age = Date.now() - Date.parse(of('last-modified') ?? '');
          assert.ok(age >= 0 && age < 3_600_000, `last modified ${age} ms ago`);
        }
        tags.add(etag);
        const other = await ask(path, { 'A2A-Version': '1.0', 'If-None-Match': etag });
        assert.equal(other.status, headers['A2A-Version'] === '1.0' ? 304 : 200, 'no version answers for another');
      }
    }
    assert.equal(tags.size, 4);
    const refused = await ask(SITE, { 'A2A-Version': '9.9' });
    assert.equal(refused.headers.get('cache-control'), 'no-store');
  });

  test('both versions name the same skills, ways to prove oneself and extensions, and require no extension', async () => {
    const [first, second] = [await cardOf('1.0'), await cardOf('0.3')];
    const ids = ['request-intent', 'validate-cart', 'pay', 'purchase'];
    for (const card of [first, second, (await ask(SITE)).body]) {
      assert.deepEqual(
        card.skills.map(({ id }: Loose) => id),
        ids,
      );
      for (const { tags, examples } of card.skills) assert.ok(tags.length > 0 && examples.length > 0);
      assert.deepEqual(card.defaultInputModes, ['application/json', 'text/plain']);
    }
    assert.deepEqual(first.capabilities.extensions, second.capabilities.extensions);
    const extensions = new Map<string, Loose>(first.capabilities.extensions.map((each: Loose) => [each.uri, each]));
    const ap2 = ['ap2/tree/v0.1', 'ap2/v1'].map((path) => `https://github.com/google-agentic-commerce/${path}`);
    assert.deepEqual([...extensions.keys()], [...ap2, MANDATES, APPROVALS, DID_PROOF]);
    for (const uri of ap2) {
      assert.deepEqual(extensions.get(uri).params, { roles: ['credentials-provider', 'payment-processor'] });
    }
    assert.deepEqual(extensions.get(DID_PROOF).params, { did: world.node.deps.issuer.did });
    for (const { required } of extensions.values()) assert.equal(required, undefined);
    assert.deepEqual(Object.keys(first.securitySchemes), Object.keys(second.securitySchemes));
    assert.equal(second.securitySchemes.bearer.type, 'http');
    assert.equal(second.securitySchemes.didProof.in, 'header');
    assert.equal(second.url, `${world.node.baseUrl}/a2a/v1`);
  });

  test('llms.txt leads models to the endpoint, to its card and to the key', async () => {
    const { text } = await ask('/llms.txt');
    for (const path of ['/a2a/v1', SITE, '/.well-known/jwks.json']) {
      assert.ok(text.includes(`(${world.node.baseUrl}${path})`), path);
    }
  });

  test('the client of a2a-js 1.3.0 finds the endpoint from the base address', async () => {
    const posted: string[] = [];
    const fetchImpl = recordPosts(posted);
    const factory = new current.ClientFactory({
      transports: [new current.JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new current.DefaultAgentCardResolver(),
    });
    const client = await factory.createFromUrl(world.node.baseUrl);
    await assert.rejects(client.getTask({ id: 'task_1', tenant: '' }));
    assert.deepEqual(posted, [`${world.node.baseUrl}/a2a/v1`]);
    const { securitySchemes } = await client.getAgentCard();
    assert.equal(securitySchemes['didProof']?.scheme?.$case, 'apiKeySecurityScheme');
  });

  test('the client of a2a-js 0.3.14 finds it too, from the base address and from the endpoint’s', async () => {
    for (const [address, path] of [
      [world.node.baseUrl, SITE],
      [world.node.baseUrl, ENDPOINT],
    ] as const) {
      const posted: string[] = [];
      const fetchImpl = recordPosts(posted);
      const factory = new former.ClientFactory({ transports: [new former.JsonRpcTransportFactory({ fetchImpl })] });
      const client = await factory.createFromUrl(address, path);
      await assert.rejects(client.getTask({ id: 'task_1' }));
      assert.deepEqual(posted, [`${world.node.baseUrl}/a2a/v1`], path);
    }
  });

  test('a2a-js 1.3.0 verifies the card of v1.0 by the key in the key set, and no altered one', async (context) => {
    context.mock.method(console, 'debug', () => {});
    const card = await cardOf('1.0');
    const keys = createLocalJWKSet((await ask('/.well-known/jwks.json')).body);
    const asked: (string | undefined)[] = [];
    const check = verifyAgentCardSignature(async (kid, jku) => {
      asked.push(kid, jku);
      return (await keys({ alg: 'EdDSA', kid }, {} as FlattenedJWSInput)) as never;
    });
    // The library reads a card as it came; what its resolver makes of one has lost the security schemes for this.
    await check(card);
    await check((await ask(ENDPOINT)).body);
    assert.deepEqual(asked.slice(0, 2), [
      keyId(world.node.deps.issuer.did),
      `${world.node.baseUrl}/.well-known/jwks.json`,
    ]);
    for (const altered of alterations(card)) await assert.rejects(check(altered), /No valid signatures/);
  });

  test('Python’s canonical form of the card is the one that was signed, whichever page it is read from', async () => {
    const { x } = (await ask('/.well-known/jwks.json')).body.keys[0];
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    for (const card of [await cardOf('1.0'), (await ask(ENDPOINT)).body]) {
      const [{ protected: header, signature }] = card.signatures;
      const { signatures: _, ...read } = AgentCard.toJSON(AgentCard.fromJSON(card)) as Loose;
      const signed = Buffer.from(`${header}.${Buffer.from(pythonForm(read)).toString('base64url')}`);
      assert.ok(verify(null, signed, key, Buffer.from(signature, 'base64url')));
    }
  });

  test('every card is ASCII, and no parameter of an extension is a number', async () => {
    for (const [path, version] of [
      [SITE, '1.0'],
      [SITE, '0.3'],
      [SITE, ''],
      [ENDPOINT, ''],
    ] as const) {
      const { text, body } = await ask(path, { 'A2A-Version': version });
      assert.doesNotMatch(text, /[^\0-~]/, `${path} ${version}`);
      const extensions: Loose[] = body.capabilities.extensions ?? [];
      const values = extensions.flatMap(({ params }) => Object.values(params ?? {}).flat());
      for (const value of values) assert.equal(typeof value, 'string', `${path} ${version}`);
    }
  });

  test('the signature covers the card as it is served, and says by which key in which set', async () => {
    const { signatures, ...card } = await cardOf('1.0');
    assert.equal(signatures.length, 1);
    const { did } = world.node.deps.issuer;
    const jku = `${world.node.baseUrl}/.well-known/jwks.json`;
    assert.deepEqual(decodeProtectedHeader(signatures[0]), { alg: 'EdDSA', typ: 'JOSE', kid: keyId(did), jku });
    assert.equal(canonical(AgentCard.toJSON(AgentCard.fromJSON(card))), canonical(card), 'it has no default values');
    const { keys } = (await ask('/.well-known/jwks.json')).body;
    assert.deepEqual(
      keys.map(({ kid, kty, crv, alg, use }: Loose) => ({ kid, kty, crv, alg, use })),
      [
        { kid: keyId(did), kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' },
        { kid: world.node.deps.keys.receiptSigner.jwk.kid, kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' },
      ],
    );
  });

  test('the card of v1.0 is one by the standard’s schema', { skip }, async () => {
    assertValid(schemaOfV1(), await cardOf('1.0'));
  });

  test('the card of v0.3 is one by the standard’s schema, and the node’s own lacks only what it had for itself', {
    skip,
  }, async () => {
    const schema = schemaOfV03();
    assertValid(schema, await cardOf('0.3'));
    const { capabilities: _, provider: __, ...own } = (await ask(SITE)).body;
    assertValid(schema, { ...own, capabilities: {} });
  });
});

/** JSON as Python's `json.dumps(card, separators=(",", ":"), sort_keys=True)` writes it, over which its A2A library signs and checks. */
function pythonForm(value: Loose): string {
  if (Array.isArray(value)) return `[${value.map(pythonForm).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value).sort();
    return `{${names.map((name) => `${pythonForm(name)}:${pythonForm(value[name])}`).join(',')}}`;
  }
  // protobuf gives every number of a Struct as a float.
  if (typeof value === 'number' && Number.isInteger(value)) return `${value}.0`;
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[^\0-~]/g, escaped);
}

/** Lets what is posted end there: where it goes is what is asked. */
function recordPosts(posted: string[]): typeof fetch {
  return async (url) => {
    posted.push(String(url));
    return new Response('{}', { status: 503 });
  };
}

function alterations(card: Loose): Loose[] {
  const changes: ((copy: Loose) => void)[] = [
    (copy) => Object.assign(copy, { name: 'Countersigm' }),
    (copy) => Object.assign(copy.supportedInterfaces[0], { url: 'https://elsewhere.example/a2a/v1' }),
    (copy) => Object.assign(copy.capabilities.extensions.at(-1).params, { did: 'did:key:z6MkOther' }),
    (copy) => copy.securityRequirements.pop(),
    (copy) => Object.assign(copy.capabilities, { extendedAgentCard: true }),
    ({ signatures: [first] }) => Object.assign(first, { signature: changed(first.signature) }),
  ];
  return changes.map((change) => {
    const copy = structuredClone(card);
    change(copy);
    return copy;
  });
}

function changed(text: string): string {
  return (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
}

function assertValid(valid: ValidateFunction, card: object): void {
  assert.ok(valid(card), JSON.stringify(valid.errors));
}

/** Its definitions go by their titles, and refer to each other by the names of files. */
function schemaOfV1(): ValidateFunction {
  const { definitions } = readSchema('a2a-v1.0.schema.json');
  const ajv = new Ajv2020({ strict: false });
  for (const [title, schema] of Object.entries<object>(definitions)) {
    const name = title.replaceAll(' ', '');
    const from = ['Struct', 'Timestamp', 'Value'].includes(name) ? 'google.protobuf' : 'lf.a2a.v1';
    ajv.addSchema(schema, `${from}.${name}.jsonschema.json`);
  }
  return ajv.getSchema('lf.a2a.v1.AgentCard.jsonschema.json') as ValidateFunction;
}

function schemaOfV03(): ValidateFunction {
  const ajv = new Ajv({ strict: false }).addSchema(readSchema('a2a-v0.3.schema.json'), 'a2a');
  return ajv.compile({ $ref: 'a2a#/definitions/AgentCard' });
}

function readSchema(name: string): Loose {
  return JSON.parse(readFileSync(join(SCHEMAS, name), 'utf8'));
}
