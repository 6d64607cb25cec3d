// The bill of materials of the binary (CycloneDX 1.6 as JSON), from the lock file: what is needed to run, and Node itself.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs TypeScript; the binary holds JavaScript. */
const SOURCES_ONLY = ['tsx'];

/** @param root of the package @param sha256 of the binary, in hexadecimal */
export function billOfMaterials(root, sha256) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const used = reach(lock.packages);
  const self = purl(name, version);
  const refs = new Map(used.map(([path, entry]) => [path, purl(nameOf(path), entry.version)]));
  const node = `pkg:generic/node@${process.version.slice(1)}`;
  const dependsOn = (path, entry) =>
    needsOf(path, entry, lock.packages)
      .map((place) => refs.get(place))
      .filter((ref) => ref !== undefined)
      .sort();
  const dependencies = [
    { ref: self, dependsOn: [...dependsOn('', lock.packages['']), node].sort() },
    { ref: node, dependsOn: [] },
    ...used.map(([path, entry]) => ({ ref: refs.get(path), dependsOn: dependsOn(path, entry) })),
  ];
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    // The same binary has the same bill: its serial number comes from its hash (RFC 9562, version 8).
    serialNumber: `urn:uuid:${uuidOf(sha256)}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': self,
        name,
        version,
        purl: self,
        licenses: [{ license: { id: license } }],
        hashes: [{ alg: 'SHA-256', content: sha256 }],
      },
    },
    components: merged([
      {
        type: 'platform',
        'bom-ref': node,
        name: 'node',
        version: process.version.slice(1),
        purl: node,
        licenses: [{ license: { id: 'MIT' } }],
      },
      ...used.map(([path, entry]) => componentOf(nameOf(path), entry)),
    ]),
    dependencies: merged(dependencies, (entry) => entry.ref),
  };
}

/** The installed packages that the binary is made of: what is needed to run, without what only runs the sources. */
function reach(packages) {
  const found = new Map();
  const queue = needsOf('', packages[''], packages).filter((path) => !SOURCES_ONLY.includes(nameOf(path)));
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue;
    found.set(path, packages[path]);
    queue.push(...needsOf(path, packages[path], packages));
  }
  return [...found];
}

function componentOf(name, { version, license, integrity, resolved }) {
  const ref = purl(name, version);
  return {
    type: 'library',
    'bom-ref': ref,
    name,
    version,
    purl: ref,
    ...(license === undefined ? {} : { licenses: [licenseOf(license)] }),
    ...(integrity === undefined ? {} : { hashes: hashesOf(integrity) }),
    ...(resolved === undefined ? {} : { externalReferences: [{ type: 'distribution', url: resolved }] }),
  };
}

/** One identifier, or an expression of several (SPDX). */
function licenseOf(license) {
  return /[\s()]/.test(license) ? { expression: license } : { license: { id: license } };
}

/** From Subresource Integrity to the form of this format. */
function hashesOf(integrity) {
  return integrity.split(' ').map((each) => {
    const [algorithm, digest] = [each.slice(0, each.indexOf('-')), each.slice(each.indexOf('-') + 1)];
    return { alg: `SHA-${algorithm.slice(3)}`, content: Buffer.from(digest, 'base64').toString('hex') };
  });
}

/** Where the dependencies of a package are installed: nearest folder first, as Node looks for them. */
function needsOf(path, { dependencies = {}, optionalDependencies = {} }, packages) {
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => {
      for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
        const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
        if (packages[place] !== undefined) return place;
        if (folder === '') return undefined;
      }
    })
    .filter((place) => place !== undefined);
}

/** The same package may be installed in several places; it is one component. */
function merged(entries, keyOf = (entry) => entry['bom-ref']) {
  return [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()].sort((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  );
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** A package URL (ECMA-427). */
function purl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function uuidOf(sha256) {
  const hex = createHash('sha256').update(`countersign bill of materials ${sha256}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
