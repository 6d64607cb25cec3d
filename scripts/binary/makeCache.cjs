// Writes the code cache of a bundle: `node makeCache.cjs BUNDLE CACHE SOURCE_URL`. It runs a harmless command first, so
// that the cache holds the functions that every start needs; the one that a build tool makes has none but the outermost.
const { readFileSync, writeFileSync } = require('node:fs');
const { runBundle } = require('./runBundle.cjs');

const [bundle, cache, url] = process.argv.slice(2);
process.argv = [process.execPath, process.execPath, 'config', 'check'];
const script = runBundle({ code: readFileSync(bundle, 'utf8'), url, require });
setTimeout(() => writeFileSync(cache, script.createCachedData()), 100);
