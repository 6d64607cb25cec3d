// Makes the text of client/operations.ts from the routes and schemas of the node.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleModules } from '../bundle/bundle.mjs';

/** @param root of the package @returns what client/operations.ts has to say now */
export async function makeOperations(root) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist', 'draft-'));
  try {
    await bundleModules(root, {
      entryPoints: ['scripts/client/operationsText.ts'],
      outbase: 'scripts/client',
      outdir: folder,
      external: 'all',
      sourceUrl: (source) => `new URL('../../${source}', import.meta.url).href`,
    });
    const generator = await import(pathToFileURL(join(folder, 'operationsText.js')).href);
    return generator.operationsText();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
