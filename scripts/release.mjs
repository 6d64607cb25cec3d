// Makes a release in dist/release/VERSION: binaries for Linux, packages, installer, bills of materials, provenance, and their signed
// checksums. It publishes nothing. CONTRIBUTING.md says what comes before and after.
//   RELEASE_KEY_FILE=… node scripts/release.mjs
//   --unsigned        a trial without a key, whose checksums are not signed
//   --arch x64        in a trial, binaries for one kind of machine only
//   --make-key FILE   makes a key, and prints its public part
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cleanCommit } from './release/cleanCommit.mjs';
import { makeReleaseKey, readReleaseKey, signSums, writeSums } from './release/signSums.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

try {
  await run(readOptions());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      unsigned: { type: 'boolean', default: false },
      arch: { type: 'string', multiple: true },
      'make-key': { type: 'string' },
    },
  });
  if (values.arch !== undefined && !values.unsigned) throw new Error('--arch is for a trial: add --unsigned.');
  return values;
}

async function run({ unsigned, arch = ['x64', 'arm64'], 'make-key': keyFile }) {
  if (keyFile !== undefined) {
    console.log(`Put this line into data/release.json and deploy/install.sh:\n${makeReleaseKey(root, keyFile)}`);
    return;
  }
  // What may refuse comes before what takes minutes.
  const key = unsigned ? undefined : readReleaseKey(root, process.env.RELEASE_KEY_FILE);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const commit = cleanCommit(root, version);
  const releases = join(root, 'dist', 'release');
  const target = join(releases, version);
  mkdirSync(releases, { recursive: true });
  const draft = mkdtempSync(join(releases, 'draft-'));
  try {
    const { buildAll } = await import('./release/buildAll.mjs');
    const { writeProvenance } = await import('./release/provenance.mjs');
    const materials = buildAll(root, draft, { version, architectures: arch, epoch: commit.epoch });
    writeProvenance(draft, { version, commit, materials, architectures: arch });
    writeSums(draft);
    if (key !== undefined) signSums(draft, key);
    rmSync(target, { recursive: true, force: true });
    renameSync(draft, target);
  } finally {
    if (existsSync(draft)) rmSync(draft, { recursive: true, force: true });
  }
  console.log(`${target}\n${readFileSync(join(target, 'SHA256SUMS'), 'utf8')}`);
  console.log(unsigned ? 'A trial: it is not signed, and no installer takes it.' : 'Signed: SHA256SUMS.sig.');
}
