// Writes into the binary where its code lies in its file: readOnce.cjs reads it from there.
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';

const READ_ONCE = ['countersign.cjs', 'countersign.cache'];
/** Stands in the binary until the places are known, and has room for them. */
const UNKNOWN = JSON.stringify({ unknown: 'the places of the code' }).padEnd(256);

/** Writes the asset whose content is known only once the binary is made. */
export function reservePlaces(file) {
  writeFileSync(file, UNKNOWN);
}

/**
 * @param binary with all its assets @param assets their paths by name; a binary may have been built without a code cache
 * @throws Error when the binary does not hold each of them as it is
 */
export function writePlaces(binary, assets) {
  const bytes = readFileSync(binary);
  const names = READ_ONCE.filter((name) => name in assets);
  const places = names.map((name) => [name, placeOf(bytes, readFileSync(assets[name]), name)]);
  const text = JSON.stringify(Object.fromEntries(places)).padEnd(UNKNOWN.length);
  if (text.length > UNKNOWN.length)
    throw new Error(`The places need ${text.length} bytes; see scripts/binary/places.mjs.`);
  const { offset } = placeOf(bytes, Buffer.from(UNKNOWN), 'places.json');
  const file = openSync(binary, 'r+');
  try {
    writeSync(file, text, offset);
  } finally {
    closeSync(file);
  }
}

function placeOf(binary, content, name) {
  const offset = binary.indexOf(content);
  if (offset === -1) throw new Error(`The binary does not hold ${name}.`);
  return { offset, length: content.length };
}
