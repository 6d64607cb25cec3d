/**
 * What runs in a thread beside a store: a connection with an answer to each statement. What changes something is refused where
 * the query does not say that it writes. It is a text that needs nothing but the library, so that it starts the same from the sources, from a bundle and from
 * the single binary.
 */
export const THREAD_CODE = `
const { parentPort, workerData } = require('node:worker_threads');
const { file, library, addon, setup, writable } = workerData;

function open() {
  if (library !== undefined) return new (require(library))(file, { readonly: !writable, fileMustExist: true });
  // The binary carries the native part alone.
  const database = new (load().Database)(file, file, false, !writable, true, 5000, null, null);
  return { prepare: (sql) => database.prepare(sql, {}, false) };
}

function load() {
  const loaded = { exports: {} };
  process.dlopen(loaded, addon);
  loaded.exports.setErrorConstructor(class SqliteError extends Error {
    constructor(message, code) {
      super(message);
      this.code = code;
    }
  });
  return loaded.exports;
}

const database = open();
const prepared = new Map();
for (const sql of setup) {
  const statement = database.prepare(sql);
  if (statement.reader) statement.all();
  else statement.run();
}

function resultOf({ sql, args, writes }) {
  let statement = prepared.get(sql);
  if (statement === undefined) {
    statement = database.prepare(sql);
    prepared.set(sql, statement);
  }
  if (statement.reader) return { rows: statement.all(...args), changes: 0 };
  if (!statement.readonly && !writes) throw new Error('A reading script may not write: ' + sql);
  return { rows: [], changes: statement.run(...args).changes };
}

parentPort.on('message', (asked) => {
  try {
    parentPort.postMessage(resultOf(asked));
  } catch (error) {
    parentPort.postMessage({ message: String(error.message), code: error.code });
  }
});
`;
