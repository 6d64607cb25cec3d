/** The console as it was built: beside the program's bundle, or inside the single binary. */
import { readdirSync, readFileSync } from 'node:fs';
import { isBinary, listAssets, readAsset, readBinaryAsset } from './assets.ts';

/** The file of the program in a bundle, which the bundle itself says; there is none in the sources. */
declare const bundledProgram: string | undefined;

/** Beside the bundle, and among the assets. */
const FOLDER = 'console/';

interface ConsoleFiles {
  readonly texts: ReadonlyMap<string, string>;
  readonly images: ReadonlyMap<string, Uint8Array>;
}

/** @returns files by name; undefined where the program runs from its sources, for which no console is built */
export function readConsoleFiles(): ConsoleFiles | undefined {
  if (isBinary) {
    const read = (name: string) => readAsset(FOLDER + name);
    return filesOf(listAssets(FOLDER), read, (name) => readBinaryAsset(FOLDER + name));
  }
  if (typeof bundledProgram === 'undefined') return undefined;
  const folder = new URL(FOLDER, bundledProgram);
  const place = (name: string) => new URL(name, folder);
  const read = (name: string) => readFileSync(place(name), 'utf8');
  return filesOf(readdirSync(folder), read, (name) => readFileSync(place(name)));
}

function filesOf(
  names: readonly string[],
  text: (name: string) => string,
  bytes: (name: string) => Uint8Array,
): ConsoleFiles {
  const isImage = (name: string) => name.endsWith('.png');
  return {
    texts: new Map(names.filter((name) => !isImage(name)).map((name) => [name, text(name)])),
    images: new Map(names.filter(isImage).map((name) => [name, bytes(name)])),
  };
}
