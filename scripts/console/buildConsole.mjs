// Builds the console: modules that share chunks, one for each screen, with hashes of their content in their names, and the
// page that loads them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { drawIcon, ICONS } from './drawIcons.mjs';

const ENTRIES = ['console/main.tsx', 'console/console.css', 'console/proofs/pieceWorker.ts'];

/** The screen that most visits begin with: its code is fetched beside the entry's. */
const FIRST = 'console/screens/today/Today.tsx';

/** What keeps the page in the browser; it has to stay under one name. */
const WORKER = 'console/worker.ts';

/** What runs before the modules have come: it shares no chunk with them, so that it is one small file. */
const START = 'console/start.ts';

/** Options of all builds. */
const FOR_BROWSERS = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
  legalComments: 'none',
  logLevel: 'warning',
};

/** The page, which is filled in here with what it loads, and by the node with what it says of itself. */
const SHELL = 'console/shell.html';

/** What its icons are drawn from. */
const MARK = 'src/gates/pages/mark.svg';

/** Under its own name: the browser asks for it by this. */
const KEPT = ['console/manifest.webmanifest'];

/**
 * @param root of the package @param folder where the files go
 * @returns the folders of the packages that came into it, such as `node_modules/preact`
 */
export async function buildConsole(root, folder) {
  const { metafile } = await build({
    ...FOR_BROWSERS,
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    plugins: [onlyEnglish, usedSchemas, noJsonSchemas, usedOperations(root), sharedParts(root)],
  });
  const start = await build({
    ...FOR_BROWSERS,
    absWorkingDir: root,
    entryPoints: [START],
    outdir: folder,
    entryNames: '[name]-[hash]',
    format: 'iife',
    metafile: true,
  });
  const loaded = { ...filesOf(metafile), start: basename(Object.keys(start.metafile.outputs)[0]) };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), fillIn(readFileSync(join(root, SHELL), 'utf8'), loaded));
  const mark = readFileSync(join(root, MARK), 'utf8');
  for (const icon of ICONS) writeFileSync(join(folder, icon.name), drawIcon(mark, icon));
  for (const file of KEPT) writeFileSync(join(folder, basename(file)), readFileSync(join(root, file)));
  await build({
    ...FOR_BROWSERS,
    absWorkingDir: root,
    entryPoints: [WORKER],
    outfile: join(folder, 'sw.js'),
    define: { shellFiles: JSON.stringify([loaded.start, loaded.style, loaded.entry, ...loaded.chunks]) },
  });
  return packagesOf(metafile);
}

function packagesOf({ inputs }) {
  const found = Object.keys(inputs).map((file) => /^(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  return [...new Set(found)].filter((folder) => folder !== undefined);
}

/** The schemas of protocol/ explain themselves in one language; the library brings some sixty. */
const onlyEnglish = {
  name: 'onlyEnglish',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /locales\/index\.js$/ }, ({ importer, ...from }) => {
      if (!importer.includes('/node_modules/zod/')) return undefined;
      return resolve('zod/v4/locales/en.js', { resolveDir: from.resolveDir, kind: from.kind, importer });
    });
  },
};

/** What a schema says of itself, in literals: the documents of the API are made of it, and no browser reads it. */
const DESCRIPTION = /\.describe\(\s*(?:(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`$]*`)\s*\+?\s*)+,?\s*\)/g;
/** What a rule's page says of a member, as the formatter indents it. */
const DOCUMENTATION = /^( +)docs: \{\n[\s\S]*?^\1\},\n/gm;

/** As `z`, the library of schemas would come whole; of a namespace that is imported as such the bundler takes what is used. */
const usedSchemas = {
  name: 'usedSchemas',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]protocol[\\/].*\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8')
        .replace(/^import \{ z \} from 'zod';$/m, "import * as z from 'zod';")
        .replace(DESCRIPTION, '')
        .replace(DOCUMENTATION, '');
      return { contents, loader: 'ts' };
    });
  },
};

/** A row of the client's table of operations, as the generator writes it. */
const OPERATION = /^ {2}(\w+): \{ method: .*\},\n/gm;

/** Where operations are named that the console asks for: its screens, those of extensions, and the client's own helpers. */
const CALLERS = ['console', 'client', 'src/extensions'];
const CALLER = /^(console|client(?![\\/]operations\.ts)|src[\\/]extensions[\\/][\w-]+[\\/]console)[\\/].*\.tsx?$/;

/** Of the client's table, the operations that the console names somewhere: it asks for half of them. */
function usedOperations(root) {
  return {
    name: 'usedOperations',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]client[\\/]operations\.ts$/ }, ({ path }) => {
        const texts = CALLERS.flatMap((folder) => {
          const files = readdirSync(join(root, folder), { recursive: true });
          const callers = files.filter((file) => CALLER.test(join(folder, file)));
          return callers.map((file) => readFileSync(join(root, folder, file), 'utf8'));
        });
        const named = new Set(texts.flatMap((text) => text.match(/\b[a-z]\w+/g) ?? []));
        const contents = readFileSync(path, 'utf8').replace(OPERATION, (row, name) => (named.has(name) ? row : ''));
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** No schema is written out as JSON Schema in a browser; what would do it is a fifth of the library. */
const noJsonSchemas = {
  name: 'noJsonSchemas',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const own = [...text.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
      const named = [...text.matchAll(/^export \{ \w+ as (\w+) \};$/gm)].map(([, name]) => name);
      const none = 'const none = () => { throw new Error("There are no JSON Schemas here."); };';
      return { contents: `${none} export { ${[...own, ...named].map((name) => `none as ${name}`).join(', ')} };` };
    });
  },
};

/**
 * The bundler makes a file for each set of what is loaded later that has a part in common, and a browser asks for six at a time;
 * with this all of it has the same in common. What workers run is no part of the page, so they import none of it.
 */
function sharedParts(root) {
  const later = new Set();
  return {
    name: 'sharedParts',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^\./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === ASKED) return undefined;
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: ASKED });
        later.add(found.path);
        return found;
      });
      onLoad({ filter: /[\\/](console|client)[\\/].*\.tsx?$/ }, ({ path }) => {
        if (!later.has(path)) return undefined;
        const shared = JSON.stringify(join(root, 'console', 'shell', 'shared.ts'));
        const loader = path.endsWith('x') ? 'tsx' : 'ts';
        return { contents: `import ${shared};${readFileSync(path, 'utf8')}`, loader };
      });
    },
  };
}

/** Says that a path is resolved for the plugin itself. */
const ASKED = Symbol('asked');

/** The names of what the page loads at once: the style, the entry, and what the first screen needs before it runs. */
function filesOf({ outputs }) {
  const entryOf = (source) => {
    const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source);
    if (found === undefined) throw new Error(`Nothing was built of ${source}.`);
    return found;
  };
  const [[entry, main], [style], [worker]] = ENTRIES.map(entryOf);
  const [first, today] = entryOf(FIRST);
  const imported = [...main.imports, ...today.imports].filter(({ kind }) => kind === 'import-statement');
  const chunks = new Set([...imported.map(({ path }) => path), first].map((path) => basename(path)));
  chunks.delete(basename(entry));
  return { entry: basename(entry), style: basename(style), worker: basename(worker), chunks: [...chunks] };
}

function fillIn(shell, { start, entry, style, worker, chunks }) {
  const preloads = chunks.map((chunk) => `<link rel="modulepreload" href="${chunk}">`).join('\n    ');
  const page = shell.replace('{{entry}}', entry).replace('{{style}}', style).replace('{{worker}}', worker);
  return page.replace('{{preloads}}', preloads).replace('{{start}}', start);
}
