// Reads what the binary carries and a start needs once, such as its code, so that it does not stay in memory.
const { closeSync, openSync, readSync } = require('node:fs');
const { getAsset, getRawAsset } = require('node:sea');

/**
 * The binary's assets are mapped: each page that was ever read of them stays resident. So these are read from the file.
 * @returns the bytes, to be given back by `release`; from memory where the file cannot be read
 * @throws Error when there is no such asset
 */
exports.readOnce = (name) => {
  const place = JSON.parse(getAsset('places.json', 'utf8'))[name];
  return (place && readPlace(place)) ?? Buffer.from(getRawAsset(name));
};

/** Gives the memory back at once, where a collection would come much later. */
exports.release = (bytes) => {
  if (bytes.buffer.resizable) bytes.buffer.resize(0);
};

/** Linux alone names the file that runs also when another version has been put in its place. */
function readPlace({ offset, length }) {
  if (process.platform !== 'linux') return undefined;
  try {
    const file = openSync('/proc/self/exe', 'r');
    try {
      // Of the kind that can shrink: its pages are the system's, and go back to it.
      const bytes = Buffer.from(new ArrayBuffer(length, { maxByteLength: length }));
      return readSync(file, bytes, 0, length, offset) === length ? bytes : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
