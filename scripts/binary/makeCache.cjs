// Writes the code cache of a bundle: `node makeCache.cjs BUNDLE CACHE SOURCE_URL`. It runs a harmless command first, so
// that the cache holds the functions that every start needs; the one that a build tool makes has none but the outermost. One of a
// node that was started holds so much that reading it took 130 ms more than compiling the rest.
const { readFileSync, writeFileSync } = require('node:fs');
const { runBundle } = require('./runBundle.cjs');

const [bundle, cache, url] = process.argv.slice(2);
process.argv = [process.execPath, process.execPath, 'config', 'check'];
const script = runBundle({ code: readFileSync(bundle, 'latin1'), url, require });
setTimeout(() => writeFileSync(cache, script.createCachedData()), 100);
