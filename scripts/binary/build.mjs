// Builds the whole program as one executable file, which needs nothing beside it: for this machine into dist/, with
// `--arch x64` or `--arch arm64` for Linux on such machines into dist/linux-ARCH/. `--out FOLDER` puts it elsewhere.
// With it come its hash (countersign.sha256) and its bill of materials (countersign.cdx.json).
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
import { parseArgs } from 'node:util';
import { inject } from 'postject';
import { buildConsole } from '../console/buildConsole.mjs';
import { startOptions } from '../startOptions.mjs';
import { collectAssets } from './assets.mjs';
import { bundle, bundleEntry } from './bundle.mjs';
import { reservePlaces, writePlaces } from './places.mjs';
import { prepareRuntime } from './runtime.mjs';
import { billOfMaterials } from './sbom.mjs';

const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const NAME = process.platform === 'win32' ? 'countersign.exe' : 'countersign';
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const { values: options } = parseArgs({ options: { arch: { type: 'string' }, out: { type: 'string' } } });
const arch = options.arch ?? process.arch;
const out = resolve(root, options.out ?? (options.arch === undefined ? 'dist' : join('dist', `linux-${arch}`)));
const builder = prepareRuntime(root, process.arch);
const runtime = prepareRuntime(root, arch);
mkdirSync(out, { recursive: true });
const work = mkdtempSync(join(out, 'binary-'));
try {
  const packages = await bundle(root, join(work, 'countersign.cjs'));
  await bundleEntry(root, join(work, 'entry.cjs'));
  packages.push(...(await buildConsole(root, join(work, 'console'))));
  const places = join(work, 'places.json');
  reservePlaces(places);
  const carried = collectAssets(root, work, { arch, sqliteAddon: runtime.sqliteAddon });
  const assets = { ...carried, ...makeCode(), 'places.json': places };
  await link(assets);
  finish(packages);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The bundle, and V8's code cache of it, made by the Node that will use it, since it is for no other. */
function makeCode() {
  const code = { 'countersign.cjs': join(work, 'countersign.cjs'), 'entry.cjs': join(work, 'entry.cjs') };
  if (runtime.run === undefined) {
    console.error(`Nothing here runs programs for ${arch}: without a code cache the binary starts more slowly.`);
    return code;
  }
  const source = pathToFileURL(join(root, 'src', 'assets', 'assets.ts')).href;
  const tool = join(root, 'scripts', 'binary', 'makeCache.cjs');
  const [program, ...args] = [...runtime.run, runtime.node, tool, 'countersign.cjs', 'countersign.cache', source];
  // Without settings of the builder's own, which are no business of the binary.
  const env = { PATH: process.env.PATH };
  execFileSync(program, args, { env, cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  return { ...code, 'countersign.cache': join(work, 'countersign.cache') };
}

/** By the same version of Node, on this machine. */
function makeBlob(assets) {
  const blob = join(work, 'countersign.blob');
  const config = {
    main: join(work, 'entry.cjs'),
    output: blob,
    disableExperimentalSEAWarning: true,
    execArgv: startOptions(root),
    execArgvExtension: 'none',
    assets,
  };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
  execFileSync(builder.node, ['--experimental-sea-config', join(work, 'sea.json')], {
    // It says there that it wrote the file; what is wrong stands in the error, which has the same text.
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return readFileSync(blob);
}

/**
 * Runs what injects the blob without the warnings that its library has for every ELF file whose notes it moves: the names of
 * these sections are not read by a program that starts.
 */
async function withoutNoteWarnings(run) {
  const { write } = process.stderr;
  process.stderr.write = (text, ...rest) =>
    /^warning: Can't find string offset for section name '\.note/.test(String(text))
      ? true
      : write.call(process.stderr, text, ...rest);
  try {
    return await run();
  } finally {
    process.stderr.write = write;
  }
}

/** Puts the assets into a copy of Node. */
async function link(assets) {
  const file = join(work, NAME);
  copyFileSync(runtime.node, file);
  chmodSync(file, 0o755);
  // Before the injection: afterwards strip would take what was injected for something else, and cut it.
  if (runtime.strip !== undefined) execFileSync(runtime.strip, [file], { stdio: ['ignore', 'ignore', 'pipe'] });
  if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', file]);
  const segment = process.platform === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {};
  await withoutNoteWarnings(() => inject(file, 'NODE_SEA_BLOB', makeBlob(assets), { sentinelFuse: FUSE, ...segment }));
  writePlaces(file, assets);
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', file]);
}

function finish(packages) {
  const file = join(out, NAME);
  // Copied, as an installation does: a node that was started from the file as the injection wrote it had some 10 MiB more
  // of it resident than one started from a copy.
  const copy = join(work, `${NAME}-copy`);
  copyFileSync(join(work, NAME), copy);
  renameSync(copy, file);
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
  writeFileSync(join(out, 'countersign.sha256'), `${hash}  ${NAME}\n`);
  const bill = billOfMaterials(root, { sha256: hash, nodeVersion: runtime.version, packages });
  writeFileSync(join(out, 'countersign.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  const mebibytes = (statSync(file).size / 2 ** 20).toFixed(1);
  console.log(`${file}\n  ${mebibytes} MiB, for ${process.platform}-${arch}, with Node ${runtime.version}`);
  console.log(
    `  sha256 ${hash}\n  ${bill.components.length} components in countersign.cdx.json (CycloneDX ${bill.specVersion})`,
  );
}
