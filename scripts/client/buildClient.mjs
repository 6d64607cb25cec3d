// Builds the package countersign-client: one JavaScript module in need of nothing, its source map, and its types.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ENTRY = join('client', 'index.ts');

/** @param root of the checkout @param folder where the package's files go; what was there before is removed */
export async function buildClient(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  await bundle(root, join(folder, 'index.js'));
  writeTypes(root, join(folder, 'types'));
}

async function bundle(root, outfile) {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: [ENTRY],
    outfile: resolve(outfile),
    bundle: true,
    // Not minified: Node prints the line of an error that is not caught, and a reader may want to know what runs.
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    sourcemap: true,
    sourcesContent: true,
    logLevel: 'warning',
    plugins: [oneLanguage],
  });
}

/** zod brings its messages in some fifty languages, 400 kB; the client has them in English. */
const oneLanguage = {
  name: 'oneLanguage',
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** Writes the declarations that the entry leads to, and no others. @throws where one of them needs a library */
function writeTypes(root, folder) {
  mkdirSync(folder, { recursive: true });
  const draft = mkdtempSync(join(folder, 'draft-'));
  try {
    const types = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', draft];
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    const args = ['--project', join(root, 'client', 'tsconfig.json'), ...types];
    const done = spawnSync(tsc, args, { stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' });
    if (done.status !== 0) throw new Error('tsc did not write the types of the client.');
    for (const file of reachable(join(draft, ENTRY))) {
      const target = join(folder, declarationOf(relative(draft, file)));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, importsAsJavaScript(readFileSync(declarationOf(file), 'utf8')));
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The modules that a declaration imports, and those that these import, and so on. */
function reachable(entry) {
  const found = new Set([entry]);
  for (const file of found) {
    for (const [, , path] of readFileSync(declarationOf(file), 'utf8').matchAll(IMPORT)) {
      if (!path.startsWith('.')) throw new Error(`The client's types need "${path}", by ${declarationOf(file)}.`);
      found.add(join(dirname(file), path));
    }
  }
  return [...found].filter((file) => existsSync(declarationOf(file)));
}

const IMPORT = /(\bfrom |\bimport\(|^import )['"]([^'"]+)['"]/gm;

function declarationOf(file) {
  return file.replace(/\.ts$/, '.d.ts');
}

/** Every version of TypeScript finds `x.d.ts` by `./x.js`. */
function importsAsJavaScript(text) {
  return text.replace(IMPORT, (line) => line.replace(/\.ts(['"])$/, '.js$1'));
}
