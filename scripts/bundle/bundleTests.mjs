// Bundles test files, so that each starts in a fraction of the time that compiling its sources would take.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildConsole } from '../console/buildConsole.mjs';
import { bundleModules } from './bundle.mjs';

/** What the threads of a node run. */
const PROGRAM = 'src/main.ts';

/**
 * The console is built for the nodes that they start.
 * @param root of the package @param files from there @param folder where each goes, at the same path with `.js`
 */
export async function bundleTests(root, files, folder) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const program = PROGRAM.replace(/\.ts$/, '.js');
  await bundleModules(root, {
    entryPoints: [...files, PROGRAM],
    outbase: root,
    outdir: folder,
    external: Object.keys(devDependencies),
    sourceUrl: (file) => JSON.stringify(pathToFileURL(join(root, file)).href),
    program: JSON.stringify(pathToFileURL(join(root, folder, program)).href),
  });
  await buildConsole(root, join(root, folder, dirname(program), 'console'));
}
