// The bill of materials of the binary (CycloneDX as JSON): npm's own for what is installed to run the program, without
// what did not come into the binary, and with Node.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @param root of the package @param binary.sha256 in hexadecimal @param binary.nodeVersion that is in it
 * @param binary.packages the folders below the root whose files are in it, such as `node_modules/koa`
 */
export function billOfMaterials(root, { sha256, nodeVersion, packages }) {
  const bill = billOfDependencies(root);
  const node = `node@${nodeVersion}`;
  const shipped = new Set([node, ...packages.map((folder) => refOf(root, folder))]);
  const self = bill.metadata.component;
  const { name, license } = manifestOf(root);
  const hashes = [{ alg: 'SHA-256', content: sha256 }];
  Object.assign(self, { type: 'application', name, licenses: [{ license: { id: license } }], hashes });
  bill.components.push({
    'bom-ref': node,
    type: 'platform',
    name: 'node',
    version: nodeVersion,
    purl: `pkg:generic/${node}`,
    licenses: [{ license: { id: 'MIT' } }],
  });
  const needs = bill.dependencies.find(({ ref }) => ref === self['bom-ref']);
  needs.dependsOn.push(node);
  bill.dependencies.push({ ref: node, dependsOn: [] });
  return {
    ...bill,
    // The same binary has the same bill: its serial number comes from its hash (RFC 9562, version 8), its time is left out.
    serialNumber: `urn:uuid:${uuidOf(sha256)}`,
    metadata: { ...bill.metadata, timestamp: undefined },
    components: bill.components.filter((component) => shipped.has(component['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => ref === self['bom-ref'] || shipped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => shipped.has(each)) })),
  };
}

/**
 * What `npm sbom` says of the dependencies. It runs where the manifest has no others: with `--omit dev` it leaves out what
 * is needed to run and to develop alike.
 */
function billOfDependencies(root) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-sbom-'));
  const npm = (...args) =>
    execFileSync('npm', args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      shell: process.platform === 'win32',
    });
  try {
    const { devDependencies, scripts, ...manifest } = manifestOf(root);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    copyFileSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
    npm('install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent');
    return JSON.parse(npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--silent'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How npm's bill refers to an installed package. */
function refOf(root, folder) {
  const { name, version } = manifestOf(join(root, folder));
  return `${name}@${version}`;
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function uuidOf(sha256) {
  const hex = createHash('sha256').update(`countersign bill of materials ${sha256}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
