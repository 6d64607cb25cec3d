// Where the single binary starts: runs the bundle that is among its assets.
const { isSea } = require('node:sea');
const { readOnce, release } = require('./readOnce.cjs');
const { runBundle } = require('./runBundle.cjs');

// The binary's Node ignores NODE_OPTIONS, but its threads read them: they could load foreign code into one, or open a debugger.
if (process.env.NODE_OPTIONS) {
  console.error(
    `NODE_OPTIONS=${JSON.stringify(process.env.NODE_OPTIONS)} would change how this program runs; ` +
      'start it without: env -u NODE_OPTIONS countersign …',
  );
  process.exit(2);
}
if (isSea()) {
  const code = readOnce('countersign.cjs');
  const text = code.latin1Slice();
  release(code);
  const cache = codeCache();
  runBundle({ code: text, cache, url: 'file:///countersign', require });
  if (cache !== undefined) release(cache);
}

/** A binary for another machine may have been built without. */
function codeCache() {
  try {
    return readOnce('countersign.cache');
  } catch {
    return undefined;
  }
}
