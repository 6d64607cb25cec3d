// Bundles the program's sources: what every bundle of them has in common, whichever file comes out.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

/** Native addons, which are loaded from their own packages. */
const ADDONS = ['better-sqlite3', 'sodium-native'];

/** Optional parts of libraries, for places this program does not run in. */
const OPTIONAL = ['pg-native', 'cloudflare:sockets'];

/** Options of every bundle. Names and lines stay, so that a stack trace can be read. */
export const SHARED_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  logLevel: 'warning',
  external: OPTIONAL,
  define: {
    // Node's own code does what these two optional addons of ws do.
    'process.env.WS_NO_BUFFER_UTIL': '"1"',
    'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
  },
};

/**
 * Bundles entry points into one folder as ES modules that share chunks, so that what is imported lazily is loaded
 * lazily. Source maps lead back to the lines of the sources.
 * @param root of the package @param options.entryPoints from there
 * @param options.outdir where the modules go, at the places that their sources have in `options.outbase`
 * @param options.external names of packages to be loaded from node_modules besides the addons; 'all' for every one
 * @param options.sourceUrl gives the JavaScript expression for the URL of a source, by its path from the root
 * @param options.program gives the JavaScript expression for the URL of src/main.ts in the bundle, which threads start
 * @param options.plugins more of them
 */
export async function bundleModules(root, options) {
  const { entryPoints, outdir, outbase, external = [], sourceUrl, program, plugins = [] } = options;
  const all = external === 'all';
  await build({
    ...SHARED_OPTIONS,
    absWorkingDir: root,
    entryPoints,
    outdir,
    outbase,
    chunkNames: 'chunk-[hash]',
    splitting: true,
    format: 'esm',
    sourcemap: true,
    sourcesContent: false,
    ...(all ? { packages: 'external' } : {}),
    external: [...SHARED_OPTIONS.external, ...ADDONS, ...(all ? [] : external)],
    // CommonJS libraries ask for Node's own modules by `require`.
    banner: {
      js:
        "import { createRequire as createBundleRequire } from 'node:module'; " +
        'const require = createBundleRequire(import.meta.url); ' +
        `const bundledProgram = ${program};`,
    },
    plugins: [noExemplars(root), sourceUrls(root, sourceUrl), ...plugins],
  });
}

/** prom-client loads OpenTelemetry with every start and asks it for exemplars alone, which this program does not make. */
export function noExemplars(root) {
  return {
    name: 'noExemplars',
    setup({ onResolve }) {
      onResolve({ filter: /^@opentelemetry\/api$/ }, ({ importer }) =>
        /node_modules.prom-client\b/.test(importer) ? { path: join(root, 'scripts/bundle/noTraces.cjs') } : undefined,
      );
    },
  };
}

/** A source that asks for its own URL gets the one it has unbundled: it finds other files from there. */
function sourceUrls(root, sourceUrl) {
  const asking = ['src', 'test'].flatMap((folder) => sourcesIn(join(root, folder))).filter(asksForUrl);
  const filter = new RegExp(`^(${asking.map((file) => file.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})$`);
  return {
    name: 'sourceUrls',
    setup({ onLoad }) {
      onLoad({ filter }, ({ path }) => {
        const url = sourceUrl(relative(root, path).replaceAll('\\', '/'));
        return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url), loader: 'ts' };
      });
    },
  };
}

function sourcesIn(folder) {
  // An image is built without the tests.
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

function asksForUrl(file) {
  return readFileSync(file, 'utf8').includes('import.meta.url');
}
