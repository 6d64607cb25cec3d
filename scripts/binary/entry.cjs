// Where the single binary starts.
// Node reads NODE_OPTIONS in every program it is part of: it could load foreign code into this one, or open a debugger.
if (process.env.NODE_OPTIONS) {
  console.error(
    `NODE_OPTIONS=${JSON.stringify(process.env.NODE_OPTIONS)} would change how this program runs; ` +
      'start it without: env -u NODE_OPTIONS countersign …',
  );
  process.exit(2);
}
require('../../src/main.ts');
