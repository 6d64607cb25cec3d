// Makes one CommonJS file of the program, and one of what starts it in the binary.
import { join } from 'node:path';
import { build } from 'esbuild';
import { SHARED_OPTIONS } from '../bundle/bundle.mjs';

/** Modules that find their addon beside their own file, which a bundle does not have. */
const REPLACED = {
  'src/crypto/sodiumLibrary.ts': 'scripts/binary/sodiumLibrary.cjs',
  'node_modules/sodium-native/binding.js': 'scripts/binary/sodiumBinding.cjs',
};

/** Makes the file that a single executable application of Node 20 starts. */
export async function bundleEntry(root, outfile) {
  await build({ ...SHARED_OPTIONS, absWorkingDir: root, entryPoints: ['scripts/binary/entry.cjs'], outfile });
}

/** @param root of the package @param outfile of the bundle; it wants `countersignUrl`, see runBundle.cjs */
export async function bundle(root, outfile) {
  const replaced = new Set();
  const replace = {
    name: 'replace',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /sodiumLibrary\.ts$|^\.\/binding$/ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === 'resolved') return undefined;
        const { importer, namespace, resolveDir, kind } = from;
        const found = await resolve(path, { importer, namespace, resolveDir, kind, pluginData: 'resolved' });
        const name = Object.keys(REPLACED).find((file) => found.path === join(root, file));
        if (name === undefined) return found;
        replaced.add(name);
        return { path: join(root, REPLACED[name]) };
      });
    },
  };
  await build({
    ...SHARED_OPTIONS,
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outfile,
    format: 'cjs',
    legalComments: 'eof',
    plugins: [replace],
    define: { ...SHARED_OPTIONS.define, 'import.meta.url': 'countersignUrl' },
  });
  const missing = Object.keys(REPLACED).filter((file) => !replaced.has(file));
  if (missing.length > 0)
    throw new Error(`Nothing asks for ${missing.join(', ')} any more; see scripts/binary/bundle.mjs.`);
}
