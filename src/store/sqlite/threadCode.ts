/**
 * What runs in the thread beside a store: a connection that only reads, with an answer to each statement. It is a text that needs
 * nothing but the library, so that it starts the same from the sources, from a bundle and from the single binary.
 */
export const THREAD_CODE = `
const { parentPort, workerData } = require('node:worker_threads');
const { file, library, addon } = workerData;

function open() {
  if (library !== undefined) return new (require(library))(file, { readonly: true, fileMustExist: true });
  // The binary carries the native part alone.
  const database = new (load().Database)(file, file, false, true, true, 5000, null, null);
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

function rowsOf({ sql, args }) {
  let statement = prepared.get(sql);
  if (statement === undefined) {
    statement = database.prepare(sql);
    prepared.set(sql, statement);
  }
  if (statement.reader) return statement.all(...args);
  if (!statement.readonly) throw new Error('A reading script may not write: ' + sql);
  statement.run(...args);
  return [];
}

parentPort.on('message', (asked) => {
  try {
    parentPort.postMessage({ rows: rowsOf(asked) });
  } catch (error) {
    parentPort.postMessage({ message: String(error.message), code: error.code });
  }
});
`;
