// Makes one CommonJS file of the program, and one of what starts it in the binary.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { noExemplars, SHARED_OPTIONS } from '../bundle/bundle.mjs';

/** Modules that find their addon beside their own file, which a bundle does not have. */
const REPLACED = {
  'src/crypto/sodiumLibrary.ts': 'scripts/binary/sodiumLibrary.cjs',
  'node_modules/sodium-native/binding.js': 'scripts/binary/sodiumBinding.cjs',
};

/** Makes the file that a single executable application starts. */
export async function bundleEntry(root, outfile) {
  await build({ ...SHARED_OPTIONS, absWorkingDir: root, entryPoints: ['scripts/binary/entry.cjs'], outfile });
}

/**
 * @param root of the package @param outfile of the bundle, in Latin-1; it wants `countersignUrl`, see runBundle.cjs
 * @returns the folders of the packages that came into it, such as `node_modules/koa`
 */
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
  const { metafile } = await build({
    ...SHARED_OPTIONS,
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    metafile: true,
    outfile,
    format: 'cjs',
    // What a library loads of Node when it needs it: a script of this form has `require`, and no `import`.
    supported: { 'dynamic-import': false },
    // The text stays in memory with each thread that runs it, and a quarter of it was indentation. In short lines, since a
    // stack trace names them and a crash shows one.
    minifyWhitespace: true,
    lineLimit: 120,
    // Here and not at each start, where it would be a second copy of the whole text.
    banner: { js: '(function (exports, require, module, countersignUrl) {' },
    footer: { js: '})' },
    legalComments: 'eof',
    plugins: [noExemplars(root), replace],
    define: { ...SHARED_OPTIONS.define, 'import.meta.url': 'countersignUrl' },
  });
  writeFileSync(outfile, latinOnly(readFileSync(outfile, 'utf8')), 'latin1');
  const missing = Object.keys(REPLACED).filter((file) => !replaced.has(file));
  if (missing.length > 0)
    throw new Error(`Nothing asks for ${missing.join(', ')} any more; see scripts/binary/bundle.mjs.`);
  const packageOf = (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
  return [...new Set(Object.keys(metafile.inputs).map(packageOf))].filter((folder) => folder !== undefined);
}

/**
 * Writes the few characters beyond Latin-1 as code does: with a single one of them V8 holds the whole text in two bytes
 * a character. The bundler has done so in texts; what is left stands in comments and in regular expressions, where `\u2026` means
 * the same (ECMA-262 section 22.2.1).
 */
function latinOnly(text) {
  return text.replaceAll(/[^\0-\xff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
