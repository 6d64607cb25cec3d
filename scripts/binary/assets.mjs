// What the single binary carries besides its code: names as src/assets/ asks for them, and the files they are.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param root of the package @param folder where the list of names is put, and the console was built
 * @param platform.arch of the machine it is for @param platform.sqliteAddon better-sqlite3 for that machine and its Node
 * @returns paths by name
 */
export function collectAssets(root, folder, { arch, sqliteAddon }) {
  const names = [
    'package.json',
    'agent-card.json',
    // What src/gates/pages/pageFiles.ts serves of libraries.
    'node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js',
    // And src/documents/documentRoutes.ts.
    'node_modules/minisearch/dist/es/index.js',
    ...filesIn(root, 'data', (name) => /^data\/([^/]+\.json|schema\/[^/]+\.sql)$/.test(name)),
    ...filesIn(root, 'docs', (name) => /\.(md|png|json)$/.test(name)),
    // A file beside the sources that is no source is a page or a part of one.
    ...filesIn(root, 'src', (name) => !name.endsWith('.ts')),
  ];
  const assets = Object.fromEntries(names.map((name) => [name, join(root, name)]));
  for (const name of filesIn(folder, 'console', () => true)) {
    names.push(name);
    assets[name] = join(folder, name);
  }
  assets['addon/better_sqlite3.node'] = sqliteAddon;
  const sodium = join(root, `node_modules/sodium-native/prebuilds/${process.platform}-${arch}/sodium-native.node`);
  // Without libsodium the program goes on with node:crypto, as it does from its sources.
  if (existsSync(sodium)) assets['addon/sodium-native.node'] = sodium;
  const hashes = join(folder, 'hashes.json');
  writeFileSync(hashes, JSON.stringify(hashesOf(assets, 'addon/')));
  assets['addon/hashes.json'] = hashes;
  const list = join(folder, 'assets.json');
  writeFileSync(list, JSON.stringify(names));
  return { ...assets, 'assets.json': list };
}

/** SHA-256 in hexadecimal of the files in one folder, by name there. */
function hashesOf(assets, folder) {
  const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
  const inFolder = Object.entries(assets).filter(([name]) => name.startsWith(folder));
  return Object.fromEntries(inFolder.map(([name, file]) => [name.slice(folder.length), hashOf(file)]));
}

function filesIn(root, folder, wanted) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter(wanted)
    .sort();
}
