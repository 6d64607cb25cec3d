/** Names and scope of the packages are in scripts/packages.json; manifests, pages and code agree with it. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import packages from '../../scripts/packages.json' with { type: 'json' };

const read = (file: string) => readFileSync(file, 'utf8');
const manifestOf = (file: string) => JSON.parse(read(file));
const [node, client] = [manifestOf('package.json'), manifestOf('packages/client/package.json')];
const python = (member: string) =>
  new RegExp(`^${member} = "(.*)"$`, 'm').exec(read('packages/python/pyproject.toml'))?.[1];

test('the manifests have the names, one version, and what it takes to publish', () => {
  assert.deepEqual([node.name, client.name, python('name')], [packages.node, packages.client, packages.python]);
  assert.deepEqual([client.version, python('version')], [node.version, node.version]);
  for (const { name, private: isPrivate, publishConfig, repository, license } of [node, client]) {
    assert.equal(isPrivate, undefined, `${name} is private`);
    assert.deepEqual(publishConfig, { access: 'public', provenance: true });
    assert.equal(repository.url, `git+${packages.repository}.git`);
    assert.equal(license, 'Apache-2.0');
  }
});

test('the examples take the client of this version', () => {
  const manifests = readdirSync('examples', { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^[\w-]+\/package\.json$/.test(path),
  );
  const takers = manifests.map((path) => manifestOf(`examples/${path}`).dependencies?.[packages.client]);
  assert.ok(takers.filter((taken) => taken === client.version).length >= 2);
  assert.ok(takers.every((taken) => taken === undefined || taken === client.version));
});

test('releases are those of the repository that the manifests name', () => {
  assert.equal(manifestOf('data/release.json').releases, `${packages.repository}/releases`);
});

test('the node has no client to import, and the client needs no other package', () => {
  assert.deepEqual(Object.keys(node.exports), ['./package.json']);
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    assert.equal(client[kind], undefined);
});

test('Python imports the client by a name of ours: countersign is another project’s', () => {
  assert.equal(packages.pythonModule, packages.python.replace('-', '_'));
  const args = [
    'grep',
    '-nE',
    '(from|import) countersign( |\\.|$)|pip install .*countersign( |\\[|$)',
    '--',
    'docs',
    'README.md',
  ];
  const found = spawnSync('git', [...args, 'packages', 'examples', 'console', 'src'], { encoding: 'utf8' });
  assert.deepEqual([found.status, found.stdout], [1, '']);
});

test('every import of the client in pages and in code that is shown has its name', () => {
  const args = ['grep', '-nE', `(from|import) \\(?['"][@a-z/-]*countersign[@a-z/-]*['"]`, '--', 'docs', 'README.md'];
  const shown = [...args, 'packages/client', 'examples', 'console', 'src', 'test'];
  const lines = execFileSync('git', shown, { encoding: 'utf8' }).trim().split('\n');
  const wrong = lines.filter(
    (line) => !line.includes(`'${packages.client}'`) && !line.includes(`"${packages.client}"`),
  );
  assert.deepEqual(wrong, []);
  assert.ok(lines.length > 15, `only ${lines.length} imports were looked at`);
});
