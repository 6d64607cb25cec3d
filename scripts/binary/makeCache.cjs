// Writes the code cache of a bundle: `node makeCache.cjs BUNDLE CACHE ASSETS`, the last a list of the binary's assets by name.
// It starts a node on an empty folder and asks it something first, so that the cache holds the functions that every start
// needs; the one that a build tool makes has none but the outermost.
const { mkdtempSync, readFileSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:net');
const { join, resolve } = require('node:path');
const { runBundle } = require('./runBundle.cjs');

const PATIENCE_MS = 120_000;

const [bundle, cache, list] = process.argv.slice(2);
const assets = JSON.parse(readFileSync(list, 'utf8'));

/** Its assets are files yet. */
const sea = {
  isSea: () => true,
  getAsset: (name, encoding) => readFileSync(assets[name], encoding),
  getRawAsset: (name) => Uint8Array.from(readFileSync(assets[name])).buffer,
};

const server = createServer().listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  server.close(() => void makeCache(port));
});

async function makeCache(port) {
  const folder = mkdtempSync(join(resolve(cache, '..'), 'node-'));
  Object.assign(process.env, { DATA_DIR: folder, TMPDIR: folder, PORT: String(port), LOG_LEVEL: 'error' });
  process.argv = [process.execPath, process.execPath, 'serve'];
  const script = runBundle({
    code: readFileSync(bundle, 'latin1'),
    url: 'file:///countersign',
    require: (name) => (name === 'node:sea' ? sea : require(name)),
  });
  for (const started = performance.now(); performance.now() - started < PATIENCE_MS; ) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (response?.status === 200) {
      writeFileSync(cache, script.createCachedData());
      process.exit(0);
    }
    await new Promise((wake) => setTimeout(wake, 20));
  }
  throw new Error('The node of the bundle was not ready in time.');
}
