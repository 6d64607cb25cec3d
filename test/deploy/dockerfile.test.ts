/** deploy/Dockerfile: what its instructions say, and what the image carries of itself. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import packages from '../../scripts/packages.json' with { type: 'json' };
import { dockerfileStages, imageSettings, readByNode } from '../support/deployFiles.ts';

const [build = [], image = []] = dockerfileStages();
const one = (name: string) => {
  const found = image.filter((each) => each.name === name);
  assert.equal(found.length, 1, name);
  return found[0]?.text as string;
};

test('it is built of bases with a tag, and of nothing that is fetched by a URL', () => {
  const all = [...build, ...image];
  for (const { name, text } of all) {
    if (name === 'FROM') assert.match(text, /^[\w./-]+:(?!latest)[\w.-]+( AS \w+)?$/);
    assert.notEqual(name, 'ADD');
    if (name === 'RUN') assert.doesNotMatch(text, /\b(curl|wget)\b|https?:/);
  }
  assert.equal(image.filter(({ name }) => name === 'RUN').length, 0, 'the base has no shell');
});

test('it runs one program as a user without a name on the host, which can be asked how it is', () => {
  assert.match(one('USER'), /^[1-9]\d{4}:[1-9]\d{4}$/);
  assert.equal(one('ENTRYPOINT'), '["/countersign"]');
  assert.match(one('HEALTHCHECK'), /CMD \["\/countersign", "health"\]$/);
  assert.equal(one('STOPSIGNAL'), 'SIGTERM');
});

test('it writes to its volume alone, and listens where it says', () => {
  const config = readByNode(imageSettings());
  const volume = one('VOLUME');
  // The node makes the folder of its data for itself alone, below a volume that others may look into.
  assert.equal(config.dataDir, `${volume}/node`);
  assert.match(one('ENV'), new RegExp(`TMPDIR=${volume}( |$)`));
  assert.equal(one('WORKDIR'), volume);
  assert.equal(one('EXPOSE'), String(config.port));
  const owned = image.filter(({ name, text }) => name === 'COPY' && text.includes('--chown='));
  assert.deepEqual(
    owned.map(({ text }) => text.split(' ').at(-1)),
    [volume],
  );
});

test('its labels are those of the OCI image specification, and name the bill of materials that is in it', () => {
  const labels = new Map([...one('LABEL').matchAll(/([\w.]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  const { version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
  const about = (name: string) => labels.get(`org.opencontainers.image.${name}`);
  assert.deepEqual(
    [about('title'), about('licenses'), about('source')],
    [packages.program, license, packages.repository],
  );
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as the Dockerfile has it
  assert.deepEqual([about('version'), about('revision')], ['${VERSION}', '${REVISION}']);
  assert.ok(image.some(({ name, text }) => name === 'ARG' && text === `VERSION=${version}`));
  const bill = labels.get('countersign.sbom');
  assert.ok(image.some(({ name, text }) => name === 'COPY' && text.endsWith(`countersign.cdx.json ${bill}`)));
});

test('no secret, data or history of the checkout comes into the build', () => {
  const ignored = readFileSync('deploy/Dockerfile.dockerignore', 'utf8').trim().split('\n');
  for (const name of ['.git', 'node_modules', 'data/node', 'deploy/secrets']) assert.ok(ignored.includes(name), name);
  for (const { name, text } of build) {
    if (name !== 'COPY') continue;
    for (const source of text.split(' ').slice(0, -1)) assert.ok(existsSync(source), source);
  }
});
