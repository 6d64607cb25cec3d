// Builds dist/countersign: the whole program as one executable file for this platform, which needs nothing beside it.
// With it come its hash (countersign.sha256) and its bill of materials (countersign.cdx.json). `--out FOLDER` puts them
// elsewhere.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inject } from 'postject';
import { writeOperations } from '../client/writeOperations.mjs';
import { collectAssets } from './assets.mjs';
import { bundle, bundleEntry } from './bundle.mjs';
import { billOfMaterials } from './sbom.mjs';

const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const NAME = process.platform === 'win32' ? 'countersign.exe' : 'countersign';
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const at = process.argv.indexOf('--out');
const out = resolve(root, at === -1 ? 'dist' : (process.argv[at + 1] ?? 'dist'));
mkdirSync(out, { recursive: true });
const work = mkdtempSync(join(out, 'binary-'));
try {
  await writeOperations(root);
  await bundle(root, join(work, 'countersign.cjs'));
  await bundleEntry(root, join(work, 'entry.cjs'));
  makeCache();
  await link(makeBlob());
  finish();
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** By this very Node, since a code cache is for no other. */
function makeCache() {
  const source = pathToFileURL(join(root, 'src', 'assets', 'assets.ts')).href;
  const args = ['countersign.cjs', 'countersign.cache'].map((name) => join(work, name));
  const tool = join(root, 'scripts', 'binary', 'makeCache.cjs');
  // Without settings of the builder's own, which are no business of the binary.
  const env = { PATH: process.env.PATH };
  execFileSync(process.execPath, [tool, ...args, source], { env, cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
}

function makeBlob() {
  const blob = join(work, 'countersign.blob');
  const config = {
    main: join(work, 'entry.cjs'),
    output: blob,
    disableExperimentalSEAWarning: true,
    assets: {
      ...collectAssets(root, work),
      'countersign.cjs': join(work, 'countersign.cjs'),
      'countersign.cache': join(work, 'countersign.cache'),
    },
  };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
  execFileSync(process.execPath, ['--experimental-sea-config', join(work, 'sea.json')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return readFileSync(blob);
}

/** Puts the blob into a copy of this very Node. */
async function link(blob) {
  const file = join(work, NAME);
  copyFileSync(process.execPath, file);
  chmodSync(file, 0o755);
  // Before the injection: afterwards strip would take what was injected for something else, and cut it.
  if (process.platform === 'linux') execFileSync('strip', [file]);
  if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', file]);
  const segment = process.platform === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {};
  await inject(file, 'NODE_SEA_BLOB', blob, { sentinelFuse: FUSE, ...segment });
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', file]);
}

function finish() {
  const file = join(out, NAME);
  renameSync(join(work, NAME), file);
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
  writeFileSync(join(out, 'countersign.sha256'), `${hash}  ${NAME}\n`);
  const bill = billOfMaterials(root, hash);
  writeFileSync(join(out, 'countersign.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  const mebibytes = (statSync(file).size / 2 ** 20).toFixed(1);
  console.log(`${file}\n  ${mebibytes} MiB, for ${process.platform}-${process.arch}, with Node ${process.version}`);
  console.log(
    `  sha256 ${hash}\n  ${bill.components.length} components in countersign.cdx.json (CycloneDX ${bill.specVersion})`,
  );
}
