// Where the single binary starts: runs the bundle that is among its assets.
const { getRawAsset, isSea } = require('node:sea');
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
  runBundle({
    code: Buffer.from(getRawAsset('countersign.cjs')).latin1Slice(),
    cache: codeCache(),
    url: 'file:///countersign',
    require,
  });
}

/** A binary for another machine may have been built without. */
function codeCache() {
  try {
    return Buffer.from(getRawAsset('countersign.cache'));
  } catch {
    return undefined;
  }
}
