// Writes client/operations.ts from the routes and schemas of the node, when it is missing or older than the sources.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleModules } from '../bundle/bundle.mjs';
import { stampOf } from '../bundle/sourceStamp.mjs';

/** @param root of the package @returns the file */
export async function writeOperations(root) {
  const file = join(root, 'client', 'operations.ts');
  const stampFile = join(root, 'dist', 'operations.stamp');
  const sources = stampOf(root);
  if (existsSync(file) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stampBoth(sources, file))
    return file;
  const { operationsText } = await loadGenerator(root, 'operationsText');
  const text = operationsText();
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  writeFileSync(stampFile, stampBoth(sources, file));
  return file;
}

/** Makes a bundler wait for the file until it is up to date, which it is brought while other files are read. */
export function freshOperations(root) {
  return {
    name: 'freshOperations',
    setup({ onResolve }) {
      const written = writeOperations(root);
      // Whoever asks for the file hears of a failure.
      written.catch(() => undefined);
      onResolve({ filter: /\/operations\.ts$/ }, async () => ({ path: await written }));
    },
  };
}

/** Says of which sources a file was made, and that it has not been edited since. */
function stampBoth(sources, file) {
  const { size, mtimeMs } = statSync(file);
  return `${sources} ${size} ${mtimeMs}\n`;
}

/** @returns what a TypeScript module of this folder exports */
export async function loadGenerator(root, name) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist', 'draft-'));
  try {
    await bundleModules(root, {
      entryPoints: [`scripts/client/${name}.ts`],
      outbase: 'scripts/client',
      outdir: folder,
      external: 'all',
      sourceUrl: (source) => `new URL('../../${source}', import.meta.url).href`,
    });
    return await import(pathToFileURL(join(folder, `${name}.js`)).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
