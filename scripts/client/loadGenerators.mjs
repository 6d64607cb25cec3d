// Loads what makes texts of the node's sources: the client's operations, and sections of the documentation.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleModules } from '../bundle/bundle.mjs';

const GENERATORS = [
  'operationsText',
  'pageSections',
  'faultsText',
  'currenciesText',
  'pythonText',
  'approvalSchemasText',
  'commandOptionsText',
  'api',
];

/** @param root of the package @returns what the generators export */
export async function loadGenerators(root) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist', 'draft-'));
  try {
    await bundleModules(root, {
      entryPoints: GENERATORS.map((name) => `scripts/client/${name}.ts`),
      outbase: 'scripts/client',
      outdir: folder,
      external: 'all',
      sourceUrl: (source) => `new URL('../../${source}', import.meta.url).href`,
    });
    const modules = GENERATORS.map((name) => import(pathToFileURL(join(folder, `${name}.js`)).href));
    return Object.assign({}, ...(await Promise.all(modules)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
